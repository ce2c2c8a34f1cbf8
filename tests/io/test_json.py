from __future__ import annotations

import io
import json

import pytest

from howsure.errors import InvalidFile
from howsure.io import read

PLAIN = {"classes": ["well", "ill"], "orientation": "true-rows", "positive": "ill", "counts": [[45, 5], [8, 42]]}
BOARD = {
    "format": "howsure/1",
    "kind": "session",
    "orientation": "true-rows",
    "classes": ["well", "ill"],
    "classifiers": [
        {"name": "A", "matrix": [[45, 5], [8, 42]], "n": 100},
        {"name": "B", "matrix": [[40, 10], [9, 41]], "n": 100},
    ],
    "prior": "flat",
}


def test_orientation_missing_needs_rows(given, complaint):
    content = json.dumps({**PLAIN, "orientation": None})
    sentence = complaint(content)
    assert "rows_unsaid" in sentence
    assert given(content, rows="pred").confusion.counts.tolist() == [[45, 8], [5, 42]]


def test_a_classifier_is_chosen(given, complaint):
    content = json.dumps(BOARD)
    assert "choose" in complaint(content)
    assert "absent" in complaint(content, model="C")
    reading = given(content, model="B")
    assert reading.confusion.counts.tolist() == [[40, 10], [9, 41]]
    assert reading.layout == "howsure session in JSON, B, orientation true-rows"
    assert "'prior'" in reading.notes[0]


def test_the_positive_class_of_the_call_goes_before_that_of_the_file(given):
    reading = given(json.dumps(PLAIN), positive="well")
    assert reading.confusion.positive == "well"
    assert "'ill'" in reading.notes[0]


def test_a_list_of_lists_needs_rows(given, complaint):
    assert "--rows true" in complaint("[[1, 2], [3, 4]]")
    reading = given("[[1, 2], [3, 4]]", rows="true")
    assert reading.confusion.labels == ("0", "1")
    assert "called '0', '1'" in reading.notes[0]
    assert given("[[1, 2], [3, 4]]", rows="true", labels=["a", "b"]).confusion.labels == ("a", "b")


def test_no_classifier_to_choose(complaint):
    assert "nothing_to_choose" in complaint(json.dumps(PLAIN), model="A")


def test_a_document_that_is_too_large(complaint, monkeypatch):
    monkeypatch.setattr("howsure.io.opening.LARGEST_JSON", 40)
    assert "too_large" in complaint(json.dumps(PLAIN))


def test_json_lines_are_read_as_the_table_they_are(given):
    content = '{"y_true": "a", "y_pred": "b", "why": {"x": [1]}}\n\n{"y_pred": "b", "y_true": "b", "why": null}\n'
    for name in ("x.jsonl", "x.txt"):
        reading = given(content, name)
        assert reading.confusion.counts.tolist() == [[0, 1], [0, 1]]
        assert reading.layout == "JSON Lines predictions, 2 cases"
    assert "'why'" in reading.notes[0]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([1, 2], ".cells. needs the lists .true., .pred. and"),
        ({"true": [0], "pred": [0], "count": [-1]}, "holds -1"),
        ({"true": [0], "pred": [5], "count": [1]}, "places of classes, 0 to 1"),
    ],
)
def test_cells_of_a_document_are_checked(cells: object, sentence: str) -> None:
    document = {"classes": ["a", "b"], "orientation": "true-rows", "cells": cells}
    with pytest.raises(InvalidFile, match=sentence):
        read(io.StringIO(json.dumps(document)))


def test_cells_of_a_document_go_with_classes_and_their_sum() -> None:
    cells = {"true": [0, 1], "pred": [0, 1], "count": [3, 4]}
    document = {"classes": ["a", "b"], "orientation": "true-rows", "positive": "a", "n": 7, "cells": cells}
    assert read(io.StringIO(json.dumps(document))).confusion.counts.tolist() == [[3, 0], [0, 4]]
    with pytest.raises(InvalidFile, match="the orientation of cells must be"):
        read(io.StringIO(json.dumps(document | {"orientation": "pred-rows"})))
    with pytest.raises(InvalidFile, match="n is 8 and the counts add up to 7; was one of"):
        read(io.StringIO(json.dumps(document | {"n": 8})))
