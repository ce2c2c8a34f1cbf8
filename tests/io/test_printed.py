"""What programs print: lists of Python, NumPy and MATLAB, LaTeX, Markdown, and columns set apart by blanks."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.dialects import REFUSED, SAME

from howsure.errors import InvalidFile
from howsure.io import read


@pytest.mark.parametrize(("text", "classes", "rows"), SAME)
def test_one_matrix_in_many_dialects(text: str, classes: tuple[str, str] | None, rows: str | None) -> None:
    if rows is None:
        with pytest.raises(InvalidFile, match="nothing says whether a row is a true or a predicted class"):
            read(io.StringIO(text))
    reading = read(io.StringIO(text), rows="true" if rows is None else None)
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert reading.confusion.labels == (classes or ("0", "1"))
    assert any("rows are predicted classes" in note for note in reading.notes) == (rows == "pred")


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=lambda value: value[:20])
def test_what_is_no_matrix_gets_a_sentence(complaint: Callable[..., str], text: str, words: str) -> None:
    assert words in complaint(text)


def test_columns_set_apart_by_blanks_come_in_any_order(given: Callable[..., Any]) -> None:
    reading = given("x high low\nlow 2 6\nhigh 26 0\n", rows="true")
    assert reading.confusion.labels == ("low", "high")
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 300_000,
        "[" + " " * 600_000 + "x",
        "[1][2]" * 60_000,
        "[1]\n" * 100_000,
        "array([[1, 2]], " + " " * 500_000 + "dtype=" + " " * 100_000,
        "&" + "\\\\ " * 200_000,
        "\\begin{a}{" * 50_000 + "& \\\\",
        "\\multicolumn{" * 50_000 + "& \\\\",
        "|--|\n" * 100_000,
        "TP=" * 300_000,
        "a b\n" * 200_000,
        "a " * 300_000 + "\nb 1",
        "," + "_" * 9_000 + "+,b\n" + " _" * 4_000 + "+,1,2\nb,3,4\n",
        "=" * 500_000 + "\n" + "|" * 100_000,
        "A" * 900_000 + "=[",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_texts_that_would_take_long_are_refused_soon(text: str) -> None:
    start = time.process_time()
    with pytest.raises(InvalidFile):
        read(io.StringIO(text))
    assert time.process_time() - start < 3
