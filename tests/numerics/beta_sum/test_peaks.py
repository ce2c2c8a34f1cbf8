from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.beta_sum.normal_form import linear_form
from howsure.numerics.beta_sum.sum_law import LinearEngine


def test_one_peak_is_claimed_only_where_it_is_proved():
    def one_peak(a, b):
        return linear_form([], (a, b, np.ones(len(a))), 0.0).unimodal

    assert one_peak([3.0, 1.0], [1.0, 7.0])
    assert one_peak([3.0, 0.5], [1.0, 7.0])
    assert not one_peak([3.0, 0.5], [1.0, 0.5])
    assert not one_peak([0.5, 0.5], [7.0, 7.0])


def test_two_narrow_peaks_are_not_called_one_interval():
    # near-atoms at 0 and 1 from a tiny parameter pair, blurred: 95% need both
    engine = LinearEngine(betas=([0.02, 400.0], [0.02, 400.0], [1.0, 0.2]))
    assert engine.highest_density(0.9) is None


@pytest.mark.parametrize(
    ("a", "b", "w"),
    [
        ([2.0, 901.0], [0.5, 1.5], [0.5, 1.0]),
        ([41.0, 1.0], [0.01, 100.5], [0.5, -1.0]),
    ],
)
def test_a_peak_close_to_an_end_is_found(a, b, w):
    engine = LinearEngine(betas=(a, b, w))
    low, high = engine.highest_density(0.95)
    assert float(np.diff(engine.cdf(np.array([low, high])))[0]) == pytest.approx(0.95, abs=1e-9)
    other = engine.quantile(np.linspace(1e-4, 0.0499, 200))
    width = engine.quantile(np.linspace(1e-4, 0.0499, 200) + 0.95) - other
    assert high - low <= width.min() * (1 + 1e-9)
