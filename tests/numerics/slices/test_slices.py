"""Rates of slices: alike or apart, of two kinds, and borrowed in batches."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.laws import BetaSum
from howsure.laws.population_sums import LearnedSum
from howsure.numerics.populations.alike_or_apart import AlikeOrApart, TwoKinds
from howsure.numerics.populations.population import Population
from howsure.numerics.populations.slices import BorrowedRates, RateMixtures, RateSums

Counts = list[int]


def nodes(count: int) -> tuple[np.ndarray, np.ndarray]:
    x, w = np.polynomial.legendre.leggauss(count)
    return (x + 1) / 2, w / 2


def by_quadrature(k: Counts, n: Counts) -> tuple[float, float]:
    """P(all alike), and the mean of the first rate if they are not, by Gauss's rule in mu, the share of rho, and e."""
    hit, size = np.array(k, dtype=float), np.array(n, dtype=float)
    broad = special.beta(1 + hit, 1 + size - hit)
    (e, we), (mu, wmu), (rho, wrho) = nodes(40), nodes(160), nodes(60)
    alike, whole, first = 0.0, 0.0, 0.0
    for spread, chance in ((0.0, 0.25), *zip(rho, 0.75 * wrho, strict=True)):
        m = mu[:, None]
        if spread:
            least = np.minimum(m, 1 - m)
            kappa = 1 / (spread * least / (least + 0.5)) - 1  # the largest rho has a or b at 1/2
            a, b = m * kappa, (1 - m) * kappa
            main = np.exp(special.betaln(a + hit, b + size - hit) - special.betaln(a, b))
            mean = ((a + hit) / (a + b + size))[:, 0]
        else:
            main, mean = m**hit * (1 - m) ** (size - hit), mu
        for share, weight in ((0.0, 0.5), *zip(e, 0.5 * we * 9 * (1 - e) ** 8, strict=True)):
            both = (1 - share) * main + share * broad
            w = chance * weight * wmu * both.prod(axis=1)
            odd = share * broad[0] / both[:, 0]
            whole += w.sum()
            first += (w * (odd * (hit[0] + 1) / (size[0] + 2) + (1 - odd) * mean)).sum()
            if not spread:
                same = chance * weight * wmu * ((1 - share) * main).prod(axis=1)
                alike += same.sum()
                first -= (same * mean).sum()
    return alike / whole, first / (whole - alike)


WORLDS = [([8, 5], [10, 10]), ([0, 0, 3], [12, 5, 9])]


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(("k", "n"), WORLDS)
def test_the_chance_of_no_gap_and_the_rates_if_there_is_one_are_those_of_quadrature(k: Counts, n: Counts) -> None:
    made = AlikeOrApart(k, n)
    alike, first = by_quadrature(k, n)
    assert made.alike == pytest.approx(alike, rel=0.02)
    rates = made.draw(20_000, np.random.default_rng(1))[:, 0]
    assert rates.mean() == pytest.approx(first, abs=0.004 + 4 * rates.std() / 141)


def test_one_case_is_as_like_billions_as_it_is_like_thousands() -> None:
    assert AlikeOrApart([8e9, 1], [1e10, 1]).alike == pytest.approx(AlikeOrApart([8e3, 1], [1e4, 1]).alike, rel=1e-3)


def test_draws_are_of_groups_that_are_not_all_alike() -> None:
    rates = AlikeOrApart([80, 81, 79, 80], [100] * 4).draw(2000, np.random.default_rng(0))
    assert rates.shape == (2000, 4)
    assert (np.ptp(rates, axis=1) > 0).all()
    assert 0.7 < rates.mean() < 0.85


@pytest.mark.parametrize(("k", "n"), [([1], [1, 2]), ([], []), ([3], [2]), ([-1], [2])])
def test_what_are_no_counts_is_refused(k: Counts, n: Counts) -> None:
    with pytest.raises(ValueError, match=r"k must lie|one length"):
        AlikeOrApart(k, n)


