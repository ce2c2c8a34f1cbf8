"""Reliability diagrams and their report: the same numbers by two routes, in every form."""

from __future__ import annotations

import csv
import io
import json
from importlib import resources

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from sklearn.calibration import calibration_curve as peer_curve
from sklearn.isotonic import IsotonicRegression

import howsure as hs
from howsure.curves import calibration_curve, calibration_report, curve_report
from howsure.errors import InvalidArgument, UnknownLabel
from howsure.io import read_scores
from howsure.laws import Beta

SCORES = read_scores("examples/breast_cancer.csv")
THREE = read_scores("examples/wine_scores.csv")
SCHEMA = json.loads(resources.files("howsure.curves").joinpath("calibration.schema.json").read_text(encoding="utf-8"))
FEW = {"draws": 200}


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_bins_are_those_of_scikit_learn_with_exact_laws(strategy) -> None:
    made = calibration_curve(SCORES, bins=7, strategy=strategy, **FEW)
    share, mean = peer_curve(SCORES.truth, SCORES.scores, n_bins=7, strategy=strategy)
    np.testing.assert_allclose([row.observed for row in made.bins], share, atol=1e-12)
    np.testing.assert_allclose([row.predicted for row in made.bins], mean, atol=1e-12)
    assert (sum(row.n for row in made.bins), sum(row.events for row in made.bins)) == (190, 76)
    for row in made.bins:
        ends = Beta(row.events + 1, row.n - row.events + 1).interval()
        assert (row.low, row.high) == (ends.low, ends.high)


def test_the_curve_is_isotonic_regression() -> None:
    made = calibration_curve(SCORES, **FEW)
    peer = IsotonicRegression().fit(SCORES.scores, SCORES.truth)
    np.testing.assert_allclose(made.observed, peer.predict(made.x), atol=1e-9)


def test_bands_rise_and_hold_each_other() -> None:
    made = calibration_curve(SCORES, **FEW)
    low, high, band_low, band_high, inner, outer = map(
        np.array, (made.low, made.high, made.band_low, made.band_high, made.calibrated_low, made.calibrated_high)
    )
    for ends in (low, high, band_low, band_high, inner, outer):
        assert (np.diff(ends) >= -1e-12).all()
    assert (band_low <= low + 0.02).all()
    assert (high <= band_high + 0.02).all()
    x = np.array(made.x)
    assert ((inner <= x) & (x <= outer)).mean() > 0.95
    assert ((low <= made.observed) & (made.observed <= high)).mean() > 0.9


def test_what_to_do_where_it_is_plain() -> None:
    rng = np.random.default_rng(2)
    p = rng.beta(2, 2, 2000)
    right = calibration_report(hs.Scores(rng.random(2000) < p, p), **FEW)
    assert right.decision == "no sign"
    assert "Leave them as they are" in right.sentence
    assert right.warnings == ()
    wrong = calibration_report(hs.Scores(rng.random(2000) < p**2, p), **FEW)
    assert wrong.decision == "recalibrate"
    assert "too high on average" in wrong.sentence
    assert "Recalibrate on other cases" in wrong.sentence
    assert wrong.curve.leaves is not None
    assert 0 < wrong.curve.leaves < 1
    extreme = p**4 / (p**4 + (1 - p) ** 4)
    sharp = calibration_report(hs.Scores(rng.random(2000) < p, np.clip(extreme, 1e-6, 1 - 1e-6)), **FEW)
    assert "too extreme" in sharp.sentence


def test_the_report_says_what_the_parts_say() -> None:
    made = calibration_report(SCORES, bins=5, **FEW)
    assert made["ece"].metric == "ece@quantile=5"
    assert made["brier_score"].mean == hs.infer(SCORES).of("brier_score", **FEW).mean
    assert made.curve == calibration_curve(SCORES, bins=5, **FEW)
    assert made.sizes == (114, 76)
    assert "only 76 cases with the event" in str(made)
    with pytest.raises(InvalidArgument, match="is not in this report"):
        made["roc_auc"]


def test_numbers_that_do_not_exist_are_left_out_with_the_reason() -> None:
    made = calibration_report(hs.Scores([0, 1, 0, 1] * 30, [0.0, 0.0, 0.4, 0.9] * 30), **FEW)
    assert [name for name, _ in made.refused] == ["log_loss", "calibration_intercept", "calibration_slope"]
    assert "log_loss is infinite: in 30 of 120 cases" in str(made)
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)))


@pytest.mark.parametrize("of", [None, "barolo", "confidence"])
def test_three_classes(of) -> None:
    made = calibration_report(THREE, of, **FEW)
    assert made.event == (of or "confidence")
    assert ("brier_score" in [x.metric for x in made.numbers]) == (of != "barolo")
    assert "squared distances summed" in str(made) or of == "barolo"
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)))


