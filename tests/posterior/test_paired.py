"""The paired posterior: margins are the posteriors of each alone, pairs are closed forms, a third changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

import howsure as hs
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument
from howsure.laws import Draws, Linear, PairedDifference
from howsure.metrics import names
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.paired_rows import two_coins
from howsure.posterior.priors import Prior

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def some(cases: int = 80, classes: int = 3, models: int = 3, seed: int = 0) -> Predictions:
    """Classifiers that often err on the same cases."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, cases)
    hard = rng.random(cases) < 0.3
    answers = {
        name: np.where(rng.random(cases) < np.where(hard, 0.4, 0.95), truth, rng.integers(0, classes, cases))
        for name in "ABCDEFG"[:models]
    }
    return Predictions(truth, answers, labels=range(classes))


@pytest.fixture(scope="module")
def three() -> Predictions:
    return some()


@pytest.mark.sweep(6)
@pytest.mark.parametrize("prior", ["flat", "jeffreys", Prior(3, 1, 2, name="hopeful")])
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "recall@1", "f1@macro", "mcc", "precision@0"])
def test_margins_are_the_unpaired_posteriors(three: Predictions, metric: str, prior: str | Prior) -> None:
    for joint in (PairedPosterior(three, ["A", "B"], prior), PairedPosterior(three, prior=prior)):
        for name in joint.names:
            alone, member = hs.infer(three.confusion(name), prior).of(metric), joint[name].of(metric)
            assert member.route == alone.route
            close = 1e-10 if alone.route == "exact" else 4 * alone.sd / np.sqrt(20_000) * np.sqrt(2)
            assert member.mean == pytest.approx(alone.mean, abs=close)
            assert member.observed == alone.observed
            if isinstance(alone.law, Draws):
                grid = alone.quantile(np.linspace(0.01, 0.99, 50))
                assert np.abs(member.cdf(grid) - alone.cdf(grid)).max() < 1.95 * np.sqrt(2 / 20_000)
            else:
                grid = alone.quantile(np.array([0.025, 0.3, 0.5, 0.9]))
                assert member.cdf(grid) == pytest.approx(alone.cdf(grid), abs=1e-9)


@given(st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(sum))
def test_accuracy_of_a_pair_is_an_incomplete_beta(cells: list[int]) -> None:
    both, a, b, neither = cells
    right_a = [1] * both + [1] * a + [0] * b + [0] * neither
    right_b = [1] * both + [0] * a + [1] * b + [0] * neither
    joint = PairedPosterior(Predictions([1] * sum(cells), {"A": right_a, "B": right_b}, labels=[0, 1]))
    gain = joint["A"].of("accuracy") - joint["B"].of("accuracy")
    assert gain.route == "exact"
    assert gain.prob(above=0) == pytest.approx(special.betainc(b + 0.5, a + 0.5, 0.5), abs=1e-9)
    assert joint.both_right_or_wrong("A", "B").tolist() == [[0] * 4, cells]


def test_a_pair_of_balanced_accuracies_is_the_paired_difference(three: Predictions) -> None:
    joint = PairedPosterior(three, ["A", "B"], "flat")
    gain = joint["A"].of("balanced_accuracy") - joint["B"].of("balanced_accuracy")
    cells = joint.both_right_or_wrong("A", "B") + 0.5
    direct = PairedDifference(cells)
    size = cells.sum(1)
    mean = (cells[:, 1] - cells[:, 2]) / size
    variance = ((cells[:, 1] + cells[:, 2]) / size - mean**2) / (size + 1)
    assert gain.mean == pytest.approx(mean.mean(), abs=1e-12)
    assert gain.sd == pytest.approx(np.sqrt(variance.sum()) / 3, abs=1e-12)
    assert gain.interval() == pytest.approx(tuple(direct.interval()), abs=1e-9)
    first, second = joint.drawn([hs.metrics.parse("balanced_accuracy", three.labels)], 20_000, 0, 0)[0]
    assert (first - second).mean() == pytest.approx(gain.mean, abs=4 * gain.sd / np.sqrt(20_000))
    assert (first - second).std() == pytest.approx(gain.sd, rel=0.03)


def test_a_third_classifier_changes_no_pairwise_answer(three: Predictions) -> None:
    pair, all_three = PairedPosterior(three, ["A", "B"], "flat"), PairedPosterior(three, prior="flat")
    for metric in ("balanced_accuracy", "f1@macro", "mcc"):
        first, second = (j["A"].of(metric) - j["B"].of(metric) for j in (pair, all_three))
        assert second.route == "drawn"
        sd = first.sd
        assert second.mean == pytest.approx(first.mean, abs=6 * sd / np.sqrt(20_000))
        assert second.sd == pytest.approx(sd, rel=0.03)
        grid = first.quantile(np.linspace(0.01, 0.99, 40))
        assert np.abs(np.asarray(first.cdf(grid)) - second.cdf(grid)).max() < 1.95 * np.sqrt(2 / 20_000)


