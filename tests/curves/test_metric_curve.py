"""A metric against the threshold: the posterior at each threshold, by the whole batch and by one matrix."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.curves import threshold_curve

RNG = np.random.default_rng(0)
ILL = RNG.random(200) < 0.3
SCORES = hs.Scores(np.where(ILL, "ill", "well"), np.round(RNG.normal(0, 1, 200) + 1.5 * ILL, 1))
WHERE: list[dict[str, Any]] = [{}, {"prevalence": 0.1}, {"cases": [90, 10]}]


def alone(metric: Any, threshold: float, where: dict[str, Any]) -> hs.Distribution:
    post = hs.infer(SCORES.confusion_at(threshold))
    if "prevalence" in where:
        post = post.at_prevalence({"ill": where["prevalence"]})
    return (post.at_prevalence(**where) if "cases" in where else post).of(metric)


@pytest.mark.sweep(15, full=30)
@pytest.mark.parametrize("where", WHERE, ids=str)
@pytest.mark.parametrize(
    "metric", ["recall@well", "balanced_accuracy", "error_rate", hs.expected_cost([[0, 1], [5, 0]])], ids=str
)
def test_exact_points_are_those_of_the_posterior_there(metric: Any, where: dict[str, Any]) -> None:
    curve = threshold_curve(SCORES, metric, [-0.5, 0.3, 1.1], **where)
    if curve.route == "simulated":
        assert metric in ("accuracy", "error_rate")
        assert "cases" in where
        return
    for point in curve.points:
        there = alone(metric, point.threshold, where)
        assert point.observed == pytest.approx(there.observed, abs=1e-12)
        assert (point.mean, point.low, point.high) == pytest.approx((there.mean, *there.interval()), abs=2e-6)


@pytest.mark.sweep(5, full=18)
@pytest.mark.parametrize("where", WHERE, ids=str)
@pytest.mark.parametrize("metric", ["mcc", "fbeta(beta=2)@well"])
def test_drawn_points_agree_with_the_exact_law_there(metric: str, where: dict[str, Any]) -> None:
    curve = threshold_curve(SCORES, metric, [-0.5, 0.3, 1.1], kind="central", **where)
    assert curve.route == "simulated"
    assert 0 < curve.error < 0.002
    for point in curve.points:
        there = alone(metric, point.threshold, where)
        assert point.observed == pytest.approx(there.observed, abs=1e-12)
        assert point.mean == pytest.approx(there.mean, abs=5 * curve.error + there.error)
        low, high = there.interval(kind="central")
        assert (point.low, point.high) == pytest.approx((low, high), abs=0.08 * there.sd)


def test_an_undefined_value_is_none_and_not_a_number() -> None:
    point = threshold_curve(SCORES, "precision", [99.0]).at(99.0)
    assert point.observed is None
    assert point.mean is not None
    assert 0 < point.mean < 1
    assert '"observed": null' in json.dumps(threshold_curve(SCORES, "precision", [99.0]).to_dict())


def test_the_best_point_is_the_largest_or_of_errors_the_least() -> None:
    found = {name: threshold_curve(SCORES, name, [0.0, 0.5]) for name in ("accuracy", "error_rate", "bias")}
    assert [curve.higher_is_better for curve in found.values()] == [True, False, None]
    right, wrong = (found[name].sheet().headline.partition("best")[2] for name in ("accuracy", "error_rate"))
    best = max(found["accuracy"].points, key=lambda point: point.mean or 0.0).threshold
    assert best == min(found["error_rate"].points, key=lambda point: point.mean or 1.0).threshold
    assert f"{best:g}" in right
    assert f"{best:g}" in wrong
