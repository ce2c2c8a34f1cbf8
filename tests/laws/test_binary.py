"""Laws of the metrics of two classes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.conftest import REFERENCE

import howsure as hs
from howsure.laws import BinaryLaw, Draws, VerdictShare
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


def test_a_kink_in_the_prevalence_is_not_called_exact() -> None:
    """Rates that both may be at the corner where the number is the prevalence: right to 1e-5, and it says so."""
    law = BinaryLaw("bias", (191, 11), (45.5, 0.5), (0.5, 0.5))
    exact = VerdictShare([191, 11], [45.5, 0.5], [0.5, 0.5])
    x = np.array([0.9050017968, 0.95, 0.9985])
    assert np.abs(law.cdf(x) - exact.cdf(x)).max() < 20 * law.error
    assert law.route == "approximate" or np.abs(law.cdf(x) - exact.cdf(x)).max() < 1e-6
