"""Predictions and scores of cases."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.data.predictions import Predictions
from howsure.errors import HowsureError, InvalidArgument, InvalidLabels

TRUE = ["cat", "dog", "dog", "cow"]
OLD = ["cat", "cat", "dog", "cow"]
NEW = ["cat", "dog", "dog", "dog"]


@given(st.integers(1, 4), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_patterns_count_every_case_once(models: int, cases: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 3, (models + 1, cases))
    made = Predictions(columns[0], {f"m{i}": row for i, row in enumerate(columns[1:])}, labels=[0, 1, 2])
    truth, answers, counts = made.patterns()
    again = np.repeat(np.column_stack([truth, answers]), counts, axis=0)
    assert sorted(again.tolist()) == sorted(columns.T.tolist())
    assert len({*map(tuple, np.column_stack([truth, answers]).tolist())}) == len(counts)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_wide_frames(make: type) -> None:
    made = Predictions.from_wide(make({"id": [7, 8, 9, 10], "y_true": TRUE, "old": OLD, "new": NEW}), id="id")
    assert made.names == ("old", "new")
    assert made.confusion("old") == Predictions(TRUE, {"old": OLD, "new": NEW}).confusion("old")
    assert made.id is not None
    assert made.id.tolist() == [7, 8, 9, 10]
    with pytest.raises(InvalidArgument, match="no column 'gold'; there are"):
        Predictions.from_wide(make({"y_true": TRUE, "old": OLD}), y_true="gold")


def test_long_rows_are_joined_whatever_their_order() -> None:
    rows = [(i, "old", t, p) for i, (t, p) in enumerate(zip(TRUE, OLD, strict=True))]
    rows += [(i, "new", t, p) for i, (t, p) in enumerate(zip(TRUE, NEW, strict=True))][::-1]
    made = Predictions.from_long(*zip(*rows, strict=True))
    expected = Predictions(TRUE, {"old": OLD, "new": NEW})
    assert made.confusion("new") == expected.confusion("new")
    assert made.agreement.tolist() == expected.agreement.tolist()
    assert made.notes == ()


def test_long_rows_that_do_not_match_are_said() -> None:
    made = Predictions.from_long([1, 2, 3, 2, 3, 4], list("aaabbb"), list("xyxyxy"), list("xxxyyy"))
    assert made.n == 2
    assert made.notes == (
        "Cases do not match: 2 of 4 ids are answered by all classifiers; the other 2 are left out (first: 1).",
    )


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (([1, 1], "aa", "xy", "xy"), "the id '1' comes twice for classifier 'a'"),
        (([1, 2], "ab", "xy", "xy"), "no id is answered by all of 'a', 'b'"),
        (([1, 2, 3], "ab", "xy", "xy"), "columns of different lengths"),
    ],
)
def test_rows_that_cannot_be_joined(rows: tuple[object, str, str, str], sentence: str) -> None:
    ids, *columns = rows
    with pytest.raises(InvalidLabels, match=sentence):
        Predictions.from_long(ids, *map(list, columns))


def test_a_missing_answer_is_refused_unless_it_is_decided() -> None:
    truth, answers = ["a", "a", "b", "c", "a"], {"m": ["a", None, "b", float("nan"), " "], "k": list("abccb")}
    with pytest.raises(InvalidLabels, match=r"'m'.*missing='wrong'|missing in 3 of 5 cases \(first: case 2\)"):
        Predictions(truth, answers)
    wrong = Predictions(truth, answers, missing="wrong")
    assert wrong.confusion("m").counts.tolist() == [[1, 1, 1], [0, 1, 0], [1, 0, 0]]
    assert wrong.notes == (
        "The answer is missing in 3 of 5 cases (first: case 2) of classifier 'm': counted as wrong.",
    )
    own = Predictions(truth, answers, missing="class")
    assert own.labels == ("a", "b", "c", "no answer")
    assert own.confusion("m").counts[:, 3].tolist() == [2, 0, 1, 0]
    out = Predictions(truth, answers, missing="exclude", id=[5, 6, 7, 8, 9], group=list("ppqqq"))
    assert out.n == 2
    assert out.id is not None
    assert out.group is not None
    assert (out.id.tolist(), out.group.tolist()) == ([5, 7], ["p", "q"])
    assert "Set aside: 3 of 5 cases, for all classifiers" in out.notes[0]


def test_a_missing_truth_can_only_be_left_out() -> None:
    truth, answers = ["a", None, "b"], {"m": ["a", "a", "b"]}
    for policy in ("error", "wrong", "class"):
        with pytest.raises(
            InvalidLabels, match=r"the true class is missing in 1 of 3 cases \(first: id x2\)|first: id"
        ):
            Predictions(truth, answers, missing=policy, id=["x1", "x2", "x3"])  # type: ignore[arg-type]
    assert Predictions(truth, answers, missing="exclude").n == 2


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Predictions(TRUE, {}), "under its name"),
        (lambda: Predictions(TRUE, {1: OLD}), "name of a classifier is text"),  # type: ignore[dict-item]
        (lambda: Predictions([], {"m": []}), "all answers are missing"),
        (lambda: Predictions([1, 0], {"m": ["yes", "no"]}), "no class in common"),
        (lambda: Predictions([1, 0], {"m": [1, 2]}, labels=[0, 1]), "classifier 'm' holds '2', not among labels"),
        (lambda: Predictions([1, 0], {"m": [1, 0]}, id=[3]), "id has shape"),
        (lambda: Predictions([1, 0], {"m": [None, None]}, missing="exclude"), "every case has a missing answer"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()  # type: ignore[operator]


def test_a_missing_group_among_names_is_missing() -> None:
    # in an array of text it was a group called 'nan', which all cases without one shared
    with pytest.raises(InvalidLabels, match="group is missing in 1 of 4 cases"):
        Predictions(["a", "b", "a", "b"], {"m": ["a", "b", "a", "b"]}, group=["p1", "p1", "p2", float("nan")])
    # a patient may be called so
    named = Predictions(["a", "b"], {"m": ["a", "b"]}, group=["p1", "nan"]).confusion("m")
    assert named.groups is not None
    assert named.groups.names == ("nan", "p1")


def test_patterns_whose_codes_are_equal_modulo_two_to_the_64_stay_apart() -> None:
    # the digits of 2**64 in base 100: written as one number of 64 bits, these answers are those of the first case
    far = [18, 44, 67, 44, 7, 37, 9, 55, 16, 16]
    assert sum(digit * 100 ** (9 - place) for place, digit in enumerate(far)) == 2**64
    rows = np.array([[0] * 10, far, far])
    made = Predictions(rows[:, 0], {f"m{i}": rows[:, i] for i in range(1, 10)}, labels=range(100))
    truth, answers, counts = made.patterns()
    assert np.column_stack([truth, answers]).tolist() == rows[:2].tolist()
    assert counts.tolist() == [1, 2]


# -- scores: what is read, which way they point, and every sentence about what is wrong -------------------------------

TRUTH, VALUES = ["ill", "well", "ill", "well"], [0.9, 0.2, 0.6, 0.7]


def test_the_positive_class_is_last_and_has_the_high_scores() -> None:
    made = hs.Scores(TRUTH, VALUES)
    assert made.labels == ("well", "ill")
    assert made.truth.tolist() == [1, 0, 1, 0]
    assert made.class_sizes.tolist() == [2, 2]
    turned = hs.Scores(TRUTH, VALUES, positive="well")
    assert turned.labels == ("ill", "well")
    assert turned.scores.tolist() == VALUES


def test_probabilities_of_two_classes_are_those_of_the_positive_one() -> None:
    both = np.column_stack([VALUES, 1 - np.array(VALUES)])  # ill, well: by alphabet, as scikit-learn has them
    assert hs.Scores(TRUTH, both) == hs.Scores(TRUTH, VALUES)
    frame = pd.DataFrame(both[:, ::-1], columns=["well", "ill"])
    assert hs.Scores(TRUTH, frame) == hs.Scores(TRUTH, VALUES)
    assert hs.Scores(TRUTH, both[:, ::-1], labels=["well", "ill"]) == hs.Scores(TRUTH, VALUES)


def test_a_class_against_all_others_keeps_its_column_and_the_groups() -> None:
    rows = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4], [0.2, 0.5, 0.3]]
    made = hs.Scores(["a", "b", "c", "a"], rows, groups=["x", "x", "y", "y"])
    one = made.one_vs_rest("b")
    assert one.labels == ("not b", "b")
    assert one.scores.tolist() == [0.2, 0.8, 0.3, 0.5]
    assert one.truth.tolist() == [0, 1, 0, 0]
    assert one.group_names == ("x", "y")


def test_the_matrix_at_a_threshold_counts_cases_with_this_score_or_more() -> None:
    assert hs.Scores(TRUTH, VALUES).confusion_at(0.7).counts.tolist() == [[1, 1], [1, 1]]
    assert hs.Scores(TRUTH, VALUES).confusion_at(-np.inf).counts.tolist() == [[0, 2], [0, 2]]
    grouped = hs.Scores(TRUTH, VALUES, groups=["x", "x", "y", "y"]).confusion_at(0.7)
    assert grouped.counts.tolist() == [[1, 1], [1, 1]]
    assert grouped.groups is not None
    assert grouped.positive == "ill"


REFUSED = [
    (["ill"] * 4, VALUES, {}, "all cases are of class 'ill'; a score is judged by"),
    (["cat", "dog", "cat", "dog"], VALUES, {}, "name the class: positive='cat' or positive='dog'"),
    (["ill", "Ill", "well", "well"], VALUES, {}, "'Ill' and 'ill'. If they are one class, spell it alike"),
    (TRUTH, [0.9, 0.2, np.nan, 0.7], {}, r"missing \(NaN\) in 1 of 4 cases \(first: case 3\)"),
    (TRUTH, ["0.9", "0.2", "0.6", "0.7"], {}, r"holds text \('0.9'\); convert it to numbers"),
    (TRUTH, [0.9, 0.2], {}, r"shape \(2,\) and y_true has 4 cases"),
    (TRUTH, VALUES, {"labels": ["well", "sick"]}, "y_true holds 'ill', not among labels"),
    (TRUTH, [[0.5, 0.6]] * 4, {}, r"those of case 1 in y_score add to 1.1"),
    (TRUTH, [[-0.5, 1.5]] * 4, {}, r"holds -0.5 \(case 1\)"),
    (["9", "10", "9", "10"], [[0.2, 0.8]] * 4, {"positive": "9"}, "sort by size or by alphabet"),
]


@pytest.mark.parametrize(("truth", "values", "named", "said"), REFUSED, ids=lambda x: x if isinstance(x, str) else "")
def test_what_is_wrong_is_said(truth: object, values: object, named: dict[str, object], said: str) -> None:
    with pytest.raises(HowsureError, match=said):
        hs.Scores(truth, values, **named)
