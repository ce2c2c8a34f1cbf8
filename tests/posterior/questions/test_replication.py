"""Predictive laws of a new test, against simulation and against the factor of the variance."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.posterior.distribution import measure_of

CM = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
TWO = hs.infer(CM, "flat")
THREE = hs.infer(hs.ConfusionMatrix([[30, 0, 2], [0, 13, 1], [1, 1, 18]], labels=["a", "b", "c"]), "flat")


@pytest.mark.parametrize("metric", ["f1", "balanced_accuracy", "recall@ill"])
@pytest.mark.parametrize("cases", [60, [20, 40]])
def test_against_a_simulation_case_by_case(metric: str, cases: int | list[int]) -> None:
    rng = np.random.default_rng(11)
    runs = 4000
    spec, sens = rng.beta(46, 6, runs), rng.beta(43, 9, runs)
    ill = rng.binomial(60, rng.beta(51, 51, runs)) if isinstance(cases, int) else np.full(runs, 40)
    tp, tn = rng.binomial(ill, sens), rng.binomial(60 - ill, spec)
    tables = np.stack([np.stack([tn, 60 - ill - tn], -1), np.stack([ill - tp, tp], -1)], -2).astype(float)
    measure = measure_of(TWO.of(metric))
    assert measure is not None
    expected = measure(tables)
    law = TWO.predict(cases).of(metric)
    assert law.mean == pytest.approx(np.nanmean(expected), abs=5 * np.nanstd(expected) / runs**0.5)
    assert law.sd == pytest.approx(np.nanstd(expected), rel=0.06)


def test_the_prevalence_of_the_new_test_is_that_of_the_posterior() -> None:
    new = TWO.at_prevalence({"ill": 0.1}).predict(200)
    assert new.of("prevalence@ill").mean == pytest.approx(0.1, abs=0.002)
    assert new.of("prevalence@ill").sd == pytest.approx((0.1 * 0.9 / 200) ** 0.5, rel=0.05)
    assert new.of("accuracy").route == "simulated"


def test_an_absent_class_says_nothing() -> None:
    with pytest.raises(NoInformation, match="no case of class 'b'"):
        THREE.predict([1, 0, 50]).of("recall@b")
    with pytest.raises(NoInformation, match="no case of class 'b'"):
        hs.infer(THREE.confusion, "learned").predict([1, 0, 50]).of("recall@b")


@pytest.mark.parametrize("cases", [0, True, "many", [1], [1, -2], [0, 0], {"ill": 3}, 10**9])
def test_tests_that_are_none(cases: object) -> None:
    asked = hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]], labels=["healthy", "ill"]))
    with pytest.raises(InvalidArgument):
        asked.predict(cases)  # type: ignore[arg-type]
