"""Every plan is made again by other means: tests are simulated and each is read by the laws that users get."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.planning.plan import Plan

ASKED = 0.8


def even(size: int, recall: float) -> np.ndarray:
    """Joint table of equally frequent, equally well recognised classes."""
    rows = np.full((size, size), (1 - recall) / (size - 1))
    np.fill_diagonal(rows, recall)
    return rows / size


def close(reached: np.ndarray, plan: Plan) -> None:
    """The share that reaches the goal is the stated one, within both Monte Carlo errors."""
    share = float(np.mean(reached))
    error = np.sqrt(ASKED * (1 - ASKED) / len(reached) + plan.assurance_error**2)
    assert share == pytest.approx(plan.assurance, abs=5 * error)


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize("classes", [2, 3])
def test_separate_differences(classes: int) -> None:
    made = hs.plan("balanced_accuracy", difference=0.08, guess=0.75, classes=classes, assurance=ASKED)
    rng = np.random.default_rng(7)
    reached = []
    for _ in range(100):
        new, old = (
            hs.infer(hs.ConfusionMatrix(rng.multinomial(made.n, even(classes, r).ravel()).reshape(classes, classes)))
            for r in (0.83, 0.75)
        )
        reached.append(hs.compare(new, old).p_better >= 0.95)
    close(np.array(reached), made)
