"""The learned population: hyperparameters and rates against brute force, and what must hold whatever the counts."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from howsure.laws import LearnedSum
from howsure.numerics.learned.evidence import ONE_PART, log_rising_excess
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


@pytest.mark.full
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
    """Means and central intervals of balanced accuracy, from draws by brute force."""
    law = LearnedSum([(Population(k, n, model=ONE_PART), np.full(len(k), 1 / len(k)))])
    assert law.mean == pytest.approx(mean, abs=6e-4)
    assert law.cdf(np.array(ends)) == pytest.approx([0.025, 0.975], abs=2e-3)


@pytest.mark.parametrize("size", [2, 1000])
def test_without_data_it_is_the_prior(size: int) -> None:
    """E mu = 1/2, E rho = 1/4, E b = 0, E e = 1/10; a recall is symmetric and any two share their mean."""
    learned = Population([0] * size, [0] * size)
    summary = learned.summary()
    assert (summary.recall, summary.correlation, summary.slope) == pytest.approx((0.5, 0.25, 0.0), abs=2e-3)
    assert summary.broad == pytest.approx(0.1, abs=1e-3)
    law = LearnedSum([(learned, np.eye(size)[0])])
    # var theta = var mu + E[rho mu (1 - mu)] = 1/12 + 1/4 * 1/6 in the main part; 1/8 in the broad part, too
    assert (law.mean, law.sd) == pytest.approx((0.5, np.sqrt(1 / 8)), abs=2e-3)
    assert learned.broad_probability == pytest.approx(np.full(size, 0.1), abs=1e-3)


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
