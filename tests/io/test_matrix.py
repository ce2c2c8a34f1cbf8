from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from howsure.errors import InvalidFile
from howsure.io import read

SQUARE = "true\\pred,high,low\nhigh,26,0\nlow,2,6\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_delimiter_and_line_end_is_read(given, delimiter, end):
    reading = given(SQUARE.replace(",", delimiter).replace("\n", end))
    assert reading.confusion.counts.tolist() == [[26, 0], [2, 6]]
    assert reading.confusion.labels == ("high", "low")
    assert reading.layout == "matrix, corner says true\\pred"
    assert reading.notes == ()
    assert reading.source == "x.csv"


@pytest.mark.sweep(3, full=6)
@pytest.mark.parametrize(
    "corner",
    [
        "pred\\true",
        "Predicted / Actual",
        "predicted class|true class",
        "test/disease",
        "RESPONSE \\ Ground Truth",
        "y_pred/y_true",
    ],
)
def test_a_matrix_with_predicted_rows_is_turned_and_says_so(given, corner):
    reading = given(SQUARE.replace("true\\pred", corner))
    assert reading.confusion.counts.tolist() == [[26, 2], [0, 6]]
    assert len(reading.notes) == 1
    assert corner in reading.notes[0]
    assert "rows are predicted classes" in reading.notes[0]
    assert "shown with rows = truth" in reading.notes[0]


@pytest.mark.sweep(4, full=5)
@pytest.mark.parametrize(
    "corner", ["actual/predicted", "Truth\\Estimate", "target|output", "label/model", "gold / prediction"]
)
def test_synonyms_in_the_corner(given, corner):
    assert given(SQUARE.replace("true\\pred", corner)).confusion.counts.tolist() == [[26, 0], [2, 6]]


def test_a_corner_that_names_one_side_heads_the_column_of_the_rows(given):
    for corner, counts in (("Actual class", [[26, 0], [2, 6]]), ("predictions", [[26, 2], [0, 6]])):
        found = given(SQUARE.replace("true\\pred", corner))
        assert found.confusion.counts.tolist() == counts
        assert f"The corner cell says '{corner}'" in found.notes[0]
    assert given(SQUARE.replace("true\\pred", "actual"), rows="pred").confusion.counts.tolist() == [[26, 2], [0, 6]]


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize("corner", ["", "label", "cases", "true\\true", "a/b/c"])
def test_a_corner_that_says_nothing_needs_rows(given, complaint, corner):
    content = SQUARE.replace("true\\pred", corner)
    sentence = complaint(content)
    assert "rows_unsaid" in sentence
    assert "rows_unsaid" in sentence
    assert given(content, rows="true").confusion.counts.tolist() == [[26, 0], [2, 6]]
    turned = given(content, rows="pred")
    assert turned.confusion.counts.tolist() == [[26, 2], [0, 6]]
    assert "turned" in turned.notes[0]


def test_rows_that_contradict_the_corner_are_refused(given, complaint):
    sentence = complaint(SQUARE, rows="pred")
    assert "'true\\pred'" in sentence
    assert "rows_contradicted" in sentence
    assert given(SQUARE, rows="true").notes == ()


def test_classes_in_another_order_are_matched_by_name(given):
    reading = given("true\\pred,low,high\nhigh,0,26\nlow,6,2\n")
    assert reading.confusion.counts.tolist() == [[26, 0], [2, 6]]
    assert "matched by name" in reading.notes[0]


def test_blank_lines_and_blank_columns_at_the_end_are_tolerated(given):
    assert given("\ntrue\\pred,a,b,,\na,1,5,,\n\nb,7,2\n,,,,\n").confusion.counts.tolist() == [[1, 5], [7, 2]]


def test_labels_are_texts(given):
    assert given("true\\pred,1,01\n1,5,1\n01,2,7\n").confusion.labels == ("1", "01")


def test_the_formula_guard_is_taken_off(given):
    reading = given("true\\pred,'=1+1,'-1\n'=1+1,5,1\n'-1,2,7\n")
    assert reading.confusion.labels == ("=1+1", "-1")


def test_whole_numbers_with_a_decimal_point_are_counts(given):
    assert given("true\\pred,a,b\na,5.0,1\nb,2,7.\n").confusion.counts.tolist() == [[5, 1], [2, 7]]


def test_labels_order_and_add_classes(given, complaint):
    reading = given(SQUARE, labels=["low", "high", "none"])
    assert reading.confusion.counts.tolist() == [[6, 2, 0], [0, 26, 0], [0, 0, 0]]
    sentence = complaint(SQUARE, labels=["low", "medium"])
    assert "'high'" in sentence
    assert "'medium'" in sentence


def test_positive(given, complaint):
    assert given(SQUARE, positive="high").confusion.positive == "high"
    assert "hihg" in complaint(SQUARE, positive="hihg")
    assert "positive= is for two classes" in complaint("true\\pred,a,b,c\na,1,1,1\nb,1,1,1\nc,1,1,1\n", positive="a")


def test_a_class_may_be_called_like_a_column(given):
    content = ",true,test\ntrue,5,1\ntest,2,3\n"
    assert given(content, rows="true").confusion.counts.tolist() == [[5, 1], [2, 3]]


def test_cells_before_the_orientation_is_known_are_named_by_row_and_column(complaint):
    assert "line 2: row 'a' column 'b' holds -1" in complaint(",a,b\na,5,-1\nb,2,7\n")


def test_a_matrix_has_no_classifier_to_choose(complaint):
    assert "nothing_to_choose" in complaint(SQUARE, model="A")


def test_bare_numbers_need_rows(given, complaint):
    sentence = complaint("26,0\n2,6\n")
    assert "rows_unsaid" in sentence
    reading = given("26,0\n2,6\n", rows="pred", labels=["high", "low"])
    assert reading.confusion.labels == ("high", "low")
    assert reading.confusion.counts.tolist() == [[26, 2], [0, 6]]
    assert "called '0', '1'" in given("26;0\n2;6\n\n", rows="true").notes[0]


def test_bare_numbers_whose_first_row_is_their_first_column_bring_no_names(given):
    reading = given("50,3,4\n3,60,2\n4,1,70\n", rows="true")
    assert reading.confusion.labels == ("0", "1", "2")
    assert reading.confusion.counts.tolist() == [[50, 3, 4], [3, 60, 2], [4, 1, 70]]


@pytest.mark.parametrize(
    "text",
    [
        "true\\pred,a,b\na,0,0\nb,0,0\n",
        "true,pred,count\na,a,0\nb,b,0\n",
        '{"classes": ["a", "b"], "counts": [[0, 0], [0, 0]], "orientation": "true-rows"}',
    ],
)
def test_a_file_of_zeros_is_refused(text: str) -> None:
    with pytest.raises(InvalidFile, match="every count is 0"):
        read(io.StringIO(text))


def test_a_column_that_is_no_class_is_told_from_a_bad_count(complaint: Callable[..., str]) -> None:
    told = complaint(",low,high,Recall\nlow,6,2,0.75\nhigh,0,26,1\nPrecision,1,0.93,\n", rows="true")
    assert "holds 0.75, a fraction" in told
    assert "No row is called 'Recall'; if it is no class, leave that column out." in told
    assert "No row is called" not in complaint(",low,high\nlow,6,0.25\nhigh,0,26\n", rows="true")
    prefixed = "true\\pred,predicted low,predicted high\nactual low,6,0.25\nactual high,0,26\n"  # those are classes
    assert "No row is called" not in complaint(prefixed)
