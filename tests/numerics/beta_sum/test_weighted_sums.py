from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.numerics.beta_sum.oracles import REFERENCE, beta_sum_arrays, imhof, two_betas

from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.solve.roots import density_peak

BETA_SUMS = REFERENCE["betasum"]
PAIRED = REFERENCE["paired"]


def paired_engine(cells, w):
    return LinearEngine([((0, v, -v, 0), cell, 1) for cell, v in zip(cells, w, strict=True)])


@pytest.mark.sweep(34, full=36)
@pytest.mark.parametrize("case", BETA_SUMS, ids=[case["name"] for case in BETA_SUMS])
def test_reference_sums_of_betas(case):
    engine = LinearEngine(betas=beta_sum_arrays(case))
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
    engine = LinearEngine([(c, alpha, 1)])
    x = engine.quantile(np.array([0.003, 0.2, 0.5, 0.8, 0.997]))
    assert np.abs(engine.cdf(x) - [imhof(c, alpha, float(v)) for v in x]).max() < 5e-13


def test_ten_rows_of_ten_costs_against_conditioning_on_their_halves():
    rng = np.random.default_rng(5)
    costs = rng.random((10, 10)).round(2)
    rows = [(costs[i], rng.integers(0, 30, 10) + 0.5, 1) for i in range(10)]
    whole, first, second = LinearEngine(rows), LinearEngine(rows[:5]), LinearEngine(rows[5:])
    node, weight = np.polynomial.legendre.leggauss(160)
    low, high = first.mean - 9.5 * first.sd, first.mean + 9.5 * first.sd
    y = 0.5 * (high - low) * node + 0.5 * (high + low)
    density = first.pdf(y) * weight * 0.5 * (high - low)
    for u in (-2.0, 0.3, 1.5):
        x = whole.mean + u * whole.sd
        assert whole.cdf(x) == pytest.approx(float((density * second.cdf(x - y)).sum()), abs=1e-11)


def test_a_tail_that_no_series_resolves_is_that_of_an_integral():
    """Of the toolbox's example, by an integral of 50 digits."""
    engine = LinearEngine(betas=([91, 96], [11, 6], [0.5, 0.5]))
    assert two_betas([91, 96], [11, 6], [0.5, 0.5], 0.5) == pytest.approx(5.4e-39, rel=0.02)
    assert engine.cdf(0.5) == pytest.approx(5.4327477859433931730e-39, rel=1e-10, abs=0)
    assert 0 <= engine.cdf(1e-5) < 1e-300
    x = engine.mean - 4.5 * engine.sd
    assert engine.cdf(x) == pytest.approx(two_betas([91, 96], [11, 6], [0.5, 0.5], float(x)), rel=1e-6)


def test_a_point_mass():
    for engine in (
        LinearEngine(shift=2.5),
        LinearEngine([((1.5, 1.5), (2, 3), 1)], betas=([1.0], [2.0], [0.0]), shift=1),
    ):
        assert engine.sd == 0
        assert engine.support == (2.5, 2.5)
        assert engine.cdf(np.array([2.4, 2.5, 2.6])).tolist() == [0, 1, 1]
        assert engine.sf(np.array([2.4, 2.5, 2.6])).tolist() == [1, 0, 0]
        assert engine.quantile(np.array([0, 0.3, 1])).tolist() == [2.5] * 3
        assert engine.highest_density(0.95) == (2.5, 2.5)
        assert engine.mode() == 2.5


@pytest.mark.parametrize(("a", "b", "weight", "shift"), [(7.0, 3.0, 1.0, 0.0), (1.5, 40.0, -0.25, -0.5)])
def test_the_mode_of_one_beta_is_closed_and_where_a_search_finds_it(a, b, weight, shift):
    engine = LinearEngine(betas=([a], [b], [weight]), shift=shift)
    low, high = engine.quantile(np.array([1e-3, 0.999]))
    assert engine.mode() == pytest.approx(density_peak(engine._law.evaluate, low, high), abs=1e-7 * (high - low))
    assert LinearEngine(betas=([1.0], [1.0], [weight]), shift=shift).mode() == shift + weight / 2  # level: the middle


@pytest.mark.parametrize(("a", "b", "expected"), [(11, 1, (0.05 ** (1 / 11), 1)), (1, 11, (0, 1 - 0.05 ** (1 / 11)))])
def test_monotone_densities_have_one_sided_intervals(a, b, expected):
    assert LinearEngine(betas=([a], [b], [1.0])).highest_density(0.95) == pytest.approx(expected, abs=1e-14)
    assert LinearEngine(betas=([a], [b], [1.0])).mode() == (1.0 if a > b else 0.0)


def test_a_u_shaped_law_has_no_highest_density_interval():
    assert LinearEngine(betas=([0.5], [0.5], [1.0])).highest_density(0.95) is None
    assert LinearEngine(betas=([0.5, 8.0], [0.5, 4.0], [1.0, 0.001])).highest_density(0.95) is None


def test_arguments_are_checked():
    engine = LinearEngine(betas=([2.0], [3.0], [1.0]))
    with pytest.raises(ValueError, match="between 0 and 1"):
        engine.quantile(1.5)


counts = st.one_of(st.sampled_from([0.05, 0.5, 1.0]), st.floats(0.3, 40.0), st.sampled_from([200.0]))
classes = st.lists(
    st.tuples(counts, counts, st.one_of(st.floats(0.05, 2.0), st.floats(-2.0, -0.05))), min_size=1, max_size=3
)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(classes)
def test_every_sum_is_a_distribution(parts):
    a, b, w = (np.array(column) for column in zip(*parts, strict=True))
    engine = LinearEngine(betas=(a, b, w))
    low, high = engine.support
    x = np.unique(np.clip(engine.mean + engine.sd * np.linspace(-4, 4, 17), low, high))
    F, S = engine.cdf(x), engine.sf(x)
    assert np.abs(F + S - 1).max() < 1e-11
    assert np.diff(F).min(initial=0.0) > -1e-11
    assert F.min() >= 0
    assert F.max() <= 1
    p = np.array([0.001, 0.025, 0.5, 0.975])
    q = engine.quantile(p)
    # a near-atom narrower than the spacing of doubles holds more than one p
    spacing = np.maximum(np.abs(q), engine.sd) * 1e-15
    assert (engine.cdf(q + spacing) >= p - 1e-10).all()
    assert (engine.cdf(q - spacing) <= p + 1e-10).all()
