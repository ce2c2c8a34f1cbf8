"""Every simulated goal, solved with so few tests that it takes a blink, beside the answers of before.

Whether a plan is right, the dear tests beside this one say. These say that no part of it has changed unseen: numbers
stand in small_simulations.json, and ``python -m tests.planning.test_small_simulations`` writes them again.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import howsure as hs
from howsure.planning import leaderboard, planned_groups, score_plan, simulated_goals, simulated_widths

KEPT = Path(__file__).with_name("small_simulations.json")

#: How few tests, draws and numbers.
FEW: dict[Any, dict[str, int]] = {
    simulated_goals: {
        "MOST_TESTS": 24,
        "FEWEST_TESTS": 12,
        "COST": 60_000,
        "FEW_DRAWS": 40,
        "MOST_DRAWS": 80,
        "LEARNED_TESTS": 4,
        "LEARNED_AGAIN": 4,
        "LEARNED_SCOUTS": 3,
        "SCOUTS": 4,
    },
    simulated_widths: {
        "EXPECTED_TESTS": 200,
        "FEWEST_EXPECTED": 60,
        "COST": 60_000,
        "MOST_READ": 12,
        "FEWEST_READ": 8,
        "DRAWS": 80,
        "READ_ON_CURVE": 4,
        "LEARNED": 4,
        "LEARNED_AGAIN": 2,
        "LEARNED_DRAWN": 8,
        "LEARNED_DRAWS": 60,
    },
    planned_groups: {"TESTS": 8, "AGAIN": 10, "DRAWS": 40, "QUANTILES": 12},
    score_plan: {"TESTS": 24, "READ": 4, "DRAWS": 100, "SCOUTS": 4},
    leaderboard: {"TESTS": 48, "SCOUTS": 4},
}

THREE = hs.ConfusionMatrix([[30, 4, 6], [3, 25, 2], [5, 1, 24]])
GROUPS = [f"g{i % 12}" for i in range(72)]
TRUTH = np.arange(72) % 2
ONE, OTHER = np.where(np.arange(72) % 7 == 3, 1 - TRUTH, TRUTH), np.where(np.arange(72) % 5 == 2, 1 - TRUTH, TRUTH)
IN_GROUPS = hs.ConfusionMatrix.from_predictions(TRUTH, ONE, group=GROUPS)
BOTH = hs.Predictions(TRUTH, {"new": ONE, "old": OTHER}, group=GROUPS)

CALLS: dict[str, Callable[[], Any]] = {
    "width of f1": lambda: hs.plan("f1", width=0.2, guess=0.8, assurance=0.8),
    "width of kappa, learned": lambda: hs.plan("kappa", width=0.3, pilot=THREE, assurance=0.8),
    "width of balanced accuracy": lambda: hs.plan("balanced_accuracy", width=0.15, pilot=THREE, prior="flat"),
    "width of balanced accuracy, learned": lambda: hs.plan("balanced_accuracy", width=0.2, pilot=THREE, assurance=0.8),
    "width at a prevalence": lambda: hs.plan(
        "precision", width=0.2, guess={"recall": 0.9, "specificity": 0.8, "prevalence": 0.1}, assurance=0.8
    ),
    "mcc above": lambda: hs.plan("mcc", above=0.5, guess=0.75, assurance=0.8),
    "mcc above, seed 3": lambda: hs.plan("mcc", above=0.5, guess=0.75, assurance=0.8, seed=3),
    "error below, learned": lambda: hs.plan("f1@macro", below=0.9, pilot=THREE, assurance=0.8),
    "difference of balanced accuracy": lambda: hs.plan(
        "balanced_accuracy", difference=0.1, guess=0.8, classes=3, assurance=0.8, prior="flat"
    ),
    "difference of balanced accuracy, learned": lambda: hs.plan(
        "balanced_accuracy", difference=0.12, guess=0.8, classes=3, assurance=0.8
    ),
    "difference of f1": lambda: hs.plan("f1", difference=0.15, guess=0.7, assurance=0.8),
    "difference of f1 by a margin": lambda: hs.plan("f1", difference=0.0, margin=0.1, guess=0.8, assurance=0.8),
    "paired difference of f1": lambda: hs.plan(
        "f1", difference=0.15, guess=0.7, paired={"correlation": 0.5}, assurance=0.8
    ),
    "paired difference of balanced accuracy": lambda: hs.plan(
        "balanced_accuracy",
        difference=0.1,
        guess=0.75,
        classes=3,
        paired={"correlation": 0.6},
        assurance=0.8,
        prior="flat",
    ),
    "optimal class sizes": lambda: hs.plan(
        "balanced_accuracy", width=0.2, pilot=THREE, design="optimal", assurance=0.8, prior="flat"
    ),
    "what cases can show of f1": lambda: hs.detect("f1", 120, goal="width", guess=0.8),
    "what cases can show of a difference": lambda: hs.detect("f1", 400, goal="difference", guess=0.8),
    "groups, width": lambda: hs.plan("accuracy", width=0.2, guess=0.8, assurance=0.8, group_size=6, icc=0.3),
    "groups, above": lambda: hs.plan("accuracy", above=0.7, guess=0.85, assurance=0.8, group_size=6, icc=0.2),
    "groups, below": lambda: hs.plan("accuracy", below=0.9, guess=0.7, assurance=0.8, group_size=4, icc=0.2),
    "groups, difference": lambda: hs.plan("accuracy", difference=0.25, guess=0.6, assurance=0.8, group_size=4, icc=0.1),
    "groups, paired": lambda: hs.plan(
        "accuracy", difference=0.15, guess=0.7, paired=0.3, assurance=0.8, group_size=4, icc=0.1
    ),
    "groups of a pilot": lambda: hs.plan("accuracy", width=0.25, pilot=hs.infer(IN_GROUPS), assurance=0.8),
    "groups of a pair": lambda: hs.plan("accuracy", difference=0.1, pilot=BOTH, assurance=0.8),
    "groups, other goals": lambda: hs.plan("f1", width=0.25, guess=0.8, assurance=0.8, group_size=6, icc=0.3),
    "area, width": lambda: hs.plan("roc_auc", width=0.2, guess=0.8, assurance=0.8),
    "area, above": lambda: hs.plan("roc_auc", above=0.7, guess=0.85, assurance=0.8, prevalence=0.3),
    "area, difference": lambda: hs.plan(
        "roc_auc", difference=0.1, guess=0.8, paired={"correlation": 0.5}, assurance=0.8
    ),
    "top of a board": lambda: leaderboard.settle([0.9, 0.84, 0.8], assurance=0.8),
}


@contextmanager
def few_tests() -> Iterator[None]:
    """All simulations of plans with hardly any tests."""
    with mock.patch.multiple("howsure.planning.goal", SCOUTS=4, FORERUNNERS=6):
        patches = [
            mock.patch.object(module, name, value) for module, all_of in FEW.items() for name, value in all_of.items()
        ]
        for patch in patches:
            patch.start()
        try:
            yield
        finally:
            for patch in patches:
                patch.stop()


def numbers(name: str) -> list[float]:
    """What a plan says, with few tests."""
    with few_tests(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = CALLS[name]()
    curve = [x for point in made.curve for x in (point.n, point.low, point.middle, point.high)]
    target = made.goal.target
    return [float(f"{x:.6g}") for x in (made.n, made.n_error, made.assurance, made.assurance_error, target, *curve)]


@pytest.mark.parametrize("name", CALLS)
def test_a_plan_of_few_simulated_tests_is_the_one_of_before(name: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))[name]
    assert numbers(name) == pytest.approx(kept, rel=1e-4, abs=1e-9)


if __name__ == "__main__":
    rows = [f" {json.dumps(name)}: {json.dumps(numbers(name))}" for name in CALLS]
    KEPT.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
