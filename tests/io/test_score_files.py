"""Scores in tables and documents."""

from __future__ import annotations

import io

import pytest
from tests.io.forms import kind_of

from howsure.errors import HowsureError
from howsure.io import read_scores

WRONG = [
    ("y_true,score,weight\nill,0.9,2\nwell,0.2,1\n", {}, "weighted", 1),
    ("y_true,score,p\nill,0.9,2\nwell,0.2,1\n", {}, "choose", 1),
    ("y_true,marker\nill,0.9\nwell,0.2\n", {}, "no_column", 1),
    ("state,score\nill,0.9\nwell,0.2\n", {}, "no_column", 1),
    ("y_true,truth,score\nill,ill,0.9\nwell,ill,0.2\n", {}, "choose", 1),
    ("y_true,score\nill,0.9\nwell,\n", {}, "lacking", 3),
    ("y_true,score\nill,0.9\n,0.3\n", {}, "lacking", 3),
    ("y_true,score\nill,high\nwell,0.3\n", {}, "not_a", 2),
    ("y_true,score\nill,inf\nwell,0.3\n", {}, "not_a", 2),
    ("y_true,score\nill,0.9\nill,0.3\n", {}, "all cases are of class 'ill'", None),
    ("y_true,score\n", {}, "no_rows", 1),
    ("y_true,score\nill,0.9\nwell,0.3\n", {"score": "prob"}, "absent_in", None),
    ("[[45, 5], [8, 42]]", {}, "no_table", None),
]


@pytest.mark.parametrize(("text", "named", "kind", "line"), WRONG)
def test_what_is_wrong_is_said(text: str, named: dict[str, str], kind: str, line: int | None) -> None:
    with pytest.raises(HowsureError) as refusal:
        read_scores(io.StringIO(text), **named)
    assert kind in kind_of(refusal.value)
    assert getattr(refusal.value, "line", None) == line


# -- scores in one JSON document: a list of objects, or an object of lists --------------------------------------------

TRUTH, SCORE = ["ill", "well", "ill", "well"], [0.9, 0.25, 0.7, 1e-9]
