"""Comparisons of classifiers: tables, scores, groups, slices, judged ones."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.conftest import matrices, tries

import howsure as hs
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation, UnknownClassifier, UnknownLabel
from howsure.knowledge.judged import tipping_points
from howsure.laws import BetaSum, Draws, Linear, PairedDifference
from howsure.posterior.paired import PairedPosterior
from howsure.questions.differences import chances, losses

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/compare.schema.json").read_text(encoding="utf-8")
)
NEW = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
OLD = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"])


def pair(cases: int, correlation: float, seed: int, p: float = 0.85) -> hs.Predictions:
    """Two classifiers, right with probability p, errors of this correlation."""
    rng = np.random.default_rng(seed)
    same = rng.random(cases) < correlation
    right = rng.random((2, cases)) < p
    right[1, same] = right[0, same]
    truth = rng.integers(0, 2, cases)
    return hs.Predictions(truth, {"A": np.where(right[0], truth, 1 - truth), "B": np.where(right[1], truth, 1 - truth)})


def test_the_members_of_a_pairing_stay_paired_and_one_of_them_twice_does_not() -> None:
    joint = PairedPosterior(pair(100, 0.8, 0))
    assert hs.compare(joint["A"], joint["B"]).paired
    assert not hs.compare(joint["A"], joint["A"]).paired
    assert not hs.compare(joint["A"], hs.infer(NEW.merge({"0": ["healthy"], "1": ["ill"]}))).paired


def test_what_is_unlike_is_said() -> None:
    three = hs.ConfusionMatrix([[40, 5, 1], [3, 30, 2], [0, 0, 0]], labels=["healthy", "ill", "dead"])
    made = hs.compare(hs.infer(NEW, "flat"), hs.infer(three, "flat"), metric="accuracy")
    assert made.warnings[0] == "The classes differ; only one of the two has 'dead'."
    assert made.warnings[1].startswith("No case of 'dead' was tested")
    assert [row.label for row in made.per_class] == ["healthy", "ill"]
    with pytest.raises(InvalidArgument, match=r"A has prior 'flat' and B 'learned'.*such as prior='flat'"):
        hs.compare(hs.infer(NEW, "flat"), hs.infer(three), metric="accuracy")
    stated = hs.infer(NEW).at_prevalence([0.9, 0.1])
    assert "prevalences differ" in " ".join(hs.compare(stated, hs.infer(OLD)).warnings)
    both = hs.infer(OLD).at_prevalence([0.9, 0.1])
    assert "prevalences differ" not in " ".join(hs.compare(stated, both).warnings)


@pytest.mark.sweep(2, full=5)
@pytest.mark.parametrize(
    "law",
    [
        PairedDifference([[60.5, 12.5, 5.5, 23.5]]),
        PairedDifference([[25.5, 0.5, 0.5, 0.5], [3.5, 8.5, 0.5, 0.5]]),
        BetaSum([46, 43, 41, 42], [6, 9, 11, 10], [0.5, 0.5, -0.5, -0.5]),
    ],
)
def test_expected_losses_agree_with_draws_and_with_the_mean(law: Linear) -> None:
    loss = losses(law, higher=True)
    values = law.sample(200_000, seed=1)
    for exact, drawn in ((loss.a, np.maximum(-values, 0)), (loss.b, np.maximum(values, 0))):
        assert exact == pytest.approx(drawn.mean(), abs=4.5 * drawn.std() / np.sqrt(len(values)))
    assert loss.b - loss.a == pytest.approx(law.mean, abs=1e-12)
    by_draws = losses(Draws(values), higher=False)
    assert by_draws.a == pytest.approx(np.maximum(values, 0).mean())


@pytest.mark.full
@given(matrices(max_classes=4), st.sampled_from(["accuracy", "balanced_accuracy", "f1@macro", "mcc"]))
@settings(max_examples=tries(20))
def test_every_comparison_is_valid_json_of_its_schema(cm: hs.ConfusionMatrix, metric: str) -> None:
    made = hs.compare(hs.infer(cm, "flat"), hs.infer(cm.transpose(), "flat"), metric=metric, draws=200)
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    jsonschema.validate(data, SCHEMA)
    for view in (str(made), made.to_markdown(), made._repr_html_(), made.to_csv(), repr(made)):
        assert "nan" not in view.lower()
        assert "flat" in view or view == repr(made)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.compare(NEW, OLD), r"infer\(matrix\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), prior="flat"), "posteriors have their prior"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), rope=2), r"from 0 to below 1; not 2 \(1 point is 0.01\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), kind="eti"), "kind is"),
        (lambda: hs.compare(pair(9, 0, 0), "A"), "takes the names of two classifiers, of A, B"),
        (lambda: hs.compare(pair(9, 0, 0), "A", "X"), "No classifier named 'X'"),
        (lambda: hs.compare(pair(9, 0, 0), prior="haldane"), "no case on one side"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("higher", [True, False])
def test_drawn_ties_are_split_between_both(higher: bool) -> None:
    made = chances(Draws(np.repeat([-1.0, 0.0, 1.0], [100, 600, 300])), None, higher=higher)
    assert made.better == pytest.approx(0.6 if higher else 0.4)
    assert made.worse == pytest.approx(0.4 if higher else 0.6)
    assert made.equal == 0


# -- two classifiers by their scores: paired and separate, gates and ranks, and what is refused -----------------------

DRAWS = 4000


def two(n=150, seed=1, groups=None, noise=(0.3, 0.9)):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    base = rng.normal(size=n) + 1.2 * truth
    made = {name: base + sd * rng.normal(size=n) for name, sd in zip(("new", "old"), noise, strict=True)}
    return hs.Scores(truth, made, groups=groups)


@pytest.mark.full
@pytest.mark.parametrize("n", [100])
def test_the_sd_of_a_paired_difference_is_de_long_s(n):
    made = hs.compare(two(n), metric="roc_auc", draws=8000)
    test = made.to_dict()["beside"]["delong"]
    assert made.law.sd == pytest.approx(test["standard_error"], rel=0.06)
    assert made.law.mean == pytest.approx(test["difference"], abs=0.2 * made.law.sd)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "fpr@tpr=0.9"])
def test_the_same_order_is_no_difference_at_all(metric):
    scores = two()
    alike = hs.Scores(scores.truth, {"x": scores.scores, "y": np.exp(scores.scores)})
    made = hs.compare(alike, metric=metric, draws=500)
    assert made.law.interval().width == 0
    assert made.p_better == made.p_worse == 0.5


def test_groups_weigh_more_than_cases():
    n = 60
    plain = two(n)
    rows = np.repeat(np.arange(n), 4)
    many = {name: plain.of(name).scores[rows] for name in plain.names}
    without = hs.compare(hs.Scores(plain.truth[rows], many), metric="roc_auc", draws=DRAWS)
    within = hs.compare(hs.Scores(plain.truth[rows], many, groups=rows), metric="roc_auc", draws=DRAWS)
    alone = hs.compare(plain, metric="roc_auc", draws=DRAWS)
    assert within.law.sd > 1.7 * without.law.sd
    assert within.law.sd == pytest.approx(alone.law.sd, rel=0.1)
    assert "about new groups" in within.sentence
    assert "delong" not in within.beside.keys


@pytest.mark.parametrize("classes", [2, 3])
def test_losses_of_the_same_cases_are_paired(classes):
    rng = np.random.default_rng(4)
    truth = np.arange(120) % classes
    said = [0.5 * rng.dirichlet(np.ones(classes), 120) + 0.5 * np.eye(classes)[truth] for _ in range(2)]
    said[1] = 0.9 * said[0] + 0.1 * said[1]
    gap = np.subtract(*(((each - np.eye(classes)[truth]) ** 2).sum(1) for each in said)) / (2 if classes == 2 else 1)
    scores = hs.Scores(truth, {name: p[:, 1] if classes == 2 else p for name, p in zip("xy", said, strict=True)})
    made = hs.compare(scores, metric="brier_score", draws=8000)
    assert made.between.observed == pytest.approx(gap.mean(), abs=1e-12)
    assert made.law.sd == pytest.approx(gap.std() / 120**0.5, rel=0.15)  # two pseudo-cases widen it a little
    assert made.law.mean == pytest.approx(gap.mean(), abs=0.3 * made.law.sd)
    assert made.law.sd < 0.3 * np.hypot(made.a.law.sd, made.b.law.sd)
    assert hs.rank(scores, metric="brier_score", draws=2000).better == "lower"


def test_separate_test_sets_are_independent():
    one, other = two(120, 1).of("new"), two(80, 2).of("old")
    made = hs.compare(one, other, metric="roc_auc", draws=DRAWS, names=("x", "y"))
    assert not made.paired
    assert (made.a.n, made.b.n) == (120, 80)
    assert made.law.sd == pytest.approx(np.hypot(made.a.law.sd, made.b.law.sd), rel=0.03)
    assert hs.compare(one, one, metric="roc_auc", draws=1000).p_better == 0.5


@pytest.mark.full
def test_a_gate_reads_the_comparison():
    scores = two()
    compared = hs.compare(scores, metric="roc_auc", draws=DRAWS)
    row = hs.gate(scores, metric="roc_auc", margin=0.02, draws=DRAWS).rows[0]
    assert row.p_pass == pytest.approx(np.mean(compared.law.values > -0.02), abs=2 / DRAWS)
    assert hs.assert_better(scores, "new", "old", metric="roc_auc", draws=DRAWS, min_prob=0.9).verdict == "pass"
    assert hs.gate(scores, "old", "new", metric="roc_auc", draws=DRAWS, min_prob=0.9).verdict == "fail"
    assert hs.gate(scores.of("new"), metric="roc_auc", floor=0.6, draws=DRAWS).verdict == "pass"
    few = two(40, groups=np.arange(40) // 8)
    assert hs.gate(few, metric="roc_auc", margin=0.5, draws=500).verdict == "inconclusive"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: hs.compare(s.of("new")), "two classifiers are compared"),
        (lambda s: hs.compare(s, "new", "new"), "each classifier is named once"),
        (lambda s: hs.compare(s, prior="flat"), "leave prior= out"),
        (lambda s: hs.compare(s, rope=2), "rope is the largest"),
        (lambda s: hs.rank(s.of("new")), "two or more"),
        (lambda s: hs.compare(hs.Scores(s.truth, {"x": s.truth / 2, "y": s.truth / 3}), metric="ece"), "by itself"),
        (lambda s: hs.rank(hs.Scores(s.truth, {"x": s.truth / 2, "y": s.truth / 3}), metric="brier_mcb"), "by itself"),
        (lambda s: hs.rank({"x": s.of("new"), "y": 3}), "all of them Scores"),
        (lambda s: hs.gate(s, floor=0.8), "a floor is for one classifier"),
        (lambda s: hs.compare(hs.Predictions([0, 1], {"a": [0, 1], "b": [1, 1]}), metric="roc_auc"), "all thresholds"),
    ],
)
def test_what_cannot_be_answered_is_said(call, said):
    with pytest.raises(InvalidArgument, match=said):
        call(two(40))


# -- two classifiers on the same cases in groups, and their gate: which question is answered, and what is


SCHEMAS = Path(hs.__file__).parent / "answers" / "schemas"


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


@pytest.mark.sweep(2, full=7)
@pytest.mark.parametrize("metric", ["accuracy", "recall@1", "mcc"])
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
    assert "about new cases of the same groups" in these.sentence
    assert "groups='these' (--groups these)" in new.notes[0]


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


@pytest.mark.parametrize(("groups", "question"), [(6, None), (7, "new")])
def test_few_groups_are_inconclusive(groups: int, question: str | None) -> None:
    """Of a pass and of a fail; new cases of the same groups are gated by name."""
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


def test_more_groups_would_settle_it() -> None:
    made = hs.gate(patients(20, 10), "new", "old", metric="accuracy", margin=0.05, mode="superiority")
    (row,) = made.rows
    assert made.verdict == "inconclusive"
    assert row.more_cases is None
    assert row.more_groups is not None
    assert f"About {row.more_groups} more groups, as large as these, would settle it" in made.sentence


# -- two classifiers by slice: alone as `compare` says, borrowing as `PairedFactors` says, and gated together ---------


def cases(seed: int = 0, n: int = 1200, drop: float = 0.0) -> tuple[hs.Predictions, np.ndarray]:
    """Cases in five slices; in nl the new classifier is worse by ``drop``."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    place = np.array(["de", "en", "fr", "nl", "pt"])[rng.integers(0, 5, n)]
    new, old = (np.where(rng.random(n) < p, truth, 1 - truth) for p in (0.92, 0.88))
    new = np.where((place == "nl") & (rng.random(n) < drop), 1 - truth, new)
    return hs.Predictions(truth, {"new": new, "old": old}), place


