"""Weighted sums of Betas: their normal form, their peaks, and integrals of their own as the second route."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import special
from tests.numerics.beta_sum.oracles import REFERENCE, beta_sum_arrays, imhof, two_betas

from howsure.numerics.beta_sum.inversion import Inversion, linear_form
from howsure.numerics.beta_sum.sums import BetaLaw, linear_law, tail_of_two

BETA_SUMS = REFERENCE["betasum"]
PAIRED = REFERENCE["paired"]


def paired_engine(cells, w):
    return linear_law([((0, v, -v, 0), cell, 1) for cell, v in zip(cells, w, strict=True)])


@pytest.mark.sweep(34, full=36)
@pytest.mark.parametrize("case", BETA_SUMS, ids=[case["name"] for case in BETA_SUMS])
def test_reference_sums_of_betas(case):
    engine = linear_law(betas=beta_sum_arrays(case))
    x = np.array(case["x"])
    # what the two methods behind the reference disagree by is theirs
    slack = 1.1 * case["max_cdf_disagreement"]
    assert engine.mean == pytest.approx(case["mean"], rel=1e-13, abs=1e-13 * case["sd"])
    assert engine.sd == pytest.approx(case["sd"], rel=1e-9)
    assert np.abs(engine.cdf(x) - case["cdf"]).max() < 1e-12 + slack
    assert np.abs(engine.cdf(x) + engine.sf(x) - 1).max() < 1e-13
    p = np.array([float(key) for key in case["quantiles"]])
    near = (1e-9 + 100 * slack) * engine.sd
    assert np.abs(engine.quantile(p) - list(case["quantiles"].values())).max() < near
    if case["hdi95"] is not None:
        assert np.abs(np.array(engine.highest_density(0.95)) - case["hdi95"]).max() < near


@pytest.mark.parametrize("case", PAIRED, ids=[str(case["cells_a11_a10_a01_a00"][0]) for case in PAIRED])
def test_reference_paired_differences(case):
    engine = paired_engine(case["cells_a11_a10_a01_a00"], case["w"])
    assert np.abs(engine.cdf(np.array(case["x"])) - case["cdf"]).max() < 1e-13 + 2 * case["disagreement"]
    assert engine.cdf(0.0) == pytest.approx(case["prob_delta_below_0"], abs=1e-13)
    assert engine.mean == pytest.approx(case["mean"], abs=1e-15)


@pytest.mark.parametrize(
    ("c", "alpha"),
    [
        ((0, 1, 2, 5), (8.5, 2.5, 1.5, 0.5)),
        ((0, 1, 10), (0.5, 0.5, 0.5)),
        ((0, 1, 5, 7), (3e4, 2e4, 4e4, 1e4)),
        (tuple(range(10)), tuple(0.5 + k for k in range(10))),
    ],
)
def test_one_row_of_costs_against_imhof(c, alpha):
    engine = linear_law([(c, alpha, 1)])
    x = engine.quantile(np.array([0.003, 0.2, 0.5, 0.8, 0.997]))
    assert np.abs(engine.cdf(x) - [imhof(c, alpha, float(v)) for v in x]).max() < 5e-13


def test_ten_rows_of_ten_costs_against_conditioning_on_their_halves():
    rng = np.random.default_rng(5)
    costs = rng.random((10, 10)).round(2)
    rows = [(costs[i], rng.integers(0, 30, 10) + 0.5, 1) for i in range(10)]
    whole, first, second = linear_law(rows), linear_law(rows[:5]), linear_law(rows[5:])
    node, weight = np.polynomial.legendre.leggauss(160)
    low, high = first.mean - 9.5 * first.sd, first.mean + 9.5 * first.sd
    y = 0.5 * (high - low) * node + 0.5 * (high + low)
    density = first.pdf(y) * weight * 0.5 * (high - low)
    for u in (-2.0, 0.3, 1.5):
        x = whole.mean + u * whole.sd
        assert whole.cdf(x) == pytest.approx(float((density * second.cdf(x - y)).sum()), abs=1e-11)


def test_a_tail_that_no_series_resolves_is_that_of_an_integral():
    """Of the toolbox's example, by an integral of 50 digits."""
    engine = linear_law(betas=([91, 96], [11, 6], [0.5, 0.5]))
    assert two_betas([91, 96], [11, 6], [0.5, 0.5], 0.5) == pytest.approx(5.4e-39, rel=0.02)
    assert engine.cdf(0.5) == pytest.approx(5.4327477859433931730e-39, rel=1e-10, abs=0)
    assert 0 <= engine.cdf(1e-5) < 1e-300
    x = engine.mean - 4.5 * engine.sd
    assert engine.cdf(x) == pytest.approx(two_betas([91, 96], [11, 6], [0.5, 0.5], float(x)), rel=1e-6)


