"""The data: what a confusion matrix takes, refuses and gives back."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import matrices

import howsure as hs
from howsure.io import read
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, UnknownLabel
from howsure.posterior.knowledge import knowledge_of


def test_counts_are_read_only_and_plain() -> None:
    cm = hs.ConfusionMatrix(np.array([[1, 2], [3, 4]]))
    with pytest.raises(ValueError, match="read-only"):
        cm.counts[0, 0] = 9
    assert cm.labels == ("0", "1")
    assert cm.n == 10
    assert type(cm.n) is int


def test_the_source_array_is_copied() -> None:
    source = np.array([[1, 2], [3, 4]])
    cm = hs.ConfusionMatrix(source)
    source[0, 0] = 99
    assert cm.counts[0, 0] == 1


def test_pred_rows_are_turned_once() -> None:
    printed = [[26, 2], [0, 6]]
    cm = hs.ConfusionMatrix(printed, labels=["high", "low"], orientation="pred-rows")
    assert cm == hs.ConfusionMatrix([[26, 0], [2, 6]], labels=["high", "low"])


def test_the_positive_class_is_chosen_or_known_by_its_name_and_never_guessed() -> None:
    assert hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["ill", "healthy"]).positive == "ill"
    assert hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["ill", "healthy"], positive="healthy").positive == "healthy"
    assert hs.ConfusionMatrix([[1, 0], [0, 1]]).positive == "1"
    unknown = hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["cat", "dog"])
    assert unknown.positive is None
    assert unknown.transpose().positive is None
    chosen = unknown.with_positive("cat")
    assert (chosen.positive, chosen.counts.tolist(), unknown.positive) == ("cat", unknown.counts.tolist(), None)
    assert repr(chosen).endswith("positive='cat')")
    assert "positive=" not in repr(unknown)
    assert hs.ConfusionMatrix.from_dict(chosen.to_dict()) == chosen
    assert (
        hs.ConfusionMatrix(np.eye(3, dtype=int), labels=["normal", "b", "c"]).one_vs_rest("normal").positive == "normal"
    )
    assert hs.ConfusionMatrix(np.eye(3, dtype=int)).positive is None
    with pytest.raises(InvalidArgument, match="two classes; this matrix has 3"):
        hs.ConfusionMatrix(np.eye(3, dtype=int), positive="0")
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["ill", "healthy"], positive="il")


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([[1, -2], [3, 4]], "true '0' predicted '1' holds -2"),
        ([[1, 2.5], [3, 4]], r"true '0' predicted '1' holds 2\.5"),
        ([[1, float("nan")], [3, 4]], r"true '0' predicted '1' is missing \(NaN\)"),
        ([[0.9, 0.1], [0.2, 0.8]], "look like shares or percentages"),
        ([[90.5, 9.5], [20.0, 80.0]], "look like shares or percentages"),
        ([["90 %", "10 %"], ["20 %", "80 %"]], "holds the percentage '90 %'"),
        ([["a", 1], [2, 3]], "true '0' predicted '0' holds 'a'"),
        ([[None, 1], [2, 3]], "holds None"),
        ([[True, 1], [2, 3]], "holds True"),
        ([[1, 2], [3]], "must be square; the 2 rows hold 2, 1 numbers"),
        ([[1, 2, 3], [4, 5, 6]], r"must be square, not of shape \(2, 3\)"),
        ([1, 2, 3, 4], "must be a square table of numbers"),
        ([[7]], "two or more classes"),
        (5, "must be"),
        ([[2**53, 0], [0, 1]], r"counts above 2\*\*53 - 1"),
        ([[2**80, 0], [0, 1]], r"counts above 2\*\*53 - 1"),
        ([[2**53 - 1, 0], [0, 1]], "add up to more than"),
        (np.array([[np.inf, 1], [1, 1]]), r"counts above 2\*\*53 - 1"),
        (np.array([[-np.inf, 1], [1, 1]]), "holds -inf"),
        ([[1 + 2j, 1], [1, 1]], "holds"),
        (np.zeros((2, 2, 2)), "square"),
    ],
)
def test_what_is_no_count_is_refused_with_its_cell(counts: object, sentence: str) -> None:
    with pytest.raises(InvalidCounts, match=sentence):
        hs.ConfusionMatrix(counts)


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["a"], "2 classes need 2 labels, not 1"),
        (["a", "a"], "'a' comes twice"),
        ([1, 1.0], "'1' comes twice"),
        (["a", " "], "label 2 is missing or blank"),
        (["a", None], "label 2 is missing or blank"),
        (["a", 0.5], "is a fraction"),
        (["a", "x" * 10_001], "10001 characters"),
    ],
)
def test_labels_must_be_names(labels: list[object], sentence: str) -> None:
    with pytest.raises(InvalidLabels, match=sentence):
        hs.ConfusionMatrix([[1, 2], [3, 4]], labels=labels)


def test_whole_floats_and_the_largest_count_are_exact() -> None:
    assert hs.ConfusionMatrix([[1.0, 2.0], [3.0, 4.0]]).counts.dtype == np.int64
    assert hs.ConfusionMatrix([[2**53 - 1, 0], [0, 0]]).n == 2**53 - 1


def test_frames_bring_their_names() -> None:
    frame = pd.DataFrame([[5, 1], [2, 7]], index=["ill", "well"], columns=["ill", "well"])
    assert hs.ConfusionMatrix(frame).labels == ("ill", "well")
    crossed = pd.crosstab(pd.Series(["a", "b", "b"]), pd.Series(["a", "a", "b"]))
    assert hs.ConfusionMatrix(crossed).counts.tolist() == [[1, 0], [1, 1]]
    assert hs.ConfusionMatrix(frame[["well", "ill"]]) == hs.ConfusionMatrix(frame)
    assert hs.ConfusionMatrix(frame, labels=["well", "ill"]).counts.tolist() == [[7, 2], [1, 5]]
    with pytest.raises(InvalidLabels, match="must be the same classes"):
        hs.ConfusionMatrix(frame.rename(columns={"well": "fine"}))
    summed = pd.crosstab(pd.Series(["a", "b", "b"]), pd.Series(["a", "a", "b"]), margins=True)
    with pytest.raises(hs.errors.InvalidCounts, match="'All' holds the sums of the other rows and columns"):
        hs.ConfusionMatrix(summed)
    assert hs.ConfusionMatrix(summed, labels=["a", "b", "All"]).n == 12


TRUE = ["cat", "dog", "dog", "bird", "cat"]
PRED = ["cat", "cat", "dog", "dog", "cat"]
COUNTS = [[0, 0, 1], [0, 2, 0], [0, 1, 1]]


@pytest.mark.parametrize(
    "make", [list, tuple, np.array, pd.Series, pl.Series, lambda x: np.array(x, dtype=object), iter]
)
def test_predictions_come_in_any_container(make: object) -> None:
    cm = hs.ConfusionMatrix.from_predictions(make(TRUE), make(PRED))  # type: ignore[operator]
    assert cm.labels == ("bird", "cat", "dog")
    assert cm.counts.tolist() == COUNTS


class _Tensor:
    """Anything that offers __array__."""

    def __init__(self, values: list[int]) -> None:
        self.values = values

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return np.array(self.values)

    def __len__(self) -> int:
        return len(self.values)


def test_numbers_keep_their_size_order_and_meet_their_text() -> None:
    cm = hs.ConfusionMatrix.from_predictions(_Tensor([2, 10, 9, 10]), ["2", "9", "9", 10.0])
    assert cm.labels == ("2", "9", "10")
    assert int(np.trace(cm.counts)) == 3


def test_booleans_are_true_and_false() -> None:
    cm = hs.ConfusionMatrix.from_predictions([True, False, True], np.array([True, True, True]))
    assert cm.labels == ("false", "true")
    assert cm.counts.tolist() == [[0, 1], [0, 2]]


def test_one_and_01_are_two_classes() -> None:
    assert hs.ConfusionMatrix.from_predictions(["1", "01"], ["1", "1"]).labels == ("01", "1")


def test_named_labels_set_the_order_and_add_classes() -> None:
    cm = hs.ConfusionMatrix.from_predictions(TRUE, PRED, labels=["dog", "cat", "bird", "fish"])
    assert cm.labels == ("dog", "cat", "bird", "fish")
    assert cm.counts.sum() == 5


@pytest.mark.parametrize(
    ("true", "pred", "labels", "sentence"),
    [
        ([1, 2], [1], None, "y_true has 2 answers and y_pred has 1"),
        ([], [], None, "are empty"),
        ([1, 1], [1, 1], None, "all answers are '1'; name the other classes"),
        ([1, None], [1, 2], None, r"y_true is missing in 1 of 2 cases \(first: case 2\)"),
        ([1.0, 2.0, np.nan, np.nan], [1, 2, 1, 1], None, r"y_true is missing in 2 of 4 cases \(first: case 3\)"),
        (["a", ""], ["a", "b"], None, "y_true is missing in 1 of 2"),
        (["a", "b"], [0.93, 0.2], None, "0.93 is a fraction|0.2 is a fraction"),
        ([[1, 0], [0, 1]], [1, 0], None, "one answer a case"),
        (np.eye(2), np.eye(2), None, "one answer a case"),
        (["a", "b"], ["a", "c"], ["a", "b"], "y_pred holds 'c', not among labels a, b"),
        ([{"a": 1}, 2], [1, 2], None, "not single values"),
        ("ab", "ab", None, "one answer a case, in their order"),
    ],
)
def test_bad_predictions_are_refused(true: object, pred: object, labels: list[str] | None, sentence: str) -> None:
    with pytest.raises(InvalidLabels, match=sentence):
        hs.ConfusionMatrix.from_predictions(true, pred, labels=labels)


def test_from_counts_is_keyword_only_and_in_the_usual_layout() -> None:
    cm = hs.ConfusionMatrix.from_counts(tp=26, fn=1, fp=2, tn=6)
    assert cm.counts.tolist() == [[6, 2], [1, 26]]
    assert cm.labels == ("negative", "positive")
    with pytest.raises(TypeError):
        hs.ConfusionMatrix.from_counts(26, 1, 2, 6)  # type: ignore[misc]


def test_merge_one_vs_rest_and_subset_count_the_same_cases() -> None:
    cm = hs.ConfusionMatrix([[5, 1, 2], [2, 4, 1], [3, 0, 9]], labels=["cat", "dog", "car"])
    assert cm.merge({"animal": ["cat", "dog"]}).counts.tolist() == [[12, 3], [3, 9]]
    assert cm.one_vs_rest("cat").counts.tolist() == [[14, 5], [3, 5]]
    assert cm.one_vs_rest("cat").positive == "cat"
    assert cm.subset(["car", "cat"]).counts.tolist() == [[9, 3], [2, 5]]
    with pytest.raises(InvalidLabels, match="'cat' is in two groups"):
        cm.merge({"a": ["cat"], "b": ["cat"]})
    with pytest.raises(UnknownLabel, match="'cow'"):
        cm.subset(["cow", "cat"])


def test_normalised_rows_add_to_one_and_empty_rows_are_undefined() -> None:
    cm = hs.ConfusionMatrix([[3, 1], [0, 0]])
    np.testing.assert_allclose(cm.normalised()[0], [0.75, 0.25])
    assert np.isnan(cm.normalised()[1]).all()
    assert cm.normalised("all").sum() == 1
    np.testing.assert_allclose(cm.normalised("pred")[0], [1, 1])
    with pytest.raises(InvalidArgument, match="'true', 'pred' or 'all'"):
        cm.normalised("rows")  # type: ignore[arg-type]


def test_adding_matches_classes_by_name() -> None:
    a = hs.ConfusionMatrix([[1, 2], [3, 4]], labels=["x", "y"])
    b = hs.ConfusionMatrix([[40, 30], [20, 10]], labels=["y", "x"])
    assert (a + b).counts.tolist() == [[11, 22], [33, 44]]
    with pytest.raises(InvalidLabels, match="only one of them has y, z"):
        a + hs.ConfusionMatrix([[1, 2], [3, 4]], labels=["x", "z"])


@given(matrices())
def test_transposing_twice_and_storing_give_the_matrix_back(cm: hs.ConfusionMatrix) -> None:
    assert cm.transpose().transpose() == cm
    assert hs.ConfusionMatrix.from_dict(cm.to_dict()) == cm
    assert pickle.loads(pickle.dumps(cm)) == cm
    assert copy.deepcopy(cm) == cm
    assert hash(cm) == hash(hs.ConfusionMatrix(cm.counts, cm.labels))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=30), st.integers(1, 29))
def test_counting_parts_and_adding_is_counting_all(cases: list[tuple[str, str]], cut: int) -> None:
    def count(part: list[tuple[str, str]]) -> hs.ConfusionMatrix:
        return hs.ConfusionMatrix.from_predictions([t for t, _ in part], [p for _, p in part], labels="abc")

    cut = min(cut, len(cases) - 1)
    assert count(cases[:cut]) + count(cases[cut:]) == count(cases)


def test_text_and_html_show_orientation_and_escape_labels() -> None:
    cm = hs.ConfusionMatrix([[1, 2], [3, 4]], labels=["<script>", "b&b"])
    assert str(cm).splitlines()[0].startswith("true\\pred")
    html = cm._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "rows are the true class" in html
    big = hs.ConfusionMatrix(np.eye(30, dtype=int))
    assert "30 classes" in repr(big) == str(big)
    assert "30 classes" in big._repr_html_()
    assert "positive='a'" in repr(hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["a", "b"], positive="a"))


def test_single_cells_make_the_same_matrix() -> None:
    cm = hs.ConfusionMatrix([[5, 1, 0], [2, 4, 1], [0, 0, 9]], labels=["cat", "dog", "car"])
    true, pred, counts = cm.cells
    assert hs.ConfusionMatrix.from_cells(true, pred, counts, labels=cm.labels) == cm
    twice = hs.ConfusionMatrix.from_cells([0, 0, 1], [0, 0, 1], [1, 2, 0])
    assert twice.counts.tolist() == [[3, 0], [0, 0]]
    assert cm.called.tolist() == [7, 5, 10]
    with pytest.raises(ValueError, match="read-only"):
        counts[0] = 9


@pytest.mark.parametrize(
    ("cells", "error", "sentence"),
    [
        (([0, 1], [0, 1], [1, -1]), InvalidCounts, "true 'b' predicted 'b' holds -1"),
        (([0, 1], [0, 1], [1, 0.5]), InvalidCounts, r"true 'b' predicted 'b' holds 0\.5"),
        (([0, 1], [0, 1], [1, True]), InvalidCounts, "holds True"),
        (([0, 1], [0, 1], [1]), InvalidCounts, "2 rows, 2 columns and counts of shape"),
        (([0, 1], [0, 1], 5), InvalidCounts, "one whole number for each cell, not 5"),
        (([0, 1], [0, 2], [1, 1]), InvalidLabels, "y_pred_codes are places of classes, 0 to 1 for 2 labels"),
        (([0, -1], [0, 1], [1, 1]), InvalidLabels, "cell 2 holds -1"),
        ((["a", "b"], [0, 1], [1, 1]), InvalidLabels, "y_true_codes must be whole numbers"),
        (([0, 1], [0, 1], [2**53 - 1, 1]), InvalidCounts, "add up to more than"),
    ],
)
def test_cells_that_are_none_are_refused(cells: tuple[object, ...], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        hs.ConfusionMatrix.from_cells(*cells, labels=["a", "b"])


def test_fifty_thousand_classes_are_a_value_like_any_other() -> None:
    size = 50_000
    true = np.arange(size)
    cm = hs.ConfusionMatrix.from_predictions(true, (true + (true % 3 == 0)) % size)
    assert (cm.n, int(cm.correct.sum()), cm.index("49999")) == (size, 33_333, 49_999)
    with pytest.raises(InvalidArgument, match=r"50000 classes has 2\.5e\+09 cells and does not fit; use \.cells"):
        _ = cm.counts
    assert cm.transpose().transpose() == cm
    assert hash(hs.ConfusionMatrix.from_dict(cm.to_dict())) == hash(cm)
    assert (cm + cm).n == 2 * size
    assert cm.one_vs_rest("1").counts.tolist() == [[49_998, 1], [0, 1]]
    assert cm.subset(["0", "1"]).counts.tolist() == [[0, 1], [0, 1]]
    assert cm.merge({"start": ["0", "1"]}).n == size
    assert repr(cm) == str(cm) == "<ConfusionMatrix of 50000 classes, 50000 cases, rows are truth>"
    assert "50000 classes" in cm._repr_html_()
    assert pickle.loads(pickle.dumps(cm)) == cm


def test_labels_may_be_given_as_values() -> None:
    cm = hs.ConfusionMatrix.from_predictions([1, 2, 3, 3], [1, 2, 3, 1])
    assert cm.index(3) == 2
    assert cm.one_vs_rest(3).labels == ("not 3", "3")
    assert cm.subset([1, 3]).n == 3
    assert cm.merge({"x": [1, 2]}).labels == ("x", "3")
    assert knowledge_of(hs.infer(cm).at_prevalence({1: 0.2, 2: 0.3, 3: 0.5})).known_prevalence.tolist() == [
        0.2,
        0.3,
        0.5,
    ]
    flags = hs.ConfusionMatrix.from_predictions([True, False], [True, True], positive=True)
    assert flags.positive == "true"


@pytest.mark.parametrize(("rows", "columns"), [("y_pred", "y_true"), ("predicted", "actual"), ("Prediction", None)])
def test_a_frame_that_says_that_its_rows_are_predictions_is_turned(rows, columns):
    names = pd.Index(["a", "b"], name=rows), pd.Index(["a", "b"], name=columns)
    frame = pd.DataFrame([[1, 2], [3, 4]], *names)
    assert hs.ConfusionMatrix(frame).counts.tolist() == [[1, 3], [2, 4]]
    assert hs.ConfusionMatrix(frame, orientation="pred-rows") == hs.ConfusionMatrix(frame)
    assert read(frame).confusion == hs.ConfusionMatrix(frame)
    turned = pd.DataFrame([[1, 2], [3, 4]], names[1], names[0])
    if columns:
        assert hs.ConfusionMatrix(turned).counts.tolist() == [[1, 2], [3, 4]]
