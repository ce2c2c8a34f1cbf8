"""Net benefit: dcurves' point values, the exact probabilities by another route, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.curves import NetBenefit, net_benefit

GOLDEN = json.loads((Path(__file__).parents[1] / "reference/net_benefit.json").read_text(encoding="utf-8"))["sets"]


def some_scores(n: int = 400, seed: int = 1, share: float = 0.3) -> hs.Scores:
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < share
    return hs.Scores(np.where(ill, "ill", "well"), 1 / (1 + np.exp(1.5 - rng.normal(0, 1, n) - 1.2 * ill)))


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
    phi = rng.beta(tp + fn + 1, tn + fp + 1, n) if prevalence is None else prevalence
    odds = threshold / (1 - threshold)
    test = phi * rng.beta(tp + 1, fn + 1, n) - odds * (1 - phi) * rng.beta(fp + 1, tn + 1, n)
    return test, phi - odds * (1 - phi) + 0 * test


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("threshold", [0.03, 0.15, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("n", [30, 400])
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


@pytest.mark.parametrize("prior", ["flat", "jeffreys", "caelen", "perks", "dirichlet1", "beta(3,2)"])
def test_the_law_is_that_of_the_posterior_at_the_threshold(prior: str) -> None:
    scores = some_scores()
    point = net_benefit(scores, 0.25, prior=prior).at(0.25)
    cost = hs.expected_cost([[0, 1 / 3], [0, -1]])
    alone = hs.infer(scores.confusion_at(0.25), prior).of(cost)
    low, high = alone.interval()
    assert (point.mean, point.low, point.high) == pytest.approx((-alone.mean, -high, -low), abs=2e-7)
    assert point.p_over_none == pytest.approx(alone.prob(below=0), abs=1e-7)


@pytest.mark.parametrize("prior", ["flat", "jeffreys"])
def test_better_than_nobody_is_a_risk_above_the_threshold_among_those_called(prior: str) -> None:
    scores = some_scores()
    post = hs.infer(scores.confusion_at(0.25), prior)
    point = net_benefit(scores, 0.25, prior=prior).at(0.25)
    assert point.p_over_none == pytest.approx(post.of("precision").prob(above=0.25), abs=1e-6)
    assert point.p_over_all == pytest.approx(post.of("false_omission_rate").prob(below=0.25), abs=1e-6)


def test_a_prevalence_of_other_cases() -> None:
    scores = some_scores()
    counted = net_benefit(scores, [0.1, 0.2], cases={"well": 180, "ill": 20}, kind="central")
    alone = hs.infer(scores.confusion_at(0.2)).at_prevalence(cases=[180, 20])
    point = counted.at(0.2)
    assert point.p_over_none == pytest.approx(alone.of("precision").prob(above=0.2), abs=0.03)
    assert -point.mean == pytest.approx(alone.of(hs.expected_cost([[0, 0.25], [0, -1]])).mean, abs=1e-9)
    assert counted.route == "drawn"
    assert 0 < point.p_over_all < 1
    many = net_benefit(scores, 0.2, cases=[18_000_000, 2_000_000])
    stated = net_benefit(scores, 0.2, prevalence=0.1)
    assert many.points[0].mean == pytest.approx(stated.points[0].mean, abs=1e-6)


def test_perfect_information_is_worth_nothing_where_the_choice_is_clear_and_something_where_it_is_not() -> None:
    few = net_benefit(some_scores(40), [0.01, 0.3, 0.99], draws=20_000)
    test, everybody = simulated(some_scores(40), 0.3, None)
    truth = np.maximum(np.maximum(test, everybody), 0).mean() - max(test.mean(), everybody.mean(), 0)
    assert few.evpi[1] == pytest.approx(truth, abs=3e-4)
    many = net_benefit(some_scores(4000), 0.3)
    assert many.evpi[0] < few.evpi[1]


@given(st.integers(0, 2**32), st.sampled_from([None, 0.05, 0.5]))
def test_what_holds_of_every_curve(seed: int, prevalence: float | None) -> None:
    scores = some_scores(20 + seed % 50, seed)
    curve = net_benefit(scores, [0.05, 0.2, 0.5, 0.9], prevalence=prevalence)
    for point in curve.points:
        assert -point.threshold / (1 - point.threshold) <= point.low < point.mean < point.high <= 1
        assert point.p_useful <= min(point.p_over_none, point.p_over_all) + 1e-12
        assert point.p_useful >= point.p_over_none + point.p_over_all - 1 - 1e-12
    assert min(curve.evpi) >= 0
    assert net_benefit(scores, [0.05, 0.2, 0.5, 0.9], prevalence=prevalence) == curve


def test_a_hundred_thresholds_at_once_are_what_each_is_alone() -> None:
    scores, cuts = some_scores(1000), np.linspace(0.01, 0.99, 100)
    together = net_benefit(scores, cuts).points
    for i in (0, 31, 99):
        (alone,) = net_benefit(scores, [cuts[i]]).points
        assert (alone.mean, alone.low, alone.high, alone.p_useful) == pytest.approx(
            (together[i].mean, together[i].low, together[i].high, together[i].p_useful), abs=1e-6
        )


@pytest.mark.parametrize(
    ("values", "words"),
    [([0.2, 1.2, 0.4, 0.5], "1 of 4 scores are outside 0 and 1, such as 1.2"), ([-3, 2, 0, 1], "Calibrate the scores")],
)
def test_scores_that_are_no_probabilities_are_refused_with_the_way_out(values: list[float], words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        net_benefit(hs.Scores([1, 0, 1, 0], values))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"thresholds": [0.2, 1.0]}, "strictly between 0 and 1"),
        ({"thresholds": [np.nan]}, "finite numbers"),
        ({"thresholds": []}, "finite numbers"),
        ({"thresholds": np.linspace(0.001, 0.999, 3000)}, "at most 2000"),
        ({"prevalence": 0.2, "cases": [1, 2]}, "exclude each other"),
        ({"prevalence": 1.0}, "strictly between 0 and 1"),
        ({"prevalence": 20}, "shares"),
        ({"cases": [1]}, "2 whole numbers"),
        ({"prior": "learned"}, "'flat' or 'jeffreys'"),
        ({"kind": "exact"}, "'hdi' or 'central'"),
    ],
)
def test_wrong_arguments_are_explained(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.errors.InvalidArgument, match=words):
        net_benefit(some_scores(20), **arguments)


def test_a_prior_without_mass_and_cases_in_groups_are_refused() -> None:
    with pytest.raises(hs.errors.NoInformation, match="haldane"):
        net_benefit(some_scores(20), prior="haldane")
    with pytest.raises(hs.errors.InvalidArgument, match="in groups"):
        net_benefit(hs.Scores([1, 0, 1, 0], [0.2, 0.3, 0.4, 0.5], groups=["a", "a", "b", "b"]))


def test_constant_and_tied_scores_are_answered() -> None:
    constant = net_benefit(hs.Scores([1, 0, 1, 0], [0.5] * 4), [0.4, 0.5, 0.6])
    assert [p.observed for p in constant.points] == pytest.approx([p.treat_all for p in constant.points[:2]] + [0])
    assert constant.at(0.5).called == (2, 2)


def test_the_answer_speaks_to_a_physician() -> None:
    curve: NetBenefit = net_benefit(some_scores(), 0.2)
    assert "of 100 patients" in str(curve)
    assert "better than treating everybody" in str(curve)
    assert "4 needless treatments weigh as much as one" in curve.sheet().headline
    assert curve.picture() == ""
    assert net_benefit(some_scores()).picture().startswith("<svg")
    assert len(net_benefit(some_scores()).to_csv().splitlines()) == 100
    with pytest.raises(hs.errors.InvalidArgument, match="no point at"):
        curve.at(0.3)
