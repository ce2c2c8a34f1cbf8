"""Joint statements: read safely, exact about one metric, counted on joint draws about several."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.posterior.statements.grammar import Reader

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
POST = hs.infer(ILL, "flat")
BETA = stats.beta(43, 9)  # recall@ill
THREE = hs.infer(hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["not ill", "macro", "a>b"]), "flat")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("recall@ill > 0.8", BETA.sf(0.8)),
        ("recall <= .8", BETA.cdf(0.8)),
        ("0.7 < recall@ill <= 0.9", BETA.cdf(0.9) - BETA.cdf(0.7)),
        ("not recall@ill > 0.8", BETA.cdf(0.8)),
        ("not(recall@ill > 0.8 or recall@ill < 7e-1)", BETA.cdf(0.8) - BETA.cdf(0.7)),
        ("recall@ill < 0.7 or recall@ill > 0.9", BETA.cdf(0.7) + BETA.sf(0.9)),
        ("recall@ill > 0.8 and sensitivity > 0.9", BETA.sf(0.9)),
        ("recall@ill > 0.8 or recall@ill <= 0.8", 1),
        ("recall@ill > recall@ill", 0),
    ],
)
def test_about_one_metric_it_is_exact(text: str, expected: float) -> None:
    found = POST.prob(text)
    assert found.route == "exact"
    assert float(found) == found.value == pytest.approx(expected, abs=1e-9)
    assert found.draws is None


def test_a_number_that_is_known_is_an_atom() -> None:
    at = POST.at_prevalence([0.75, 0.25])
    for text, expected in [("> 0.25", 0), (">= 0.25", 1), ("< 0.25", 0), ("<= 0.25", 1), ("> 0.2", 1)]:
        assert float(at.prob(f"prevalence@ill {text}")) == expected
    assert float(at.prob("0.1 < prevalence@ill < 0.25 or 0.25 < prevalence@ill < 0.5")) == 0


def test_about_two_metrics_it_is_counted_on_joint_draws() -> None:
    found = POST.prob("recall@ill > 0.8 and recall@healthy > 0.85")
    exact = BETA.sf(0.8) * stats.beta(46, 6).sf(0.85)  # independent rows
    assert found.route == "drawn"
    assert found.draws == 20_000
    assert found.error < np.sqrt(exact * (1 - exact) / 20_000)  # the draws are weighted by balanced accuracy
    again = [POST.prob("recall@ill > 0.8 and recall@healthy > 0.85", draws=2000, seed=seed) for seed in range(100)]
    assert np.std([x.value for x in again]) == pytest.approx(np.mean([x.error for x in again]), rel=0.25)
    assert float(found) == pytest.approx(exact, abs=5 * found.error)
    assert POST.prob("recall@ill > 0.8 and recall@healthy > 0.85", seed=1).value != found.value
    assert POST.prob("recall@ill > 0.8 and recall@healthy > 0.85").value == found.value


def test_and_binds_before_or_and_brackets_before_both() -> None:
    loose = "recall@ill > 0.99 and recall@ill > 0.99 or recall@ill > 0.5"
    assert float(POST.prob(loose)) > 0.99
    assert float(POST.prob("recall@ill > 0.99 and (recall@ill > 0.99 or recall@ill > 0.5)")) < 0.01


def test_labels_in_quotes_and_parameters() -> None:
    assert THREE.prob('recall@"not ill" > 0.9').text == 'recall@"not ill" > 0.9'
    assert THREE.prob('recall@"macro" > 0.5').text == 'recall@"macro" > 0.5'
    assert THREE.prob("recall@macro > 0.5").text == "recall@macro > 0.5"
    assert THREE.prob('recall@"a>b">0.5').text == 'recall@"a>b" > 0.5'
    text = THREE.prob("fbeta(beta=2)@macro>.5 and(kappa>=0.25)").text
    assert text == "fbeta(beta=2)@macro > 0.5 and kappa >= 0.25"


def test_draws_in_which_a_metric_is_undefined_are_left_out() -> None:
    tiny = hs.infer(hs.ConfusionMatrix([[3, 0], [1, 0]], labels=["a", "b"]), hs.Prior(1e-3, 1e-3))
    found = tiny.prob("precision@b > 0.5 and recall@a > 0.5", draws=1000)
    assert found.draws is not None
    assert found.draws <= 1000
    none_ill = hs.infer(hs.ConfusionMatrix([[45, 5], [0, 0]], labels=["healthy", "ill"]), "flat", shares="chosen")
    with pytest.raises(NoInformation, match="undefined"):
        none_ill.prob("recall@ill > 0.5 and f1_gain@ill > 0.5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["position 1", "a metric or a number", "ends"]),
        ("recall@ill > 0.8 and", ["position 21", "a metric or a number"]),
        ("recall@ill > 0.8)", ["position 17", "the end"]),
        ("0.8 > 0.7", ["position 1", "a metric on one side"]),
        ("(" * 60 + "recall@ill > 0.8" + ")" * 60, ["at most 50 brackets"]),
    ],
)
def test_bad_grammar_is_shown_at_its_place(text: str, words: list[str]) -> None:
    with pytest.raises(InvalidArgument) as raised:
        POST.prob(text)
    for word in words:
        assert word in str(raised.value)
    assert "\n" not in str(raised.value)


@given(st.text(alphabet='recal@ilmc()<>=andort 0.8"+-', max_size=40))
def test_any_text_is_a_statement_or_a_sentence(text: str) -> None:
    try:
        statement = Reader(text, ILL.labels, ILL.positive).statement()
    except hs.HowsureError:
        return
    again = Reader(str(statement), ILL.labels, ILL.positive).statement()
    assert str(again) == str(statement)


def test_statements_and_metrics_read_the_same_weighted_draws() -> None:
    post = hs.infer(hs.ConfusionMatrix([[30, 6, 4], [5, 28, 2], [3, 7, 20]], labels=["a", "b", "c"]), "flat")
    for metric, mark in (("mcc", 0.6), ("f1@macro", 0.72), ("precision@a", 0.8)):
        known, said = post.of(metric), post.prob(f"{metric} > {mark}")
        assert said.value == pytest.approx(known.prob(above=mark), abs=1e-12), metric
        assert said.error == pytest.approx(known.law.prob_error(above=mark), rel=1e-6)
    assert float(post.prob("mcc > 0.6 and f1@macro > 0.72")) <= post.of("mcc").prob(above=0.6)
    assert post.of("mcc").law.weighted
