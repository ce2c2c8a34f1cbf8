"""Files of scores: which columns are read, and every sentence about a file that is none."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from tests.io.forms import kind_of

import howsure as hs
from howsure.errors import HowsureError
from howsure.io import read_scores

ROWS = "ill,0.9\nwell,0.2\nill,0.6\nwell,0.7\n"
SAME = hs.Scores(["ill", "well", "ill", "well"], [0.9, 0.2, 0.6, 0.7])


@pytest.mark.parametrize("header", ["y_true,score", "truth,probability", "disease,p_ill", "label,y_pred_proba"])
def test_columns_are_known_by_their_words(header: str) -> None:
    assert read_scores(io.StringIO(f"{header}\n{ROWS}")) == SAME


def test_columns_are_named_and_groups_are_read() -> None:
    text = "id,state,marker,patient\n1,ill,9,a\n2,well,2,a\n3,ill,6,b\n4,well,7,b\n"
    made = read_scores(io.StringIO(text), y_true="state", score="marker", group="patient")
    assert made.scores.tolist() == [9, 2, 6, 7]
    assert made.group_names == ("a", "b")


def test_columns_called_for_the_classes_are_their_probabilities() -> None:
    text = "y_true,p_owl,p_cat,p_dog\ncat,0.1,0.7,0.2\ndog,0.3,0.3,0.4\nowl,0.8,0.1,0.1\n"
    made = read_scores(io.StringIO(text))
    assert made.labels == ("cat", "dog", "owl")
    assert made.scores[0].tolist() == [0.7, 0.2, 0.1]
    two = read_scores(io.StringIO("y_true,p_well,p_ill\nill,0.1,0.9\nwell,0.8,0.2\n"))
    assert two.scores.tolist() == [0.9, 0.2]


def test_several_columns_are_several_classifiers_if_they_are_named() -> None:
    made = read_scores(io.StringIO("y_true,a,b\nill,1,2\nwell,3,4\n"), score=["a", "b"])
    assert made.names == ("a", "b")


def test_a_frame_and_parquet_are_read_alike(tmp_path) -> None:
    frame = pd.DataFrame({"y_true": ["ill", "well", "ill", "well"], "score": [0.9, 0.2, 0.6, 0.7]})
    assert read_scores(frame) == SAME
    path = tmp_path / "scores.parquet"
    frame.to_parquet(path)
    assert read_scores(path) == SAME


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
