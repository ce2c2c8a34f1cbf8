"""What programs and people print, and rates in sentences."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from tests.conftest import tries
from tests.dialects import REFUSED, SAME
from tests.print_outs import H2O, HTML, JULIA, OF_CASES, SPSS, STATA, TENSORS, WEKA

import howsure as hs
from howsure.errors import InvalidFile
from howsure.io import Reading, read
from howsure.io.formats.printed import table_in_text
from howsure.io.formats.sentences import Printed, tables_of_report
from howsure.web import handle


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


# -- cross tables as statistics programs print them -------------------------------------------------------------------


@pytest.mark.parametrize("text", [JULIA, TENSORS[0], TENSORS[1]], ids=["julia", "tensor", "tensor in a list"])
def test_numbers_alone_leave_the_rows_open(
    text: str, given: Callable[..., Reading], complaint: Callable[..., str]
) -> None:
    assert given(text, "x.txt", rows="true").confusion.counts.tolist() == [[45, 5], [8, 42]]
    assert given(text, "x.txt", rows="pred").confusion.counts.tolist() == [[45, 8], [5, 42]]
    assert "rows_unsaid" in complaint(text, "x.txt")


@pytest.mark.parametrize(
    "text",
    [
        SPSS.replace("pos\t8", "yes\t8").replace("neg", "bad"),
        H2O.replace("neg     45", "bad     45"),
        TENSORS[0].replace("[[", "[").replace("]]", "]"),
    ],
)
def test_what_is_nearly_one_of_them_is_refused(text: str, complaint: Callable[..., str]) -> None:
    assert complaint(text, "x.txt", rows="true")


def test_two_tables_in_one_text_are_asked_about(complaint: Callable[..., str]) -> None:
    text = f"Training\n{STATA}\nTest\n{STATA.replace('45', '46')}"
    assert "several_matrices" in complaint(text, "x.txt")


@for_all(st.text(alphabet="|+-\t\n 0123456789abnegpos=/.[]()Error RateTotal\u00d7{}:", max_size=300))
def test_no_text_is_more_than_they_can_bear(text: str) -> None:
    try:
        found = table_in_text("x", text)
    except InvalidFile:
        return
    assert found is None or all(isinstance(line, int) and row for line, row in found.rows)


@pytest.mark.parametrize("beginning", ["tf.Tensor(", "<tf.Tensor: numpy=", "1\u00d71 Matrix{"])
def test_long_texts_end_soon(beginning: str) -> None:
    text = beginning + "[" * 49_000 + " Error Rate\n" + "]" * 49_000
    assert table_in_text("x", text) is None


# -- print-outs that say which side is the truth, and tables of HTML --------------------------------------------------


def test_two_matrices_of_weka_are_not_chosen_from(complaint: Callable[..., str]) -> None:
    assert "several_matrices" in complaint(WEKA + WEKA.replace("90", "91"), "x.txt")


def test_two_tables_of_a_page_are_not_one_matrix(complaint: Callable[..., str]) -> None:
    assert "one column only" in complaint(HTML + HTML, "x.html")


@pytest.mark.parametrize("cell", ["1,23", "1.23", "1 23", "1'23", "0'123", "1'234\u00a0567", "1,234.000"])
def test_what_may_be_something_else_is_refused(cell: str, complaint: Callable[..., str]) -> None:
    assert "true 'a' predicted 'a' holds" in complaint(f"true\\pred\ta\tb\na\t{cell}\t10\nb\t5\t20\n", "x.tsv")


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


# -- rates in place of counts: a classification report, sensitivity 42/50 ---------------------------------------------


@settings(max_examples=tries(40), deadline=None)
@for_all(st.lists(st.integers(0, 40), min_size=4, max_size=4))
def test_what_scikit_learn_prints_is_the_matrix_or_refused(cells: list[int]) -> None:
    report = pytest.importorskip("sklearn.metrics").classification_report
    counts = np.array(cells).reshape(2, 2)
    if not counts.sum(axis=1).all():
        return
    true = np.repeat(["no", "no", "yes", "yes"], cells)
    text = report(true, np.repeat(["no", "yes", "no", "yes"], cells), zero_division=0)
    found = answer(text)
    assert found == str(counts.tolist()) or "rounded rates fit" in found


def answer(text: str) -> str:
    try:
        return str(read(io.StringIO(text)).confusion.counts.tolist())
    except InvalidFile as refused:
        return refused.problem


@pytest.mark.parametrize("n", [50, 500])
def test_the_tables_are_those_that_reconstruct_finds(n: int) -> None:
    first, second = Printed("a", "0.85", "0.90", "0.87", n), Printed("b", "0.89", "0.84", "0.87", n)
    published = {
        f"{rate}@{it.name}": getattr(it, rate) for it in (first, second) for rate in ("precision", "recall", "f1")
    }
    found = hs.reconstruct(published | {"accuracy": "0.87"}, sizes=[n, n], labels=["a", "b"])
    tables = tables_of_report(first, second, "0.87")
    assert tables is not None
    assert sorted(tables) == sorted((int(it.counts[0, 0]), int(it.counts[1, 1])) for it in found.candidates)


@pytest.mark.parametrize(
    "text",
    [
        OF_CASES,
        "Sensitivity: 42/50 (84%)\nSpecificity: 45/50\n",
        "spec. 45/50, sens. 42/50",
        "sensitivity 42/50, specificity 45/50, accuracy 0.87",
        "Sensitivity\t42/50\nSpecificity\t45/50\n",
        "sensitivity was 84,0 % (42 / 50) and specificity was 90,0 % (45 / 50).",
    ],
)
def test_right_answers_of_both_classes_are_the_four_cells(text: str, given: Callable[..., Reading]) -> None:
    found = given(text, "x.txt").confusion
    assert found.counts.tolist() == [[45, 5], [8, 42]]
    assert found.positive == "positive"


@pytest.mark.parametrize("text", ["sens 1/" * 140, "precision recall f1-score support\n" + " " * 90_000 + "1"])
def test_long_texts_end_soon_of_rates(text: str) -> None:
    with pytest.raises(InvalidFile):
        read(io.StringIO(text))


# -- matrices as people write them: a dict, an assignment, words, counts with their percentages; and mere


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ta\tb\na\t42/47 (79%)\t5/47 (11%)\nb\t8/53 (15%)\t45/53 (85%)\n", "not the count over the total"),
        ("\ta\tb\na\t42/0 (79%)\t5/47 (11%)\nb\t8/53 (15%)\t45/53 (85%)\n", "not the count over the total"),
        ("\ta\tb\na\t4.5 (90%)\t5 (10%)\nb\t8 (15%)\t45 (85%)\n", "holds '4.5 .90%.', not a number"),
        ("\ta\tb\na\t42 (40 to 44)\t5\nb\t8\t45\n", "column 'a' holds '42 .40 to 44.', not"),
        ("tn, fp, fn, tp = 42, 5, 8", "unrecognized header"),
        ("tn, fp, fn, fn = 42, 5, 8, 45", "fn"),
        ("{'TP': 45, 'FP': 5, 'FN': 8}", "'TN' is missing"),
        ("sensitivity 84%, specificity 90%, n=100", "From a published abstract"),
        ("Sens. 0.84 spec. 0.90", "From a published abstract"),
    ],
)
def test_what_holds_no_counts_is_refused_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        handle({"verb": "paste", "text": text})


PIECES = ["{'TP': ", "tn, ", "true positives 4 ", "1 (1%", "precision support ", '{"" ', "sens 1"]


@pytest.mark.full
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_text_of_pieces_is_refused(piece: str) -> None:
    with pytest.raises(InvalidFile):
        handle({"verb": "paste", "text": piece * (200_000 // len(piece))})


# -- print-outs of programs and people (``print_outs.txt``): each is read rightly, or refused with what to

_PARTS = re.split(r"^==== (.*)\n", (Path(__file__).parent / "print_outs.txt").read_text("utf-8"), flags=re.MULTILINE)
EACH = {
    name.strip(): (arguments.strip(), ast.literal_eval(answer.strip()), text)
    for (name, arguments, answer), text in (
        (head.split("|"), text) for head, text in zip(_PARTS[1::2], _PARTS[2::2], strict=True)
    )
}


@pytest.mark.parametrize("name", EACH)
def test_it_is_read_rightly_or_refused_with_what_to_type(name: str) -> None:
    arguments, answer, text = EACH[name]
    rows = arguments.removeprefix("rows=") or None
    if isinstance(answer, str):
        with pytest.raises(InvalidFile, match=re.escape(answer)):
            read(io.StringIO(text), rows=rows)  # type: ignore[arg-type]  # "true", "pred" or nothing
        return
    assert read(io.StringIO(text), rows=rows).confusion.counts.tolist() == answer  # type: ignore[arg-type]


def test_none_is_named_twice() -> None:
    assert len(EACH) == len(_PARTS[1::2])
