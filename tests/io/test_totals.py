"""Totals of a printed matrix: a last row and column of sums are left out and said, and never become a class."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.io import read
from howsure.io.assembly import add_up

BARE = "6,2,8\n0,26,26\n6,28,34\n"
NOTE = "The last row and column ('{}') are totals of the others and were left out."


@pytest.mark.sweep(3, full=8)
@pytest.mark.parametrize(
    ("row", "column", "said"),
    [
        ("Total", "Total", "'Total'"),
        ("n", "Total", "'n' and 'Total'"),
        ("Column total", "Row total", "'Column total' and 'Row total'"),
        ("All", "All", "'All'"),
        ("Σ", "Σ", "'Σ'"),
        ("margin", "margin", "'margin'"),
        ("Insgesamt", "Insgesamt", "'Insgesamt'"),
        ("всего", "всего", "'всего'"),
    ],
)
def test_totals_of_a_matrix_with_names_are_left_out_and_said(
    given: Callable[..., Any], row: str, column: str, said: str
) -> None:
    reading = given(f"true\\pred,low,high,{column}\nlow,6,2,8\nhigh,0,26,26\n{row},6,28,34\n")
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert reading.confusion.labels == ("low", "high")
    assert reading.notes[0].startswith(NOTE.replace("'{}'", said))


def test_totals_of_a_matrix_whose_rows_are_predictions(given: Callable[..., Any]) -> None:
    reading = given("pred\\true,low,high,Total\nlow,6,0,6\nhigh,2,26,28\nTotal,8,26,34\n")
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert NOTE.format("Total") in reading.notes


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (BARE, "x.csv"),
        (BARE.replace(",", "\t"), "x.tsv"),
        ("[[6, 2, 8], [0, 26, 26], [6, 28, 34]]", "x.json"),
        ('{"counts": [[6, 2, 8], [0, 26, 26], [6, 28, 34]]}', "x.json"),
        ("[[ 6  2  8]\n [ 0 26 26]\n [ 6 28 34]]", "x.txt"),
    ],
)
def test_totals_without_a_name_are_no_third_class(given: Callable[..., Any], content: str, name: str) -> None:
    reading = given(content, name, rows="true")
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert reading.confusion.labels == ("0", "1")
    assert "The last row and column are totals of the others and were left out." in reading.notes
    assert given(content, name, rows="true", labels=["low", "high"]).confusion.labels == ("low", "high")


def test_totals_that_a_document_names(given: Callable[..., Any], complaint: Callable[..., str]) -> None:
    document = {"classes": ["low", "high", "Total"], "orientation": "true-rows",
                "counts": [[6, 2, 8], [0, 26, 26], [6, 28, 34]]}  # fmt: skip
    reading = given(json.dumps(document), "x.json")
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert reading.notes == (NOTE.format("Total"),)
    document["counts"][2][2] = 33  # type: ignore[index]
    assert "not_the_sum" in complaint(json.dumps(document), "x.json")
    # what a document lists as a class is one
    named = {**document, "classes": ["low", "high", "both"], "counts": [[6, 2, 8], [0, 26, 26], [6, 28, 34]]}
    assert given(json.dumps(named), "x.json").confusion.labels == ("low", "high", "both")


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("true\\pred,a,b,Total\na,1,5,6\nb,7,2,9\n", "The last column ('Total') is the total"),
        ("true\\pred,a,b\na,1,5\nb,7,2\nn,8,7\n", "The last row ('n') is the total"),
    ],
)
def test_totals_of_one_side_count_where_they_are_named(given: Callable[..., Any], content: str, note: str) -> None:
    reading = given(content)
    assert reading.confusion.counts.tolist() == [[1, 5], [7, 2]]
    assert reading.notes[0].startswith(note)


@pytest.mark.parametrize(
    "content",
    [
        "true\\pred,y,n\ny,5,5\nn,5,5\n",  # two equal classes
        "true\\pred,a,b,n\na,5,1,2\nb,3,8,1\nn,0,1,7\n",  # "n" is a class where nothing adds up
        "true\\pred,partial,total\npartial,5,1\ntotal,2,9\n",
    ],
)
def test_a_class_stays_a_class(given: Callable[..., Any], content: str) -> None:
    reading = given(content)
    assert len(reading.confusion.labels) == content.count("\n") - 1
    assert reading.notes == ()


@pytest.mark.parametrize("content", ["5,5\n5,5\n", "6,2,8\n0,26,26\n6,28,35\n"])
def test_bare_numbers_that_are_no_totals_stay(given: Callable[..., Any], content: str) -> None:
    assert len(given(content, rows="true").confusion.labels) == content.count("\n")


def test_labels_say_that_a_class_of_sums_is_one(given: Callable[..., Any]) -> None:
    content = "true\\pred,low,high,both\nlow,6,2,8\nhigh,0,26,26\nboth,6,28,34\n"
    assert given(content).notes[0].endswith("--labels with all the names keeps them as a class.")
    assert len(given(content, labels=["low", "high", "both"]).confusion.labels) == 3
    assert len(given(BARE, rows="true", labels=["low", "high", "both"]).confusion.labels) == 3


def test_one_cell_and_its_sums_may_as_well_be_three_classes(complaint: Callable[..., str]) -> None:
    sentence = complaint("true\\pred,a,b,c\na,0,0,0\nb,0,7,7\nc,0,7,7\n")
    assert "totals_or_class" in sentence


def test_large_sums_are_exact() -> None:
    half = 2**52
    counts = np.array([[half, 1, half + 1], [0, half - 1, half - 1], [half, half, 2 * half]])
    assert add_up(counts)
    counts[2, 2] -= 1
    assert not add_up(counts)


@st.composite
def squares(draw: st.DrawFn) -> np.ndarray[Any, np.dtype[np.int64]]:
    size = draw(st.integers(2, 6))
    cell = st.integers(0, 60) | st.just(2**53 // 128)
    rows = draw(st.lists(st.lists(cell, min_size=size, max_size=size), min_size=size, max_size=size))
    return np.array(rows, dtype=np.int64)


@settings(max_examples=tries(200), deadline=None)
@examples(
    squares().filter(lambda counts: np.count_nonzero(counts) > 1),
    st.sampled_from([None, "Total", "sum", "all", "n", "Σ", "margin"]),
    st.sampled_from([",", "\t", ";", "json", "numpy", "blanks"]),
)
@pytest.mark.full
def test_a_matrix_with_totals_reads_as_the_matrix_without(
    counts: np.ndarray[Any, np.dtype[np.int64]], name: str | None, form: str
) -> None:
    size = len(counts)
    whole = np.vstack([counts, counts.sum(axis=0)])
    whole = np.column_stack([whole, whole.sum(axis=1)])
    labels = [f"c{i}" for i in range(size)]
    # without totals, a matrix whose last class is itself the sum of the others would say the same
    if form == "json":
        about = {} if name is None else {"classes": [*labels, name]}
        text = json.dumps({**about, "counts": whole.tolist()})
    elif form == "numpy":
        text, name = str(whole), None
    else:
        sign = "  " if form == "blanks" else form
        lines = [sign.join(map(str, row)) for row in whole.tolist()]
        if name is not None:
            beside = [f"{label}{sign}{line}" for label, line in zip([*labels, name], lines, strict=True)]
            lines = [sign.join(["true\\pred", *labels, name]), *beside]
        text = "\n".join(lines)
    reading = read(io.StringIO(text), rows="true")
    assert reading.confusion.counts.tolist() == counts.tolist()
    assert reading.confusion.labels == tuple(map(str, range(size)) if name is None else labels)
    assert any("of the others" in note for note in reading.notes)


def test_totals_by_any_name_are_left_out_and_said() -> None:
    table = "true\\pred,a,b,Overall\na,1,2,3\nb,3,4,7\nOverall,4,6,10\n"
    reading = read(io.StringIO(table))
    assert reading.confusion.counts.tolist() == [[1, 2], [3, 4]]
    assert "The last row and column ('Overall') are totals of the others" in reading.notes[0]
