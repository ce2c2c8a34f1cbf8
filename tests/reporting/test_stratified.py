"""Balanced accuracy over class and stratum: the example, exact against draws, weights, and cells without a case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation

EXAMPLE = {
    name: hs.ConfusionMatrix([[k, n - k], [n - k, k]], ["healthy", "ill"])
    for name, k, n in [("marked", 86, 90), ("plain", 1, 10)]
}
HOLED = {**EXAMPLE, "third": hs.ConfusionMatrix([[3, 1], [0, 0]], ["healthy", "ill"])}


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("weights", ["equal", "pooled", {"marked": 1, "plain": 2, "third": 5}])
def test_exact_and_drawn_agree(weights: Any) -> None:
    made = hs.stratified(HOLED, weights, kind="central")
    shares = {
        "equal": [1 / 3] * 3,
        "pooled": [180 / 204, 20 / 204, 4 / 204],
    }.get(weights if isinstance(weights, str) else "", [1 / 8, 2 / 8, 5 / 8])
    rng = np.random.default_rng(0)
    total = np.zeros(200_000)
    for share, table in zip(shares, HOLED.values(), strict=True):
        for i in range(2):
            right, cases = table.counts[i, i], table.counts[i].sum()
            total += share / 2 * rng.beta(2 / 3 + right, 2 / 3 + cases - right, len(total))
    assert made.shares == pytest.approx(dict(zip(HOLED, shares, strict=True)))
    assert (made.mean, made.low, made.high) == pytest.approx(
        (total.mean(), *np.quantile(total, [0.025, 0.975])), abs=2e-3
    )


def test_a_cell_without_a_case_is_kept_and_said() -> None:
    made = hs.stratified(HOLED)
    assert made.empty == pytest.approx(1 / 6)
    assert made.bounds is not None
    assert made.bounds[0] < made.low < made.high < made.bounds[1]
    known = hs.stratified(EXAMPLE)
    assert made.bounds[1] - made.bounds[0] > known.high - known.low
    assert "16.7% of the weight rests on" in str(made)
    assert "WARNING: more than a tenth" in str(made)


def test_a_cell_without_a_case_is_dropped_inside_its_class() -> None:
    made = hs.stratified(HOLED, empty="drop")
    assert made.dropped == (("ill", "third"),)
    weights = [cell["weight"] for cell in made.to_dict()["cells"]]
    assert weights == pytest.approx([1 / 6, 1 / 4, 1 / 6, 1 / 4, 1 / 6, 0])
    first, second, third = ((k + 2 / 3) / (n + 4 / 3) for k, n in ((86, 90), (1, 10), (3, 4)))
    assert made.mean == pytest.approx((first + second + third) / 6 + (first + second) / 4)
    assert "another question: ill in third" in str(made)


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=5))
@settings(max_examples=15, deadline=None)
def test_the_mean_is_that_of_the_strata_alone(counts: list[tuple[int, int, int, int]]) -> None:
    tables = {str(i): hs.ConfusionMatrix([[1 + a, b], [c, 1 + d]]) for i, (a, b, c, d) in enumerate(counts)}
    made = hs.stratified(tables)
    s = 2 / 3
    recalls = [((s + 1 + a) / (2 * s + 1 + a + b) + (s + 1 + d) / (2 * s + 1 + c + d)) / 2 for a, b, c, d in counts]
    assert made.mean == pytest.approx(np.mean(recalls))
    assert 0 <= made.low <= made.mean <= made.high <= 1


def test_a_learned_prior_lets_strata_learn_from_each_other() -> None:
    tables = {str(i): hs.ConfusionMatrix([[5, 0], [int(i == 3), 5 - int(i == 3)]]) for i in range(12)}
    flat, learned = hs.stratified(tables), hs.stratified(tables, prior="learned")
    assert flat.observed - flat.mean > 0.1 > 0.03 > learned.observed - learned.mean
    assert "prior 'learned' lets" in str(flat)


@pytest.mark.parametrize(
    ("weights", "options", "said"),
    [
        ("eqal", {}, "'equal' or 'pooled'"),
        ({"marked": 1}, {}, "'plain' has no weight"),
        ({"marked": 1, "plain": 1, "third": 1, "x": 1}, {}, "'x' is no stratum"),
        ({"marked": 1, "plain": -1, "third": 1}, {}, "numbers of 0 or more"),
        ({"marked": 0, "plain": 0, "third": 0}, {}, "one of them above 0"),
        ("equal", {"empty": "error"}, "no case of 'ill' in 'third'"),
        ("equal", {"empty": "no"}, "empty is 'keep', 'drop' or 'error'"),
    ],
)
def test_what_does_not_fit_is_refused(weights: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.stratified(HOLED, weights, **options)


def test_a_class_without_a_case_has_no_answer() -> None:
    with pytest.raises(NoInformation, match="class 'ill' has no case"):
        hs.stratified({"x": HOLED["third"]})
    with pytest.raises(NoInformation, match="class 'ill' has no case"):
        hs.stratified(HOLED, {"marked": 0, "plain": 0, "third": 1})
