"""Populations of rates: nodes against brute force, finer nodes, importance sampling and many digits."""

from __future__ import annotations

import json
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats
from scipy.special import betainc

from howsure.laws import LearnedSum
from howsure.numerics.populations import alike_or_apart as rule
from howsure.numerics.populations.alike_or_apart import far_below
from howsure.numerics.populations.beta_laws import gauss_beta
from howsure.numerics.populations.node_sums import NodeSumLaw
from howsure.numerics.populations.nodes import ONE_PART, log_rising_excess
from howsure.numerics.populations.population import Population
from howsure.numerics.populations.rate_law import RateLaw, one_rate


def by_brute_force(k, n, points=160, slopes=41):
    """Posterior means of mu, rho, b, every recall, and of the square of their average; the prior by midpoints.

    Even midpoints in the probability of mu ~ U(0, 1) and of rho ~ Beta(1, 3), Gauss-Hermite in b, and the textbook
    form of the beta-binomial law: nothing in common with the nodes of the library.
    """
    k, n = np.asarray(k, float), np.asarray(n, float)
    middle = (np.arange(points) + 0.5) / points
    rho = 1 - (1 - middle) ** (1 / 3)
    t = np.log(n) - np.log(n).mean()
    b, weight_b = np.polynomial.hermite_e.hermegauss(slopes if t.any() else 1)
    m, r, s = (g.ravel() for g in np.meshgrid(middle, rho, b, indexing="ij"))
    weight = np.tile(weight_b, points * points)
    kappa = 1 / r - 1
    mu = [special.expit(special.logit(m) + s * t_i) for t_i in t]
    for k_i, n_i, mu_i in zip(k, n, mu, strict=True):
        weight = weight * stats.betabinom.pmf(k_i, n_i, mu_i * kappa, (1 - mu_i) * kappa)
    weight /= weight.sum()
    recall = np.array([(mu_i * kappa + k_i) / (kappa + n_i) for k_i, n_i, mu_i in zip(k, n, mu, strict=True)])
    spread = recall * (1 - recall) / (kappa + n[:, None] + 1)
    mean = recall.mean(0)

    return {
        "hyper": (weight @ m, weight @ r, weight @ s),
        "recalls": recall @ weight,
        "mean": weight @ mean,
        "sd": np.sqrt(weight @ (mean**2 + spread.sum(0) / len(n) ** 2) - (weight @ mean) ** 2),
    }


@pytest.mark.full
def test_against_brute_force() -> None:
    k, n = [2, 0, 11], [2, 7, 12]
    exact, learned = by_brute_force(k, n), Population(k, n, model=ONE_PART)
    summary = learned.summary()
    assert (summary.recall, summary.correlation, summary.slope) == pytest.approx(exact["hyper"], abs=3e-3)
    law = LearnedSum([(learned, np.full(len(k), 1 / len(k)))])
    assert law.mean == pytest.approx(exact["mean"], abs=2e-3 * exact["sd"])
    assert law.sd == pytest.approx(exact["sd"], rel=2e-3)
    each = [LearnedSum([(learned, row)]).mean for row in np.eye(len(k))]
    assert each == pytest.approx(exact["recalls"], abs=1e-3)


@pytest.mark.parametrize(("x", "k"), [(1e-8, 1), (0.3, 0), (11.9, 50), (12.1, 50), (1e5, 10**9)])
def test_rising_factorials_against_many_digits(x: float, k: int) -> None:
    with mpmath.workdps(60):
        X = mpmath.mpf(x)
        exact = float(mpmath.loggamma(X + k) - mpmath.loggamma(X) - k * mpmath.log(X))
    found = log_rising_excess(np.array([x]), np.log([x]), np.array([float(k)]))[0]
    assert found == pytest.approx(exact, rel=1e-10, abs=1e-12 * max(1, k))


