"""Which of a calibration carries over, by a few labels elsewhere, and whether several calibrations are one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.which_rates import same_rather_than_own

CALIBRATION = hs.ConfusionMatrix([[80, 20], [15, 85]], labels=["fail", "pass"])


def target(table: list[list[int]], **more: Any) -> hs.ConfusionMatrix:
    """New cases, some of them labelled."""
    return hs.ConfusionMatrix(table, labels=["fail", "pass"], unlabelled={"fail": 286, "pass": 664}, **more)


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize(
    ("table", "rates", "predictive", "headline"),
    [
        ([[8, 2], [6, 34]], 3.3, -1.2, "Rates: for, 27 to 1. Predictive values: against, 3 to 1."),
        ([[12, 4], [2, 32]], 2.2, 2.7, "Rates: for, 9 to 1. Predictive values: for, 15 to 1."),
        ([[3, 9], [1, 37]], -6.5, 2.8, "Rates: against, 680 to 1. Predictive values: for, 17 to 1."),
    ],
)
def test_the_examples_of_the_specification(
    table: list[list[int]], rates: float, predictive: float, headline: str
) -> None:
    made = hs.which_rates(CALIBRATION, target(table))
    assert made.rates == pytest.approx(rates, abs=0.05)
    assert made.predictive_values == pytest.approx(predictive, abs=0.05)
    assert made.sheet().headline.startswith(headline)


def test_the_bayes_factor_is_that_of_an_integral() -> None:
    def evidence(a: int, b: int) -> float:
        """Log of the mean of t^a (1 - t)^b under Beta(1/2, 1/2), t a squared sine."""
        return math.log(
            quad(lambda x: 2 / math.pi * math.sin(x) ** (2 * a) * math.cos(x) ** (2 * b), 0, math.pi / 2)[0]
        )

    one, other = (7, 3), (2, 9)
    known = evidence(9, 12) - evidence(*one) - evidence(*other)
    assert same_rather_than_own([np.array([one]), np.array([other])]) == pytest.approx(known, abs=1e-8)


def test_classes_in_another_order_and_a_target_whose_labels_are_all_known() -> None:
    one = hs.which_rates(CALIBRATION, target([[8, 2], [6, 34]]))
    turned = hs.ConfusionMatrix([[34, 6], [2, 8]], labels=["pass", "fail"], unlabelled={"fail": 286, "pass": 664})
    assert hs.which_rates(CALIBRATION, turned).rates == pytest.approx(one.rates)
    whole = hs.which_rates(CALIBRATION, hs.ConfusionMatrix([[8, 2], [6, 34]], labels=["fail", "pass"]))
    assert (whole.rates, whole.target_cases) == (pytest.approx(one.rates), 50)


def test_calibrations_that_are_alike_are_pooled_and_it_is_said() -> None:
    other = hs.ConfusionMatrix([[41, 8], [12, 40]], labels=["pass", "fail"])
    made = hs.pool_calibrations(CALIBRATION, other)
    assert made.confusion == CALIBRATION + other
    assert made.sentence.startswith(
        "2 calibrations of 200, 101 cases are pooled; that their rates are the same: for, 48 to"
    )
    assert made.alike == pytest.approx(same_rather_than_own([CALIBRATION.counts, np.array([[40, 12], [8, 41]])]))
    assert [row[0] for row in made.sheet().rows] == ["1", "2", "all"]
    assert made.to_dict()["log_bayes_factor"] == made.alike


def test_calibrations_that_differ_are_pooled_only_if_it_is_said() -> None:
    other = hs.ConfusionMatrix([[30, 20], [25, 25]], labels=["fail", "pass"])
    with pytest.raises(
        InvalidArgument, match=r"differ \(that they are the same: against, 12,000 to 1; recall of 'fail'"
    ):
        hs.pool_calibrations(CALIBRATION, other)
    assert hs.pool_calibrations(CALIBRATION, other, anyway=True).confusion.n == 300
    assert hs.pool_calibrations(CALIBRATION, CALIBRATION, CALIBRATION).alike > 0
    assert (CALIBRATION + other).n == 300  # adding tables asks nothing
