"""Assurance of one rate: enumeration, two routes to its tails, and the saw-tooth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc, betaln, gammaln

from howsure.laws import Beta
from howsure.numerics.solve.densest import hdi_beta
from howsure.numerics.trials.assurance import Truth, above_goal, assurance, smallest, width_goal

FLAT = (1.0, 1.0)


def beta_binomial(n: int, truth: Truth) -> np.ndarray:
    k = np.arange(n + 1)
    log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    if truth.fixed:
        return np.exp(log + k * np.log(truth.a) + (n - k) * np.log1p(-truth.a))
    return np.exp(log + betaln(k + truth.a, n - k + truth.b) - betaln(truth.a, truth.b))


def counted(n: int, width: float, truth: Truth, prior: tuple[float, float] = FLAT) -> float:
    """Assurance by looking at every outcome."""
    k = np.arange(n + 1)
    low, high = hdi_beta(k + prior[0], n - k + prior[1])
    return float(beta_binomial(n, truth)[high - low <= width].sum())


@given(st.floats(0.3, 500), st.floats(0.3, 500), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_many_intervals_at_once_are_those_of_the_law(a: float, b: float, level: float) -> None:
    low, high = hdi_beta([a], [b], level)
    expected = Beta(a, b).interval(level)
    assert (low[0], high[0]) == pytest.approx(tuple(expected), abs=2e-6)
    assert high[0] - low[0] == pytest.approx(expected.width, rel=1e-7)


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
def test_the_search_never_stops_at_a_dip_of_the_saw_tooth() -> None:
    truth, width, asked = Truth(2.0, 30.0), 0.15, 0.95
    found = smallest(width_goal(width, FLAT, 0.95), truth, asked)
    assert found is not None
    reached = np.array([counted(n, width, truth) >= asked - 1e-12 for n in range(1, 3 * found.n)])
    assert found.n == int(np.flatnonzero(~reached)[-1]) + 2
    assert found.first == int(np.flatnonzero(reached)[0]) + 1


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
