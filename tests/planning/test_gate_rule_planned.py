"""A plan of two classifiers is by the rule of the gate that will read them, and under the prior that it will have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.planning.goal import Goal
from howsure.planning.pose import Supposition, pose
from howsure.posterior.priors import default_prior

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def together(n: int, ahead: int, behind: int) -> hs.Predictions:
    """Two classes, in which only the one and only the other is right so often."""
    new = [1] * (n - behind) + [0] * behind
    old = [1] * (n - ahead - behind) + [0] * ahead + [1] * behind
    return hs.Predictions([1] * n, {"new": new, "old": old}, labels=[0, 1])


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("metric", ["accuracy", "error_rate"])
def test_paired_accuracy_without_a_margin_is_planned_for_the_sign_test(metric: str) -> None:
    """Two routes: the planner's tails, and the gate itself over every outcome."""
    n, apart, d = 40, 0.3, 0.15
    guess = 0.3 if metric == "error_rate" else 0.7
    made = hs.plan(metric, difference=d, guess=guess, paired=apart, n=n)
    cells = [(apart + d) / 2, (apart - d) / 2, 1 - apart]
    reached = 0.0
    for m in range(n + 1):
        for wins in range(m + 1):
            weight = stats.multinomial.pmf([wins, m - wins, n - m], n, cells)
            if weight > 1e-7 and stats.binom.sf(wins - 1, m, 0.5) <= 0.05 and wins:
                reached += weight
    assert made.assurance == pytest.approx(reached, abs=1e-4)
    assert made.strict
    assert made.to_dict()["strict"] is True
    assert "by the strict rule" in made.sentence
    assert any("sign test" in note for note in made.notes)
    # and that is the rule of the gate
    for wins, losses in ((5, 0), (4, 0), (9, 2), (8, 2)):
        passed = hs.gate(together(n, wins, losses), metric="accuracy").passed
        assert passed == (stats.binom.sf(wins - 1, wins + losses, 0.5) <= 0.05)


@pytest.mark.full
@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_separate_test_sets_are_planned_for_the_prior_that_compares_them(margin: float) -> None:
    """Two routes: the planner's thresholds, and the gate over every outcome of 7 cases each."""
    n, old, d = 7, 0.6, 0.2
    made = hs.plan("accuracy", difference=d, margin=margin or None, guess=old, n=n)
    assert (made.prior, made.pairing) == ("calibrated", "separate test sets")
    known = [hs.Posterior.from_accuracy(correct=k, n=n) for k in range(n + 1)]
    passed = np.array([[hs.gate(a, b, metric="accuracy", margin=margin).passed for b in known] for a in known])
    weights = np.outer(stats.binom.pmf(np.arange(n + 1), n, old + d), stats.binom.pmf(np.arange(n + 1), n, old))
    assert made.assurance == pytest.approx(float(weights[passed].sum()), abs=1e-9)
    assert hs.plan("accuracy", difference=d, guess=old, n=n, prior="flat").prior == "flat"


def test_a_margin_is_not_reached_by_the_prior() -> None:
    """Of 3 cases the prior makes most of what speaks for 'no worse by 0.7', and neither gate nor plan takes that."""
    prior = hs.Prior(40, 4, name="loud")
    worse, better = (hs.Posterior.from_accuracy(correct=k, n=3, prior=prior) for k in (0, 3))
    row = hs.gate(worse, better, metric="accuracy", margin=0.7).rows[0]
    assert row.p_pass > 0.95
    assert (row.by_prior, row.verdict) == (True, "inconclusive")
    made = hs.plan("accuracy", margin=0.7, guess=0.5, n=3, prior=prior)
    # reached unless the old one has two or three more of its three right: 1 + 6 outcomes of 64
    assert made.assurance == pytest.approx(57 / 64, abs=1e-9)


def supposed(metric: str, goal: Goal, **given: object) -> tuple[str, tuple[str, ...]]:
    posed = pose(metric, goal, Supposition(**given), None, 0)  # type: ignore[arg-type]
    return posed.prior.name, posed.notes


WIDTH, DIFFERENCE = Goal("width", 0.1, 0.95), Goal("difference", 0.05, 0.95)


def test_a_plan_has_the_prior_of_the_answer_to_come() -> None:
    assert supposed("f1", WIDTH, guess=0.8) == ("calibrated", ())
    assert supposed("balanced_accuracy", DIFFERENCE, guess=0.8)[0] == "calibrated"
    for metric, classes in (("balanced_accuracy", 10), ("mcc", 3), ("f1@macro", 5), ("accuracy", 10)):
        assert supposed(metric, WIDTH, guess=0.8, classes=classes) == (default_prior(classes), ())
    # one coin a case has one prior, by whatever name
    assert supposed("accuracy", DIFFERENCE, guess=0.8, classes=10) == (default_prior(10), ())
    pilot = hs.infer(TWO)
    assert supposed("balanced_accuracy", DIFFERENCE, pilot=pilot)[0] == "calibrated"
    assert supposed("balanced_accuracy", WIDTH, pilot=pilot)[0] == "calibrated"
