"""What a pilot may be, and plans under the prior that is learned from the classes of the test."""

import numpy as np
import pytest
from scipy.stats import betabinom, binom

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.learned.hierarchical_draws import sums_learned_together
from howsure.numerics.learned.population import Population
from howsure.numerics.trials.assurance import Truth
from howsure.numerics.trials.two_rates import strictly_better
from howsure.planning.counted_goals import PairedRates
from howsure.planning.goal import Goal
from howsure.posterior.knowledge import knowledge_of


def answers(truth: np.ndarray, recall: float, seed: int) -> np.ndarray:
    right = np.random.default_rng(seed).random(len(truth)) < recall
    return np.where(right, truth, (truth + 1) % 3)


@pytest.fixture(scope="module")
def both() -> hs.Predictions:
    truth = np.arange(120) % 3
    return hs.Predictions(truth, {"new": answers(truth, 0.9, 1), "old": answers(truth, 0.8, 2)})


def test_two_classifiers_differ_on_as_many_cases_as_they_differ_by_at_least() -> None:
    """Of a pilot in which they hardly ever disagree: then only the new one is right where one alone is."""
    made = PairedRates(Goal("difference", 0.06, 0.95), Truth(4.0, 80.0), "cases")
    wins, losses, _ = made._shares
    assert wins - losses == pytest.approx(0.06)
    assert losses.min() == 0
    assert losses.max() > 0
    assert made.assurance(150)[0] == pytest.approx(float(np.mean(made.outcomes(150, 1) >= 0.95)), abs=0.03)


def test_a_matrix_is_a_pilot_as_its_posterior_is(both: hs.Predictions) -> None:
    matrix = both.confusion("old")
    asked = {"width": 0.15, "assurance": 0.8}
    for metric in ("accuracy", "recall@1"):
        made = hs.plan(metric, pilot=matrix, **asked)
        assert made.to_dict() == hs.plan(metric, pilot=hs.infer(matrix), **asked).to_dict()


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


@pytest.mark.deep
def test_a_pair_of_a_pilot_for_one_class_and_for_a_whole_table(both: hs.Predictions) -> None:
    assert "of 40 cases of the pilot" in hs.plan("recall@0", difference=0.1, pilot=both, n=100).supposed[0]
    drawn = hs.plan("f1@macro", difference=0.05, pilot=both, n=100)
    assert "of 120 cases of the pilot, taken as" in drawn.supposed[1]
    assert hs.detect("accuracy", 200, pilot=both).pairing == "the same cases"
    one = hs.Predictions(both.truth, {"old": both.answers("old")})
    assert hs.plan("accuracy", width=0.1, pilot=one).n == hs.plan("accuracy", width=0.1, pilot=both.confusion("old")).n


def test_what_is_stated_goes_before_the_pilot(both: hs.Predictions) -> None:
    asked = {"difference": 0.05, "assurance": 0.8, "paired": 0.15}
    assert hs.plan("accuracy", pilot=both, **asked).n == hs.plan("accuracy", guess=0.8, **asked).n


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


# -- the learned prior ------------------------------------------------------------------------------------------------


def test_the_accuracy_is_one_coin_under_the_learned_prior_too() -> None:
    learned, flat = (hs.plan("accuracy", width=0.1, guess=0.8, classes=10, prior=p) for p in ("learned", "flat"))
    assert (learned.n, learned.route, learned.prior) == (flat.n, "exact", "learned")


def test_sums_read_with_fewer_nodes_are_those_of_the_law() -> None:
    rng = np.random.default_rng(3)
    cases = rng.multinomial(200, np.full(10, 0.1), 3)
    right = rng.binomial(cases, 0.8)
    drawn = sums_learned_together(right, cases, np.full(10, 0.1), 4_000, rng)
    for k, n, values in zip(right, cases, drawn, strict=True):
        law = Population(k, n).mixture_of(np.full(10, 0.1))
        assert values.mean() == pytest.approx(law.mean, abs=5 * law.sd / 63)
        assert values.std() == pytest.approx(law.sd, rel=0.06)


@pytest.mark.deep
@pytest.mark.parametrize("metric", ["balanced_accuracy", "f1@macro"])
def test_plans_under_the_learned_prior_hold_for_its_intervals(metric: str) -> None:
    n, width, many = 150, 0.135 if metric == "balanced_accuracy" else 0.137, 40
    made = hs.plan(metric, width=width, guess=0.8, classes=10, prior="learned", n=n)
    rows = np.full((10, 10), 0.2 / 9)
    np.fill_diagonal(rows, 0.8)
    counts = np.random.default_rng(4).multinomial(n, rows.ravel() / 10, many).reshape(many, 10, 10)
    found = [
        knowledge_of(hs.infer(hs.ConfusionMatrix(c), "learned")).of(metric, draws=4_000).interval().width
        for c in counts
    ]
    share = np.mean(np.array(found) <= width)
    assert 0.2 < made.assurance < 0.98
    assert share == pytest.approx(made.assurance, abs=5 * np.sqrt(0.25 / many))


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
