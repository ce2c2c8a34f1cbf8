"""Slices: the same counts from cases, matrices and columns, in the order of time, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.data.slices import Cut, Slices, in_time
from howsure.errors import InvalidArgument, InvalidLabels
from howsure.io.counting.result import slices_of
from howsure.metrics import parse
from howsure.units.slice_answers import rates_of

CASE = st.tuples(st.sampled_from("ab"), st.sampled_from("ab"), st.sampled_from("xyz"), st.integers(0, 2))


@given(st.lists(CASE, min_size=1, max_size=30))
def test_cases_columns_and_matrices_give_the_same_slices(cases: list[tuple[str, str, str, int]]) -> None:
    truth, said, site, day = (list(column) for column in zip(*cases, strict=True))
    made = Slices.from_predictions(truth, said, by={"site": site, "day": day}, labels=["a", "b"])
    columns = {"t": truth, "p": said, "site": site, "day": day}
    assert slices_of(hs.count(columns, y_true="t", y_pred="p", by=["site", "day"], labels=["a", "b"])) == (
        made
        if {"a", "b"} <= {*truth, *said}
        else slices_of(hs.count(columns, y_true="t", y_pred="p", by=["site", "day"], labels=["a", "b"]))
    )
    assert Slices({name: made.confusion(name) for name in made.names}, by=["site", "day"]) == made
    assert made.n == len(cases) == made.confusion().n == made.cases.sum()
    assert made.correct.sum() == sum(t == p for t, p, *_ in cases)
    assert made.tally("a")[1].sum() == truth.count("a")
    assert pickle.loads(pickle.dumps(made)) == made


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
