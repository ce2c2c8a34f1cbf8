"""Plans by few simulated tests, and the widths that they expect."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import howsure as hs
from howsure.laws import BetaSum
from howsure.numerics.beta_sum.sums import ManySums
from howsure.numerics.populations.error_shares import widths_learned_together
from howsure.numerics.trials.simulated_tests import Calibration
from howsure.planning import planned_groups, sample_size, score_plan, simulated_goals, simulated_widths
from howsure.planning.goal import Goal
from howsure.planning.pose import Supposition, pose
from howsure.planning.simulated_goals import Simulated
from howsure.planning.simulated_widths import SimulatedWidths, Widths
from howsure.posterior.knowledge import knowledge_of


def simulated(metric: str, width: float, prior: str = "flat", seed: int = 0, **supposed: object) -> Simulated:
    problem = pose(metric, Goal("width", width, 0.95), Supposition(**supposed), prior, seed).problem  # type: ignore[arg-type]
    assert isinstance(problem, Simulated)
    return problem


def widths_of(problem: Simulated) -> SimulatedWidths:
    found = problem._widths
    assert found is not None
    return found


def exact_share(n: int, recall: float, width: float, many: int = 6_000) -> float:
    """Share of the tests of balanced accuracy, of two classes of even size, whose exact interval is so narrow."""
    rng = np.random.default_rng(8)
    first = rng.binomial(n, 0.5, many)
    cases = np.stack([first, n - first], axis=1)
    right = rng.binomial(cases, recall)
    ends, _ = ManySums(right + 2 / 3, cases - right + 2 / 3, np.full(cases.shape, 0.5), np.zeros(many)).highest(0.95)
    return float(np.mean(ends[:, 1] - ends[:, 0] <= width))


@pytest.mark.full
@pytest.mark.parametrize(("recall", "width"), [(0.5, 0.05), (0.97, 0.1)])
def test_n_is_the_smallest_that_the_exact_laws_allow(recall: float, width: float) -> None:
    """With recalls of one half hardly a test is wider than another, and one case decides between 92 and 96%."""
    made = hs.plan("balanced_accuracy", width=width, guess=recall, assurance=0.95)
    margin = max(1, round(5 * made.n_error))
    error = 4 * (0.05 * 0.95 / 6_000) ** 0.5
    assert exact_share(made.n - margin - 1, recall, width) < 0.95 + error
    assert exact_share(made.n + margin, recall, width) > 0.95 - error
    assert made.assurance == pytest.approx(exact_share(made.n, recall, width), abs=5 * made.assurance_error + error)


def test_of_few_cases_the_drawn_widths_are_those_of_the_exact_laws() -> None:
    """Where the expansion misses 3%, which is taken out of the draws and put back."""
    exact = widths_of(simulated("balanced_accuracy", 0.1, guess=0.9))
    drawn = replace(exact, weights=None)
    tests = drawn._tests(16, 400, np.random.default_rng(3))
    found, error = drawn._read(tests, drawn._near, np.random.default_rng(4))
    excess = np.log(exact._exact_widths(tests)) - tests.log_width
    assert excess.mean() < -0.01
    assert found.excess.mean() == pytest.approx(excess.mean(), abs=5 * error)


def test_a_law_with_two_tops_is_as_wide_as_a_report_has_it() -> None:
    """Of a class without cases nobody knows the recall, under jeffreys least of all its middle."""
    made = widths_of(simulated("balanced_accuracy", 0.1, guess=0.5, prior="jeffreys"))
    tests = made._tests(1, 12, np.random.default_rng(1))
    weights = np.array([0.98, 0.02])
    laws = [BetaSum(k + 0.5, n - k + 0.5, weights).interval() for k, n in zip(tests.right, tests.cases, strict=True)]
    assert {each.kind for each in laws} == {"central", "hdi"}
    assert replace(made, weights=weights)._exact_widths(tests) == pytest.approx([each.width for each in laws])


def known_widths(log_widths: np.ndarray, truths: int, error: float, straight_error: float = 0.0) -> Widths:
    """Widths whose level is known with such errors; half of what the second is told for is left out."""
    many = len(log_widths)
    calibration = Calibration(np.zeros(1), np.array([[error**2]]), np.zeros(1), 0.0)
    return Widths(log_widths, truths, calibration, np.full(many, 0.5), np.ones((many, 1)), straight_error)


def test_the_error_of_a_share_is_that_of_its_tests_and_of_their_level() -> None:
    even = np.linspace(-1, 1, 10_001)  # half of them in each unit of log width
    for error, straight in ((0.0, 0.0), (0.03, 0.0), (0.0, 0.06), (0.03, 0.06)):
        share, stated = known_widths(even, 1, error, straight).reached(1.0)
        assert share == pytest.approx(0.5, abs=1e-3)
        assert stated == pytest.approx(np.hypot(0.5 / 100, 0.5 * np.hypot(error, straight / 2)), rel=0.02)
    # of two hundred tests of each of fifty truths, which decide: as sure as fifty
    alike = np.tile(np.linspace(-1, 1, 50), 200)
    assert known_widths(alike, 50, 0.0).reached(1.0) == (0.5, pytest.approx(0.5 / 50**0.5))


@pytest.mark.full
@pytest.mark.parametrize("classes", [3, 6])
def test_learned_widths_are_those_of_a_report(classes: int) -> None:
    rng = np.random.default_rng(2)
    cases = rng.multinomial(300, np.full(classes, 1 / classes), 4)
    right = rng.binomial(cases, 0.8)
    found = widths_learned_together(right, cases, np.full(classes, 1 / classes), 0.95)
    for k, n, width in zip(right, cases, found, strict=True):
        table = np.diag(k)
        table[np.arange(classes), (np.arange(classes) + 1) % classes] = n - k
        read = knowledge_of(hs.infer(hs.ConfusionMatrix(table), "learned")).of("balanced_accuracy")
        assert width == pytest.approx(read.interval().width, rel=0.005)


# -- every simulated goal, solved with so few tests that it takes a blink, beside the answers of before ---------------

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
    sample_size: {"TESTS": 48, "SCOUTS": 4},
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
    "top of a board": lambda: sample_size.settle([0.9, 0.84, 0.8], assurance=0.8),
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
