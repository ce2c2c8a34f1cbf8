"""Models under one judge, ranked: a pair as a pair, more each by its own labels, one judge for all on request."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument


def answers(
    rates: dict[str, float], judge: dict[str, tuple[float, float]], items: int = 600, labels: int = 100
) -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(3)
    verdicts, human = {}, {}
    for name, rate in rates.items():
        se, sp = judge.get(name, (0.9, 0.85))
        right = rng.random(items) < rate
        passed = np.where(right, rng.random(items) < se, rng.random(items) > sp)
        verdicts[name] = np.where(passed, "pass", "fail").astype(object)
        human[name] = np.where(right, "pass", "fail").astype(object)
        human[name][labels:] = None
    return verdicts, human


def board(*made: Any, **sizes: int) -> Any:
    return hs.JudgedAnswers(*answers(*made, **sizes))


def test_models_of_the_same_counts_are_drawn_apart() -> None:
    """Of three that are alike each is the best as often; two that went up and down together would be one rival."""
    verdicts, human = (dict.fromkeys("ABC", part["A"]) for part in answers({"A": 0.8}, {}))
    verdicts["C"] = verdicts["A"].copy()
    verdicts["C"][np.flatnonzero(verdicts["A"] == "pass")[-1]] = "fail"
    made = hs.rank(hs.JudgedAnswers(verdicts, human))
    assert [made[name].p_best for name in "ABC"] == pytest.approx([1 / 3] * 3, abs=0.05)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"new_test": 100}, "leave new_test= out"),
        ({"entries": "learned"}, "leave entries= out"),
        ({"prior": "flat"}, "leave prior= out"),
        ({"metric": "f1"}, "share of right answers"),
    ],
)
def test_what_a_judged_board_cannot_be_asked(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.rank(board({"A": 0.9, "B": 0.75}, {}), **asked)
