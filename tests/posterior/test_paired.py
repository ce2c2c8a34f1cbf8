"""The paired posterior: margins are the posteriors of each alone, pairs are closed forms or learned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

import howsure as hs
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument
from howsure.laws import Draws, PairedDifference
from howsure.metrics import parse
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.paired_rows import LearnedPair, two_coins
from howsure.posterior.priors import Prior
from howsure.questions.contest import JointRates

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


@pytest.mark.full
@pytest.mark.parametrize(
    ("metric", "prior"),
    [("accuracy", "flat"), ("recall@1", "jeffreys"), ("balanced_accuracy", Prior(3, 1, 2)), ("f1@macro", "flat")],
)
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
    assert gain.prob(above=0) == pytest.approx(special.betainc(b + 1 / 3, a + 1 / 3, 0.5), abs=1e-9)
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
        (lambda p: PairedPosterior(p, ["A", "A"]), "two or more different classifiers"),
        (lambda p: PairedPosterior(p, ["A", "B"])["C"], "is not in this pairing"),
        (lambda _: PairedPosterior(some(classes=2), prior="learned"), "three classes or more"),
    ],
)
def test_hostile_input_gets_a_sentence(three: Predictions, make: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        make(three)  # type: ignore[operator]
    assert isinstance(caught.value, InvalidArgument | hs.HowsureError)


def unlike(classes: int = 3, models: int = 2, each: int = 20, seed: int = 0) -> Predictions:
    """Classifiers that often err on the same cases; classes of unlike size."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.choice(classes, (each - 1) * classes, p=sizes_of(classes))])
    hard = rng.random(len(truth)) < 0.3
    answers = {
        name: np.where(rng.random(len(truth)) < np.where(hard, 0.4, 0.95), truth, rng.integers(0, classes, len(truth)))
        for name in "ABCDEFG"[:models]
    }
    return Predictions(truth, answers, labels=range(classes))


def sizes_of(classes: int) -> np.ndarray:
    sizes = 1 / np.arange(1, classes + 1) ** 0.5
    return np.asarray(sizes / sizes.sum())


@pytest.mark.full
@pytest.mark.parametrize("classes", [3, 100])
def test_the_members_of_a_comparison_show_the_numbers_of_the_report(classes: int) -> None:
    data = unlike(classes)
    for metric in ("balanced_accuracy", "accuracy", "recall@1", *(("f1@macro", "mcc") if classes < 100 else ())):
        made = hs.compare(data, metric=metric)
        assert made.prior == "paired learned"
        for side, name in ((made.a, "A"), (made.b, "B")):
            alone = hs.infer(data.confusion(name), "learned").of(metric, draws=made.draws)
            assert (side.mean, side.sd, *side.interval()) == pytest.approx(
                (alone.mean, alone.sd, *alone.interval()), abs=1e-9
            )
            assert (side.observed, side.route) == (alone.observed, alone.route)


def test_equal_counts_of_right_and_wrong_leave_nobody_ahead() -> None:
    truth = np.repeat([0, 1, 2], 20)
    a, b = truth.copy(), truth.copy()
    a[[0, 20, 40]] = 1, 0, 0
    b[[1, 21, 41]] = 2, 2, 1
    made = hs.compare(Predictions(truth, {"A": a, "B": b}, labels=range(3)))
    assert (made.difference.mean, made.p_better) == (pytest.approx(0, abs=1e-15), 0.5)
    same = hs.compare(Predictions(truth, {"A": a, "B": a}, labels=range(3)), metric="f1@macro")
    assert same.chances == (0.5, 0, 0.5)


@pytest.mark.full
def test_three_or_more_have_the_margins_of_the_report_and_move_together() -> None:
    data = unlike(4, models=3)
    joint = PairedPosterior(data)
    plain = PairedPosterior(data, prior="flat")
    for metric in ("balanced_accuracy", "f1@macro"):
        measure = parse(metric, data.labels)
        values = np.array(joint.drawn([measure], 4_000, 0, 0)[0])
        patterns = np.array(plain.drawn([measure], 4_000, 0, 0)[0])
        assert np.array_equal(values.argsort(1), patterns.argsort(1))
        rates = JointRates.of(joint, measure)
        boards = [values] if rates is None else [values, rates.draws(4_000, 0)]
        for drawn, (t, name) in ((x, pair) for x in boards for pair in enumerate("ABC")):
            alone = hs.infer(data.confusion(name), "learned").of(metric)
            close = 1e-3 * alone.sd if alone.route != "simulated" else 5 * alone.sd / np.sqrt(4_000)
            assert drawn[t].mean() == pytest.approx(alone.mean, abs=close)
            assert drawn[t].std() == pytest.approx(alone.sd, rel=0.01 if alone.route != "simulated" else 0.06)
    assert np.corrcoef(values)[0, 1] > 0.1


@pytest.mark.full
def test_tables_of_a_pair_agree_with_its_rates() -> None:
    """Two routes: whole tables, weighed at equal shares, against the closed moments of the difference."""
    data = unlike(4)
    joint = PairedPosterior(data).at_prevalence([0.25] * 4)
    gain = joint["A"].of("balanced_accuracy") - joint["B"].of("balanced_accuracy")
    values = np.concatenate(
        [
            np.trace(np.asarray(a), axis1=1, axis2=2) - np.trace(np.asarray(b), axis1=1, axis2=2)
            for a, b in joint._draws.tables(20_000, [0, 0], margins=False)
        ]
    )
    assert values.mean() == pytest.approx(gain.mean, abs=4.5 * gain.sd / np.sqrt(20_000) + 0.02 * gain.sd)
    assert values.std() == pytest.approx(gain.sd, rel=0.03)
    accuracy = joint["A"].of("accuracy") - joint["B"].of("accuracy")
    assert accuracy.mean == pytest.approx(gain.mean, abs=1e-12)


def test_classes_that_never_differ_or_never_come_have_answers() -> None:
    truth = np.repeat([0, 1, 2], 10)
    wrong = truth.copy()
    wrong[:3] = 1
    data = Predictions(truth, {"A": truth, "B": wrong}, labels=range(4))
    made = hs.compare(data)
    assert 0.5 < made.p_better < 1
    assert made.per_class[3].p_better is not None
    alike = hs.compare(Predictions(truth, {"A": wrong, "B": wrong}, labels=range(3)))
    assert alike.difference.mean == pytest.approx(0, abs=1e-15)
    assert alike.difference.sd > 0


def test_wrong_calls_are_spread_by_half_a_case_in_each_cell() -> None:
    truth = np.repeat([0, 1, 2], 10)
    second = np.where(np.arange(30) < 2, 1, truth)  # twice only A is right, and B says 1 in place of 0
    pair = LearnedPair(Predictions(truth, {"A": truth, "B": second}, labels=range(3)), "A", "B")
    third, n = np.full(3, 1 / 3), 40_000
    drawn = np.concatenate([np.asarray(b)[:, 0] for _, b in pair.tables(None, third, n, [0], margins=False)])
    masses = np.concatenate([block[:, 0] for block in pair._masses(n, [1])]).mean(axis=0)
    # beside the two cases half a case, evenly over both wrong classes; where both are wrong nothing was seen
    expected = masses[1] * 0.25 / 2.5 + masses[3] / 2
    assert 3 * drawn[:, 2].mean() == pytest.approx(expected, rel=0.05)
    assert 3 * drawn[:, 1].mean() == pytest.approx(masses[1] * 2.25 / 2.5 + masses[3] / 2, rel=0.02)
