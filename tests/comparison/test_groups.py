"""Two classifiers on the same cases in groups, and their gate: which question is answered, and what is said beside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from scipy import stats

import howsure as hs
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation
from howsure.metrics import parse
from howsure.posterior.paired import PairedPosterior

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMAS = Path(hs.__file__).parent / "comparison"


def patients(
    groups: int = 12, size: int = 10, *, seed: int = 1, classes: int = 2, grouped: bool = True
) -> hs.Predictions:
    """Lesions in patients, some of whom are easy for the one and some for the other classifier."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    truth = rng.integers(0, classes, len(group))
    lean = rng.normal(0, 1.2, groups)[group]
    answers = {}
    for name, centre, sign in (("new", 2.0, 1), ("old", 1.0, -1)):
        right = rng.random(len(group)) < 1 / (1 + np.exp(-centre - sign * lean))
        answers[name] = np.where(right, truth, (truth + rng.integers(1, classes, len(group))) % classes)
    names = [f"p{g:02d}" for g in group] if grouped else None
    return hs.Predictions(truth, answers, group=names, labels=list(range(classes)))


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "balanced_accuracy", "recall@1", "f1@1", "mcc", "kappa"])
def test_new_groups_are_less_sure_than_these(metric: str) -> None:
    data = patients()
    new, these = (hs.compare(data, metric=metric, groups=question, draws=4000) for question in ("new", "these"))
    assert new.difference.interval().width > these.difference.interval().width
    assert 0 < new.p_better < 1
    assert abs(new.p_better + new.p_worse - 1) < 1e-9
    # the other answer is the other comparison
    for one, other in ((new, these), (these, new)):
        assert one.groups is not None
        told = one.groups.other
        ends = other.difference.interval()
        assert (told.mean, told.low, told.high) == pytest.approx((other.difference.mean, ends.low, ends.high))
        assert told.p_better == pytest.approx(other.p_better)
    assert "about new groups" in new.sentence
    assert "about these groups again" in these.sentence
    assert "groups='these' (--groups these)" in new.notes[0]


def test_these_groups_again_are_the_same_cases_as_before() -> None:
    again, before = hs.compare(patients(), groups="these"), hs.compare(patients(grouped=False))
    assert again.difference.interval() == before.difference.interval()
    assert again.chances == before.chances
    assert [row.mean for row in again.per_class] == [row.mean for row in before.per_class]


@pytest.mark.parametrize(("groups", "question"), [(7, "these"), (8, "new")])
def test_the_number_of_groups_decides_unless_the_question_is_named(groups: int, question: str) -> None:
    data = patients(groups)
    made = hs.compare(data)
    assert made.groups is not None
    assert made.groups.question == question
    assert made.groups.groups == (groups,)


def test_each_alone_is_what_infer_says() -> None:
    data = patients()
    made = hs.compare(data, metric="balanced_accuracy")
    for name, side in (("new", made.a), ("old", made.b)):
        alone = hs.infer(data.confusion(name)).of("balanced_accuracy")
        assert side.interval() == alone.interval()


def test_a_group_for_every_case_is_nearly_the_answer_for_cases() -> None:
    """The second route: weights of groups of one case are those of cases, and two pseudo-cases of the flat prior."""
    plain = patients(300, 1, grouped=False)
    alone = hs.Predictions(
        plain.truth, {name: plain.answers(name) for name in plain.names}, group=np.arange(300), labels=[0, 1]
    )
    for metric in ("accuracy", "recall@0", "balanced_accuracy"):
        new, cases = hs.compare(alone, metric=metric, groups="new"), hs.compare(plain, metric=metric)
        assert new.difference.mean == pytest.approx(cases.difference.mean, abs=0.003)
        assert new.difference.sd == pytest.approx(cases.difference.sd, rel=0.06)
    assert new.groups is not None
    assert new.groups.worth == pytest.approx(300)


