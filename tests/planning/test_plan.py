"""The question: goals, suppositions, sentences, and what is refused."""

import json
import re

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.metrics import parse
from howsure.planning.plan import Plan
from howsure.planning.single_rate import rate_of, recall_weights
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.named_priors import resolve_prior

TWO = ("negative", "positive")


@pytest.fixture(scope="module")
def pilot() -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))


@pytest.fixture(scope="module")
def simulated() -> Plan:
    return hs.plan("f1", width=0.2, guess={"recall": 0.9, "specificity": 0.8, "prevalence": 0.3})


def test_the_numbers_of_the_issue() -> None:
    made = hs.plan("accuracy", width=0.19, mode=0.8, concentration=10)
    assert (made.n, made.first, made.route) == (103, 103, "exact")
    fewer = hs.plan("accuracy", width=0.19, mode=0.8, concentration=10, n=100)
    assert fewer.assurance == pytest.approx(0.87744, abs=1e-5)
    compared = hs.plan("accuracy", difference=0.05, guess=0.8, assurance=0.8, prior="flat")
    assert (compared.n, compared.pairing) == (712, "separate test sets")
    assert compared.assurance == pytest.approx(0.80007, abs=1e-5)


@pytest.mark.parametrize(
    ("metric", "index", "mirrored"),
    [
        ("accuracy", None, False),
        ("error_rate", None, True),
        ("recall", 1, False),
        ("false_negative_rate", 1, True),
        ("specificity", 0, False),
        ("false_positive_rate", 0, True),
        ("recall@negative", 0, False),
        ("f1@micro", None, False),
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


@pytest.mark.parametrize("metric", ["balanced_accuracy", "informedness", "precision", "mcc", "weighted_recall", "bias"])
def test_metrics_that_are_not(metric: str) -> None:
    assert rate_of(parse(metric, TWO, "positive"), 2, resolve_prior("flat", 2)) is None


def test_weights_of_recalls() -> None:
    prior = resolve_prior("flat", 2)
    assert recall_weights(parse("informedness", TWO, "positive"), 2, prior).tolist() == [1, 1]  # type: ignore[union-attr]
    assert recall_weights(parse("f1", TWO, "positive"), 2, prior) is None


@pytest.mark.deep
def test_a_mirrored_metric_needs_as_many_cases() -> None:
    for kind in ({"width": 0.1}, {"difference": 0.1, "assurance": 0.8}):
        up, down = hs.plan("accuracy", guess=0.85, **kind), hs.plan("error_rate", guess=0.15, **kind)
        assert up.n == down.n
        assert up.assurance == pytest.approx(down.assurance, abs=1e-9)
    assert hs.plan("accuracy", above=0.8, guess=0.9).n == hs.plan("error_rate", below=0.2, guess=0.1).n


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


def test_without_a_guess_the_worst_case_is_taken_and_said() -> None:
    made = hs.plan("recall", width=0.1)
    assert "worst case" in made.supposed[0]
    assert made.n == 381
    assert all(hs.plan("recall", width=0.1, guess=p).n <= made.n for p in (0.3, 0.5, 0.7, 0.95))


@pytest.mark.deep
def test_without_a_guess_the_worst_case_is_taken_of_drawn_and_compared_metrics_too() -> None:
    drawn = hs.plan("mcc", width=0.6)
    assert "worst case" in drawn.supposed[0]
    assert drawn.n >= hs.plan("mcc", width=0.6, guess=0.8).n
    assert "worst case" in hs.plan("accuracy", difference=0.2, assurance=0.8).supposed[0]


@pytest.mark.deep
def test_pairing_saves_cases_and_more_the_more_they_agree() -> None:
    separate = hs.plan("accuracy", difference=0.05, guess=0.8, assurance=0.8).n
    sizes = [
        hs.plan("accuracy", difference=0.05, guess=0.8, assurance=0.8, paired={"correlation": r}).n
        for r in (0.0, 0.5, 0.8)
    ]
    assert 0.95 * separate < sizes[0] < 1.2 * separate  # pairs are planned for the sign test, which asks for more
    assert sizes[0] > sizes[1] > sizes[2]


@pytest.mark.deep
def test_non_inferiority_and_superiority_meet() -> None:
    wide = hs.plan("accuracy", margin=0.1, guess=0.8, assurance=0.8).n
    narrow = hs.plan("accuracy", margin=0.05, guess=0.8, assurance=0.8).n
    helped = hs.plan("accuracy", margin=0.05, difference=0.02, guess=0.8, assurance=0.8).n
    assert wide < helped < narrow


@pytest.mark.sweep(1)
@pytest.mark.parametrize("kind", ["difference", "width", "above"])
def test_what_n_cases_can_show_is_the_inverse_of_the_plan(kind: str) -> None:
    found = hs.detect("accuracy", 250, goal=kind, guess=0.8, assurance=0.8)  # type: ignore[arg-type]
    target = found.goal.target
    assert hs.plan("accuracy", guess=0.8, n=250, assurance=0.8, **{kind: target}).assurance >= 0.8
    harder = target * (0.985 if kind != "above" else 1.015)
    assert hs.plan("accuracy", guess=0.8, n=250, assurance=0.8, **{kind: harder}).assurance < 0.8


@pytest.mark.deep
def test_what_n_cases_can_show_of_a_drawn_metric() -> None:
    found = hs.detect("mcc", 200, goal="width", guess=0.6, assurance=0.9)
    assert found.goal.target == pytest.approx(4 / np.sqrt(200) * 0.8, rel=0.1)
    assert found.assurance >= 0.9


def test_chance_comes_from_the_metric() -> None:
    assert hs.plan("accuracy", above="chance", guess=0.6).goal.target == 0.5
    assert hs.plan("balanced_accuracy", above="chance", guess=0.6, classes=4).goal.target == 0.25
    with pytest.raises(InvalidArgument, match="declares no value of chance"):
        hs.plan("recall", above="chance", guess=0.6)


def test_a_pilot_is_a_supposition(pilot: hs.Posterior) -> None:
    made = hs.plan("accuracy", width=0.1, pilot=pilot)
    known = hs.plan("accuracy", width=0.1, pilot=hs.Posterior.from_accuracy(correct=87, n=100))
    assert made.n == known.n
    assert made.per_class == {"healthy": round(made.n / 2), "ill": round(made.n / 2)}
    sharp = hs.infer(hs.ConfusionMatrix(1000 * pilot.confusion.counts, labels=pilot.labels))
    assert hs.plan("accuracy", width=0.1, pilot=sharp).n < made.n


@pytest.mark.deep
def test_a_rare_class_by_design(pilot: hs.Posterior) -> None:
    clinic = pilot.at_prevalence([0.98, 0.02])
    made = hs.plan("precision@ill", width=0.3, pilot=clinic, assurance=0.8)
    assert made.per_class["healthy"] == made.per_class["ill"]
    assert any("stated prevalence" in x for x in made.supposed)


@pytest.mark.deep
def test_the_smallest_total_for_balanced_accuracy() -> None:
    guess = {"recall": 0.99, "specificity": 0.6}
    even = hs.plan("balanced_accuracy", width=0.1, guess=guess, design=[0.5, 0.5])
    best = hs.plan("balanced_accuracy", width=0.1, guess=guess, design="optimal")
    assert best.n < 0.95 * even.n
    assert best.per_class["negative"] > best.per_class["positive"]
    with pytest.raises(InvalidArgument, match="weighted sum of recalls"):
        hs.plan("f1", width=0.1, guess=guess, design="optimal")


def test_a_plan_says_everything(simulated: Plan) -> None:
    text = str(simulated)
    assert simulated.sentence in text
    assert "recall 0.9, specificity 0.8, prevalence 0.3" in text
    assert "Monte Carlo error" in text
    assert simulated.first is None
    assert simulated.n_error > 0
    assert simulated.to_markdown().startswith("**About ")
    assert "<table>" in simulated._repr_html_()
    assert simulated.to_csv().splitlines()[0] == "n,low,middle,high"
    data = json.loads(json.dumps(simulated.to_dict(), allow_nan=False))
    assert (data["kind"], data["goal"], data["n"]) == ("plan", "width", simulated.n)
    assert len(data["curve"]) == len(simulated.curve)
    assert simulated.plot().count("o") == len(simulated.curve)
    assert repr(simulated).startswith("<Plan: About ")


@pytest.mark.deep
def test_the_same_call_gives_the_same_plan(simulated: Plan) -> None:
    again = hs.plan("f1", width=0.2, guess={"recall": 0.9, "specificity": 0.8, "prevalence": 0.3})
    assert again.to_dict() == simulated.to_dict()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"width": 0}, "interval without width"),
        ({"width": "0.1"}, "width is above 0"),
        ({"width": 0.1, "assurance": 1}, "no finite test is certain"),
        ({"width": 0.1, "assurance": 0}, "strictly between 0 and 1"),
        ({"width": 0.1, "level": 95}, "95 % is 0.95"),
        ({"difference": 0, "guess": 0.8}, "difference of 0"),
        ({"difference": -0.1, "guess": 0.8}, "0 or more"),
        ({"difference": 0.3, "guess": 0.8}, "leaves room for 0.2 only"),
        ({"difference": 0.1, "paired": 0.05}, "disagree on at least"),
        ({"difference": 0.1, "paired": {"correlation": 0.5}}, "together with a guess"),
        ({"difference": 0.1, "paired": {"kappa": 0.5}}, "share of cases on which only one is right"),
        ({}, "a plan has one goal"),
        ({"width": 0.1, "above": 0.8}, "a plan has one goal"),
        ({"above": 0.8}, "needs a guess"),
        ({"above": 0.8, "guess": 0.8}, "no number of cases"),
        ({"above": 0.8, "guess": 0.7}, "no number of cases"),
        ({"above": 0.8, "mode": 0.85, "concentration": 20}, "with probability 0.614 only"),
        ({"above": 1.5, "guess": 0.7}, "no threshold in it"),
        ({"width": 0.1, "guess": 1.2}, "guess is a number from 0 to 1"),
        ({"width": 0.1, "guess": {"recall": 0.9}}, "names recall and specificity"),
        ({"width": 0.1, "guess": 0.8, "mode": 0.8, "concentration": 9}, "got several"),
        ({"width": 0.1, "mode": 0.8}, "go together"),
        ({"width": 0.1, "mode": 0.8, "concentration": 2}, "above 2"),
        ({"width": 0.1, "guess": 0.8, "paired": 0.1}, "about two classifiers"),
        ({"width": 0.1, "guess": 0.8, "n": 0}, "whole number of cases"),
        ({"width": 0.1, "guess": 0.8, "classes": 1}, "from 2 to 100,000"),
        ({"width": 0.1, "guess": 0.8, "design": [0.5, 0.6]}, "adding to 1"),
        ({"width": 0.1, "pilot": "file.csv"}, "pilot is a posterior"),
    ],
    ids=str,
)
def test_impossible_and_silly_goals_get_a_sentence(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.plan("accuracy", **arguments)  # type: ignore[arg-type]


def test_guesses_out_of_reach_and_metrics_without_direction() -> None:
    with pytest.raises(InvalidArgument, match="out of reach"):
        hs.plan("mcc", width=0.1, guess=1.5)
    with pytest.raises(InvalidArgument, match="no better or worse"):
        hs.plan("prevalence", difference=0.1)
    with pytest.raises(InvalidArgument, match="at most 30"):
        hs.plan("f1@macro", width=0.1, guess=0.8, classes=100)
    with pytest.raises(InvalidArgument, match="some mass"):
        hs.plan("mcc", width=0.1, guess=0.8, prior="haldane")
    with pytest.raises(InvalidArgument, match="no difference in accuracy can be shown"):
        hs.detect("accuracy", 3, guess=0.99, assurance=0.99)


@pytest.mark.parametrize(
    ("metric", "asked", "said"),
    [
        (
            "accuracy",
            {"width": 10},
            "width is below 1, because accuracy lies between 0 and 1; not 10 (10 % is width=0.1)",
        ),
        ("accuracy", {"width": 1, "n": 50}, "width is below 1, because accuracy lies between 0 and 1; not 1$"),
        ("mcc", {"width": 2.0, "guess": 0.8}, "width is below 2, because mcc lies between -1 and 1; not 2"),
        ("roc_auc", {"width": 5, "guess": 0.8}, "5 % is width=0.05"),
        ("accuracy", {"difference": 5}, "5 % is difference=0.05"),
        ("accuracy", {"margin": 2}, "2 % is margin=0.02"),
        ("accuracy", {"above": 80, "guess": 0.9, "n": 10}, "80 is no threshold in it (80 % is above=0.8)"),
    ],
)
def test_a_goal_that_every_test_reaches_is_none(metric: str, asked: dict[str, float], said: str) -> None:
    with pytest.raises(InvalidArgument, match=re.escape(said.removesuffix("$")) + "$" * said.endswith("$")):
        hs.plan(metric, **asked)


def test_widths_of_a_ratio_have_no_bound() -> None:
    rates = {"recall": 0.9, "specificity": 0.8, "prevalence": 0.5}
    assert hs.plan("lr+", width=10, guess=rates, n=50).goal.target == 10
