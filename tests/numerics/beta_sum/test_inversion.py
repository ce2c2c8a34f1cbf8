from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.beta_sum.closed_forms import BetaLaw
from howsure.numerics.beta_sum.inversion import Inversion
from howsure.numerics.beta_sum.normal_form import linear_form
from howsure.numerics.beta_sum.tilting import tail_integrals
from howsure.numerics.beta_sum.vertices import end_density, end_mass, expand_form
from howsure.numerics.solve.highest_density.of_law import by_newton
from howsure.numerics.solve.roots import density_peak, invert


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


@pytest.mark.parametrize(("a", "b"), [(40.5, 10.5), (1e6, 3e5), (0.5, 30.0)])
def test_tails_by_tilting_have_relative_accuracy(a, b):
    form = beta_form(a, b)
    rows = expand_form(form) if min(a, b) < 5 else None
    for side, integral in ((-1, special.betainc), (1, special.betaincc)):
        z = side * np.array([4.0, 7.0, 11.0]) * form.sd
        z = z[(form.mean + z > 0) & (form.mean + z < 1)]
        if side < 0 and min(a, b) == a:
            z = z[:0]
        expected = integral(a, b, form.mean + z)
        z, expected = z[expected > 1e-300], expected[expected > 1e-300]
        assert np.allclose(tail_integrals(form, z, rows)[0], expected, rtol=1e-11, atol=0)


def test_end_series_of_a_sum_agrees_with_tilting():
    form = linear_form([((0, 1, -1), (8, 3, 2), 2)], ([7.0], [2.0], [1.0]), 0.0)
    v = 0.15
    mass, density = end_mass(form, v, upper=False)
    tail, tail_density = tail_integrals(form, np.array([v - form.below]))
    assert mass == pytest.approx(tail[0], rel=1e-9)
    assert density == pytest.approx(tail_density[0], rel=1e-9)


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
