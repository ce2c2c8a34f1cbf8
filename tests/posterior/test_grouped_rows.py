"""Posteriors about a new case from a new group."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, NoInformation
from howsure.metrics import REGISTRY
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.knowledge import knowledge_of

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def patients(
    groups: int, size: int, recalls: tuple[float, ...], icc: float, seed: int = 0, *, mixed: bool = False
) -> hs.ConfusionMatrix:
    """Each group of one class in turn, or of all."""
    rng = np.random.default_rng([seed, groups, size])
    true, pred, group = [], [], []
    many = len(recalls)
    for g in range(groups):
        for c in range(many) if mixed else (g % many,):
            mu = recalls[c]
            rate = mu if icc == 0 else rng.beta(mu * (1 / icc - 1), (1 - mu) * (1 / icc - 1))
            right = rng.random(size) < rate
            true += [c] * size
            pred += np.where(right, c, (c + 1) % many).tolist()
            group += [f"g{g}"] * size
    return hs.ConfusionMatrix.from_predictions(true, pred, labels=range(many), group=group)


MADE = patients(20, 12, (0.8, 0.9), 0.15)


def test_the_two_answers_say_which_they_are() -> None:
    new, these = hs.infer(MADE), hs.infer(MADE, groups="these")
    assert repr(new.of("accuracy")).endswith("prior flat, new groups, exact")
    assert repr(these.of("accuracy")).endswith("prior flat, these groups again, exact")
    assert new.of("accuracy").interval().width > 1.3 * these.of("accuracy").interval().width
    plain = hs.ConfusionMatrix(MADE.counts, MADE.labels)
    assert these.of("mcc").mean == hs.infer(plain).of("mcc").mean


def test_the_laws_are_those_of_the_population() -> None:
    groups = MADE.groups
    assert groups is not None
    new = hs.infer(MADE)
    whole = PopulationMean(groups.correct, groups.cases).law
    both = [PopulationMean(*groups.tally(i)).law for i in range(2)]
    assert new.of("accuracy").mean == pytest.approx(whole.mean)
    assert new.of("error_rate").mean == pytest.approx(1 - whole.mean)
    assert new.of("recall@1").sd == pytest.approx(both[1].sd)
    assert new.of("specificity@1").mean == pytest.approx(both[0].mean)
    assert new.of("balanced_accuracy").mean == pytest.approx((both[0].mean + both[1].mean) / 2)
    assert new.of("balanced_accuracy").sd == pytest.approx(np.hypot(both[0].sd, both[1].sd) / 2)
    assert new.at_prevalence([0.9, 0.1]).of("accuracy").mean == pytest.approx(0.9 * both[0].mean + 0.1 * both[1].mean)


def test_the_prior_is_that_of_the_mean() -> None:
    groups = MADE.groups
    assert groups is not None
    jeffreys = hs.infer(MADE, "jeffreys")
    assert jeffreys.of("recall@0").mean == pytest.approx(PopulationMean(*groups.tally(0), (0.5, 0.5)).law.mean)
    assert hs.infer(MADE).under("jeffreys").of("recall@0").mean == jeffreys.of("recall@0").mean
    with pytest.raises(NoInformation, match="adds no case"):
        hs.infer(MADE, "haldane").of("accuracy")


def test_drawn_tables_have_the_recalls_of_the_laws() -> None:
    new = hs.infer(MADE)
    tables = new.draw(20_000)
    assert tables.sum(axis=(1, 2)) == pytest.approx(1)
    recalls = tables.diagonal(axis1=1, axis2=2) / tables.sum(axis=2)
    for i in range(2):
        law = new.of(f"recall@{i}")
        assert recalls[:, i].mean() == pytest.approx(law.mean, abs=0.1 * law.sd)
        assert recalls[:, i].std() == pytest.approx(law.sd, rel=0.02)
    f1, balanced = new.of("f1@1"), new.of("balanced_accuracy")
    assert f1.route == "drawn"
    assert f1.sd > balanced.sd / 2
    assert new.of("f1@1").mean == f1.mean  # the same call gives the same bytes


def test_many_classes_do_not_add_up_to_one_half() -> None:
    """Of ten classes a flat prior of each would pull the average by more than its uncertainty; learned does not."""
    made = patients(60, 6, (0.95,) * 10, 0.1)
    learned, flat = (hs.infer(made, prior).of("balanced_accuracy") for prior in (None, "flat"))
    assert learned.prior == "learned"
    assert flat.prior_shift < -1
    assert abs(learned.prior_shift) < 0.8 * abs(flat.prior_shift) / 2


def test_separate_test_sets_are_compared_about_new_groups() -> None:
    one, other = hs.infer(MADE), hs.infer(patients(30, 8, (0.7, 0.8), 0.1, seed=1))
    gap = one.of("balanced_accuracy") - other.of("balanced_accuracy")
    assert gap.route == "exact"
    assert gap.sd == pytest.approx(np.hypot(one.of("balanced_accuracy").sd, other.of("balanced_accuracy").sd), rel=1e-6)
    within = one.of("balanced_accuracy") - one.of("recall@0")
    assert within.route == "exact"
    assert within.mean == pytest.approx(one.of("balanced_accuracy").mean - one.of("recall@0").mean)
    mixed = one.of("accuracy") - hs.infer(MADE, groups="these").of("accuracy")
    assert mixed.route == "drawn"
    assert (one.of("accuracy") - one.of("accuracy")).sd == 0
    made = hs.compare(one, other)
    assert made.p_better == pytest.approx(gap.prob(above=0), abs=0.02)
    assert any(note.startswith("all numbers are about a new case from a new group. About these") for note in made.notes)
    unlike = hs.compare(one, hs.infer(MADE, groups="these"))
    assert any("ask both the same question" in warning for warning in unlike.warnings)


@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
def test_every_metric_has_an_answer_or_a_sentence(classes: int, mixed: bool) -> None:
    new = knowledge_of(hs.infer(patients(12, 6, (0.8, 0.9, 0.7)[:classes], 0.1, mixed=mixed)))
    answers = 0
    for name in sorted({metric.name for metric in REGISTRY.values()}):
        for where in ("", "@0", "@macro"):
            try:
                law = new.of(name + where, draws=200).law
                low, high = law.interval()
            except HowsureError:
                continue
            assert low <= high
            answers += 1
    assert answers > 60


def test_questions_about_new_groups() -> None:
    new = hs.infer(MADE)
    assert "> 0.99" in str(new.prob("balanced_accuracy > 0.5"))
    assert new.informative().informative > 0.9
    assert "1" in str(new.natural_frequencies())
    assert str(new.at_prevalence(cases=[90, 10]).of("precision@1")).startswith("precision@1")
    for what in (
        lambda: hs.outlook(new, "accuracy", above=0.8, more=100),
        lambda: hs.outlook(hs.compare(new, hs.infer(patients(20, 12, (0.7, 0.8), 0.1, seed=3))), more=100),
    ):
        with pytest.raises(InvalidArgument, match="how many groups there are and how large they are"):
            what()
    assert "In a new test of 20 groups" in str(new.predict())
    these = hs.plan("accuracy", width=0.1, pilot=hs.infer(MADE, groups="these"))
    assert 0 < these.n < hs.plan("accuracy", width=0.1, pilot=new).n


def test_what_takes_cases_for_independent_is_refused() -> None:
    new, these = hs.infer(MADE), hs.infer(MADE, groups="these")
    with pytest.raises(InvalidArgument, match="verdicts of one group go together"):
        new.at_prevalence(verdicts=[60, 40])
    assert these.at_prevalence(verdicts=[60, 40]).of("prevalence@1").route == "exact"
    for metric in ("accuracy", "recall@1", "mcc"):
        with pytest.raises(InvalidArgument, match="numbers about new groups rest on the table of each group"):
            new.of(metric).with_wrong_labels(3)
        assert these.of(metric).with_wrong_labels(3).found == "exact"


@pytest.mark.parametrize(
    ("made", "metric", "said"),
    [
        (patients(4, 9, (0.8, 0.9), 0.1), "accuracy", "the cases come from 4 groups, and below 5"),
        (patients(1, 9, (0.8, 0.9), 0.1, mixed=True), "accuracy", "the cases come from 1 group, and below 5"),
        (patients(5, 9, (0.8, 0.9), 0.1), "recall@1", "cases of class '1' come from 2 groups, and below 3"),
        (patients(5, 9, (0.8, 0.9), 0.1), "balanced_accuracy", "cases of class '1' come from 2 groups"),
        (patients(5, 9, (0.8, 0.9), 0.1), "f1@1", "groups='these' answers for these groups again"),
    ],
)
def test_too_few_groups_have_no_interval(made: hs.ConfusionMatrix, metric: str, said: str) -> None:
    new = hs.infer(made, groups="new")
    with pytest.raises(NoInformation, match=said):
        new.of(metric)
    assert hs.infer(made).of("accuracy").mean > 0


def test_groups_of_one_case_are_cases() -> None:
    made = patients(40, 1, (0.8, 0.9), 0)
    new, these = hs.infer(made), hs.infer(made, groups="these")
    for metric in ("accuracy", "recall@0"):
        assert new.of(metric).mean == pytest.approx(these.of(metric).mean, abs=1e-6)
        assert tuple(new.of(metric).interval()) == pytest.approx(tuple(these.of(metric).interval()), abs=1e-4)


def test_groups_all_right() -> None:
    made = patients(10, 5, (1.0, 1.0), 0)
    new = hs.infer(made)
    assert 0.8 < new.of("recall@0").interval().low < 1
    assert new.of("recall@0").interval().high == 1
    assert new.of("precision@1").interval().low < 0.98
    assert new.of("balanced_accuracy").error < 1e-3


def test_chance_of_the_accuracy_is_held_against_the_largest_class_in_each_group() -> None:
    made = hs.report(hs.infer(MADE), ["accuracy"]).rows[0].above_chance
    assert made is not None
    assert made.prior == "bootstrap over groups"
    assert made.route == "drawn"
