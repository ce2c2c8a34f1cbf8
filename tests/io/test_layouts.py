"""Printed layouts of two classes: test by disease, the four cells by name, and titles above or beside the names."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from howsure.io import Reading, read
from howsure.io.assembly import sides_of

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


PLAIN = """\
,Disease +,Disease -,Total
Test +,45,8,53
Test -,5,92,97
Total,50,100,150
"""


def test_a_table_of_a_textbook(given: Callable[..., Any]) -> None:
    reading = given(PLAIN)
    assert reading.confusion.counts.tolist() == COUNTS
    assert reading.layout == "matrix, names of rows and columns"
    assert reading.notes == (
        "The rows are called 'Test +', 'Test -' and the columns 'Disease +', 'Disease -': rows are predicted classes. "
        "The matrix was turned and is shown with rows = truth.",
        "The last row and column ('Total') are totals of the others and were left out.",
        "The classes are called 'negative' and 'positive'; 'positive' is the positive class.",
    )
    assert given(PLAIN, positive="negative").confusion.positive == "negative"


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
