from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.numerics.beta_sum.oracles import beta_transform

from howsure.numerics.beta_sum.contour import atan_minus_argument, row_transform, vertical_product
from howsure.numerics.beta_sum.fourier import equispaced_transform, integer_power, power_ladder, unit_phase
from howsure.numerics.beta_sum.inversion import wide_product
from howsure.numerics.beta_sum.logit_nodes import LogitWeight, beta_nodes, cut_ends, tilted_mode
from howsure.numerics.beta_sum.normal_form import WideRow, linear_form
from howsure.numerics.beta_sum.vertices import VertexTable, generating_coefficients, log_gamma_ratio, row_vertices
from howsure.numerics.beta_sum.window import chernoff_window, cumulant_bound, cumulant_bound_slope, row_saddle

BETAS = [
    (11.0, 41.0),
    (0.5, 5.5),
    (0.01, 5.0),
    (0.01, 0.01),
    (0.5, 0.5),
    (1.0, 1.0),
    (0.5, 1000.5),
    (1.0, 901.0),
    (101.0, 901.0),
]


def beta_cf(a, b, t, s=0.0):
    """E e^{(s + it) theta} / E e^{s theta} by the nodes under test, for equispaced t."""
    form = linear_form((), ([a], [b], [1.0]), 0.0)
    (nodes,) = beta_nodes(form.betas, float(t[-1]), s)
    return equispaced_transform(nodes.deviation, nodes.weight, t[0], t[1] - t[0], len(t))[0] * unit_phase(
        t * nodes.centre
    )


@pytest.mark.parametrize(("a", "b"), BETAS)
def test_beta_transform_by_logit_nodes(a, b):
    sd = np.sqrt(a * b / (a + b + 1)) / (a + b)
    t = np.linspace(0.5, 12.0, 12) / sd
    expected = [beta_transform(a, b, 1j * float(v)) for v in t]
    assert np.abs(beta_cf(a, b, t) - expected).max() < 5e-15


@pytest.mark.parametrize(
    ("a", "b", "s"), [(6.0, 96.0, -150.0), (3.0, 300.0, 250.0), (0.5, 5.5, 30.0), (11.0, 41.0, 60.0)]
)
def test_tilted_beta_transform(a, b, s):
    t = np.linspace(20.0, 800.0, 9)
    expected = [beta_transform(a, b, s + 1j * float(v)) / beta_transform(a, b, s) for v in t]
    assert np.abs(beta_cf(a, b, t, s) - expected).max() < 5e-14


def test_large_counts_lose_nothing():
    t = np.linspace(1.0, 9.0, 9) / 1e-5
    a, b = 1e8, 9e8
    value = beta_cf(a, b, t) * unit_phase(-t * a / (a + b))
    n = a + b
    sd = np.sqrt(a * b / (n + 1)) / n
    skew = 2 * (b - a) * np.sqrt(n + 1) / ((n + 2) * np.sqrt(a * b))
    u = t * sd
    kurtosis = 6 * ((a - b) ** 2 * (n + 1) - a * b * (n + 2)) / (a * b * (n + 2) * (n + 3))
    edgeworth = np.exp(-u * u / 2 - 1j * skew * u**3 / 6 + kurtosis * u**4 / 24)
    assert np.abs(value - edgeworth).max() < 1e-12


def test_the_tilted_mode_is_a_stationary_point_and_its_complement_is_exact():
    a, b = np.array([0.5, 6.0, 1e6]), np.array([3.0, 96.0, 5e6])
    for tilt in (-1e4, -3.0, 0.0, 5.0, 1e5):
        theta, rest = tilted_mode(a, b, np.full(3, tilt))
        assert np.allclose(theta + rest, 1, rtol=1e-14)
        assert np.allclose(a * rest - b * theta + tilt * theta * rest, 0, atol=1e-9 * (a + b + abs(tilt)))


