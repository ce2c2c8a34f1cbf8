"""Labels beside a judge: the formula, its worth, plans that hold, and which cases to label next."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.trials.assurance import (
    fewest_doubts,
    share_moments,
    width_by_formula,
)
from howsure.planning.judged_plan import JudgedPlan
from howsure.planning.next_labels import saved

GOOD, WEAK = (0.95, 0.85), (0.85, 0.6)
THETA = (0.5, 0.8, 0.9, 0.95, 0.98)


def rates(theta: float, judge: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    se, sp = judge
    called = theta * se + (1 - theta) * (1 - sp)
    return np.array([called, 1 - called]), np.array([theta * se / called, theta * (1 - se) / (1 - called)])


def planned(theta: float = 0.9, judge: tuple[float, float] = GOOD, **more: object) -> JudgedPlan:
    asked = {"width": 0.1, "verdicts": 2000, **more}
    made = hs.plan(
        "prevalence@pass", judge=dict(zip(("recall", "specificity"), judge, strict=True)), guess=theta, **asked
    )  # type: ignore[arg-type]
    assert isinstance(made, JudgedPlan)
    return made


@pytest.mark.parametrize(
    ("labels", "widths"), {50: (0.164, 0.136, 0.115, 0.094, 0.068), 200: (0.089, 0.073, 0.061, 0.049, 0.035)}.items()
)
def test_the_formula_of_the_width(labels: int, widths: tuple[float, ...]) -> None:
    found = [round(width_by_formula(*rates(theta, GOOD), labels, 2000, 0.95), 3) for theta in THETA]
    assert tuple(found) == widths


@pytest.mark.full
@pytest.mark.parametrize(("judge", "worth"), [(GOOD, (2.8, 2.0, 1.26)), (WEAK, (1.28, 1.13, 1.03))])
def test_what_a_judge_is_worth(judge: tuple[float, float], worth: tuple[float, ...]) -> None:
    found = [planned(theta, judge, n=50).worth for theta in THETA[::2]]
    assert found == pytest.approx(worth, abs=0.04)


def test_too_few_verdicts_are_said() -> None:
    with pytest.raises(InvalidArgument, match="200 verdicts are too few: with a label of every case"):
        planned(verdicts=200, width=0.03)


@pytest.mark.full
def test_a_pilot_with_verdicts_stands_for_the_judge() -> None:
    pilot = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    made = hs.plan("prevalence@pass", width=0.1, pilot=pilot)
    assert isinstance(made, JudgedPlan)
    assert made.verdicts == 2000
    assert "100 labels of 2,000 cases: prevalence 0.695" in made.supposed[0]
    called = ["fail", "unsure", "pass"]
    three = hs.ConfusionMatrix(
        [[20, 7, 3], [4, 8, 60]], labels=["fail", "pass"], verdicts=called, unlabelled=[440, 300, 1200]
    )
    made = hs.plan("prevalence@pass", width=0.1, pilot=three)
    assert isinstance(made, JudgedPlan)
    assert list(made.allocations[0].per_verdict) == called
    with pytest.raises(InvalidArgument, match="no true class"):
        hs.plan("prevalence@unsure", width=0.1, pilot=three)


@pytest.mark.parametrize(
    ("metric", "odd", "why"),
    [
        ("mcc", {}, "planned for prevalence@CLASS"),
        ("prevalence@pass", {"width": None, "above": 0.8}, "one goal, the width"),
        ("prevalence@pass", {"guess": None}, "needs a guess"),
        ("prevalence@pass", {"judge": None}, "goes with judge="),
        ("prevalence@pass", {"judge": {"recall": 1.2, "specificity": 0.9}}, "judge"),
        ("prevalence@pass", {"prior": "flat"}, "leave the others out"),
    ],
)
def test_what_cannot_be_planned(metric: str, odd: dict[str, object], why: str) -> None:
    asked = {"width": 0.1, "judge": {"recall": 0.95, "specificity": 0.85}, "guess": 0.9, "verdicts": 2000, **odd}
    with pytest.raises(InvalidArgument, match=why):
        hs.plan(metric, **asked)  # type: ignore[arg-type]


JUDGED = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
HALVES = st.integers(0, 8).map(lambda k: k + 0.5)


@settings(max_examples=tries(60), deadline=None)
@given(
    st.lists(st.tuples(st.integers(5, 60), HALVES, HALVES, st.integers(1, 9)), min_size=2, max_size=3),
    st.integers(1, 20),
)
def test_no_other_spread_is_better(cells: list[tuple[int, float, float, int]], labels: int) -> None:
    cases, a, b, room = (np.array(x) for x in zip(*cells, strict=True))
    labels = min(labels, int(room.sum()))
    found = fewest_doubts(labels, cases.astype(float), a, b, room)
    assert found.sum() == labels
    every = (np.array(x, dtype=float) for x in product(*(range(r + 1) for r in room)) if sum(x) == labels)
    best = max(saved(cases.astype(float), a, b, x) for x in every)
    assert saved(cases.astype(float), a, b, found.astype(float)) == pytest.approx(best, rel=1e-12)


def test_the_expected_variance_is_that_of_simulated_labels() -> None:
    rng = np.random.default_rng(5)
    cases, a, b, more = np.array([30.0, 15]), np.array([3.5, 1.5]), np.array([1.5, 2.5]), np.array([6, 4])
    hits = rng.binomial(more, rng.beta(a, b, (200_000, 2)))
    _, after = share_moments(np.broadcast_to(cases, hits.shape), a + hits, b + more - hits)
    _, before = share_moments(cases, a, b)
    assert before - saved(cases, a, b, more.astype(float)) == pytest.approx(after.mean(), abs=5 * after.std() / 440)


def test_more_of_the_verdict_that_is_in_doubt() -> None:
    made = hs.next_labels(JUDGED, 40)
    assert made.per_verdict == {"fail": 23, "pass": 17}
    assert made.after <= made.at_random < made.width
    assert made.sentence.startswith("Label 23 of verdict fail, 17 of verdict pass next: the 95% interval")
    assert made.to_dict()["verdicts"][0] == {"verdict": "fail", "unlabelled": 572, "labelled": 28, "next": 23}
    everything = hs.next_labels(JUDGED, 1900)
    assert everything.per_verdict == {"fail": 572, "pass": 1328}
    assert everything.after == pytest.approx(everything.at_random)


def test_a_verdict_that_nobody_checked_comes_first() -> None:
    some = hs.ConfusionMatrix([[0, 2], [0, 60]], labels=["fail", "pass"], unlabelled={"fail": 300, "pass": 300})
    assert hs.next_labels(some, 20).per_verdict["fail"] >= 15


@pytest.mark.parametrize("label", ["a", "c"])
def test_of_three_classes_the_width_now_is_that_of_a_report(label: str) -> None:
    """Where nobody is called wrongly, too: the others share the half case that is theirs."""
    three = hs.ConfusionMatrix(
        [[9, 0, 0], [0, 9, 3], [0, 1, 8]], labels=["a", "b", "c"], unlabelled={"a": 100, "b": 200, "c": 200}
    )
    reported = hs.infer(three).of(f"prevalence@{label}").interval().width
    assert hs.next_labels(three, 10, label=label).width == pytest.approx(reported, rel=0.04)


@pytest.mark.parametrize("odd", [0, 1901, "4", True])
def test_what_is_no_number_of_labels(odd: object) -> None:
    with pytest.raises(InvalidArgument, match="from 1 to 1,900"):
        hs.next_labels(JUDGED, odd)  # type: ignore[arg-type]
