"""The least of several Betas: against the product of their survival functions, and itself differentiated."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.numerics.ranks.rank_panels import LeastBeta

A, B = np.array([12.0, 12.0, 3.5, 40.0]), np.array([3.0, 3.0, 1.5, 9.0])
X = np.linspace(0.2, 0.95, 16)


def test_what_is_above_is_the_product_of_what_each_has_above() -> None:
    law = LeastBeta.of(A, B)
    above = np.prod([stats.beta(a, b).sf(X) for a, b in zip(A, B, strict=True)], axis=0)
    assert law.sf(X) == pytest.approx(above, rel=1e-11)
    assert law.cdf(X) == pytest.approx(1 - above, abs=1e-13)


def test_density_and_slope_are_derivatives() -> None:
    law, step = LeastBeta.of(A, B), 1e-5
    below, density, slope = law.evaluate(X)
    (_, more, _), (_, less, _) = law.evaluate(X + step), law.evaluate(X - step)
    assert below == pytest.approx(law.cdf(X), abs=1e-13)
    assert density == pytest.approx((law.cdf(X + step) - law.cdf(X - step)) / (2 * step), rel=1e-6, abs=1e-8)
    assert slope == pytest.approx((more - less) / (2 * step), rel=1e-6, abs=1e-6)
