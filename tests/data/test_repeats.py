"""Items that were tried several times: every way to give them, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.errors import HowsureError

SCORES = st.sampled_from([0.0, 0.5, 1.0, None])


def test_columns_and_an_array_give_the_same() -> None:
    table = [[1, 0, 1], [1, None, 1], [0, 0, 1]]
    items = [f"q{i}" for i in range(3) for r in range(3) if table[i][r] is not None]
    runs = [r for i in range(3) for r in range(3) if table[i][r] is not None]
    scores = [x for row in table for x in row if x is not None]
    one = hs.Repeats.from_array(table, items=["q0", "q1", "q2"], runs=[0, 1, 2])
    other = hs.Repeats.from_columns(items[::-1], runs[::-1], scores[::-1])
    assert one.counts.tolist() == other.counts.tolist() == [[1, 2], [0, 2], [2, 1]]
    assert (one.items, one.runs, one.right.tolist()) == (other.items, other.runs, other.right.tolist())
    assert (one.incomplete, one.n, one.mean) == (1, 8, pytest.approx(2 / 3))
    assert np.array_equal(one.answers, other.answers, equal_nan=True)


@given(st.lists(st.lists(SCORES, min_size=4, max_size=4), min_size=1, max_size=8))
@settings(max_examples=tries(60), deadline=None)
def test_no_run_is_lost(table: list[list[float | None]]) -> None:
    flat = [x for row in table for x in row]
    if all(x is None for x in flat):
        with pytest.raises(HowsureError, match="no score"):
            hs.Repeats.from_array(table)
        return
    made = hs.Repeats.from_array(table, outcomes=[0, 0.5, 1])
    assert made.n == sum(x is not None for x in flat) == made.counts.sum()
    kept = [[x for x in row if x is not None] for row in table]
    assert made.means.tolist() == pytest.approx([sum(row) / len(row) for row in kept if row])
    gone = sum(not row for row in kept)
    assert len(made.items) == len(table) - gone
    assert any("left out" in note for note in made.notes) == bool(gone)


@pytest.mark.parametrize(
    ("missing", "counts", "said"),
    [
        ("wrong", [[1, 1], [1, 1]], "2 runs without a score are wrong."),
        ("class", [[0, 1, 1], [0, 1, 1]], "2 runs without a score are an outcome of their own."),
        ("exclude", [[0, 1], [0, 1]], "2 runs without a score left out."),
    ],
)
def test_runs_without_a_score_are_what_was_said(missing: Any, counts: list[list[int]], said: str) -> None:
    made = hs.Repeats.from_columns(list("aabb"), [1, 2, 1, 2], [1, None, 1, math.nan], missing=missing)
    assert made.counts.tolist() == counts
    assert made.notes == (said,)
    assert made.outcomes == (("0", "1", "no answer") if missing == "class" else ("0", "1"))


def test_without_a_column_of_runs_rows_are_counted() -> None:
    made = hs.Repeats.from_columns(list("abab"), None, [True, "false", "C", "I"])
    assert made.runs == ("1", "2")
    assert made.answers.tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.Repeats.from_columns(["a", "a"], [1, 1], [1, 0]), "item 'a' has 2 answers in run '1'"),
        (
            lambda: hs.Repeats.from_columns(["a", None], [1, 1], [1, 1]),
            "item is missing in 1 of 2 cases",
        ),
        (lambda: hs.Repeats.from_columns(["a"], [1], [[1]]), "give one number"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [0.5], outcomes=[0, 1]), "score 0.5 is not among the outcomes"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [7], range=(1, 5)), "score 7 is outside of the range 1 to 5"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [7], range=(5, 1)), "the least and the largest possible score"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [7]), "nothing tells how far another may be"),
        (lambda: hs.Repeats.from_array([[1, 0]], items=["a", "b"]), "names each of the 1 items"),
    ],
)
def test_what_is_refused_is_said(make: Any, sentence: str) -> None:
    with pytest.raises(HowsureError) as caught:
        make()
    assert sentence in str(caught.value)
