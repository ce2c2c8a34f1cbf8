"""Questions to a posterior: frequencies, patients, predictive values, priors, new tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import matrices

import howsure as hs
from howsure.answers.sheet import Ask, Record
from howsure.errors import InvalidArgument, NoInformation, UnknownLabel
from howsure.laws import Beta, Kind
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import Prior
from howsure.posterior.questions.predictive import _drawn, _exact

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")


@pytest.mark.full
@given(matrices(max_classes=3), st.integers(1, 10**5))
def test_everybody_is_counted_once(cm: hs.ConfusionMatrix, of: int) -> None:
    known = hs.infer(cm).natural_frequencies(of)
    counts = np.array(known.counts)
    assert counts.sum() == of
    assert counts.min() >= 0
    for i, (found, missed, alarms, predicted) in enumerate(
        zip(known.found, known.missed, known.false_alarms, known.predicted, strict=True)
    ):
        assert (found.total, found.count) == (counts[i].sum(), counts[i, i])
        assert found.count + missed.count == found.total == missed.total
        assert found.count + alarms.count == predicted.count == counts[:, i].sum()
        assert (alarms.total, predicted.total) == (of - found.total, of)
        for share in (found, missed, alarms, alarms.others, predicted):
            assert 0 <= share.low <= share.count <= share.high <= share.total
    for right, predicted, found in zip(known.right, known.predicted, known.found, strict=True):
        assert (right is None) == (predicted.count == 0)
        if right is not None:
            assert right.value == found.count / predicted.count
            assert 0 <= right.low <= right.value <= right.high <= 1
    json.dumps(known.to_dict(), allow_nan=False)
    assert "<table>" in known._repr_html_()


@pytest.mark.parametrize("prior", ["flat", "learned", "jeffreys"])
def test_the_predicted_are_those_of_both_classes_in_closed_form_and_in_draws(prior: str) -> None:
    cm = hs.ConfusionMatrix([[40, 6, 4], [3, 30, 2], [1, 5, 9]], labels=["a", "b", "c"])
    post = hs.infer(cm, prior)
    known = post.natural_frequencies(100_000, [0.5, 0.3, 0.2], kind="central")
    tables = post.at_prevalence([0.5, 0.3, 0.2]).draw(20_000, seed=5)
    called = tables.sum(axis=1)
    for i in range(3):
        rest = 1 - [0.5, 0.3, 0.2][i]
        for share, values in (
            (known.predicted[i], called[:, i]),
            (known.false_alarms[i], (called - np.diagonal(tables, axis1=1, axis2=2))[:, i] / rest),
        ):
            low, high = np.quantile(values, [0.025, 0.975])
            slack = 0.06 * (high - low) * share.total
            assert share.low == pytest.approx(low * share.total, abs=slack)
            assert share.high == pytest.approx(high * share.total, abs=slack)


@pytest.mark.parametrize("of", [0, True, 10**12])
def test_numbers_of_people_that_are_none(of: object) -> None:
    with pytest.raises(InvalidArgument, match="number of people"):
        TWO.natural_frequencies(of)  # type: ignore[arg-type]


def test_all_published_classifiers(published: dict[str, Any]) -> None:
    names = [n for n, c in published.items() if n.startswith("toetsch2020") and "matrix" in c]
    assert len(names) == 24
    for name in names:
        known = hs.infer(hs.ConfusionMatrix(published[name]["matrix"]), "flat").of("informedness")
        rel = 2e-4 if name == "toetsch2020_16" else 6e-6  # that one's stored tail has four digits
        assert known.prob(below=0) == pytest.approx(published[name]["computed"]["r_deceptive"], rel=rel, abs=0)


# -- post-test probabilities: exact for one test of two classes, drawn elsewhere, and both by Bayes' rule -------------

THREE = hs.infer(hs.ConfusionMatrix([[30, 0, 2], [0, 13, 1], [1, 1, 18]], labels=["a", "b", "c"]))


def test_after_a_positive_result_it_is_the_precision_at_that_prevalence() -> None:
    answer = TWO.post_test(0.02)
    there = TWO.at_prevalence({"ill": 0.02})
    for result, metric in (("positive", "precision@ill"), ("negative", "false_omission_rate@ill")):
        law, known = answer.after(result), there.of(metric)
        assert law.route == "exact"
        assert tuple(law.interval()) == pytest.approx(tuple(known.interval()), abs=1e-9)
        assert answer.after(result, label="healthy").mean == pytest.approx(1 - law.mean, abs=1e-9)


@pytest.mark.sweep(6, full=12)
@pytest.mark.parametrize(
    ("results", "pre"), [("positive", 0.02), (["positive", "negative"], 0.4), (["positive"] * 3, Beta(4, 60))]
)
def test_against_bayes_rule_on_draws_of_the_rates(results: str | list[str], pre: float | Beta) -> None:
    rng = np.random.default_rng(5)
    n = 200_000
    sens, spec = rng.beta(43, 9, n), rng.beta(46, 6, n)
    odds_before = np.array(pre if isinstance(pre, float) else rng.beta(pre.a, pre.b, n))
    odds = odds_before / (1 - odds_before)
    for result in [results] if isinstance(results, str) else results:
        odds = odds * (sens / (1 - spec) if result == "positive" else (1 - sens) / spec)
    expected = odds / (1 + odds)
    law = TWO.post_test(pre, results).after()
    assert law.mean == pytest.approx(expected.mean(), abs=5 * expected.std() / 20_000**0.5)
    assert law.sd == pytest.approx(expected.std(), rel=0.04)
    low, high = law.interval(kind="central")
    assert (low, high) == pytest.approx(np.quantile(expected, [0.025, 0.975]), abs=expected.std() / 8)


def test_several_classes_against_the_precision_of_each_class() -> None:
    shares = {"a": 0.7, "b": 0.2, "c": 0.1}
    answer, there = THREE.post_test(shares), THREE.at_prevalence(shares)
    for label in "abc":
        law, known = answer.after(label, label=label), there.of(f"precision@{label}")
        assert law.mean == pytest.approx(known.mean, abs=4 * known.sd / 20_000**0.5)  # drawn against exact
        total = sum(answer.after(label, label=other).mean for other in "abc")
        assert total == pytest.approx(1)


def test_a_repeat_is_read_from_the_same_rates_and_another_test_from_its_own() -> None:
    """With rates that are all but unknown, the same test twice is much more alike than two tests."""
    vague = [hs.infer(hs.ConfusionMatrix([[3, 1], [1, 3]], labels=["n", "y"])) for _ in range(2)]
    twice = vague[0].post_test(0.5, ["positive", "positive"]).after()
    same = hs.post_test([(vague[0], "positive"), (vague[0], "positive")], 0.5).after()
    two = hs.post_test([(vague[0], "positive"), (vague[1], "positive")], 0.5).after()
    assert twice.mean == same.mean
    assert two.sd < 0.97 * twice.sd


@pytest.mark.parametrize(
    ("pre", "results", "sentence"),
    [
        (0, None, "strictly between 0 and 1"),
        (float("nan"), None, "strictly between 0 and 1"),
        ("0.1", None, "a number such as"),
        (True, None, "a number such as"),
        ([0.5, 0.6], None, "add to 1"),
        (0.1, [], "no test result"),
    ],
)
def test_bad_questions_are_refused(pre: object, results: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        TWO.post_test(pre, results)  # type: ignore[arg-type]


def test_other_refusals() -> None:
    with pytest.raises(UnknownLabel):
        TWO.post_test(0.1, "perhaps")
    with pytest.raises(InvalidArgument, match="with 3 classes"):
        THREE.post_test(0.1)
    with pytest.raises(InvalidArgument, match="different classes"):
        hs.post_test([(TWO, "positive"), (THREE, "a")], 0.1)


A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def test_questions_check_what_they_are_given() -> None:
    post = hs.infer(A)
    for ask in (lambda: post.post_test(0.02, ["positive"] * 2, draws=-1), lambda: post.predict(20, draws=10**12)):
        with pytest.raises(InvalidArgument, match="draws is an integer"):
            ask()
    with pytest.raises(InvalidArgument, match="seed is an integer"):
        post.predict(20, seed=-1)
    with pytest.raises(InvalidArgument, match="no test result is given"):
        post.post_test(0.02, 5)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="an earlier matrix is a ConfusionMatrix, not list"):
        hs.Prior.from_matrix([[1, 2], [3, 4]])  # type: ignore[arg-type]  # wrong on purpose


def test_an_uncertain_pre_test_probability_is_that_of_the_positive_class_wherever_it_stands() -> None:
    table = hs.ConfusionMatrix([[42, 8], [5, 45]], labels=["ill", "healthy"])
    for positive, shares in (("ill", (0.2, 0.8)), ("healthy", (0.8, 0.2))):
        made = hs.infer(table.with_positive(positive)).post_test(Beta(2, 8))
        assert made.pre_test == pytest.approx(shares)


# -- predictive values as curves: the same numbers as one prevalence at a time ----------------------------------------

TWO_OF_PREDICTIVE = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE_OF_PREDICTIVE = hs.ConfusionMatrix([[45, 5, 1], [8, 42, 3], [3, 3, 20]], labels=["a", "b", "macro"])


SPARSE = hs.ConfusionMatrix([[20, 0], [3, 10]], labels=["healthy", "ill"])


@pytest.mark.sweep(4, full=20)
@pytest.mark.parametrize(
    ("confusion", "label", "kind", "share", "level"),
    [
        (TWO_OF_PREDICTIVE, "ill", "hdi", 0.001, 0.9),
        (TWO_OF_PREDICTIVE, "healthy", "central", 0.5, 0.5),
        (SPARSE, "ill", "hdi", 0.02, 0.95),
    ],
)
def test_the_curve_is_that_of_each_prevalence(
    confusion: hs.ConfusionMatrix, label: str, kind: Kind, share: float, level: float
) -> None:
    post = hs.infer(confusion, "flat")
    curve = post.predictive_values(label, level=level, kind=kind, prevalence=[share, 0.3])
    there = post.at_prevalence({label: share})
    assert curve.law == "exact"
    for metric, values, call in zip(
        ("precision", "npv"), (curve.positive, curve.negative), curve.at(share), strict=True
    ):
        law = there.of(f'{metric}@"{label}"')
        low, high = law.interval(level, kind)
        assert call == pytest.approx((low, law.mean, high), abs=5e-6 * (high - low))
        assert values[:, 0] == pytest.approx(call, rel=1e-12)


def test_what_has_no_curve_is_said() -> None:
    with pytest.raises(InvalidArgument, match="say which class"):
        hs.infer(THREE_OF_PREDICTIVE).predictive_values()
    for odd in ([0.0], [1.0], [], ["x"]):
        with pytest.raises((InvalidArgument, ValueError)):
            hs.infer(TWO_OF_PREDICTIVE).predictive_values(prevalence=odd)  # type: ignore[arg-type]  # on purpose


def test_drawn_curves_agree_with_exact_ones() -> None:
    post = knowledge_of(hs.infer(TWO_OF_PREDICTIVE, "flat"))
    exact = _exact(post, [0, 1], 0.95, "hdi")
    assert exact is not None
    for one, other in zip(exact, _drawn(post, [0, 1], Ask(0.95, "hdi")), strict=True):
        for known, drawn in zip(one.odds, other.odds, strict=True):
            for call, again in zip(known.at([-3.0, 0.0, 2.0]), drawn.at([-3.0, 0.0, 2.0]), strict=True):
                assert again[:3] == pytest.approx(call[:3], abs=6 * again.error)
        assert (other.recall, other.alarm) == pytest.approx((one.recall, one.alarm), abs=0.002)


# -- predictive laws of a new test, against simulation and against the factor of the variance -------------------------

CM = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
TWO_OF_REPLICATION = hs.infer(CM, "flat")
THREE_OF_REPLICATION = hs.infer(
    hs.ConfusionMatrix([[30, 0, 2], [0, 13, 1], [1, 1, 18]], labels=["a", "b", "c"]), "flat"
)


@pytest.mark.parametrize("metric", ["f1", "balanced_accuracy", "recall@ill"])
@pytest.mark.parametrize("cases", [60, [20, 40]])
def test_against_a_simulation_case_by_case(metric: str, cases: int | list[int]) -> None:
    rng = np.random.default_rng(11)
    runs = 4000
    spec, sens = rng.beta(46, 6, runs), rng.beta(43, 9, runs)
    ill = rng.binomial(60, rng.beta(51, 51, runs)) if isinstance(cases, int) else np.full(runs, 40)
    tp, tn = rng.binomial(ill, sens), rng.binomial(60 - ill, spec)
    tables = np.stack([np.stack([tn, 60 - ill - tn], -1), np.stack([ill - tp, tp], -1)], -2).astype(float)
    measure = measure_of(TWO_OF_REPLICATION.of(metric))
    assert measure is not None
    expected = measure(tables)
    law = TWO_OF_REPLICATION.predict(cases).of(metric)
    assert law.mean == pytest.approx(np.nanmean(expected), abs=5 * np.nanstd(expected) / runs**0.5)
    assert law.sd == pytest.approx(np.nanstd(expected), rel=0.06)


def test_the_prevalence_of_the_new_test_is_that_of_the_posterior() -> None:
    new = TWO_OF_REPLICATION.at_prevalence({"ill": 0.1}).predict(200)
    assert new.of("prevalence@ill").mean == pytest.approx(0.1, abs=0.002)
    assert new.of("prevalence@ill").sd == pytest.approx((0.1 * 0.9 / 200) ** 0.5, rel=0.05)
    assert new.of("accuracy").route == "simulated"


def test_an_absent_class_says_nothing() -> None:
    with pytest.raises(NoInformation, match="no case of class 'b'"):
        THREE_OF_REPLICATION.predict([1, 0, 50]).of("recall@b")
    with pytest.raises(NoInformation, match="no case of class 'b'"):
        hs.infer(THREE_OF_REPLICATION.confusion, "learned").predict([1, 0, 50]).of("recall@b")


@pytest.mark.parametrize("cases", [0, True, "many", [1], [1, -2], [0, 0], {"ill": 3}, 10**9])
def test_tests_that_are_none(cases: object) -> None:
    asked = hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]], labels=["healthy", "ill"]))
    with pytest.raises(InvalidArgument):
        asked.predict(cases)  # type: ignore[arg-type]


# -- one answer under several priors ----------------------------------------------------------------------------------

COCAINE = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))


def test_a_prior_that_says_nothing_is_said_to() -> None:
    known = COCAINE.prior_sensitivity("recall@high", ["haldane", Prior(3, 1, name="optimist")])
    assert [a.prior for a in known.answers] == ["calibrated", "haldane", "optimist"]
    assert known.answers[1].known is None
    assert "no information" in known.answers[1].silence
    assert "haldane: no information" in str(known)
    json.dumps(known.to_dict(), allow_nan=False)
    assert "no information" in known._repr_html_()


# -- what if the labelled cases were picked: worst case and tipping point ---------------------------------------------

#: Drum and Christacopoulos 1972, 650 patients, 344 verified; R package PVBcorrect, `hepatic_pvb`.
DRUM = hs.ConfusionMatrix([[54, 32], [27, 231]], labels=["healthy", "ill"], unlabelled=[140, 166])
ANSWERS = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})


def test_tilts_of_the_published_table() -> None:
    """Odds of illness among the unverified 1/4, 1/2, 1, 2, 4 times those among the verified."""
    post = hs.infer(DRUM)
    for metric, means in (("recall", (0.89, 0.87, 0.84, 0.80, 0.76)), ("specificity", (0.66, 0.71, 0.74, 0.74, 0.73))):
        known = [knowledge_of(post).tilted(1, odds).of(f"{metric}@ill") for odds in (0.25, 0.5, 1, 2, 4)]
        assert [x.mean for x in known] == pytest.approx(means, abs=0.0075)


def test_the_worst_case_holds_whatever_is_true_of_the_others() -> None:
    low, high = hs.infer(DRUM).of("prevalence@ill").not_at_random().worst_case
    assert (low, high) == pytest.approx(((231 + 27) / 650, (231 + 27 + 306) / 650))
    assert hs.infer(DRUM).of("mcc").not_at_random().worst_case is None
    assert hs.infer(DRUM).of("accuracy").not_at_random().worst_case == pytest.approx((285 / 650, 591 / 650))


@pytest.mark.full
def test_a_claim_tips_where_its_probability_passes_the_level() -> None:
    share = hs.infer(ANSWERS).of("prevalence@pass")
    found = share.not_at_random(above=0.6)
    assert found.probability == pytest.approx(0.996, abs=0.001)
    assert found.tipping_point is not None
    assert 0.5 < found.tipping_point < 1
    at = knowledge_of(hs.infer(ANSWERS)).tilted(1, found.tipping_point).of("prevalence@pass")
    assert at.prob(above=0.6) == pytest.approx(0.95, abs=0.005)
    assert "is no longer 95% sure" in found.sentence
    assert share.not_at_random(above=0.75).tipping_point > 1
    assert share.not_at_random(above=-1).tipping_point is None
    assert found.to_dict()["tipping_point"] == found.tipping_point
    assert "odds" in str(found)


def test_odd_questions_about_picked_labels() -> None:
    share = hs.infer(DRUM).of("prevalence@ill")
    for options, words in (
        ({"above": 0.2, "below": 0.9}, "one claim"),
        ({"label": "sick"}, "true class whose odds differ"),
        ({"above": "x"}, "number"),
    ):
        with pytest.raises(InvalidArgument, match=words):
            share.not_at_random(**options)


# -- names from outside in every record: no control character, no markup, no table border of their own ----------------

NASTY = ["<script>alert(1)</script>", "a|b\n\x1b[31m::error::`x`"]
TWO_OF_RECORDS = hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=NASTY))
THREE_OF_RECORDS = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 8, 0], [0, 1, 5]], labels=[*NASTY, "=1+1"]))

RECORDS: dict[str, Callable[[], Record]] = {
    "natural frequencies": TWO_OF_RECORDS.natural_frequencies,
    "post-test": lambda: THREE_OF_RECORDS.post_test({NASTY[0]: 0.3}),
    "new test": TWO_OF_RECORDS.predict,
    "new test of chosen sizes": lambda: THREE_OF_RECORDS.predict([5] * 3, draws=500),
    "sensitivity": lambda: THREE_OF_RECORDS.prior_sensitivity(f"recall@{NASTY[1]}"),
    "classical": lambda: hs.classical(THREE_OF_RECORDS.confusion),
    "survey": lambda: hs.survey({NASTY[0]: TWO_OF_RECORDS.confusion, NASTY[1]: TWO_OF_RECORDS.confusion}),
}


@pytest.mark.sweep(9, full=16)
@pytest.mark.parametrize("what", RECORDS)
def test_nothing_from_outside_is_more_than_text(what: str) -> None:
    made = RECORDS[what]()
    shown = str(made)
    assert all(line.isprintable() for line in shown.splitlines())
    assert repr(made).isprintable()
    markdown = made.to_markdown()
    assert "<script>" not in markdown
    assert "::" not in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    html = made._repr_html_()
    assert "<script>" not in html
    assert "\x1b" not in html
    json.dumps(made.to_dict(), allow_nan=False)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        made.level = 0.5  # type: ignore[attr-defined]
