"""Every plan is made again by other means: tests are simulated and each is read by the laws that users get."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.numerics.draws.weighted_draws import quantile_spread
from howsure.planning.plan import Plan
from howsure.posterior.knowledge import knowledge_of

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


def widths(metric: str, table: np.ndarray, n: int, many: int) -> np.ndarray:
    """Widths of the intervals of the laws themselves after simulated tests."""
    rng = np.random.default_rng(5)
    counts = rng.multinomial(n, table.ravel(), many).reshape(many, *table.shape)
    return np.array([knowledge_of(hs.infer(hs.ConfusionMatrix(c), "flat")).of(metric).interval().width for c in counts])


@pytest.mark.full
@pytest.mark.sweep("informedness")
@pytest.mark.parametrize(
    ("metric", "classes", "recall", "width"),
    [
        ("informedness", 2, 0.9, 0.2),
        ("f1", 2, 0.8, 0.15),
        ("precision", 2, 0.8, 0.2),
        ("balanced_accuracy", 10, 0.7, 0.1),
    ],
)
def test_widths_of_drawn_plans_are_those_of_the_exact_laws(
    metric: str, classes: int, recall: float, width: float
) -> None:
    table = even(classes, recall)
    guess = float(np.ravel(hs.metrics.parse(metric, ["a", "b"], "b")(table) if classes == 2 else recall)[0])
    made = hs.plan(metric, width=width, guess=guess, classes=classes, assurance=ASKED, prior="flat")
    assert made.route == "simulated"
    many = 80 if metric in ("f1", "mcc", "kappa", "precision") else 160
    found = widths(metric, table, made.n, many)
    error = quantile_spread(np.sort(found), ASKED, ASKED * (1 - ASKED) / len(found))
    assert np.quantile(found, ASKED) == pytest.approx(width, abs=5 * error + 0.005 * width)


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
