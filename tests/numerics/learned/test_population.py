"""The learned population: hyperparameters and rates against brute force, and what must hold whatever the counts."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from howsure.numerics.learned.evidence import ONE_PART, TWO_PARTS, Tallies, log_main, log_rising_excess, size_scores
from howsure.numerics.learned.hyperparameters import hyperparameter_box
from howsure.numerics.learned.population import Population


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

    def draw(count):
        rng = np.random.default_rng(3)
        at = rng.choice(len(weight), count, p=weight)
        total = (kappa + n[:, None])[:, at]
        return rng.beta(np.maximum(recall[:, at] * total, 1e-99), np.maximum((1 - recall[:, at]) * total, 1e-99)).T

    return {
        "draw": draw,
        "hyper": (weight @ m, weight @ r, weight @ s),
        "recalls": recall @ weight,
        "mean": weight @ mean,
        "sd": np.sqrt(weight @ (mean**2 + spread.sum(0) / len(n) ** 2) - (weight @ mean) ** 2),
    }


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("k", "n"),
    [
        ([4, 5], [5, 5]),
        ([5, 5], [5, 5]),
        ([0, 0], [4, 4]),
        ([3, 17], [4, 20]),
        ([30, 3, 8], [32, 4, 10]),
        ([2, 0, 11], [2, 7, 12]),
        ([9, 2, 5, 7], [9, 3, 6, 7]),
    ],
)
def test_against_brute_force(k, n) -> None:
    exact, learned = by_brute_force(k, n), Population(k, n, model=ONE_PART)
    summary = learned.summary()
    assert (summary.recall, summary.correlation, summary.slope) == pytest.approx(exact["hyper"], abs=3e-3)
    law = learned.mixture_of(np.full(len(k), 1 / len(k)))
    assert law.mean == pytest.approx(exact["mean"], abs=2e-3 * exact["sd"])
    assert law.sd == pytest.approx(exact["sd"], rel=2e-3)
    each = [learned.mixture_of(row).mean for row in np.eye(len(k))]
    assert each == pytest.approx(exact["recalls"], abs=1e-3)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("k", "n", "mean", "ends"),
    [
        ([30, 3, 8], [32, 4, 10], 0.808, (0.645, 0.930)),
        ([30, 1, 2], [32, 4, 10], 0.489, (0.359, 0.653)),
        ([32, 4, 9], [32, 4, 10], 0.939, (0.815, 0.9956)),
        ([40, 2], [45, 10], 0.567, (0.451, 0.713)),
    ],
    ids=["Carrillo C1", "Carrillo C2", "Carrillo C3", "Brodersen C2"],
)
def test_the_matrices_of_the_papers(k, n, mean, ends) -> None:
    """Means and central intervals of balanced accuracy, all ends also from draws by brute force."""
    law = Population(k, n, model=ONE_PART).mixture_of(np.full(len(k), 1 / len(k)))
    assert law.mean == pytest.approx(mean, abs=6e-4)
    assert law.cdf(np.array(ends)) == pytest.approx([0.025, 0.975], abs=2e-3)
    drawn = np.sort(by_brute_force(k, n)["draw"](200_000).mean(1))
    levels = np.array([0.01, 0.025, 0.25, 0.5, 0.75, 0.975, 0.99])
    assert law.cdf(np.quantile(drawn, levels)) == pytest.approx(levels, abs=5e-3)


def tables():
    rng = np.random.default_rng(11)
    yield [18, 20], [20, 20]
    yield [30, 3, 8], [32, 4, 10]
    yield [50] * 10, [50] * 10
    n = np.ceil(20 * rng.lognormal(-0.5, 1, 12)).astype(int)
    yield rng.binomial(n, 0.8), n
    yield rng.binomial(50, 0.8, 100), [50] * 100
    n = np.ceil(30 * rng.lognormal(-0.5, 1, 100)).astype(int)
    yield rng.binomial(n, rng.beta(8, 2, 100)), n


@pytest.mark.parametrize(("k", "n"), list(tables()))
def test_a_finer_grid_says_the_same(k, n) -> None:
    weights = np.full(len(k), 1 / len(k))
    law = Population(k, n).mixture_of(weights)
    fine = Population(k, n, nodes=(41, 15, 41)).mixture_of(weights)
    assert law.mean == pytest.approx(fine.mean, abs=6e-3 * fine.sd)
    assert law.sd == pytest.approx(fine.sd, rel=6e-3)


def test_nothing_of_the_posterior_is_cut_off() -> None:
    for k, n in tables():
        right, cases = np.array(k, float), np.array(n, float)
        box = hyperparameter_box(Tallies.of(right, cases, size_scores(cases), TWO_PARTS), TWO_PARTS)
        weight, y = box.weight.sum(1), box.centre.y
        ends = [weight[y == y.min()], weight[y == y.max()], weight[..., 0], weight[..., -1]]
        if weight.shape[1] > 1:
            ends += [weight[:, 0], weight[:, -1]]
        # of many tallies the last of five nodes in b stands for all beyond two standard deviations
        assert max(float(end.sum()) for end in ends) < (0.03 if len(k) > 60 else 2e-3)


@pytest.mark.deep
@given(st.integers(2, 12), st.integers(1, 60), st.integers(0, 10**6))
def test_order_and_sides_do_not_matter(size: int, largest: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = rng.integers(0, largest + 1, size)
    k = rng.binomial(n, rng.random(size))
    order = rng.permutation(size)
    weights = np.full(size, 1 / size)
    law = Population(k, n).mixture_of(weights)
    same = Population(k[order], n[order]).mixture_of(weights)
    other = Population(n - k, n).mixture_of(weights)
    assert (same.mean, same.sd) == pytest.approx((law.mean, law.sd), rel=1e-9)
    # the guide that places the nodes does not see the table in a mirror to the last digit
    assert 1 - other.mean == pytest.approx(law.mean, abs=0.03 * law.sd)
    assert other.sd == pytest.approx(law.sd, rel=0.03)
    assert 0 < law.mean < 1
    assert 0 < law.sd < 0.5


@pytest.mark.parametrize("size", [2, 10, 1000])
def test_without_data_it_is_the_prior(size: int) -> None:
    """E mu = 1/2, E rho = 1/4, E b = 0, E e = 1/10; a recall is symmetric and any two share their mean."""
    learned = Population([0] * size, [0] * size)
    summary = learned.summary()
    assert (summary.recall, summary.correlation, summary.slope) == pytest.approx((0.5, 0.25, 0.0), abs=2e-3)
    assert summary.broad == pytest.approx(0.1, abs=1e-3)
    law = learned.mixture_of(np.eye(size)[0])
    # var theta = var mu + E[rho mu (1 - mu)] = 1/12 + 1/4 * 1/6 in the main part; 1/8 in the broad part, too
    assert (law.mean, law.sd) == pytest.approx((0.5, np.sqrt(1 / 8)), abs=2e-3)
    assert learned.broad_probability == pytest.approx(np.full(size, 0.1), abs=1e-3)


def test_huge_counts_leave_no_doubt() -> None:
    n = np.full(10, 10**9)
    k = (n * np.linspace(0.5, 0.99, 10)).astype(np.int64)
    law = Population(k, n).mixture_of(np.full(10, 0.1))
    assert law.mean == pytest.approx((k / n).mean(), abs=1e-7)
    p = k / n
    assert law.sd == pytest.approx(np.sqrt((p * (1 - p) / n).sum()) / 10, rel=1e-3)


def test_alike_classes_are_one_large_class() -> None:
    """With equal recalls everywhere the law nears the Beta of the pooled counts."""
    law = Population([80_000] * 50, [100_000] * 50).mixture_of(np.full(50, 0.02))
    sd = np.sqrt(0.8 * 0.2 / 5_000_003)
    assert law.mean == pytest.approx(0.8, abs=0.02 * sd)
    assert law.sd == pytest.approx(sd, rel=0.02)
    levels = np.array([0.025, 0.25, 0.5, 0.75, 0.975])
    assert law.cdf(special.betaincinv(4_000_001, 1_000_001, levels)) == pytest.approx(levels, abs=0.01)


def test_classes_all_right_or_all_wrong() -> None:
    """rho near 1: each class is a coin that always falls one way."""
    learned = Population([1000, 0] * 20, [1000] * 40)
    assert Population([1000, 0] * 20, [1000] * 40, model=ONE_PART).summary().correlation > 0.9
    assert learned.mixture_of(np.full(40, 1 / 40)).mean == pytest.approx(0.5, abs=1e-3)


def test_a_class_without_cases_borrows_from_the_others() -> None:
    learned = Population([95, 90, 0], [100, 100, 0])
    seen, unseen = (learned.mixture_of(row) for row in np.eye(3)[[0, 2]])
    assert 0.75 < unseen.mean < seen.mean
    assert unseen.sd > 2 * seen.sd


def test_size_scores_are_centred_logs() -> None:
    t = size_scores(np.array([10.0, 1000.0, 0.0]))
    assert t == pytest.approx([-np.log(10), np.log(10), -np.log(10)])
    assert not size_scores(np.array([7.0, 7.0, 0.0])).any()
    assert not size_scores(np.zeros(3)).any()


@pytest.mark.parametrize("x", [1e-250, 1e-8, 0.3, 11.9, 12.1, 1e5, 1e12, 1e30])
@pytest.mark.parametrize("k", [0, 1, 50, 10**9])
def test_rising_factorials_against_many_digits(x: float, k: int) -> None:
    with mpmath.workdps(60):
        X = mpmath.mpf(x)
        exact = float(mpmath.loggamma(X + k) - mpmath.loggamma(X) - k * mpmath.log(X))
    found = log_rising_excess(np.array([x]), np.log([x]), np.array([float(k)]))[0]
    assert found == pytest.approx(exact, rel=1e-10, abs=1e-12 * max(1, k))


def test_the_evidence_is_beta_binomial() -> None:
    k, n = np.array([3.0, 3.0, 9.0, 0.0]), np.array([4.0, 4.0, 10.0, 0.0])
    a, b, y = np.array([0.3, 2.0]), np.array([0.5, -1.0]), np.array([-2.0, 3.0])
    t, kappa = size_scores(n), np.exp(y)
    exact = np.zeros(2)
    tallies = Tallies.of(k, n, t, ONE_PART)
    for k_i, n_i, t_i in zip(k, n, t, strict=True):
        mu = special.expit(a + b * t_i)
        exact += stats.betabinom.logpmf(k_i, n_i, mu * kappa, (1 - mu) * kappa) - np.log(special.binom(n_i, k_i))
    found = tallies.parts(log_main(a, b, y, tallies), np.full(2, 1e-300))[0]
    assert found == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(("k", "n"), [([1, 2], [1]), ([], []), ([3], [2]), ([-1], [2]), ([1], [np.inf])])
def test_impossible_counts_are_refused(k, n) -> None:
    with pytest.raises(ValueError, match=r"one length|between 0 and n"):
        Population(k, n)


@pytest.mark.parametrize("weights", [[1.0], [0.0, 0.0], [1.0, np.nan]])
def test_impossible_weights_are_refused(weights) -> None:
    with pytest.raises(ValueError, match="finite weights"):
        Population([1, 2], [2, 2]).mixture_of(weights)
