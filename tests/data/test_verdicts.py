"""Matrices some of whose cases have no truth: what they hold, how they are counted, shown, written, added, refused."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.data.confusion import ConfusionMatrix
from howsure.data.judged_cases import judged_cases, told_apart, true_classes
from howsure.errors import HowsureError, InvalidArgument, InvalidCounts, InvalidLabels

JUDGED = ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
UNSURE = ConfusionMatrix(
    [[22, 7, 3], [6, 65, 4]],
    ["fail", "pass"],
    verdicts=["fail", "pass", "unsure"],
    unlabelled=[572, 1328, 99],
    order=["fail", "unsure", "pass"],
)
AUDIT = ConfusionMatrix.from_predictions(
    ["ill", None, "well", "ill", None],
    ["ill", "well", "well", "well", "no answer"],
    judge=["ill", "well", "well", "ill", "ill"],
    missing="estimate",
)
EVERY = [JUDGED, UNSURE, AUDIT]


def estimated(y_true: Any, y_pred: Any, **more: Any) -> ConfusionMatrix:
    return ConfusionMatrix.from_predictions(y_true, y_pred, missing="estimate", **more)


# -- what it holds -----------------------------------------------------------------------------------------------


def test_a_table_with_cases_without_a_truth() -> None:
    assert (JUDGED.n, JUDGED.labels, JUDGED.unlabelled) == (100, ("fail", "pass"), {"fail": 572, "pass": 1328})
    assert JUDGED.counts.tolist() == [[22, 7], [6, 65]]
    held = JUDGED.verdicts
    assert held is not None
    assert (held.truths, held.names, held.n, held.n_labelled) == (2, ("fail", "pass"), 2000, 100)
    assert held.totals.tolist() == [600, 1400]
    assert held.scores is None
    with pytest.raises(ValueError, match="read-only"):
        held.labelled[0, 0] = 1


def test_verdicts_that_are_no_true_class_are_columns_and_labels_with_empty_rows() -> None:
    assert UNSURE.labels == ("fail", "pass", "unsure")
    assert UNSURE.counts.tolist() == [[22, 7, 3], [6, 65, 4], [0, 0, 0]]
    assert UNSURE.verdicts is not None
    assert UNSURE.verdicts.scores is not None
    assert UNSURE.verdicts.scores.tolist() == [0, 2, 1]
    assert UNSURE.positive is None
    assert UNSURE.with_positive("pass").positive == "pass"
    assert UNSURE.with_positive("pass").unlabelled == UNSURE.unlabelled
    with pytest.raises(InvalidLabels, match="'unsure' is a verdict only, and no true class"):
        UNSURE.with_positive("unsure")


def test_without_gaps_it_is_an_ordinary_matrix() -> None:
    plain = ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"])
    for same in (
        ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled={"fail": 0}),
        ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], verdicts=["fail", "pass"]),
    ):
        assert same.verdicts is None
        assert same.unlabelled == {}
        assert same == plain
        assert repr(same) == repr(plain)
        assert same.to_dict() == plain.to_dict()


def test_a_rectangular_table_that_is_labelled_throughout_keeps_its_true_classes() -> None:
    whole = ConfusionMatrix([[2, 1, 1], [0, 5, 1]], ["a", "b"], verdicts=["a", "b", "unsure"])
    assert whole.verdicts is not None
    assert (whole.verdicts.truths, whole.verdicts.unlabelled.tolist()) == (2, [0, 0, 0])
    with pytest.raises(InvalidArgument, match="not every verdict can be true, so truth and prediction"):
        whole.transpose()


def test_the_transposed_table_and_a_frame() -> None:
    turned = ConfusionMatrix(
        [[22, 6], [7, 65], [3, 4]],
        ["fail", "pass"],
        verdicts=["fail", "pass", "unsure"],
        unlabelled=[572, 1328, 99],
        order=["fail", "unsure", "pass"],
        orientation="pred-rows",
    )
    assert turned == UNSURE
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[22, 7, 3], [6, 65, 4]], ["fail", "pass"], ["fail", "pass", "unsure"])
    read = ConfusionMatrix(frame, unlabelled=[572, 1328, 99], order=["fail", "unsure", "pass"])
    assert read == UNSURE


def test_numbers_are_in_order_and_declared_orders_leave_out_what_nobody_said() -> None:
    graded = estimated(["pass", "fail", None, None], [5, 1, 2.0, "5"])
    assert graded.verdicts is not None
    assert graded.verdicts.scores is not None
    assert dict(zip(graded.verdicts.names, graded.verdicts.scores.tolist(), strict=True)) == {"1": 1, "2": 2, "5": 5}
    turned = estimated(["pass", "fail", None, None], [5, 1, 2, 5], order=[5, 4, 3, 2, 1])
    assert turned.verdicts is not None
    assert turned.verdicts.order == ("5", "2", "1")
    assert ConfusionMatrix.from_dict(turned.to_dict()) == turned


def test_an_audit_has_every_pair_of_what_was_said() -> None:
    held = AUDIT.verdicts
    assert held is not None
    assert held.audit
    assert held.names[:2] == ("ill, judged ill", "ill, judged well")
    assert len(held.names) == 6
    assert [AUDIT.labels[i] for i in held.column] == ["ill", "ill", "well", "well", "no answer", "no answer"]
    assert held.judged == ("ill", "well") * 3
    assert AUDIT.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
    assert AUDIT.positive == "ill"


# -- shown and written -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("matrix", EVERY, ids=["judged", "unsure", "audit"])
def test_it_comes_back_from_plain_data_from_its_call_and_from_a_pickle(matrix: ConfusionMatrix) -> None:
    assert ConfusionMatrix.from_dict(matrix.to_dict()) == matrix
    assert eval(repr(matrix), {"ConfusionMatrix": ConfusionMatrix}) == matrix
    back = pickle.loads(pickle.dumps(matrix))
    assert back == matrix
    assert hash(back) == hash(matrix)
    assert str(back) == str(matrix)


def test_what_differs_is_not_equal() -> None:
    assert ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"]) != JUDGED
    assert ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled={"fail": 572, "pass": 1327}) != JUDGED
    data = UNSURE.to_dict()
    assert ConfusionMatrix.from_dict({**data, "order": ["pass", "unsure", "fail"]}) != UNSURE


def test_it_is_drawn_with_its_last_row() -> None:
    assert str(UNSURE).splitlines() == [
        "true\\pred   fail  pass  unsure",
        "fail          22     7       3",
        "pass           6    65       4",
        "unlabelled   572  1328      99",
    ]
    page = UNSURE._repr_html_()
    assert '<th scope="row">unlabelled</th><td>572</td><td>1328</td><td>99</td>' in page
    assert "svg" not in page
    assert "ill, judged well" in str(AUDIT)
    names = [f"c{i}" for i in range(9)]
    large = ConfusionMatrix(np.eye(9, dtype=int), names, unlabelled=[1] * 9)
    assert repr(large) == "<ConfusionMatrix of 9 classes, 9 cases and 9 without a truth, rows are truth>"


# -- counted from cases ------------------------------------------------------------------------------------------

TRUTHS = st.sampled_from(["fail", "pass", None, "", float("nan")])
CASES = st.lists(st.tuples(TRUTHS, st.sampled_from(["fail", "pass", "unsure"])), min_size=1, max_size=40)


@settings(max_examples=tries(60))
@given(CASES)
def test_cases_are_counted_as_one_would_by_hand(cases: list[tuple[Any, str]]) -> None:
    true, pred = map(list, zip(*cases, strict=True))
    kept = [(t, v) for t, v in cases if t in ("fail", "pass")]
    if not kept:
        with pytest.raises(InvalidCounts, match="no case has a label"):
            estimated(true, pred, labels=["fail", "pass"])
        return
    made = estimated(true, pred, labels=["fail", "pass"])
    assert made.n == len(kept)
    cells = Counter(kept)
    for t in ("fail", "pass"):
        for v in set(made.labels):
            assert made.counts[made.index(t), made.index(v)] == cells[t, v]
    rest = Counter(v for t, v in cases if t not in ("fail", "pass"))
    assert Counter(made.unlabelled) == rest or (not rest and not any(made.unlabelled.values()))
    if len(kept) == len(cases) and "unsure" not in pred:
        assert made == ConfusionMatrix.from_predictions(true, pred, labels=["fail", "pass"])
        assert made.verdicts is None


@settings(max_examples=tries(40))
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
def test_without_gaps_estimating_changes_nothing(cases: list[tuple[str, str]]) -> None:
    true, pred = map(list, zip(*cases, strict=True))
    try:
        plain = ConfusionMatrix.from_predictions(true, pred)
    except InvalidLabels:
        return  # fewer than two classes, or none in common, which is another matrix with verdicts
    assert estimated(true, pred) == plain
    assert estimated(true, pred, judge=pred) == plain


@settings(max_examples=tries(40))
@given(CASES, st.integers(0, 40))
def test_batches_add_up_to_the_whole(cases: list[tuple[Any, str]], at: int) -> None:
    def made(some: list[tuple[Any, str]]) -> ConfusionMatrix:
        # so that every name is there, and a label
        some = [*some, ("fail", "fail"), ("pass", "pass"), (None, "unsure")]
        return estimated(*map(list, zip(*some, strict=True)), labels=["fail", "pass"])

    once = made(cases[:at]) + made(cases[at:])
    whole = made(cases) + made([])
    assert once == whole


def test_one_value_in_two_spellings() -> None:
    assert estimated([1.0, np.nan, 0.0], [1, 1, 0]) == estimated(["1", "", "0"], ["1.0", "1", "0.0"])
    assert estimated([True, None, False], ["true", "FALSE", "False"]).unlabelled == {"false": 1, "true": 0}


def test_how_often_each_case_comes() -> None:
    table = judged_cases(["a", "b", None], ["a", "b", "b"], times=np.array([3, 4, 5]))
    assert table is not None
    assert (table.counts.tolist(), table.unlabelled.tolist()) == ([[3, 0], [0, 4]], [0, 5])


# -- which names are true classes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "checked", "truths"),
    [
        (["pass"], {"pass": 9, "fail": 3}, ["fail", "pass"]),  # all labelled are right
        (["pass"], {"pass": 9, "fail": 0}, ["fail", "pass"]),
        (["pass"], {"pass": 9, "fail": 0, "unsure": 2}, ["fail", "pass"]),
        (["a"], {"a": 9, "b": 9}, ["a", "b"]),
        (["a"], {"a": 9, "b": 9, "c": 9}, ["a"]),  # and is then refused
        (["fail", "pass"], {"fail": 9, "pass": 9, "unsure": 0}, ["fail", "pass"]),
        (["fail", "pass"], {"1": 3, "2": 3, "3": 3, "4": 3, "5": 0}, ["fail", "pass"]),
        (["0", "1"], {"0": 9, "1": 9, "-1": 2}, ["0", "1"]),
        (["0", "1"], {"1": 9, "2": 9, "3": 0}, ["0", "1"]),
        (["1", "2", "4", "5"], {"1": 9, "2": 9, "3": 9, "4": 9, "5": 9}, ["1", "2", "3", "4", "5"]),
        ([str(i) for i in range(9)], {str(i): 8 for i in range(10)}, [str(i) for i in range(10)]),
        (["1", "2", "3"], {"1": 9, "2": 9, "3": 9, "unsure": 9}, ["1", "2", "3"]),
        (["cat", "dog"], {"cat": 9, "dog": 9, "bird": 4}, ["bird", "cat", "dog"]),
        (["cat", "dog"], {"cat": 9, "dog": 9, "bird": 0}, ["bird", "cat", "dog"]),
        (["cat", "dog"], {"cat": 9, "dog": 9, "unsure": 5}, ["cat", "dog"]),
    ],
)
def test_true_classes_where_nobody_names_them(seen: list[str], checked: dict[str, int], truths: list[str]) -> None:
    assert true_classes(seen, checked) == tuple(truths)


def test_predictions_of_an_audit_are_classes_however_often_they_are_wrong() -> None:
    checked = {"cat": 9, "dog": 9, "bird": 9}
    assert true_classes(["cat", "dog"], checked) == ("cat", "dog")
    assert true_classes(["cat", "dog"], checked, verdicts=False) == ("bird", "cat", "dog")


def test_notes_say_which_names_were_taken_for_what() -> None:
    def notes(matrix: ConfusionMatrix) -> list[str]:
        assert matrix.verdicts is not None
        return told_apart(matrix.labels, matrix.verdicts)

    (note,) = notes(UNSURE)
    assert note == (
        "'unsure' is never the truth in 107 labelled cases and is taken as a verdict only; --labels with all true "
        "classes says otherwise."
    )
    (note,) = notes(estimated(["cat", "dog", None], ["cat", "dog", "bird"]))
    assert note.startswith("'bird' is never the truth in 2 labelled cases and is taken as a true class; ")
    assert notes(JUDGED) == []


# -- other views -------------------------------------------------------------------------------------------------


def test_classes_are_joined_with_their_columns() -> None:
    joined = UNSURE.merge({"fail": ["unsure", "fail"]})
    assert joined == ConfusionMatrix([[25, 7], [10, 65]], ["fail", "pass"], unlabelled=[671, 1328])
    renamed = UNSURE.merge({"wrong": ["fail"]})
    assert renamed.verdicts is not None
    assert renamed.verdicts.order == ("wrong", "unsure", "pass")
    one = UNSURE.one_vs_rest("fail")
    assert (one.labels, one.positive) == (("not fail", "fail"), "fail")
    assert one.counts.tolist() == [[69, 6], [10, 22]]
    assert one.unlabelled == {"not fail": 1427, "fail": 572}
    audit = AUDIT.merge({"ill": ["ill", "no answer"]})
    assert audit.verdicts is not None
    assert audit.verdicts.names == ("ill, judged ill", "ill, judged well", "well, judged ill", "well, judged well")
    assert audit.verdicts.unlabelled.tolist() == [1, 0, 0, 1]


def test_an_ordinary_batch_is_added_by_name() -> None:
    plain = ConfusionMatrix([[0, 0, 0], [0, 4, 0], [2, 0, 3]], ["unsure", "pass", "fail"])
    both = ConfusionMatrix(
        [[25, 7, 5], [6, 69, 4]],
        ["fail", "pass"],
        verdicts=["fail", "pass", "unsure"],
        unlabelled=[572, 1328, 99],
        order=["fail", "unsure", "pass"],
    )
    assert UNSURE + plain == both
    assert set((plain + UNSURE).unlabelled.items()) == set(both.unlabelled.items())
    true_there = ConfusionMatrix([[3, 0, 0], [0, 4, 0], [0, 0, 1]], ["fail", "pass", "unsure"])
    with pytest.raises(InvalidLabels, match="only one of them has 'unsure', which the other takes as a verdict only"):
        UNSURE + true_there
    with pytest.raises(InvalidLabels, match="two orders, 'fail, unsure, pass' and 'pass, unsure, fail'"):
        UNSURE + ConfusionMatrix.from_dict({**UNSURE.to_dict(), "order": ["pass", "unsure", "fail"]})
    assert (AUDIT + AUDIT).unlabelled == {name: 2 * rest for name, rest in AUDIT.unlabelled.items()}
    with pytest.raises(InvalidLabels, match="audit"):
        AUDIT + estimated(["ill", "well", None], ["ill", "well", "no answer"])


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (lambda it: it.transpose(), "the truth of 1,999 of 2,106 cases is not known, so truth and prediction cannot"),
        (lambda it: it.subset(["fail", "pass"]), "no subset can be taken; merge"),
        (lambda it: it.normalised(), "shares of the labelled cases are not those of all"),
        (lambda it: it.one_vs_rest("unsure"), "'unsure' is a verdict only, and no true class"),
        (lambda it: it.merge({"all": ["fail", "pass"]}), "two or more true classes; the groups leave one"),
    ],
)
def test_what_needs_every_truth_is_refused(view: Any, words: str) -> None:
    with pytest.raises(HowsureError, match=words):
        view(UNSURE)


# -- refused -----------------------------------------------------------------------------------------------------

AB = ["a", "b"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ConfusionMatrix.from_predictions(["a", None], AB), "given the answer.*missing='estimate'$"),
        (lambda: estimated([None, None], AB), "no case has a label, so the judge's rates are unknown"),
        (lambda: estimated(None, AB, labels=AB), "give a calibration table: infer.calibration"),
        (lambda: estimated(["a", None], ["a", None]), r"y_pred is missing in 1 of 2 cases \(first: case 2\)"),
        (lambda: estimated(["a", None], AB, judge=["a", ""]), "judge is missing in 1 of 2"),
        (lambda: estimated(["a", None], ["a"]), "y_true has 2, y_pred has 1"),
        (lambda: estimated([], []), "are empty"),
        (lambda: estimated(["a", "c", None], ["a", "b", "b"], labels=AB), "y_true holds 'c', not among labels"),
        (lambda: estimated(["a", None], [0.5, 1]), "is a fraction, so a score"),
        (lambda: estimated(["Pass", "Fail", None], ["pass", "fail", "pass"]), "Spell them alike"),
        (
            lambda: estimated(["a", "b", None], [0, 1, 1], judge=["a", "b", "b"]),
            "the predictions .0., .1.: no class",
        ),
        (lambda: estimated(["a", "a", None], ["a", "a", "a"]), "name all true classes with labels="),
        (lambda: estimated(["a", "b", None], ["a", "b", "b"], order=["a"]), "it leaves out 'b'"),
        (lambda: estimated(["a", "b", None], ["a", "b", "b"], judge=["a", "b", "b"], order=AB), "have none"),
        (lambda: ConfusionMatrix.from_predictions(AB, AB, judge=AB), "say missing='estimate' as well"),
        (lambda: ConfusionMatrix.from_predictions(AB, AB, missing="guess"), "missing"),  # type: ignore[arg-type]
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, order=AB), "order= is of verdicts"),
        (lambda: ConfusionMatrix([[0, 0], [0, 0]], AB, unlabelled=[1, 2]), "no case has a label"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled={"c": 1}), "unlabelled= counts 'c', not among"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled={"a": -1}), "unlabelled 'a' holds -1"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled={"a": 1.5}), "unlabelled 'a' holds 1.5"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled=[1]), "2 verdicts need 2 counts"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled=7), "counts cases by verdict"),  # type: ignore[arg-type]
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled=[2**53 - 1, 1]), "add up to more than"),
        (lambda: ConfusionMatrix([[1, 2, 3], [3, 4, 5]], AB, unlabelled=[1, 2, 3]), "name the columns with verdicts="),
        (lambda: ConfusionMatrix([[1, 2]], ["a"], unlabelled=[1, 2]), "needs two or more classes"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, verdicts=["a", "a"], unlabelled=[1, 2]), "comes twice"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, verdicts=[("a", "b"), "b"]), "pairs"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, verdicts=[("a", None), ("b", "b")]), "missing or blank"),
    ],
)
def test_what_is_refused_and_how(call: Any, words: str) -> None:
    with pytest.raises(HowsureError, match=words):
        call()
