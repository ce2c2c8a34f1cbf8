"""Betas with given moments, inside an interval they must not leave."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.numerics.learned.recall_sums import fit_beta


def central_moments(a, b, start, width):
    """Mean and central moments of order 2 to 4 of start + width Beta(a, b), from the raw ones."""
    raw = [np.ones_like(a)]
    for r in range(4):
        raw.append(raw[-1] * (a + r) / (a + b + r))
    _, m, s, t, f = raw
    central = s - m**2, t - 3 * m * s + 2 * m**3, f - 4 * m * t + 6 * m**2 * s - 3 * m**4
    return np.array([start + width * m, *(width ** (r + 2) * c for r, c in enumerate(central))])


shapes = st.floats(0.3, 60)


@given(shapes, shapes)
def test_on_the_whole_interval_every_beta_is_found_again(a: float, b: float) -> None:
    whole = np.array([[a], [b], [0.0], [1.0]])
    assert fit_beta(central_moments(*whole), 0.0, 1.0)[0] == pytest.approx(whole, rel=1e-4, abs=1e-6)


@given(st.lists(st.tuples(shapes, shapes, st.floats(0, 0.5), st.floats(0.1, 0.5)), min_size=2, max_size=6))
def test_mean_and_variance_are_kept_and_the_interval_is_not_left(parts) -> None:
    """Moments of a mixture, which no Beta may have."""
    each = central_moments(*np.array(parts).T)
    mean = each[0].mean()
    d = each[0] - mean
    moments = np.array(
        [
            mean,
            (each[1] + d**2).mean(),
            (each[2] + 3 * d * each[1] + d**3).mean(),
            (each[3] + 4 * d * each[2] + 6 * d**2 * each[1] + d**4).mean(),
        ]
    )[:, None]
    fit, mismatch = fit_beta(moments, 0.0, 1.0)
    assert central_moments(*fit)[:2] == pytest.approx(moments[:2], rel=1e-6)
    assert np.all(fit[:2] > 0)
    assert fit[2, 0] >= -1e-9
    assert fit[2, 0] + fit[3, 0] <= 1 + 1e-9
    assert mismatch[0] >= 0
