"""Every plan is made again by other means: tests are simulated and each is read by the laws that users get."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

import howsure as hs
from howsure.laws import PairedDifference
from howsure.numerics.draws.weighted_draws import quantile_spread
from howsure.planning.goal import Goal
from howsure.planning.plan import Plan
from howsure.planning.pose import Supposition, pose
from howsure.planning.simulated_goals import Simulated
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


@pytest.mark.sweep("informedness")
@pytest.mark.parametrize(
    ("metric", "classes", "recall", "width"),
    [
        ("balanced_accuracy", 2, 0.8, 0.15),
        ("informedness", 2, 0.9, 0.2),
        ("f1", 2, 0.8, 0.15),
        ("mcc", 2, 0.85, 0.2),
        ("kappa", 2, 0.85, 0.2),
        ("precision", 2, 0.8, 0.2),
        ("balanced_accuracy", 3, 0.7, 0.15),
        ("balanced_accuracy", 10, 0.7, 0.1),
    ],
)
def test_widths_of_drawn_plans_are_those_of_the_exact_laws(
    metric: str, classes: int, recall: float, width: float
) -> None:
    table = even(classes, recall)
    guess = float(np.ravel(hs.metrics.parse(metric, ["a", "b"], "b")(table) if classes == 2 else recall)[0])
    made = hs.plan(metric, width=width, guess=guess, classes=classes, assurance=ASKED, prior="flat")
    assert made.route == "drawn"
    many = 80 if metric in ("f1", "mcc", "kappa", "precision") else 160
    found = widths(metric, table, made.n, many)
    error = quantile_spread(np.sort(found), ASKED, ASKED * (1 - ASKED) / len(found))
    assert np.quantile(found, ASKED) == pytest.approx(width, abs=5 * error + 0.005 * width)


@pytest.mark.deep
def test_a_plan_whose_curve_is_no_line_is_found_from_near() -> None:
    """Widths of this sum are all alike, so that from afar the line misses n by a third and calls itself sure."""
    asked = {"width": 0.18, "guess": 0.667, "classes": 10}
    made = hs.plan("jaccard@macro", assurance=ASKED, **asked)
    assert made.assurance == pytest.approx(ASKED, abs=0.12)
    fewer, more = (hs.plan("jaccard@macro", n=round(made.n * x), **asked).assurance for x in (0.9, 1.1))
    assert fewer < 0.3
    assert more > 0.95


@pytest.mark.parametrize(("metric", "classes"), [("accuracy", 2), ("error_rate", 3), ("recall@0", 10)])
def test_widths_of_counted_plans_are_those_of_the_laws(metric: str, classes: int) -> None:
    asked = metric if classes > 2 or "@" not in metric else metric.replace("@0", "")
    guess = 0.15 if metric == "error_rate" else 0.85
    made = hs.plan(asked, width=0.12, guess=guess, classes=classes, assurance=ASKED)
    if "recall" in metric:
        right = np.random.default_rng(5).binomial(made.n, 0.85, 3000)
        found = np.array([hs.laws.Beta(k + 1, made.n - k + 1).interval().width for k in np.unique(right)])
        found = found[np.searchsorted(np.unique(right), right)]
    else:
        found = widths(metric, even(classes, 0.85), made.n, 200)
    close(found <= 0.12, made)


@pytest.mark.sweep("error_rate")
@pytest.mark.parametrize(("metric", "threshold"), [("balanced_accuracy", 0.75), ("f1", 0.75), ("error_rate", 0.25)])
def test_thresholds(metric: str, threshold: float) -> None:
    lower = metric == "error_rate"
    value = 0.2 if lower else 0.8
    made = hs.plan(metric, guess=value, assurance=ASKED, **{"below" if lower else "above": threshold})
    rng = np.random.default_rng(6)
    counts = rng.multinomial(made.n, even(2, 0.8).ravel(), 150).reshape(-1, 2, 2)
    laws = [knowledge_of(hs.infer(hs.ConfusionMatrix(c))).of(metric) for c in counts]
    reached = [law.prob(**{"below" if lower else "above": threshold}) >= 0.95 for law in laws]
    close(np.array(reached), made)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("classes", [2, 3])
def test_separate_differences(classes: int) -> None:
    made = hs.plan("balanced_accuracy", difference=0.08, guess=0.75, classes=classes, assurance=ASKED)
    rng = np.random.default_rng(7)
    reached = []
    for _ in range(200):
        new, old = (
            hs.infer(hs.ConfusionMatrix(rng.multinomial(made.n, even(classes, r).ravel()).reshape(classes, classes)))
            for r in (0.83, 0.75)
        )
        reached.append(hs.compare(new, old).p_better >= 0.95)
    close(np.array(reached), made)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("classes", "agreement"), [(2, 0.15), (3, 0.2)])
def test_paired_differences(classes: int, agreement: float) -> None:
    made = hs.plan("balanced_accuracy", difference=0.06, guess=0.8, classes=classes, paired=agreement, assurance=ASKED)
    assert made.pairing == "the same cases"
    rng = np.random.default_rng(8)
    wins, losses = (agreement + 0.06) / 2, (agreement - 0.06) / 2
    cells = [(0.8 - losses), wins, losses, 1 - 0.8 - wins]
    reached = []
    for _ in range(200):
        counts = rng.multinomial(made.n, np.tile(cells, classes) / classes).reshape(classes, 4)
        reached.append(PairedDifference(counts + 0.5).prob(above=0) >= 0.95)
    close(np.array(reached), made)


def test_paired_accuracy_is_counted_out() -> None:
    made = hs.plan("accuracy", difference=0.05, guess=0.8, paired=0.15, assurance=ASKED)
    rng = np.random.default_rng(9)
    counts = rng.multinomial(made.n, [0.75, 0.10, 0.05, 0.10], 400)
    reached = [binomtest(int(c[1]), int(c[1] + c[2]), 0.5, alternative="greater").pvalue <= 0.05 for c in counts]
    close(np.array(reached), made)


def test_a_pair_of_truths_has_both_margins_and_the_disagreement() -> None:
    given = Supposition(guess=0.8, classes=3, paired=0.2)
    problem = pose("balanced_accuracy", Goal("difference", 0.06, 0.95), given, None, 0).problem
    assert isinstance(problem, Simulated)
    pairs = problem._pairs
    assert pairs.sum(-1) == pytest.approx(problem.improved)
    assert pairs.sum(-2) == pytest.approx(problem.truths.tables)
    place = np.arange(3)
    new_right = pairs[0, place, place].sum() - pairs[0, place, place, place].sum()
    old_right = pairs[0, place, :, place].sum() - pairs[0, place, place, place].sum()
    assert new_right + old_right == pytest.approx(0.2)


@pytest.mark.deep
def test_a_pilot_gives_the_same_assurance_as_tests_from_its_posterior() -> None:
    pilot = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))
    made = hs.plan("balanced_accuracy", width=0.1, pilot=pilot, assurance=ASKED)
    rng = np.random.default_rng(10)
    found = []
    for table in pilot.draw(200, seed=99):
        counts = rng.multinomial(made.n, table.ravel()).reshape(2, 2)
        found.append(hs.infer(hs.ConfusionMatrix(counts)).of("balanced_accuracy").interval().width)
    close(np.array(found) <= 0.1, made)


@pytest.mark.deep
def test_the_error_of_n_is_its_spread_over_seeds() -> None:
    goal, given = Goal("above", 0.7, 0.95), Supposition(guess=0.8)
    answers = [pose("balanced_accuracy", goal, given, None, seed).problem.solve(ASKED) for seed in range(8)]
    sizes = np.array([each.n for each in answers if each is not None])
    stated = np.mean([each.error for each in answers if each is not None])
    assert len(sizes) == 8
    assert 0.4 * stated < sizes.std(ddof=1) < 2.2 * stated
