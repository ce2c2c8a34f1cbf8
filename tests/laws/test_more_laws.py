"""Paired differences, mixtures, two-class laws and ranks, as laws."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.conftest import REFERENCE

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaSum, BinaryLaw, Draws, Linear, Mixture, PairedDifference, rank_probabilities
from howsure.posterior.distribution import measure_of

GOLDEN = json.loads((REFERENCE / "numerics.json").read_text(encoding="utf-8"))
NAMES = {
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "F1": "f1",
    "ACC": "accuracy",
    "MK": "markedness",
    "MCC": "mcc",
    "BM": "informedness",
    "KAPPA": "kappa",
    "LRplus": "positive_likelihood_ratio",
}


@pytest.mark.parametrize("case", GOLDEN["paired"], ids=lambda c: str(len(c["w"])))
def test_paired_differences_are_golden(case: dict[str, Any]) -> None:
    law = PairedDifference(case["cells_a11_a10_a01_a00"], case["w"])
    np.testing.assert_allclose(law.cdf(case["x"]), case["cdf"], atol=1e-10)
    assert (law.mean, law.sd) == pytest.approx((case["mean"], case["sd"]))


def test_a_paired_difference_is_zero_for_a_classifier_and_itself() -> None:
    assert PairedDifference([[9, 0, 0, 3], [4, 0, 0, 2]]).interval() == (0, 0)


@pytest.mark.parametrize("case", GOLDEN["binary"], ids=lambda c: c["name"])
def test_two_class_laws_are_golden(case: dict[str, Any]) -> None:
    law = BinaryLaw(NAMES[case["metric"]], tuple(case["prevalence"]), tuple(case["tpr"]), tuple(case["tnr"]))
    low, high = case["central95"]
    ends = law.interval(kind="central")
    assert ends == pytest.approx((low, high), abs=1e-6 * (high - low))
    assert law.route == "exact"


@pytest.mark.parametrize(
    "metric", ["f1", "mcc", "kappa", "precision", "npv", "jaccard", "markedness", "bias", "fbeta(beta=2)"]
)
@pytest.mark.parametrize("counts", [[[45, 5], [8, 42]], [[6, 2], [0, 26]]])
@pytest.mark.parametrize("positive", ["0", "1"])
def test_two_class_metrics_agree_with_joint_draws(metric: str, counts: list[list[int]], positive: str) -> None:
    post = hs.infer(hs.ConfusionMatrix(counts, positive=positive), "flat")
    known = post.of(metric)
    assert isinstance(known.law, BinaryLaw)
    drawn = Draws(measure_of(known)(post.draw(40_000, seed=7)))  # type: ignore[misc]
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
    assert known.sd == pytest.approx(drawn.sd, rel=0.03)
    for p in (0.025, 0.5, 0.975):
        assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    low, high = known.interval()
    assert known.cdf(high) - known.cdf(low) == pytest.approx(0.95, abs=1e-6)


def test_a_mixture_is_its_weighted_parts() -> None:
    parts, weights = [Beta(9, 2), Beta(2, 9), BetaSum([5, 3], [2, 2])], [0.5, 0.2, 0.3]
    law = Mixture(parts, weights)
    x = np.linspace(0.05, 0.95, 7)
    np.testing.assert_allclose(law.cdf(x), sum(w * p.cdf(x) for w, p in zip(weights, parts, strict=True)), atol=1e-14)
    np.testing.assert_allclose(law.cdf(law.quantile(x)), x, atol=1e-12)
    sample = law.sample(100_000, seed=1)
    assert (law.mean, law.sd) == pytest.approx((sample.mean(), sample.std()), abs=0.003)
    assert Mixture([Beta(9, 2)]).interval() == pytest.approx(Beta(9, 2).interval(), abs=1e-6)
    assert law.interval(kind="central").width > 0.5


def test_mixtures_scale_shift_and_add() -> None:
    a, b = Mixture([Beta(9, 2), Beta(5, 5)], [0.7, 0.3]), Mixture([Beta(3, 4), Beta(8, 1)], [0.4, 0.6])
    gap = a - b
    assert len(gap.laws) == 4
    assert gap.mean == pytest.approx(a.mean - b.mean)
    assert gap.sd == pytest.approx(np.hypot(a.sd, b.sd))
    drawn = a.sample(200_000, seed=1) - b.sample(200_000, seed=2)
    assert gap.prob(above=0) == pytest.approx(np.mean(drawn > 0), abs=0.006)
    assert (2 * a + 1).mean == pytest.approx(2 * a.mean + 1)


@pytest.mark.parametrize("weights", [[0.5, 0.6], [1.5, -0.5], [1.0], ["a", 1]])
def test_weights_of_a_mixture_are_probabilities(weights: list[Any]) -> None:
    with pytest.raises((InvalidArgument, ValueError)):
        Mixture([Beta(1, 2), Beta(2, 1)], weights)
    with pytest.raises(InvalidArgument, match="at least one"):
        Mixture([])


@pytest.mark.parametrize("case", GOLDEN["rank"], ids=lambda c: c["name"])
def test_ranks_are_golden(case: dict[str, Any]) -> None:
    matrix = rank_probabilities([Beta(a, b) for a, b in zip(case["a"], case["b"], strict=True)])
    np.testing.assert_allclose(matrix, case["rank_probability"], atol=2e-9)


def test_ranks_of_any_exact_laws_add_up_and_agree_with_draws() -> None:
    laws: list[Any] = [BetaSum([31, 4, 9], [3, 2, 3]), BetaSum([31, 2, 3], [3, 4, 9]), Beta(40, 8), Beta(40, 8)]
    laws.append(BinaryLaw("f1", (27, 9), (27, 1), (7, 3)))
    laws.append(Mixture([Beta(9, 2), Beta(2, 9)]))
    matrix = rank_probabilities(laws)
    np.testing.assert_allclose(matrix.sum(0), 1, atol=1e-10)
    np.testing.assert_allclose(matrix.sum(1), 1, atol=1e-10)
    np.testing.assert_array_equal(matrix[2], matrix[3])
    draws = np.array([law.sample(3000, seed=i) for i, law in enumerate(laws)])
    first = np.bincount(draws.argmax(0), minlength=len(laws)) / 3000
    np.testing.assert_allclose(matrix[:, 0], first, atol=0.04)


def test_only_exact_laws_are_ranked() -> None:
    with pytest.raises(InvalidArgument, match="entry 2 is drawn"):
        rank_probabilities([Beta(1, 2), Draws([0.1, 0.2, 0.3])])
    with pytest.raises(InvalidArgument, match="at least one"):
        rank_probabilities([])
    point = rank_probabilities([Linear(shift=0.5), Linear(shift=0.5), Beta(9, 2)])
    np.testing.assert_allclose(point.sum(0), 1, atol=1e-10)
    np.testing.assert_array_equal(point[0], point[1])
