"""Planned and simulated tests: assurance, two rates, and the widths to expect."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betainc, betaincc, betaln, gammaln, xlog1py, xlogy
from scipy.stats import betabinom

from howsure.laws import Beta, BetaSum, PairedDifference
from howsure.metrics import parse
from howsure.numerics.betas import hdi_beta
from howsure.numerics.draws.weighted_draws import hdi_widths
from howsure.numerics.populations.beta_laws import exceedance
from howsure.numerics.trials import simulated_tests
from howsure.numerics.trials.assurance import (
    Truth,
    above_goal,
    assurance,
    from_there_on,
    paired_assurance,
    paired_better,
    paired_later,
    separate_assurance,
    separate_later,
    smallest,
    width_goal,
)
from howsure.numerics.trials.simulated_tests import (
    Calibration,
    Found,
    StraightPart,
    controlled,
    gains_learned,
    posterior_margins,
    posterior_tables,
    recall_sum_cumulants,
    simulated_recalls,
    uncontrolled,
    width_of_cumulants,
)

FLAT = (1.0, 1.0)


def beta_binomial(n: int, truth: Truth) -> np.ndarray:
    k = np.arange(n + 1)
    log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    if truth.fixed:
        return np.exp(log + k * np.log(truth.a) + (n - k) * np.log1p(-truth.a))
    return np.exp(log + betaln(k + truth.a, n - k + truth.b) - betaln(truth.a, truth.b))


def test_the_published_case() -> None:
    """Toetsch and Hoffmann: 100 cases bound the uncertainty by 19 points; exactly, that takes 103."""
    truth, goal = Truth(7.4, 2.6), width_goal(0.19, FLAT, 0.95)
    reached = assurance(np.array([100, 101, 102, 103]), goal, truth)
    assert reached[0] == pytest.approx(0.87744, abs=1e-5)
    assert reached[2] == pytest.approx(0.939, abs=5e-4)
    assert reached[3] == pytest.approx(1.0, abs=1e-9)
    found = smallest(goal, truth, 0.95)
    assert found is not None
    assert (found.n, found.first) == (103, 103)
    k = np.arange(101)
    low, high = hdi_beta(k + 1, 101 - k)
    order, weight = np.argsort(high - low), beta_binomial(100, truth)
    ninety_five = (high - low)[order][np.searchsorted(np.cumsum(weight[order]), 0.95)]
    assert ninety_five == pytest.approx(0.1921, abs=5e-5)


@pytest.mark.full
@pytest.mark.parametrize(("truth", "threshold", "asked"), [(Truth(80.0, 20.0), 0.7, 0.9), (Truth(0.8), 0.7, 0.8)])
def test_looking_at_the_tips_and_bases_of_the_teeth_finds_what_looking_at_every_n_does(
    truth: Truth, threshold: float, asked: float
) -> None:
    goal, n = above_goal(threshold, FLAT, 0.95), np.arange(1, 1500)
    found, reached = smallest(goal, truth, asked), np.empty(len(n))
    assert found is not None
    for i, cases in enumerate(n):  # every outcome of every n
        k = np.arange(cases + 1)
        reached[i] = beta_binomial(cases, truth)[betainc(k + 1.0, cases - k + 1.0, threshold) <= 0.05].sum()
    assert found.n == n[np.flatnonzero(reached < asked)[-1]] + 1
    assert found.first == n[np.flatnonzero(reached >= asked)[0]]


# -- comparison of two rates: probabilities by two routes, assurance by every pair of outcomes ------------------------


def binomial(n: int, p: float) -> np.ndarray:
    k = np.arange(n + 1)
    return np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p))


@pytest.mark.parametrize("margin", [0.02, -0.03])
def test_better_with_a_margin_is_the_integral(margin: float) -> None:
    a, b, c, d = 60.0, 15.0, 70.0, 9.0

    def integrand(y: float) -> float:
        density = np.exp(xlogy(c - 1, y) + xlog1py(d - 1, -y) - betaln(c, d))
        return float(density * betaincc(a, b, np.clip(y - margin, 0, 1)))

    expected = quad(integrand, 0, 1, epsabs=1e-12, limit=200)[0]
    assert exceedance(([a], [b]), ([c], [d]), margin)[0] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("wins", "losses", "n"), [(0, 0, 25), (10, 4, 80)])
def test_paired_better_is_the_exact_law(wins: int, losses: int, n: int) -> None:
    both = (n - wins - losses) // 2
    cells = [[both + 0.5, wins + 0.5, losses + 0.5, n - wins - losses - both + 0.5]]
    law = PairedDifference(cells)
    assert paired_better([wins], [losses], float(n))[0] == pytest.approx(law.prob(above=0), abs=1e-8)
    for margin in (0.01, 0.05):
        found = paired_better([wins], [losses], float(n), margin)[0]
        assert found == pytest.approx(law.prob(above=-margin), abs=1e-6 if wins else 2e-3)


@pytest.mark.full
@pytest.mark.parametrize(("old", "new", "n", "margin"), [(0.8, 0.9, 40, 0.0), (0.5, 0.5, 60, 0.1)])
def test_separate_assurance_is_the_sum_over_all_pairs(old: float, new: float, n: int, margin: float) -> None:
    k = np.arange(n + 1)
    first, second = np.meshgrid(k, k, indexing="ij")
    sure = exceedance((first + 1.0, n - first + 1.0), (second + 1.0, n - second + 1.0), margin) >= 0.9
    expected = (np.outer(binomial(n, new), binomial(n, old)) * sure).sum()
    found = separate_assurance(n, np.array([old]), np.array([new]), 0.9, margin=margin)
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("margin", [0.04])
def test_paired_assurance_is_the_sum_over_all_outcomes(margin: float) -> None:
    n, wins, losses = 50, 0.12, 0.05
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = i + j <= n
    i, j = i[inside], j[inside]
    log = gammaln(n + 1) - gammaln(i + 1) - gammaln(j + 1) - gammaln(n - i - j + 1)
    chance = np.exp(log + i * np.log(wins) + j * np.log(losses) + (n - i - j) * np.log(1 - wins - losses))
    expected = chance[paired_better(i, j, float(n), margin) >= 0.95].sum()
    found = paired_assurance(n, np.array([wins]), np.array([losses]), 0.95, margin=margin)
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.full
def test_two_classifiers_of_80_and_85_per_cent() -> None:
    old, new = np.array([0.80]), np.array([0.85])
    reached = [separate_assurance(n, old, new, 0.95) for n in (711, 712)]
    assert reached == pytest.approx([0.79953, 0.80007], abs=1e-5)
    assert from_there_on(lambda n: separate_assurance(n, old, new, 0.95), 0.8, most=10**6, window=4)[0] == 712


def test_a_search_goes_on_after_a_dip() -> None:
    """Reached from 50 on but for 60 and 75: bisection alone would say 50."""
    reached = {n: float(n >= 50 and n not in (60, 75)) for n in range(1, 400)}
    assert from_there_on(lambda n: reached[n], 0.5, most=399) == (76, 50)


# -- two rates after further cases, against every outcome summed one by one with SciPy's laws -------------------------


@pytest.mark.sweep(4, full=9)
@pytest.mark.parametrize(("more", "certainty"), [(7, 0.6), (60, 0.95)])
def test_separate_rates_are_every_pair_of_outcomes(more: int, certainty: float) -> None:
    first, second = (46.0, 6.0), (30.5, 12.5)
    k = np.arange(more + 1)
    known = exceedance((first[0] + k[:, None], first[1] + more - k[:, None]), (second[0] + k, second[1] + more - k))
    chance = np.outer(betabinom.pmf(k, more, *first), betabinom.pmf(k, more, *second))
    assert separate_later(first, second, more, certainty) == pytest.approx(chance[known >= certainty].sum(), abs=1e-10)
    assert separate_later(second, first, more, certainty) == pytest.approx(
        chance[1 - known >= certainty].sum(), abs=1e-10
    )


@pytest.mark.parametrize(("more", "cases"), [(60, (12, 3, 30)), (7, (0, 0, 5)), (7, (2, 9, 0))])
def test_rates_on_the_same_cases_are_every_triple_of_outcomes(more: int, cases: tuple[int, int, int]) -> None:
    only_first, only_second, alike = cases[0] + 0.5, cases[1] + 0.5, cases[2] + 1.0
    expected = np.zeros(2)
    for d in range(more + 1):
        x = np.arange(d + 1)
        chance = betabinom.pmf(d, more, only_first + only_second, alike) * betabinom.pmf(x, d, only_first, only_second)
        better = paired_better(cases[0] + x, cases[1] + d - x, 1.0)
        expected += chance[better >= 0.9].sum(), chance[better <= 0.1].sum()
    assert paired_later(only_first, only_second, alike, more, 0.9) == pytest.approx(expected[0], abs=1e-9)
    assert paired_later(only_second, only_first, alike, more, 0.9) == pytest.approx(expected[1], abs=1e-9)


# -- what simulated tests say about expected widths: excesses that are known come out, with their errors --------------

BEFORE = np.array([1.0, 0.5])
WIDTH = np.log(2 * 1.959964)


def normals(tests: int, draws: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((tests, draws))


def test_a_control_takes_out_most_of_the_noise_and_no_more() -> None:
    straight, other = normals(300, 1000), normals(300, 1000, seed=2)
    metric = (straight + 0.1 * other) / np.sqrt(1.01)
    found, _ = controlled(metric, straight, np.full(300, WIDTH), np.zeros(300), 0.95)
    bare = uncontrolled(metric, np.full(300, WIDTH), 0.95)
    assert found.noise < 0.1 * bare.noise
    assert found.excess.std() == pytest.approx(found.noise**0.5, rel=0.2)
    assert bare.excess.std() == pytest.approx(bare.noise**0.5, rel=0.2)
    assert abs(found.excess.mean()) < 5 * (found.noise / 300) ** 0.5
    assert abs(bare.excess.mean()) < 5 * (bare.noise / 300) ** 0.5


def noisy(tests: int, noise: float, spread: float, seed: int = 5) -> Found:
    rng = np.random.default_rng(seed)
    x = np.stack([np.ones(tests), rng.standard_normal(tests)], axis=1)
    own, drawn = spread * rng.standard_normal(tests), noise * rng.standard_normal(tests)
    return Found(x @ np.array([0.02, -0.05]) + own + drawn, x, noise**2)


def test_what_a_metric_shares_of_the_straight_widths_errors_is_put_back_and_no_more() -> None:
    """Both were expected 3% too narrow, and half of the noise is common: what is found adds up to the 3%."""
    straight, other = normals(400, 1000), normals(400, 1000, seed=2)
    found, (wrong, _) = controlled(
        (straight + other) / np.sqrt(2), straight, np.full(400, WIDTH - 0.03), np.ones(400), 0.95
    )
    error = (found.noise / 400) ** 0.5
    assert found.excess.mean() + wrong == pytest.approx(0.03, abs=5 * error)
    assert wrong < 0.02


def test_tests_that_happen_to_agree_are_no_surer_than_their_draws() -> None:
    made = Calibration.of(Found(np.full(5, 0.1), np.ones((5, 1)), 0.04), BEFORE[:1])
    assert made.error(np.ones((1, 1))) == pytest.approx((5 / 0.04 + 1) ** -0.5)


def test_the_doubt_is_the_spread_of_the_variance() -> None:
    made = [Calibration.of(noisy(60, 0.0, 0.01, seed), BEFORE) for seed in range(200)]
    assert np.std([each.spread**2 for each in made]) == pytest.approx(np.mean([each.doubt for each in made]), rel=0.2)
    # of four tests as well it is the doubt of a variance that does not count the two coefficients
    few = [Calibration.of(noisy(4, 0.0, 0.01, seed), BEFORE).doubt for seed in range(400)]
    assert np.mean(few) == pytest.approx(0.01**2 * (2 / 4) ** 0.5, rel=5 / 400**0.5)


# -- cumulants of Dirichlet sums, widths from them, and the straight part of a metric: each by a second route ---------


@pytest.mark.parametrize(
    ("right", "cases", "bound"),
    [([450, 430], [500, 500], 1e-5), ([41, 35], [50, 50], 1e-3), ([15, 9], [20, 12], 5e-3), ([20, 20], [20, 20], 0.04)],
)
def test_widths_from_four_cumulants_are_those_of_the_law(right: list[int], cases: list[int], bound: float) -> None:
    k, n = np.array([right]), np.array([cases])
    width, left_out = width_of_cumulants(recall_sum_cumulants(k, n, (1, 1), np.array([0.5, 0.5])), 0.95)
    law = BetaSum(k[0] + 1.0, (n - k)[0] + 1.0, [0.5, 0.5]).interval().width
    assert abs(width[0] / law - 1) < bound
    # the second number says where that may be relied on
    assert abs(width[0] / law - 1) < 0.3 * min(float(left_out[0]), 1.0) + 1e-9


def test_what_four_cumulants_leave_out_falls_with_the_square_of_the_cases() -> None:
    right, cases = np.outer([1, 100], [900, 860]), np.outer([1, 100], [1000, 1000])
    _, left_out = width_of_cumulants(recall_sum_cumulants(right, cases, (1, 1), np.array([0.5, 0.5])), 0.95)
    assert left_out[1] == pytest.approx(left_out[0] / 100**2, rel=0.2)


@pytest.mark.sweep(1, full=2)
@pytest.mark.parametrize("known", [None, np.array([0.8, 0.2])])
def test_the_straight_part_has_the_variance_of_its_draws_and_nearly_that_of_the_metric(
    known: np.ndarray | None,
) -> None:
    counts = np.array([[[400, 100], [50, 450]], [[800, 20], [30, 150]]])
    mcc = parse("mcc", ["a", "b"], "b")
    part = StraightPart.of(mcc, counts, np.ones((2, 2)), 0.5, known)
    tables = np.concatenate(
        list(posterior_tables(counts, np.ones((2, 2)), 0.5, known, 40_000, np.random.default_rng(4)))
    )
    drawn = part.drawn(tables, 0)
    assert drawn.var(axis=1) == pytest.approx(part.cumulants[0], rel=0.03)
    assert mcc(tables).var(axis=1) == pytest.approx(part.cumulants[0], rel=0.05)
    # what both have in common is nearly all
    assert all(np.corrcoef(a, b)[0, 1] > 0.99 for a, b in zip(drawn, mcc(tables), strict=True))
    # of some tests alone, the same
    assert part.drawn(tables[1:], 1) == pytest.approx(drawn[1:])


def test_shares_that_are_learned_spread_a_metric_as_their_prior_has_it() -> None:
    """Of accuracy where recalls differ; few cases, and a prior of four a class."""
    counts = np.array([[[9, 1], [1, 1]], [[2, 9], [0, 9]]])
    accuracy, prior = parse("accuracy", ["a", "b"], "b"), np.array([[1.0, 0.1], [3.0, 0.2]])
    part = StraightPart.of(accuracy, counts, prior, 4.0, None)
    tables = np.concatenate(list(posterior_tables(counts, prior, 4.0, None, 40_000, np.random.default_rng(6))))
    assert part.drawn(tables, 0).var(axis=1) == pytest.approx(part.cumulants[0], rel=0.03)
    assert (part.cumulants[0] > 1.15 * StraightPart.of(accuracy, counts, prior, 4.0, part.shares).cumulants[0]).all()


# -- simulated tests and what they teach ------------------------------------------------------------------------------


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize("law", [Beta(80, 20), Beta(20, 1)])
def test_widths_from_draws_are_those_of_the_law(law: BetaSum) -> None:
    values = np.stack([law.sample(1000, seed=i) for i in range(400)])
    widths = hdi_widths(values, 0.95)
    assert widths.mean() == pytest.approx(law.interval().width, rel=0.02)


def test_large_tables_and_pairs_with_a_pool_have_the_moments_of_their_dirichlet() -> None:
    """Cells without a case come from a pool; mean and covariance are those of Dirichlets over all cells."""
    size, generator = 5, np.random.default_rng(2)
    pairs = generator.multinomial(9, np.full(size**2, size**-2.0), size).reshape(size, size, size)
    base = generator.uniform(0.01, 0.2, (size, size, size))
    new, old = (np.concatenate(part)[0] for part in zip(
        *posterior_margins(pairs[None], base, 1.0, np.ones(size), 40_000, generator), strict=True))  # fmt: skip
    whole = (pairs + base)[1] / (pairs + base)[1].sum()
    first, second = whole.sum(1), whole.sum(0)
    assert new[:, 1].mean(0) == pytest.approx(first, abs=0.004)
    assert old[:, 1].mean(0) == pytest.approx(second, abs=0.004)
    covariance = (whole - np.outer(first, second)) / ((pairs + base)[1].sum() + 1)
    found = np.cov(new[:, 1].T, old[:, 1].T)[:size, size:]
    assert found == pytest.approx(covariance, abs=5e-4)

    counts, prior = pairs.sum(-1), base[0]
    tables = np.concatenate(list(posterior_tables(counts[None], prior, 0.4, None, 40_000, generator)), axis=1)[0]
    assert tables.sum((-2, -1)) == pytest.approx(1.0)
    rows, sizes = counts + prior, counts.sum(1) + 0.4
    expected = rows / rows.sum(1, keepdims=True) * (sizes / sizes.sum())[:, None]
    assert tables.mean(0) == pytest.approx(expected, abs=0.002)
    recalls = tables[:, 0] / tables[:, 0].sum(-1, keepdims=True)
    assert recalls.std(0) == pytest.approx([Beta(x, rows[0].sum() - x).sd for x in rows[0]], abs=0.002)


def test_slopes_are_derivatives_in_every_block_and_none_where_a_cell_is_surely_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulated_tests, "CELLS_AT_A_TIME", 8)
    counts = np.array([[[4, 1], [2, 9]], [[5, 0], [3, 7]], [[8, 2], [1, 3]]])
    part = StraightPart.of(parse("accuracy", ["a", "b"], "b"), counts, np.zeros((2, 2)), 0.0, None)
    wrong = 1 - np.trace(counts, axis1=1, axis2=2) / counts.sum((1, 2))
    expected = np.where(np.eye(2) > 0, wrong[:, None, None], wrong[:, None, None] - 1) * (counts > 0)
    assert part.slopes == pytest.approx(expected, abs=1e-4)


def test_simulated_tests_have_the_classes_of_their_own_truth() -> None:
    tables = np.array([[[0.2, 0.1], [0.1, 0.6]], [[0.6, 0.1], [0.2, 0.1]]])
    right, cases = simulated_recalls(tables, 10**6, rng(), None, np.array([1, 0, 1]))
    assert cases / 10**6 == pytest.approx(tables.sum(-1)[[1, 0, 1]], abs=0.003)
    assert right / cases == pytest.approx((np.diagonal(tables, axis1=1, axis2=2) / tables.sum(-1))[[1, 0, 1]], abs=0.01)


def test_gains_learn_from_half_a_case_of_each_pattern() -> None:
    """Both right, only the new one, only the old one, neither: Dirichlet(counts + 1/2), also without a case."""
    gains = gains_learned(np.zeros((1, 2, 2, 2), dtype=np.int64), 100_000, np.random.default_rng(0))
    assert gains.mean() == pytest.approx(0, abs=0.01)
    assert gains.var() == pytest.approx(1 / 6, rel=0.02)
    counts = np.zeros((1, 2, 2, 2), dtype=np.int64)
    counts[0, 0] = [[5, 3], [1, 2]]  # both right; only the new one; only the old one; neither
    law = PairedDifference([[5.5, 3.5, 1.5, 2.5]])
    found = gains_learned(counts, 100_000, np.random.default_rng(1))[0, :, 0]
    assert found.mean() == pytest.approx(law.mean, abs=0.005)
    assert found.std() == pytest.approx(law.sd, rel=0.02)
