from __future__ import annotations

import numpy as np
import pytest
from mpmath import betainc as mp_betainc
from mpmath import mp
from scipy import special

from howsure.numerics.beta_sum.closed_forms import BetaLaw, log_beta_peak
from howsure.numerics.beta_sum.ends import end_density, end_mass, series_power
from howsure.numerics.beta_sum.fourier import FourierSeries
from howsure.numerics.beta_sum.inversion import Inversion, beta_product, price, wide_product
from howsure.numerics.beta_sum.normal_form import linear_form
from howsure.numerics.beta_sum.remainder import SeriesRemainder, combination_count, compositions
from howsure.numerics.beta_sum.separation import breakpoints, split_by_width, tanh_sinh
from howsure.numerics.beta_sum.tilting import TiltedLaw, approximate_saddle, tail_integrals
from howsure.numerics.beta_sum.vertices import expand_form
from howsure.numerics.solve.highest_density.of_law import by_newton
from howsure.numerics.solve.roots import density_peak, invert


def beta_form(a, b, w=1.0):
    return linear_form((), (np.atleast_1d(a), np.atleast_1d(b), np.atleast_1d(w)), 0.0)


def normal(z):
    f = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    return special.ndtr(z), f, -z * f


def test_fourier_series_of_a_normal_law():
    period = 18.0
    t = 2 * np.pi / period * np.arange(1, 30)
    z = np.linspace(-8.9, 8.9, 11)
    for got, expected in zip(FourierSeries(period, np.exp(-t * t / 2) + 0j).evaluate(z), normal(z), strict=True):
        assert np.abs(got - expected).max() < 2e-15


@pytest.mark.parametrize(
    ("a", "b"), [(0.5, 0.5), (10.5, 0.5), (0.01, 5.0), (1.0, 1.0), (1.0, 1000.0), (0.5, 30.5), (3.0, 4.0)]
)
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


def test_the_remainder_is_the_sum_of_the_terms_left_out():
    form = beta_form([0.8, 2.0], [3.0, 1.2], [0.6, 0.4])
    period = 1.2
    rows = expand_form(form)
    assert all(np.isfinite(row.start) for row in rows)
    first = int(max(row.start for row in rows) * period / (2 * np.pi)) + 1
    dt = 2 * np.pi / period
    last = 4000
    phi = beta_product(form.betas, (first + 1) * dt, dt, last - first)
    t = dt * np.arange(first + 1, last + 1)
    remainder = SeriesRemainder(rows, period, first, 1.0)
    for z in (-0.2, 0.013, 0.31):
        direct = -(np.exp(-1j * t * z) * phi * 2 / (t * period)).imag.sum()
        beyond = SeriesRemainder(rows, period, last, 1.0).evaluate(np.array([z]))[0][0]
        assert remainder.evaluate(np.array([z]))[0][0] == pytest.approx(direct + beyond, abs=3e-14)


def test_a_broad_row_beside_narrow_ones_goes_on_by_its_vertices(monkeypatch):
    """Beyond their start they are the integrals along the contours, which had nodes by the ten thousand."""
    rows = [
        ([-0.0875, -0.0696, 0.1571], [1.0, 1.0, 1.0], 1),
        ([-0.4617, -0.4566, 0.0157], [2.0, 1.0, 88.0], 1),
        ([-0.2634, -0.2405, 0.0139], [5.0, 1.0, 112.0], 1),
    ]
    form = linear_form(rows, None, 0.0)
    by_vertices, asked = Inversion._extend_by_vertices, []
    monkeypatch.setattr(Inversion, "_extend_by_vertices", lambda *args: asked.append(by_vertices(*args)))
    inversion = Inversion(form)
    assert asked
    dt, count = inversion._dt, len(inversion._phi)
    assert inversion._first_vertex < 0.5 * count * dt
    places = [1, 5, *np.linspace(0.5 * inversion._first_vertex / dt, count, 8).astype(int).tolist()]
    along = [wide_product(form.wide, k * dt, dt, 1)[0] for k in places]
    assert inversion._phi[np.array(places) - 1] == pytest.approx(np.array(along), abs=1e-13)


def test_the_price_tells_what_takes_long():
    def of(*rows):
        return price(linear_form([([0.0, 0.3, 0.5][: len(row)], row, 1) for row in rows], None, 0.0))

    assert of([8.5, 0.5], [0.5, 30.5]) == 0  # Betas have no contour
    assert 0 < of([9.5, 22.5, 11.5], [11.5, 20.5, 3.5]) < 1e5
    assert of([1.0, 1.0, 1.0], [2.0, 900.0, 30.0]) > 1e7


def test_combinations_are_counted_as_they_are_listed():
    assert combination_count([2, 3], [4, 2]) == pytest.approx(5 * 6)
    assert len(compositions(2, 3)) == 6
    assert (compositions(4, 2).sum(axis=1) == 4).all()


@pytest.mark.parametrize(("a", "b"), [(40.5, 10.5), (91.0, 11.0), (1e6, 3e5), (3.0, 1000.0), (0.5, 30.0), (1.0, 200.0)])
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


