"""Scores in tables and documents."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.io.forms import kind_of

from howsure.errors import HowsureError, InvalidFile
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


def written(folder: Path, value: Any) -> str:
    path = folder / "scores.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"y_true": TRUTH, "score": SCORE[:3]}, "columns of different lengths: y_true has 4,"),
        ([{"y_true": "ill", "score": 0.5}, {"y_true": "well"}], r"the score of a case \(column 'score'\) is"),
        ({"y_true": TRUTH, "score": [[0.1, 0.9]] * 4}, "column 'score' holds a list or an object in a"),
        ({"y_true": [["ill"]], "labels": "x", "format": "x"}, "not a table"),
        ([], "not a table"),
        ([1, 2], "not a table"),
        ({"y_true": TRUTH, "score": [0.9, None, 0.7, 0.1]}, r"the score of a case \(column 'score'\) is"),
    ],
)
def test_what_is_no_table_of_scores_is_told(tmp_path: Path, value: Any, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        read_scores(written(tmp_path, value))