def test_groups_have_numbers_and_no_curve() -> None:
    scores = hs.Scores([0, 1, 1, 0] * 20, [0.2, 0.6, 0.4, 0.5] * 20, groups=np.arange(80) // 4)
    made = calibration_report(scores, **FEW)
    assert made.curve is None
    assert made.picture() == ""
    assert "brier_score" in [x.metric for x in made.numbers]
    assert "takes cases for independent" in dict(made.refused)["brier_mcb"]
    with pytest.raises(InvalidArgument, match="come in groups"):
        calibration_curve(scores)
    with pytest.raises(InvalidArgument, match="no picture"):
        hs.save(made, "x.png")


def test_every_form_has_the_numbers() -> None:
    made = calibration_report(SCORES, **FEW)
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)))
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert [row["number"] for row in rows] == [x.metric for x in made.numbers]
    assert float(rows[0]["mean"]) == made.numbers[0].mean
    part = {k: v for k, v in made.curve.to_dict().items() if k not in ("format", "kind", "version")}
    Draft202012Validator({**SCHEMA["$defs"]["curve"], "$defs": SCHEMA["$defs"]}).validate(part)
    rows = list(csv.DictReader(io.StringIO(made.curve.to_csv())))
    assert [int(row["events"]) for row in rows] == [row.events for row in made.curve.bins]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bins": 0}, "1 to 1000"),
        ({"bins": 2.5}, "1 to 1000"),
        ({"strategy": "width"}, "'quantile'"),
        ({"of": "benign"}, "nothing else is asked of two"),
        ({"level": 2}, "level"),
    ],
)
def test_what_is_wrong_is_said(change: dict, said: str) -> None:
    for make in (calibration_curve, calibration_report):
        with pytest.raises(InvalidArgument, match=said):
            make(SCORES, **change)


def test_other_things_than_probabilities_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="takes Scores, not list"):
        calibration_curve([1, 2])  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="about probabilities, from 0 to 1"):
        calibration_report(hs.Scores([0, 1, 0, 1], [1, 2, 3, 4]))
    with pytest.raises(InvalidArgument, match="one classifier"):
        calibration_report(hs.Scores([0, 1], {"a": [0.1, 0.2], "b": [0.1, 0.2]}))
    with pytest.raises(UnknownLabel):
        calibration_curve(THREE, "chianti")
    with pytest.raises(InvalidArgument, match="calibration_report"):
        curve_report(SCORES, ["brier_score"])
    with pytest.raises(InvalidArgument, match="add to"):
        hs.Scores([0, 1, 2], [[0.2, 0.2, 0.2]] * 3)


def test_one_case_of_a_class_and_equal_probabilities_do() -> None:
    for y, p in (([0, 1], [0.2, 0.8]), ([0, 0, 0, 1], [0.3] * 4), ([0, 1, 1], [1e-12, 0.5, 1 - 1e-12])):
        made = calibration_report(hs.Scores(y, p), **FEW)
        assert made.decision in ("recalibrate", "unclear", "no sign")
        assert 0 <= made.curve.low[0] <= made.curve.high[0] <= 1


def test_one_certain_probability_does_not_hide_that_the_slope_was_not_tested() -> None:
    rng = np.random.default_rng(1)
    z = rng.normal(0, 1.5, 300)
    happened = (rng.random(300) < 1 / (1 + np.exp(-z))).astype(int)
    said = 1 / (1 + np.exp(-0.7 * z))
    said[said.argmax()] = 1.0
    made = calibration_report(hs.Scores(happened, said, positive=1))
    assert "The slope was not tested" in made.sentence
    assert "Leave them" not in made.sentence


def test_probabilities_of_the_other_class_are_told() -> None:
    rng = np.random.default_rng(1)
    risk = rng.random(300)
    happened = (rng.random(300) < risk).astype(int)
    made = calibration_report(hs.Scores(happened, 1 - risk, positive=1))
    assert any("No rising curve" in finding for finding in made.findings)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([0.2, 0.2, 0.2], "for all probabilities are equal"),
        ([0.1, 0.8, 0.9], "for they tell the classes apart without an error"),
        ([0.9, 0.8, 0.9], "for there are fewer than 20 cases of a class"),
        ([0.0, 0.8, 0.9], "for a probability is 0 or 1"),
    ],
)
def test_why_there_is_no_slope_is_told_as_it_is(said: list[float], why: str) -> None:
    assert f"The slope was not tested, {why}: they may be" in calibration_report(hs.Scores([0, 1, 1], said)).sentence
