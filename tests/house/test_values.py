"""Results are values: they can be pickled, copied and hashed, and neither threads nor the hash seed change them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tests.house.everything import everything

import howsure as hs
from howsure.errors import InvalidCounts, InvalidFile, MissingExtra, UnknownMetric
from howsure.frozen import Answer
from howsure.laws import Beta, Draws, Linear
from howsure.posterior.knowledge import knowledge_of
from howsure.questions.gate_answer import Gate
from howsure.reporting.report import Report

A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


#: What is equal to another that says the same.
ANSWERS = (Answer, Report, Gate)

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.full  # everything takes five seconds to compute
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_says_the_same(way: str, subtests: pytest.Subtests) -> None:
    for kind, made in everything().items():
        with subtests.test(kind):
            again = COPIES[way](made)
            assert type(again) is type(made)
            assert (str(again), repr(again)) == (str(made), repr(made))
            assert made == made  # no comparison of arrays, whose truth is ambiguous
            assert isinstance(again == made, bool)
            assert isinstance(hash(again), int)
            if hasattr(made, "to_dict"):
                assert again.to_dict() == made.to_dict()


NOUNS = ("ConfusionMatrix", "Prior", "Prior learned", "Counts", "Metric")


@pytest.mark.full
def test_nouns_and_answers_are_equal_after_a_journey(subtests: pytest.Subtests) -> None:
    for kind, made in everything().items():
        if kind in NOUNS or isinstance(made, ANSWERS):
            with subtests.test(kind):
                again = COPIES["pickle"](made)
                assert (again, hash(again)) == (made, hash(made))
                assert made != everything()["Report of two" if kind == "Report" else "Report"]


@pytest.mark.full
def test_answers_that_say_something_else_are_not_equal() -> None:
    new, old = (hs.infer(hs.ConfusionMatrix(m)) for m in ([[45, 5], [8, 42]], [[40, 10], [9, 41]]))
    compared = hs.compare(new, old, metric="accuracy")
    assert compared == hs.compare(new, old, metric="accuracy")
    assert compared != hs.compare(old, new, metric="accuracy")
    assert compared != hs.compare(new, old, metric="accuracy", rope=0.01)
    assert len({compared, hs.compare(new, old, metric="accuracy"), hs.rank({"new": new, "old": old})}) == 2


def test_four_threads_find_what_one_finds() -> None:
    """All ask one posterior whose answers nobody has asked for before."""

    def posterior() -> hs.Posterior:
        table = np.eye(12, dtype=int) * 20 + np.arange(144).reshape(12, 12) % 4
        return hs.infer(hs.ConfusionMatrix(table))

    def answers(known: hs.Posterior) -> list[tuple[float, ...]]:
        asked = (
            knowledge_of(known).of(name, draws=2000) for name in ("accuracy", "balanced_accuracy", "mcc", "f1@macro")
        )
        return [(law.mean, law.sd, *law.interval(0.95)[:2]) for law in asked]

    alone, shared = answers(posterior()), posterior()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: answers(shared), range(4))) == [alone] * 4


def test_values_stay_what_they_are() -> None:
    coefficients = np.array([[1.0, 0, 2]])
    law = Linear([(coefficients, [[1, 2, 3]])])
    coefficients[0, 0] = 100
    assert law.mean == pytest.approx(7 / 6)
    values = np.array([0.1, 0.2, 0.3])
    drawn = Draws(values)
    values[0] = 5
    assert drawn.values[0] == 0.1
    post = hs.infer(A)
    for thing in (post, post.of("mcc"), law, drawn, Beta(2, 3)):
        with pytest.raises(AttributeError, match=r"immutable|no setter|can't set"):
            thing.foo = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        A.counts.setflags(write=True)
    with pytest.raises(AttributeError):
        Beta(2, 3).a = 4.0
    groups = hs.ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], group=[*"abb"]).groups
    assert groups is not None
    for array in (groups.group, groups.true, groups.pred, groups.count):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_everything_public_travels_to_another_process() -> None:
    post = hs.infer(A, "flat")
    post.of("mcc")
    for thing in (A, post, post.of("mcc"), post.of("accuracy"), hs.report(post), Beta(2, 3), hs.Prior(1, 2)):
        again = pickle.loads(pickle.dumps(thing))
        assert repr(again) == repr(thing)
    errors = (
        InvalidFile("x.csv", "no", 3),
        UnknownMetric("a", ["b"]),
        MissingExtra("Plots", "plot"),
        InvalidCounts("x"),
    )
    for error in errors:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
