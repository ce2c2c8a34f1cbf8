"""Two models under one judge: what `compare` and `gate` say, and what they refuse."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation, UnknownClassifier, UnknownLabel
from howsure.posterior.tipping_point import tipping_points

COMPARE = json.loads(resources.files("howsure.comparison").joinpath("compare.schema.json").read_text(encoding="utf-8"))
GATE = json.loads(resources.files("howsure.comparison").joinpath("gate.schema.json").read_text(encoding="utf-8"))
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


def simulated(
    rng: np.random.Generator,
    rate: tuple[float, float] = (0.8, 0.8),
    judge: tuple[tuple[float, float], tuple[float, float]] = ((0.97, 0.6), (0.9, 0.85)),
    items: int = 1000,
    labels: int = 50,
) -> hs.JudgedAnswers:
    """Models right at these rates, often on the same items; a judge with a sensitivity and specificity for each."""
    easy, own = rng.random(items), rng.random((2, items))
    alike = rng.random(items) < 0.4
    verdicts, human = {}, {}
    for name, r, (se, sp), u in zip("AB", rate, judge, own, strict=True):
        right = np.where(alike, easy, u) < r
        passed = np.where(right, rng.random(items) < se, rng.random(items) > sp)
        verdicts[name] = np.where(passed, "pass", "fail").astype(object)
        human[name] = np.where(right, "pass", "fail").astype(object)
        human[name][labels:] = None
    return hs.JudgedAnswers(verdicts, human)


def test_the_reference_pair_is_compared_with_its_moments() -> None:
    made = hs.compare(reference())
    assert made.metric == "prevalence@pass"
    assert (made.difference.mean, made.difference.sd) == pytest.approx((PAIR["mean"], PAIR["sd"]), abs=1e-8)
    assert made.p_better == pytest.approx(PAIR["p_positive_drawn"], abs=5 * np.sqrt(0.87 * 0.13 / 20_000))
    assert made.difference.route == "drawn"
    assert made.paired
    assert made.p_better + made.p_worse == pytest.approx(1)
    jsonschema.validate(made.to_dict(), COMPARE)
    judge = made.to_dict()["judge"]
    assert (judge["items"], judge["labelled_both"]) == (1000, 100)
    assert "the same cases" in str(made)
    assert made.to_markdown().startswith("**")
    assert repr(made.difference).startswith("difference 0.03")
    assert "separate" not in repr(made.difference)


def test_each_model_alone_is_what_infer_says_of_it() -> None:
    judged = reference()
    made = hs.compare(judged, "A", "B", metric="prevalence@pass")
    for name, known in (("A", made.a), ("B", made.b)):
        alone = hs.infer(judged.confusion(name)).of("prevalence@pass")
        assert known.mean == alone.mean
        assert tuple(known.interval()) == tuple(alone.interval())
        assert known.observed == alone.observed
    assert any("not quite its mean" in note for note in made.notes)


def test_where_everything_is_labelled_the_judge_drops_out_of_each_model() -> None:
    truth = ["pass"] * 7 + ["fail"] * 3
    judged = hs.JudgedAnswers(
        {"A": ["pass"] * 9 + ["fail"], "B": ["fail"] * 10}, {"A": truth, "B": ["fail", *truth[:9]]}
    )
    made = hs.compare(judged)
    assert made.a.mean == pytest.approx(8 / 12, abs=1e-12)
    assert made.a.interval().low == pytest.approx(hs.laws.Beta(8, 4).interval().low, abs=1e-9)
    assert made.a.observed == pytest.approx(0.7)


def test_turning_the_models_or_the_class_around_turns_the_answer() -> None:
    judged = reference()
    one, turned, wrong = (
        hs.compare(judged, "A", "B"),
        hs.compare(judged, "B", "A"),
        hs.compare(judged, "A", "B", metric="prevalence@fail"),
    )
    assert turned.difference.mean == pytest.approx(-one.difference.mean, abs=1e-12)
    assert wrong.difference.mean == pytest.approx(-one.difference.mean, abs=1e-12)
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
    judge = made.to_dict()["judge"]
    lead = judge["judged"][0] - judge["judged"][1]
    assert lead == pytest.approx(0.24 - 0.21)
    assert judge["tips_at_other"] == pytest.approx(lead / (1 - judge["rate"]))
    assert judge["tips_at_label"] == pytest.approx(lead / judge["rate"])
    said = f"A's wrong answers right {100 * judge['tips_at_other']:.1f} points more often than B's, or A's right"
    assert any(said in note for note in made.notes)


def test_equal_answers_are_equally_good_and_a_certain_lead_is_never_certain() -> None:
    same = ["pass"] * 30 + ["fail"] * 20
    label = ["pass"] * 20 + [None] * 20 + ["fail"] * 10
    made = hs.compare(hs.JudgedAnswers({"A": same, "B": same}, {"A": label, "B": label}))
    assert (made.p_better, made.p_worse) == (0.5, 0.5)
    assert any("no lead of either" in note for note in made.notes)
    far = hs.JudgedAnswers(
        {"A": ["pass"] * 900, "B": ["fail"] * 900},
        {"A": ["pass"] * 300 + [None] * 600, "B": ["fail"] * 300 + [None] * 600},
    )
    sure = hs.compare(far)
    assert 0.999 < sure.p_better < 1
    assert "probability > 0.999" in sure.sentence


def test_labels_apart_are_said_to_be_and_labels_of_one_are_used() -> None:
    rng = np.random.default_rng(2)
    judged = simulated(rng, labels=200)
    verdicts, human = ({name: list(x) for name, x in part.items()} for part in texts(judged))
    human["A"][100:200], human["B"][:100] = [None] * 100, [None] * 100
    apart = hs.compare(hs.JudgedAnswers(verdicts, human))
    assert "100 labelled for A, 100 labelled for B" in apart.sheet().about
    assert any("not paired" in note for note in apart.notes)
    assert apart.observed == pytest.approx(apart.a.observed - apart.b.observed)
    mixed = {"A": list(human["A"]), "B": list(human["B"])}
    mixed["B"][:50] = texts(judged)[1]["B"][:50]
    both = hs.compare(hs.JudgedAnswers(verdicts, mixed))
    assert "50 labelled for both, 50 only for A, 100 only for B" in both.sheet().about
    without = {"A": list(mixed["A"]), "B": list(mixed["B"])}
    without["A"][50:], without["B"][50:] = [None] * 950, [None] * 950
    assert both.difference.sd < hs.compare(hs.JudgedAnswers(verdicts, without)).difference.sd


def texts(judged: hs.JudgedAnswers) -> tuple[dict[str, list[str | None]], dict[str, list[str | None]]]:
    words = (*judged.verdicts, None)
    found = {name: judged.codes(name) for name in judged.names}
    said = {name: [words[i] for i in v] for name, (v, _) in found.items()}
    return said, {name: [words[i] for i in h] for name, (_, h) in found.items()}


def test_items_of_one_model_only_are_left_to_that_model() -> None:
    verdicts = {"A": ["pass"] * 40 + ["fail"] * 20 + [None] * 5, "B": [None] * 10 + ["pass"] * 30 + ["fail"] * 25}
    human = {
        "A": ["pass"] * 20 + [None] * 35 + ["fail"] * 5 + [None] * 5,
        "B": [None] * 10 + ["pass"] * 15 + [None] * 30 + ["fail"] * 10,
    }
    made = hs.compare(hs.JudgedAnswers(verdicts, human))
    assert any("the others (10 of A, 5 of B) count for the rate of each alone" in note for note in made.notes)
    assert made.to_dict()["judge"]["items"] == 50


def test_a_judge_that_prefers_one_model_alarms_the_naive_and_not_the_pair() -> None:
    rng = np.random.default_rng(17)
    naive = alarms = 0
    for _ in range(40):
        judged = simulated(rng)
        made = hs.compare(judged, draws=2_000)
        (a, n), (b, _) = judged.passed("A", "pass"), judged.passed("B", "pass")
        naive += (
            hs.compare(
                hs.Posterior.from_accuracy(correct=a, n=n),
                hs.Posterior.from_accuracy(correct=b, n=n),
                metric="accuracy",
            ).p_better
            > 0.95
        )
        alarms += made.p_better >= 0.95
    assert naive >= 36
    assert alarms <= 7  # 5 % of 40 are 2; 7 come once in a thousand such tests


def test_a_gate_of_judged_models_passes_and_has_no_strict_rule() -> None:
    rng = np.random.default_rng(5)
    judged = simulated(rng, rate=(0.9, 0.6), judge=((0.9, 0.85), (0.9, 0.85)), labels=200)
    made = hs.gate(judged, "A", "B")
    assert made.verdict == "pass"
    assert made.prior == "paired jeffreys"
    jsonschema.validate(made.to_dict(), GATE)
    with pytest.raises(InvalidArgument, match="the strict rule is a sign test"):
        hs.gate(judged, "A", "B", strict=True)
    with pytest.raises(InvalidArgument, match="name floor="):
        hs.gate(judged, "A")


@pytest.mark.deep
def test_a_gate_of_judged_models_fails_is_inconclusive_or_held_to_a_floor() -> None:
    rng = np.random.default_rng(5)
    judged = simulated(rng, rate=(0.9, 0.6), judge=((0.9, 0.85), (0.9, 0.85)), labels=200)
    assert hs.gate(judged, "B", "A").verdict == "fail"
    assert hs.gate(judged, "A", floor=0.7).verdict == "pass"
    with pytest.raises(AssertionError):
        hs.assert_better(judged, "B", "A", on_inconclusive="fail")
    close = hs.gate(simulated(rng), "A", "B")
    assert close.verdict == "inconclusive"
    assert "labels of as large a share" in str(close)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"metric": "accuracy"}, "are compared by the share of right answers"),
        ({"metric": "recall@pass"}, "is about the judge"),
        ({"prior": "flat"}, "have the prior jeffreys"),
        ({"shares": "test"}, "leave shares= out"),
        ({"names": ("x", "y")}, "takes the names of two models"),
        ({"rope": 2}, "rope is the largest difference"),
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
    with pytest.raises(InvalidArgument, match="two different models"):
        hs.compare(judged, "A", "A")
    with pytest.raises(InvalidArgument, match="takes the names of two models"):
        hs.compare(judged, "A", "B", "A")
    grades = {"A": [*"abcd", "pass"] * 4, "B": [*"abcd", "pass"] * 4}
    label = ["pass", "fail"] * 5 + [None] * 10
    with pytest.raises(InvalidArgument, match="join some verdicts"):
        hs.compare(hs.JudgedAnswers(grades, {"A": label, "B": label}), metric="prevalence@pass")
    words = hs.JudgedAnswers({"A": ["x", "y"], "B": ["x", "y"]}, {"A": ["x", "y"], "B": ["x", "y"]})
    with pytest.raises(InvalidArgument, match="Name it: metric='prevalence@y'"):
        hs.compare(words)
    apart = hs.JudgedAnswers(
        {"A": [1, 0, None], "B": [None, 0, 1]}, {"A": [1, None, None], "B": [None, 0, None]}, labels=[0, 1]
    )
    with pytest.raises(NoInformation, match="no item that both models answered has a label of 'A'"):
        hs.compare(apart)
    one = {"A": ["pass"] * 9_000, "B": ["pass"] * 9_000}
    some = ["pass", "fail"] * 2_100 + [None] * 4_800
    other = ["pass", "fail"] + [None] * 4_198 + ["fail", "pass"] * 2_100 + [None] * 600
    with pytest.raises(InvalidArgument, match="label the other answer of these items"):
        hs.compare(hs.JudgedAnswers(one, {"A": some, "B": other})).p_better  # noqa: B018
    with pytest.raises(InvalidLabels, match="no item in common"):
        hs.compare(hs.JudgedAnswers({"A": [1, None], "B": [None, 0]}, {"A": [1, None], "B": [None, 0]}))
