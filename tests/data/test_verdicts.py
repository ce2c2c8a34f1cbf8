"""Matrices some of whose cases have no truth, and answers of several models under one judge."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.data.confusion import ConfusionMatrix
from howsure.data.verdicts import true_classes
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


@pytest.mark.parametrize("matrix", EVERY, ids=["judged", "unsure", "audit"])
def test_it_comes_back_from_plain_data_from_its_call_and_from_a_pickle(matrix: ConfusionMatrix) -> None:
    assert ConfusionMatrix.from_dict(matrix.to_dict()) == matrix
    assert eval(repr(matrix), {"ConfusionMatrix": ConfusionMatrix}) == matrix
    back = pickle.loads(pickle.dumps(matrix))
    assert back == matrix
    assert hash(back) == hash(matrix)
    assert str(back) == str(matrix)


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


@pytest.mark.parametrize(
    ("seen", "checked", "truths"),
    [
        (["pass"], {"pass": 9, "fail": 3}, ["fail", "pass"]),  # all labelled are right
        (["pass"], {"pass": 9, "fail": 0, "unsure": 2}, ["fail", "pass"]),
        (["a"], {"a": 9, "b": 9, "c": 9}, ["a"]),  # and is then refused
        (["fail", "pass"], {"1": 3, "2": 3, "3": 3, "4": 3, "5": 0}, ["fail", "pass"]),
        (["0", "1"], {"1": 9, "2": 9, "3": 0}, ["0", "1"]),
        (["2", "3"], {"2": 9, "3": 9, "4": 9}, ["2", "3"]),  # two numbers are no scale
        ([str(i) for i in range(9)], {str(i): 8 for i in range(10)}, [str(i) for i in range(10)]),
        (["cat", "dog"], {"cat": 9, "dog": 9, "bird": 4}, ["bird", "cat", "dog"]),
        (["cat", "dog"], {"cat": 9, "dog": 9, "unsure": 5}, ["cat", "dog"]),
    ],
)
def test_true_classes_where_nobody_names_them(seen: list[str], checked: dict[str, int], truths: list[str]) -> None:
    assert true_classes(seen, checked) == tuple(truths)


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (lambda it: it.transpose(), "the truth of 1,999 of 2,106 cases is not known, so truth and prediction cannot"),
        (lambda it: it.normalised(), "shares of the labelled cases are not those of all"),
        (lambda it: it.merge({"all": ["fail", "pass"]}), "no classes can be joined"),
        (lambda it: it.one_vs_rest("fail"), "no classes can be joined"),
        (lambda it: it + it, "it cannot be added to another; count the cases of both together"),
    ],
)
def test_what_needs_every_truth_is_refused(view: Any, words: str) -> None:
    with pytest.raises(HowsureError, match=words):
        view(UNSURE)


AB = ["a", "b"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ConfusionMatrix.from_predictions(["a", None], AB), "given the prediction.*missing='estimate'$"),
        (lambda: estimated(["a", None], AB, judge=["a", ""]), "judge is missing in 1 of 2"),
        (lambda: estimated(["a", None], [0.5, 1]), "is a fraction, so a score"),
        (lambda: estimated(["a", "b", None], ["a", "b", "b"], order=["a"]), "it leaves out 'b'"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, order=AB), "order= is of verdicts"),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, unlabelled={"a": 1.5}), "unlabelled 'a' holds 1.5"),
        (lambda: ConfusionMatrix([[1, 2, 3], [3, 4, 5]], AB, unlabelled=[1, 2, 3]), "name the columns with verdicts="),
        (lambda: ConfusionMatrix([[1, 2], [3, 4]], AB, verdicts=[("a", None), ("b", "b")]), "missing or blank"),
    ],
)
def test_what_is_refused_and_how(call: Any, words: str) -> None:
    with pytest.raises(HowsureError, match=words):
        call()


PRED = ["ill"] * 6 + ["well"] * 4


@pytest.mark.parametrize("word", ["-", "?", "todo", "unverified", "Not checked"])
def test_a_word_for_most_cases_that_no_verdict_names_is_refused(word: str) -> None:
    truth = ["ill", "well", *[word] * 6, "ill", "well"]
    with pytest.raises(InvalidLabels, match="36 of 60 cases, and no verdict is ever that; if it says that nobody"):
        ConfusionMatrix.from_predictions(truth * 6, PRED * 6, missing="estimate")


@pytest.mark.parametrize("labels", [["PASS", "fail", None, "pass"], [" Pass", "fail", None, "fail"]])
def test_names_that_differ_in_capitals_only_are_refused(labels: list[str | None]) -> None:
    with pytest.raises(InvalidLabels, match="Spell them alike"):
        ConfusionMatrix.from_predictions(labels, ["pass", "fail", "pass", "pass"], missing="estimate")


V = {"A": ["pass", "pass", "fail", "pass"], "B": ["pass", "fail", "fail", "unsure"]}
H = {"A": ["pass", None, "fail", None], "B": ["fail", None, "", "pass"]}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: hs.JudgedAnswers(V, {"A": H["A"]}), "human= holds the labels of each model, A, B; not A"),
        (lambda: hs.JudgedAnswers({**V, "B": ["pass", None, None, None]}, H), "have a label and no verdict"),
        (lambda: hs.JudgedAnswers({"A": [None] * 4, "B": V["B"]}, {**H, "A": [None] * 4}), "gave no verdict"),
        (lambda: hs.JudgedAnswers(V, H, labels=["bad", "pass"]), "people said 'fail', not among labels"),
        (lambda: hs.JudgedAnswers.from_long([1, 1], ["A", "A"], ["x", "y"], ["x", "y"]), "answers a case once"),
        (lambda: hs.JudgedAnswers.from_long([1], ["A", "A"], ["x", "y"], ["x", "y"]), "of different lengths: id has 1"),
        (lambda: hs.JudgedAnswers({"A": [0.5]}, {"A": [1]}), "fraction"),
    ],
)
def test_what_is_refused_says_what_to_do(make: Any, said: str) -> None:
    with pytest.raises((InvalidLabels, InvalidArgument), match=said):
        make()
