"""A word for "nobody looked" in the column of truth is no true class where missing truths are estimated."""

from __future__ import annotations

import pytest

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidLabels

PRED = ["ill"] * 6 + ["well"] * 4


@pytest.mark.parametrize("word", ["-", "?", "todo", "unverified", "Not checked"])
def test_a_word_for_most_cases_that_no_verdict_names_is_refused(word: str) -> None:
    truth = ["ill", "well", *[word] * 6, "ill", "well"]
    with pytest.raises(InvalidLabels, match="6 of 10 cases, and no verdict is ever that; if it says that nobody"):
        ConfusionMatrix.from_predictions(truth, PRED, missing="estimate")


def test_a_word_of_the_row_without_labels_is_refused_however_few_have_it() -> None:
    truth = ["ill", "well", "ill", "ill", None, "unverified", "ill", "well", "well", "well"]
    with pytest.raises(InvalidLabels, match="'unverified' in 1 of 9 cases"):
        ConfusionMatrix.from_predictions(truth, PRED, missing="estimate")


def test_it_is_a_class_where_the_classes_are_named_and_where_nothing_is_estimated() -> None:
    truth = ["ill", "well", *["?"] * 6, "ill", "well"]
    named = ConfusionMatrix.from_predictions(truth, PRED, labels=["ill", "well", "?"], missing="estimate")
    assert named.counts.sum() == 10
    assert ConfusionMatrix.from_predictions(truth, PRED).labels == ("?", "ill", "well")


def test_grades_have_no_name_in_common_with_the_truth_and_are_no_such_word() -> None:
    graded = ConfusionMatrix.from_predictions(["ok", "bad", "ok", None], ["1", "2", "1", "2"], missing="estimate")
    assert graded.verdicts is not None
    assert graded.verdicts.n_labelled == 3


@pytest.mark.parametrize("labels", [["PASS", "fail", None, "pass"], [" Pass", "fail", None, "fail"]])
def test_names_that_differ_in_capitals_only_are_refused(labels: list[str | None]) -> None:
    with pytest.raises(InvalidLabels, match="Spell them alike"):
        ConfusionMatrix.from_predictions(labels, ["pass", "fail", "pass", "pass"], missing="estimate")