def test_which_of_two_alike_halves_is_the_main_part_is_left_open_wherever_their_rates_lie() -> None:
    """One peak at a node, one between two: how probable each is follows from integrals of Betas, in closed form."""
    cases, step, half = 1_000_000, np.pi / 48, 6
    at, between = np.sin(5.5 * step) ** 2, np.sin(18 * step) ** 2
    made = AlikeOrApart([round(cases * at)] * half + [round(cases * between)] * half, [cases] * 12)
    drawn = made.draw(20_000, np.random.default_rng(0))
    one_rate = np.ptp(drawn[:, :half], axis=1) == 0, np.ptp(drawn[:, half:], axis=1) == 0
    # of a half of one rate the peak is once as wide as pq / cases in place of once for each group
    odds = (between * (1 - between) / (at * (1 - at))) ** ((half - 1) / 2)
    assert np.mean(one_rate[0]) == pytest.approx(odds / (1 + odds), abs=0.02)
    assert np.mean(one_rate[1]) == pytest.approx(1 / (1 + odds), abs=0.02)


# -- rates of two kinds: the evidence by integrals, and the gap of clusters -------------------------------------------


def test_the_evidence_by_which_groups_are_of_the_first_kind() -> None:
    """Summed over all ways to part three groups, each way in closed form."""
    k, n = np.array([9, 3, 8]), np.array([10, 10, 12])
    total = 0.0
    for way in range(8):
        first = np.array([bool(way >> i & 1) for i in range(3)])
        ways = special.beta(1 + first.sum(), 1 + (~first).sum())
        for part in (first, ~first):
            ways *= special.beta(1 + k[part].sum(), 1 + (n - k)[part].sum())
        total += ways
    assert TwoKinds(k, n).log_evidence == pytest.approx(np.log(total), abs=0.03)


# -- laws of many slices at once against the laws of each alone, and the population against its own exact law ---------

SHARES = (0.001, 0.025, 0.3, 0.5, 0.9, 0.975)


@pytest.mark.parametrize(
    ("a", "b", "weights", "close"),
    [
        ((200, 30), (4, 9), (1, -1), 2e-4),
        ((11, 21, 5), (1, 1, 1), (1 / 3, 1 / 3, 1 / 3), 4e-4),
        ((6, 3), (1, 1), (0.5, 0.5), 1e-3),
    ],
)
def test_a_sum_is_the_sum_of_betas(
    a: tuple[float, ...], b: tuple[float, ...], weights: tuple[float, ...], close: float
) -> None:
    law = BetaSum(a, b, weights)
    made = RateSums(
        [RateMixtures(np.array([[float(x)]]), np.array([[float(y)]])) for x, y in zip(a, b, strict=True)], weights
    )
    assert float(made.mean[0]) == pytest.approx(law.mean)
    assert float(made.sd[0]) == pytest.approx(law.sd)
    for p in SHARES:
        assert float(made.below(law.quantile(p))[0]) == pytest.approx(p, abs=close)


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(
    ("k", "n"),
    [
        ([19, 20, 1], [20, 20, 20]),
        ([0] + [19] * 99, [20] * 100),
    ],
)
def test_borrowed_rates_are_those_of_the_population(k: list[int], n: list[int]) -> None:
    made, population = BorrowedRates(k, n), Population(k, n)
    rates = made.rates.taken(made.place)
    means, sds = population.moments
    assert rates.mean == pytest.approx(means, abs=1e-9)
    assert rates.sd == pytest.approx(sds, abs=1e-7)
    for i in range(min(3, len(k))):
        weights = np.zeros(len(k))
        weights[i] = 1
        law = LearnedSum([(population, weights)])
        for p in (0.025, 0.25, 0.5, 0.75):
            assert float(rates.below(law.quantile(p))[i]) == pytest.approx(p, abs=0.009)
        drawn = made.draw(4000, np.random.default_rng(0))[:, i]
        assert float(drawn.mean()) == pytest.approx(float(means[i]), abs=4 * float(sds[i]) / 60)
