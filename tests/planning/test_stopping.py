"""Stopping rules, the top of a board, and the smallest n of simulated tests."""

from itertools import pairwise

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.planning.goal import Solution, borne_out, simulated_answer
from howsure.planning.leaderboard import best_probabilities
from howsure.planning.next_labels import StoppingRule


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
