"""The data: what a confusion matrix takes, refuses and gives back, and its positive class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import POSITIVE_NAMES, distinct_answers, group_text, positive_by_name, positive_or_last
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, UnknownLabel
from howsure.io import read
from howsure.posterior.knowledge import knowledge_of


def test_the_positive_class_is_chosen_or_known_by_its_name_and_never_guessed() -> None:
    assert hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["ill", "healthy"]).positive == "ill"
    assert hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["ill", "healthy"], positive="healthy").positive == "healthy"
    assert hs.ConfusionMatrix([[1, 0], [0, 1]]).positive == "1"
    unknown = hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["cat", "dog"])
    assert unknown.positive is None
    assert unknown.transpose().positive is None
    chosen = unknown.with_positive("cat")
    assert (chosen.positive, chosen.counts.tolist(), unknown.positive) == ("cat", unknown.counts.tolist(), None)
    assert hs.ConfusionMatrix.from_dict(chosen.to_dict()) == chosen
    assert [it.positive for it in (chosen.transpose(), chosen + chosen, chosen.one_vs_rest("cat"))] == ["cat"] * 3
    assert hs.ConfusionMatrix(np.eye(3, dtype=int)).positive is None
    with pytest.raises(InvalidArgument, match="two classes; this matrix has 3"):
        hs.ConfusionMatrix(np.eye(3, dtype=int), positive="0")
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["ill", "healthy"], positive="il")


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([[1, -2], [3, 4]], "true '0' predicted '1' holds -2"),
        ([[1, float("nan")], [3, 4]], r"true '0' predicted '1' is missing \(NaN\)"),
        ([[0.9, 0.1], [0.2, 0.8]], "look like shares or percentages"),
        ([["90 %", "10 %"], ["20 %", "80 %"]], "holds the percentage '90 %'"),
        ([["a", 1], [2, 3]], "true '0' predicted '0' holds 'a'"),
        ([1, 2, 3, 4], "must be a square table of numbers"),
        (5, "must be"),
        ([[2**53, 0], [0, 1]], r"counts above 2\*\*53 - 1"),
        (np.array([[np.inf, 1], [1, 1]]), r"counts above 2\*\*53 - 1"),
    ],
)
def test_what_is_no_count_is_refused_with_its_cell(counts: object, sentence: str) -> None:
    with pytest.raises(InvalidCounts, match=sentence):
        hs.ConfusionMatrix(counts)


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["a"], "2 classes need 2 labels, not 1"),
        ([1, 1.0], "'1' comes twice"),
        (["a", None], "label 2 is missing or blank"),
        (["a", "x" * 10_001], "10001 characters"),
    ],
)
def test_labels_must_be_names(labels: list[object], sentence: str) -> None:
    with pytest.raises(InvalidLabels, match=sentence):
        hs.ConfusionMatrix([[1, 2], [3, 4]], labels=labels)


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


def test_cases_without_an_answer_are_left_out_by_the_word_for_it() -> None:
    true, pred = ["a", None, "b", "b", "c", "a"], ["a", "b", "b", "a", None, "b"]
    made = hs.ConfusionMatrix.from_predictions(true, pred, missing="exclude", group=list("xyxzyx"))
    assert made.counts.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert (made.labels, getattr(made.groups, "names", ())) == (("a", "b", "c"), ("x", "z"))
    with pytest.raises(InvalidLabels, match="missing='exclude'"):
        hs.ConfusionMatrix.from_predictions(true, pred)


@given(st.lists(st.sampled_from([1, True, "1", "ill", "ill ", None, pd.NA, float("nan"), 10**30]), max_size=40))
def test_objects_of_pandas_are_told_apart_as_those_of_a_list_are(values: list[object]) -> None:
    for series in (pd.Series(values, dtype=object), pd.Series(values, dtype=object)[::-2]):
        texts, codes = distinct_answers(series, "y_true", group_text)
        alone = distinct_answers(list(series), "y_true", group_text)
        assert (texts, codes.tolist()) == (alone.texts, alone.codes.tolist())


@pytest.mark.parametrize(
    ("true", "pred", "labels", "sentence"),
    [
        ([1, 2], [1], None, "y_true has 2 answers and y_pred has 1"),
        ([1, 1], [1, 1], None, "all answers are '1'; name the other classes"),
        ([1.0, 2.0, np.nan, np.nan], [1, 2, 1, 1], None, r"y_true is missing in 2 of 4 cases \(first: case 3\)"),
        (["a", "b"], [0.93, 0.2], None, "0.93 is a fraction|0.2 is a fraction"),
        (np.eye(2), np.eye(2), None, "one answer a case"),
        (pd.Series([["a"], ["b"]]), ["a", "b"], None, "one answer a case"),
        ([{"a": 1}, 2], [1, 2], None, "not single values"),
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


@pytest.mark.full
def test_fifty_thousand_classes_are_a_value_like_any_other() -> None:
    size = 50_000
    true = np.arange(size)
    cm = hs.ConfusionMatrix.from_predictions(true, (true + (true % 3 == 0)) % size)
    assert (cm.n, int(cm.correct.sum()), cm.index("49999")) == (size, 33_333, 49_999)
    with pytest.raises(InvalidArgument, match=r"50000 classes has 2\.5e\+09 cells and does not fit; use \.cells"):
        _ = cm.counts
    assert (cm + cm).n == 2 * size
    assert cm.one_vs_rest("1").counts.tolist() == [[49_998, 1], [0, 1]]
    assert cm.subset(["0", "1"]).counts.tolist() == [[0, 1], [0, 1]]
    assert cm.merge({"start": ["0", "1"]}).n == size


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


def test_series_with_one_index_in_another_order_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    true = pandas.Series(["a", "a", "b"], index=[4, 7, 9])
    with pytest.raises(InvalidLabels, match=r"the same index in another order.*y_pred\.loc\[y_true\.index\]"):
        ConfusionMatrix.from_predictions(true, pandas.Series(["b", "a", "a"], index=[9, 7, 4]))
    for make in (Predictions, Scores):
        with pytest.raises(InvalidLabels, match=r"y_\w+ of 'a' have the same index in another order"):
            make(true, {"a": pandas.Series([0.0, 1.0, 1.0], index=[9, 7, 4])})
    # a model answers with an index of its own: by position, as in scikit-learn
    for index in ([0, 1, 2], [4, 7, 9]):
        made = ConfusionMatrix.from_predictions(true, pandas.Series(["a", "a", "b"], index=index))
        assert made.counts.tolist() == [[2, 0], [0, 1]]


ILL = [[45, 5], [8, 42]]


@pytest.mark.parametrize(
    "pair",
    [
        ("a", "b"), ("low", "high"), ("cat", "dog"), ("1", "2"), ("healthy", "not healthy"), ("normal", "non-normal"),
        ("yes", "1"), ("setosa", "ill"), ("+", "-x"), ("died", "survived"), ("positive", "ill"),
    ],
)  # fmt: skip
def test_names_that_say_nothing_are_not_guessed(pair: tuple[str, str]) -> None:
    assert positive_by_name(pair) is None


@pytest.mark.parametrize(
    ("negative", "positive"), [("0", "1"), ("No_Relapse", "relapse"), ("nondiabetic", "diabetic"), ("HIV-", "HIV+")]
)
def test_names_that_everyone_knows(negative: str, positive: str) -> None:
    assert positive_by_name([negative, positive]) == positive
    assert positive_by_name([positive, negative]) == positive


def test_no_pair_of_the_table_says_both() -> None:
    for negatives, positives in POSITIVE_NAMES:
        for negative in negatives:
            for positive in positives:
                assert positive_by_name([negative, positive]) == positive, (negative, positive)
    assert positive_by_name(["healthy", "ill", "other"]) is None
    assert (positive_or_last(["a", "b"], "a"), positive_or_last(["a", "b"], None)) == ("a", "b")


def test_a_metric_without_a_class_is_refused_with_both_spellings() -> None:
    post = hs.infer(hs.ConfusionMatrix(ILL, labels=["a", "b"]))
    for metric, whole in (("precision", "precision"), ("ppv", "precision"), ("f1", "f1"), ("sensitivity", "recall")):
        with pytest.raises(InvalidArgument, match=f"say {whole}@a or {whole}@b, or name the positive class"):
            post.of(metric)
        with pytest.raises(InvalidArgument, match=f"say {whole}@a or {whole}@b"):
            hs.compare(post, post, metric=metric)
    known = hs.infer(hs.ConfusionMatrix(ILL, labels=["healthy", "ill"]))
    turned = hs.infer(hs.ConfusionMatrix([[42, 8], [5, 45]], labels=["ill", "healthy"]))
    assert known.of("precision").mean == known.of("precision@ill").mean == pytest.approx(turned.of("precision").mean)
    assert knowledge_of(post).with_positive("b").of("precision").mean == known.of("precision").mean
    with pytest.raises(InvalidArgument, match="recall@macro"):
        hs.infer(hs.ConfusionMatrix([[3, 1, 0], [1, 3, 0], [0, 1, 3]])).of("recall")


def test_the_one_class_that_a_prevalence_names_is_positive() -> None:
    post = hs.infer(hs.ConfusionMatrix(ILL, labels=["a", "b"]))
    there = post.at_prevalence({"a": 0.02})
    assert there.confusion.positive == "a"
    assert there.of("precision").mean == post.at_prevalence([0.02, 0.98]).of("precision@a").mean
    assert post.at_prevalence({"a": 0.02, "b": 0.98}).confusion.positive is None
    assert post.at_prevalence([0.02, 0.98]).confusion.positive is None
    assert knowledge_of(post).with_positive("b").at_prevalence({"a": 0.02}).confusion.positive == "b"
    assert hs.infer(hs.ConfusionMatrix(ILL, labels=["healthy", "ill"])).at_prevalence(
        {"healthy": 0.98}
    ).confusion.positive == "ill"  # fmt: skip
    # the same cases: what is known moves together, before and after
    same = there.of("recall@a") - post.of("recall@a")
    assert (same.mean, same.sd) == (0.0, 0.0)
