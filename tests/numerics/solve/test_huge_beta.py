"""Quantiles of Betas with more cases than double precision can count."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile


@pytest.mark.full
@pytest.mark.parametrize(("n", "share"), [(10**9, 0.5), (10**13, 0.001), (4 * 10**15, 0.9)])
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


@pytest.mark.parametrize(("b", "upper"), [(1e6, False), (1e9, True)])
def test_a_thousand_cases_in_many_have_their_quantiles(b: float, upper: bool) -> None:
    """SciPy 1.17 inverts exactly a = 1000 wrong: for b = 1e9 the 2.5% quantile was 1.9e-6, the 97.5% one 1.06e-6."""
    p = np.array([1e-6, 0.025, 0.5, 0.975])
    beside = [beta_quantile(a, b, p, upper=upper) for a in (999.0, 1000.0, 1001.0)]
    np.testing.assert_allclose(beside[1], (beside[0] + beside[2]) / 2, rtol=1e-6)
    np.testing.assert_allclose(1 - beta_quantile(b, 1000.0, p, upper=not upper), beside[1], rtol=1e-10, atol=2e-16)
