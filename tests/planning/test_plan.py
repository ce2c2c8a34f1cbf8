"""The question: goals, suppositions, and what is refused; cases for an area under the curve."""

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.metrics import parse
from howsure.planning.counted_goals import rate_of
from howsure.planning.digits import rule_of_thumb
from howsure.planning.goal import Goal
from howsure.planning.score_plan import PlannedAreas, World
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
