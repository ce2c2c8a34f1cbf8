"""Where the positive class has the lower scores, every answer about thresholds says so."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.curves import best_threshold, net_benefit, operating_points, threshold_curve

TRUE = ["ill"] * 20 + ["well"] * 30
LOW = np.concatenate((np.linspace(0.1, 0.5, 20), np.linspace(0.3, 0.9, 30)))


@pytest.mark.parametrize("ask", [best_threshold, net_benefit, operating_points, threshold_curve])
def test_reversed_scores_are_told_of_and_never_turned(ask: object) -> None:
    turned = ask(hs.Scores(TRUE, LOW, positive="ill"))  # type: ignore[operator]
    assert "cases of 'ill' have the lower scores. Nothing is turned round" in str(turned)
    right = ask(hs.Scores(TRUE, 1 - LOW, positive="ill"))  # type: ignore[operator]
    assert "lower scores" not in str(right)
    assert right.sentence == right.sheet().headline


def test_thresholds_beyond_all_scores_are_told_of() -> None:
    scores = hs.Scores(TRUE, 1 - LOW, positive="ill")
    made = net_benefit(scores, [0.05, 0.5, 0.95, 0.97])
    assert "at thresholds from 95 % on the scores treat nobody of these cases" in str(made)
    assert "at thresholds up to 5 % the scores treat everybody of these cases" in str(made)
    assert net_benefit(scores, [0.2, 0.5]).warnings == ()
    assert made.to_dict()["warnings"] == list(made.warnings)


def test_what_is_sure_between_few_thresholds_is_said_of_those_that_were_asked_for() -> None:
    scores = hs.Scores(TRUE, 1 - LOW, positive="ill")
    assert "at each of the 3 thresholds asked for from 40 % to 50 %" in net_benefit(scores, [0.4, 0.45, 0.5]).sentence
    assert "at thresholds from" in net_benefit(scores).sentence
    assert "1 needless treatment weighs as much" in net_benefit(scores, 0.5).sentence


def test_classes_that_are_numbers_are_quoted() -> None:
    scores = hs.Scores([1] * 20 + [0] * 30, 1 - LOW)
    assert "of 20 '1' are found, and" in operating_points(scores, 0.5).sentence
    assert best_threshold(scores).sentence.startswith("Call '1' from a score of")
