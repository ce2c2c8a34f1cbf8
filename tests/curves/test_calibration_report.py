"""Reliability diagrams and their report: the same numbers by two routes, in every form."""

from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from sklearn.calibration import calibration_curve as peer_curve

import howsure as hs
from howsure.curves import calibration_curve, calibration_report
from howsure.errors import InvalidArgument
from howsure.io import read_scores
from howsure.laws import Beta

SCORES = read_scores("examples/breast_cancer.csv")
SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/calibration.schema.json").read_text(encoding="utf-8")
)
FEW = {"draws": 200}


@pytest.mark.full
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


@pytest.mark.full
def test_what_to_do_where_it_is_plain() -> None:
    rng = np.random.default_rng(2)
    p = rng.beta(2, 2, 1000)
    right = calibration_report(hs.Scores(rng.random(1000) < p, p), **FEW)
    assert right.decision == "no sign"
    assert "Leave them as they are" in right.sentence
    assert right.warnings == ()
    wrong = calibration_report(hs.Scores(rng.random(1000) < p**2, p), **FEW)
    assert wrong.decision == "recalibrate"
    assert "too high on average" in wrong.sentence
    assert "Recalibrate on other cases" in wrong.sentence
    assert wrong.curve.leaves is not None
    assert 0 < wrong.curve.leaves < 1
    extreme = p**4 / (p**4 + (1 - p) ** 4)
    sharp = calibration_report(hs.Scores(rng.random(1000) < p, np.clip(extreme, 1e-6, 1 - 1e-6)), **FEW)
    assert "too extreme" in sharp.sentence


def test_numbers_that_do_not_exist_are_left_out_with_the_reason() -> None:
    made = calibration_report(hs.Scores([0, 1, 0, 1] * 30, [0.0, 0.0, 0.4, 0.9] * 30), **FEW)
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
