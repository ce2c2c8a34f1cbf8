"""Data in parts: folds, groups, repeats and slices."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.data.groups import Folds, Groups
from howsure.data.slices import Cut, Slices, in_time
from howsure.errors import HowsureError, InvalidArgument, InvalidLabels
from howsure.io.counting.result import slices_of
from howsure.metrics import parse
from howsure.units.slice_answers import rates_of

AB = ["ill", "well"]
ONE = hs.ConfusionMatrix([[4, 1], [0, 5]], AB)
TWO = hs.ConfusionMatrix([[3, 2], [0, 5]], AB)
BOTH = hs.ConfusionMatrix.of_passes([ONE, TWO])


@st.composite
def passes(draw: st.DrawFn) -> list[hs.ConfusionMatrix]:
    """Passes over the same cases."""
    sizes = draw(st.lists(st.integers(1, 30), min_size=2, max_size=4))
    made = []
    for _ in range(draw(st.integers(2, 7))):
        rng = np.random.default_rng(draw(st.integers(0, 10**6)))
        rows = [rng.multinomial(n, rng.dirichlet(np.ones(len(sizes)))) for n in sizes]
        made.append(hs.ConfusionMatrix(np.array(rows), [f"c{i}" for i in range(len(sizes))]))
    return made


@given(passes())
def test_counts_are_the_mean_of_the_passes(every: list[hs.ConfusionMatrix]) -> None:
    made = hs.ConfusionMatrix.of_passes(every)
    assert made.counts == pytest.approx(np.mean([each.counts for each in every], axis=0))
    assert made.n == every[0].n
    assert made.class_sizes.tolist() == every[0].class_sizes.tolist()
    assert np.all(made.correct <= made.class_sizes)
    summed = every[0]
    for each in every[1:]:
        summed += each
    assert hs.ConfusionMatrix.of_passes([summed], passes=len(every)) == made
    for same in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made), hs.ConfusionMatrix.from_dict(made.to_dict())):
        assert same == made
        assert hash(same) == hash(made)
    assert json.loads(json.dumps(made.to_dict()))["counts"] == summed.counts.tolist()


def test_the_prior_is_added_to_what_is_divided() -> None:
    recall = stats.beta(3.5 + 2 / 3, 1.5 + 2 / 3)
    known = hs.infer(BOTH).of("recall@ill")
    assert known.mean == pytest.approx(recall.mean(), abs=1e-12)
    assert known.quantile(0.1) == pytest.approx(recall.ppf(0.1), abs=1e-9)
    assert hs.report(hs.infer(BOTH), ["accuracy"]).rows[0].observed == pytest.approx(0.85)
    coin = hs.infer(BOTH, "jeffreys").of("accuracy")
    assert coin.quantile(0.3) == pytest.approx(stats.beta(8.5 + 0.5, 1.5 + 0.5).ppf(0.3), abs=1e-9)
    drawn = hs.infer(BOTH).draw(100_000)[:, 0, 0]
    balanced = hs.infer(BOTH).of("balanced_accuracy").mean
    assert balanced == pytest.approx((recall.mean() + (5 + 2 / 3) / (5 + 4 / 3)) / 2, abs=1e-12)
    assert drawn.mean() == pytest.approx(0.5 * recall.mean(), abs=3e-3)


Y = ["ill", "well", "ill", "well"]
SAID = ["ill", "well", "well", "well"]


def test_one_pass_is_labelled() -> None:
    made = hs.ConfusionMatrix.from_predictions(Y, SAID, folds=[1, 1, 2, 2])
    assert made.folds == Folds(2)
    assert made.counts.dtype == np.int64
    assert hs.report(hs.infer(made), ["accuracy"]).notes[0].startswith("2 classifiers, one pass of a cross-validation")
    assert made.counts.tolist() == hs.ConfusionMatrix.from_predictions(Y, SAID).counts.tolist()
    assert hs.ConfusionMatrix.from_predictions(Y, SAID, folds=[1] * 4).folds is None
    more = made + hs.ConfusionMatrix.from_predictions(Y, SAID, folds=[3, 4, 5, 5])
    assert more.folds == Folds(5)
    assert (made + ONE).folds is None


def test_ids_that_repeat_in_folds_are_passes() -> None:
    made = hs.ConfusionMatrix.from_predictions(Y, SAID, id=["p", "q", "p", "q"], folds=["1.1", "1.2", "2.1", "2.2"])
    one, two = (hs.ConfusionMatrix.from_predictions(Y[i : i + 2], SAID[i : i + 2], labels=AB) for i in (0, 2))
    assert made.counts.tolist() == hs.ConfusionMatrix.of_passes([one, two]).counts.tolist()
    assert made.folds == Folds(4, 2)
    halves = [hs.ConfusionMatrix([[1, 0], [0, 1]], AB)] * 4
    assert hs.ConfusionMatrix.of_passes(halves, passes=2).folds == Folds(4, 2)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"id": [1, 2, 1, 3]}, InvalidLabels, r"the id '1' comes 2 times \(cases 1, 3\); .*group=.*folds="),
        ({"id": [1, 2, 3]}, InvalidLabels, "4 cases and 3"),
        ({"folds": [1, 2, 3, None]}, InvalidLabels, "fold is missing in 1 of 4 cases"),
        ({"id": [1, 2, 1, 3], "folds": [1, 1, 2, 2]}, InvalidLabels, "'1' is tested 2 times and '2' 1 time; each pass"),
        ({"id": [1, 2, 1, 2], "group": [1, 1, 2, 2]}, InvalidLabels, "'1' has two values of group, '1' and '2'"),
        ({"folds": [1, 1, 2, 2], "missing": "estimate"}, InvalidArgument, "id= and folds= are for cases"),
    ],
)
def test_what_is_no_pass_is_refused(options: dict[str, object], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        hs.ConfusionMatrix.from_predictions(Y, SAID, **options)  # type: ignore[arg-type]  # on purpose


# -- counts by group: counted, moved, written down, and refused -------------------------------------------------------

TRUTH = ["ill", "well", "ill", "well", "ill", "well"]
SAID_OF_GROUPS = ["ill", "well", "well", "well", "ill", "ill"]
WHO = ["p1", "p1", "p2", "p3", "p3", "p3"]


def grouped(group: object = WHO) -> hs.ConfusionMatrix:
    return hs.ConfusionMatrix.from_predictions(TRUTH, SAID_OF_GROUPS, group=group)


def of(matrix: hs.ConfusionMatrix) -> Groups:
    assert matrix.groups is not None
    return matrix.groups


def test_other_views_of_the_same_cases() -> None:
    made = hs.ConfusionMatrix.from_predictions([0, 1, 2, 0], [0, 2, 2, 1], group=list("aabb"))
    turned, joined = of(made.transpose()), of(made.merge({"x": ["0", "1"]}))
    assert turned.count.sum() == joined.count.sum() == 4
    assert turned.correct.tolist() == of(made).correct.tolist()
    assert joined.correct.tolist() == [1, 2]
    one = made.one_vs_rest("2")
    assert of(one).correct.tolist() == [1, 2]
    assert one.counts.tolist() == [[2, 1], [0, 1]]
    few = of(made.subset(["0", "1"]))
    assert (few.names, few.cases.tolist()) == (("a", "b"), [1, 1])


def test_a_group_in_two_files_is_one_group() -> None:
    both = grouped() + grouped(["p3", "p4", "p4", "p4", "p5", "p5"])
    assert of(both).names == ("p1", "p2", "p3", "p4", "p5")
    assert of(both).cases.tolist() == [2, 1, 4, 3, 2]
    with pytest.raises(InvalidArgument, match="count both with group=, or both without"):
        grouped() + hs.ConfusionMatrix.from_predictions(TRUTH, SAID_OF_GROUPS)


@pytest.mark.parametrize(("many", "question"), [(7, "these"), (8, "new")])
def test_numbers_are_about_new_groups_from_eight_on(many: int, question: str) -> None:
    truth = [i % 2 for i in range(many)]
    assert of(hs.ConfusionMatrix.from_predictions(truth, truth, group=range(many))).question == question


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (["p1", None, "p2", "p2", "p3", "p3"], "group is missing in 1 of 6 cases"),
        (["p1", "p2"], "there are 6 cases and 2 of them"),
        ([["p1"]] * 6, "group must be one answer a case"),
    ],
)
def test_groups_that_are_none(group: object, said: str) -> None:
    with pytest.raises(InvalidLabels, match=said):
        grouped(group)


CASES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=40)


@given(CASES)
def test_nothing_is_lost(cases: list[tuple[int, int, int]]) -> None:
    true, pred, group = zip(*cases, strict=True)
    made = hs.ConfusionMatrix.from_predictions(true, pred, labels=[0, 1, 2], group=group)
    groups = of(made)
    table = np.zeros((3, 3), dtype=int)
    np.add.at(table, (groups.true, groups.pred), groups.count)
    assert table.tolist() == made.counts.tolist()
    assert groups.cases.tolist() == [group.count(int(name)) for name in groups.names]
    assert sum(groups.tally(i)[1].sum() for i in range(3)) == len(cases)
    assert of(made + made).cases.tolist() == (2 * groups.cases).tolist()


# -- items that were tried several times: every way to give them, and what is refused ---------------------------------


def test_columns_and_an_array_give_the_same() -> None:
    table = [[1, 0, 1], [1, None, 1], [0, 0, 1]]
    items = [f"q{i}" for i in range(3) for r in range(3) if table[i][r] is not None]
    runs = [r for i in range(3) for r in range(3) if table[i][r] is not None]
    scores = [x for row in table for x in row if x is not None]
    one = hs.Repeats.from_array(table, items=["q0", "q1", "q2"], runs=[0, 1, 2])
    other = hs.Repeats.from_columns(items[::-1], runs[::-1], scores[::-1])
    assert one.counts.tolist() == other.counts.tolist() == [[1, 2], [0, 2], [2, 1]]
    assert (one.items, one.runs, one.right.tolist()) == (other.items, other.runs, other.right.tolist())
    assert (one.incomplete, one.n, one.mean) == (1, 8, pytest.approx(2 / 3))
    assert np.array_equal(one.answers, other.answers, equal_nan=True)


@pytest.mark.parametrize(
    ("missing", "counts", "said"),
    [
        ("wrong", [[1, 1], [1, 1]], "2 runs without a score are wrong."),
        ("class", [[0, 1, 1], [0, 1, 1]], "2 runs without a score are an outcome of their own."),
        ("exclude", [[0, 1], [0, 1]], "2 runs without a score left out."),
    ],
)
def test_runs_without_a_score_are_what_was_said(missing: Any, counts: list[list[int]], said: str) -> None:
    made = hs.Repeats.from_columns(list("aabb"), [1, 2, 1, 2], [1, None, 1, math.nan], missing=missing)
    assert made.counts.tolist() == counts
    assert made.notes == (said,)
    assert made.outcomes == (("0", "1", "no answer") if missing == "class" else ("0", "1"))


def test_without_a_column_of_runs_rows_are_counted() -> None:
    made = hs.Repeats.from_columns(list("abab"), None, [True, "false", "C", "I"])
    assert made.runs == ("1", "2")
    assert made.answers.tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.Repeats.from_columns(["a", "a"], [1, 1], [1, 0]), "item 'a' has 2 answers in run '1'"),
        (
            lambda: hs.Repeats.from_columns(["a", None], [1, 1], [1, 1]),
            "item is missing in 1 of 2 cases",
        ),
        (lambda: hs.Repeats.from_columns(["a"], [1], [[1]]), "give one number"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [0.5], outcomes=[0, 1]), "score 0.5 is not among the outcomes"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [7], range=(1, 5)), "score 7 is outside of the range 1 to 5"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [7], range=(5, 1)), "the least and the largest possible score"),
        (lambda: hs.Repeats.from_columns(["a"], [1], [7]), "nothing tells how far another may be"),
        (lambda: hs.Repeats.from_array([[1, 0]], items=["a", "b"]), "names each of the 1 items"),
    ],
)
def test_what_is_refused_is_said(make: Any, sentence: str) -> None:
    with pytest.raises(HowsureError) as caught:
        make()
    assert sentence in str(caught.value)


# -- slices: the same counts from cases, matrices and columns, in the order of time, and what is refused --------------


def test_each_of_two_classifiers_has_slices_of_its_own() -> None:
    cases = {"t": ["a", "a", "b", "b"], "x": ["a", "a", "b", "a"], "y": ["b", "a", "a", "a"], "site": ["1", "2"] * 2}
    counts = hs.count(cases, y_true="t", y_pred=["x", "y"], by="site")
    for model in ("x", "y"):
        alone = Slices.from_predictions(cases["t"], cases[model], by={"site": cases["site"]})
        assert slices_of(counts, model) == alone


TABLE = hs.ConfusionMatrix([[5, 1], [0, 4]])


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: Slices([TABLE]), InvalidArgument, "a mapping of the names"),  # type: ignore[arg-type]
        (lambda: Slices.from_predictions([0, 1], [0, 1], by=["a"]), InvalidLabels, "2 cases and 1 values of by"),
        (
            lambda: Slices.from_predictions([0, 1], [0, 1], by={"x": ["a / b", "a"], "y": ["c", "b / c"]}),
            InvalidLabels,
            "two slices would be called 'a / b / c'",
        ),
    ],
)
def test_what_is_refused_says_why(make: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert sentence in str(caught.value)


def sliced(*names: str | None) -> hs.Slices:
    return hs.Slices.from_predictions([1] * len(names), [1] * len(names), by={"day": list(names)}, labels=[0, 1])


@pytest.mark.parametrize(
    ("names", "cut", "words"),
    [
        (("mon", "tue"), None, "'mon'"),
        (("3/4/2024", "12/4/2024"), None, "one form"),
        (("2024-02-31",), "week", "2024-02-31"),
    ],
)
def test_what_has_no_order_is_refused(names: tuple[str, ...], cut: Cut | None, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        in_time(sliced(*names), cut)


def test_the_mean_of_recalls_of_a_slice_is_over_the_classes_that_it_has() -> None:
    made = Slices({"x": hs.ConfusionMatrix([[3, 1], [0, 0]]), "y": hs.ConfusionMatrix([[3, 1], [1, 1]])})
    rates = rates_of(made, parse("balanced_accuracy", made.labels))
    assert rates is not None
    assert rates.observed.tolist() == [0.75, 0.625]
