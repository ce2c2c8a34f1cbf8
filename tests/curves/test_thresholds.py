"""Thresholds: chosen ones, points of operation, curves of metrics and decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.curves import best_threshold, net_benefit, operating_points, threshold_curve
from howsure.errors import InvalidArgument


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


# -- operating points: each is the report of the matrix at its threshold; pages and files have the same digits --------

RNG = np.random.default_rng(3)
ILL = RNG.random(150) < 0.3
RISK = np.round(1 / (1 + np.exp(1.5 - RNG.normal(0, 1, 150) - 2 * ILL)), 2)
SCORES = hs.Scores(np.where(ILL, "ill", "well"), RISK)
NAMES = ("recall", "specificity", "precision", "positive_likelihood_ratio", "f1", "accuracy")


@pytest.mark.sweep(2, full=6)
@pytest.mark.parametrize(
    ("where", "kind"),
    [({}, "hdi"), ({"prevalence": 0.05}, "central"), ({"cases": {"ill": 12, "well": 300}}, "hdi")],
    ids=str,
)
def test_a_point_is_the_report_of_its_matrix(where: dict[str, Any], kind: Any) -> None:
    for point in operating_points(SCORES, [0.2, 0.45], NAMES, kind=kind, level=0.9, **where).points:
        post = hs.infer(SCORES.confusion_at(point.threshold))
        if "prevalence" in where:
            post = post.at_prevalence({"ill": 0.05})
        if "cases" in where:
            post = post.at_prevalence(cases=where["cases"])
        report = hs.report(post, list(NAMES), kind=kind, level=0.9)
        assert [[point.tn, point.fp], [point.fn, point.tp]] == SCORES.confusion_at(point.threshold).counts.tolist()
        for it, row, printed in zip(point.metrics, report.rows, report.sheet().rows, strict=True):
            assert (it.metric, it.observed, it.mean) == (row.name, pytest.approx(row.observed), pytest.approx(row.mean))
            assert (it.low, it.high) == (pytest.approx(row.low), pytest.approx(row.high))
            assert it.shown == printed[1:4]


def test_net_benefit_is_that_of_the_decision_curve() -> None:
    points = operating_points(SCORES, [0.0, 0.1, 0.3, 1.0], ["net_benefit", "recall"], prevalence=0.1)
    curve = net_benefit(SCORES, [0.1, 0.3], prevalence=0.1)
    for point in curve.points:
        it = points.at(point.threshold)["net_benefit"]
        numbers = (point.observed, point.mean, point.low, point.high)
        assert (it.observed, it.mean, it.low, it.high) == pytest.approx(numbers, abs=1e-12)
    assert points.at(0.0)["net_benefit"].mean is None
    assert points.at(1.0)["net_benefit"].shown == ("undefined", "undefined", "")
    assert [it.metric for it in points.points[0].metrics] == ["net_benefit", "recall@ill"]
    with pytest.raises(InvalidArgument, match="net benefit needs probabilities"):
        operating_points(hs.Scores(["ill", "well"] * 5, range(10)), [3], ["net_benefit"])


# -- a metric against the threshold: the posterior at each threshold, by the whole batch and by one matrix ------------

RNG_OF_METRIC_CURVE = np.random.default_rng(0)
ILL_OF_METRIC_CURVE = RNG_OF_METRIC_CURVE.random(200) < 0.3
SCORES_OF_METRIC_CURVE = hs.Scores(
    np.where(ILL_OF_METRIC_CURVE, "ill", "well"),
    np.round(RNG_OF_METRIC_CURVE.normal(0, 1, 200) + 1.5 * ILL_OF_METRIC_CURVE, 1),
)
WHERE: list[dict[str, Any]] = [{}, {"prevalence": 0.1}, {"cases": [90, 10]}]


def alone(metric: Any, threshold: float, where: dict[str, Any]) -> hs.Distribution:
    post = hs.infer(SCORES_OF_METRIC_CURVE.confusion_at(threshold))
    if "prevalence" in where:
        post = post.at_prevalence({"ill": where["prevalence"]})
    return (post.at_prevalence(**where) if "cases" in where else post).of(metric)


@pytest.mark.sweep(15, full=30)
@pytest.mark.parametrize("where", WHERE, ids=str)
@pytest.mark.parametrize(
    "metric", ["recall@well", "balanced_accuracy", "error_rate", hs.expected_cost([[0, 1], [5, 0]])], ids=str
)
def test_exact_points_are_those_of_the_posterior_there(metric: Any, where: dict[str, Any]) -> None:
    curve = threshold_curve(SCORES_OF_METRIC_CURVE, metric, [-0.5, 0.3, 1.1], **where)
    if curve.route == "simulated":
        assert metric in ("accuracy", "error_rate")
        assert "cases" in where
        return
    for point in curve.points:
        there = alone(metric, point.threshold, where)
        assert point.observed == pytest.approx(there.observed, abs=1e-12)
        assert (point.mean, point.low, point.high) == pytest.approx((there.mean, *there.interval()), abs=2e-6)


def test_the_best_point_is_the_largest_or_of_errors_the_least() -> None:
    found = {
        name: threshold_curve(SCORES_OF_METRIC_CURVE, name, [0.0, 0.5]) for name in ("accuracy", "error_rate", "bias")
    }
    assert [curve.higher_is_better for curve in found.values()] == [True, False, None]
    right, wrong = (found[name].sheet().headline.partition("best")[2] for name in ("accuracy", "error_rate"))
    best = max(found["accuracy"].points, key=lambda point: point.mean or 0.0).threshold
    assert best == min(found["error_rate"].points, key=lambda point: point.mean or 1.0).threshold
    assert f"{best:g}" in right
    assert f"{best:g}" in wrong


# -- net benefit and cost curves: dcurves' point values, exact probabilities by another route, what is refused --------

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/net_benefit.json").read_text(encoding="utf-8"))["sets"]
#: Pseudo-counts of the default of two classes, on either side.
S = 2 / 3


def some_scores(n: int = 400, seed: int = 1, share: float = 0.3) -> hs.Scores:
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < share
    return hs.Scores(np.where(ill, "ill", "well"), 1 / (1 + np.exp(1.5 - rng.normal(0, 1, n) - 1.2 * ill)))


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda g: f"{len(g['truth'])} at {g['prevalence']}")
def test_point_values_are_those_of_dcurves(golden: dict[str, Any]) -> None:
    curve = net_benefit(
        hs.Scores(golden["truth"], golden["score"]), golden["thresholds"], prevalence=golden["prevalence"]
    )
    assert np.allclose([p.observed for p in curve.points], golden["net_benefit"], rtol=0, atol=1e-12)
    assert np.allclose([p.treat_all for p in curve.points], golden["treat_all"], rtol=0, atol=1e-12)


def simulated(scores: hs.Scores, threshold: float, prevalence: float | None, n: int = 400_000) -> tuple[Any, Any]:
    """Draws of the net benefit of the test and of treating all, from three Betas that are written out here."""
    rng = np.random.default_rng(3)
    (tn, fp), (fn, tp) = scores.confusion_at(threshold).counts.tolist()
    phi = rng.beta(tp + fn + S, tn + fp + S, n) if prevalence is None else prevalence
    odds = threshold / (1 - threshold)
    test = phi * rng.beta(tp + S, fn + S, n) - odds * (1 - phi) * rng.beta(fp + S, tn + S, n)
    return test, phi - odds * (1 - phi) + 0 * test


@pytest.mark.parametrize("prior", ["jeffreys", "caelen", "beta(3,2)"])
def test_the_law_is_that_of_the_posterior_at_the_threshold(prior: str) -> None:
    scores = some_scores()
    point = net_benefit(scores, 0.25, prior=prior).at(0.25)
    cost = hs.expected_cost([[0, 1 / 3], [0, -1]])
    alone = hs.infer(scores.confusion_at(0.25), prior).of(cost)
    low, high = alone.interval()
    assert (point.mean, point.low, point.high) == pytest.approx((-alone.mean, -high, -low), abs=2e-7)
    assert point.p_over_none == pytest.approx(alone.prob(below=0), abs=1e-7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"thresholds": [0.2, 1.0]}, "strictly between 0 and 1"),
        ({"thresholds": []}, "finite numbers"),
        ({"prevalence": 0.2, "cases": [1, 2]}, "exclude each other"),
        ({"prevalence": 20}, "shares"),
        ({"prior": "learned"}, "'flat' or 'jeffreys'"),
    ],
)
def test_wrong_arguments_are_explained_of_decision_curve(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        net_benefit(some_scores(20), **arguments)
