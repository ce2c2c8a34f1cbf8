"""Rules that stop, plans for judged cases and for the rule of a gate."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import tries

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.trials.simulated_tests import fewest_doubts, share_moments, width_by_formula
from howsure.planning.goal import Goal, Solution, borne_out, simulated_answer
from howsure.planning.judged_plan import JudgedPlan
from howsure.planning.next_labels import StoppingRule, saved
from howsure.planning.pose import Supposition, pose
from howsure.planning.sample_size import best_probabilities
from howsure.posterior.priors import default_prior


@pytest.mark.full
@pytest.mark.parametrize("truth", [0.86, 0.7])
def test_a_stopping_rule_errs_as_often_as_simulated(truth: float) -> None:
    rule = hs.stopping_rule([40, 80, 120, 200], 0.8)
    stated = rule.rates(truth)
    assert sum(stated[x] for x in ("above", "below", "open")) == pytest.approx(1)
    rng, many = np.random.default_rng(2), 40_000
    right, said, cases = np.zeros(many, dtype=int), np.zeros(many, dtype=int), np.full(many, 200)
    for before, n in pairwise((0, *rule.looks)):
        right += rng.binomial(n - before, truth, many)
        k = np.arange(n + 1)
        above = np.array([hs.laws.Beta(x + 2 / 3, n - x + 2 / 3).prob(above=0.8) for x in k])
        decided = np.where(above >= rule.certainty, 1, np.where(1 - above >= rule.certainty, -1, 0))[right]
        fresh = (said == 0) & (decided != 0)
        said[fresh], cases[fresh] = decided[fresh], n
    assert np.mean(said == 1) == pytest.approx(stated["above"], abs=0.01)
    assert np.mean(said == -1) == pytest.approx(stated["below"], abs=0.01)
    assert cases.mean() == pytest.approx(stated["cases"], rel=0.01)


@pytest.mark.sweep(1, full=6)
@pytest.mark.parametrize(
    ("looks", "alpha"), [([100], 0.05), ([50, 100, 150, 200], 0.01), (list(range(10, 400, 10)), 0.05)]
)
def test_looking_often_does_not_make_a_rule_err_often(looks: list[int], alpha: float) -> None:
    rule = hs.stopping_rule(looks, 0.75, alpha=alpha)
    at = rule.rates(0.75)
    assert rule.wrong == at["above"]
    assert max(at["above"], at["below"]) <= alpha
    assert rule.certainty > 1 - alpha - 0.02
    naive = StoppingRule(rule.looks, 0.75, 1 - alpha, 0.0, rule.prior).rates(0.75)
    assert len(looks) == 1 or naive["above"] + naive["below"] > 2 * alpha
    assert str(alpha)[:3] in str(rule) or "with probability" in str(rule)


def test_rules_that_make_no_sense() -> None:
    for looks in ([], [0, 10], [20, 10], [10, 10], [10**6]):
        with pytest.raises(InvalidArgument, match="increasing numbers of cases"):
            hs.stopping_rule(looks, 0.8)
    with pytest.raises(InvalidArgument, match="strictly between 0 and 1"):
        hs.stopping_rule([10], 1.0)


@pytest.mark.parametrize(("zero", "expected"), [(150.4, 151), (999.2, 1000), (40.6, 41)])
def test_the_answer_is_the_first_whole_number_from_the_zero_on(zero: float, expected: int) -> None:
    def slack(n: int, tests: int) -> np.ndarray:
        # one test in five is below the line, by next to nothing
        return 1 - np.sqrt(zero / n) + 1e-7 * np.linspace(-0.2, 0.8, tests)

    found = simulated_answer(slack, 0.8, 2001)
    assert found is not None
    assert found.error < 0.01
    assert found.n == expected


def test_an_answer_that_other_tests_call_too_small_is_raised_until_they_do_not() -> None:
    asked: list[int] = []

    def assurance(n: int) -> tuple[float, float]:
        asked.append(n)
        return (0.79, 0.005) if n < 120 else (0.81, 0.005)

    assert borne_out(Solution(100, None, 5.0), 0.8, assurance).n == 135
    assert asked == [100, 105, 115, 135]
    # within the error of the tests it stays
    assert borne_out(Solution(100, None, 5.0), 0.8, lambda n: (0.796, 0.005)).n == 100


def test_the_probability_of_being_best_is_that_of_the_ranking() -> None:
    right, n = np.array([430, 423, 390, 428]), 500
    board = {str(i): hs.Posterior.from_accuracy(correct=int(k), n=n, prior="flat") for i, k in enumerate(right)}
    expected = hs.rank(board, entries="independent")["0"].p_best
    found = best_probabilities((right + 1.0)[None], (n - right + 1.0)[None])[0]
    assert found == pytest.approx(expected, abs=1e-8)


def test_boards_that_cannot_be_settled() -> None:
    with pytest.raises(InvalidArgument, match="share the top"):
        hs.settle({"a": 0.9, "b": 0.9})
    with pytest.raises(InvalidArgument, match="2 to 200 scores"):
        hs.settle([0.9])
    with pytest.raises(InvalidArgument, match="from 0 to 1"):
        hs.settle([90, 80])


@pytest.mark.full
def test_the_top_of_a_board_does_not_depend_on_the_order_of_its_scores() -> None:
    asked = {"b": 0.87, "c": 0.80, "a": 0.92}
    made, turned = hs.settle(asked, n=300), hs.settle(dict(sorted(asked.items())), n=300)
    assert made.assurance == turned.assurance
    assert made.goal.target == pytest.approx(0.05)
    assert "a has 0.92 and the next, b, 0.87" in made.supposed[0]


@pytest.mark.full
def test_a_top_that_is_far_ahead_is_settled_by_few_cases_and_a_near_one_is_not() -> None:
    assert hs.settle({"a": 0.95, "b": 0.70, "c": 0.60}, n=300).assurance > 0.99
    assert hs.settle({"a": 0.71, "b": 0.70, "c": 0.60}, n=300).assurance < 0.3


def test_the_rates_that_are_shown_lie_in_steps_of_a_standard_error_of_all_cases() -> None:
    rule = StoppingRule((50, 100, 400), 0.5, 0.98, 0.04, (1, 1))
    assert rule.around == (0.4, 0.45, 0.475, 0.5, 0.525, 0.55, 0.6)


# -- labels beside a judge: the formula, its worth, plans that hold, and which cases to label next --------------------

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


# -- a plan of two classifiers is by the rule of the gate that will read them, and under the prior that it

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