@pytest.mark.parametrize(("k", "n"), [([1, 2], [1]), ([], []), ([3], [2]), ([1], [np.inf])])
def test_impossible_counts_are_refused(k, n) -> None:
    with pytest.raises(ValueError, match=r"one length|between 0 and n"):
        Population(k, n)


@pytest.mark.parametrize("weights", [[1.0], [1.0, np.nan]])
def test_impossible_weights_are_refused(weights) -> None:
    with pytest.raises(ValueError, match="finite weights"):
        Population([1, 2], [2, 2]).sum_terms(weights)


# -- the two-part population against numbers found by finer nodes and by importance sampling (tests/reference) --------

CASES = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())
LEVELS = np.array([0.025, 0.25, 0.5, 0.75, 0.975])


def average(found: Population) -> np.ndarray:
    return np.full(len(found), 1 / len(found))


def each(found: Population, stated: list[float]) -> np.ndarray:
    """Numbers of every member, or of the odd one and of another where those are all alike."""
    values = found.moments[0]
    return values if len(stated) == len(values) else values[[0, -1]]


@pytest.mark.sweep(9, full=16)
@pytest.mark.parametrize("name", CASES)
def test_against_finer_nodes(name: str) -> None:
    case, fine = CASES[name], CASES[name]["grid"]
    found = Population(case["k"], case["n"])
    law = LearnedSum([(found, average(found))])
    assert law.mean == pytest.approx(fine["mean"], abs=0.01 * fine["sd"])
    assert law.sd == pytest.approx(fine["sd"], rel=0.01)
    assert each(found, fine["recall_means"]) == pytest.approx(fine["recall_means"], abs=2e-3)
    some = found.broad_probability if len(fine["broad"]) == len(found) else found.broad_probability[[0, -1]]
    assert some == pytest.approx(fine["broad"], abs=5e-3)
    summary = found.summary()
    assert (summary.recall, summary.correlation, summary.slope, summary.broad) == pytest.approx(
        [fine[x] for x in ("typical", "rho", "slope", "share_broad")], abs=6e-3
    )


@pytest.mark.sweep(10, full=16)
@pytest.mark.parametrize("name", sorted(CASES)[::2])
def test_against_importance_sampling(name: str) -> None:
    case = CASES[name]
    drawn, found = case["importance"], Population(case["k"], case["n"])
    law = LearnedSum([(found, average(found))])
    assert law.mean == pytest.approx(drawn["mean"], abs=0.01 * law.sd + 4 * drawn["se_of_mean"])
    x = np.array(drawn["quantiles"])
    if name in ("three_all_right", "three_none_right"):  # a spike: x may move by a hundredth of an sd
        slack = 0.01 * law.sd
        assert np.all((law.cdf(x - slack) < LEVELS + 0.02) | (x - slack <= 0))
        assert np.all((law.cdf(x + slack) > LEVELS - 0.02) | (x + slack >= 1))
    else:  # a sum of several explanations is pointed
        most = {"five_one_broken_n10": 0.02, "untested_class": 0.02}.get(name, 0.008)
        assert law.cdf(x) == pytest.approx(LEVELS, abs=most)


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("name", ["carrillo_C1", "ten_unequal_one_zero"])
def test_draws_are_of_the_nodes(name: str) -> None:
    case = CASES[name]
    found = Population(case["k"], case["n"])
    drawn = found.draw(100_000, np.random.default_rng(3))
    means, sds = found.moments
    assert drawn.mean(0) == pytest.approx(means, abs=4e-3)
    assert drawn.std(0) == pytest.approx(sds, rel=0.03)
    total = found.draw_sum(average(found), 100_000, np.random.default_rng(4))
    law = LearnedSum([(found, average(found))])
    assert (total.mean(), total.std()) == pytest.approx((law.mean, law.sd), rel=0.01)