def taken(both: hs.Predictions, which: Any) -> hs.Predictions:
    """Some of the cases."""
    return hs.Predictions(both.truth[which], {name: both.answers(name)[which] for name in both.names}, labels=range(2))


@pytest.mark.sweep(2, full=5)
@pytest.mark.parametrize("metric", ["error_rate", "recall@1", "balanced_accuracy"])
def test_a_slice_alone_is_what_compare_says_of_its_cases(metric: str) -> None:
    both, place = cases()
    made = hs.compare_slices(both, "new", "old", by=place, metric=metric, kind="central")
    for name in ("de", "nl"):
        pair = hs.compare(taken(both, place == name), "new", "old", metric=metric, kind="central", prior="flat")
        law = pair.difference
        assert made[name].alone == pytest.approx((law.mean, *law.interval(0.95, "central")), abs=1e-6)
        assert made[name].p_better_alone == pytest.approx(pair.p_better, abs=1e-6)
        seen = [hs.infer(taken(both, place == name).confusion(who)).of(metric).observed for who in both.names]
        assert made[name].observed == pytest.approx(seen[0] - seen[1])


def test_the_gate_fails_where_one_slice_is_worse_and_names_it() -> None:
    both, place = cases(drop=0.3)
    made = hs.gate_slices(both, "new", "old", by=place, margin=0.05)
    assert (made.verdict, made.passed, made.decides) == ("fail", False, "nl")
    assert "in slice nl" in made.sentence
    assert hs.gate_slices(both, "old", "new", by=place, margin=0.15).verdict == "pass"
    wide = hs.gate_slices(both, "new", "old", by=place, margin=0.26)
    assert (wide.verdict, wide.decides) == ("inconclusive", "nl")
    assert 'skipped="1"' in wide.to_junit()


