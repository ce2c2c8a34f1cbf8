"""A plan of two classifiers is by the rule of the gate that will read them, and under the prior that it will have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.planning.goal import Goal
from howsure.planning.pose import Supposition, pose
from howsure.planning.simulated_goals import Simulated
from howsure.posterior.named_priors import default_prior

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def together(n: int, ahead: int, behind: int) -> hs.Predictions:
    """Two classes, in which only the one and only the other is right so often."""
    new = [1] * (n - behind) + [0] * behind
    old = [1] * (n - ahead - behind) + [0] * ahead + [1] * behind
    return hs.Predictions([1] * n, {"new": new, "old": old}, labels=[0, 1])


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "f1@micro"])
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


def test_with_a_margin_or_for_one_class_the_posterior_decides_as_it_does_at_the_gate() -> None:
    for made in (
        hs.plan("accuracy", margin=0.05, guess=0.8, paired=0.1, n=100),
        hs.plan("recall", difference=0.05, guess=0.8, paired=0.1, n=100),
        hs.plan("accuracy", difference=0.05, guess=0.8, n=100),
    ):
        assert not made.strict
        assert "strict" not in made.sentence
    more = hs.plan("accuracy", difference=0.05, guess=0.8, assurance=0.8, paired=0.15).n
    assert more > hs.plan("recall", difference=0.05, guess=0.8, assurance=0.8, paired=0.15).n


@pytest.mark.parametrize("margin", [0.0, 0.1])
def test_separate_test_sets_are_planned_for_the_prior_that_compares_them(margin: float) -> None:
    """Two routes: the planner's thresholds, and the gate over every outcome of 12 cases each."""
    n, old, d = 12, 0.6, 0.2
    made = hs.plan("accuracy", difference=d, margin=margin or None, guess=old, n=n)
    assert (made.prior, made.pairing) == ("jeffreys", "separate test sets")
    assert any("jeffreys" in note for note in made.notes)
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


def test_simulated_tests_of_separate_sets_count_what_was_observed() -> None:
    given = Supposition(guess=0.8)
    problem = pose("balanced_accuracy", Goal("difference", 0.1, 0.95), given, None, 0).problem
    assert isinstance(problem, Simulated)
    assert problem.prior.name == "jeffreys"
    values, observed = problem._learned(40, 50, 0, 2_000)
    assert observed is not None
    # half a case of forty in either class: the mean is the observed difference, a little nearer to 0
    assert np.abs(values.mean(1) - observed).max() < 0.04
    pair = pose("balanced_accuracy", Goal("difference", 0.1, 0.95), Supposition(guess=0.8, paired=0.2), None, 0).problem
    assert isinstance(pair, Simulated)
    assert pair._learned(40, 50, 0, 200)[1] is None


# -- the prior of a plan ---------------------------------------------------------------------------------------


def supposed(metric: str, goal: Goal, **given: object) -> tuple[str, tuple[str, ...]]:
    posed = pose(metric, goal, Supposition(**given), None, 0)  # type: ignore[arg-type]
    return posed.prior.name, posed.notes


WIDTH, DIFFERENCE = Goal("width", 0.1, 0.95), Goal("difference", 0.05, 0.95)


def test_a_plan_has_the_prior_of_the_answer_to_come() -> None:
    assert supposed("f1", WIDTH, guess=0.8) == ("flat", ())
    assert supposed("balanced_accuracy", DIFFERENCE, guess=0.8)[0] == "jeffreys"
    for metric, classes in (("balanced_accuracy", 10), ("mcc", 3), ("f1@macro", 5), ("accuracy", 10)):
        assert supposed(metric, WIDTH, guess=0.8, classes=classes) == (default_prior(classes), ())
    # one coin a case has one prior, by whatever name
    assert supposed("accuracy", DIFFERENCE, guess=0.8, classes=10) == (default_prior(10), ())
    pilot = hs.infer(TWO)
    assert supposed("balanced_accuracy", DIFFERENCE, pilot=pilot)[0] == "jeffreys"
    assert supposed("balanced_accuracy", WIDTH, pilot=pilot)[0] == "flat"


def test_where_flat_stands_in_a_note_says_so() -> None:
    name, notes = supposed("recall@3", WIDTH, guess=0.8, classes=10)
    assert name == "flat"
    assert "this class alone" in notes[0]
    name, notes = supposed("balanced_accuracy", DIFFERENCE, guess=0.8, classes=10, paired=0.2)
    assert name == "flat"
    assert "learns over the classes" in notes[0]
    for metric, classes, goal in (
        ("f1@macro", 20, WIDTH),
        ("balanced_accuracy", 200, WIDTH),
        ("balanced_accuracy", 3, DIFFERENCE),
    ):
        name, notes = supposed(metric, goal, guess=0.8, classes=classes)
        assert name == "flat"
        assert "prior='learned' plans" in notes[0]