def test_the_clustered_error_and_what_cases_are_worth() -> None:
    """Against the formula of the paired difference, written once more, and Student's t of scipy.stats."""
    data = patients(20, 20)
    made = hs.compare(data, metric="accuracy").groups
    assert made is not None
    assert made.clustered is not None
    x = (data.answers("new") == data.truth).astype(float) - (data.answers("old") == data.truth)
    place = np.repeat(np.arange(20), 20)
    error = np.sqrt(20 / 19 * sum((x[place == g] - x.mean()).sum() ** 2 for g in range(20))) / 400
    assert made.clustered.error == pytest.approx(error, abs=1e-9)
    ends = x.mean() + stats.t.ppf([0.025, 0.975], 19) * error
    assert (made.clustered.low, made.clustered.high) == pytest.approx(tuple(ends), abs=1e-9)
    ends = x.mean() + stats.norm.ppf([0.025, 0.975]) * error
    assert (made.clustered.low_normal, made.clustered.high_normal) == pytest.approx(tuple(ends), abs=1e-9)
    assert made.worth == pytest.approx(400 * (x.var(ddof=1) / 400) / error**2)
    assert (
        f"the 400 cases of 20 groups are worth about {round(made.worth)} for the difference of accuracy"
        in (hs.compare(data, metric="accuracy").notes[1])
    )


def test_the_clustered_error_of_balanced_accuracy_is_that_of_its_recalls() -> None:
    """Where each group has one class the recalls are independent, and so are their clustered errors."""
    data = patients(20, 10)
    nested = hs.Predictions(
        [0] * 100 + [1] * 100,
        {
            name: np.where(data.answers(name) == data.truth, [0] * 100 + [1] * 100, [1] * 100 + [0] * 100)
            for name in data.names
        },
        group=data.group,
    )
    made = hs.compare(nested).groups
    assert made is not None
    assert made.clustered is not None
    parts = []
    for c in (0, 1):
        x = (nested.answers("new") == c).astype(float)[nested.truth == c]
        x -= (nested.answers("old") == c)[nested.truth == c]
        parts.append(sum((x[10 * g : 10 * g + 10] - x.mean()).sum() ** 2 for g in range(10)) / 100**2)
    assert made.clustered.error == pytest.approx(np.sqrt(20 / 19 * sum(parts)) / 2, abs=1e-9)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1@macro"])
def test_three_classes(metric: str) -> None:
    made = hs.compare(patients(15, 12, classes=3), metric=metric, draws=4000)
    assert made.p_better > 0.5
    assert made.observed == pytest.approx(made.difference.mean, abs=0.08)
    assert "learned over the classes" not in " ".join(made.notes)  # that is of cases, not of groups


def test_joint_draws_of_several_are_those_of_two() -> None:
    """A ranking asks for all at once; two of them differ as they do alone."""
    data = patients()
    third = np.where(np.arange(120) % 7 == 0, 1 - data.truth, data.truth)
    three = hs.Predictions(
        data.truth,
        {"new": data.answers("new"), "old": data.answers("old"), "third": third},
        group=data.group,
    )
    for metric in ("accuracy", "balanced_accuracy", "mcc"):
        measure = parse(metric, three.labels, None)
        all_of_them = PairedPosterior(three).drawn([measure], 8000, 0, 0)[0]
        two = PairedPosterior(three, ["new", "old"]).drawn([measure], 8000, 1, 0)[0]
        lead, alone = all_of_them[0] - all_of_them[1], two[0] - two[1]
        assert lead.mean() == pytest.approx(alone.mean(), abs=0.02)
        assert lead.std() == pytest.approx(alone.std(), rel=0.1)


def test_draws_do_not_depend_on_what_else_is_asked() -> None:
    data = patients()
    measures = [parse(name, data.labels, None) for name in ("accuracy", "recall@0", "balanced_accuracy", "mcc")]
    together = PairedPosterior(data).drawn(measures, 500, 3, 0)
    for measure, values in zip(measures, together, strict=True):
        assert np.array_equal(values, PairedPosterior(data).drawn([measure], 500, 3, 0)[0])


