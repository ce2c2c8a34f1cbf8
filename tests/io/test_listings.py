"""Print-outs that say which side is the truth, and tables of HTML."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from tests.print_outs import CARET, HTML, WEKA

from howsure.io import Reading
from howsure.io.formats.printed import table_in_text


@pytest.mark.parametrize("text", [CARET, WEKA, HTML])
def test_the_same_cases_from_every_print_out(text: str, given: Callable[..., Reading]) -> None:
    matrix = given(text, "x.txt").confusion
    assert list(matrix.labels) == ["healthy", "ill"]
    assert matrix.counts.tolist() == [[90, 10], [5, 45]]


def test_rows_of_caret_are_turned_and_that_is_said(given: Callable[..., Reading]) -> None:
    assert any("turned" in note or "transposed" in note for note in given(CARET, "x.txt").notes)


@pytest.mark.parametrize("text", ["TP FP FN TN\n45 10 5 90\n", "TN  TP  FN  FP\n90  45  5   10\n"])
def test_four_columns_in_any_order(text: str, given: Callable[..., Reading]) -> None:
    assert given(text, "x.txt").confusion.counts.tolist() == [[90, 10], [5, 45]]


def test_two_matrices_of_weka_are_not_chosen_from(complaint: Callable[..., str]) -> None:
    assert "several_matrices" in complaint(WEKA + WEKA.replace("90", "91"), "x.txt")


def test_two_tables_of_a_page_are_not_one_matrix(complaint: Callable[..., str]) -> None:
    assert "one column only" in complaint(HTML + HTML, "x.html")


@pytest.mark.parametrize("sign", ["'", "\u2019", "\u00a0", "\u202f", "\u2009"])
def test_thousands_set_apart_by_no_decimal_sign(sign: str, given: Callable[..., Reading]) -> None:
    text = f"true\\pred\ta\tb\na\t1{sign}234\t10\nb\t5\t2{sign}045{sign}000\n"
    assert given(text, "x.tsv").confusion.counts.tolist() == [[1234, 10], [5, 2045000]]


@pytest.mark.parametrize("cell", ["1,23", "1.23", "1 23", "1'23", "0'123", "1'234\u00a0567", "1,234.000"])
def test_what_may_be_something_else_is_refused(cell: str, complaint: Callable[..., str]) -> None:
    assert "true 'a' predicted 'a' holds" in complaint(f"true\\pred\ta\tb\na\t{cell}\t10\nb\t5\t20\n", "x.tsv")


def test_html_in_a_cell_of_a_case_is_text(given: Callable[..., Reading]) -> None:
    reading = given("y_true,y_pred,text\na,a,<table><tr><td>1</td></tr></table>\nb,a,x\n")
    assert reading.confusion.counts.tolist() == [[1, 0], [1, 0]]


def test_html_cells_have_the_words_that_are_seen(given: Callable[..., Reading]) -> None:
    text = HTML.replace("<th>ill</th>", "<th>\n not <b>healthy</b>\n</th>")
    assert list(given(text, "x.html").confusion.labels) == ["healthy", "not healthy"]


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


@pytest.mark.parametrize(
    "inside",
    [
        "<tr><td>true\\pred</td><td>a</td><td>b<tr>\n<td>a<td>6<td>2<tr><td>b<td>0<td>26",  # cells left open
        "<tr><!-- > <td> --><td title='a'>true\\pred<td>a<td>b<tr><td>a<td>6<td>2<script>1 < 2</script>"
        "<tr><td>b<td>0<td>26<![if x]>",
        "<TR><TH>true\\pred<TH>&#97;<TH>b<TR><TH>a<TD>6<TD>2<TR><TH>b<TD>0<TD>26</TABLE><!-- never closed <td>",
    ],
)
def test_html_as_careless_pages_have_it(inside: str, given: Callable[..., Reading]) -> None:
    assert given(f"<table>{inside}", "x.html").confusion.counts.tolist() == [[6, 2], [0, 26]]


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


def test_without_a_corner_names_of_two_sides_say_what_a_row_is(given: Callable[..., Reading]) -> None:
    reading = given("Disease+\tDisease-\nTest+\t45\t10\nTest-\t5\t90\n", "x.tsv")
    assert reading.confusion.counts.tolist() == [[90, 10], [5, 45]]


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


def test_counts_beside_their_shares_are_a_matrix_without_names(given: Callable[..., Reading]) -> None:
    for text in ("90 (90%)\t10 (10%)\n5 (10%)\t45 (90%)\n", "90 % (90),10 % (10)\n10 % (5),90 % (45)\n"):
        assert given(text, rows="true").confusion.counts.tolist() == [[90, 10], [5, 45]]
