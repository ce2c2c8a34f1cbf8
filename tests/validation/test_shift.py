"""How far the flat prior moves balanced accuracy, and what that costs: the closed formulas against simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr
from tests.validation.coverage import LONGER, World, alike, coverage, equal

import howsure as hs
from howsure.posterior.knowledge import knowledge_of


def law_of_the_shift(recall: float, classes: int, cases: float) -> float:
    """``-(2p - 1)/sqrt(p (1 - p)) sqrt(K/n)``: K classes of n cases, all of recall p; to leading order in n."""
    return -(2 * recall - 1) / math.sqrt(recall * (1 - recall)) * math.sqrt(classes / cases)


def diagonal_and_next(right: np.ndarray, cases: int) -> hs.ConfusionMatrix:
    """A table with these right answers, where all errors go to the next class."""
    classes = len(right)
    true = np.arange(classes)
    return hs.ConfusionMatrix.from_cells(
        np.concatenate([true, true]),
        np.concatenate([true, (true + 1) % classes]),
        np.concatenate([right, cases - right]),
    )


@pytest.mark.parametrize("recall", [0.7, 0.8, 0.9])
@pytest.mark.parametrize(("classes", "runs"), [(10, 40), (1000, 3)])
def test_the_law_of_the_shift(recall: float, classes: int, runs: int) -> None:
    cases, rng = 200, np.random.default_rng([classes, int(10 * recall)])
    shifts = []
    for _ in range(runs):
        table = diagonal_and_next(rng.binomial(cases, recall, classes), cases)
        shifts.append(knowledge_of(hs.infer(table, "flat")).of("balanced_accuracy").prior_shift)
    assert np.mean(shifts) == pytest.approx(law_of_the_shift(recall, classes, cases), rel=0.05)


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize(("classes", "cases"), [(10, 40), (30, 50), (100, 100)])
def test_the_warning_tells_the_coverage(classes: int, cases: int) -> None:
    """The share that the warning names, ``Phi(1.96 - d) - Phi(-1.96 - d)``, against how often the truth is held."""
    recall, runs = 0.8, 600 * LONGER
    d = abs(law_of_the_shift(recall, classes, cases))
    found = coverage(World(classes, equal(cases), alike(recall)), "flat", runs)
    assert found.share == pytest.approx(ndtr(1.96 - d) - ndtr(-1.96 - d), abs=0.02 + 4 * found.error)


def test_nine_cases_for_each_class_and_class_halve_the_shift() -> None:
    """At recall 0.8 a shift of a half takes 9 K cases in every class, so the whole test set grows as K squared."""
    assert [law_of_the_shift(0.8, k, 9 * k) for k in (2, 10, 1000)] == pytest.approx([-0.5] * 3)
