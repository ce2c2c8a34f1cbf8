"""Laws of rates and of their sums: linear, mixed, transformed, learned, extreme."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import integrate, special, stats
from tests.conftest import REFERENCE

from howsure.errors import InvalidArgument
from howsure.laws import (
    Beta,
    BetaSum,
    BinaryLaw,
    DirichletRows,
    Draws,
    Extreme,
    Law,
    LearnedSum,
    Linear,
    Mixture,
    Monotone,
    PairedDifference,
    Transformed,
    rank_probabilities,
)
from howsure.numerics.populations.population import Population


def test_rows_have_identity() -> None:
    rows = DirichletRows([[9.0, 3.0], [4.0, 2.0]])
    first, second = Linear([([[1, 0], [0, 0]], rows)]), Linear([([[1, 0], [1, 0]], rows)])
    both = second - first
    assert both.mean == pytest.approx(4 / 6)
    assert both.sd == pytest.approx(Beta(4, 2).sd)
    assert (first - first).sd == 0
    copy = Linear([([[1, 0], [0, 0]], DirichletRows(rows.alphas))])
    assert (first - copy).sd == pytest.approx(np.sqrt(2) * first.sd)


def test_a_constant_is_a_law() -> None:
    law = Linear(shift=0.25)
    assert (law.mean, law.sd, law.support, law.median, law.mode) == (0.25, 0, (0.25, 0.25), 0.25, 0.25)
    assert law.interval() == (0.25, 0.25)
    assert (law.cdf(0.2), law.cdf(0.25), law.sf(0.25), law.prob(below=0.25), law.prob(above=0.2)) == (0, 1, 0, 0, 1)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Beta(0, 1), "numbers above 0, not 0"),
        (lambda: BetaSum([1, 2], [1]), "one length"),
        (lambda: Linear([([1, 2, 3], [1, 1])]), "do not fit"),
        (lambda: Linear([([1, np.inf], [1, 1])]), "must be finite"),
        (lambda: DirichletRows([[0, 0]]), "at least one above 0"),
        (lambda: Beta(2, 2).interval(95), r"strictly between 0 and 1, not 95 \(95% is 0.95\)"),
        (lambda: Beta(2, 2).interval(0.9, "eti"), "'hdi' or 'central'"),  # type: ignore[arg-type]
        (lambda: Beta(2, 2).quantile(1.5), "0 <= p <= 1"),
        (lambda: Beta(2, 2).prob(), "exactly one of"),
        (lambda: Beta(2, 2).prob(above=0.1, below=0.2), "exactly one of"),
        (lambda: Beta(2, 2).prob(between=(0.4, 0.2)), "low <= high"),
        (lambda: Beta(2, 2).prob(above=float("nan")), "must be a number"),
    ],
)
def test_what_is_no_law_is_refused(make: Any, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        make()


def test_the_mode_of_a_u_shaped_beta_is_its_heavier_end() -> None:
    assert [Beta(*ab).mode for ab in ((0.5, 0.3), (0.3, 0.5), (0.5, 0.5), (1, 1))] == [1.0, 0.0, 0.0, 0.5]
    assert [Beta(*ab).mode for ab in ((3, 1), (1, 3), (3, 2))] == [1.0, 0.0, pytest.approx(2 / 3)]


def test_the_density_of_a_beta_at_an_end_is_its_limit() -> None:
    assert (Beta(1, 4).pdf(0.0), Beta(3, 1).pdf(1.0), Beta(2, 3).pdf(0.0)) == pytest.approx((4.0, 3.0, 0.0))
    assert Beta(1, 4).pdf(1e-9) == pytest.approx(4.0, rel=1e-6)
    assert BetaSum([1], [4], [0.5]).pdf(0.0) == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("law", "shown"),
    [
        (Linear([([1, 0], [31, 3])]), "Beta(31, 3)"),
        (1 - Linear([([1, 0], [31, 3])]), "Beta(3, 31)"),
        (Linear([([0, 1, 1, 0], [1, 2, 3, 4])]), "Beta(5, 5)"),
        (0.5 * Beta(31, 3), "<Linear: 1 independent row, mean 0.4559, sd 0.024>"),
        (Beta(31, 3) - Beta(2, 2), "<Linear: 2 independent rows, mean 0.4118, sd 0.23>"),
    ],
)
def test_a_rate_prints_as_the_beta_that_it_is(law: Linear, shown: str) -> None:
    assert repr(law) == shown


# -- mixtures: weighted sums of their parts, their inverse and shape by a second route --------------------------------

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


# -- monotone functions of numbers whose law is known -----------------------------------------------------------------


def inverse(x: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return 1 / np.maximum(x, 0.0)


def test_a_square_root_has_the_law_of_change_of_variables() -> None:
    law = Transformed(Beta(4, 9), Monotone(np.sqrt, np.square, lambda y: 2 * y, (0.0, 1.0)))
    y = np.array([0.3, 0.5, 0.8])
    np.testing.assert_allclose(law.cdf(y), stats.beta(4, 9).cdf(y * y), rtol=1e-12)
    np.testing.assert_allclose(law.pdf(y), stats.beta(4, 9).pdf(y * y) * 2 * y, rtol=1e-9)
    assert law.mean == pytest.approx(stats.beta(4, 9).expect(np.sqrt), abs=1e-8)
    assert law.sd == pytest.approx(np.sqrt(4 / 13 - law.mean**2), abs=1e-8)
    low, high = law.interval()
    assert law.prob(between=(low, high)) == pytest.approx(0.95, abs=1e-9)
    assert law.pdf(low) == pytest.approx(law.pdf(high), rel=1e-3)
    assert law.pdf(law.mode) >= law.pdf(np.linspace(0.2, 0.9, 50)).max() * (1 - 1e-6)


def test_what_is_infinite_keeps_its_mass_there() -> None:
    gain = BetaSum([5, 6], [5, 4], [1, 1]) - 1
    law = Transformed(gain, Monotone(inverse, inverse, lambda y: 1 / (y * y), (1.0, np.inf), rises=False))
    below = gain.cdf(0.0)
    assert 0.2 < below < 0.4
    assert law.prob(above=1e12) == pytest.approx(below, abs=1e-9)
    assert law.quantile(1 - below / 2) == np.inf
    assert law.cdf(2.0) == pytest.approx(gain.sf(0.5), abs=1e-12)
    assert (law.mean, law.sd) == (np.inf, np.inf)
    ends = law.interval(0.5)
    assert (ends.kind, np.isfinite(ends.high)) == ("hdi", True)
    assert law.interval(0.95).high == np.inf
    assert law.interval(0.95).kind == "central"


# -- sums of learned recalls: closed under arithmetic, with identity, against joint draws -----------------------------

THIRD = np.full(3, 1 / 3)


@pytest.fixture(scope="module")
def one() -> Population:
    return Population([30, 3, 8], [32, 4, 10])


@pytest.fixture(scope="module")
def other() -> Population:
    return Population([25, 2, 6], [32, 4, 10])


def test_weights_on_the_same_recalls_add_up(one: Population) -> None:
    mean, first = LearnedSum([(one, THIRD)]), LearnedSum([(one, np.eye(3)[0])])
    assert ((mean - mean).mean, (mean - mean).sd) == (0, 0)
    gap = 2 * mean - first + 1
    alone = LearnedSum([(one, 2 * THIRD - np.eye(3)[0])])
    assert gap.mean == pytest.approx(alone.mean + 1)
    assert gap.interval() == pytest.approx([x + 1 for x in alone.interval()])
    assert gap.blocks == frozenset([one])
    assert (1 - mean).support == pytest.approx((0, 1))


def test_they_can_be_ranked(one: Population, other: Population) -> None:
    laws = [LearnedSum([(one, THIRD)]), LearnedSum([(other, THIRD)])]
    matrix = rank_probabilities(laws)
    assert matrix[0, 0] == pytest.approx((laws[0] - laws[1]).prob(above=0), abs=5e-3)


@pytest.mark.full
@pytest.mark.parametrize(
    ("right", "cases"),
    [([0, 20, 20], [20, 20, 20]), ([0, 20, 20, 20], [1, 20, 20, 20])],
    ids=["twenty cases", "one case"],
)
def test_one_dead_class_among_perfect_ones_is_known_as_well_as_it_says(right: list[int], cases: list[int]) -> None:
    """The law has a peak inside: nodes that were spread wore it away unsaid, by 0.03, and Betas missed it by 0.1."""
    recalls, mean = Population(right, cases), np.full(len(right), 1 / len(right))
    law, peak = LearnedSum([(recalls, mean)]), (len(right) - 1) / len(right)
    drawn = recalls.draw_sum(mean, 100_000, np.random.default_rng(1))
    # at the peak itself a difference in the last digit of a double is a probability
    places = np.append(np.quantile(drawn, [0.025, 0.1, 0.9, 0.975]), peak + np.array([-3e-3, -3e-4, 3e-4, 3e-3]))
    shares = np.searchsorted(np.sort(drawn), places, side="right") / len(drawn)
    assert law.cdf(places) == pytest.approx(shares, abs=law.error + 6e-3)
    assert law.error < 5e-3
    assert law.mean == pytest.approx(drawn.mean(), abs=5 * law.sd / np.sqrt(len(drawn)))


# -- the smallest and the largest of independent rates ----------------------------------------------------------------

RATES = {
    "perfect": ([10, 5, 8], [1, 1, 1]),
    "jeffreys": ([0.5, 9.5, 4.5], [6.5, 0.5, 0.5]),
    "many": (np.arange(3, 63), np.full(60, 3)),
}


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(("case", "largest"), [("perfect", False), ("jeffreys", True), ("many", False)])
def test_extremes_agree_with_draws(case: str, largest: bool) -> None:
    law = Extreme(*RATES[case], largest=largest)
    drawn = Draws(law.sample(40_000, seed=3))
    assert law.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
    assert law.sd == pytest.approx(drawn.sd, rel=0.03)
    for p in (0.025, 0.5, 0.975):
        assert law.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
        assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-9)
    low, high = law.interval()
    assert 0 <= low < high <= 1
    assert law.prob(between=(low, high)) == pytest.approx(0.95, abs=1e-6)
    assert low <= law.mode <= high
    assert law.route == "exact"


@pytest.mark.parametrize("case", ["perfect", "jeffreys"])
def test_moments_and_density_are_those_of_quadrature(case: str) -> None:
    a, b = (np.array(x, dtype=float) for x in RATES[case])
    law = Extreme(a, b)

    def survival(x: float) -> float:
        return float(np.prod(special.betaincc(a, b, x)))

    mean = integrate.quad(survival, 0, 1, epsabs=1e-12, limit=500)[0]
    square = integrate.quad(lambda x: 2 * x * survival(x), 0, 1, epsabs=1e-12, limit=500)[0]
    assert law.mean == pytest.approx(mean, abs=1e-8)
    assert law.sd == pytest.approx(np.sqrt(square - mean**2), abs=1e-7)
    x = np.array([0.2, 0.6, 0.9])
    h = 1e-5
    np.testing.assert_allclose(
        law.pdf(x), [(survival(y - h) - survival(y + h)) / (2 * h) for y in x], rtol=1e-6, atol=1e-9
    )


def test_what_is_no_rate_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="above 0"):
        Extreme([1, 0], [1, 1])
    with pytest.raises(InvalidArgument, match="of one length"):
        Extreme([1, 2], [1])


# -- the law of the difference of two classifiers on the same cases ---------------------------------------------------

GOLDEN = json.loads((REFERENCE / "numerics.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["paired"], ids=lambda c: str(len(c["w"])))
def test_paired_differences_are_golden(case: dict[str, Any]) -> None:
    law = PairedDifference(case["cells_a11_a10_a01_a00"], case["w"])
    np.testing.assert_allclose(law.cdf(case["x"]), case["cdf"], atol=1e-10)
    assert (law.mean, law.sd) == pytest.approx((case["mean"], case["sd"]))


def test_a_paired_difference_is_zero_for_a_classifier_and_itself_and_the_mean_of_its_classes() -> None:
    assert PairedDifference([[9, 0, 0, 3], [4, 0, 0, 2]]).interval() == (0, 0)
    cells = [[9, 4, 1, 3], [4, 2, 5, 2]]
    assert PairedDifference(cells).mean == pytest.approx(np.mean([PairedDifference([row]).mean for row in cells]))
