"""Monotone functions of numbers whose law is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.laws import Beta, BetaSum, Monotone, Transformed


def inverse(x: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return 1 / np.maximum(x, 0.0)


def test_a_square_root_has_the_law_of_change_of_variables() -> None:
    law = Transformed(Beta(4, 9), Monotone(np.sqrt, np.square, lambda y: 2 * y, (0.0, 1.0)))
    y = np.array([0.3, 0.5, 0.8])
    np.testing.assert_allclose(law.cdf(y), stats.beta(4, 9).cdf(y * y), rtol=1e-12)
    np.testing.assert_allclose(law.pdf(y), stats.beta(4, 9).pdf(y * y) * 2 * y, rtol=1e-9)
    assert law.mean == pytest.approx(stats.beta(4, 9).expect(np.sqrt), abs=1e-8)
    assert law.sd == pytest.approx(np.sqrt(4 / 13 - law.mean**2), abs=1e-8)
    low, high = law.interval()
    assert law.prob(between=(low, high)) == pytest.approx(0.95, abs=1e-9)
    assert law.pdf(low) == pytest.approx(law.pdf(high), rel=1e-3)
    assert law.pdf(law.mode) >= law.pdf(np.linspace(0.2, 0.9, 50)).max() * (1 - 1e-6)


def test_what_is_infinite_keeps_its_mass_there() -> None:
    gain = BetaSum([5, 6], [5, 4], [1, 1]) - 1
    law = Transformed(gain, Monotone(inverse, inverse, lambda y: 1 / (y * y), (1.0, np.inf), rises=False))
    below = gain.cdf(0.0)
    assert 0.2 < below < 0.4
    assert law.prob(above=1e12) == pytest.approx(below, abs=1e-9)
    assert law.quantile(1 - below / 2) == np.inf
    assert law.cdf(2.0) == pytest.approx(gain.sf(0.5), abs=1e-12)
    assert (law.mean, law.sd) == (np.inf, np.inf)
    ends = law.interval(0.5)
    assert (ends.kind, np.isfinite(ends.high)) == ("hdi", True)
    assert law.interval(0.95).high == np.inf
    assert law.interval(0.95).kind == "central"