def test_drawn_metrics_of_a_pair_agree_with_exact_ones_of_the_same_kind(three: Predictions) -> None:
    """Any linear functional of the answers, against draws of whole tables."""
    joint = PairedPosterior(three, ["A", "B"], "flat")
    cost = np.array([[0.0, 1, 5], [2, 0, 1], [1, 3, 0]])
    law = knowledge_of(joint["A"]).linear(cost) - knowledge_of(joint["B"]).linear(cost)
    assert isinstance(law, Linear)
    prior = np.ones(3) / 3
    gain = []
    for tables in joint.at_prevalence(prior)._draws.tables(20_000, [0, 0], margins=False):
        a, b = (np.asarray(t) * 3 for t in tables)  # back to class rows
        gain.append(((a - b) * cost).sum((-2, -1)))
    values = np.concatenate(gain)
    assert values.mean() == pytest.approx(law.mean, abs=4 * law.sd / np.sqrt(20_000))
    assert values.std() == pytest.approx(law.sd, rel=0.03)
    grid = law.quantile(np.linspace(0.02, 0.98, 30))
    assert np.abs((values[:, None] <= grid).mean(0) - law.cdf(grid)).max() < 1.95 / np.sqrt(20_000)


@pytest.mark.parametrize("name", names())
def test_every_metric_has_a_paired_difference(three: Predictions, name: str) -> None:
    joint = PairedPosterior(three, ["A", "B"], "flat")
    measure = name if hs.metrics.REGISTRY[name].per == "table" else f"{name}@0"
    gain = joint["A"].of(measure, draws=500) - joint["B"].of(measure, draws=500)
    assert np.isfinite(gain.mean)
    assert gain.prior == "paired flat"


def test_identical_classifiers_are_even() -> None:
    truth = [0] * 30 + [1] * 20
    answers = [0] * 25 + [1] * 25
    joint = PairedPosterior(Predictions(truth, {"A": answers, "B": answers}))
    for metric in ("accuracy", "balanced_accuracy", "recall@1"):
        gain = joint["A"].of(metric) - joint["B"].of(metric)
        assert gain.prob(above=0) == pytest.approx(0.5, abs=1e-12)
        assert gain.mean == pytest.approx(0, abs=1e-15)
    same = joint["A"].of("accuracy") - joint["A"].of("accuracy")
    assert (same.mean, same.sd) == (0, 0)


def test_four_perfect_classifiers_are_not_certain_to_be_equal() -> None:
    """STATISTICS: accuracies .963, difference 0 [-.08, .08]."""
    joint = PairedPosterior(Predictions([1] * 25, {name: [1] * 25 for name in "ABCD"}, labels=[0, 1]))
    assert joint["A"].of("accuracy").mean == pytest.approx(26 / 27)
    gain = PairedPosterior(joint.predictions, ["A", "B"])
    low, high = (gain["A"].of("accuracy") - gain["B"].of("accuracy")).interval()
    assert (low, high) == pytest.approx((-0.08, 0.08), abs=0.005)


def test_a_stated_prevalence_pairs_too(three: Predictions) -> None:
    joint = PairedPosterior(three, ["A", "B"], "flat")
    clinic = joint.at_prevalence([0.8, 0.1, 0.1])
    gain = clinic["A"].of("accuracy") - clinic["B"].of("accuracy")
    means = (joint.both_right_or_wrong("A", "B")[:, 1] - joint.both_right_or_wrong("A", "B")[:, 2]) / (
        joint.both_right_or_wrong("A", "B").sum(1) + 2
    )
    assert gain.route == "exact"
    assert gain.mean == pytest.approx(means @ [0.8, 0.1, 0.1], abs=1e-12)
    moved = joint["A"].at_prevalence([0.8, 0.1, 0.1]).of("f1@macro").mean
    assert moved == clinic["A"].of("f1@macro").mean


def test_the_answers_of_a_pair_have_the_mass_of_the_prior(three: Predictions) -> None:
    joint = PairedPosterior(three, ["A", "B"], "jeffreys")
    assert joint.rows is not None
    cells = joint.rows.answers.alphas
    assert cells.sum(1) == pytest.approx(np.bincount(three.truth) + 1)
    assert two_coins(1, 1).tolist() == [0.5] * 4
    assert two_coins(3, 1) == pytest.approx([9 / 4, 3 / 4, 3 / 4, 1 / 4])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda p: PairedPosterior(p, ["A"]), "two or more different classifiers"),
        (lambda p: PairedPosterior(p, ["A", "A"]), "two or more different classifiers"),
        (lambda p: PairedPosterior(p, ["A", "Z"]), "No classifier named 'Z'"),
        (lambda p: PairedPosterior(p, ["A", "B"])["C"], "is not in this pairing"),
        (lambda p: PairedPosterior(p, prior="haldane"), "no case on one side"),
        (lambda _: PairedPosterior(some(classes=2), prior="learned"), "three classes or more"),
        (lambda p: PairedPosterior(p, prior="falt"), "Did you mean 'flat'"),
        (lambda p: PairedPosterior(p).at_prevalence([1, 1, 1]), "add to 1"),
    ],
)
def test_hostile_input_gets_a_sentence(three: Predictions, make: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        make(three)  # type: ignore[operator]
    assert isinstance(caught.value, InvalidArgument | hs.HowsureError)
