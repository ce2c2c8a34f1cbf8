"""Mixtures: weighted sums of their parts, their inverse and shape by a second route."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from howsure.errors import InvalidArgument
from howsure.laws import Beta, BinaryLaw, Law, Mixture

COUNT = st.floats(0.3, 200)
PARTS = st.lists(st.tuples(COUNT, COUNT, st.floats(0.01, 1)), min_size=1, max_size=8)


def of_parts(parts: list[tuple[float, float, float]]) -> Mixture:
    a, b, w = np.array(parts).T
    return Mixture.of_betas(a, b, w / w.sum())


def generic(law: Mixture) -> Mixture:
    """The same law, asked component by component instead of as arrays."""
    made = Mixture(law.laws, law.weights)
    made.__dict__["_betas"] = None
    return made


@given(PARTS)
def test_betas_as_arrays_are_betas_as_laws(parts: list[tuple[float, float, float]]) -> None:
    law = of_parts(parts)
    x = np.arange(-2, 29) / 26  # with 0 and 1 themselves
    for what in ("cdf", "sf"):
        each = [getattr(Beta(a, b), what)(x) for a, b, _ in parts]
        np.testing.assert_allclose(getattr(law, what)(x), law.weights @ np.array(each), rtol=1e-12, atol=1e-300)
    inner = x[(x > 1e-6) & (x < 1 - 1e-6)]
    densities = [Beta(a, b).pdf(inner) for a, b, _ in parts]
    np.testing.assert_allclose(law.pdf(inner), law.weights @ np.array(densities), rtol=1e-9, atol=1e-250)
    same = Mixture([Beta(a, b) for a, b, _ in parts], law.weights)
    assert (same.mean, same.sd) == pytest.approx((law.mean, law.sd), rel=1e-12)
    np.testing.assert_allclose(same.cdf(x), law.cdf(x), rtol=1e-13)


@example([(23.0, 1.0, 1.0), (0.5, 71.0, 1.0)], 1.0, 1.0, False)
@given(PARTS, st.floats(0.1, 5), st.floats(-3, 3), st.booleans())
def test_linear_maps_commute(parts: list[tuple[float, float, float]], factor: float, shift: float, flip: bool) -> None:
    law, factor = of_parts(parts), -factor if flip else factor
    moved = factor * law + shift
    assert (moved.mean, moved.sd) == pytest.approx((factor * law.mean + shift, abs(factor) * law.sd), abs=1e-12)
    p = np.array([0.1, 0.5, 0.9])
    before, after = law.quantile(1 - p if flip else p), moved.quantile(p)
    np.testing.assert_allclose(moved.cdf(after), p, atol=1e-9)
    # between two far peaks whole stretches are the quantile, to all digits of the distribution function
    one = law.pdf(before) > 1e-8
    np.testing.assert_allclose(after[one], (factor * before + shift)[one], atol=1e-7 * abs(factor))
    np.testing.assert_allclose((moved - shift).cdf(factor * p), (1 - law.cdf(p)) if flip else law.cdf(p), atol=1e-9)
    assert moved.route == "exact"


@given(PARTS)
def test_highest_density_interval_is_the_densest_set(parts: list[tuple[float, float, float]]) -> None:
    law = of_parts(parts)
    interval = law.interval()
    low, high = interval
    assert law.cdf(high) - law.cdf(low) == pytest.approx(0.95, abs=1e-7)
    assert interval.width <= law.interval(kind="central").width * (1 + 1e-9)
    if interval.kind == "hdi":
        edges = np.linspace(0, 1, 4001)
        mass, middle = np.diff(law.cdf(edges)), edges[1:] - 1 / 8000
        order = np.argsort(-mass)
        densest = order[: int(np.searchsorted(np.cumsum(mass[order]), 0.95))]
        beyond = (middle[densest] < low - 0.001) | (middle[densest] > high + 0.001)
        assert mass[densest][beyond].sum() < 1e-3


def test_two_separate_peaks_have_no_highest_density_interval() -> None:
    assert Mixture([Beta(90, 10), Beta(10, 90)]).interval().kind == "central"
    assert Mixture([Beta(0.5, 0.5), Beta(0.4, 0.6)]).interval().kind == "central"
    assert Mixture([Beta(1, 1), Beta(1, 1)]).interval().kind == "central"
    assert Mixture([Beta(90, 10), Beta(80, 20)]).interval().kind == "hdi"
    assert generic(Mixture([Beta(90, 10), Beta(10, 90)])).interval().kind == "central"


def test_mode_is_where_the_density_is_highest() -> None:
    law = Mixture([Beta(30, 10), Beta(9, 12)], [0.7, 0.3])
    x = np.linspace(0, 1, 100_001)[1:-1]
    assert law.mode == pytest.approx(x[np.argmax(law.pdf(x))], abs=2e-5)
    assert generic(law).mode == pytest.approx(law.mode, abs=1e-7)
    assert Mixture([Beta(9, 1), Beta(8, 1)]).mode == 1
    assert Mixture([Beta(0.5, 4), Beta(3, 3)]).mode == 0
    assert Mixture([Beta(4, 4)]).mode == pytest.approx(0.5, abs=1e-9)


@pytest.mark.full
def test_laws_that_do_not_add_say_so() -> None:
    f1: Law = BinaryLaw("f1", (27, 9), (27, 1), (7, 3))
    mixture = Mixture([f1, Beta(2, 3)])
    assert mixture.route == "exact"
    assert mixture.interval(kind="central")[0] < mixture.median < mixture.interval(kind="central")[1]
    with pytest.raises(InvalidArgument, match="BinaryLaw is not closed"):
        2 * mixture
    for other in (Beta(1, 2), "1"):
        with pytest.raises(TypeError):
            mixture + other  # type: ignore[operator]


@pytest.mark.parametrize("arguments", [([1, 2], [1, 2, 3]), ([1, 0], [1, 1]), ([], [])])
def test_arrays_of_betas_are_checked(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidArgument):
        Mixture.of_betas(*arguments)
    with pytest.raises(InvalidArgument):
        Mixture.of_betas([1], [1], width=-1)


def test_mixtures_scale_and_shift() -> None:
    a = Mixture([Beta(9, 2), Beta(5, 5)], [0.7, 0.3])
    assert (2 * a + 1).mean == pytest.approx(2 * a.mean + 1)
    assert (1 - a).cdf(0.3) == pytest.approx(a.sf(0.7))


@pytest.mark.parametrize("weights", [[0.5, 0.6], [1.5, -0.5], [1.0]])
def test_weights_of_a_mixture_are_probabilities(weights: list[Any]) -> None:
    with pytest.raises((InvalidArgument, ValueError)):
        Mixture([Beta(1, 2), Beta(2, 1)], weights)
    with pytest.raises(InvalidArgument, match="at least one"):
        Mixture([])