def test_a_point_mass():
    for engine in (
        linear_law(shift=2.5),
        linear_law([((1.5, 1.5), (2, 3), 1)], betas=([1.0], [2.0], [0.0]), shift=1),
    ):
        assert engine.sd == 0
        assert engine.support == (2.5, 2.5)
        assert engine.cdf(np.array([2.4, 2.5, 2.6])).tolist() == [0, 1, 1]
        assert engine.sf(np.array([2.4, 2.5, 2.6])).tolist() == [1, 0, 0]
        assert engine.quantile(np.array([0, 0.3, 1])).tolist() == [2.5] * 3
        assert engine.highest_density(0.95) == (2.5, 2.5)
        assert engine.mode() == 2.5


@pytest.mark.parametrize(("a", "b", "expected"), [(11, 1, (0.05 ** (1 / 11), 1)), (1, 11, (0, 1 - 0.05 ** (1 / 11)))])
def test_monotone_densities_have_one_sided_intervals(a, b, expected):
    assert linear_law(betas=([a], [b], [1.0])).highest_density(0.95) == pytest.approx(expected, abs=1e-14)
    assert linear_law(betas=([a], [b], [1.0])).mode() == (1.0 if a > b else 0.0)


def test_a_u_shaped_law_has_no_highest_density_interval():
    assert linear_law(betas=([0.5], [0.5], [1.0])).highest_density(0.95) is None
    assert linear_law(betas=([0.5, 8.0], [0.5, 4.0], [1.0, 0.001])).highest_density(0.95) is None


counts = st.one_of(st.sampled_from([0.05, 0.5, 1.0]), st.floats(0.3, 40.0), st.sampled_from([200.0]))
classes = st.lists(
    st.tuples(counts, counts, st.one_of(st.floats(0.05, 2.0), st.floats(-2.0, -0.05))), min_size=1, max_size=3
)


# -- test_normal_form.py ----------------------------------------------------------------------------------------------


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


# -- test_inversion.py ------------------------------------------------------------------------------------------------


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


# -- test_peaks.py ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "w"),
    [
        ([2.0, 901.0], [0.5, 1.5], [0.5, 1.0]),
        ([41.0, 1.0], [0.01, 100.5], [0.5, -1.0]),
    ],
)
def test_a_peak_close_to_an_end_is_found(a, b, w):
    engine = linear_law(betas=(a, b, w))
    low, high = engine.highest_density(0.95)
    assert float(np.diff(engine.cdf(np.array([low, high])))[0]) == pytest.approx(0.95, abs=1e-9)
    other = engine.quantile(np.linspace(1e-4, 0.0499, 200))
    width = engine.quantile(np.linspace(1e-4, 0.0499, 200) + 0.95) - other
    assert high - low <= width.min() * (1 + 1e-9)


# -- classes of very unequal sizes and parameters near 0, where one method hands over to another ----------------------


def mean_of(a: list[float], b: list[float]) -> linear_law:
    return linear_law(betas=(a, b, np.full(len(a), 1 / len(a))))


@pytest.mark.sweep(4, full=12)
@pytest.mark.parametrize(
    ("count", "prior", "other"), [(1e5, 0.5, (5.5, 0.5)), (1e6, 0.25, (30.5, 2.5)), (1e7, 1.0, (5.0, 1.0))]
)
def test_a_huge_perfect_class_beside_a_small_one_by_two_integrals(
    count: float, prior: float, other: tuple[float, float]
) -> None:
    """The series, and one positive integral over the narrow class."""
    engine = mean_of([count, other[0]], [prior, other[1]])
    x = engine.mean + engine.sd * np.array([-2.0, -1.0, 0.0, 0.3])
    a, b = np.array([other[0], count]), np.array([other[1], prior])
    by_integral = [tail_of_two(a, b, np.full(2, 0.5), place) for place in x.tolist()]
    assert engine.cdf(x) == pytest.approx(by_integral, abs=5e-10)
