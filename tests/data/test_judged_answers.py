"""Answers of several models under one judge: what is counted, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, InvalidLabels, UnknownClassifier

V = {"A": ["pass", "pass", "fail", "pass"], "B": ["pass", "fail", "fail", "unsure"]}
H = {"A": ["pass", None, "fail", None], "B": ["fail", None, "", "pass"]}


def test_verdicts_and_labels_are_counted_for_each_model_and_for_two_together() -> None:
    judged = hs.JudgedAnswers(V, H, id=["q1", "q2", "q3", "q4"])
    assert (judged.names, judged.labels, judged.verdicts) == (("A", "B"), ("fail", "pass"), ("fail", "pass", "unsure"))
    assert (judged.n, judged.right) == (4, "pass")
    known = judged.confusion("A").verdicts
    assert known is not None
    assert known.labelled.tolist() == [[1, 0], [0, 1]]
    assert known.unlabelled.tolist() == [0, 2]
    pairs = judged.pairs("A", "B", "pass")
    assert pairs.totals.reshape(3, 3).tolist() == [[1, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert pairs.both.sum() == 1
    assert pairs.both[4].tolist() == [0, 0, 1, 0]
    assert pairs.only_a[0].tolist() == [1, 0]
    assert pairs.only_b[5].tolist() == [0, 1]
    assert judged.passed("B", "pass") == (1, 4)
    with pytest.raises(UnknownClassifier):
        judged.confusion("C")


def test_long_and_wide_say_the_same() -> None:
    ids = ["q1", "q2", "q3", "q4"]
    wide = hs.JudgedAnswers.from_wide(
        {"id": ids} | {f"verdict_{m}": V[m] for m in V} | {f"label_{m}": H[m] for m in H}, id="id"
    )
    rows = [(i, m, V[m][k], H[m][k]) for m in V for k, i in enumerate(ids)]
    rows = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    long = hs.JudgedAnswers.from_long(*zip(*rows, strict=True))
    for name in V:
        assert long.confusion(name) == wide.confusion(name)
    for one, other in zip(long.pairs("A", "B", "pass"), wide.pairs("A", "B", "pass"), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: hs.JudgedAnswers(V, {"A": H["A"]}), "human= holds the labels of each model, A, B; not A"),
        (lambda: hs.JudgedAnswers(V, {**H, "B": [None] * 4}), "no answer of 'B' has a label"),
        (lambda: hs.JudgedAnswers({**V, "B": ["pass", None, None, None]}, H), "have a label and no verdict"),
        (lambda: hs.JudgedAnswers({**V, "B": ["pass"]}, H), "4 items need as many verdicts"),
        (lambda: hs.JudgedAnswers({"A": [None] * 4, "B": V["B"]}, {**H, "A": [None] * 4}), "said nothing"),
        (lambda: hs.JudgedAnswers(V, {**H, "A": ["pass", "fail", "poor", None]}), "there are two true classes"),
        (lambda: hs.JudgedAnswers(V, H, labels=["bad", "pass"]), "people said 'fail', not among labels"),
        (lambda: hs.JudgedAnswers(V, H, id=[1, 1, 2, 3]), "comes 2 times"),
        (lambda: hs.JudgedAnswers.from_long([1, 1], ["A", "A"], ["x", "y"], ["x", "y"]), "majority first"),
        (
            lambda: hs.JudgedAnswers.from_long([1, None], ["A", "A"], ["x", "y"], ["x", "y"]),
            "missing in row 2",
        ),
        (lambda: hs.JudgedAnswers.from_long([1], ["A", "A"], ["x", "y"], ["x", "y"]), "differ in length: id 1"),
        (lambda: hs.JudgedAnswers.from_wide({"verdict_A": ["x"], "label_B": ["x"]}), "missing for A, B"),
        (lambda: hs.JudgedAnswers({"A": [0.5]}, {"A": [1]}), "fraction"),
        (lambda: hs.JudgedAnswers([1], {"A": [1]}), "under its name"),
    ],
)
def test_what_is_refused_says_what_to_do(make: Any, said: str) -> None:
    with pytest.raises((InvalidLabels, InvalidArgument), match=said):
        make()


LABEL = st.sampled_from(["pass", "fail", None])


@given(st.lists(st.tuples(st.sampled_from(["pass", "fail"]), LABEL, st.sampled_from(["pass", "fail", None]), LABEL)))
def test_no_table_of_answers_is_counted_wrongly(rows: list[tuple[str, Any, Any, Any]]) -> None:
    va, ha, vb, hb = (list(x) for x in zip(*rows, strict=True)) if rows else ([], [], [], [])
    try:
        judged = hs.JudgedAnswers({"A": va, "B": vb}, {"A": ha, "B": hb})
        pairs = judged.pairs("A", "B", "pass")
    except HowsureError:
        return
    shared = [row for row in rows if row[2] is not None]
    assert pairs.totals.sum() == len(shared)
    assert pairs.both.sum() == sum(a is not None and b is not None for _, a, _, b in shared)
    assert (pairs.both.sum(1) + pairs.only_a.sum(1) + pairs.only_b.sum(1) <= pairs.totals).all()
    assert pairs.labels_of_b == sum(b is not None for _, _, _, b in shared)