def test_borrowing_makes_no_verdict() -> None:
    truth, place = [1] * 4020, ["large"] * 1000 + ["larger"] * 1500 + ["other"] * 1500 + ["tiny"] * 20
    old = [int(i % 10 > 0) for i in range(4020)]
    new = [1] * 4000 + [0, 0, 0] + old[4003:]  # three of twenty wrong that were mostly right
    made = hs.gate_slices(hs.Predictions(truth, {"new": new, "old": old}), "new", "old", by=place, margin=0.1)
    tiny = next(row for row in made.rows if row.difference.name == "tiny")
    assert tiny.difference.observed == pytest.approx(-0.1)
    assert tiny.by_borrowing
    assert made.verdict == "inconclusive"


def test_a_pass_needs_the_own_cases_of_every_slice() -> None:
    """One of five slices is at the margin; all together would pass, its own cases do not."""
    place = np.repeat(["a", "b", "c", "d", "e"], 300)
    new, old = np.ones((2, 1500), dtype=int)
    for start in range(0, 1500, 300):
        new[start : start + 10], old[start + 10 : start + 20] = 0, 0
    new[:20] = 0  # slice a: 20 lost, 10 won
    old[10:20], old[20:30] = 1, 0
    both = hs.Predictions([1] * 1500, {"new": new, "old": old})
    made = hs.gate_slices(both, "new", "old", by=place, margin=0.05)
    first = next(row for row in made.rows if row.difference.name == "a")
    drawn = np.random.default_rng(1).dirichlet([270.5, 10.5, 20.5, 0.5], 200_000)
    assert first.p_alone == pytest.approx((drawn[:, 1] - drawn[:, 2] > -0.05).mean(), abs=0.004)
    assert made.p_pass >= 0.95 > first.p_alone
    assert (made.verdict, made.decides) == ("inconclusive", "a")
    assert "on its own cases with probability" in made.sentence
    errors = hs.gate_slices(both, "new", "old", by=place, margin=0.05, metric="error_rate")
    assert [row.p_alone for row in errors.rows] == pytest.approx([row.p_alone for row in made.rows], abs=1e-9)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b, p: hs.compare_slices(3, "new", "old", by=p), InvalidArgument, "takes Predictions"),  # type: ignore[arg-type]
        (lambda b, p: hs.compare_slices(b, "new", "odd", by=p), UnknownClassifier, "odd"),
        (lambda b, p: hs.compare_slices(b, "new", "old", by={}), InvalidArgument, "needs a column"),
        (lambda b, p: hs.compare_slices(b, "new", "old", by=p)["xx"], InvalidArgument, "no slice is called"),
        (lambda b, p: hs.gate_slices(b, "new", "old", by=p, margin=2), InvalidArgument, "margin"),
    ],
)
def test_bad_input_is_told(call: Any, error: type[Exception], words: str) -> None:
    both, place = cases(n=100)
    with pytest.raises(error, match=words):
        call(both, place)


