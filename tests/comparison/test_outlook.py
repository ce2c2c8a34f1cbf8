"""What more cases would change."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, betabinom

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.knowledge import knowledge_of


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
    for above, said in ((0.5, "above 0.5 (P(above) > 0.999)"), (0.99, "below 0.99 (P(above) < 0.001)")):
        known = hs.Posterior.from_accuracy(correct=88, n=100)
        assert said in str(hs.outlook(known, "accuracy", above=above, more=10))
        assert " = " not in repr(hs.infer(hs.ConfusionMatrix([[88, 12], [12, 88]])).prob(f"accuracy > {above}"))


def test_the_sentence_says_what_each_decision_would_become() -> None:
    known = hs.Posterior.from_accuracy(correct=88, n=100)
    said = {
        above: str(hs.outlook(known, "accuracy", above=above, more=50)).partition(" 50 more cases would ")
        for above in (0.8, 0.88, 0.95)
    }
    today = {above: f"{beta.sf(above, 89, 13):.3f}" for above in said}
    assert [now for now, _, _ in said.values()] == [
        f"After 100 cases accuracy is above 0.8 (P(above) = {today[0.8]}).",
        f"After 100 cases it is open whether accuracy is above 0.88 (P(above) = {today[0.88]}).",
        f"After 100 cases accuracy is below 0.95 (P(above) = {today[0.95]}).",
    ]
    later = hs.outlook(known, "accuracy", above=0.8, more=50).later
    assert said[0.8][2] == (
        f"leave it at that with probability {later['above']:.3f}, reopen the question with probability "
        f"{later['open']:.3f}, and show accuracy below 0.8 with probability < 0.001."
    )
    assert later["below"] < 0.0005
    assert said[0.88][2].startswith("leave it open with probability 0.")
    assert "show accuracy above 0.88 with probability < 0.001, and show" in said[0.88][2]
    assert "and show accuracy below 0.88 with probability 0." in said[0.88][2]
    assert "and show accuracy above 0.95 with probability < 0.001." in said[0.95][2]


def test_an_outlook_for_a_drawn_metric_and_a_stated_prevalence() -> None:
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))
    found = hs.outlook(posterior, "recall@1", above=0.7, more=100)
    right, rng = posterior.draw(1000, seed=4), np.random.default_rng(4)
    extra = [rng.multinomial(100, t.ravel()).reshape(2, 2) for t in right]
    above = [hs.laws.Beta(43 + e[1, 1], 9 + e[1, 0]).prob(above=0.7) >= 0.95 for e in extra]
    assert found.later["above"] == pytest.approx(np.mean(above), abs=6 * found.error)
    clinic = hs.outlook(posterior.at_prevalence([0.9, 0.1]), "precision@1", above=0.3, more=50)
    assert 0 <= clinic.change <= 1
    assert "50 more cases would leave it at that with probability 0." in str(clinic)
    assert clinic.to_dict()["now"] == clinic.now


def test_further_cases_come_as_those_of_the_test_did_whatever_prevalence_is_stated() -> None:
    """Of a thousand more half are ill, as now; at the stated share it would be a hundred, which settle less."""
    posterior = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]]))
    found = hs.outlook(posterior.at_prevalence([0.9, 0.1]), "recall@1", above=0.8, more=1_000)
    right = np.arange(501)
    settled = beta(43 + right, 9 + 500 - right).sf(0.8) >= 0.95
    assert found.later["above"] == pytest.approx(float(betabinom(500, 43, 9).pmf(right)[settled].sum()), abs=0.05)


def test_noise_of_the_draws_is_no_change_of_an_outlook() -> None:
    """Ten further cases, every outcome of the positive class summed."""
    posterior = hs.infer(hs.ConfusionMatrix([[450, 50], [75, 425]]))
    cases, right = np.array([(m, k) for m in range(11) for k in range(m + 1)]).T
    chance = betabinom.pmf(cases, 10, 501, 501) * betabinom.pmf(right, cases, 426, 76)
    stays = chance[beta.sf(0.82, 426 + right, 76 + cases - right) >= 0.95].sum()
    found = hs.outlook(posterior, "recall@1", above=0.82, more=10)
    assert found.now == "above"
    assert found.later["above"] == pytest.approx(stays, abs=5 * found.error)
    assert 0.5 < stays < 0.99


@pytest.mark.deep
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


def test_the_same_cases_of_three_classes_say_what_reads_the_further_ones() -> None:
    truth = [0] * 10 + [1] * 10 + [2] * 10
    both = hs.Predictions(truth, {"A": [*truth[:-1], 0], "B": [*truth[3:], 0, 1, 2]})
    made = hs.outlook(hs.compare(both), more=20)
    assert "read with the pairs of 'flat'" in made.notes[0]
    assert made.to_dict()["notes"] == list(made.notes)
    assert "note: the further cases" in str(made)
    assert hs.outlook(hs.compare(both, metric="accuracy"), more=20).notes == ()
