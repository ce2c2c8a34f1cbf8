"""Pairs of three classes or more: members are as `infer` has them, what tells them apart is learned."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.data.predictions import Predictions
from howsure.laws import Draws
from howsure.metrics import names, parse
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.paired_learned import LearnedPair
from howsure.ranking.joint_rates import JointRates

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(resources.files("howsure.comparison").joinpath("compare.schema.json").read_text(encoding="utf-8"))


def some(classes: int = 3, models: int = 2, each: int = 20, seed: int = 0) -> Predictions:
    """Classifiers that often err on the same cases; classes of unlike size."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.choice(classes, (each - 1) * classes, p=shares(classes))])
    hard = rng.random(len(truth)) < 0.3
    answers = {
        name: np.where(rng.random(len(truth)) < np.where(hard, 0.4, 0.95), truth, rng.integers(0, classes, len(truth)))
        for name in "ABCDEFG"[:models]
    }
    return Predictions(truth, answers, labels=range(classes))


def shares(classes: int) -> np.ndarray:
    sizes = 1 / np.arange(1, classes + 1) ** 0.5
    return np.asarray(sizes / sizes.sum())


@pytest.mark.parametrize("classes", [3, 10, 100])
def test_the_members_of_a_comparison_show_the_numbers_of_the_report(classes: int) -> None:
    data = some(classes)
    for metric in ("balanced_accuracy", "accuracy", "recall@1", *(("f1@macro", "mcc") if classes < 100 else ())):
        made = hs.compare(data, metric=metric)
        assert made.prior == "paired learned"
        for side, name in ((made.a, "A"), (made.b, "B")):
            alone = hs.infer(data.confusion(name), "learned").of(metric, draws=made.draws)
            assert (side.mean, side.sd, *side.interval()) == pytest.approx(
                (alone.mean, alone.sd, *alone.interval()), abs=1e-9
            )
            assert (side.observed, side.route) == (alone.observed, alone.route)


def test_a_report_of_a_member_is_that_of_its_matrix() -> None:
    data = some(4)
    member, alone = PairedPosterior(data)["B"], hs.infer(data.confusion("B"), "learned")
    for question in (lambda p: p.prob("recall@0 > recall@1"), lambda p: p.of("f1@2").mean):
        assert question(member) == question(alone)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("metric", ["balanced_accuracy", "recall@1", "accuracy", "f1@macro", "mcc", "weighted_recall"])
def test_exchanging_the_classifiers_changes_the_sign_and_nothing_else(metric: str) -> None:
    data = some(5)
    turned = Predictions(data.truth, {"B": data.answers("B"), "A": data.answers("A")}, labels=range(5))
    made = hs.compare(data, metric=metric)
    low, high = made.difference.interval()
    for back in (hs.compare(data, "B", "A", metric=metric), hs.compare(turned, metric=metric)):
        assert back.difference.mean == pytest.approx(-made.difference.mean, abs=1e-15)
        assert tuple(back.difference.interval()) == pytest.approx((-high, -low), abs=1e-14)
        assert back.p_worse == pytest.approx(made.p_better, abs=1e-12)


def test_equal_counts_of_right_and_wrong_leave_nobody_ahead() -> None:
    truth = np.repeat([0, 1, 2], 20)
    a, b = truth.copy(), truth.copy()
    a[[0, 20, 40]] = 1, 0, 0
    b[[1, 21, 41]] = 2, 2, 1
    made = hs.compare(Predictions(truth, {"A": a, "B": b}, labels=range(3)))
    assert (made.difference.mean, made.p_better) == (pytest.approx(0, abs=1e-15), 0.5)
    same = hs.compare(Predictions(truth, {"A": a, "B": a}, labels=range(3)), metric="f1@macro")
    assert same.chances == (0.5, 0, 0.5)


def test_a_third_classifier_changes_no_answer_about_two() -> None:
    data = some(4, models=3)
    pair, all_three = PairedPosterior(data, ["A", "B"]), PairedPosterior(data)
    for metric in ("balanced_accuracy", "recall@2", "f1@macro"):
        first, second = (j["A"].of(metric) - j["B"].of(metric) for j in (pair, all_three))
        assert first.route == second.route == "drawn"
        assert (first.mean, first.interval()) == (second.mean, second.interval())


