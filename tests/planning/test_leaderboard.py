"""How many cases settle the top of a board."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.planning.top_of_board import best_probabilities


def test_the_probability_of_being_best_is_that_of_the_ranking() -> None:
    right, n = np.array([430, 423, 390, 428]), 500
    board = {str(i): hs.Posterior.from_accuracy(correct=int(k), n=n) for i, k in enumerate(right)}
    expected = hs.rank(board, entries="independent")["0"].p_best
    found = best_probabilities((right + 1.0)[None], (n - right + 1.0)[None])[0]
    assert found == pytest.approx(expected, abs=1e-8)


@pytest.mark.deep
def test_the_top_of_a_board_is_settled_as_often_as_stated() -> None:
    made = hs.settle({"a": 0.90, "b": 0.86, "c": 0.84}, assurance=0.8)
    rng = np.random.default_rng(3)
    settled = []
    for right in rng.binomial(made.n, [0.90, 0.86, 0.84], (200, 3)):
        board = {x: hs.Posterior.from_accuracy(correct=int(k), n=made.n) for x, k in zip("abc", right, strict=True)}
        settled.append(hs.rank(board, entries="independent")["a"].p_best >= 0.95)
    assert np.mean(settled) == pytest.approx(made.assurance, abs=5 * np.sqrt(0.16 / 200))
    assert made.assurance == pytest.approx(0.8, abs=0.05)
    assert "a is worth 0.9" in str(made)


@pytest.mark.deep
def test_two_entries_are_a_comparison() -> None:
    two = hs.settle([0.85, 0.80], assurance=0.8)
    assert two.n == pytest.approx(712, abs=5 * two.n_error + 10)


def test_boards_that_cannot_be_settled() -> None:
    with pytest.raises(InvalidArgument, match="share the top"):
        hs.settle({"a": 0.9, "b": 0.9})
    with pytest.raises(InvalidArgument, match="2 to 200 scores"):
        hs.settle([0.9])
    with pytest.raises(InvalidArgument, match="from 0 to 1"):
        hs.settle([90, 80])


def test_the_top_of_a_board_does_not_depend_on_the_order_of_its_scores() -> None:
    asked = {"b": 0.87, "c": 0.80, "a": 0.92}
    made, turned = hs.settle(asked, n=300), hs.settle(dict(sorted(asked.items())), n=300)
    assert made.assurance == turned.assurance
    assert made.goal.target == pytest.approx(0.05)
    assert "a is worth 0.92 and the next, b, 0.87" in made.supposed[0]


def test_a_top_that_is_far_ahead_is_settled_by_few_cases_and_a_near_one_is_not() -> None:
    assert hs.settle({"a": 0.95, "b": 0.70, "c": 0.60}, n=300).assurance > 0.99
    assert hs.settle({"a": 0.71, "b": 0.70, "c": 0.60}, n=300).assurance < 0.3
