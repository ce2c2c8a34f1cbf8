"""Quantiles of Betas with more cases than double precision can count."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.numerics.betas import beta_cdf, beta_quantile


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
