"""Mixtures: weighted sums of their parts, their inverse and shape by a second route, and what joining costs."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaSum, BinaryLaw, DirichletRows, Draws, Law, Linear, Mixture
from howsure.numerics.solve.roots import bisect_increasing

COUNT = st.floats(0.3, 200)
PARTS = st.lists(st.tuples(COUNT, COUNT, st.floats(0.01, 1)), min_size=1, max_size=8)
LEVELS = np.array([1e-9, 0.025, 0.3, 0.5, 0.975, 1 - 1e-7])


def of_parts(parts: list[tuple[float, float, float]]) -> Mixture:
    a, b, w = np.array(parts).T
    return Mixture.of_betas(a, b, w / w.sum())


def random_mixture(seed: int, count: int, spread: float = 0.7) -> Mixture:
    rng = np.random.default_rng(seed)
    a, b = np.exp(rng.normal(2.5, spread, (2, count)))
    return Mixture.of_betas(a, b, rng.dirichlet(np.ones(count)))


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


@given(PARTS)
def test_quantiles_are_those_of_bisection(parts: list[tuple[float, float, float]]) -> None:
    law = of_parts(parts)
    found, slow = law.quantile(LEVELS), bisect_increasing(law.cdf, LEVELS, 0.0, 1.0)
    assert np.all((np.abs(found - slow) < 1e-9 * law.sd) | (np.abs(law.cdf(found) - LEVELS) < 1e-12 * LEVELS))
    assert (law.quantile(0), law.quantile(1)) == (0, 1)


@given(PARTS)
def test_moments_are_integrals(parts: list[tuple[float, float, float]]) -> None:
    assume(all(min(a, b) >= 0.5 for a, b, _ in parts))  # the quadrature below is coarse at an infinite density
    law = of_parts(parts)
    edges = np.concatenate(([0.0], law.quantile(np.linspace(0.02, 0.98, 25)), [1.0]))
    nodes, weights = np.polynomial.legendre.leggauss(30)
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half * (1 + nodes)
    above, density = law.sf(x), law.pdf(x)
    assert law.mean == pytest.approx(float((half * weights * above).sum()), abs=2e-6)
    second = float((half * weights * 2 * x * above).sum())
    assert law.sd == pytest.approx(np.sqrt(second - law.mean**2), rel=1e-3)
    wide = half[:, 0] < 0.5 * (edges[1:-1].max() - edges[1:-1].min())
    wide[[0, -1]] = False  # a density may be infinite at its ends
    np.testing.assert_allclose(np.sum(half * weights * density, axis=1)[wide], np.diff(law.cdf(edges))[wide], rtol=1e-3)


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


def test_components_of_any_kind_give_the_same_law() -> None:
    law = random_mixture(3, 6)
    other = generic(law)
    x = law.quantile(np.array([0.001, 0.2, 0.5, 0.9]))
    np.testing.assert_allclose(other.cdf(x), law.cdf(x), atol=1e-9)
    assert other.interval() == pytest.approx(law.interval(), abs=1e-7)
    assert other.interval(kind="central") == pytest.approx(law.interval(kind="central"), abs=1e-7)


def test_far_tails_have_relative_accuracy() -> None:
    a, b, w = [900.0, 40.0, 3.0], [100.0, 60.0, 2.0], [0.5, 0.3, 0.2]
    law = Mixture.of_betas(a, b, w)
    with mpmath.workdps(40):
        for x in (1e-5, 0.02):
            low = mpmath.fsum(
                wk * mpmath.betainc(ak, bk, 0, x, regularized=True) for ak, bk, wk in zip(a, b, w, strict=True)
            )
            assert law.cdf(x) == pytest.approx(float(low), rel=1e-12, abs=0)
            y = mpmath.mpf(1 - x)
            high = mpmath.fsum(
                wk * mpmath.betainc(ak, bk, y, 1, regularized=True) for ak, bk, wk in zip(a, b, w, strict=True)
            )
            assert law.sf(1 - x) == pytest.approx(float(high), rel=1e-11, abs=0)
    assert law.cdf(law.quantile(1e-20)) == pytest.approx(1e-20, rel=1e-9, abs=0)


def test_sampling_agrees_with_the_law() -> None:
    for law in (random_mixture(1, 5), generic(random_mixture(2, 3))):
        sample = law.sample(40_000, seed=3)
        assert sample.mean() == pytest.approx(law.mean, abs=4 * law.sd / 200)
        assert np.mean(sample < law.quantile(0.2)) == pytest.approx(0.2, abs=4 * 0.002)


def test_mixtures_of_mixtures_are_their_components() -> None:
    inner = Mixture([Beta(2, 3), Beta(4, 5)], [0.25, 0.75])
    outer = Mixture([inner, Beta(6, 7)], [0.4, 0.6])
    np.testing.assert_allclose(outer.weights, [0.1, 0.3, 0.6])
    assert len(outer.laws) == 3


def test_atoms_and_draws_may_be_components() -> None:
    law = Mixture([Linear(shift=0.3), Linear(shift=0.7), Beta(3, 3)], [0.25, 0.25, 0.5])
    assert (law.prob(below=0.3), law.cdf(0.3)) == pytest.approx(
        (0.5 * Beta(3, 3).cdf(0.3), 0.25 + 0.5 * Beta(3, 3).cdf(0.3))
    )
    assert law.quantile(0.25) == pytest.approx(0.3)
    drawn = Mixture([Draws(np.linspace(0, 1, 101)), Beta(3, 3)])
    assert drawn.route == "drawn"
    assert drawn.median == pytest.approx(0.5, abs=0.01)


# -- sums and differences ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["mixture - linear", "linear - mixture", "linear + mixture", "number - mixture"])
def test_mixtures_and_linear_laws_combine(order: str) -> None:
    mixture, linear = random_mixture(5, 4), BetaSum([31, 4, 9], [3, 2, 3])
    made: Any = {
        "mixture - linear": mixture - linear,
        "linear - mixture": linear - mixture,
        "linear + mixture": linear + mixture,
        "number - mixture": 1 - mixture,
    }[order]
    first = 1.0 if order.startswith("number") else linear.mean
    sign = -1 if " - " in order else 1
    mean = mixture.mean - linear.mean if order.startswith("mixture") else first + sign * mixture.mean
    assert isinstance(made, Mixture)
    assert made.mean == pytest.approx(mean)
    assert made.sd == pytest.approx(mixture.sd if order.startswith("number") else np.hypot(mixture.sd, linear.sd))


def test_a_sum_is_the_law_of_the_sum_by_draws() -> None:
    first, second = random_mixture(7, 5), random_mixture(8, 4)
    gap = first - 0.5 * second
    drawn = first.sample(100_000, seed=1) - 0.5 * second.sample(100_000, seed=2)
    assert gap.route == "exact"
    for x in gap.quantile(np.array([0.05, 0.5, 0.95])):
        p = gap.cdf(float(x))
        assert np.mean(drawn <= x) == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / 100_000))


def test_equal_components_are_merged_exactly() -> None:
    many = Mixture([Beta(5, 3)] * 200 + [Beta(5.0, 3.0) for _ in range(100)] + [Beta(2, 2)])
    total = many + Mixture([Beta(9, 2), Beta(9, 2)])
    assert len(total.laws) == 2
    assert total.route == "exact"
    np.testing.assert_allclose(sorted(total.weights), [1 / 301, 300 / 301])


@pytest.mark.sweep(1)
@pytest.mark.parametrize("spread", [0.3, 0.8, 1.5])
def test_the_error_of_joining_is_honest(spread: float) -> None:
    first, second = random_mixture(11, 20, spread), random_mixture(12, 20, spread)
    joined = first - second
    assert len(joined.laws) <= 256
    assert joined.route == "approximate"
    full = Mixture([a - b for a in first.laws for b in second.laws], np.outer(first.weights, second.weights).ravel())  # type: ignore[operator]
    x = np.linspace(-1, 1, 301)
    actual = float(np.abs(full._evaluate(x)[0] - joined._evaluate(x)[0]).max())
    assert actual <= joined.error < 0.005
    assert (joined.mean, joined.sd) == pytest.approx((full.mean, full.sd), abs=1e-12)


@pytest.mark.deep
@pytest.mark.parametrize("count", [257, 700])
def test_a_long_mixture_is_joined_too(count: int) -> None:
    law = random_mixture(13, count)
    joined = law + Beta(9, 2) - Beta(9, 2)
    assert len(joined.laws) <= 256
    alone = law._joined(256)
    x = np.linspace(0, 1, 2001)
    actual = float(np.abs(law.cdf(x) - alone.cdf(x)).max())
    assert 0 < actual <= alone.error < 1e-3
    assert (alone.mean, alone.sd) == pytest.approx((law.mean, law.sd), rel=1e-12)
    assert joined.mean == pytest.approx(law.mean)
    assert (2 * joined).error == joined.error > 0
    assert Mixture([joined, Beta(1, 2)], [0.5, 0.5]).error == pytest.approx(joined.error / 2, abs=1e-9)


def test_points_can_be_joined() -> None:
    points = Mixture([Linear(shift=k / 400) for k in range(300)])
    joined = points._joined(100)
    x = np.linspace(0, 0.75, 1001)
    assert np.abs(points.cdf(x) - joined.cdf(x)).max() <= joined.error < 0.01
    assert joined.sd == pytest.approx(points.sd)


def test_shared_rows_are_refused() -> None:
    rows = DirichletRows([[5.0, 3.0]])
    shared = Linear([([[1.0, 0.0]], rows)])
    mixture = Mixture([shared, Beta(2, 2)])
    for act in (lambda: mixture - mixture, lambda: 2 * mixture - shared, lambda: shared + mixture):
        with pytest.raises(InvalidArgument, match="same random rows"):
            act()


def test_laws_that_do_not_add_say_so() -> None:
    f1: Law = BinaryLaw("f1", (27, 9), (27, 1), (7, 3))
    mixture = Mixture([f1, Beta(2, 3)])
    assert mixture.route == "exact"
    assert mixture.interval(kind="central")[0] < mixture.median < mixture.interval(kind="central")[1]
    with pytest.raises(InvalidArgument, match="BinaryLaw is not closed"):
        2 * mixture
    with pytest.raises(InvalidArgument, match="BinaryLaw and Beta have no exact sum"):
        mixture + Beta(1, 2)
    with pytest.raises(TypeError):
        mixture + "1"  # type: ignore[operator]


@pytest.mark.parametrize(
    "arguments", [([1, 2], [1, 2, 3]), ([1, 0], [1, 1]), ([[1.0]], [[1.0]]), ([np.inf], [1]), ([], [])]
)
def test_arrays_of_betas_are_checked(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidArgument):
        Mixture.of_betas(*arguments)
    with pytest.raises(InvalidArgument):
        Mixture.of_betas([1], [1], width=-1)


def test_a_mixture_is_its_weighted_parts() -> None:
    parts, weights = [Beta(9, 2), Beta(2, 9), BetaSum([5, 3], [2, 2])], [0.5, 0.2, 0.3]
    law = Mixture(parts, weights)
    x = np.linspace(0.05, 0.95, 7)
    np.testing.assert_allclose(law.cdf(x), sum(w * p.cdf(x) for w, p in zip(weights, parts, strict=True)), atol=1e-14)
    np.testing.assert_allclose(law.cdf(law.quantile(x)), x, atol=1e-12)
    sample = law.sample(100_000, seed=1)
    assert (law.mean, law.sd) == pytest.approx((sample.mean(), sample.std()), abs=0.003)
    assert Mixture([Beta(9, 2)]).interval() == pytest.approx(Beta(9, 2).interval(), abs=1e-6)
    assert law.interval(kind="central").width > 0.5


def test_mixtures_scale_shift_and_add() -> None:
    a, b = Mixture([Beta(9, 2), Beta(5, 5)], [0.7, 0.3]), Mixture([Beta(3, 4), Beta(8, 1)], [0.4, 0.6])
    gap = a - b
    assert len(gap.laws) == 4
    assert gap.mean == pytest.approx(a.mean - b.mean)
    assert gap.sd == pytest.approx(np.hypot(a.sd, b.sd))
    drawn = a.sample(200_000, seed=1) - b.sample(200_000, seed=2)
    assert gap.prob(above=0) == pytest.approx(np.mean(drawn > 0), abs=0.006)
    assert (2 * a + 1).mean == pytest.approx(2 * a.mean + 1)


@pytest.mark.parametrize("weights", [[0.5, 0.6], [1.5, -0.5], [1.0], ["a", 1]])
def test_weights_of_a_mixture_are_probabilities(weights: list[Any]) -> None:
    with pytest.raises((InvalidArgument, ValueError)):
        Mixture([Beta(1, 2), Beta(2, 1)], weights)
    with pytest.raises(InvalidArgument, match="at least one"):
        Mixture([])
