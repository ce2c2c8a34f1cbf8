"""What a pilot may be, and plans under the prior that is learned from the classes of the test."""

import numpy as np
import pytest
from scipy.stats import betabinom, binom

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.trials.assurance import Truth
from howsure.numerics.trials.two_rates import strictly_better
from howsure.planning.counted_goals import PairedRates
from howsure.planning.goal import Goal


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
    wins, losses, _ = made._shares
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
