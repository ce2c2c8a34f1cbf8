"""Quantiles of Betas with more cases than double precision can count."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.laws.linear import Beta
from howsure.numerics.solve.huge_beta import beta_cdf, beta_quantile


@pytest.mark.sweep(5)
@pytest.mark.parametrize("n", [10**9, 10**13, 10**15, 4 * 10**15])
@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9])
def test_quantiles_of_huge_counts_are_those_of_their_distribution_function(n: int, share: float) -> None:
    a, b = share * n + 1, (1 - share) * n + 1
    p = np.array([1e-13, 0.025, 0.5, 0.975])
    x = beta_quantile(a, b, p)
    z = (
        (x - a / (a + b)) / np.sqrt(a * b / (a + b + 1)) * (a + b)
    )  # by a second route: Normal, but for 1e-4 of skewness
    np.testing.assert_allclose(z, special.ndtri(p), atol=0.02)
    np.testing.assert_allclose(beta_cdf(a, b, x), p, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(special.betaincc(a, b, beta_quantile(a, b, p, upper=True)), p, rtol=1e-5, atol=1e-8)
    known = hs.Posterior.from_accuracy(correct=round(share * n), n=n).of("accuracy")
    ends = known.interval(kind="central")
    assert (ends.high - known.mean) / known.sd == pytest.approx(1.96, abs=0.01)
    assert (ends.low - known.mean) / known.sd == pytest.approx(-1.96, abs=0.01)


@pytest.mark.parametrize("b", [1e6, 1e8, 1e9, 1e15])
@pytest.mark.parametrize("upper", [False, True])
def test_a_thousand_cases_in_many_have_their_quantiles(b: float, upper: bool) -> None:
    """SciPy 1.17 inverts exactly a = 1000 wrong: for b = 1e9 the 2.5 % quantile was 1.9e-6, the 97.5 % one 1.06e-6."""
    p = np.array([1e-6, 0.025, 0.5, 0.975])
    beside = [beta_quantile(a, b, p, upper=upper) for a in (999.0, 1000.0, 1001.0)]
    np.testing.assert_allclose(beside[1], (beside[0] + beside[2]) / 2, rtol=1e-6)
    np.testing.assert_allclose(1 - beta_quantile(b, 1000.0, p, upper=not upper), beside[1], rtol=1e-10, atol=2e-16)


@pytest.mark.parametrize("hits", [1e14, 1e15, 3e15, 2.0**53])
@pytest.mark.parametrize("misses", [1.0, 2.0, 3.0, 6.0, 1001.0])
@pytest.mark.parametrize("kind", ["hdi", "central"])
def test_an_interval_next_to_an_end_has_ends_at_any_size(hits: float, misses: float, kind: str) -> None:
    """One error among 3e15 cases: the density at the end of the range is 0, and its ratio was infinite."""
    law = Beta(hits, misses)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = law.interval(0.95, kind=kind)
        assert 0 < low <= high <= 1
    assert low <= law.mean <= high
    # the other route: hits * (1 - theta) is a Gamma to all digits; doubles next to 1 lie 1.1e-16 apart
    inside = special.gammainc(misses, hits * (1 - low)) - special.gammainc(misses, hits * (1 - high))
    assert inside == pytest.approx(0.95, abs=0.02 + 2.5e-16 * hits)
