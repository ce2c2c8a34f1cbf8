from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.beta_sum.inversion import Inversion
from howsure.numerics.beta_sum.normal_form import linear_form
from howsure.numerics.beta_sum.sum_law import BetaLaw


def beta_form(a, b, w=1.0):
    return linear_form((), (np.atleast_1d(a), np.atleast_1d(b), np.atleast_1d(w)), 0.0)


@pytest.mark.parametrize(("a", "b"), [(10.5, 0.5), (0.01, 5.0), (1.0, 1000.0), (3.0, 4.0)])
def test_one_beta_through_the_series_and_its_remainder_is_the_incomplete_beta_function(a, b):
    form = beta_form(a, b)
    inversion = Inversion(form)
    x = np.concatenate((np.linspace(0.001, 0.999, 23), [1e-9, 1 - 1e-9]))
    x = x[(x - form.mean > inversion.low) & (x - form.mean < inversion.high)]
    F, f, _ = inversion.evaluate(x - form.mean)
    # a density of 1e4 multiplies the rounding of x - mean
    slack = 2e-13 + 4e-16 * np.minimum(BetaLaw(form).pdf(x), 1e9)
    assert (np.abs(F - special.betainc(a, b, x)) < slack).all()
    law = BetaLaw(form)
    inner = (x > 1e-4) & (x < 1 - 1e-4)
    assert np.allclose(f[inner], law.pdf(x)[inner], rtol=1e-9, atol=1e-9)
    assert inversion.residual <= 1e-13
