"""Two models under one judge: what `compare` and `gate` say, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.errors import InvalidArgument, InvalidLabels, NoInformation, UnknownClassifier, UnknownLabel
from howsure.posterior.paired_verdicts import tipping_points

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
