"""Scores: what is read, which way they point, and every sentence about what is wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import howsure as hs
from howsure.errors import HowsureError

TRUTH, VALUES = ["ill", "well", "ill", "well"], [0.9, 0.2, 0.6, 0.7]


def test_the_positive_class_is_last_and_has_the_high_scores() -> None:
    made = hs.Scores(TRUTH, VALUES)
    assert made.labels == ("well", "ill")
    assert made.truth.tolist() == [1, 0, 1, 0]
    assert made.class_sizes.tolist() == [2, 2]
    turned = hs.Scores(TRUTH, VALUES, positive="well")
    assert turned.labels == ("ill", "well")
    assert turned.scores.tolist() == VALUES


def test_probabilities_of_two_classes_are_those_of_the_positive_one() -> None:
    both = np.column_stack([VALUES, 1 - np.array(VALUES)])  # ill, well: by alphabet, as scikit-learn has them
    assert hs.Scores(TRUTH, both) == hs.Scores(TRUTH, VALUES)
    frame = pd.DataFrame(both[:, ::-1], columns=["well", "ill"])
    assert hs.Scores(TRUTH, frame) == hs.Scores(TRUTH, VALUES)
    assert hs.Scores(TRUTH, both[:, ::-1], labels=["well", "ill"]) == hs.Scores(TRUTH, VALUES)


def test_a_class_against_all_others_keeps_its_column_and_the_groups() -> None:
    rows = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.2, 0.5, 0.3]]
    made = hs.Scores(["a", "b", "c", "a"], rows, groups=["x", "x", "y", "y"])
    one = made.one_vs_rest("b")
    assert one.labels == ("not b", "b")
    assert one.scores.tolist() == [0.2, 0.8, 0.3, 0.5]
    assert one.truth.tolist() == [0, 1, 0, 0]
    assert one.group_names == ("x", "y")


def test_the_matrix_at_a_threshold_counts_cases_with_this_score_or_more() -> None:
    assert hs.Scores(TRUTH, VALUES).confusion_at(0.7).counts.tolist() == [[1, 1], [1, 1]]
    assert hs.Scores(TRUTH, VALUES).confusion_at(-np.inf).counts.tolist() == [[0, 2], [0, 2]]
    grouped = hs.Scores(TRUTH, VALUES, groups=["x", "x", "y", "y"]).confusion_at(0.7)
    assert grouped.counts.tolist() == [[1, 1], [1, 1]]
    assert grouped.groups is not None
    assert grouped.positive == "ill"


REFUSED = [
    (["ill"] * 4, VALUES, {}, "all cases are of class 'ill'; a score is judged by"),
    (["cat", "dog", "cat", "dog"], VALUES, {}, "name the class: positive='cat' or positive='dog'"),
    (["ill", "Ill", "well", "well"], VALUES, {}, "'Ill' and 'ill'. If they are one class, spell it alike"),
    (TRUTH, [0.9, 0.2, np.nan, 0.7], {}, r"missing \(NaN\) in 1 of 4 cases \(first: case 3\)"),
    (TRUTH, ["0.9", "0.2", "0.6", "0.7"], {}, r"holds text \('0.9'\); convert it to numbers"),
    (TRUTH, [0.9, 0.2], {}, r"shape \(2,\) and y_true has 4 cases"),
    (TRUTH, VALUES, {"labels": ["well", "sick"]}, "y_true holds 'ill', not among labels"),
    (TRUTH, [[0.5, 0.6]] * 4, {}, r"those of case 1 in y_score add to 1.1"),
    (TRUTH, [[-0.5, 1.5]] * 4, {}, r"holds -0.5 \(case 1\)"),
    (["9", "10", "9", "10"], [[0.2, 0.8]] * 4, {"positive": "9"}, "sort by size or by alphabet"),
]


@pytest.mark.parametrize(("truth", "values", "named", "said"), REFUSED, ids=lambda x: x if isinstance(x, str) else "")
def test_what_is_wrong_is_said(truth: object, values: object, named: dict[str, object], said: str) -> None:
    with pytest.raises(HowsureError, match=said):
        hs.Scores(truth, values, **named)