def test_the_same_answers_are_as_likely_better_as_worse() -> None:
    data = patients()
    same = hs.Predictions(data.truth, {"a": data.answers("new"), "b": data.answers("new")}, group=data.group)
    made = hs.compare(same, metric="accuracy")
    assert made.p_better == made.p_worse == 0.5
    assert made.difference.interval().width > 0
    assert made.groups is not None
    assert made.groups.worth_words == "the 120 cases of 12 groups are worth as many for the difference of accuracy"


def test_elsewhere_is_about_new_groups_too() -> None:
    data = patients(grouped=True)
    joint = PairedPosterior(data)
    a, b = (joint[name].at_prevalence([0.9, 0.1]) for name in joint.names)
    made = hs.compare(a, b, metric="accuracy")
    assert made.groups is not None
    assert made.groups.question == "new"
    assert made.difference.mean != hs.compare(data, metric="accuracy").difference.mean


def test_too_few_groups_have_no_answer_about_new_ones() -> None:
    with pytest.raises(NoInformation, match="come from 4 groups"):
        hs.compare(patients(4), groups="new")
    made = hs.compare(patients(4))
    assert made.groups is not None
    assert made.groups.other.why_not is not None
    assert "About a new case from a new group there is no answer: the cases come from 4 groups" in made.notes[0]


def test_one_group_is_worth_nothing_that_is_known() -> None:
    made = hs.compare(patients(1, 40), metric="accuracy")
    assert made.groups is not None
    assert (made.groups.worth, made.groups.clustered, made.groups.worth_words) == (None, None, None)


def test_separate_test_sets_about_new_groups() -> None:
    one, two = (hs.infer(patients(groups, seed=groups).confusion("new")) for groups in (12, 15))
    made = hs.compare(one, two, metric="accuracy")
    assert made.groups is not None
    assert made.groups.groups == (12, 15)
    assert "from separate test sets, about new groups" in made.sentence
    assert "in 12 and 15 groups" in str(made)
    these = hs.compare(*(hs.infer(x.confusion, groups="these") for x in (one, two)), metric="accuracy")
    assert made.groups.other.mean == pytest.approx(these.difference.mean, abs=0.005)
    assert made.difference.sd > these.difference.sd


def test_one_with_groups_and_one_without_is_a_warning() -> None:
    one, two = hs.infer(patients().confusion("new")), hs.infer(patients(grouped=False, seed=3).confusion("new"))
    made = hs.compare(one, two)
    assert made.groups is None
    assert any("One is about new groups, the other about its cases" in text for text in made.warnings)


def test_what_cannot_be_asked_is_refused() -> None:
    data = patients()
    with pytest.raises(InvalidArgument, match="no group is known"):
        hs.compare(patients(grouped=False), groups="new")
    with pytest.raises(InvalidArgument, match=r"infer\(\) made them for"):
        hs.compare(*(hs.infer(data.confusion(name)) for name in data.names), groups="these")
    with pytest.raises(InvalidArgument, match="groups"):
        hs.compare(data, groups="all")  # type: ignore[call-overload]
    with pytest.raises(InvalidLabels, match="group is missing in 1 of 3 cases"):
        hs.Predictions([0, 1, 1], {"a": [0, 1, 0]}, group=["x", None, "y"])
    rows = [(1, "a", 0, 0), (2, "a", 1, 1), (1, "b", 0, 1), (2, "b", 1, 1)]
    with pytest.raises(InvalidLabels, match=r"has the group .*x.* in one row and .*y.* in another"):
        hs.Predictions.from_long(*zip(*rows, strict=True), group=["x", "x", "y", "x"])
    kept = hs.Predictions.from_long(*zip(*rows, strict=True), group=["x", None, None, "z"])
    assert kept.group is not None
    assert kept.group.tolist() == ["x", "z"]
    judged = hs.JudgedAnswers.from_long(
        ["i1", "i1", "i2", "i2"], ["a", "b", "a", "b"], ["pass", "fail", "pass", "pass"], ["pass", None, "pass", "fail"]
    )
    for asked in (hs.compare, hs.gate):
        with pytest.raises(InvalidArgument, match="cannot be combined"):
            asked(judged, groups="new")


