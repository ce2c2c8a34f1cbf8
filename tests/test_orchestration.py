"""Faults between the numbers and their answers: an order, a key, a tie, an end, a probability of nothing."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.comparison.chances import chances
from howsure.laws import Beta, Draws, Law


def test_the_top_of_a_board_does_not_depend_on_the_order_of_its_scores() -> None:
    asked = {"b": 0.87, "c": 0.80, "a": 0.92}
    made, turned = hs.settle(asked, n=300), hs.settle(dict(sorted(asked.items())), n=300)
    assert made.assurance == turned.assurance
    assert made.goal.target == pytest.approx(0.05)
    assert "a is worth 0.92 and the next, b, 0.87" in made.supposed[0]


def test_entries_of_one_size_have_intervals_of_their_own() -> None:
    right = {"a": 430, "b": 380, "c": 250}
    made = hs.rank({name: hs.Posterior.from_accuracy(correct=k, n=500) for name, k in right.items()})
    for entry in made.entries:
        assert (entry.low, entry.high) == Beta(right[entry.name] + 1, 501 - right[entry.name]).interval()


@pytest.mark.parametrize("higher", [True, False])
def test_drawn_ties_are_split_between_both(higher: bool) -> None:
    made = chances(Draws(np.repeat([-1.0, 0.0, 1.0], [100, 600, 300])), None, higher=higher)
    assert made.better == pytest.approx(0.6 if higher else 0.4)
    assert made.worse == pytest.approx(0.4 if higher else 0.6)
    assert made.equal == 0


def test_draws_cannot_make_a_gate_certain() -> None:
    truth = np.tile([0, 1, 2], 60)
    worse = np.where(np.arange(180) % 4 == 0, truth, (truth + 1) % 3)
    both = hs.Predictions(truth, {"good": truth, "bad": worse}, labels=range(3))
    for order in (("good", "bad"), ("bad", "good")):
        (row,) = hs.gate(both, *order, metric="mcc", draws=500).rows
        assert row.draws == 500
        assert {row.p_pass, row.p_fail} == {1 / 500, 1 - 1 / 500}


@pytest.mark.parametrize(("a", "b", "mode"), [(1.0, 6.0, 0.0), (6.0, 1.0, 1.0), (0.5, 3.0, 0.0)])
def test_the_mode_of_a_law_that_is_densest_at_an_end_is_that_end(a: float, b: float, mode: float) -> None:
    class Plain(Law):
        """A Beta that knows no more than it must."""

        support, mean, sd = (0.0, 1.0), a / (a + b), Beta(a, b).sd  # type: ignore[assignment]

        def _cdf(self, x: np.ndarray) -> np.ndarray:
            return Beta(a, b)._cdf(x)

    assert Plain().mode == mode
