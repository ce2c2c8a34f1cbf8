"""Printed layouts: two sides, totals, shares."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import example, settings
from hypothesis import given as for_all
from hypothesis import strategies as st
from tests.conftest import tries
from tests.print_outs import OVER, PERCENT

from howsure.errors import InvalidFile
from howsure.io import Reading, read
from howsure.io.assembly import sides_of
from howsure.io.cells import counts_near

#: 45 true positives, 5 false negatives, 8 false positives, 92 true negatives.
COUNTS = [[92, 8], [5, 45]]


def test_many_classes_say_their_side_too(given: Callable[..., Any]) -> None:
    reading = given(
        ",actual cat,actual dog,actual cow\npredicted dog,1,9,2\npredicted cat,7,0,3\npredicted cow,4,5,8\n"
    )
    assert reading.confusion.labels == ("dog", "cat", "cow")
    assert reading.confusion.counts.tolist() == [[9, 0, 5], [1, 7, 4], [2, 3, 8]]
    behind = given(",cat (predicted),dog (predicted)\ncat (true),5,1\ndog (true),2,7\n")
    assert behind.confusion.labels == ("cat", "dog")
    assert behind.confusion.counts.tolist() == [[5, 1], [2, 7]]


def test_where_names_do_not_say_it_the_corner_or_rows_do(given: Callable[..., Any]) -> None:
    content = ",present,absent\npositive,45,8\nnegative,5,92\n"
    assert given(content, rows="pred").confusion.counts.tolist() == COUNTS
    assert given(content, rows="pred").confusion.labels == ("absent", "present")
    assert given(f"test\\disease{content}").confusion.counts.tolist() == COUNTS


def test_cases_numbered_by_two_columns_without_names_are_no_matrix(given: Callable[..., Reading]) -> None:
    found = given(",,y_true,y_pred\ntest,0,a,b\ntest,1,a,a\ntest,2,b,b\ntest,3,b,b\n")
    assert found.confusion.counts.tolist() == [[1, 1], [0, 2]]


def test_one_of_several_rows_is_chosen_by_its_name(given: Callable[..., Any], complaint: Callable[..., str]) -> None:
    content = "name,tp,fn,fp,tn\nours,45,5,8,92\ntheirs,40,10,9,91\n"
    assert "choose" in complaint(content)
    assert given(content, model="theirs").confusion.counts.tolist() == [[91, 9], [10, 40]]
    assert given(content, model="theirs").layout == "tp, fn, fp, tn of theirs"
    assert "absent" in complaint(content, model="other")


def test_names_that_say_no_side() -> None:
    assert sides_of(["cat", "dog"], ["dog", "cat"]) is None
    assert sides_of(["true", "false"], ["yes", "no"]) is None
    assert sides_of(["T+", "T-"], ["Test positive", "Test negative"]) is None
    assert sides_of(["a" * 10_000, "b"], ["+", "-"]) is None
    unsaid = sides_of(["positive", "negative"], ["present", "absent"])
    assert unsaid is not None
    assert unsaid.rows is None


# -- totals of a printed matrix: a last row and column of sums are left out and said, and never become a class --------

BARE = "6,2,8\n0,26,26\n6,28,34\n"
NOTE = "The last row and column ('{}') are totals of the others and were left out."


def test_totals_of_a_matrix_whose_rows_are_predictions(given: Callable[..., Any]) -> None:
    reading = given("pred\\true,low,high,Total\nlow,6,0,6\nhigh,2,26,28\nTotal,8,26,34\n")
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert NOTE.format("Total") in reading.notes


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


# -- percentages beside the number of cases, and cells such as 45/50: the counts they are, or a sentence --------------

COUNTS_OF_ROW_SHARES = [[45, 5], [8, 42]]


@pytest.mark.parametrize("text", [PERCENT, OVER])
def test_what_a_row_is_is_asked_as_ever(
    text: str, given: Callable[..., Reading], complaint: Callable[..., str]
) -> None:
    open_ = text.replace("true\\pred", "")
    assert "rows_unsaid" in complaint(open_)
    assert given(open_, rows="true").confusion.counts.tolist() == COUNTS_OF_ROW_SHARES


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        # all are halves rounded up: a sum of 100.1
        ("true\\pred,a,b,n\na,24.3,75.8,400\nb,75.8,24.3,400\n", [[97, 303], [303, 97]]),
        # of 100 across and down, and cases of both: those of the rows
        ("true\\pred,a,b,n\na,40.0%,60.0%,50\nb,60.0%,40.0%,100\nn,80,70,150\n", [[20, 30], [60, 40]]),
    ],
)
def test_what_shares_are_of_is_told_by_what_they_add_up_to(
    text: str, counts: list[list[int]], given: Callable[..., Reading]
) -> None:
    assert given(text).confusion.counts.tolist() == counts


@settings(max_examples=tries(60), deadline=None)
@for_all(st.lists(st.lists(st.integers(0, 40), min_size=3, max_size=3), min_size=3, max_size=3), st.integers(0, 2))
def test_a_turned_table_of_columns_is_that_of_rows(rows: list[list[int]], digits: int) -> None:
    """Shares of columns of a table, and shares of the rows of the turned one: the same counts, or the same refusal."""
    sizes = [sum(row) for row in rows]
    if 0 in sizes:
        return
    cells = [[f"{100 * k / n:.{digits}f}%" for k in row] for row, n in zip(rows, sizes, strict=True)]
    across = [["true\\pred", *"abc", "n"], *([c, *row, str(n)] for c, row, n in zip("abc", cells, sizes, strict=True))]
    down = [["pred\\true", *"abc"], *([c, *row] for c, row in zip("abc", zip(*cells, strict=True), strict=True))]
    found = [_answer([*table]) for table in (across, [*down, ["n", *map(str, sizes)]])]
    both_ways = all(abs(sum(float(cell[:-1]) for cell in row[1:]) - 100) <= 1.5 / 10**digits for row in down[1:])
    assert found[0] == found[1] or (both_ways and found[1] == "")
    assert found[0] in (str(rows), "")


def _answer(table: list[list[str]]) -> str:
    try:
        text = "".join(",".join(row) + "\n" for row in table)
        return str(read(io.StringIO(text)).confusion.counts.tolist())
    except InvalidFile:
        return ""


@pytest.mark.full
@settings(max_examples=tries(200), deadline=None)
@example([1, 1, 1], 0)
@example([0, 0, 9], 1)
@for_all(st.lists(st.integers(0, 25), min_size=2, max_size=3), st.integers(0, 2))
def test_the_only_counts_are_those_that_counting_all_finds(row: list[int], digits: int) -> None:
    n = sum(row)
    if not n:
        return
    printed = [f"{100 * count / n:.{digits}f}" for count in row]
    unit = 10**digits

    def fits(counts: tuple[int, ...]) -> bool:
        # in whole numbers: 100 count / n is within half a digit of what is printed
        near = (
            abs(200 * unit * c - 2 * n * int(it.replace(".", ""))) <= n for c, it in zip(counts, printed, strict=True)
        )
        return sum(counts) == n and all(near)

    every = [counts for counts in product(range(n + 1), repeat=len(row)) if fits(counts)]
    assert tuple(row) in every
    found = counts_near([(int(it.replace(".", "")), 100 * unit) for it in printed], n)
    assert found == (list(every[0]) if len(every) == 1 else [])
