"""What is learned of errors and of pairs, against adaptive quadrature, brute force and draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special
from tests.validation.sections.ordinal import METRICS, confusion, coverage

import howsure as hs
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.error_shares import (
    COARSE,
    FINE,
    LearnedErrors,
    LearnedShares,
    OrderedErrors,
    log_grid,
)
from howsure.numerics.populations.population import PairedFactors


def cells(table):
    table = np.array(table)
    np.fill_diagonal(table, 0)
    rows, cols = np.nonzero(table)
    return len(table), rows, cols, table[rows, cols]


TABLE = [[0, 3, 1, 0], [2, 0, 5, 1], [0, 7, 0, 0], [0, 0, 2, 0]]


def dirichlet_multinomial(counts, alphas) -> float:
    """Probability of counts, without the multinomial coefficient, by products of rising factorials."""
    return float(np.prod(special.poch(alphas, counts)) / special.poch(np.sum(alphas), np.sum(counts)))


def test_column_shares_against_adaptive_quadrature() -> None:
    errors = LearnedErrors(*cells(TABLE))
    size, totals = 4, errors.columns.totals

    def evidence(share: float) -> float:
        mass = size * share / (1 - share)
        return dirichlet_multinomial(totals, np.full(size, mass / size)) * 1e20

    def weighted(share: float) -> float:
        mass = size * share / (1 - share)
        return evidence(share) * (mass / size + totals[1]) / (mass + totals.sum())

    total, mean = (integrate.quad(f, 0, 1, epsabs=0, epsrel=1e-10)[0] for f in (evidence, weighted))
    assert errors.shares[1] == pytest.approx(mean / total, abs=1e-6)


def test_roughness_against_adaptive_quadrature() -> None:
    errors, table = LearnedErrors(*cells(TABLE)), np.array(TABLE)
    q = errors.shares

    def evidence(share: float) -> float:
        mass = 4 * share / (1 - share)
        product = 1e20
        for i, row in enumerate(table):
            others = np.arange(4) != i
            product *= dirichlet_multinomial(row[others], mass * q[others] / (1 - q[i]))
        return product

    def weighted(share: float) -> float:
        return share * evidence(share)

    total, mean = (integrate.quad(f, 0, 1, epsabs=0, epsrel=1e-10)[0] for f in (evidence, weighted))
    rough, _ = errors.draw(200_000, np.random.default_rng(0))
    assert (rough / (rough + 4)).mean() == pytest.approx(mean / total, abs=4e-3)
    grid = np.exp(errors.log_mass)
    assert errors.rough_weight @ (grid / (grid + 4)) == pytest.approx(mean / total, abs=1e-4)


def test_a_sink_is_found_and_twins_are_rough() -> None:
    size = 20
    sink = np.ones((size, size), int)
    sink[:, 0] = 40
    twins = np.kron(np.eye(size // 2, dtype=int), np.ones((2, 2), int)) * 40
    even = np.full((size, size), 4)
    typical = {}
    for name, table in (("sink", sink), ("twins", twins), ("even", even)):
        errors = LearnedErrors(*cells(table))
        typical[name] = np.exp(errors.rough_weight @ errors.log_mass)
        if name == "sink":
            assert errors.shares[0] > 0.5
        else:
            assert errors.shares == pytest.approx(np.full(size, 0.05), abs=0.01)
    assert typical["twins"] < 2 < 100 < typical["even"]


@pytest.mark.parametrize(
    ("size", "rows", "cols", "counts"),
    [
        (1, [], [], []),
        (3, [0], [0], [1]),
        (3, [0], [1], [0]),
        (3, [0], [1], [np.nan]),
    ],
)
def test_impossible_cells_are_refused(size, rows, cols, counts) -> None:
    with pytest.raises(ValueError, match="errors"):
        LearnedErrors(size, rows, cols, counts)


# -- shares whose prior has a learned mass: the grid against quadrature, draws and mixtures against the grid ----------


@pytest.mark.parametrize("totals", [[5, 0], [100, 1, 1, 0, 3]])
def test_means_against_adaptive_quadrature(totals) -> None:
    counts, size = np.array(totals, dtype=float), len(totals)

    def log_evidence(share: float) -> float:
        mass = size * share / (1 - share)
        rising = special.gammaln(mass / size + counts) - special.gammaln(mass / size)
        return float(rising.sum() - special.gammaln(mass + counts.sum()) + special.gammaln(mass))

    top = max(log_evidence(x) for x in np.linspace(0.001, 0.999, 999))

    def mean_times(share: float, index: int) -> float:
        mass = size * share / (1 - share)
        return float(np.exp(log_evidence(share) - top) * (mass / size + counts[index]) / (mass + counts.sum()))

    whole = integrate.quad(lambda x: np.exp(log_evidence(x) - top), 0, 1, epsabs=0, epsrel=1e-10)[0]
    means = [integrate.quad(mean_times, 0, 1, args=(i,), epsabs=0, epsrel=1e-10)[0] / whole for i in range(size)]
    assert LearnedShares(counts).means == pytest.approx(means, abs=2e-6)


# -- errors with a profile over the distance of ranks: without one they are the old ones, with one by another

#: Ratings from 1 to 5, errors near the diagonal.
RATINGS = np.array([[13, 2, 0, 0, 0], [1, 16, 6, 2, 0], [0, 1, 19, 6, 0], [0, 0, 2, 10, 3], [0, 0, 0, 0, 19]])
WRONG = RATINGS * (1 - np.eye(5, dtype=int))


@pytest.mark.parametrize("wrong", [WRONG, WRONG[::-1, ::-1], np.zeros((3, 3))])
def test_without_a_profile_they_are_those_that_know_no_order(wrong: np.ndarray) -> None:
    flat = OrderedErrors(wrong, ((1.0,), (0.0,)))
    i, j = np.nonzero(wrong)
    old = LearnedErrors(len(wrong), i, j, wrong[i, j])
    assert flat.shares[0] == pytest.approx(old.shares, abs=1e-12)
    assert flat.of_rows[0] == pytest.approx(old.rough_weight, abs=1e-12)
    rows, columns = np.random.default_rng(3), np.random.default_rng(4)
    drawn = flat.masses(40_000, rows)[:, 0, 1:]
    other = old.masses(40_000, columns)[:, 0, 1:]
    assert np.log(drawn).mean(0) == pytest.approx(
        np.log(other).mean(0), abs=5 * np.log(drawn).std() * (2 / 40_000) ** 0.5
    )


def test_evidence_of_a_profile_is_that_of_its_rows_one_by_one() -> None:
    """Dirichlet-multinomial probabilities, by sums over masses written out; the columns are held where they are."""
    errors = OrderedErrors(WRONG, COARSE)
    z = log_grid(5) - np.log(5)
    prior = z - 2 * np.logaddexp(0, z)
    logs = []
    for (factor, level), shares in zip(errors.nodes, errors.shares, strict=True):
        whole = np.zeros(len(z))
        for i, row in enumerate(WRONG):
            near = [0 if j == i else shares[j] * ((1 - level) * factor ** (abs(i - j) - 1) + level) for j in range(5)]
            base = np.array(near) / sum(near)
            for m, log_mass in enumerate(log_grid(5)):
                mass = np.exp(log_mass)
                seen = row > 0
                whole[m] += special.gammaln(mass) - special.gammaln(mass + row.sum())
                whole[m] += (special.gammaln(mass * base[seen] + row[seen]) - special.gammaln(mass * base[seen])).sum()
        logs.append(special.logsumexp(whole + prior))
    weight = np.exp(np.array(logs) - max(logs)) * [1.0, *[0.5] * 6]
    assert errors.weight == pytest.approx(weight / weight.sum(), abs=1e-10)


def test_a_profile_is_learned_where_there_is_one_and_not_where_there_is_none() -> None:
    rng = np.random.default_rng(8)
    near = rng.multinomial(400, confusion(6, "near", rng).ravel()).reshape(6, 6)
    spread = np.where(np.eye(6) > 0, 60, 6)
    falls, stays = (OrderedErrors(table * (1 - np.eye(6)), FINE) for table in (near, spread))
    assert falls.weight @ falls.nodes[:, 0] < 0.35
    assert stays.weight[stays.nodes[:, 0] < 0.5] @ stays.profile[stays.nodes[:, 0] < 0.5, 0, 5] < 0.05
    assert falls.means[0, 1] > 5 * falls.means[0, 4]


def test_means_are_those_of_draws() -> None:
    errors = OrderedErrors(WRONG)
    masses = errors.masses(20_000, np.random.default_rng(1)) + WRONG
    drawn = masses / np.maximum(masses.sum(-1, keepdims=True), 1e-300)
    # those of the draws average over the columns, the others hold them at their mean
    assert errors.means == pytest.approx(drawn.mean(0), abs=0.02)


def test_only_ordinal_metrics_know_of_it_and_what_is_asked_beside_them_stays() -> None:
    table = hs.ConfusionMatrix(RATINGS)
    alone, beside = hs.infer(table), hs.infer(table)
    kappa = alone.of("kappa").interval()
    assert hs.report(beside, ["weighted_kappa", "kappa"])["kappa"].low == pytest.approx(kappa.low, abs=1e-12)
    assert beside.of("weighted_kappa").mean > hs.infer(table, "jeffreys").of("weighted_kappa").mean


@pytest.mark.full
@pytest.mark.parametrize("cell", [(5, 50, "near"), (5, 400, "lenient"), (10, 100, "noise")])
def test_the_truth_is_in_the_interval(cell: tuple[int, int, str]) -> None:
    """Spread whatever their distance, errors let quadratic kappa be held in 2 to 85%. False alarm below 1e-6."""
    held = coverage(*cell, 60, ("learned",))[0, :, 0]
    assert dict(zip(METRICS, held >= 0.95 - 5 * (0.05 * 0.95 / 60) ** 0.5, strict=True)) == dict.fromkeys(METRICS, True)


# -- factors of a pair: closed moments against draws, the Dirichlet of one class, and nobody ahead by the

EQUAL = np.array([[14, 3, 1, 2], [15, 2, 2, 1], [12, 4, 1, 3]])
UNEQUAL = np.array(
    [[140, 9, 4, 12], [40, 5, 3, 2], [18, 2, 3, 2], [9, 1, 0, 2], [4, 0, 1, 0], [2, 1, 0, 0], [1, 0, 0, 1]]
)


def cell_moment(alphas: Floats, powers: tuple[int, ...]) -> float:
    """E prod pi^p under a Dirichlet."""
    total = alphas.sum()
    logs = special.gammaln(total) - special.gammaln(total + sum(powers))
    return float(np.exp(logs + (special.gammaln(alphas + powers) - special.gammaln(alphas)).sum()))


@given(
    st.lists(st.integers(0, 60), min_size=4, max_size=4),
    st.tuples(*[st.integers(0, 3)] * 4),
)
def test_factors_of_one_class_are_the_dirichlet_of_a_half(cells: list[int], powers: tuple[int, int, int, int]) -> None:
    """All moments of the four shares, from the three Betas and from Dirichlet(1/2 x 4)."""
    both, a, b, neither = cells
    p, q, r, s = powers
    # pi11 = (1-d) c, pi10 = d s, pi01 = d (1-s), pi00 = (1-d)(1-c)
    found = (
        cell_moment(np.array([1.0 + a + b, 1.0 + both + neither]), (q + r, p + s))
        * cell_moment(np.array([0.5 + a, 0.5 + b]), (q, r))
        * cell_moment(np.array([0.5 + both, 0.5 + neither]), (p, s))
    )
    assert found == pytest.approx(cell_moment(np.array(cells) + 0.5, powers), rel=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("cells", [EQUAL, UNEQUAL], ids=["equal sizes", "unequal sizes"])
def test_draws_of_a_difference_have_the_closed_moments(cells: np.ndarray) -> None:
    weights = np.full(len(cells), 1 / len(cells))
    factors = PairedFactors(cells)
    values = factors.draw_difference(weights, 5_000, [0])
    assert (values.mean(), values.std(ddof=1)) == pytest.approx(factors.difference_moments(weights), rel=1e-9)
    rates = factors.draw_rates(weights, 5_000, [0])
    assert rates[0] - rates[1] == pytest.approx(values, abs=1e-12)
    again = PairedFactors(cells).draw_difference(weights, 5_000, [0])
    assert np.array_equal(again, values)


def test_a_class_is_better_as_often_as_its_direction_says() -> None:
    """Where nobody differed, most of the difference lies next to 0: its sign is that of the direction, not of noise."""
    factors = PairedFactors([[84, 2, 2, 4], [87, 0, 1, 0], [89, 0, 0, 0], [75, 3, 0, 9]])
    n = 20_000
    for k, weights in enumerate(np.eye(4)):
        direction = factors.direction.draw(10 * n, np.random.default_rng(8), np.array([k]))
        p = float((direction > 0.5).mean())
        drawn = factors.draw_difference(weights, n, [5])
        assert (drawn > 0).mean() == pytest.approx(p, abs=5 * np.sqrt(1.1 * p * (1 - p) / n))
        assert (drawn.mean(), drawn.std()) == pytest.approx(factors.difference_moments(weights), rel=1e-6)


@pytest.mark.parametrize(
    "cells",
    [
        [[20, 0, 0, 2], [19, 0, 0, 1], [30, 0, 0, 2]],  # never unlike
        [[0, 0, 0, 0], [9, 1, 0, 2], [5, 0, 1, 0]],  # a class without a case
        [[0, 20, 0, 0], [0, 20, 0, 0], [0, 20, 0, 0]],  # only ever the first
        [[3, 1, 0, 0]],
    ],
)
def test_the_ends_have_answers(cells: list[list[int]]) -> None:
    factors = PairedFactors(cells)
    weights = np.full(len(cells), 1 / len(cells))
    mean, sd = factors.difference_moments(weights)
    values = factors.draw_rates(weights, 500, [0])
    assert np.isfinite([mean, sd]).all()
    assert sd > 0
    assert np.isfinite(values).all()
    assert np.ptp(values) <= 2


@pytest.mark.parametrize("cells", [[[1, 2, 3]], [1, 2, 3, 4], [[1, 2, 3, -1]]])
def test_odd_counts_are_refused(cells: list[object]) -> None:
    with pytest.raises(ValueError, match="shape"):
        PairedFactors(np.array(cells))


def by_prior(k: Floats, n: Floats, scores: Floats, typical: tuple[float, float], rng: np.random.Generator) -> Floats:
    """Draws of the rates by brute force: hyperparameters from their prior, kept in proportion to the evidence."""
    many = 400_000
    a, b = special.logit(rng.beta(*typical, many)), rng.standard_normal(many)
    kappa = 1 / rng.beta(1, 3, many) - 1
    share = rng.beta(1, 9, many)
    eta = a[:, None] + b[:, None] * scores
    alpha, beta = special.expit(eta) * kappa[:, None], special.expit(-eta) * kappa[:, None]
    alpha, beta = np.maximum(alpha, 1e-12), np.maximum(beta, 1e-12)
    main = np.exp(special.betaln(alpha + k, beta + n - k) - special.betaln(alpha, beta)) * (1 - share)[:, None]
    odd = np.exp(special.betaln(0.5 + k, 0.5 + n - k) - special.betaln(0.5, 0.5)) * share[:, None]
    evidence = (main + odd).prod(axis=1)
    kept = rng.choice(many, 100_000, p=evidence / evidence.sum())
    broad = rng.random((len(kept), len(k))) < (odd / (main + odd))[kept]
    right, wrong = np.where(broad, 0.5, alpha[kept]) + k, np.where(broad, 0.5, beta[kept]) + n - k
    return rng.beta(right, wrong)


@pytest.mark.full
def test_the_factors_agree_with_brute_force() -> None:
    """A second route that shares no code: importance sampling from the prior."""
    counts = np.array([[20, 1, 0, 2], [6, 2, 1, 1], [1, 2, 0, 0]], dtype=float)
    both, first, second, neither = counts.T
    size = counts.sum(1)
    scores = np.log(size) - np.log(size).mean()
    rng = np.random.default_rng(1)
    d = by_prior(first + second, size, scores, (1.0, 1.0), rng)
    s = by_prior(first, first + second, scores, (0.5, 0.5), rng)
    c = by_prior(both, both + neither, scores, (0.5, 0.5), rng)
    factors = PairedFactors(counts)
    for drawn, population in ((d, factors.discordance), (s, factors.direction), (c, factors.agreement)):
        means, sds = population.moments
        assert drawn.mean(0) == pytest.approx(means, abs=0.005)
        assert drawn.std(0) == pytest.approx(sds, rel=0.02)
    weights = np.full(len(counts), 1 / len(counts))
    gains = (d * (2 * s - 1)) @ weights
    mean, sd = factors.difference_moments(weights)
    assert gains.mean() == pytest.approx(mean, abs=0.02 * sd)
    assert gains.std() == pytest.approx(sd, rel=0.02)
    values = np.sort(factors.draw_difference(weights, 20_000, [0]))
    grid = np.quantile(gains, np.linspace(0.02, 0.98, 25))
    below = np.searchsorted(values, grid) / len(values)
    assert np.abs(below - np.linspace(0.02, 0.98, 25)).max() < 0.02