def test_a_member_unlike_the_rest_is_judged_by_its_own_cases() -> None:
    found = Population([0] + [19] * 99, [20] * 100)
    assert found.broad_probability[0] > 0.999
    assert found.broad_probability[1:].max() < 0.01
    law = LearnedSum([(found, np.eye(100)[0])])
    assert law.mean == pytest.approx(0.5 / 21, abs=1e-3)
    assert float(law.cdf(np.array([0.12]))[0]) > 0.95


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="2 finite size scores"):
        Population([1, 2], [3, 4], t=[0.0, np.nan])


# -- exact sums of learned recalls: against a full series by Gauss points, against importance sampling, and

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())


@pytest.mark.parametrize("name", ["ten_unequal_one_zero"])
def test_against_importance_sampling_of_node_sums(name: str) -> None:
    """The noise of the sampled quantiles is .002, the default nodes' own error up to .004."""
    case = REFERENCE[name]
    law = LearnedSum([(Population(case["k"], case["n"]), np.full(len(case["k"]), 1 / len(case["k"])))])
    assert law.route == "exact"
    found = law.cdf(np.array(case["importance"]["quantiles"]))
    assert np.abs(found - np.array(case["importance"]["probabilities"])).max() < 0.007


def test_a_difference_is_a_product_of_transforms() -> None:
    one, two = Population([30, 12, 8], [32, 14, 10]), Population([25, 9, 6], [32, 14, 10])
    third = np.full(3, 1 / 3)
    law = NodeSumLaw([one.sum_terms(third, 0.5), two.sum_terms(-third)])
    first, second = (NodeSumLaw([p.sum_terms(third)]) for p in (one, two))
    assert law.mean == pytest.approx(0.5 + first.mean - second.mean)
    assert law.sd == pytest.approx(np.hypot(first.sd, second.sd))
    y = np.linspace(*second.support, 4001)
    middle, mass = (y[1:] + y[:-1]) / 2, np.diff(second.cdf(y))
    for x in law.mean + law.sd * np.linspace(-2, 2, 5):
        assert law.cdf(np.array([x]))[0] == pytest.approx(mass @ first.cdf(x - 0.5 + middle), abs=5e-5)
    low, high = law.quantile(np.array([0.025, 0.975]))
    assert law.cdf(np.array([low, high])) == pytest.approx([0.025, 0.975], abs=1e-9)


# -- a mixture of Betas by one pass over its density, against incomplete Beta functions -------------------------------

MIXTURES = {
    "one": ([1.0], [8.0], [3.0]),
    "wide and narrow": ([0.5, 0.5], [2.0, 4e5], [3.0, 1e5]),
    "a needle": ([0.3, 0.7], [0.5, 9e9], [0.5, 1e9]),
    "spikes at both ends": ([0.2, 0.3, 0.5], [0.5, 1e-3, 30.0], [0.5, 20.0, 1e-6]),
    "far at one side": ([1.0], [1e-3], [50.0]),
}


@pytest.mark.parametrize("name", MIXTURES)
def test_against_incomplete_beta_functions(name: str) -> None:
    mass, a, b = (np.array(x) for x in MIXTURES[name])
    law = RateLaw(mass, a, b)
    near = (a / (a + b))[:, None] + np.sqrt(a * b / (a + b) ** 2 / (a + b + 1))[:, None] * np.linspace(-4, 4, 17)
    x = np.unique(np.concatenate((np.linspace(0.001, 0.999, 41), near[(near > 1e-9) & (near < 1 - 1e-9)])))
    expected = mass @ betainc(a[:, None], b[:, None], x)
    # of ten thousand million cases the logarithms of a density have five digits after the point
    most = 3e-5 if max(a) > 1e9 else 1e-6
    assert law.cdf(x) == pytest.approx(expected, abs=most)
    assert law.sf(x) == pytest.approx(mass @ betainc(b[:, None], a[:, None], 1 - x), abs=most)
    assert law.mean == pytest.approx(float(mass @ (a / (a + b))), rel=1e-9)
    p = np.array([0.025, 0.5, 0.975])
    assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-5) or name in ("spikes at both ends", "far at one side")
    assert law.residual < 5e-5


