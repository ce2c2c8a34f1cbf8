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


def with_cell(cell: str) -> str:
    return '{"classes": ["well", "ill"], "orientation": "pred-rows", "counts": [[45, ' + cell + "], [8, 42]]}"


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("-1", "holds -1"),
        ("0.4", "a fraction"),
        ("null", "is missing (null)"),
        ('"4"', 'holds "4", not a number'),
        ("true", "holds true, not a number"),
        ("[4]", "holds [4], not a number"),
        ("1e999", "above 2**53 - 1"),
        ("9007199254740992", "above 2**53 - 1"),
    ],
)
def test_cells_that_are_no_counts(complaint, cell, words):
    sentence = complaint(with_cell(cell))
    assert sentence.startswith("x.csv: true 'ill' predicted 'well' ")
    assert words in sentence


@pytest.mark.sweep(8, full=32)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (with_cell("NaN"), "a value must be an integer for a count,"),
        (with_cell("-Infinity"), "a value must be an integer for a count,"),
        (with_cell("9" * 5000), "not_a"),
        ('{"counts": 1, "counts": 2}', "the key 'counts' comes twice"),
        ("[" * 65 + "]" * 65, "too_deep"),
        ("[" * 200_000 + "]" * 200_000, "too_deep"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "too_deep"),
        ('{\n"counts": [[1, 2],', "line 2: no_json"),
        (
            json.dumps(PLAIN) + "\n" + json.dumps(PLAIN),
            "line 2: no_json",
        ),
        ("[[1, 2], [3]]", "not_square"),
        ("[[1]]", "one_class"),
        ("[]", "one_class"),
        ("[1, 2]", "not_a"),
        ('[{"y_true": "a"}]', "half"),
        (json.dumps({**BOARD, "format": "howsure/2"}), "version"),
        (json.dumps({**PLAIN, "orientation": "rows"}), "not_a"),
        (json.dumps({**PLAIN, "classes": ["a", "a"]}), "labels must differ; 'a' comes twice"),
        (json.dumps({**PLAIN, "classes": ["a"]}), "not_a"),
        (json.dumps({**PLAIN, "classes": ["a", " "]}), "label 2 is missing or blank; every class needs"),
        (json.dumps({**PLAIN, "classes": ["a", 0.5]}), "0.5 is a fraction, so a score, not a class;"),
        (json.dumps({**PLAIN, "classes": ["a", ["b"]]}), "a class is named by one text or integer,"),
        (json.dumps({**PLAIN, "classes": ["a", "\ud800"]}), "surrogate"),
        (json.dumps({**PLAIN, "classes": ["a", "x" * 10_001]}), "label 2 has 10001 characters; at most 10000 are"),
        (json.dumps({**PLAIN, "positive": "sick"}), "'sick'"),
        (json.dumps({**PLAIN, "matrix": [[1, 2], [3, 4]]}), "two_columns"),
        (json.dumps({**PLAIN, "n": 99}), "unlike_n"),
        (
            json.dumps({**BOARD, "classifiers": []}),
            "not_a",
        ),
        (json.dumps({**BOARD, "classifiers": [{"name": "A"}]}), "no_counts"),
        (
            json.dumps({**BOARD, "classifiers": [BOARD["classifiers"][0]] * 2}),
            "twice",
        ),
        (
            json.dumps({**BOARD, "classifiers": [{"name": 3, "matrix": []}]}),
            "not_a",
        ),
        ('{"format": "howsure/1"}', "no counts"),
        ('{"classes": ["é", "b"]}'.encode("latin-1"), "line 1: not_utf8"),
    ],
)
def test_documents_that_are_no_matrix(complaint, content, words):
    assert words in complaint(content)


@pytest.mark.parametrize("content", ['"text"', "5", "null", "true"])
def test_a_document_that_is_one_value(complaint, content):
    assert "not_a" in complaint(content, "x.json")


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
    ("second", "words"),
    [
        (
            '{"y_pred": "b", "y": "b"}',
            "line 2: set_aside",
        ),
        ('{"y_true": null, "y_pred": "b"}', "line 2: set_aside"),
        ('{"y_true": "a", "y_true": "b", "y_pred": "b"}', "line 2: the key 'y_true' comes twice"),
        ('{"y_true": NaN, "y_pred": "b"}', "line 2: a value must be an integer for a"),
        ('{"y_true": "a", "y_pred": 0.5}', "line 2: score"),
        ('{"y_true": "a", "y_pred": ["b"]}', "line 2: nested"),
        ('{"y_true": "a", "y_pred": 1e999}', "line 2: not_a"),
        ('{"y_true": "a", "y_pred": "\\ud800"}', "line 2: surrogate"),
        ('{"y_true": "a",', "line 2: no_json"),
        ("[1]", "line 2: not_a"),
        ('{"y_true": "a", "y_pred": ' + "[" * 80 + "]" * 80 + "}", "line 2: too_deep"),
    ],
)
def test_json_lines_that_are_no_cases(complaint, second, words):
    assert words in complaint('{"y_true": "a", "y_pred": "b"}\n' + second + "\n", "x.jsonl")


def test_an_object_without_keys(complaint):
    assert "no_keys" in complaint("{}")


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
