"""What programs print: lists of Python, NumPy and MATLAB, LaTeX, Markdown, and columns set apart by blanks."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from tests.dialects import REFUSED, SAME

from howsure.errors import InvalidFile
from howsure.io import read


@pytest.mark.parametrize(("text", "classes", "rows"), SAME)
def test_one_matrix_in_many_dialects(text: str, classes: tuple[str, str] | None, rows: str | None) -> None:
    if rows is None:
        with pytest.raises(InvalidFile, match="it is unclear whether a row is a true or a predicted class"):
            read(io.StringIO(text))
    reading = read(io.StringIO(text), rows="true" if rows is None else None)
    assert reading.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert reading.confusion.labels == (classes or ("0", "1"))
    assert any("rows are predicted classes" in note for note in reading.notes) == (rows == "pred")


@pytest.mark.sweep(11, full=14)
@pytest.mark.parametrize(("text", "words"), REFUSED, ids=lambda value: value[:20])
def test_what_is_no_matrix_gets_a_sentence(complaint: Callable[..., str], text: str, words: str) -> None:
    assert words in complaint(text)


@pytest.mark.full
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
def test_texts_that_took_a_reader_hours_are_refused(text: str) -> None:
    """Time is no assertion here: what steps back over such a text ends the run by `faulthandler_timeout`."""
    with pytest.raises(InvalidFile):
        read(io.StringIO(text))


@pytest.mark.parametrize(
    "text",
    [
        "           Disease +   Disease -   Total\nTest +     45          8           53\nTest -     5   92   97\n"
        "Total      50          100         150\n",
        "Disease present Disease absent Total\nTest positive 45 8 53\nTest negative 5 92 97\nTotal 50 100 150\n",
        "Cancer No cancer Total\nTest positive 45 (90 %) 8 (8.0%) 53\n"
        "Test negative 5 (10 %) 92 (92.0%) 97\nTotal 50 100 150\n",
        "No cancer Cancer\nTest negative 92 5\nTest positive 8 45\n",
    ],
)
def test_a_test_by_a_disease_as_it_is_copied_from_a_page(text: str) -> None:
    found = read(io.StringIO(text)).confusion
    assert found.counts.tolist() == [[92, 8], [5, 45]]
    assert found.positive == found.labels[1]