ALIKE_OR_NOT = {
    "three": ([42, 44, 47], [47, 46, 50], 1),
    "few cases": ([5, 3, 4, 6], [5, 7, 6, 6], 0),
    "two kinds": ([50] * 10 + [90] * 10, [100] * 20, 4),
}


@pytest.mark.parametrize("name", ALIKE_OR_NOT)
def test_one_rate_has_the_sd_of_the_nodes_and_of_its_mixture(name: str) -> None:
    right, cases, k = ALIKE_OR_NOT[name]
    law = one_rate(Population(right, cases).sum_terms(np.eye(len(cases))[k]))
    assert law.sd == pytest.approx(law._z_sd, rel=2e-3)  # needles are spread, which adds a little


# -- gauss rules of Beta densities: moments, and SciPy's rules of Jacobi polynomials one by one -----------------------

SIZES = st.floats(1e-3, 1e5)


@given(SIZES, SIZES, st.integers(1, 40))
def test_a_rule_is_exact_for_moments_below_twice_its_nodes(a: float, b: float, count: int) -> None:
    x, w = gauss_beta(np.array([a, b]), np.array([b, a]), count)
    assert w.sum(axis=1) == pytest.approx(1, abs=2e-12)
    j = np.arange(min(2 * count, 6))
    moments = np.cumprod(np.concatenate(([1.0], (a + j[:-1]) / (a + b + j[:-1]))))
    assert (w[0] @ x[0][:, None] ** j) == pytest.approx(moments, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (3.2, 17.0), (200.0, 60.0)])
def test_a_rule_is_that_of_scipy(a: float, b: float) -> None:
    x, w = gauss_beta(np.array([a]), np.array([b]), 12)
    nodes, weights = special.roots_jacobi(12, b - 1, a - 1)
    assert x[0] == pytest.approx((1 + nodes) / 2, abs=1e-12)
    assert w[0] == pytest.approx(weights / weights.sum(), abs=1e-11)


# -- members far below the others: by sums over fine cells, by what must not matter, and surer the better the


@pytest.mark.full
def test_the_limit_by_sums_over_fine_cells() -> None:
    """The others alone, all with the tallies that they have: e is so small for them that they are the main part."""
    k, n = np.array([3, 44, 45, 46, 45, 44, 47, 45, 46]), np.full(9, 50)
    made = far_below(k, n, 1 / 9)
    mu, share = (np.arange(400) + 0.5) / 400, (np.arange(300) + 0.5) / 300
    m, s = (x.ravel() for x in np.meshgrid(mu, share))
    kappa = (np.minimum(m, 1 - m) + 0.5) / (s * np.minimum(m, 1 - m)) - 1
    log = stats.betabinom.logpmf(k[1:, None], 50, m * kappa, (1 - m) * kappa).sum(axis=0)
    keep = log > log.max() - 12
    weight = np.exp(log[keep] - log.max())
    law = stats.beta((m * kappa)[keep], ((1 - m) * kappa)[keep])

    def quantile(p: float) -> float:
        return float(optimize.brentq(lambda x: weight @ law.cdf(x) / weight.sum() - p, 0.01, 0.999, xtol=1e-6))

    typical, tenth, least = quantile(0.5), quantile(0.1), quantile(rule.BELOW / 9)
    far = stats.t.ppf(rule.BELOW / 9, rule.TAILS) / stats.t.ppf(0.1, rule.TAILS)
    middle, low = (float(stats.logistic.ppf(p)) for p in (typical, tenth))
    tail = float(stats.logistic.cdf(middle - far * (middle - low)))
    assert made.typical[0] == pytest.approx(typical, abs=0.006)
    assert made.limit[0] == pytest.approx(min(typical - 0.1, least, tail), abs=0.03)
    assert made.limit[0] < typical - 0.1
