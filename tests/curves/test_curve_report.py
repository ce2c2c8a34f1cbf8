"""Curves and their report: the same numbers by two routes, in every form."""

from __future__ import annotations

import csv
import io
import json
from importlib import resources

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from sklearn.metrics import precision_recall_curve as peer_precision
from sklearn.metrics import roc_curve as peer_roc

import howsure as hs
from howsure.curves import curve_report, delong, precision_recall_curve, roc_curve
from howsure.errors import HowsureError
from howsure.io import read_scores

SCORES = read_scores("examples/breast_cancer.csv")
THREE = read_scores("examples/wine_scores.csv")
SCHEMA = json.loads(resources.files("howsure.curves").joinpath("curve.schema.json").read_text(encoding="utf-8"))
FEW = {"draws": 1000}


def test_the_points_of_a_curve_are_scikit_learn_s() -> None:
    made = roc_curve(SCORES, **FEW)
    false, true, _ = peer_roc(SCORES.truth, SCORES.scores)
    np.testing.assert_allclose(made.observed, np.interp(made.x, false, true), atol=1e-12)
    made = precision_recall_curve(SCORES, **FEW)
    precision, recall, _ = peer_precision(SCORES.truth, SCORES.scores)
    for p, r in zip(precision[::20], recall[::20], strict=True):
        at = np.flatnonzero(np.isclose(made.x, r))
        assert all(made.observed[i] >= p - 1e-12 for i in at)
    at_all = SCORES.truth.mean()
    assert made.observed[-1] >= at_all


@pytest.mark.parametrize("make", [roc_curve, precision_recall_curve])
def test_bands_lie_around_the_curve_and_around_each_other(make) -> None:
    made = make(SCORES, **FEW)
    low, high, band_low, band_high = map(np.array, (made.low, made.high, made.band_low, made.band_high))
    assert (band_low <= low + 1e-12).all()
    assert (low <= high).all()
    assert (high <= band_high + 1e-12).all()
    seen = np.array(made.observed)
    # where all is seen to be right, the interval ends a little below
    assert ((low <= seen) & (seen <= high + 0.02)).mean() > 0.95


def test_pointwise_intervals_are_those_of_the_number() -> None:
    made = roc_curve(SCORES, draws=4000)
    number = hs.infer(SCORES).of("tpr@fpr=0.2", draws=4000)
    assert (made.low[19], made.high[19]) == pytest.approx(tuple(number.interval(kind="central")), abs=0.002)


def test_a_stated_prevalence_moves_precision_only() -> None:
    here, there = (precision_recall_curve(SCORES, share, **FEW) for share in (None, 0.01))
    assert there.observed[50] < 0.3 < here.observed[50]
    assert there.area.mean < here.area.mean
    assert "stated: 0.01" in str(there)


def test_the_report_says_what_the_parts_say() -> None:
    made = curve_report(SCORES, **FEW)
    assert made["roc_auc"].observed == pytest.approx(made.classical.area, abs=1e-12)
    assert made.classical == delong(SCORES)
    assert made["average_precision"].observed == pytest.approx(made.precision_recall.area.observed)
    alone = hs.infer(SCORES).of("roc_auc", **FEW)
    assert made["roc_auc"].mean == alone.mean
    assert "of 100 such pairs" in made.sentence
    assert "are found" in made.sentence
    with pytest.raises(HowsureError, match="was not asked for"):
        made["tpr@fpr=0.3"]


@pytest.mark.parametrize("scores", [SCORES, THREE], ids=["two", "three"])
def test_json_fits_its_schema(scores: hs.Scores) -> None:
    made = curve_report(scores, **FEW)
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)))
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert [row["number"] for row in rows] == [number.metric for number in made.numbers]
    assert float(rows[0]["mean"]) == made.numbers[0].mean


def test_a_curve_alone_fits_the_schema_of_its_part() -> None:
    made = roc_curve(SCORES, **FEW).to_dict()
    part = {key: value for key, value in made.items() if key not in ("format", "kind", "version")}
    Draft202012Validator({**SCHEMA["$defs"]["curve"], "$defs": SCHEMA["$defs"]}).validate(part)


def test_few_cases_and_low_scores_are_warned_of() -> None:
    made = curve_report(hs.Scores([0] * 9 + [1] * 9, range(18)), **FEW)
    assert "only 9 cases" in made.warnings[0]
    low = curve_report(hs.Scores(SCORES.truth, -SCORES.scores), **FEW)
    assert "Nothing is turned round" in low.warnings[0]
    assert curve_report(SCORES, **FEW).warnings == ()


def test_of_many_cases_both_intervals_of_delong_are_one() -> None:
    rng = np.random.default_rng(1)
    truth = np.arange(4_000) % 2
    made = delong(hs.Scores(truth, rng.normal(truth, 1.0)))
    assert made.logit == pytest.approx(made.normal, abs=0.05 * (made.normal[1] - made.normal[0]))


def test_confidence_intervals_are_refused_where_there_are_none() -> None:
    with pytest.raises(HowsureError, match="two cases of each class"):
        delong(hs.Scores([0, 1, 1], [1, 2, 3]))
    with pytest.raises(HowsureError, match="in groups"):
        delong(hs.Scores([0, 1, 0, 1], [1, 2, 3, 4], groups=list("xxyy")))
    assert delong(hs.Scores([0, 0, 1, 1], [1, 2, 3, 4])).logit is None
    with pytest.raises(HowsureError, match="takes Scores, not list"):
        curve_report([1, 2])  # type: ignore[arg-type]
