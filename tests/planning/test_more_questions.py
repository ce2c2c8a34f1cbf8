"""The top of a board, looking again, stopping, digits, and the rule of thumb."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import beta, betabinom

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.planning.digits import Digits, width_for
from howsure.planning.rule_of_thumb import thumb_csv, thumb_table
from howsure.planning.stopping import StoppingRule
from howsure.planning.top_of_board import best_probabilities
from howsure.posterior.knowledge import knowledge_of


def test_the_probability_of_being_best_is_that_of_the_ranking() -> None:
    right, n = np.array([430, 423, 390, 428]), 500
    board = {str(i): hs.Posterior.from_accuracy(correct=int(k), n=n) for i, k in enumerate(right)}
    expected = hs.rank(board)["0"].p_best
    found = best_probabilities((right + 1.0)[None], (n - right + 1.0)[None])[0]
    assert found == pytest.approx(expected, abs=1e-8)


def test_the_top_of_a_board_is_settled_as_often_as_stated() -> None:
    made = hs.settle({"a": 0.90, "b": 0.86, "c": 0.84}, assurance=0.8)
    rng = np.random.default_rng(3)
    settled = []
    for right in rng.binomial(made.n, [0.90, 0.86, 0.84], (200, 3)):
        board = {x: hs.Posterior.from_accuracy(correct=int(k), n=made.n) for x, k in zip("abc", right, strict=True)}
        settled.append(hs.rank(board)["a"].p_best >= 0.95)
    assert np.mean(settled) == pytest.approx(made.assurance, abs=4 * np.sqrt(0.16 / 200))
    assert made.assurance == pytest.approx(0.8, abs=0.05)
    assert "a is worth 0.9" in str(made)


def test_two_entries_are_a_comparison() -> None:
    two = hs.settle([0.85, 0.80], assurance=0.8)
    assert two.n == pytest.approx(712, abs=4 * two.n_error + 10)


def test_boards_that_cannot_be_settled() -> None:
    with pytest.raises(InvalidArgument, match="share the top"):
        hs.settle({"a": 0.9, "b": 0.9})
    with pytest.raises(InvalidArgument, match="2 to 200 scores"):
        hs.settle([0.9])
    with pytest.raises(InvalidArgument, match="from 0 to 1"):
        hs.settle([90, 80])


# -- looking again ------------------------------------------------------------------------------------------------


def test_what_more_cases_would_change_is_their_predictive_law() -> None:
    posterior = hs.Posterior.from_accuracy(correct=88, n=100)
    found = hs.outlook(posterior, "accuracy", above=0.8, more=50)
    k = np.arange(51)
    later = beta.sf(0.8, 89 + k, 13 + 50 - k)
    stays = betabinom.pmf(k, 50, 89, 13)[later >= 0.95].sum()
    assert found.now == "above"
    assert found.p_now == pytest.approx(beta.sf(0.8, 89, 13))
    assert found.later["above"] == pytest.approx(stays, abs=1e-9)
    assert (found.error, found.futures) == (0, 0)
    assert found.change == pytest.approx(1 - found.later["above"])
    assert sum(found.later.values()) == pytest.approx(1)


def test_what_is_all_but_certain_is_said_without_an_equals_sign() -> None:
    for above, said in ((0.5, "it is above (P > 0.999)"), (0.99, "it is below (P < 0.001)")):
        known = hs.Posterior.from_accuracy(correct=88, n=100)
        assert said in str(hs.outlook(known, "accuracy", above=above, more=10))
        assert " = " not in repr(hs.infer(hs.ConfusionMatrix([[88, 12], [12, 88]])).prob(f"accuracy > {above}"))


def test_an_outlook_for_a_drawn_metric_and_a_stated_prevalence() -> None:
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))
    found = hs.outlook(posterior, "recall@1", above=0.7, more=100)
    right, rng = posterior.draw(1000, seed=4), np.random.default_rng(4)
    extra = [rng.multinomial(100, t.ravel()).reshape(2, 2) for t in right]
    above = [hs.laws.Beta(43 + e[1, 1], 9 + e[1, 0]).prob(above=0.7) >= 0.95 for e in extra]
    assert found.later["above"] == pytest.approx(np.mean(above), abs=6 * found.error)
    clinic = hs.outlook(posterior.at_prevalence([0.9, 0.1]), "precision@1", above=0.3, more=50)
    assert 0 <= clinic.change <= 1
    assert "more would change that" in str(clinic)
    assert clinic.to_dict()["now"] == clinic.now


def test_noise_of_the_draws_is_no_change_of_an_outlook() -> None:
    """Ten further cases, every outcome of the positive class summed."""
    posterior = hs.infer(hs.ConfusionMatrix([[450, 50], [75, 425]]))
    cases, right = np.array([(m, k) for m in range(11) for k in range(m + 1)]).T
    chance = betabinom.pmf(cases, 10, 501, 501) * betabinom.pmf(right, cases, 426, 76)
    stays = chance[beta.sf(0.82, 426 + right, 76 + cases - right) >= 0.95].sum()
    found = hs.outlook(posterior, "recall@1", above=0.82, more=10)
    assert found.now == "above"
    assert found.later["above"] == pytest.approx(stays, abs=3 * found.error)
    assert 0.5 < stays < 0.99


def test_an_outlook_under_the_learned_prior_reads_every_continuation_with_it() -> None:
    rows = np.full((10, 10), 0)
    np.fill_diagonal(rows, 8)
    rows[np.arange(10), (np.arange(10) + 1) % 10] = 2
    posterior = hs.infer(hs.ConfusionMatrix(rows))
    assert knowledge_of(posterior).prior_name == "learned"
    found = hs.outlook(posterior, "balanced_accuracy", above=0.74, more=1)
    assert found.p_now == pytest.approx(posterior.of("balanced_accuracy").prob(above=0.74))
    # one more case moves hardly anything, so the decision stays unless the prior were another one
    assert (found.now, found.futures) == ("open", 200)
    assert found.later["open"] > 0.9


def test_outlooks_that_make_no_sense() -> None:
    posterior = hs.Posterior.from_accuracy(correct=88, n=100)
    with pytest.raises(InvalidArgument, match="more is a whole number"):
        hs.outlook(posterior, "accuracy", above=0.8, more=0)
    with pytest.raises(InvalidArgument, match="between 0 and 1"):
        hs.outlook(posterior, "accuracy", above=80, more=10)
    table = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]])).at_prevalence(cases=[490, 10])
    with pytest.raises(InvalidArgument, match="prevalence is of other cases"):
        hs.outlook(table, "precision@1", above=0.1, more=10)


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


# -- digits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("correct", "n"), [(5, 10), (88, 100), (900, 1000), (9_000, 10_000), (4 * 10**6, 5 * 10**6)])
def test_a_decimal_is_known_when_it_is_wider_than_the_interval(correct: int, n: int) -> None:
    posterior = hs.Posterior.from_accuracy(correct=correct, n=n)
    made = hs.digits(posterior, "accuracy")
    assert made.width == posterior.of("accuracy").interval().width
    assert width_for(made.decimals + 1) <= made.width < width_for(made.decimals)
    assert made.next_width == pytest.approx(width_for(made.decimals + 1))


def test_five_of_ten_is_known_to_no_decimal() -> None:
    made = hs.digits(hs.Posterior.from_accuracy(correct=5, n=10), "accuracy")
    assert made.decimals == 0
    assert str(made).startswith("accuracy has no decimal that is known (its interval is 0.53 wide); the first needs ")


def test_one_more_digit() -> None:
    posterior = hs.Posterior.from_accuracy(correct=80, n=100)
    made = hs.digits(posterior, "accuracy")
    assert (made.decimals, made.next_width) == (0, pytest.approx(0.1))
    assert made.next_n == hs.plan("accuracy", width=made.next_width, pilot=posterior).n
    larger = hs.Posterior.from_accuracy(correct=round(0.8 * made.next_n), n=made.next_n)
    after = hs.digits(larger, "accuracy")
    assert after.decimals == 1
    assert str(after).startswith("accuracy is known to 1 decimal (its interval is 0.0")


def test_the_numbers_of_cases_of_the_second_source() -> None:
    """0.1 %, "which is necessary to present a metric with a decimal": several million; 0.001 %: tens of billions."""
    million, billions = (hs.plan("accuracy", width=width).n for width in (1e-3, 1e-5))
    # 3.92 sd of a rate of one half, where the rule 2 / sqrt(n) says 4e6 and 4e10
    assert million == pytest.approx(3.8415e6, rel=1e-4)
    assert billions == pytest.approx(3.8415e10, rel=1e-4)
    assert (
        hs.digits(hs.Posterior.from_accuracy(correct=million // 2 - 1000, n=million - 2000), "accuracy").decimals == 2
    )
    assert hs.digits(hs.Posterior.from_accuracy(correct=million // 2, n=million + 2000), "accuracy").decimals == 3


def test_plans_of_a_rate_end_at_ten_million_millions() -> None:
    made = hs.plan("accuracy", width=1e-6, guess=0.8)
    assert made.n == pytest.approx((2 * 1.959964) ** 2 * 0.8 * 0.2 / 1e-12, rel=1e-3)
    assert made.assurance == pytest.approx(0.95, abs=1e-4)
    with pytest.raises(InvalidArgument, match="no number of cases up to 10,000,000,000,000 gives this goal"):
        hs.plan("accuracy", width=1e-7)


def test_digits_of_a_number_without_bounds_are_counted_from_its_size() -> None:
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))
    made = hs.digits(posterior, "dor", assurance=0.8)
    assert made.decimals == -3
    assert made.next_width == pytest.approx(100)
    assert "is known to the nearest 1,000 (its interval is 105 wide); one more digit needs" in str(made)
    assert 100 < made.next_n < 1000
    ratio = Digits("lr+", -1, 7.0, 1.0, 300, "cases", 0.95)
    assert "lr+ is known to the nearest 10 (its interval is 7 wide); one more digit needs 300 cases" in str(ratio)


# -- figure 6 -----------------------------------------------------------------------------------------------------


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
    rows = hs.rule_of_thumb("informedness", mode=0.5, concentration=1e6, sizes=[50, 1000, 100_000])
    assert not any(row.holds for row in rows)
    assert rows[-1].upper * np.sqrt(rows[-1].n) == pytest.approx(4, rel=0.03)
    assert "no" in thumb_table(rows).text()
    assert thumb_csv(rows).startswith("n,typical,upper,rule")


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
    assert str(hs.plan("accuracy", width=1, guess=0.8)).startswith("1 case gives")
