"""Net benefit and cost curves: dcurves' point values, exact probabilities by another route, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.curves import net_benefit

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


@pytest.mark.sweep(3, full=20)
@pytest.mark.parametrize(
    ("n", "threshold", "prevalence"), [(30, 0.15, None), (30, 0.9, 0.1), (400, 0.03, 0.1), (400, 0.3, None)]
)
def test_laws_agree_with_a_simulation(n: int, threshold: float, prevalence: float | None) -> None:
    scores = some_scores(n)
    point = net_benefit(scores, threshold, prevalence=prevalence, kind="central").at(threshold)
    test, everybody = simulated(scores, threshold, prevalence)
    assert point.p_over_none == pytest.approx((test > 0).mean(), abs=0.004)
    assert point.p_over_all == pytest.approx((test > everybody).mean(), abs=0.004)
    assert point.p_useful == pytest.approx((test > np.maximum(everybody, 0)).mean(), abs=0.004)
    assert point.mean == pytest.approx(test.mean(), abs=5 * test.std() / 600)
    low, high = np.quantile(test, [0.025, 0.975])
    assert (point.low, point.high) == pytest.approx((low, high), abs=0.03 * test.std() + 1e-9)


@pytest.mark.parametrize("prior", ["jeffreys", "caelen", "beta(3,2)"])
def test_the_law_is_that_of_the_posterior_at_the_threshold(prior: str) -> None:
    scores = some_scores()
    point = net_benefit(scores, 0.25, prior=prior).at(0.25)
    cost = hs.expected_cost([[0, 1 / 3], [0, -1]])
    alone = hs.infer(scores.confusion_at(0.25), prior).of(cost)
    low, high = alone.interval()
    assert (point.mean, point.low, point.high) == pytest.approx((-alone.mean, -high, -low), abs=2e-7)
    assert point.p_over_none == pytest.approx(alone.prob(below=0), abs=1e-7)


def test_perfect_information_is_worth_nothing_where_the_choice_is_clear_and_something_where_it_is_not() -> None:
    few = net_benefit(some_scores(40), [0.01, 0.3, 0.99], draws=20_000)
    test, everybody = simulated(some_scores(40), 0.3, None)
    truth = np.maximum(np.maximum(test, everybody), 0).mean() - max(test.mean(), everybody.mean(), 0)
    assert few.evpi[1] == pytest.approx(truth, abs=3e-4)
    many = net_benefit(some_scores(4000), 0.3)
    assert many.evpi[0] < few.evpi[1]


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
def test_wrong_arguments_are_explained(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        net_benefit(some_scores(20), **arguments)


def scored(n: int = 90, seed: int = 0, gap: float = 1.5) -> hs.Scores:
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % 3 == 0)
    return hs.Scores(truth.astype(int), rng.standard_normal(n) + gap * truth)
