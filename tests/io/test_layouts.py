"""Printed layouts: two sides, totals, shares."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, settings
from hypothesis import given as examples
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

#: Rows of the test by columns of the disease: names of both, and the classes that come of it.
SIDES = [
    (("Test+", "Test-"), ("Disease+", "Disease-"), ("negative", "positive")),
    (("T+", "T-"), ("D+", "D-"), ("negative", "positive")),
    (("T⁺", "T⁻"), ("D⁺", "D⁻"), ("negative", "positive")),
    (("Test (+)", "Test (-)"), ("Disease (+)", "Disease (-)"), ("negative", "positive")),
    (("Test +ve", "Test -ve"), ("Gold standard +ve", "Gold standard -ve"), ("negative", "positive")),
    (("Test positive", "Test negative"), ("Disease present", "Disease absent"), ("Disease absent", "Disease present")),
    (("Positive test", "Negative test"), ("Disease", "No disease"), ("No disease", "Disease")),
    (("test positive", "test negative"), ("case", "control"), ("control", "case")),
    (("test positive", "test negative"), ("cancer", "no cancer"), ("no cancer", "cancer")),
    (("T+", "T-"), ("ill", "healthy"), ("healthy", "ill")),
    (("test positive", "test negative"), ("Condition positive", "Condition negative"), ("negative", "positive")),
    (("Predicted positive", "Predicted negative"), ("Actual positive", "Actual negative"), ("negative", "positive")),
    (("predicted: yes", "predicted: no"), ("actual: yes", "actual: no"), ("no", "yes")),
    (("predicted disease", "predicted no disease"), ("actual disease", "actual no disease"),
     ("no disease", "disease")),
    (("+", "-"), ("D+", "D-"), ("negative", "positive")),
]  # fmt: skip


def laid_out(rows: tuple[str, ...], columns: tuple[str, ...], cells: list[list[int]], sign: str, corner: str) -> str:
    lines = [sign.join([corner, *columns])]
    lines += [sign.join([name, *map(str, row)]) for name, row in zip(rows, cells, strict=True)]
    return "\n".join(lines) + "\n"


@pytest.mark.sweep(26, full=90)
@pytest.mark.parametrize("sign", [",", "\t", ";"])
@pytest.mark.parametrize("totals", [False, True])
@pytest.mark.parametrize(("test", "disease", "classes"), SIDES, ids=lambda value: value[0])
def test_a_table_of_test_by_disease_says_its_own_orientation(
    test: tuple[str, ...], disease: tuple[str, ...], classes: tuple[str, ...], totals: bool, sign: str
) -> None:
    more = ("Total",) if totals else ()
    one = [[45, 8], [5, 92]] if not totals else [[45, 8, 53], [5, 92, 97], [50, 100, 150]]
    turned = [list(column) for column in zip(*one, strict=True)]
    for corner in ("", "result"):
        down = read(io.StringIO(laid_out((*test, *more), (*disease, *more), one, sign, corner)))
        across = read(io.StringIO(laid_out((*disease, *more), (*test, *more), turned, sign, corner)))
        # the order of the names does not matter
        swapped = laid_out(test[::-1], disease[::-1], [[92, 5], [8, 45]], sign, corner)
        swapped_across = laid_out(test[::-1], disease, [[5, 92], [45, 8]], sign, corner)
        for reading in (down, across, *(read(io.StringIO(text)) for text in (swapped, swapped_across))):
            assert reading.confusion.counts.tolist() == COUNTS
            assert reading.confusion.labels == classes
            assert reading.confusion.positive == classes[1]
            assert f"{classes[1]!r} is the positive class." in reading.notes[-1]
        assert any("rows are predicted classes" in note for note in down.notes)
        assert not any("rows are predicted classes" in note for note in across.notes)


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


TITLES = [
    ",Disease,,\nTest,present,absent,Total\npositive,45,8,53\nnegative,5,92,97\nTotal,50,100,150\n",
    "          Reference\nPrediction  no yes\n       no   92   5\n       yes   8  45\n",
    "Predicted   no  yes\nActual             \nno          92    8\nyes          5   45\n",
    ",Actual\n,yes,no\nyes,45,8\nno,5,92\n",
    ",,Predicted,\n,,no,yes\nActual,no,92,8\n,yes,5,45\n",
    ",,Predicted,Predicted,\n,,no,yes,Total\nActual,no,92,8,100\nActual,yes,5,45,50\n,Total,97,53,150\n",
    "\t\tActual\t\n\t\tyes\tno\n\tyes\t45\t8\nPredicted\tno\t5\t92\n",
    ",,Predicted,,\n,,no,yes,Total\nActual,no,92,8,100\n,yes,5,45,50\nTotal,,97,53,150\n",
    ",,Predicted,,Total\n,,no,yes,\nActual,no,92,8,100\n,yes,5,45,50\nTotal,,97,53,150\n",
    ",,Predicted,,\n,,no,yes,Row total\nActual,no,92,8,100\nActual,yes,5,45,50\nColumn total,,97,53,150\n",
    ",,no,yes,Total\nActual,no,92,8,100\n,yes,5,45,50\nTotal,,97,53,150\n",
    ",,no,yes\nActual,no,92,8\n,yes,5,45\n",
    ",,no,yes\nPredicted,no,92,5\n,yes,8,45\n",
]


@pytest.mark.parametrize("content", TITLES)
def test_a_line_with_the_name_of_a_side_is_its_title(given: Callable[..., Any], content: str) -> None:
    reading = given(content, "x.txt")
    positive = next(name for name in ("present", "yes") if name in reading.confusion.labels)
    counts = reading.confusion.counts.tolist()
    if reading.confusion.labels[0] == positive:
        counts = [row[::-1] for row in counts[::-1]]
    assert counts == COUNTS


def test_cases_numbered_by_two_columns_without_names_are_no_matrix(given: Callable[..., Reading]) -> None:
    found = given(",,y_true,y_pred\ntest,0,a,b\ntest,1,a,a\ntest,2,b,b\ntest,3,b,b\n")
    assert found.confusion.counts.tolist() == [[1, 1], [0, 2]]


@pytest.mark.parametrize(
    "content",
    [
        "name,tp,fn,fp,tn\nours,45,5,8,92\n",
        "Model;TN;FP;FN;TP\nours;92;8;5;45\n",
        "tp,fn,fp,tn\n45,5,8,92\n",
        "true positives,false negatives,false positives,true negatives\n45,5,8,92\n",
        '{"name": "ours", "tp": 45, "fn": 5, "fp": 8, "tn": 92}\n',
        "TP,45\nFN,5\nFP,8\nTN,92\n",
        "TP\t45\nFN\t5\nFP\t8\nTN\t92\n",
        "TP: 45\nFN: 5\nFP: 8\nTN: 92\n",
        "TP=45 FN=5 FP=8 TN=92",
        "TP = 45, FN = 5, FP = 8, TN = 92\n",
        "true positives: 45; false negatives: 5; false positives: 8; true negatives: 92",
    ],
)
def test_four_cells_by_their_names(content: str) -> None:
    reading = read(io.StringIO(content))
    assert reading.confusion.counts.tolist() == COUNTS
    assert reading.confusion.labels == ("negative", "positive")
    assert reading.confusion.positive == "positive"
    assert "'positive' is the positive class." in reading.notes[0]


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


# -- percentages beside the number of cases, and cells such as 45/50: the counts they are, or a sentence --------------

COUNTS_OF_ROW_SHARES = [[45, 5], [8, 42]]
#: The share of each column, and its cases below.
BELOW = "true\\pred,healthy,ill\nhealthy,85%,11%\nill,15%,89%\nn,53,47\n"


@pytest.mark.sweep(3, full=21)
@pytest.mark.parametrize(
    "text",
    [
        PERCENT,
        PERCENT.replace("%", " %").replace(",", "\t"),
        PERCENT.replace("%", ".0%").replace(",n\n", ",Total\n"),
        PERCENT.replace("10%", "10,0 %").replace("90%", "90,0 %").replace(",", ";").replace(";0", ",0"),
        "true\\pred,healthy,ill,n\nhealthy,0.90,0.10,50\nill,0.16,0.84,50\n",
        PERCENT + "Total,53%,47%,100\n",
        PERCENT + "Total,53,47,100\n",
        PERCENT + "n,53,47,100\n",
        OVER,
        OVER.replace("/", " / "),
        "true\\pred,healthy,ill,n\nhealthy,45/50,5/50,50\nill,8/50,42/50,50\nn,53,47,100\n",
        "true\\pred,healthy,ill\nhealthy,45/53,5/47\nill,8/53,42/47\n",  # of the columns
        "true\\pred,healthy,ill\nhealthy,45/100,5/100\nill,8/100,42/100\n",  # of all
        BELOW,
        BELOW.replace("%", " %").replace("n,53", "Total,53").replace(",", "\t"),
        BELOW.replace("85%,11%", "0.85,0.11").replace("15%,89%", "0.15,0.89"),
        "pred\\true,healthy,ill\nhealthy,90%,16%\nill,10%,84%\nn,50,50\n",
        # cases of both sides: the shares add up down
        "true\\pred,healthy,ill,n\nhealthy,85%,11%,50\nill,15%,89%,50\nn,53,47,100\n",
        "true\\pred,healthy,ill,Total\nhealthy,85%,11%,50\nill,15%,89%,50\nTotal,53,47,100\n",
    ],
)
def test_one_matrix_of_shares(text: str, given: Callable[..., Reading]) -> None:
    found = given(text)
    assert found.confusion.counts.tolist() == COUNTS_OF_ROW_SHARES
    assert found.confusion.labels == ("healthy", "ill")


def test_rows_of_predictions_are_turned(given: Callable[..., Reading]) -> None:
    text = "pred\\true,healthy,ill,n\nhealthy,84.9%,15.1%,53\nill,10.6%,89.4%,47\n"
    found = given(text)
    assert found.confusion.counts.tolist() == COUNTS_OF_ROW_SHARES
    assert any("the only counts that are printed so" in note for note in found.notes)


@pytest.mark.parametrize("text", [PERCENT, OVER])
def test_what_a_row_is_is_asked_as_ever(
    text: str, given: Callable[..., Reading], complaint: Callable[..., str]
) -> None:
    open_ = text.replace("true\\pred", "")
    assert "rows_unsaid" in complaint(open_)
    assert given(open_, rows="true").confusion.counts.tolist() == COUNTS_OF_ROW_SHARES


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


def test_halves_that_are_both_rounded_up_are_shares(given: Callable[..., Reading]) -> None:
    """177 and 23 of 200 are 0.885 and 0.115, which are printed as 0.89 and 0.12."""
    found = given("true\\pred,a,b,n\na,0.89,0.12,200\nb,0.500,0.500,200\n")
    assert found.confusion.counts.tolist() == [[177, 23], [100, 100]]


def test_shares_that_add_up_both_ways_are_of_rows_where_these_have_their_cases(given: Callable[..., Reading]) -> None:
    found = given("true\\pred,a,b,n\na,90.0%,10.0%,100\nb,10.0%,90.0%,200\nTotal,110,190,300\n")
    assert found.confusion.counts.tolist() == [[90, 10], [20, 180]]


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