def test_three_or_more_have_the_margins_of_the_report_and_move_together() -> None:
    data = some(4, models=3)
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
            close = 1e-3 * alone.sd if alone.route != "drawn" else 5 * alone.sd / np.sqrt(4_000)
            assert drawn[t].mean() == pytest.approx(alone.mean, abs=close)
            assert drawn[t].std() == pytest.approx(alone.sd, rel=0.01 if alone.route != "drawn" else 0.06)
    assert np.corrcoef(values)[0, 1] > 0.1


def test_ranks_of_two_are_the_comparison() -> None:
    data = some(4)
    made, board = hs.compare(data), hs.rank(data, metric="balanced_accuracy")
    assert board.above[[x.name for x in board.entries].index("A")].max() in (made.p_better, 0.5, 1 - made.p_better)
    assert board.prior == "paired learned"
    for entry in board.entries:
        alone = hs.infer(data.confusion(entry.name), "learned").of("balanced_accuracy")
        assert (entry.mean, entry.low, entry.high) == (alone.mean, *alone.interval())


def test_the_draws_of_both_are_the_draws_of_the_difference() -> None:
    joint = PairedPosterior(some(4))
    gain = joint["A"].of("balanced_accuracy") - joint["B"].of("balanced_accuracy")
    first, second = joint.drawn([parse("balanced_accuracy", "0123")], 20_000, 0, 0)[0]
    assert isinstance(gain.law, Draws)
    assert first - second == pytest.approx(gain.law.values, abs=1e-12)
    # margins of the pair are near those of each alone, which it does not print
    assert first.mean() == pytest.approx(joint["A"].of("balanced_accuracy").mean, abs=0.3 * first.std())


def test_tables_of_a_pair_agree_with_its_rates() -> None:
    """Two routes: whole tables, weighed at equal shares, against the closed moments of the difference."""
    data = some(4)
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


def test_sums_and_shares_of_measures_stay_on_the_same_cases() -> None:
    joint = PairedPosterior(some(4))
    a, b = (joint[x].of("balanced_accuracy") for x in "AB")
    gain = a - b
    assert (2 * gain).sd == pytest.approx(2 * gain.sd)
    assert (gain + 0.1).mean == pytest.approx(gain.mean + 0.1)
    assert (a - a).sd == 0
    assert (a + b).mean == pytest.approx(a.mean + b.mean, abs=0.3 * a.sd)
    assert (a + b).sd > 1.2 * gain.sd
    wrong = joint["A"].of("recall@1") + joint["B"].of("false_negative_rate@1")
    plain = joint["A"].of("recall@1") - joint["B"].of("recall@1")
    assert wrong.mean == pytest.approx(plain.mean + 1, abs=1e-12)
    assert wrong.support == (0, 2)
    assert np.isfinite((joint["A"].of("f1@macro") - joint["A"].of("mcc")).mean)
    assert (a - hs.infer(some(4).confusion("B"), "learned").of("balanced_accuracy")).sd > gain.sd


@pytest.mark.parametrize("name", names())
def test_every_metric_has_a_learned_difference(name: str) -> None:
    joint = PairedPosterior(some())
    measure = name if hs.metrics.REGISTRY[name].per == "table" else f"{name}@0"
    gain = joint["A"].of(measure, draws=500) - joint["B"].of(measure, draws=500)
    assert np.isfinite(gain.mean)
    assert gain.prior == "paired learned"


def test_accuracy_and_named_priors_stay_as_they_are() -> None:
    data = some(3)
    learned, flat = (hs.compare(data, metric="accuracy", prior=prior) for prior in (None, "flat"))
    assert learned.p_better == flat.p_better
    assert learned.difference.interval() == flat.difference.interval()
    assert (learned.difference.route, learned.notes) == ("exact", flat.notes)
    assert hs.compare(data, prior="jeffreys").difference.route == "exact"
    assert hs.compare(some(2)).prior == "paired flat"
    assert knowledge_of(PairedPosterior(data, prior="flat")["A"]).rows is not None


def test_every_output_says_that_it_is_learned() -> None:
    made = hs.compare(some(3), draws=500)
    said = "how often the two disagree, and in whose favour, is learned over the classes"
    jsonschema.validate(made.to_dict(), SCHEMA)
    for view in (str(made), made.to_markdown(), made._repr_html_(), json.dumps(made.to_dict())):
        assert said in view
        assert "paired learned" in view
    assert said not in str(hs.compare(some(3), prior="flat"))
    assert said not in str(hs.compare(some(2)))
    ratio = made.ratio
    assert ratio is not None
    assert ratio.prob(above=1) == pytest.approx(made.p_better, abs=0.02)
    for row in made.per_class:
        assert row.law == "drawn"


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
