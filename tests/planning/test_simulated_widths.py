"""Widths that are expected and calibrated: against exact laws, those that users get, and other seeds."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.numerics.learned.hierarchical_draws import widths_learned_together
from howsure.numerics.many.many_sums import ManySums
from howsure.planning.goal import Goal
from howsure.planning.pose import Supposition, pose
from howsure.planning.simulated_goals import Simulated
from howsure.planning.simulated_widths import SimulatedWidths
from howsure.posterior.knowledge import knowledge_of

SKEWED = {"recall": 0.97, "specificity": 0.95, "prevalence": 0.2}


def simulated(metric: str, width: float, prior: str = "flat", seed: int = 0, **supposed: object) -> Simulated:
    problem = pose(metric, Goal("width", width, 0.95), Supposition(**supposed), prior, seed).problem  # type: ignore[arg-type]
    assert isinstance(problem, Simulated)
    return problem


def widths_of(problem: Simulated) -> SimulatedWidths:
    found = problem._widths
    assert found is not None
    return found


def exact_share(n: int, recall: float, width: float, many: int = 20_000) -> float:
    """Share of the tests of balanced accuracy, of two classes of even size, whose exact interval is so narrow."""
    rng = np.random.default_rng(8)
    first = rng.binomial(n, 0.5, many)
    cases = np.stack([first, n - first], axis=1)
    right = rng.binomial(cases, recall)
    ends, _ = ManySums(right + 1.0, cases - right + 1.0, np.full(cases.shape, 0.5), np.zeros(many)).highest(0.95)
    return float(np.mean(ends[:, 1] - ends[:, 0] <= width))


@pytest.mark.parametrize(("recall", "width"), [(0.5, 0.05), (0.8, 0.15), (0.97, 0.1), (0.9, 0.002)])
def test_n_is_the_smallest_that_the_exact_laws_allow(recall: float, width: float) -> None:
    """With recalls of one half hardly a test is wider than another, and one case decides between 92 and 96 %."""
    made = hs.plan("balanced_accuracy", width=width, guess=recall, assurance=0.95)
    margin = max(1, round(3 * made.n_error))
    error = 4 * (0.05 * 0.95 / 20_000) ** 0.5
    assert exact_share(made.n - margin - 1, recall, width) < 0.95 + error
    assert exact_share(made.n + margin, recall, width) > 0.95 - error
    assert made.assurance == pytest.approx(exact_share(made.n, recall, width), abs=4 * made.assurance_error + error)


@pytest.mark.sweep("mcc-2")
@pytest.mark.parametrize(("metric", "classes", "n"), [("mcc", 2, 300), ("f1", 2, 150), ("kappa", 3, 200)])
def test_widths_are_those_that_users_get_test_by_test(metric: str, classes: int, n: int) -> None:
    problem = widths_of(simulated(metric, 0.1, guess=0.7, classes=classes))
    rng = np.random.default_rng(5)
    tests = problem._tests(n, 25, rng)
    calibration, _ = problem._calibration(n, problem.read, rng)
    features = problem._features(tests, problem._near)
    expected = tests.log_width + features @ calibration.coefficients
    assert tests.counts is not None
    positive = "1" if classes == 2 else None
    read = [
        hs.infer(hs.ConfusionMatrix(c, labels=[str(i) for i in range(classes)], positive=positive), "flat")
        for c in tests.counts
    ]
    widths = np.log([knowledge_of(each).of(metric).interval().width for each in read])
    missed = widths - expected
    assert widths.std() > 5 * missed.std()
    assert abs(missed.mean()) < 4 * np.hypot(missed.std() / 5, calibration.error(features))


@pytest.mark.sweep("sums")
@pytest.mark.parametrize("case", ["drawn", "sums", "pilot"])
def test_the_error_of_n_is_its_spread_over_seeds(case: str) -> None:
    asked: dict[str, object] = {"guess": 0.8}
    if case == "pilot":
        asked = {"pilot": hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))}
    metric = "mcc" if case == "drawn" else "balanced_accuracy"
    found = [widths_of(simulated(metric, 0.1, seed=seed, **asked)).solve(0.1, 0.9) for seed in range(10)]
    sizes = np.array([answer.n for serves, answer in found if serves and answer is not None])
    stated = np.mean([answer.error for _, answer in found if answer is not None])
    assert len(sizes) == 10
    # whole numbers add a twelfth
    assert 0.4 * stated < np.hypot(sizes.std(ddof=1), 0.3) < 2.2 * np.hypot(stated, 0.3)


def test_narrower_intervals_need_four_times_as_many_cases_for_half_the_width() -> None:
    wide, narrow = (hs.plan("mcc", width=width, guess=0.6).n for width in (0.02, 0.01))
    assert narrow == pytest.approx(4 * wide, rel=0.01)


@pytest.mark.parametrize(("metric", "supposed"), [("worst_rate", {"guess": SKEWED}), ("precision", {"guess": SKEWED})])
def test_what_expectation_does_not_explain_is_drawn_as_before(metric: str, supposed: dict[str, object]) -> None:
    problem = simulated(metric, 1.0, **supposed)
    n = 120
    width = float(np.quantile(1.0 - problem._slack(n, 200), 0.8))
    aimed = problem.aimed(width)
    assert widths_of(problem).at(n) is None
    assert widths_of(aimed).solve(width, 0.8) == (False, None)
    answer = aimed.solve(0.8)
    assert answer is not None
    assert answer.n == pytest.approx(n, rel=0.3)


def test_widths_that_were_found_serve_every_target() -> None:
    problem = simulated("mcc", 0.1, guess=0.6)
    reached, _ = problem.assurance(1_000)
    other = problem.aimed(0.2)
    assert widths_of(other) is widths_of(problem)
    assert other.assurance(1_000)[0] > reached
    assert problem.aimed(0.1).assurance(1_000)[0] == reached


def test_the_same_question_has_the_same_answer() -> None:
    first, second = (hs.plan("mcc", width=0.1, guess=0.6, seed=3) for _ in range(2))
    assert first.to_dict() == second.to_dict()
    assert hs.plan("mcc", width=0.1, guess=0.6, seed=4).to_dict() != first.to_dict()


def test_a_width_beyond_the_largest_test_has_no_plan() -> None:
    assert widths_of(simulated("mcc", 0.0001, guess=0.6)).solve(0.0001, 0.95) == (True, None)


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


@pytest.mark.long
def test_a_learned_plan_keeps_its_word_with_intervals_of_reports() -> None:
    made = hs.plan("balanced_accuracy", width=0.1, guess=0.8, classes=3, assurance=0.8, prior="learned")
    rng = np.random.default_rng(3)
    widths = []
    for _ in range(60):
        cases = rng.multinomial(made.n, np.full(3, 1 / 3))
        table = np.diag(rng.binomial(cases, 0.8))
        table[[0, 1, 2], [1, 2, 0]] = cases - np.diag(table)
        read = knowledge_of(hs.infer(hs.ConfusionMatrix(table), "learned")).of("balanced_accuracy")
        widths.append(read.interval().width)
    error = np.hypot((0.8 * 0.2 / 60) ** 0.5, made.assurance_error)
    assert np.mean(np.array(widths) <= 0.1) == pytest.approx(made.assurance, abs=4 * error)
