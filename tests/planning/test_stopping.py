"""Stopping rules and questions of planning that make no sense."""

from itertools import pairwise

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.planning.stopping import StoppingRule


@pytest.mark.parametrize("truth", [0.8, 0.86, 0.7])
def test_a_stopping_rule_errs_as_often_as_simulated(truth: float) -> None:
    rule = hs.stopping_rule([40, 80, 120, 200], 0.8)
    stated = rule.rates(truth)
    assert sum(stated[x] for x in ("above", "below", "open")) == pytest.approx(1)
    rng, many = np.random.default_rng(2), 40_000
    right, said, cases = np.zeros(many, dtype=int), np.zeros(many, dtype=int), np.full(many, 200)
    for before, n in pairwise((0, *rule.looks)):
        right += rng.binomial(n - before, truth, many)
        k = np.arange(n + 1)
        above = np.array([hs.laws.Beta(x + 1, n - x + 1).prob(above=0.8) for x in k])
        decided = np.where(above >= rule.certainty, 1, np.where(1 - above >= rule.certainty, -1, 0))[right]
        fresh = (said == 0) & (decided != 0)
        said[fresh], cases[fresh] = decided[fresh], n
    assert np.mean(said == 1) == pytest.approx(stated["above"], abs=0.01)
    assert np.mean(said == -1) == pytest.approx(stated["below"], abs=0.01)
    assert cases.mean() == pytest.approx(stated["cases"], rel=0.01)


@pytest.mark.parametrize("looks", [[100], [50, 100, 150, 200], list(range(10, 400, 10))])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
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


def test_hostile_questions_get_a_sentence() -> None:
    for ask, sentence in (
        (lambda: hs.settle(None), "scores are accuracies"),  # type: ignore[arg-type]
        (lambda: hs.digits(1, "mcc"), "takes a posterior"),  # type: ignore[arg-type]
        (lambda: hs.outlook("x", "mcc", above=0.5, more=1), "takes a posterior"),  # type: ignore[arg-type]
        (lambda: hs.stopping_rule(["a"], 0.8), "increasing numbers of cases"),  # type: ignore[list-item]
        (lambda: hs.stopping_rule(50, 0.8), "increasing numbers of cases"),  # type: ignore[arg-type]
        (lambda: hs.stopping_rule([50], 0.8, alpha=1e-9), "no certainty up to"),
        (lambda: hs.stopping_rule([50], 0.8, alpha=0), "alpha is a probability"),
        (lambda: hs.rule_of_thumb(sizes=[0]), "whole number of cases"),
        (lambda: hs.detect("accuracy", 10**9, guess=0.8), "up to 3,000,000"),
        (lambda: hs.detect("accuracy", 100, guess=0.8, margin=float("nan")), "0 or more"),
        (lambda: hs.detect("accuracy", 100, goal="above", guess=0.8, margin=0.1), "goes with goal"),
        (lambda: hs.plan("accuracy", difference=1e-9, guess=0.8), "up to 3,000,000"),
        (lambda: hs.plan("accuracy", width=0.1, classes=10**6), "from 2 to 100,000"),
    ):
        with pytest.raises(InvalidArgument, match=sentence):
            ask()  # type: ignore[no-untyped-call]
    assert str(hs.plan("accuracy", width=0.99, guess=0.8)).startswith("1 case gives")


def test_the_rates_that_are_shown_lie_in_steps_of_a_standard_error_of_all_cases() -> None:
    rule = StoppingRule((50, 100, 400), 0.5, 0.98, 0.04, (1, 1))
    assert rule.around == (0.4, 0.45, 0.475, 0.5, 0.525, 0.55, 0.6)