def test_nodes_end_where_the_weight_is_negligible():
    a, b = np.array([5.0, 80.0, 60.0]), np.array([7.0, 3000.0, 1e6])
    weight = LogitWeight(a, b, np.zeros(3), *tilted_mode(a, b, np.zeros(3)))
    left, right = cut_ends(weight, np.full(3, 10.0))
    for end in (-left, right):
        assert (weight.at(end[:, None])[0] < -38).all()


@pytest.mark.parametrize("count", [1, 2, 7, 26, 100])
def test_giant_and_baby_steps_give_every_frequency(count):
    rng = np.random.default_rng(1)
    d, weight = rng.normal(size=(3, 11)), rng.random((3, 11))
    t = 5.0 + 0.3 * np.arange(count)
    expected = (weight[:, None, :] * np.exp(1j * d[:, None, :] * t[:, None])).sum(axis=2)
    assert np.allclose(equispaced_transform(d, weight, 5.0, 0.3, count), expected, atol=1e-13)


def test_power_ladder_and_integer_power():
    z = np.exp(1j * np.array([[0.3, 1.2], [2.0, 3.0]])) * 0.99
    assert np.allclose(power_ladder(z, 9), [z**k for k in range(9)], atol=1e-15)
    assert np.allclose(integer_power(z, np.array([1000, 3])), [z[0] ** 1000, z[1] ** 3], atol=1e-13)


def test_atan_minus_argument_joins_its_series_smoothly():
    v = np.array([1e-8, 0.029999, 0.030001, 2.0])
    expected = [-(1e-8**3) / 3, np.arctan(0.029999) - 0.029999, np.arctan(0.030001) - 0.030001, np.arctan(2.0) - 2]
    assert np.allclose(atan_minus_argument(v), expected, rtol=1e-10)
    assert atan_minus_argument(v[:1])[0] == pytest.approx(expected[0], rel=1e-14)


@pytest.mark.parametrize(("a", "b"), [(0.5, 5.5), (0.01, 5.0), (11.0, 41.0), (0.5, 0.5), (101.0, 901.0)])
@pytest.mark.parametrize("s", [0.0, 9.0, -14.0])
def test_contour_transform_of_a_beta_agrees_with_the_hypergeometric_function(a, b, s):
    p = a / (a + b)
    row = WideRow(np.array([-p, 1 - p]), np.array([b, a]), 1)
    t = np.linspace(1.0, 60.0, 7)
    result = row_transform(row, t, s)
    log_mass = result.log_mass - row_transform(row, t).log_mass + s * result.centre
    value = result.transform if s == 0 else result.transform * unit_phase(t * result.centre)
    norm = beta_transform(a, b, s)
    expected = [beta_transform(a, b, s + 1j * float(v)) * np.exp(-1j * v * p) / norm for v in t]
    assert np.abs(value - expected).max() < 3e-13
    assert log_mass == pytest.approx(float(np.log(norm.real)) - s * p, abs=2e-12)


@pytest.mark.parametrize(("a", "b"), [(11.0, 41.0), (0.5, 5.5), (0.01, 5.0), (1.0, 4.0), (1.0, 901.0), (0.5, 4000.5)])
def test_vertex_expansion_of_a_beta_from_its_start_on(a, b):
    row = row_vertices(np.array([0.0, 1.0]), np.array([b, a]), 1)
    t = row.start * np.array([1.0, 1.7, 4.0])
    table = VertexTable([row])
    value = (unit_phase(np.multiply.outer(table.c, t)) * table.evaluate(t)).sum(axis=0)
    assert np.abs(value - [beta_transform(a, b, 1j * float(v)) for v in t]).max() < 2e-14


@pytest.mark.parametrize("alpha", [(2.5, 0.5, 1.5), (40.5, 6.5, 2.5), (0.5, 0.5, 0.5)])
def test_vertex_expansion_of_a_wide_row_meets_the_contour(alpha):
    alpha = np.array(alpha)
    c = np.array([0.0, 1.0, -1.0])
    order = np.argsort(c)
    c, alpha = c[order] - (c * alpha).sum() / alpha.sum(), alpha[order]
    row = row_vertices(c, alpha, 1)
    table = VertexTable([row])
    t = row.start * np.array([1.0, 1.5])
    value = (unit_phase(np.multiply.outer(table.c, t)) * table.evaluate(t)).sum(axis=0)
    assert np.abs(value - row_transform(WideRow(c, alpha, 1), t).transform).max() < 2e-14


