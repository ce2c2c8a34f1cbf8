"""Boards of cases in groups: ties, certainty, agreement with two other routes, the questions, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument
from howsure.numerics.groups.group_bootstrap import paired_difference

GROUPS, SIZE = 20, 6


def board(
    lead: tuple[float, ...] = (0.05, 0.0, -0.05), groups: int = GROUPS, size: int = SIZE, seed: int = 0
) -> Predictions:
    """Classifiers that find the same groups hard."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(groups), size)
    hard = rng.beta(4, 1, groups)[place]
    truth = np.arange(len(place)) % 2
    right = [rng.random(len(place)) < np.clip(hard + x, 0, 1) for x in lead]
    answers = {f"m{i}": np.where(hit, truth, 1 - truth) for i, hit in enumerate(right)}
    return Predictions(truth, answers, group=[f"g{i}" for i in place])


def alike(*columns: np.ndarray, groups: int = 10) -> Predictions:
    truth = np.zeros(len(columns[0]), dtype=int)
    truth[::2] = 1
    answers = {chr(97 + i): np.where(hit, truth, 1 - truth) for i, hit in enumerate(columns)}
    return Predictions(truth, answers, group=np.arange(len(truth)) % groups)


def test_two_that_answer_alike_tie_and_a_third_does_not_change_that() -> None:
    right = np.ones(60, dtype=bool)
    right[:7] = False
    two = hs.rank(alike(right, right), metric="accuracy")
    assert [x.p_best for x in two.entries] == [0.5, 0.5]
    worse = right.copy()
    worse[20:40] = False
    three = hs.rank(alike(right, right, worse), metric="accuracy", entries="independent")
    assert three["a"].p_best == pytest.approx(three["b"].p_best)
    assert three["a"].p_best > 0.4


def test_the_bootstrap_of_the_difference_is_the_other_route() -> None:
    data = board((0.1, 0.0, -0.1))
    made = hs.rank(data, metric="accuracy", entries="independent")
    place = [x.name for x in made.entries]
    group = np.unique(data.group, return_inverse=True)[1]
    n = np.bincount(group)
    for first, second in (("m0", "m1"), ("m1", "m2")):
        right = [np.bincount(group, data.answers(x) == data.truth) for x in (first, second)]
        drawn = paired_difference(right[0] - right[1], n, 20_000, np.random.default_rng(1))
        above = made.above[place.index(first), place.index(second)]
        assert above == pytest.approx(float((drawn > 0).mean()), abs=0.03)


@pytest.mark.full
def test_separate_test_sets_ask_one_question() -> None:
    data = board()
    new = {name: hs.infer(data.confusion(name)) for name in data.names}
    made = hs.rank(new, metric="accuracy")
    assert made.groups is not None
    assert made.groups.groups == (GROUPS,) * 3
    together, alone = hs.rank(data, metric="accuracy"), hs.report(new[made.entries[0].name], ["accuracy"])
    assert getattr(together.groups, "worth", 0) == pytest.approx(getattr(alone.groups, "worth", 1))
    with pytest.raises(InvalidArgument, match="one ranking asks one question"):
        hs.rank({**new, "m1": hs.infer(data.confusion("m1"), groups="these")}, metric="accuracy")
    with pytest.raises(InvalidArgument, match="say groups= there"):
        hs.rank(new, metric="accuracy", groups="new")
    alone = hs.infer(hs.ConfusionMatrix(data.confusion("m1").counts))
    assert "without groups" in str(hs.rank({**new, "m1": alone}, metric="accuracy"))
