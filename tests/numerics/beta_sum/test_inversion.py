from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.beta_sum.inversion import Inversion
from howsure.numerics.beta_sum.normal_form import linear_form
from howsure.numerics.beta_sum.sum_law import BetaLaw
from howsure.numerics.beta_sum.vertices import end_density
from howsure.numerics.solve.roots import by_newton, density_peak, invert


def beta_form(a, b, w=1.0):
    return linear_form((), (np.atleast_1d(a), np.atleast_1d(b), np.atleast_1d(w)), 0.0)


def normal(z):
    f = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    return special.ndtr(z), f, -z * f


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


def test_density_at_the_ends():
    assert end_density(beta_form(2.0, 3.0), True) == 0
    assert end_density(beta_form(2.0, 0.5), True) == np.inf
    assert end_density(beta_form(5.0, 1.0, 0.5), True) == pytest.approx(10.0)
    assert end_density(beta_form([10.5, 50.5], [0.5, 0.5], [0.5, 0.5]), True) == pytest.approx(
        2 * special.gamma(11) * special.gamma(51) / (special.gamma(10.5) * special.gamma(50.5))
    )


def test_solvers_on_a_normal_law():
    p = np.array([1e-4, 0.025, 0.5, 0.9, 0.9999])
    assert np.allclose(invert(normal, p, np.zeros(5), -9, 9, 1.0), special.ndtri(p), atol=1e-11)
    assert by_newton(normal, 0.95, (-1.0, 2.5), -9, 9) == pytest.approx(
        (-1.959963984540054, 1.959963984540054), abs=1e-12
    )
    assert density_peak(normal, -4.0, 5.0) == pytest.approx(0.0, abs=1e-9)