def test_generating_coefficients_and_gamma_ratio():
    z = 0.2
    p, alpha = np.array([1.0, -0.5, 0.25]), np.array([2.5, 0.5, 3.0])
    series = (generating_coefficients(p, alpha, 60) * z ** np.arange(60)).sum()
    assert series == pytest.approx(np.prod((1 - p * z) ** -alpha), rel=1e-14)
    for a, b in ((2.0, 0.5), (40.0, 3.0), (1e6, 0.5)):
        assert log_gamma_ratio(a, b) == pytest.approx(float(special.gammaln(a + b) - special.gammaln(a)), rel=1e-9)
    assert log_gamma_ratio(1e9, 1.0) == pytest.approx(np.log(1e9), rel=1e-15)


@pytest.mark.parametrize(("a", "b"), [*BETAS, (20.0, 3e6)])
def test_the_window_misses_next_to_nothing_and_is_not_wasteful(a, b):
    form = linear_form((), ([a], [b], [1.0]), 0.0)
    low, high = chernoff_window(form)
    low, high = form.mean + low, form.mean + high
    assert special.betainc(a, b, max(low, 0.0)) <= 1e-17
    assert special.betaincc(a, b, min(high, 1.0)) <= 1e-17
    exact = special.betainccinv(a, b, 1e-17) - special.betaincinv(a, b, 1e-17)
    assert high - low < 1.5 * exact


@pytest.mark.parametrize(("a", "b"), BETAS)
def test_the_cumulant_bound_is_a_bound(a, b):
    form = linear_form((), ([a], [b], [1.0]), 0.0)
    for s in np.array([-20.0, -2.0, 0.5, 6.0, 30.0]) / form.sd:
        exact = float(mpmath.log(mpmath.hyp1f1(a, a + b, s))) - s * form.mean
        assert cumulant_bound(form, np.array([s]))[0] >= exact * (1 - 1e-12)


def test_row_saddle_solves_its_equation_and_the_slope_is_the_derivative():
    row = WideRow(np.array([-1.0, 0.2, 3.0]), np.array([2.0, 0.5, 7.0]), 1)
    s = np.array([-40.0, -0.1, 0.0, 2.0, 1e4])
    z = row_saddle(row, s)
    assert np.allclose((row.alpha / (z[:, None] - np.multiply.outer(s, row.c))).sum(axis=1), 1, atol=1e-9)
    form = linear_form([((0, 1, 3), (20.0, 5.0, 70.0), 2)], None, 0.0)
    slope = (cumulant_bound(form, np.array([8.001])) - cumulant_bound(form, np.array([7.999])))[0] / 0.002
    assert cumulant_bound_slope(form, 8.0) == pytest.approx(slope, rel=1e-6)


def test_many_rows_at_once_meet_the_single_row():
    rng = np.random.default_rng(1)
    alpha = rng.uniform(0.5, 200, (30, 3)) + 11
    c = np.array([-1.0, 0.2, 1.5]) - ((alpha * [-1.0, 0.2, 1.5]).sum(axis=1) / alpha.sum(axis=1))[:, None]
    count = rng.integers(1, 4, 30)
    t = np.linspace(0.3, 4.0, 15)
    expected = np.ones(15, complex)
    for row in zip(c, alpha, count, strict=True):
        expected *= row_transform(WideRow(*row), t).transform ** int(row[2])
    assert np.abs(vertical_product(c, alpha, count, t) - expected).max() < 3e-14
    rows = tuple(WideRow(*row) for row in zip(c, alpha, count.tolist(), strict=True))
    step = float(t[1] - t[0])
    assert np.abs(wide_product(rows, 0.3, step, 15) - expected).max() < 3e-14