def test_in_two_slices_fewer_errors_are_as_surely_better_as_more_right_answers() -> None:
    both, place = cases(n=300)
    two = np.where(np.isin(place, ["de", "en"]), "a", "b")
    right, wrong = (hs.compare_slices(both, "new", "old", by=two, metric=m) for m in ("accuracy", "error_rate"))
    for name in "ab":
        assert wrong[name].p_better == pytest.approx(right[name].p_better, abs=1e-9)


# -- two models under one judge: what `compare` and `gate` say, and what they refuse ----------------------------------

CASES = json.loads((Path(__file__).parents[1] / "reference" / "judge.json").read_text(encoding="utf-8"))
PAIR = next(case for case in CASES if case.get("kind") == "pair")


def reference() -> hs.JudgedAnswers:
    """The published pair, item by item."""
    said: list[tuple[str, str, Any, Any]] = []
    word = ("fail", "pass")
    for cell, (items, labels) in enumerate(zip(PAIR["totals"], PAIR["labelled"], strict=True)):
        a, b = word[cell // 2], word[cell % 2]
        for outcome, many in enumerate(labels):
            said += [(a, b, word[outcome // 2], word[outcome % 2])] * many
        said += [(a, b, None, None)] * (items - sum(labels))
    va, vb, ha, hb = zip(*said, strict=True)
    return hs.JudgedAnswers({"A": va, "B": vb}, {"A": ha, "B": hb})


def test_turning_the_models_or_the_class_around_turns_the_answer() -> None:
    judged = reference()
    one, turned, wrong = (
        hs.compare(judged, "A", "B"),
        hs.compare(judged, "B", "A"),
        hs.compare(judged, "A", "B", metric="prevalence@fail"),
    )
    assert turned.law.mean == pytest.approx(-one.law.mean, abs=1e-12)
    assert wrong.law.mean == pytest.approx(-one.law.mean, abs=1e-12)
    assert not wrong.higher_is_better
    assert wrong.p_better == pytest.approx(one.p_better, abs=0.02)
    assert turned.p_worse == pytest.approx(one.p_better, abs=0.02)


def test_the_tipping_point_by_hand() -> None:
    # passes .5 of A's and .4 of B's answers, half of them right: .1 / .5 among wrong ones or among right ones
    assert tipping_points(0.1, 0.5) == pytest.approx((0.2, 0.2))
    # a judge of se .9, sp .8 at rate .8 passes .76; with wrong answers passed .2 + .05 / .2 = .45 of the time, .81
    wrong, right = tipping_points(0.05, 0.8)
    assert 0.8 * 0.9 + 0.2 * (0.2 + wrong) == pytest.approx(0.76 + 0.05)
    assert 0.8 * (0.9 + right) + 0.2 * 0.2 == pytest.approx(0.76 + 0.05)
    made = hs.compare(reference())
    judge = made.to_dict()["beside"]
    lead = judge["judged"][0] - judge["judged"][1]
    assert lead == pytest.approx(0.24 - 0.21)
    assert judge["tips_at_other"] == pytest.approx(lead / (1 - judge["rate"]))
    assert judge["tips_at_label"] == pytest.approx(lead / judge["rate"])
    said = f"A's wrong answers right {100 * judge['tips_at_other']:.1f} points more often than B's, or A's right"
    assert any(said in note for note in made.notes)


def test_a_lead_that_tips_on_one_side_only_has_that_tipping_point() -> None:
    """Few answers are wrong (or, of the other class, few are right): no preference among those makes such a lead."""
    va, vb = ["pass"] * 95 + ["fail"] * 5, ["pass"] * 75 + ["fail"] * 25
    labels = {"A": ["pass"] * 40 + [None] * 60, "B": ["pass"] * 40 + [None] * 60}
    judged = hs.JudgedAnswers({"A": [*va, "fail"], "B": [*vb, "fail"]}, {n: [*x, "fail"] for n, x in labels.items()})
    for metric in ("prevalence@pass", "prevalence@fail"):
        judge = hs.compare(judged, metric=metric).to_dict()["beside"]
        other, same = tipping_points(judge["judged"][0] - judge["judged"][1], judge["rate"])
        assert (other > 1) != (same > 1)
        assert judge["tips_at_other"] == (None if other > 1 else other)
        assert judge["tips_at_label"] == (None if same > 1 else same)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"metric": "accuracy"}, "are compared by the share of right answers"),
        ({"prior": "flat"}, "have the prior jeffreys"),
        ({"names": ("x", "y")}, "takes the names of two models"),
    ],
)
def test_what_a_judged_pair_cannot_be_asked(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.compare(reference(), **asked)


def test_names_classes_and_verdicts_that_do_not_fit_are_refused() -> None:
    judged = reference()
    with pytest.raises(UnknownClassifier):
        hs.compare(judged, "A", "C")
    with pytest.raises(UnknownLabel):
        hs.compare(judged, metric="prevalence@good")
    apart = hs.JudgedAnswers(
        {"A": [1, 0, None], "B": [None, 0, 1]}, {"A": [1, None, None], "B": [None, 0, None]}, labels=[0, 1]
    )
    with pytest.raises(NoInformation, match="no item that both models answered has a label of 'A'"):
        hs.compare(apart)
    gated = hs.gate(judged, "A", "B")
    assert (gated.verdict, gated.prior) == ("inconclusive", "paired jeffreys")
    with pytest.raises(InvalidArgument, match="the strict rule is a sign test"):
        hs.gate(judged, "A", "B", strict=True)
    with pytest.raises(InvalidLabels, match="no item in common"):
        hs.compare(hs.JudgedAnswers({"A": [1, None], "B": [None, 0]}, {"A": [1, None], "B": [None, 0]}))
