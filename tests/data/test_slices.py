"""Slices: the same counts from cases, matrices and columns, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, InvalidLabels, UnknownLabel
from howsure.io.counting.slices_of_counts import slices_of

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


@pytest.mark.parametrize(("package", "make"), [("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")])
def test_columns_may_be_a_data_frame(package: str, make: str) -> None:
    columns = {"site": ["a", "b", "b"], "day": [1, 2, 1]}
    frame = getattr(pytest.importorskip(package), make)(columns)
    made = Slices.from_predictions([0, 1, 1], [0, 1, 0], by=frame)
    assert made == Slices.from_predictions([0, 1, 1], [0, 1, 0], by=columns)
    assert made.names == ("a / 1", "b / 1", "b / 2")


def test_a_slice_or_a_class_may_be_empty() -> None:
    made = Slices({"x": hs.ConfusionMatrix([[3, 1], [0, 0]]), "y": hs.ConfusionMatrix([[0, 0], [0, 0]])})
    assert made.cases.tolist() == [4, 0]
    assert made.tally("1")[1].tolist() == [0, 0]


def test_a_missing_value_is_a_slice() -> None:
    made = Slices.from_predictions([0, 1, 1], [0, 1, 0], by=["de", None, "de"])
    assert made.names == ("de", "(missing)")
    assert made.cases.tolist() == [2, 1]


def test_classes_may_come_in_any_order() -> None:
    one, two = hs.ConfusionMatrix([[5, 1], [0, 4]], ["n", "y"]), hs.ConfusionMatrix([[4, 0], [1, 5]], ["y", "n"])
    made = Slices({"one": one, "two": two})
    assert made.confusion("two").counts.tolist() == [[5, 1], [0, 4]]


TABLE = hs.ConfusionMatrix([[5, 1], [0, 4]])


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: Slices({}), InvalidArgument, "one or more"),
        (lambda: Slices({"a": 3}), InvalidArgument, "a confusion matrix, not 'a' and 3"),  # type: ignore[dict-item]
        (lambda: Slices([TABLE]), InvalidArgument, "a mapping of the names"),  # type: ignore[arg-type]
        (
            lambda: Slices({"a": TABLE, "b": hs.ConfusionMatrix([[1, 0], [0, 1]], ["x", "y"])}),
            InvalidArgument,
            "the first slice has the classes '0', '1' and 'b' has 'x', 'y'",
        ),
        (lambda: Slices({"a": TABLE}).confusion("b"), InvalidArgument, "no slice is called 'b'"),
        (lambda: Slices({"a": TABLE}).tally("b"), UnknownLabel, "'b'"),
        (lambda: Slices.from_predictions([0, 1], [0, 1], by=["a"]), InvalidLabels, "2 cases and 1 values of by"),
        (lambda: Slices.from_predictions([0, 1], [0, 1], by={}), InvalidArgument, "by= needs a column"),
        (
            lambda: Slices.from_predictions([0, 1], [0, 1], by=["a", "b"], id=[7, 7]),
            InvalidLabels,
            "the id '7' comes twice; each case is in one slice",
        ),
        (lambda: Slices.from_predictions([0, 1], [0, 1], by=["a", "b"], id=[7, None]), InvalidLabels, "id is missing"),
        (
            lambda: Slices.from_predictions([0, 1], [0, 1], by={"x": ["a / b", "a"], "y": ["c", "b / c"]}),
            InvalidLabels,
            "two slices would be called 'a / b / c'",
        ),
        (lambda: slices_of(hs.count(y_true=[0, 1], y_pred=[0, 1])), InvalidArgument, "name the columns"),
    ],
)
def test_what_is_refused_says_why(make: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        make()
    assert sentence in str(caught.value)


def test_counts_of_many_slices_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(3)
    truth, said, where = rng.integers(0, 3, 5000), rng.integers(0, 3, 5000), rng.integers(0, 200, 5000)
    made = Slices.from_predictions(truth, said, by=where)
    table = np.zeros((200, 3, 3), dtype=int)
    np.add.at(table, (where, truth, said), 1)
    assert np.array_equal(made._tables(0, 200), table)
