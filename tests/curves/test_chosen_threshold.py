"""The best threshold: found by trying all, its location, and the price of choosing on the same cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import howsure as hs
from howsure.curves import best_threshold
from howsure.errors import InvalidArgument


def normal_scores(seed: int, ill: int, well: int, apart: float) -> hs.Scores:
    rng = np.random.default_rng(seed)
    return hs.Scores(
        ["ill"] * ill + ["well"] * well, np.concatenate((rng.normal(apart, 1, ill), rng.normal(0, 1, well)))
    )


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


def test_it_is_said_where_calling_nobody_is_better() -> None:
    rare = best_threshold(normal_scores(2, 30, 30, 0.3), cost={"fp": 1, "fn": 1}, prevalence=0.001)
    assert any("calling nobody ill is better still" in remark for remark in rare.remarks)
    assert not any("nobody" in remark for remark in best_threshold(normal_scores(2, 30, 30, 3.0), "f1").remarks)


def test_perfectly_separated_scores_have_a_threshold_between() -> None:
    best = best_threshold(hs.Scores([0] * 10 + [1] * 10, range(20)), "balanced_accuracy")
    assert (best.threshold, best.next_below, best.observed) == (10, 9, 1.0)
    assert best.expected[0] < 1
    assert best.optimism == 0


@pytest.mark.deep
@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy", "f1"])
@pytest.mark.parametrize(("ill", "well", "apart"), [(20, 20, 1.0), (100, 100, 1.0), (20, 80, 2.5)])
def test_the_price_of_choosing_is_what_new_cases_show(metric: str, ill: int, well: int, apart: float) -> None:
    share = ill / (ill + well)
    gaps, apparent, held = [], [], []
    for seed in range(60):
        best = best_threshold(normal_scores(seed, ill, well, apart), metric, draws=400)
        tpr, fpr = norm.sf(best.threshold - apart), norm.sf(best.threshold)
        hit, false = share * tpr, (1 - share) * fpr
        truth = {
            "balanced_accuracy": (tpr + 1 - fpr) / 2,
            "accuracy": hit + 1 - share - false,
            "f1": 2 * hit / (hit + false + share),
        }[metric]
        gaps.append(best.expected[0] - truth)
        apparent.append(best.observed - truth)
        held.append(best.expected[1] <= truth <= best.expected[2])
    error = np.std(gaps) / np.sqrt(len(gaps))
    assert np.mean(apparent) > 4 * np.std(apparent) / np.sqrt(len(apparent))  # the value where it was chosen flatters
    assert abs(np.mean(gaps)) < 0.02 + 2 * error
    assert abs(np.mean(gaps)) < 0.6 * np.mean(apparent)
    assert np.mean(held) > 0.8


@pytest.mark.deep
def test_the_location_holds_the_best_threshold() -> None:
    # both classes alike in size and spread: the best threshold lies in the middle
    held = []
    for seed in range(100):
        low, high = best_threshold(normal_scores(seed, 60, 60, 1.5), "accuracy", draws=400).location
        held.append(low <= 0.75 <= high)
    assert np.mean(held) > 0.85


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"metric": "f1", "cost": {"fp": 1}}, "exclude each other"),
        ({"cost": {"fp": 0, "fn": 0}}, "an error has to cost more"),
        ({"metric": "recall"}, "best where all cases are called alike"),
        ({"metric": "prevalence"}, "neither more nor less is better"),
        ({"cost": {"fp": 1}}, "a miss 0 more"),
        ({"cost": {"fp": 1, "fn": "x"}}, "the cost of fn is a finite number"),
        ({"cost": {"false": 1}}, "costs are of"),
        ({"cost": [1, 2]}, "2 x 2"),
    ],
)
def test_wrong_arguments_are_explained(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        best_threshold(normal_scores(0, 20, 20, 1.0), **arguments)


def test_constant_scores_have_no_best_threshold() -> None:
    with pytest.raises(hs.errors.InvalidArgument, match="all scores are equal"):
        best_threshold(hs.Scores([0, 1, 1], [0.5, 0.5, 0.5]))


def test_many_scores_are_cut_at_500_places() -> None:
    best = best_threshold(normal_scores(3, 20_000, 20_000, 1.0), draws=200)
    assert len(best.tried[0]) <= 500
    assert best.threshold == pytest.approx(0.5, abs=0.2)
    assert best.optimism < 0.002


@pytest.mark.parametrize("metric", ["lr_plus", "dor"])
def test_a_ratio_that_is_infinite_somewhere_chooses_no_threshold(metric: str) -> None:
    scores = hs.Scores([0, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])
    with pytest.raises(InvalidArgument, match="is infinite at a threshold of these cases"):
        best_threshold(scores, metric, draws=100)
