"""The best threshold: found by trying all, its location, and the price of choosing on the same cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.curves import best_threshold


def normal_scores(seed: int, ill: int, well: int, apart: float) -> hs.Scores:
    rng = np.random.default_rng(seed)
    return hs.Scores(
        ["ill"] * ill + ["well"] * well, np.concatenate((rng.normal(apart, 1, ill), rng.normal(0, 1, well)))
    )


@pytest.mark.full
@given(st.integers(0, 2**32), st.sampled_from(["f1", "balanced_accuracy", "accuracy", "mcc", "error_rate"]))
def test_no_threshold_is_better(seed: int, metric: str) -> None:
    rng = np.random.default_rng(seed)
    scores = hs.Scores(np.r_[0, 1, rng.integers(0, 2, 15)], rng.integers(0, 8, 17))
    if len(np.unique(scores.scores)) < 2:
        return
    best = best_threshold(scores, metric, draws=100)
    tried = [hs.infer(scores.confusion_at(t)).of(metric).observed for t in np.unique(scores.scores)]
    known = [value for value in tried if value is not None]
    assert best.observed == pytest.approx((min if metric == "error_rate" else max)(known), abs=1e-12)
    assert best.confusion == scores.confusion_at(best.threshold)
    if best.next_below is not None:
        assert scores.confusion_at(np.nextafter(best.next_below, np.inf)) == best.confusion


def test_costs_are_the_metric_expected_cost_at_its_least() -> None:
    scores = normal_scores(1, 60, 140, 1.5)
    named = best_threshold(scores, cost={"fp": 1, "fn": 5})
    table = best_threshold(scores, cost=[[0, 1], [5, 0]])
    assert named == table
    assert named.metric == "expected_cost"
    assert not named.higher_is_better
    alone = hs.infer(named.confusion).of(hs.expected_cost([[0, 1], [5, 0]]))
    assert named.observed == pytest.approx(alone.observed)
    assert named.apparent == pytest.approx((alone.mean, *alone.interval()), abs=1e-6)
    assert named.expected[0] == pytest.approx(named.apparent[0] + named.optimism)
    assert best_threshold(scores, cost={"fp": 1, "fn": 50}).threshold < named.threshold
    assert any("0.167" in remark for remark in named.remarks)


def test_a_stated_prevalence_moves_the_threshold() -> None:
    scores = normal_scores(2, 100, 100, 1.5)
    rare, common = (best_threshold(scores, "accuracy", prevalence=share).threshold for share in (0.02, 0.6))
    assert rare > common


def test_perfectly_separated_scores_have_a_threshold_between() -> None:
    best = best_threshold(hs.Scores([0] * 10 + [1] * 10, range(20)), "balanced_accuracy")
    assert (best.threshold, best.next_below, best.observed) == (10, 9, 1.0)
    assert best.expected[0] < 1
    assert best.optimism == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"metric": "f1", "cost": {"fp": 1}}, "exclude each other"),
        ({"metric": "recall"}, "best where all cases get the same prediction"),
        ({"cost": {"fp": 1}}, "a miss 0 more"),
        ({"cost": {"false": 1}}, "costs are of"),
    ],
)
def test_wrong_arguments_are_explained(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        best_threshold(normal_scores(0, 20, 20, 1.0), **arguments)
