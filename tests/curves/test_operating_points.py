"""Operating points: each is the report of the matrix at its threshold; pages and files have the same digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.curves import net_benefit, operating_points
from howsure.errors import InvalidArgument

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
