"""Files of scores: which columns are read, and every sentence about a file that is none."""

from __future__ import annotations

import io

import pandas as pd
import pytest

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
    ("y_true,score,weight\nill,0.9,2\nwell,0.2,1\n", {}, r"the weight \(column 'weight'\) is not 1, and"),
    ("y_true,score,p\nill,0.9,2\nwell,0.2,1\n", {}, "there are several columns that may be the"),
    ("y_true,marker\nill,0.9\nwell,0.2\n", {}, "there is no column for scores among 'y_true',"),
    ("state,score\nill,0.9\nwell,0.2\n", {}, "there is no column for true classes among"),
    ("y_true,truth,score\nill,ill,0.9\nwell,ill,0.2\n", {}, "there are several columns that may be the true"),
    ("y_true,score\nill,0.9\nwell,\n", {}, r"line 3: the score of a case \(column 'score'\)"),
    ("y_true,score\nill,0.9\n,0.3\n", {}, "line 3: the true class of a case is missing;"),
    ("y_true,score\nill,high\nwell,0.3\n", {}, r"line 2: a score \(column 'score'\) must be a"),
    ("y_true,score\nill,inf\nwell,0.3\n", {}, r"a score \(column 'score'\) must be a finite"),
    ("y_true,score\nill,0.9\nill,0.3\n", {}, "all cases are of class 'ill'"),
    ("y_true,score\n", {}, "there is a header and no row below it"),
    ("y_true,score\nill,0.9\nwell,0.3\n", {"score": "prob"}, "no one column for the score called 'prob';"),
    ("[[45, 5], [8, 42]]", {}, "one JSON document"),
]


@pytest.mark.parametrize(("text", "named", "said"), WRONG, ids=lambda x: x[:40] if isinstance(x, str) else "")
def test_what_is_wrong_is_said(text: str, named: dict[str, str], said: str) -> None:
    with pytest.raises(HowsureError, match=said):
        read_scores(io.StringIO(text), **named)
