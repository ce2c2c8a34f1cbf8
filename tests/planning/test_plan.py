"""Plans against sums over outcomes and simulation: sizes, pilots, groups, digits."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import betabinom, binom

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.laws import GroupMeans
from howsure.metrics import parse
from howsure.numerics.populations.group_bootstrap import drawn_tests, means_after, paired_tests
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.trials.assurance import Truth, strictly_better
from howsure.planning.counted_goals import OneRate, PairedRates, rate_of
from howsure.planning.digits import rule_of_thumb, thumb_csv, thumb_table, width_for
from howsure.planning.goal import Goal
from howsure.planning.plan import Plan
from howsure.planning.planned_groups import ByDesignEffect, SimulatedGroups
from howsure.planning.score_plan import PlannedAreas, World
from howsure.planning.truth import GroupSizes
from howsure.posterior.accuracy import AccuracyPosterior

TWO = ("negative", "positive")


@pytest.fixture(scope="module")
def pilot() -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))


@pytest.mark.full
def test_the_numbers_of_the_issue() -> None:
    made = hs.plan("accuracy", width=0.19, mode=0.8, concentration=10, prior="flat")
    assert (made.n, made.first, made.route) == (103, 103, "exact")
    fewer = hs.plan("accuracy", width=0.19, mode=0.8, concentration=10, n=100, prior="flat")
    assert fewer.assurance == pytest.approx(0.87744, abs=1e-5)
    compared = hs.plan("accuracy", difference=0.05, guess=0.8, assurance=0.8, prior="flat")
    assert (compared.n, compared.pairing) == (712, "separate test sets")
    assert compared.assurance == pytest.approx(0.80007, abs=1e-5)


@pytest.mark.parametrize(
    ("metric", "index", "mirrored"),
    [
        ("accuracy", None, False),
        ("recall", 1, False),
        ("specificity", 0, False),
        ("recall@negative", 0, False),
        ("prevalence", None, False),
    ],
)
def test_metrics_that_are_one_rate(metric: str, index: int | None, mirrored: bool) -> None:
    prior = hs.Prior(2, 1, prevalence=3, accuracy=(2.0, 1.0))
    found = rate_of(parse(metric, TWO, "positive"), 2, prior)
    assert found is not None
    assert found.index == index
    if metric != "prevalence":
        assert found.prior == ((1, 2) if mirrored else (2, 1))


def test_a_pilot_of_errors_is_that_of_right_answers() -> None:
    known = AccuracyPosterior(correct=45, n=50)
    up, down = (
        hs.plan("accuracy", above=0.7, pilot=known, assurance=0.8),
        hs.plan("error_rate", below=0.3, pilot=known, assurance=0.8),
    )
    assert up.n == down.n
    assert up.assurance == pytest.approx(down.assurance, abs=1e-9)


def test_n_counts_the_denominator_and_is_translated() -> None:
    made = hs.plan("recall", width=0.1, guess={"recall": 0.9, "specificity": 0.8, "prevalence": 0.1})
    assert made.n == hs.plan("recall", width=0.1, guess=0.9).n
    assert made.per_class == {"positive": made.n}
    assert made.total == 10 * made.n
    assert made.unit == "cases of class 'positive'"
    assert hs.plan("recall", width=0.1, guess=0.9).total is None


@pytest.mark.full
def test_without_a_guess_the_worst_case_is_taken_and_said() -> None:
    made = hs.plan("recall", width=0.1, prior="flat")
    assert "worst case" in made.supposed[0]
    assert made.n == 381
    assert all(hs.plan("recall", width=0.1, guess=p, prior="flat").n <= made.n for p in (0.3, 0.5, 0.7, 0.95))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("kind", ["width", "difference"])
def test_what_n_cases_can_show_is_the_inverse_of_the_plan(kind: str) -> None:
    found = hs.detect("accuracy", 250, goal=kind, guess=0.8, assurance=0.8)  # type: ignore[arg-type]
    target = found.goal.target
    assert hs.plan("accuracy", guess=0.8, n=250, assurance=0.8, **{kind: target}).assurance >= 0.8
    assert hs.plan("accuracy", guess=0.8, n=250, assurance=0.8, **{kind: 0.985 * target}).assurance < 0.8


@pytest.mark.full
def test_chance_comes_from_the_metric() -> None:
    assert hs.plan("accuracy", above="chance", guess=0.6, n=50).goal.target == 0.5
    assert hs.plan("balanced_accuracy", above="chance", guess=0.6, classes=4, n=50).goal.target == 0.25
    with pytest.raises(InvalidArgument, match="declares no value of chance"):
        hs.plan("recall", above="chance", guess=0.6)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"width": 0}, "interval without width"),
        ({"width": 0.1, "level": 95}, "95% is 0.95"),
        ({"difference": 0.1, "paired": 0.05}, "disagree on at least"),
        ({"difference": 0.1, "paired": {"kappa": 0.5}}, "share of cases on which only one is right"),
        ({"above": 0.8, "guess": 0.8}, "no number of cases"),
        ({"above": 0.8, "mode": 0.85, "concentration": 20}, "with probability 0.614 only"),
        ({"width": 0.1, "guess": 0.8, "mode": 0.8, "concentration": 9}, "got several"),
        ({"width": 0.1, "guess": 0.8, "n": 0}, "integer number of cases"),
        ({"width": 0.1, "guess": 0.8, "design": [0.5, 0.6]}, "adding to 1"),
    ],
    ids=str,
)
def test_impossible_and_silly_goals_get_a_sentence(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.plan("accuracy", **arguments)  # type: ignore[arg-type]


@pytest.mark.full
def test_pairs_need_as_many_cases_as_hanley_and_mcneil_say():
    """The variance of an area by their formula, at sizes that make both errors 5% and 20%."""
    made = hs.plan("roc_auc", difference=0.1, guess=0.75, assurance=0.8)

    def variance(area, m, n):
        q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
        return (area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (m * n)

    half = made.n // 2
    z = 0.1 / np.sqrt(variance(0.85, half, half) + variance(0.75, half, half))
    assert z == pytest.approx(1.645 + 0.842, rel=0.12)


def test_the_same_cases_need_fewer():
    apart = PlannedAreas(Goal("difference", 0.08, 0.95), "cases", World((0.83, 0.75)), 0.5, paired=False)
    paired = PlannedAreas(Goal("difference", 0.08, 0.95), "cases", World((0.83, 0.75), 0.8), 0.5)
    assert paired.assurance(200)[0] > apart.assurance(200)[0] + 0.1


@pytest.mark.full
def test_a_pilot_is_drawn_from_again():
    rng = np.random.default_rng(4)
    truth = np.arange(80) % 2
    base = rng.normal(size=80) + truth
    pilot = hs.Scores(truth, {"new": base, "old": base + rng.normal(size=80)})
    made = hs.plan("roc_auc", width=0.2, pilot=pilot.of("new"), n=120)
    assert made.total == 120
    assert made.per_class == {"positive": 60, "negative": 60}
    assert any("sampled from it" in words for words in made.supposed)
    assert hs.plan("roc_auc", difference=0.1, pilot=pilot, n=300).assurance > 0.5


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"width": 0.1}, "needs the area"),
        ({"width": 0.1, "guess": 0.8, "prevalence": 0}, "share of the positive class"),
        ({"width": 0.1, "guess": 0.8, "paired": {"correlation": 0.5}}, "two classifiers"),
        ({"difference": 0.1, "guess": 0.8, "paired": {"correlation": 2}}, "correlation"),
        ({"width": 0.1, "guess": 0.8, "prior": "flat"}, "leave prior= out"),
        ({"width": 0.1, "pilot": hs.ConfusionMatrix([[5, 1], [2, 7]])}, "is Scores of two classes"),
    ],
)
def test_what_cannot_be_planned_is_said(asked, said):
    with pytest.raises(InvalidArgument, match=said):
        hs.plan("roc_auc", **asked)


@pytest.mark.full
def test_the_upper_width_of_the_rule_of_thumb_is_what_a_plan_is_sure_of() -> None:
    for metric in ("accuracy", "f1"):
        (row,) = rule_of_thumb(metric, mode=0.8, concentration=10, sizes=[100])
        for width, share in ((row.typical, 0.5), (row.upper, 0.95)):
            made = hs.plan(metric, width=width, n=100, mode=0.8, concentration=10)
            assert made.assurance == pytest.approx(share, abs=0.015)


# -- plans of cases in groups: simulated tests by a second route, what the answer holds, and what is refused ----------

SUPPOSED = {"width": 0.2, "guess": 0.8, "assurance": 0.8, "group_size": 10, "icc": 0.3}


def pilot_of_plan_groups(groups: int = 12, size: int = 6, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(groups), size)
    truth = np.arange(len(place)) % 2
    right = rng.random(len(place)) < rng.beta(8, 2, groups)[place]
    return truth, np.where(right, truth, 1 - truth), place


@pytest.mark.parametrize(
    ("mean", "icc", "size", "groups"), [(0.8, 0.3, 10, 20), (0.97, 0.1, 8, 12), (0.6, 0.0, 5, 200)]
)
def test_simulated_tests_say_what_a_report_says(mean: float, icc: float, size: int, groups: int) -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 2 * size, (4, groups))
    right = drawn_tests(np.full(4, mean), np.full(4, icc), sizes, rng)
    made = means_after(right, sizes, (1.0, 1.0))
    widths, ends = made.widths(0.95), made.quantiles(np.array([0.05, 0.5]))
    for i in range(4):
        law = GroupMeans([(PopulationMean(right[i], sizes[i]), 1.0)])
        assert widths[i] == pytest.approx(law.interval(0.95, "hdi").width, rel=0.02)
        assert ends[i] == pytest.approx(law.quantile(np.array([0.05, 0.5])), abs=0.004)
        assert made.above(mean)[i] == pytest.approx(law.prob(above=mean), abs=0.01)


def test_what_is_won_and_lost_has_the_correlation_that_is_asked_for() -> None:
    rng = np.random.default_rng(0)
    wins, losses, icc, size = 0.2, 0.1, 0.25, 10
    many = np.ones(400)
    gain = paired_tests(wins * many, losses * many, icc * many, np.full((400, 50), size), rng)
    one = wins + losses - (wins - losses) ** 2
    assert gain.mean() / size == pytest.approx(wins - losses, abs=0.005)
    assert gain.var() == pytest.approx(size * one * (1 + icc * (size - 1)), rel=0.05)


@pytest.mark.full
def test_the_design_effect_is_near_what_is_simulated() -> None:
    alone = OneRate(Goal("width", 0.2, 0.95), "cases", (1.0, 1.0), Truth(0.8))
    groups = GroupSizes(np.array([10]), np.array([0.3]))
    guide, simulated = (kind(alone.goal, alone.unit, alone, groups, 0) for kind in (ByDesignEffect, SimulatedGroups))
    rough = guide.solve(0.8)
    assert rough is not None
    # a few groups more: how alike cases are is not known; and not twice as many
    assert simulated.assurance(round(0.8 * rough.n))[0] < 0.8
    assert simulated.assurance(round(1.3 * rough.n))[0] > 0.8
    assert guide.worth(20) == round(200 / 3.7)


@pytest.mark.full
def test_a_number_of_cases_that_is_given() -> None:
    made = hs.plan("accuracy", n=405, **{k: v for k, v in SUPPOSED.items() if k != "assurance"})
    assert made.groups is not None
    assert (made.n, made.groups.groups) == (400, 40)
    assert made.groups.worth == pytest.approx(400 / 3.7)
    assert "400 cases in 40 groups of 10 give" in made.sentence
    assert "the 400 cases of 40 groups are equivalent to about 108." in made.remarks
    assert any("405 cases were given" in x for x in made.remarks)
    told = json.loads(json.dumps(made.to_dict()))
    assert told["groups"]["groups"] == 40
    assert min(p["n"] for p in told["curve"]) >= 50


@pytest.mark.full
def test_a_pilot_says_how_large_and_how_alike_groups_are() -> None:
    truth, said, place = pilot_of_plan_groups()
    counts = hs.ConfusionMatrix.from_predictions(truth, said, group=place)
    made = hs.plan("accuracy", width=0.2, pilot=counts, n=240)
    assert made.groups is not None
    assert (made.groups.groups, made.groups.size) == (40, 6)
    assert made.groups.icc == pytest.approx(hs.report(hs.infer(counts), ["accuracy"]).groups.correlation[0], abs=0.02)  # type: ignore[union-attr, index]
    stated = hs.plan("accuracy", width=0.2, pilot=counts, n=240, icc=0.0)
    assert stated.groups is not None
    assert stated.groups.worth == pytest.approx(240)
    these = hs.plan("accuracy", width=0.2, pilot=hs.infer(counts, groups="these"))
    assert these.groups is None
    assert any("its own groups again" in x for x in these.notes)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"icc": None}, "icc="),
        ({"icc": 1.0}, "from 0 to below 1"),
        ({"group_size": 0}, "from 1 to 10,000"),
        ({"n": 30}, "below 5 groups"),
    ],
)
def test_groups_that_none_can_have(more: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.plan("accuracy", **{**SUPPOSED, **more})  # type: ignore[arg-type]


# -- what a pilot may be, and plans under the prior that is learned from the classes of the test ----------------------


def answers(truth: np.ndarray, recall: float, seed: int) -> np.ndarray:
    right = np.random.default_rng(seed).random(len(truth)) < recall
    return np.where(right, truth, (truth + 1) % 3)


@pytest.fixture(scope="module")
def both() -> hs.Predictions:
    truth = np.arange(120) % 3
    return hs.Predictions(truth, {"new": answers(truth, 0.9, 1), "old": answers(truth, 0.8, 2)})


def test_two_classifiers_differ_on_as_many_cases_as_they_differ_by_at_least() -> None:
    """Of a pilot in which they hardly ever disagree: then only the new one is right where one alone is."""
    made = PairedRates(Goal("difference", 0.06, 0.95), "cases", Truth(4.0, 80.0))
    wins, losses, _ = made.rates
    assert wins - losses == pytest.approx(0.06)
    assert losses.min() == 0
    assert losses.max() > 0
    assert made.assurance(150)[0] == pytest.approx(float(np.mean(made.outcomes(150, 1) >= 0.95)), abs=0.03)


def test_a_pair_of_a_pilot_says_how_often_they_disagree(both: hs.Predictions) -> None:
    new, old = (both.answers(name) == both.truth for name in both.names)
    apart, cases, d = int((new != old).sum()), 120, 0.06
    made = hs.plan("accuracy", difference=d, pilot=both, n=250)
    assert (made.pairing, made.route) == ("the same cases", "exact")
    assert f"{apart} of {cases} cases of the pilot" in made.supposed[0]
    # by hand: the share of disagreement is Beta-distributed, the wins among m are binomial
    rng = np.random.default_rng(0)
    q = np.maximum(rng.beta(apart + 1, cases - apart + 1, 40_000), d)
    m = rng.binomial(250, q)
    wins = rng.binomial(m, (1 + d / q) / 2)
    reached = strictly_better(wins, m - wins) >= 0.95
    assert reached.mean() == pytest.approx(made.assurance, abs=4 * reached.std() / 200)


def test_pilots_that_do_not_fit(both: hs.Predictions) -> None:
    three = hs.Predictions(both.truth, dict.fromkeys("abc", both.truth))
    with pytest.raises(InvalidArgument, match="3 classifiers"):
        hs.plan("accuracy", difference=0.1, pilot=three)
    for call in (
        lambda: hs.plan("accuracy", width=0.1, pilot=both),
        lambda: hs.detect("accuracy", 100, goal="width", pilot=both),
        lambda: hs.detect("accuracy", 100, goal="above", guess=0.8, paired=0.1),
    ):
        with pytest.raises(InvalidArgument, match="about two classifiers"):
            call()
    with pytest.raises(InvalidArgument, match="pilot is a posterior"):
        hs.plan("accuracy", width=0.1, pilot=[[1, 2], [3, 4]])  # type: ignore[arg-type]


def test_what_the_learned_prior_cannot_plan() -> None:
    ten = {"classes": 10, "prior": "learned"}
    with pytest.raises(InvalidArgument, match="rests on the cases of all classes"):
        hs.plan("recall@1", width=0.1, **ten)
    with pytest.raises(InvalidArgument, match="with the pairs of 'flat'"):
        hs.plan("balanced_accuracy", difference=0.05, guess=0.8, paired=0.1, **ten)


def test_a_rate_counted_by_hand() -> None:
    """The Beta-binomial route, without any of ours: widths by the law, chances by scipy."""
    made = hs.plan("accuracy", width=0.12, mode=0.8, concentration=10, n=180)
    k = np.arange(181)
    low, high = np.array([hs.laws.Beta(x + 1, 181 - x).interval(0.95, "hdi") for x in k]).T
    assert made.assurance == pytest.approx(betabinom.pmf(k, 180, 7.4, 2.6)[high - low <= 0.12].sum(), abs=1e-9)
    fixed = hs.plan("accuracy", width=0.12, guess=0.8, n=180)
    assert fixed.assurance == pytest.approx(binom.pmf(k, 180, 0.8)[high - low <= 0.12].sum(), abs=1e-12)


# -- how many decimals of a number are known, and the rule of thumb of Toetsch and Hoffmann ---------------------------


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize(("correct", "n"), [(5, 10), (900, 1000), (4 * 10**6, 5 * 10**6)])
def test_a_decimal_is_known_when_it_is_wider_than_the_interval(correct: int, n: int) -> None:
    posterior = hs.Posterior.from_accuracy(correct=correct, n=n)
    made = hs.digits(posterior, "accuracy")
    assert made.width == posterior.of("accuracy").interval().width
    assert width_for(made.decimals + 1) <= made.width < width_for(made.decimals)
    assert made.next_width == pytest.approx(width_for(made.decimals + 1))


def test_one_more_digit() -> None:
    posterior = hs.Posterior.from_accuracy(correct=80, n=100)
    made = hs.digits(posterior, "accuracy")
    assert (made.decimals, made.next_width) == (0, pytest.approx(0.1))
    assert made.next_n == hs.plan("accuracy", width=made.next_width, pilot=posterior).n
    larger = hs.Posterior.from_accuracy(correct=round(0.8 * made.next_n), n=made.next_n)
    after = hs.digits(larger, "accuracy")
    assert after.decimals == 1
    assert str(after).startswith("accuracy is known to 1 decimal (its interval is 0.0")


@pytest.mark.deep
def test_figure_6_of_toetsch_and_hoffmann() -> None:
    rows = hs.rule_of_thumb()
    assert rows[-1].n == 10**6 * rows[0].n
    hundred = next(row for row in rows if row.n == 100)
    assert hundred.upper == pytest.approx(0.1921, abs=5e-5)
    assert hundred.rule == 0.2
    assert all(row.holds for row in rows)
    assert all(0.7 < row.upper / row.rule < 1 for row in rows)
    assert [a.upper > b.upper for a, b in pairwise(rows)] == [True] * (len(rows) - 1)


def test_the_rule_fails_for_informedness_by_a_factor_of_two() -> None:
    rows = hs.rule_of_thumb("informedness", mode=0.5, concentration=1e6, sizes=[50, 1000, 100_000, 10**7])
    assert not any(row.holds for row in rows)
    assert rows[0].rule == 2 / 50**0.5
    for row in rows[-2:]:
        assert row.upper * np.sqrt(row.n) == pytest.approx(4, rel=0.03)
    assert "no" in thumb_table(rows).text()
    assert thumb_csv(rows).startswith("n,typical,upper,rule")


# -- every plan is made again by other means: tests are simulated and each is read by the laws that users get ---------

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
