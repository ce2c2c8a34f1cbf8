"""Print-outs that say which side is the truth, and tables of HTML."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from tests.print_outs import HTML, WEKA

from howsure.io import Reading
from howsure.io.formats.printed import table_in_text


def test_two_matrices_of_weka_are_not_chosen_from(complaint: Callable[..., str]) -> None:
    assert "several_matrices" in complaint(WEKA + WEKA.replace("90", "91"), "x.txt")


def test_two_tables_of_a_page_are_not_one_matrix(complaint: Callable[..., str]) -> None:
    assert "one column only" in complaint(HTML + HTML, "x.html")


@pytest.mark.parametrize("cell", ["1,23", "1.23", "1 23", "1'23", "0'123", "1'234\u00a0567", "1,234.000"])
def test_what_may_be_something_else_is_refused(cell: str, complaint: Callable[..., str]) -> None:
    assert "true 'a' predicted 'a' holds" in complaint(f"true\\pred\ta\tb\na\t{cell}\t10\nb\t5\t20\n", "x.tsv")


_SQUARES = st.integers(2, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 10**6), min_size=k, max_size=k), min_size=k, max_size=k)
)


@for_all(_SQUARES)
def test_what_is_printed_is_read(cells: list[list[int]]) -> None:
    names = [f"c{place}" for place in range(len(cells))]
    letters = "abcdef"[: len(cells)]
    lines = [" ".join(letters) + "  <-- classified as"]
    lines += [f"{' '.join(map(str, row))} | {a} = {name}" for row, a, name in zip(cells, letters, names, strict=True)]
    as_weka = table_in_text("x", "\n".join(lines))
    assert as_weka is not None
    assert [row[1:] for _, row in as_weka.rows] == [list(map(str, row)) for row in cells]
    lines = ["   Reference", f"Prediction {' '.join(names)}"]
    lines += [f"  {name} {' '.join(map(str, row))}" for row, name in zip(cells, names, strict=True)]
    as_caret = table_in_text("x", "\n".join(lines))
    assert as_caret is not None
    assert [*as_caret.rows] == [
        (n, [name, *map(str, row)]) for n, (name, row) in enumerate(zip(names, cells, strict=True), 3)
    ]


@pytest.mark.sweep(1, full=7)
@pytest.mark.parametrize("part", ["<a ", "<!--", "<!", "<![CDATA[", "<td '\"", "<" + "a" * 50, "<td " + "colspan " * 9])
def test_unfinished_tags_of_any_number_are_passed_over_once(part: str, complaint: Callable[..., str]) -> None:
    # the parser of Python's library takes five minutes for the first
    assert "one column only" in complaint("<table>" + part * (200_000 // len(part)), "x.html")


def test_a_character_whose_number_has_thousands_of_digits_stays_as_it_is(complaint: Callable[..., str]) -> None:
    assert "the header has 1 cell" in complaint(f"<table><tr><td>&#{'9' * 5000};", "x.html")


#: What `write.table` writes of a matrix: by itself, with tabs, without quotes, and with its sums.
WRITTEN = [
    '"well" "ill"\n"well" 90 10\n"ill" 5 45\n',
    '"well"\t"ill"\n"well"\t90\t10\n"ill"\t5\t45\n',
    "well\till\nwell\t90\t10\nill\t5\t45\n",
    "well,ill\nwell,90,10\nill,5,45\n\n",
    "well\till\tSum\nwell\t90\t10\t100\nill\t5\t45\t50\nSum\t95\t55\t150\n",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_matrix_of_write_table_has_no_corner_cell(text: str, given: Callable[..., Reading]) -> None:
    confusion = given(text, "x.txt", rows="true").confusion
    assert (confusion.labels, confusion.counts.tolist()) == (("well", "ill"), [[90, 10], [5, 45]])


def test_names_in_quotes_may_have_blanks_and_be_numbers(given: Callable[..., Reading]) -> None:
    assert given('"not ill" "ill"\n"not ill" 90 10\n"ill" 5 45\n', rows="true").confusion.labels == ("not ill", "ill")
    assert given('"1" "2"\n"1" 90 10\n"2" 5 45\n', rows="true").confusion.labels == ("1", "2")
    assert given("0\t1\t2\n0\t5\t1\t2\n1\t0\t6\t1\n2\t1\t1\t7\n", rows="true").confusion.counts[2].tolist() == [1, 1, 7]


@pytest.mark.parametrize("sign", [" ", "\t"])
def test_a_list_of_write_table_has_numbered_rows(sign: str, given: Callable[..., Reading]) -> None:
    lines = [["pred", "true", "Freq"], ["1", "well", "well", 90], ["2", "ill", "well", 10], ["3", "well", "ill", 5],
             ["4", "ill", "ill", 45]]  # fmt: skip
    text = "\n".join(sign.join(f'"{cell}"' if isinstance(cell, str) else str(cell) for cell in line) for line in lines)
    confusion = given(text, "x.txt", labels=("well", "ill")).confusion
    assert confusion.counts.tolist() == [[90, 10], [5, 45]]


@pytest.mark.parametrize(
    "text",
    [
        "y_true,y_pred\nwell, then,ill\nill, then,ill\n",  # a comma in a text
        "y_true,y_pred\n1,well,ill\n2,ill,ill\n",
        "well,ill\nwell,90,10\nsick,5,45\n",
        '"y_true"\t"y_pred"\n"1"\tvery well\n"2"\tvery ill\n',
        "well,ill\nwell,90,\nill,5,\n",
    ],
)
def test_rows_with_a_cell_more_are_refused_where_they_may_be_something_else(
    text: str, complaint: Callable[..., str]
) -> None:
    complaint(text, rows="true")
