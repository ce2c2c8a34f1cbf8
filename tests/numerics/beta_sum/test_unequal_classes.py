"""Classes of very unequal sizes and parameters near 0, where one method hands over to another."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from howsure.numerics.beta_sum.closed_forms import pair_tail
from howsure.numerics.beta_sum.ends import end_distance, end_mass
from howsure.numerics.beta_sum.fourier import LONG, POWERS_AT_A_TIME, FourierSeries, equispaced_transform
from howsure.numerics.beta_sum.normal_form import linear_form
from howsure.numerics.beta_sum.separation import Convolution, split_by_width
from howsure.numerics.beta_sum.series_law import law_of
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.solve.roots import bracketed_root


def mean_of(a: list[float], b: list[float]) -> LinearEngine:
    return LinearEngine(betas=(a, b, np.full(len(a), 1 / len(a))))


@pytest.mark.parametrize("count", [1e5, 1e6, 1e7, 1e9])
@pytest.mark.parametrize(("prior", "other"), [(0.5, (5.5, 0.5)), (0.25, (30.5, 2.5)), (1.0, (5.0, 1.0))])
def test_a_huge_perfect_class_beside_a_small_one_by_two_integrals(
    count: float, prior: float, other: tuple[float, float]
) -> None:
    """The series, with or without conditioning on the narrow class, and the positive integral of the tails."""
    engine = mean_of([count, other[0]], [prior, other[1]])
    form = linear_form((), ([count, other[0]], [prior, other[1]], [0.5, 0.5]), 0.0)
    x = engine.mean + engine.sd * np.array([-2.0, -1.0, 0.0, 0.3])
    assert engine.cdf(x) == pytest.approx(pair_tail(form, x - form.support[0], upper=False)[0], abs=2e-14)


def test_a_narrow_class_with_an_infinite_end_does_not_move_a_law_that_is_a_thousand_times_wider() -> None:
    small = [27.5, 61.5, 631.5, 5.5], [3.5, 1.5, 0.5, 0.5]
    engine = mean_of([1e9, *small[0]], [0.5, *small[1]])
    wide = mean_of(*small)
    level = np.array([0.025, 0.3, 0.5, 0.975])
    # a class of 1e9 right cases is 1 up to 5e-10
    assert engine.quantile(level) == pytest.approx((1 + 4 * wide.quantile(level)) / 5, abs=3e-10)
    hdi = engine.interval(0.95, "hdi")
    assert hdi is not None
    assert float(np.diff(engine.cdf(hdi))[0]) == pytest.approx(0.95, abs=1e-10)


@pytest.mark.sweep("a2")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([11.25, 5679887.25, 648.25], [0.25, 5686.25, 0.25]),
        ([474493.0, 7.0, 79904.0], [4794.0, 1.0, 1.0]),
        ([30.5, 64.5, 223900.5], [0.5, 0.5, 224.5]),
    ],
)
def test_highest_density_intervals_of_unequal_classes_are_level(a: list[float], b: list[float]) -> None:
    engine = mean_of(a, b)
    found = engine.interval(0.95, "hdi")
    assert found is not None
    low, high = engine.pdf(found)
    assert float(np.diff(engine.cdf(found))[0]) == pytest.approx(0.95, abs=1e-12)
    # where the density falls by half within 1e-5 sd, equal density is not the same as the last digit of an end
    assert found[1] == engine.support[1] or low == pytest.approx(high, rel=1e-5)
    assert low > engine.pdf(found[0] - 0.01 * engine.sd)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("p", [1e-7, 1e-12, 1e-30, 1e-100])
@pytest.mark.parametrize(
    ("a", "b"), [([469808.5, 247.5, 6393.5], [0.5, 0.5, 0.5]), ([679.0, 1217.0, 36.0], [75.0, 1.0, 1.0])]
)
def test_far_quantiles_are_where_their_tails_are(a: list[float], b: list[float], p: float) -> None:
    engine = mean_of(a, b)
    assert float(engine.cdf(engine.quantile(p))) == pytest.approx(p, rel=1e-8, abs=0)


def test_the_end_series_of_large_counts() -> None:
    """P(1 - X <= v) of three perfect classes under Jeffreys: near the end Gammas of shape 1/2, which add up."""
    counts = [469808.5, 247.5, 6393.5]
    form = linear_form((), (counts, [0.5] * 3, [1.0] * 3), 0.0)
    found = end_mass(form, 1e-12, upper=True)
    assert found is not None
    with mpmath.workdps(30):
        density = mpmath.mpf(1)
        for n in counts:
            density /= mpmath.beta(n, 0.5) / mpmath.gamma(0.5)
        leading = density * mpmath.mpf(1e-12) ** 1.5 / mpmath.gamma(2.5)
    assert found[0] == pytest.approx(float(leading), rel=1e-6)
    assert end_distance(form, found[0], upper=True) == pytest.approx(1e-12, rel=1e-6)


@pytest.mark.parametrize("alpha", [1e-3, 0.01, 0.1])
def test_parameters_near_0_keep_their_digits_at_both_ends(alpha: float) -> None:
    """F(v) = (2v)^(2a) Gamma(a)^2 / (B(a, a)^2 Gamma(2a + 1)) up to a share v, and the law is symmetric."""
    engine = mean_of([alpha] * 2, [alpha] * 2)
    v = 1e-15
    with mpmath.workdps(30):
        a = mpmath.mpf(alpha)
        leading = (
            (2 * mpmath.mpf(v)) ** (2 * a) * mpmath.gamma(a) ** 2 / mpmath.beta(a, a) ** 2 / mpmath.gamma(2 * a + 1)
        )
    assert float(engine.cdf(v)) == pytest.approx(float(leading), rel=1e-12)
    assert float(engine.sf(v)) == pytest.approx(1 - float(leading), rel=1e-12)
    assert float(engine.cdf(0.5)) == pytest.approx(0.5, abs=1e-14)
    assert float(engine.cdf(0.3) + engine.cdf(0.7)) == pytest.approx(1, abs=1e-14)
    p = np.array([0.01, 0.1, 0.2])
    assert engine.cdf(engine.quantile(p)) == pytest.approx(np.where(engine.quantile(p) > 0, p, 0), abs=1e-12)


def test_the_mode_of_two_arcsine_laws_is_their_logarithmic_pole() -> None:
    assert mean_of([0.5, 0.5], [0.5, 0.5]).mode() == 0.5


def test_a_long_series_in_giant_steps_is_the_plain_sum() -> None:
    rng = np.random.default_rng(1)
    phi = rng.normal(size=3 * LONG + 5) * np.exp(1j * rng.uniform(0, 6, 3 * LONG + 5)) / np.arange(1, 3 * LONG + 6) ** 2
    z = np.linspace(-0.4, 0.5, 7)
    t = 2 * np.pi / 1.3 * np.arange(1, len(phi) + 1)
    terms = phi * 2 / (1.3 * t) * np.exp(-1j * np.multiply.outer(z, t))
    cdf, f, slope = FourierSeries(1.3, phi).evaluate(z)
    assert cdf == pytest.approx(0.5 + z / 1.3 - terms.sum(axis=1).imag, abs=1e-13)
    assert f == pytest.approx(1 / 1.3 + (terms * t).sum(axis=1).real, abs=1e-11)
    assert slope == pytest.approx((terms * t * t).sum(axis=1).imag, abs=1e-8)


@pytest.mark.deep
def test_three_widths_are_not_an_integral_within_an_integral() -> None:
    """Against the same law with its parts conditioned on one after the other."""
    a, b = [1326315.0, 3.0, 13112.0, 17.0], [147369.0, 1.0, 14.0, 1.0]
    engine = mean_of(a, b)
    form = linear_form((), (a, b, [0.25] * 4), 0.0)
    parts = split_by_width(form)
    assert parts is not None
    nested = Convolution(form, parts[0], law_of(parts[0]), parts[1], law_of(parts[1]))
    x = form.mean + form.sd * np.array([-2.0, 0.0, 1.2])
    assert engine.cdf(x) == pytest.approx(nested.evaluate(x - form.mean)[0], abs=1e-13)


def test_a_transform_of_many_nodes_in_parts_is_the_plain_sum() -> None:
    rng = np.random.default_rng(3)
    deviation, weight = (
        rng.normal(size=(2, 2 * POWERS_AT_A_TIME // 100)),
        rng.uniform(size=(2, 2 * POWERS_AT_A_TIME // 100)),
    )
    found = equispaced_transform(deviation, weight, 0.3, 0.1, 625)[:, [0, 7, 624]]
    t = 0.3 + 0.1 * np.array([0, 7, 624])
    plain = (weight[:, :, None] * np.exp(1j * deviation[:, :, None] * t)).sum(axis=1)
    assert found == pytest.approx(plain, abs=1e-10)


def test_roots_in_a_bracket_of_a_straight_and_of_a_bent_function() -> None:
    assert bracketed_root(lambda x: x - 0.25, (0.0, -0.25), (1.0, 0.75), 1e-14) == pytest.approx(0.25, abs=1e-14)
    root = bracketed_root(lambda x: x**9 - 1e-9, (0.0, -1e-9), (2.0, 512.0), 1e-14)
    assert root == pytest.approx(0.1, abs=1e-12)
