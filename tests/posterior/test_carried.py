"""Rates carried over: the prevalence behind verdicts of other cases, exact for two classes, drawn for all else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, OutOfReach
from howsure.posterior.knowledge import knowledge_of

pytestmark = pytest.mark.filterwarnings("ignore::howsure.CarriedRatesWarning")

REFERENCE = Path(__file__).parents[1] / "reference" / "judge.json"
CASES = [case for case in json.loads(REFERENCE.read_text(encoding="utf-8")) if case["kind"] == "rates"]

#: Judges of B3, B4 and B5 of the reference.
GOOD = hs.ConfusionMatrix([[80, 20], [15, 85]], labels=["fail", "pass"])
THREE = hs.ConfusionMatrix([[80, 15, 5], [10, 80, 10], [5, 10, 85]], labels=["a", "b", "c"])


def carried(case: dict[str, Any]) -> hs.Posterior:
    """By the public call, from the counts of a case of the reference."""
    (right, missed), (kept, false) = case["se"], case["sp"]
    cm = hs.ConfusionMatrix([[kept - 1, false - 1], [missed - 1, right - 1]], labels=["no", "yes"])
    return hs.infer(cm, "flat").at_prevalence(verdicts={"yes": case["k"], "no": case["N"] - case["k"]})


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize(
    "case",
    CASES,
    ids=lambda case: case["name"][:2],
)
def test_the_reference_cases(case: dict[str, Any]) -> None:
    post = carried(case)
    known = post.of("prevalence@yes")
    assert known.route == "exact"
    assert (known.mean, known.sd) == pytest.approx((case["mean"], case["sd"]), abs=1e-8)
    assert known.interval(kind="central") == pytest.approx(case["central"], abs=1e-8)
    assert known.interval() == pytest.approx(case["hdi"], abs=1e-6)
    said = hs.report(post, ["prevalence@yes"]).carried
    assert said is not None
    assert said.compatible == pytest.approx(case["compatible"], abs=1e-8)
    assert said.worse_than_chance == pytest.approx(case["worse_than_chance"], abs=1e-8)


def test_santa_clara_as_gelman_and_carpenter_published_it() -> None:
    low, high = carried(CASES[0]).of("prevalence@yes").interval()
    assert (round(low, 4), round(high, 4)) == (0.0008, 0.0183)  # "(0, 1.8%)"


@pytest.mark.full
@pytest.mark.parametrize("case", CASES[:2], ids=lambda case: case["name"][:2])
def test_what_is_drawn_is_what_is_exact(case: dict[str, Any]) -> None:
    post = carried(case)
    exact, drawn = post.of("prevalence@yes"), post.draw(20_000)[:, 1].sum(axis=1)
    assert drawn.mean() == pytest.approx(exact.mean, abs=5 * exact.sd / np.sqrt(20_000))
    assert exact.cdf(np.quantile(drawn, [0.025, 0.5, 0.975])) == pytest.approx([0.025, 0.5, 0.975], abs=0.015)


def test_as_it_reads() -> None:
    there = hs.infer(GOOD, "flat").at_prevalence(verdicts={"pass": 700, "fail": 300})
    text = "prevalence@pass 0.78 (0.68 to 0.89) 95% HDI, prior flat, exact, rates carried over"
    assert repr(there.of("prevalence@pass")) == text
    assert knowledge_of(there).prevalence_source == "verdicts elsewhere"
    assert there.shares is None
    assert there.of("prevalence@pass").observed == pytest.approx((0.7 + 0.8 - 1) / 0.65)
    assert there.of("prevalence@fail").mean == pytest.approx(1 - there.of("prevalence@pass").mean, abs=1e-9)
    assert "rates carried over" in repr(there)


def test_a_judge_that_is_worse_than_chance_is_used_the_other_way_round() -> None:
    reversed_judge = hs.infer(hs.ConfusionMatrix([[20, 80], [85, 15]], labels=["fail", "pass"]))
    there, usual = (
        post.at_prevalence(verdicts=v).of("prevalence@pass")
        for post, v in ((reversed_judge, [700, 300]), (hs.infer(GOOD), [300, 700]))
    )
    assert there.mean == pytest.approx(usual.mean, abs=1e-9)
    with pytest.warns(hs.CarriedRatesWarning, match="not identified"):
        reversed_judge.at_prevalence(verdicts=[700, 300]).of("prevalence@pass")


@pytest.mark.full
def test_a_contradiction_is_said_first_and_nothing_is_clipped() -> None:
    judge = hs.infer(hs.ConfusionMatrix([[90, 10], [15, 85]], labels=["fail", "pass"]), "flat")
    post = judge.at_prevalence(verdicts={"pass": 20, "fail": 980})
    with pytest.warns(hs.CarriedRatesWarning, match="called 2.0% pass, but by its calibration it calls 10% of the"):
        known = post.of("prevalence@pass")
    assert known.observed is None  # (0.02 + 0.9 - 1) / 0.75 is below 0
    assert known.interval().low == 0
    made = hs.report(post, ["prevalence@pass"])
    assert made.warnings[0].startswith("The judge called 2.0% pass")
    assert "(compatible: 0.0040%). The rates do not carry over; the number below is the" in made.warnings[0]
    assert made.verdict.startswith("The rates do not carry over, so this is no prevalence: prevalence@pass is 0.004")
    other = hs.report(judge.at_prevalence(verdicts={"pass": 998, "fail": 2}), ["prevalence@pass"])
    assert "calls only 85% of the truly pass so" in other.warnings[0]
    assert "the calibration's false negatives" in other.warnings[0]


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize("prior", ["flat", "learned"])
def test_three_classes_inside(prior: str) -> None:
    post = hs.infer(THREE, prior).at_prevalence(verdicts=[400, 350, 250])
    said = hs.report(post, ["prevalence@a"], draws=2_000).carried
    assert said is not None
    assert (said.sampler, said.kept) == ("weights", pytest.approx(1.0, abs=0.01))
    assert said.effective > 0.99
    known = [post.of(f"prevalence@{x}") for x in "abc"]
    assert [x.route for x in known] == ["simulated"] * 3
    assert sum(x.mean for x in known) == pytest.approx(1)
    solved = np.linalg.solve(np.array(THREE.counts).T / 100, [0.4, 0.35, 0.25])
    assert [x.observed for x in known] == pytest.approx(solved)
    assert [x.mean for x in known] == pytest.approx(solved, abs=0.02)


@pytest.mark.full
def test_the_learned_prior_has_no_gibbs_method_and_says_so() -> None:
    post = hs.infer(THREE, "learned").at_prevalence(verdicts=[1_000_000, 0, 0])
    with pytest.raises(OutOfReach, match="prior 'flat' has an answer"):
        post.of("prevalence@a")


@pytest.mark.parametrize(
    ("verdicts", "error", "words"),
    [
        ({"pass": 700}, InvalidArgument, "'fail' is missing in verdicts="),
        ({"pass": -7, "fail": 3}, InvalidArgument, "integers, 0 or more"),
        ("pass", InvalidArgument, "2 integers, one for each class"),
    ],
)
def test_verdicts_that_are_none(verdicts: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        hs.infer(GOOD).at_prevalence(verdicts=verdicts)


def test_what_does_not_go_together() -> None:
    with pytest.raises(InvalidArgument, match="one of the three"):
        hs.infer(GOOD).at_prevalence({"pass": 0.5}, verdicts=[1, 2])
    there = hs.infer(GOOD).at_prevalence(verdicts=[300, 700])
    for again in ({"prevalence": {"pass": 0.5}}, {"cases": [1, 2]}, {"verdicts": [1, 2]}):
        with pytest.raises(InvalidArgument, match="where the calibration itself is known"):
            there.at_prevalence(**again)
    gaps = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    with pytest.raises(InvalidArgument, match="A calibration has the truth of every case"):
        hs.infer(gaps).at_prevalence(verdicts=[3, 4])