# -- the gate -------------------------------------------------------------------------------------------------


def test_a_gate_about_new_groups() -> None:
    made = hs.gate(patients(20, 20), "new", "old", metric=["accuracy", "mcc"])
    assert made.groups is not None
    assert (made.groups.question, made.groups.groups, made.groups.few) == ("new", (20,), False)
    assert all(row.strict is None for row in made.rows)
    assert "in 20 groups, about new groups" in str(made)
    assert "testcase" in made.to_junit()
    Draft202012Validator(json.loads((SCHEMAS / "gate.schema.json").read_text())).validate(made.to_dict())


def test_more_groups_would_settle_it() -> None:
    made = hs.gate(patients(20, 10), "new", "old", metric="accuracy", margin=0.05, mode="superiority")
    (row,) = made.rows
    assert made.verdict == "inconclusive"
    assert row.more_cases is None
    assert row.more_groups is not None
    assert f"About {row.more_groups} more groups, as large as these, would settle it" in made.sentence


@pytest.mark.parametrize(("groups", "question"), [(6, None), (7, "new")])
def test_few_groups_are_inconclusive(groups: int, question: str | None) -> None:
    """Of a pass and of a fail; these groups again are gated by name."""
    data = patients(groups, 60)
    for pair in (("new", "old"), ("old", "new")):
        made = hs.gate(data, *pair, metric="accuracy", groups=question)
        assert made.verdict == "inconclusive"
        assert (
            f"the cases come from {groups} groups, and below 8 a gate about new groups decides nothing" in made.sentence
        )
        assert made.to_dict()["groups"]["few"] is True
    named = hs.gate(data, "new", "old", metric="accuracy", groups="these")
    assert named.verdict == "pass"
    assert named.rows[0].strict is not None
    Draft202012Validator(json.loads((SCHEMAS / "gate.schema.json").read_text())).validate(made.to_dict())


@pytest.mark.parametrize("first", ["few", "many"])
def test_few_groups_of_either_test_set_are_inconclusive(first: str) -> None:
    # an easy candidate and a hard baseline, so that the groups alone keep the gate from a verdict
    few, many = (hs.infer(patients(groups, 60).confusion("new"), groups="new") for groups in (6, 30))
    made = hs.gate(*((few, many) if first == "few" else (many, few)), metric="accuracy", margin=0.5)
    assert made.rows[0].p_pass > 0.95
    assert made.verdict == "inconclusive"
    assert made.to_dict()["groups"] == {
        "question": "new",
        "groups": [6, 30] if first == "few" else [30, 6],
        "few": True,
    }


def test_a_floor_needs_as_many_groups() -> None:
    few, many = (patients(groups, 40).confusion("new") for groups in (6, 30))
    assert hs.gate(hs.infer(few), floor=0.6).verdict == "inconclusive"
    assert hs.gate(hs.infer(few, groups="these"), floor=0.6).verdict == "pass"
    made = hs.gate(hs.infer(many), floor=0.6)
    assert made.verdict == "pass"
    assert "in 30 groups, about new groups" in str(made)
    assert hs.gate(patients(6, 40), "new", floor=0.6).verdict == "inconclusive"
    assert hs.gate(patients(6, 40), "new", floor=0.6, groups="these").verdict == "pass"


def test_the_sign_test_is_of_cases() -> None:
    with pytest.raises(InvalidArgument, match="sign test of single cases"):
        hs.gate(patients(), "new", "old", metric="accuracy", strict=True)


def test_answers_are_json_of_the_schema() -> None:
    schema = Draft202012Validator(json.loads((SCHEMAS / "compare.schema.json").read_text()))
    for made in (
        hs.compare(patients(), metric="mcc"),
        hs.compare(patients(4), metric="accuracy"),
        hs.compare(*(hs.infer(patients(12, seed=s).confusion("new")) for s in (1, 2)), metric="accuracy"),
    ):
        schema.validate(json.loads(json.dumps(made.to_dict())))
        assert "groups" in made.to_dict()
