"""Operating points: each is the report of the matrix at its threshold; pages and files have the same digits."""

from __future__ import annotations

import json
import re
from html import unescape
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.curves import best_threshold, curve_report, net_benefit, operating_points, threshold_curve
from howsure.errors import InvalidArgument
from howsure.io import read_scores
from howsure.numerics.curves.cut_counts import even_in_both

RNG = np.random.default_rng(3)
ILL = RNG.random(150) < 0.3
RISK = np.round(1 / (1 + np.exp(1.5 - RNG.normal(0, 1, 150) - 2 * ILL)), 2)
SCORES = hs.Scores(np.where(ILL, "ill", "well"), RISK)
NAMES = ("recall", "specificity", "precision", "positive_likelihood_ratio", "f1", "accuracy")


@pytest.mark.parametrize("where", [{}, {"prevalence": 0.05}, {"cases": {"ill": 12, "well": 300}}], ids=str)
@pytest.mark.parametrize("kind", ["hdi", "central"])
def test_a_point_is_the_report_of_its_matrix(where: dict[str, Any], kind: Any) -> None:
    for point in operating_points(SCORES, [0.2, 0.45], NAMES, kind=kind, level=0.9, **where).points:
        post = hs.infer(SCORES.confusion_at(point.threshold), "flat")
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


def test_batches_and_single_laws_agree() -> None:
    cuts = [0.15, 0.3, 0.6]
    points = operating_points(SCORES, cuts, ["recall", "balanced_accuracy", "f1"])
    for name in ("recall", "balanced_accuracy"):
        for point, other in zip(points.points, threshold_curve(SCORES, name, cuts).points, strict=True):
            it = point[name]
            assert (it.mean, it.low, it.high) == pytest.approx((other.mean, other.low, other.high), abs=2e-6)
    drawn = threshold_curve(SCORES, "f1", cuts)
    for point, other in zip(points.points, drawn.points, strict=True):
        assert point["f1"].mean == pytest.approx(other.mean, abs=5 * drawn.error)


def test_what_is_infinite_or_undefined_is_none_in_json() -> None:
    apart = hs.Scores(["ill"] * 5 + ["well"] * 5, range(10, 0, -1))
    made = operating_points(apart, 6, ["positive_likelihood_ratio"])
    it = made.points[0].metrics[0]
    assert (it.observed, it.mean) == (None, None)
    assert it.shown[:2] == ("infinite", "infinite")
    json.dumps(made.to_dict(), allow_nan=False)


def test_json_is_as_its_schema_says_and_csv_has_all() -> None:
    made = operating_points(SCORES, [0.2, 0.5])
    schema = json.loads(resources.files("howsure.curves").joinpath("operating_points.schema.json").read_text())
    jsonschema.validate(made.to_dict(), schema)
    lines = made.to_csv().splitlines()
    assert lines[0] == "threshold,tp,fn,fp,tn,metric,observed,mean,low,high,interval,law"
    assert len(lines) == 1 + 2 * 9


def test_other_thresholds_and_metrics_are_refused_with_a_way_out() -> None:
    made = operating_points(SCORES, 0.2, ["recall"])
    with pytest.raises(InvalidArgument, match=r"no point at 0\.3; name it"):
        made.at(0.3)
    with pytest.raises(InvalidArgument, match="was not asked for; there are recall@ill"):
        made.points[0]["f1"]
    with pytest.raises(InvalidArgument, match="separate cases"):
        operating_points(hs.Scores(["ill", "well"] * 3, range(6), groups=[1, 1, 2, 2, 3, 3]), 2)


@given(st.lists(st.tuples(st.integers(-50, 50), st.booleans()), min_size=2, max_size=80), st.integers(2, 30))
def test_places_are_scores_of_both_classes_with_both_ends(cases: list[tuple[int, bool]], most: int) -> None:
    scores = np.array([score for score, _ in cases], dtype=float)
    positive = np.array([flag for _, flag in cases])
    if positive.all() or not positive.any():
        return
    found = even_in_both(scores, positive, most)
    values = np.unique(scores)
    assert np.all(np.diff(found) > 0)
    assert set(found.tolist()) <= set(values.tolist())
    assert len(found) == len(values) if len(values) <= most else len(found) <= most
    assert found[0] == scores.min()
    if most >= 4 or len(values) <= most:
        assert found[-1] == scores.max()


def linked(page: str) -> dict[str, Any]:
    data = re.search(r'id="predictive">(.*?)</script>', page)
    assert data is not None
    return dict(json.loads(data[1]))


def test_pages_have_the_digits_of_the_text(tmp_path: Path) -> None:
    best = best_threshold(SCORES, "f1", draws=500)
    hs.save(best, tmp_path / "best.html")
    page = (tmp_path / "best.html").read_text()
    points = best.operating_points()
    here = points.at(best.threshold)
    rows = best.sheet().rows
    assert here["f1"].shown[1:] == rows[1][1:]  # "at this threshold, had it been given"
    assert here["f1"].mean == pytest.approx(best.apparent[0])
    said = re.findall(r"<td>(.*?)</td>", page.partition('data-row="6"')[2].partition("</tr>")[0])
    assert tuple(map(unescape, said)) == here["f1"].shown
    known = linked(page)["points"]
    assert [point["rows"] for point in known] == [[list(it.shown) for it in each.metrics] for each in points.points]
    assert len(page) < 300_000


def test_a_report_of_other_cases_has_no_slider() -> None:
    three = hs.Scores([i % 3 for i in range(30)], np.eye(3)[np.arange(30) % 3] * 0.4 + 0.2)
    assert curve_report(three, ["roc_auc@ovr"], draws=200).operating_points() is None
    grouped = hs.Scores(["ill", "well"] * 10, range(20), groups=[i // 2 for i in range(20)])
    assert curve_report(grouped, ["roc_auc"], draws=200).operating_points() is None


def test_the_example_of_the_page_is_the_file() -> None:
    script = resources.files("howsure.web").joinpath("assets/modes/threshold/example.js").read_text()
    cells = [
        [float(number) for number in cell]
        for cell in re.findall(r"\[([\d.]+), (\d+), (\d+)\]", script.partition("cells:")[2])
    ]
    scores = read_scores(str(Path(__file__).parents[2] / "examples" / "breast_cancer.csv"))
    values = np.unique(scores.scores)
    counts = [[value, *(((scores.scores == value) & (scores.truth == i)).sum() for i in (0, 1))] for value in values]
    assert cells == [[float(x) for x in row] for row in counts]
