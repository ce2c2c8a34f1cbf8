"""A metric against the threshold: the posterior at each threshold, by the whole batch and by one matrix."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.curves import best_threshold, net_benefit, threshold_curve

RNG = np.random.default_rng(0)
ILL = RNG.random(200) < 0.3
SCORES = hs.Scores(np.where(ILL, "ill", "well"), np.round(RNG.normal(0, 1, 200) + 1.5 * ILL, 1))
EXACT = (
    *("recall", "recall@well", "specificity", "false_negative_rate", "false_positive_rate", "balanced_accuracy"),
    *("informedness", "accuracy", "error_rate"),
)
WHERE: list[dict[str, Any]] = [{}, {"prevalence": 0.1}, {"cases": [90, 10]}]


def alone(metric: Any, threshold: float, where: dict[str, Any]) -> hs.Distribution:
    post = hs.infer(SCORES.confusion_at(threshold))
    if "prevalence" in where:
        post = post.at_prevalence({"ill": where["prevalence"]})
    return (post.at_prevalence(**where) if "cases" in where else post).of(metric)


@pytest.mark.parametrize("where", WHERE, ids=str)
@pytest.mark.parametrize("metric", [*EXACT, hs.expected_cost([[0, 1], [5, 0]])], ids=str)
def test_exact_points_are_those_of_the_posterior_there(metric: Any, where: dict[str, Any]) -> None:
    curve = threshold_curve(SCORES, metric, [-0.5, 0.3, 1.1], **where)
    if curve.route == "drawn":
        assert metric in ("accuracy", "error_rate")
        assert "cases" in where
        return
    for point in curve.points:
        there = alone(metric, point.threshold, where)
        assert point.observed == pytest.approx(there.observed, abs=1e-12)
        assert (point.mean, point.low, point.high) == pytest.approx((there.mean, *there.interval()), abs=2e-6)


@pytest.mark.parametrize("where", WHERE, ids=str)
@pytest.mark.parametrize("metric", ["f1", "mcc", "precision", "kappa", "fbeta(beta=2)@well", "f1@macro"])
def test_drawn_points_agree_with_the_exact_law_there(metric: str, where: dict[str, Any]) -> None:
    curve = threshold_curve(SCORES, metric, [-0.5, 0.3, 1.1], kind="central", **where)
    assert curve.route == "drawn"
    assert 0 < curve.error < 0.002
    for point in curve.points:
        there = alone(metric, point.threshold, where)
        assert point.observed == pytest.approx(there.observed, abs=1e-12)
        assert point.mean == pytest.approx(there.mean, abs=5 * curve.error + there.error)
        low, high = there.interval(kind="central")
        assert (point.low, point.high) == pytest.approx((low, high), abs=0.08 * there.sd)


def test_thresholds_left_out_are_the_scores() -> None:
    curve = threshold_curve(SCORES, "recall")
    assert [p.threshold for p in curve.points] == np.unique(SCORES.scores).tolist()
    assert curve.points[0].tn == curve.points[0].fn == 0
    for point in curve.points:
        assert [[point.tn, point.fp], [point.fn, point.tp]] == SCORES.confusion_at(point.threshold).counts.tolist()
    wide = hs.Scores(np.arange(5000) % 2, np.arange(5000.0))
    assert len(threshold_curve(wide, "recall").points) == 101


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


def test_json_keeps_its_schema() -> None:
    risks = hs.Scores(["ill", "well"] * 10, [0.05 * i for i in range(20)])
    for answer in (
        net_benefit(risks),
        net_benefit(risks, 0.3, cases=[9, 1]),
        threshold_curve(risks, "precision", [0.5, 2.0]),
        best_threshold(risks, "f1"),
        best_threshold(risks, cost={"fp": 1, "fn": 5}, prevalence=0.1),
    ):
        made = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
        schema = resources.files("howsure.curves").joinpath(f"{made['kind']}.schema.json")
        jsonschema.validate(made, json.loads(schema.read_text(encoding="utf-8")))


def test_the_text_says_what_the_curve_rests_on() -> None:
    text = str(threshold_curve(SCORES, "f1", [0.0, 0.5]))
    assert "20,000 joint draws" in text
    assert "best_threshold" in text
    assert "f1@ill at 2 thresholds: best" in text
    assert threshold_curve(SCORES, "f1", [0.0, 0.5]) == threshold_curve(SCORES, "f1", [0.5, 0.0])
    assert threshold_curve(SCORES, "bias", [0.0, 0.5]).sheet().headline.startswith("bias@ill at 2 thresholds: 0.")
    assert threshold_curve(SCORES, "f1", [0.0, 0.5]).picture().startswith("<svg")


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (hs.Scores([1, 0], {"a": [0.1, 0.2], "b": [0.1, 0.2]}), "say scores.of"),
        (hs.Scores(["a", "b", "c"], np.eye(3)), "one_vs_rest"),
        ([[1, 2]], "takes Scores, not list"),
    ],
    ids=str,
)
def test_other_scores_are_refused_with_the_way_out(scores: Any, words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        threshold_curve(scores)


def test_a_metric_that_is_not_there_is_refused() -> None:
    with pytest.raises(hs.errors.UnknownMetric, match="recall"):
        threshold_curve(SCORES, "recal")
