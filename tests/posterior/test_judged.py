"""Posteriors of cases that a judge labelled, and of verdicts whose rates are carried over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, OutOfReach
from howsure.laws import Draws
from howsure.metrics import parse
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior

pytestmark = pytest.mark.filterwarnings("ignore::howsure.CarriedRatesWarning")


CASES = {
    case["name"].split()[0]
    if case.get("kind") != "ratio"
    else " ".join(case["name"].split()[:2] + case["name"].split()[-2:]): case
    for case in json.loads((Path(__file__).parents[1] / "reference" / "judge.json").read_text(encoding="utf-8"))
}


def judged(passed: tuple[int, int], failed: tuple[int, int], totals: tuple[int, int]) -> hs.ConfusionMatrix:
    """Labels as pass and fail of the verdicts pass and fail, and all verdicts, as in the reference cases."""
    return hs.ConfusionMatrix(
        [[failed[1], passed[1]], [failed[0], passed[0]]],
        labels=["fail", "pass"],
        unlabelled={"pass": totals[0] - sum(passed), "fail": totals[1] - sum(failed)},
    )


TABLES = {
    "A1": judged((65, 7), (6, 22), (1400, 600)),
    "A2": judged((65, 7), (6, 22), (1400, 600)),
    "A3": judged((45, 1), (1, 3), (190, 10)),
    "A4": judged((192, 2), (3, 3), (9700, 300)),
    "A6": judged((49, 1), (18, 32), (900, 100)),
    "A7": judged((15, 1), (0, 4), (800, 200)),
    "A5": judged((45, 0), (0, 0), (190, 10)),  # a verdict that nobody checked has its prior
    "A9": hs.ConfusionMatrix(
        [[20, 3, 7], [4, 60, 8]],
        ["fail", "pass"],
        verdicts=["fail", "pass", "unsure"],
        unlabelled={"fail": 476, "pass": 1137, "unsure": 285},
    ),
}
UNSURE = hs.ConfusionMatrix(
    [[20, 3, 8], [4, 60, 7]],
    labels=["fail", "pass"],
    verdicts=["fail", "pass", "unsure"],
    unlabelled={"fail": 276, "pass": 1137, "unsure": 485},
)
GRADES = hs.ConfusionMatrix(
    [[9, 5, 3, 1, 0], [0, 2, 6, 13, 11]],
    ["fail", "pass"],
    verdicts=[1, 2, 3, 4, 5],
    unlabelled=[100, 200, 300, 400, 500],
)
#: Drum and Christacopoulos 1972, 650 patients, 344 verified; R package PVBcorrect, `hepatic_pvb`.
DRUM = hs.ConfusionMatrix([[54, 32], [27, 231]], labels=["healthy", "ill"], unlabelled=[140, 166])


def three(labelled: int = 60) -> hs.ConfusionMatrix:
    """Three classes, their three verdicts, some of 2,000 labelled."""
    rng = np.random.default_rng(5)
    truth = rng.choice(3, 2000, p=[0.5, 0.3, 0.2])
    called = np.where(rng.random(2000) < 0.8, truth, rng.integers(0, 3, 2000))
    names = np.array(["a", "b", "c"])
    return hs.ConfusionMatrix.from_predictions(
        [*names[truth[:labelled]].tolist(), *[None] * (2000 - labelled)], names[called].tolist(), missing="estimate"
    )


def audited() -> hs.ConfusionMatrix:
    """A classifier with sensitivity and specificity .85, a judge that is right in 90%, 150 of 3,000 labelled."""
    rng = np.random.default_rng(1)
    truth = rng.random(3000) < 0.4
    called, said = (np.where(rng.random(3000) < right, truth, ~truth) for right in (0.85, 0.9))
    words = np.array(["no", "yes"])
    labels = [*words[truth[:150].astype(int)].tolist(), *[None] * 2850]
    return hs.ConfusionMatrix.from_predictions(
        labels, words[called.astype(int)].tolist(), judge=words[said.astype(int)].tolist(), missing="estimate"
    )


@pytest.mark.sweep(4, full=6)
@pytest.mark.parametrize("name", TABLES)
def test_reference_cases(name: str) -> None:
    """JUDGE reference: two numerical routes that agree to 6e-11 made these numbers."""
    case = CASES[name]
    post = hs.infer(TABLES[name], {"A2": "flat", "A9": "jeffreys"}.get(name))
    share = post.of("prevalence@pass")
    assert share.prior == ("flat" if name == "A2" else "jeffreys")
    drawn = name in {"A5", "A7", "A9"}  # a verdict never checked, a share at a corner of both rates, three verdicts
    assert share.route == ("simulated" if drawn else "exact")
    assert share.mean == pytest.approx(case["mean"], abs=4 * share.sd / 141 if drawn else 1e-7)
    assert share.sd == pytest.approx(case["sd"], rel=0.03 if drawn else 1e-6)
    near = 5 * share.error if drawn else 1e-6
    assert tuple(share.interval(kind="central"))[:2] == pytest.approx(case["central"], abs=near)
    assert tuple(share.interval())[:2] == pytest.approx(case["hdi"], abs=max(near, 1e-5))
    assert drawn or share.worth == pytest.approx(case["n_effective"], rel=1e-6)


@pytest.mark.parametrize(("prior", "words"), [("flat", "flat rows"), ("jeffreys", "joint prior")])
@pytest.mark.parametrize(("metric", "what"), [("recall", "D sensitivity"), ("specificity", "D specificity")])
def test_verification_bias_is_corrected(metric: str, what: str, prior: str, words: str) -> None:
    case, found = CASES[f"{what} {words}"], hs.infer(DRUM, prior).of(f"{metric}@ill")
    assert found.mean == pytest.approx(case["mean"], abs=1e-8)
    assert found.sd == pytest.approx(case["sd"], abs=1e-8)
    assert tuple(found.interval(kind="central"))[:2] == pytest.approx(case["central"], abs=1e-8)
    assert tuple(found.interval())[:2] == pytest.approx(case["hdi"], abs=1e-6)


def test_drum_and_christacopoulos_as_published() -> None:
    """Begg and Greenes 1983: .84 and .74 where the verified cases alone show .895 and .628."""
    post = hs.infer(DRUM)
    assert post.of("recall@ill").observed == pytest.approx(0.836, abs=5e-4)
    assert post.of("specificity@ill").observed == pytest.approx(0.738, abs=5e-4)
    assert post.of("recall@ill").mean == pytest.approx(0.835, abs=5e-4)
    assert post.of("specificity@ill").mean == pytest.approx(0.736, abs=5e-4)
    assert pytest.approx(0.895, abs=5e-4) == 231 / 258


OF_TWO = (
    "prevalence@pass accuracy error_rate recall@pass recall@fail specificity@pass precision@pass fnr@pass fpr@pass "
    "npv@pass fdr@pass for@pass f1@pass fbeta(beta=2)@pass fbeta(beta=0.5)@fail jaccard@pass mcc kappa bias@pass "
    "balanced_accuracy informedness@pass markedness@pass detection_rate@pass lift@fail scott_pi gwet_ac1 p4@pass "
    "weighted_recall bennett_s mean_absolute_error weighted_kappa yule_q@pass adjusted_balanced_accuracy "
    "weighted_informedness(w=0.8)@pass weighted_markedness(w=0.8)@fail weighted_balanced_accuracy(c=0.3)@pass"
)


def check_against_draws(posterior: Posterior, names: str) -> None:
    """Every law in closed form has the distribution of the metric in the drawn tables (Kolmogorov, P about 1e-4)."""
    tables = posterior.draw(20_000, seed=7)
    closed = [name for name in names.split() if not isinstance(posterior.of(name).law, Draws)]
    assert len(closed) > 25
    for name in closed:
        found = posterior.of(name)
        values = np.sort(parse(name, posterior.labels, posterior.confusion.positive)(tables))
        some = np.linspace(500, 19_499, 24).astype(int)
        assert np.asarray(found.cdf(values[some])) == pytest.approx((some + 0.5) / 20_000, abs=0.016), name
        assert found.mean == pytest.approx(values.mean(), abs=5 * values.std() / 141), name


@pytest.mark.full
def test_laws_of_two_verdicts_are_those_of_the_drawn_tables() -> None:
    check_against_draws(hs.infer(TABLES["A1"]), OF_TWO)


def test_the_default_prior_goes_by_the_numbers_of_truths_and_verdicts() -> None:
    names = [hs.infer(table).prior.name for table in (DRUM, UNSURE, GRADES, audited(), three())]
    assert names == ["jeffreys", "learned", "learned", "learned", "jeffreys"]
    assert hs.infer(DRUM).prior.defaulted


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: hs.infer(UNSURE).of("prevalence@unsure"), "'unsure' is a verdict only, and no true class"),
        (lambda: hs.infer(GRADES).of("accuracy"), "no verdict carries the name of a true class"),
        (lambda: hs.infer(DRUM).at_prevalence(cases=[90, 10]), "labelled cases alone"),
        (lambda: hs.infer(DRUM, "sensitivity=beta(20,2), specificity=beta(9,1)"), "is about true classes"),
    ],
)
def test_what_has_no_answer_says_so_in_a_sentence(ask: object, words: str) -> None:
    with pytest.raises(HowsureError, match=words.replace("(", r"\(")):
        ask()  # type: ignore[operator]


# -- rates carried over: the prevalence behind verdicts of other cases, exact for two classes, drawn for all


REFERENCE = Path(__file__).parents[1] / "reference" / "judge.json"
CASES_OF_CARRIED = [case for case in json.loads(REFERENCE.read_text(encoding="utf-8")) if case["kind"] == "rates"]

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
    CASES_OF_CARRIED,
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
    low, high = carried(CASES_OF_CARRIED[0]).of("prevalence@yes").interval()
    assert (round(low, 4), round(high, 4)) == (0.0008, 0.0183)  # "(0, 1.8%)"


@pytest.mark.full
@pytest.mark.parametrize("case", CASES_OF_CARRIED[:2], ids=lambda case: case["name"][:2])
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
