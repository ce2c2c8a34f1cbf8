"""Counts at thresholds, joint draws of both rates, and what choosing flatters."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from howsure.numerics.arrays import Floats
from howsure.numerics.curves.placements import called_at, distinct_cuts


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.lists(st.integers(-1, 10), min_size=1, max_size=5))
def test_counts_are_those_of_a_comparison(scores: list[int], cuts: list[int]) -> None:
    given_scores, given_cuts = np.array(scores, float), np.array(cuts, float)
    assert called_at(given_scores, given_cuts).tolist() == [int((given_scores >= cut).sum()) for cut in given_cuts]


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=40))
def test_a_best_cut_is_among_the_distinct_ones(cases: list[tuple[int, bool]]) -> None:
    scores, ill = np.array([score for score, _ in cases], float), np.array([is_ill for _, is_ill in cases])
    every, some = np.unique(scores), distinct_cuts(scores, ill, 100)

    def right(cuts: Floats) -> list[int]:
        return [int(((scores >= cut) == ill).sum()) for cut in cuts]

    assert set(some) <= set(every)
    assert max(right(some)) == max(right(every))
    assert min(right(some)) >= 0
    assert len(distinct_cuts(scores, ill, 3)) <= 3
