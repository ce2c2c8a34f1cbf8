"""Reports of curves and of calibration."""

from __future__ import annotations

import json
from functools import partial
from importlib import resources

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from scipy.stats import beta
from sklearn.calibration import calibration_curve as peer_curve

import howsure as hs
from howsure.curves import (
    best_threshold,
    calibration_curve,
    calibration_report,
    curve_report,
    delong,
    net_benefit,
    operating_points,
    precision_recall_curve,
    roc_curve,
    threshold_curve,
)
from howsure.errors import HowsureError, InvalidArgument
from howsure.io import read_scores
from howsure.laws import Beta

SCORES = read_scores("examples/breast_cancer.csv")
FEW = {"draws": 1000}


def test_a_stated_prevalence_moves_precision_only() -> None:
    here, there = (precision_recall_curve(SCORES, share, **FEW) for share in (None, 0.01))
    assert there.observed[50] < 0.3 < here.observed[50]
    assert there.area.mean < here.area.mean
    assert "stated: 0.01" in str(there)


@pytest.mark.parametrize(("negatives", "positives"), [(1000, 10), (10, 1000)])
def test_the_end_of_a_roc_curve_is_as_sure_as_the_positives_are_many(negatives: int, positives: int) -> None:
    """Where all cases are called, the rate is 1 and its law Beta(n + 1/2, 1/2) of the positives alone."""
    scores = hs.Scores([0] * negatives + [1] * positives, range(negatives + positives))
    made = roc_curve(scores, **FEW)
    end = beta.ppf(0.025, positives + 0.5, 0.5)
    assert 1 - made.low[-1] == pytest.approx(1 - end, rel=0.3)


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


TRUE = ["ill"] * 20 + ["well"] * 30
LOW = np.concatenate((np.linspace(0.1, 0.5, 20), np.linspace(0.3, 0.9, 30)))


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(
    "ask", [best_threshold, net_benefit, partial(operating_points, thresholds=0.5), threshold_curve]
)
def test_reversed_scores_are_told_of_and_never_turned(ask: object) -> None:
    turned = ask(hs.Scores(TRUE, LOW, positive="ill"))  # type: ignore[operator]
    assert "cases of 'ill' have the lower scores. Nothing is turned round" in str(turned)
    right = ask(hs.Scores(TRUE, 1 - LOW, positive="ill"))  # type: ignore[operator]
    assert "lower scores" not in str(right)
    assert right.sentence == right.sheet().headline


def test_thresholds_beyond_all_scores_are_told_of() -> None:
    scores = hs.Scores(TRUE, 1 - LOW, positive="ill")
    made = net_benefit(scores, [0.05, 0.5, 0.95, 0.97])
    assert "at thresholds from 95% on the scores treat nobody of these cases" in str(made)
    assert "at thresholds up to 5% the scores treat everybody of these cases" in str(made)
    assert net_benefit(scores, [0.2, 0.5]).warnings == ()
    assert made.to_dict()["warnings"] == list(made.warnings)


# -- reliability diagrams and their report: the same numbers by two routes, in every form -----------------------------

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/calibration.schema.json").read_text(encoding="utf-8")
)
FEW_OF_CALIBRATION_REPORT = {"draws": 200}


@pytest.mark.full
@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_bins_are_those_of_scikit_learn_with_exact_laws(strategy) -> None:
    made = calibration_curve(SCORES, bins=7, strategy=strategy, **FEW_OF_CALIBRATION_REPORT)
    share, mean = peer_curve(SCORES.truth, SCORES.scores, n_bins=7, strategy=strategy)
    np.testing.assert_allclose([row.observed for row in made.bins], share, atol=1e-12)
    np.testing.assert_allclose([row.predicted for row in made.bins], mean, atol=1e-12)
    assert (sum(row.n for row in made.bins), sum(row.events for row in made.bins)) == (190, 76)
    for row in made.bins:
        ends = Beta(row.events + 1, row.n - row.events + 1).interval()
        assert (row.low, row.high) == (ends.low, ends.high)


@pytest.mark.full
def test_what_to_do_where_it_is_plain() -> None:
    rng = np.random.default_rng(2)
    p = rng.beta(2, 2, 1000)
    right = calibration_report(hs.Scores(rng.random(1000) < p, p), **FEW_OF_CALIBRATION_REPORT)
    assert right.decision == "no sign"
    assert "Leave them as they are" in right.sentence
    assert right.warnings == ()
    wrong = calibration_report(hs.Scores(rng.random(1000) < p**2, p), **FEW_OF_CALIBRATION_REPORT)
    assert wrong.decision == "recalibrate"
    assert "too high on average" in wrong.sentence
    assert "Recalibrate on other cases" in wrong.sentence
    assert wrong.curve.leaves is not None
    assert 0 < wrong.curve.leaves < 1
    extreme = p**4 / (p**4 + (1 - p) ** 4)
    sharp = calibration_report(
        hs.Scores(rng.random(1000) < p, np.clip(extreme, 1e-6, 1 - 1e-6)), **FEW_OF_CALIBRATION_REPORT
    )
    assert "too extreme" in sharp.sentence


def test_numbers_that_do_not_exist_are_left_out_with_the_reason() -> None:
    made = calibration_report(hs.Scores([0, 1, 0, 1] * 30, [0.0, 0.0, 0.4, 0.9] * 30), **FEW_OF_CALIBRATION_REPORT)
    assert [name for name, _ in made.refused] == ["log_loss", "calibration_intercept", "calibration_slope"]
    assert "log_loss is infinite: in 30 of 120 cases" in str(made)
    Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bins": 0}, "1 to 1000"),
        ({"strategy": "width"}, "'quantile'"),
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
