"""Assurance of one rate: enumeration, two routes to its tails, and the saw-tooth."""

import numpy as np
import pytest
from scipy.special import betainc, betaln, gammaln

from howsure.numerics.solve.highest_density.of_betas import hdi_beta
from howsure.numerics.trials.assurance import Truth, above_goal, assurance, smallest, width_goal

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