def test_tilted_moments_of_a_wide_row_are_those_of_the_same_betas():
    s = 30.0
    row = linear_form([((0, 0.5, 1), (30, 4, 20), 1)], None, 0.0)
    tilted = TiltedLaw(row, s)
    h = 1e-3
    K = [TiltedLaw(row, s + d) for d in (-h, 0.0, h)]
    K = [law.log_mass + law.s * law.centre for law in K]
    assert (K[2] - K[0]) / (2 * h) == pytest.approx(tilted.mean, rel=1e-6)
    assert (K[2] - 2 * K[1] + K[0]) / h**2 == pytest.approx(tilted.variance, rel=1e-3)


def test_the_approximate_saddle_is_near():
    form = beta_form([91, 96], [11, 6], [0.5, 0.5])
    z = -8 * form.sd
    law = TiltedLaw(form, approximate_saddle(form, z))
    assert abs(law.mean - z) < np.sqrt(law.variance)


@pytest.mark.parametrize(("a", "b"), [(10.5, 0.5), (50.0, 1.0), (0.5, 0.5), (7.0, 3.0)])
def test_end_series_of_a_beta_is_the_incomplete_beta_function(a, b):
    form = beta_form(a, b)
    for v in (1e-300, 1e-12, 1e-3, 0.02):
        with mp.workdps(30):
            expected = mp_betainc(b, a, 0, v, regularized=True)
            mass, density = end_mass(form, v, upper=True)
            assert mass == pytest.approx(float(expected), rel=1e-12)
            assert density == pytest.approx(
                float(mp.mpf(v) ** (b - 1) * (1 - mp.mpf(v)) ** (a - 1) / mp.beta(a, b)), rel=1e-11
            )


def test_end_series_of_a_sum_agrees_with_tilting():
    form = linear_form([((0, 1, -1), (8, 3, 2), 2)], ([7.0], [2.0], [1.0]), 0.0)
    v = 0.15
    mass, density = end_mass(form, v, upper=False)
    tail, tail_density = tail_integrals(form, np.array([v - form.below]))
    assert mass == pytest.approx(tail[0], rel=1e-9)
    assert density == pytest.approx(tail_density[0], rel=1e-9)


def test_powers_of_a_series():
    f = np.concatenate(([1.0, 0.5, -0.25, 0.125], np.zeros(8)))
    cube = np.convolve(np.convolve(f, f), f)[:12]
    assert np.allclose(series_power(f, 3), cube, atol=1e-15)


def test_density_at_the_ends():
    assert end_density(beta_form(2.0, 3.0), True) == 0
    assert end_density(beta_form(2.0, 0.5), True) == np.inf
    assert end_density(beta_form(5.0, 1.0, 0.5), True) == pytest.approx(10.0)
    assert end_density(beta_form([10.5, 50.5], [0.5, 0.5], [0.5, 0.5]), True) == pytest.approx(
        2 * special.gamma(11) * special.gamma(51) / (special.gamma(10.5) * special.gamma(50.5))
    )


@pytest.mark.parametrize(("a", "b"), [(0.01, 3.0), (0.5, 1000.5), (12.0, 40.0), (900.0, 1e5)])
def test_beta_density_against_many_digits(a, b):
    law = BetaLaw(beta_form(a, b))
    x = law.p * np.array([0.3, 1.0, 1.4])
    with mp.workdps(40):
        expected = [float(mp.mpf(v) ** (a - 1) * (1 - mp.mpf(v)) ** (b - 1) / mp.beta(a, b)) for v in x]
        peak = float(mp.log(mp.mpf(a) ** a * mp.mpf(b) ** b / (mp.mpf(a) + b) ** (mp.mpf(a) + b) / mp.beta(a, b)))
    assert np.allclose(law.pdf(x), expected, rtol=2e-11)
    assert log_beta_peak(a, b) == pytest.approx(peak, abs=1e-11)


def test_solvers_on_a_normal_law():
    p = np.array([1e-4, 0.025, 0.5, 0.9, 0.9999])
    assert np.allclose(invert(normal, p, np.zeros(5), -9, 9, 1.0), special.ndtri(p), atol=1e-11)
    assert by_newton(normal, 0.95, (-1.0, 2.5), -9, 9) == pytest.approx(
        (-1.959963984540054, 1.959963984540054), abs=1e-12
    )
    assert density_peak(normal, -4.0, 5.0) == pytest.approx(0.0, abs=1e-9)


def test_tanh_sinh_integrates_end_point_singularities():
    u, weight = tanh_sinh()
    assert (weight * np.sqrt(u)).sum() == pytest.approx(2 / 3, abs=1e-13)
    assert (weight * u * np.log(u)).sum() == pytest.approx(-0.25, abs=1e-13)


def test_breakpoints_and_the_split_by_width():
    form = beta_form([0.5, 3.0, 9e8], [0.5, 2.0, 1e8], [0.5, 0.25, 0.25])
    wide, narrow = split_by_width(form)
    assert len(wide.betas) == 2
    assert len(narrow.betas) == 1
    assert wide.variance + narrow.variance == pytest.approx(form.variance)
    assert np.allclose(np.sort(breakpoints(wide) + wide.below), [0, 0.25, 0.5, 0.75], atol=1e-15)
