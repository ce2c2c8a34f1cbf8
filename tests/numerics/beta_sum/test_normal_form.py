from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.beta_sum.normal_form import linear_form


def test_a_row_with_two_distinct_coefficients_is_a_beta():
    by_row = linear_form([((0, 2, 0, 2), (1, 2, 3, 4), 1)], None, 0.5)
    by_beta = linear_form((), ([6.0], [4.0], [2.0]), 0.5)
    assert not by_row.wide
    assert by_row.mean == pytest.approx(by_beta.mean, abs=1e-15)
    assert by_row.variance == pytest.approx(by_beta.variance, rel=1e-15)
    assert by_row.support == by_beta.support == (0.5, 2.5)


@pytest.mark.parametrize("alpha", [(0.0, 1.0), (-1.0, 2.0), (np.nan, 1.0), (np.inf, 1.0)])
def test_alphas_must_be_positive(alpha):
    with pytest.raises(ValueError, match="alphas must be finite and positive"):
        linear_form([((0, 1), alpha, 1)], None, 0.0)


def test_rows_must_match():
    with pytest.raises(ValueError, match="as many coefficients as alphas"):
        linear_form([((0, 1, 2), (1, 1), 1)], None, 0.0)
