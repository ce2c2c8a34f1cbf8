"""Laws of few labels and many verdicts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from tests.conftest import REFERENCE

from howsure.laws import BinaryLaw, VerdictRatio, VerdictShare

CASES = [case for case in json.loads((REFERENCE / "judge.json").read_text("utf-8")) if "A" in case and "kind" in case]
GOLDEN = [case for case in CASES if case["kind"] in ("share", "ratio")]


def law_of(case: dict[str, Any]) -> VerdictShare | VerdictRatio:
    given = case["A"], case["a"], case["b"]
    return VerdictShare(*given) if case["kind"] == "share" else VerdictRatio(*given, part=[1, 0])


@pytest.mark.sweep(6, full=13)
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"][:30])
def test_golden(case: dict[str, Any]) -> None:
    law = law_of(case)
    assert law.mean == pytest.approx(case["mean"], abs=1e-8)
    assert law.sd == pytest.approx(case["sd"], abs=1e-8)
    assert law.interval(kind="central") == pytest.approx(case["central"], abs=1e-8)
    shortest = law.interval()
    assert shortest == pytest.approx(case["hdi"], abs=1e-6)
    assert shortest.kind == "hdi"
    assert law.route == "exact"


def test_with_everything_labelled_the_judge_drops_out() -> None:
    """Verdicts N_v + 1 and rows n + 1/2 make theta ~ Beta(1 + passes, 1 + fails), whatever the judge said."""
    law = VerdictShare([81, 21], [78.5, 7.5], [2.5, 13.5])
    x = np.linspace(0.7, 0.95, 11)
    factors = law._factors
    for at in x.tolist():
        below, above, _ = factors.tails(np.ones(2), np.full(2, -at))
        assert below == pytest.approx(special.betainc(86, 16, at), abs=1e-12)
        assert above == pytest.approx(special.betainc(16, 86, 1 - at), rel=1e-10)
    assert law.cdf(x) == pytest.approx(special.betainc(86, 16, x), abs=1e-9)


def test_names_of_verdicts_do_not_matter() -> None:
    masses, a, b = np.array([1201.0, 301, 501]), np.array([60.5, 8.5, 4.5]), np.array([3.5, 7.5, 20.5])
    order = [2, 0, 1]
    first, second = VerdictShare(masses, a, b), VerdictShare(masses[order], a[order], b[order])
    assert first.interval() == pytest.approx(second.interval(), abs=1e-10)
    other = VerdictShare(masses, b, a)
    assert other.mean == pytest.approx(1 - first.mean, abs=1e-13)
    assert other.cdf(0.3) == pytest.approx(first.sf(0.7), abs=1e-10)


def test_two_routes_to_two_verdicts() -> None:
    share = VerdictShare([1401, 601], [65.5, 6.5], [7.5, 22.5])
    bias = BinaryLaw("bias", (1401, 601), (65.5, 7.5), (22.5, 6.5))
    assert share.interval(kind="central") == pytest.approx(bias.interval(kind="central"), abs=1e-7)
    x = [0.6, 0.7, 0.75]
    assert share.pdf(x) == pytest.approx(bias.pdf(x), rel=1e-5)
    # the judge's recall is the precision of the table turned round
    recall = VerdictRatio([430, 222], [231.5, 27.5], [32.5, 54.5], part=[1, 0])
    precision = BinaryLaw("precision", (430, 222), (231.5, 32.5), (54.5, 27.5))
    assert recall.interval(kind="central") == pytest.approx(precision.interval(kind="central"), abs=1e-7)


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize(("masses", "a", "b"), [([191, 11], [45.5, 0.5], [0.5, 0.5]), ([81, 21], [79, 8], [3, 14])])
def test_double_integral_and_sum_of_gammas(masses: list[float], a: list[float], b: list[float]) -> None:
    """Rough rows, and flat ones with everything labelled, where a Gamma has less mass than its Beta."""
    law = VerdictShare(masses, a, b)
    x = np.clip(law.mean + law.sd * np.array([-2, -0.8, 0.2, 1]), 0.01, 0.99)
    for at in x.tolist():
        below, above, _ = law._factors.tails(np.ones(2), np.full(2, -at))
        assert law.cdf(at) == pytest.approx(below, abs=1e-9)
        assert law.sf(at) == pytest.approx(above, abs=1e-9)
    assert law.route == "exact"
    turned = VerdictShare(masses, [a[0], b[1]], [b[0], a[1]], weights=[[1, 0], [0, 1]])
    assert turned.interval() == pytest.approx(law.interval(), abs=1e-9)


def test_accuracy_is_a_share_with_weights() -> None:
    masses, a, b = [1401, 601], [65.5, 6.5], [7.5, 22.5]
    accuracy = VerdictShare(masses, a, b, weights=[[1, 0], [0, 1]])
    assert accuracy.interval() == pytest.approx(VerdictShare(masses, [65.5, 22.5], [7.5, 6.5]).interval(), abs=1e-10)
    graded = VerdictShare(masses, a, b, weights=[[5, 1], [4, 2]])
    assert graded.support == (1, 5)
    drawn = graded.sample(100_000, seed=3)
    assert graded.mean == pytest.approx(drawn.mean(), abs=5 * drawn.std() / np.sqrt(len(drawn)))
    assert graded.cdf(graded.quantile(0.1)) == pytest.approx(0.1, abs=1e-9)


rate = st.floats(-0.3, 2.5).map(lambda e: round(10**e, 3))


@pytest.mark.full
@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(st.floats(0.5, 4.5).map(lambda e: 10**e), rate, rate), min_size=1, max_size=4))
def test_any_parameters_agree_with_draws(verdicts: list[tuple[float, float, float]]) -> None:
    masses, a, b = np.array(verdicts).T
    law = VerdictShare(masses + a + b, a, b)  # there are no more labels than cases
    drawn = law.sample(10_000, seed=11)
    assert law.mean == pytest.approx(drawn.mean(), abs=5.5 * law.sd / 100)
    x = law.mean + law.sd * np.array([-1.5, -0.5, 0.5, 1.0])
    x = x[(x > 0) & (x < 1)]
    F, _ = law._numbers._direct(x)
    assert (np.diff(F) >= 0).all()
    seen = np.array([(drawn <= at).mean() for at in x])
    assert np.abs(F - seen).max() < 5.5 * 0.5 / 100


@pytest.mark.parametrize(
    "call",
    [
        lambda: VerdictShare([0, 1], [1, 1], [1, 1]),
        lambda: VerdictShare([1, 1], [0, 1], [1, 1]),
        lambda: VerdictShare([1, 1], [1], [1, 1]),
        lambda: VerdictShare([1, 1], [1, 1], [1, 1], weights=[1, 0]),
        lambda: VerdictRatio([1, 1], [1, 1], [1, np.inf], part=[1, 0]),
        lambda: VerdictRatio([1, 1], [1, 1], [1, 1], part=[1, 2]),
    ],
)
def test_what_is_no_parameter_is_refused(call: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        call()
