"""Values and questions that make no sense get a sentence, whatever the room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import howsure as hs
from howsure.errors import (
    InvalidArgument,
    InvalidCounts,
    InvalidLabels,
    NoInformation,
)
from howsure.io import read, read_predictions
from howsure.laws import Beta, BetaSum, Linear

TRUTH = ["cat"] * 40 + ["dog"] * 40

BOTH = hs.Predictions(TRUTH, {"new": TRUTH, "old": ["cat"] * 34 + ["dog"] * 46})

NEW, OLD = (hs.infer(BOTH.confusion(name)) for name in BOTH.names)


ONE_SIDED = hs.ConfusionMatrix([[0, 5], [0, 0]])
A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
MASKED = np.ma.array([1, 0, 1], mask=[False, False, True])


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: hs.Prior(1, 1, accuracy=(-50, 1)), InvalidArgument, "pair of pseudo-counts"),
        (lambda: hs.Prior(1, 1, accuracy=(1,)), InvalidArgument, "pair of pseudo-counts"),  # type: ignore[arg-type]
        (lambda: hs.Prior(1, 1, name="\x1b[31m"), InvalidArgument, "one line"),
        (lambda: hs.Prior(1e308, 1e308), InvalidArgument, "pseudo-count"),
        (lambda: Linear(shift=float("nan")), InvalidArgument, "must be finite"),
        (lambda: BetaSum([1, 2], [2, 1], [1e155, 1]), InvalidArgument, "must be finite and within"),
        (lambda: Beta(2, 2).interval(1 - 1e-16), InvalidArgument, "strictly between 0 and 1"),
        (lambda: Beta(2, 2).prob(between=(0.1,)), InvalidArgument, "a pair"),  # type: ignore[arg-type]
        (lambda: Beta(2, 2).prob(above=[0.1, 0.2]), InvalidArgument, "must be a number"),  # type: ignore[arg-type]
        (lambda: hs.infer(A).of("accuracy") / 0, InvalidArgument, "divided by 0"),
        (lambda: hs.infer(A).of("accuracy") + float("inf"), InvalidArgument, "finite numbers"),
        (lambda: hs.infer(A).of("fbeta(beta=2,beta=3)"), InvalidArgument, "once"),
        (lambda: hs.infer(A).of("fbeta(beta=1_0)"), InvalidArgument, "above 0"),
        (lambda: hs.infer(A).at_prevalence([1e308, 1e308]), InvalidArgument, "add to 1"),
        (lambda: hs.infer(A).at_prevalence([98, 2]), InvalidArgument, r"2% is 0\.02"),
        (lambda: hs.ConfusionMatrix.from_dict({}), InvalidArgument, "needs"),
        (lambda: hs.ConfusionMatrix(np.ma.masked_equal([[1, 2], [3, 4]], 2)), InvalidCounts, "masked"),
        (
            lambda: hs.ConfusionMatrix.from_predictions([True, False], [1, 0]),
            InvalidLabels,
            "no class in common",
        ),
        (lambda: hs.infer(ONE_SIDED, hs.Prior(1e-9, 1e-9, 1e-9)).of("kappa"), NoInformation, "undefined"),
        (lambda: hs.ConfusionMatrix.from_predictions(MASKED, [1, 0, 0]), InvalidLabels, "y_true is missing in 1 of 3"),
        (lambda: hs.Predictions([1, 0, 0], {"a": MASKED}), InvalidLabels, "1 of 3 cases"),
        (lambda: hs.Predictions([1, 0, 0], {"a": [1, 0, 0]}, group=MASKED), InvalidLabels, "group is missing in 1 of"),
        (lambda: hs.Scores([1, 0, 0], MASKED), InvalidArgument, "y_score is missing"),
        (lambda: hs.Scores(MASKED, [1, 0, 0]), InvalidLabels, "missing in 1"),
        (lambda: hs.ConfusionMatrix.from_predictions({1, 0}, {1, 0}), InvalidLabels, "one answer a case, in their ord"),
        (lambda: hs.ConfusionMatrix.from_predictions({1: "a", 2: "b"}, {1: "b", 2: "b"}), InvalidLabels, "in their"),
        (lambda: hs.ConfusionMatrix.from_predictions("aba", "aab"), InvalidLabels, "in their order .*, not 'aba'"),
        (
            lambda: hs.Predictions.from_wide({"t": [0, 1, 1], "A": [0, 1, 0], "B": [True, False, True]}, y_true="t"),
            InvalidArgument,
            "'B'",
        ),
        (lambda: hs.ConfusionMatrix([]), InvalidCounts, "this one has none"),
        (lambda: hs.ConfusionMatrix("abc"), InvalidCounts, "a square table, a row for each true class; not 'abc'"),
        (lambda: hs.ConfusionMatrix(np.ones((2, 2), "timedelta64[s]")), InvalidCounts, "must be integers"),
        (lambda: read(None), InvalidArgument, r"io\.BytesIO\), not None"),
        (lambda: read(b"y_true,y_pred"), InvalidArgument, "bytes: io.BytesIO"),
        (lambda: read(np.ones((2, 2))), InvalidArgument, "not array"),
        (lambda: read_predictions(["a.csv", "b.csv"]), InvalidArgument, "a file must be a path of its own, not"),
        (lambda: read([1, 2]), InvalidArgument, "the name of a file must be a text, not 1"),
    ],
)  # fmt: skip
def test_bad_values_get_a_sentence(make: object, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: hs.gate(BOTH, "new", "old", metric="accuracy", margin=2), "margin is below 1"),
        (lambda: hs.gate(BOTH, "new", "old", metric=["mcc", "accuracy"], margin=1), "difference of accuracy"),
        (lambda: hs.gate(NEW, OLD, metric=5), "metric is a name"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: hs.gate(NEW, OLD, metric=["accuracy", "acc"]), "'accuracy' comes twice"),
        (lambda: hs.gate(NEW, floor=0.5, metric=["accuracy", "acc"]), "'accuracy' comes twice"),
        (lambda: hs.gate(NEW, floor=0.5, names=(1, 2)), "names are two different texts"),  # type: ignore[arg-type]
        (lambda: hs.gate(BOTH, "new", "old", metric="accuracy", strict="no"), "strict is True, False"),  # type: ignore[arg-type]
        (lambda: hs.gate(NEW), "for one classifier alone name floor="),
        (lambda: hs.gate(BOTH, "new"), "predictions and two names"),
        (lambda: hs.rank({"a": NEW, "b": OLD}, prizes=5), "prizes is a list of numbers"),  # type: ignore[arg-type]
        (lambda: hs.rank({"a": NEW, "b": OLD}, prizes=[3, -1]), "prizes are numbers, 0 or more"),
        (lambda: hs.rank({"a": NEW, "b": OLD}, top=0), "top is an integer"),
        (lambda: hs.rank({"a": NEW, "b": OLD}, top=None), "top is an integer"),  # type: ignore[arg-type]
        (lambda: hs.rank({"1": NEW, 1: OLD}), "each its own"),  # type: ignore[dict-item]
        (lambda: hs.rank({" ": NEW, "b": OLD}), "classifiers have names"),
    ],
)  # fmt: skip
def test_bad_questions_get_a_sentence(ask: Callable[[], object], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        ask()
