"""Posteriors of items that were tried several times."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import REFERENCE, tries

import howsure as hs
from howsure.errors import HowsureError
from howsure.posterior.questions.variance_split import split_of_variance
from howsure.posterior.repeated_items import observed_tries, try_measure

GOLDEN = json.loads((Path(REFERENCE) / "scorio.json").read_text(encoding="utf-8"))["cases"]


def simulated(items: int, runs: int, seed: int = 0, a: float = 3.0, b: float = 1.0) -> hs.Repeats:
    rng = np.random.default_rng(seed)
    rates = rng.beta(a, b, items)
    return hs.Repeats.from_array((rng.random((items, runs)) < rates[:, None]).astype(int))


def test_graded_answers_equal_bayes_at_n() -> None:
    assert len(GOLDEN) == 201
    for case in GOLDEN:
        weights = np.array(case["weights"])
        table = weights[np.array(case["runs"])]
        known = hs.infer(hs.Repeats.from_array(table, outcomes=case["weights"]), "flat", groups="these")
        made = known.of("mean_score")
        assert (made.mean, made.sd) == pytest.approx((case["mean"], case["sd"]), abs=1e-9)
        assert made.route == "exact"
    assert (GOLDEN[0]["mean"], round(GOLDEN[0]["sd"], 6)) == (0.5625, 0.091998)


def test_an_extra_outcome_for_no_answer_is_a_column_of_the_rows() -> None:
    runs = hs.Repeats.from_columns(list("aabb"), [1, 2, 1, 2], [1, None, 1, 0], missing="class")
    made = hs.infer(runs, "flat").of("mean_score")
    # Dirichlet(1, 2, 2) and Dirichlet(2, 2, 1): right has two of five
    assert made.mean == pytest.approx(0.4)
    assert made.sd == pytest.approx(np.sqrt(2 * 0.4 * 0.6 / 6) / 2)
    assert hs.infer(runs, "flat").of("pass^2").mean == pytest.approx(2 * 3 / (5 * 6), abs=0.01)


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=7), st.integers(1, 6))
@settings(max_examples=tries(60), deadline=None)
def test_observed_is_the_share_of_all_choices_of_k_runs(table: list[list[bool]], k: int) -> None:
    runs = hs.Repeats.from_array(table)
    right = [sum(row) for row in table]
    all_right = np.mean([comb(c, k) / comb(6, k) for c in right])
    any_right = np.mean([1 - comb(6 - c, k) / comb(6, k) for c in right])
    assert observed_tries(try_measure(f"pass^{k}", runs), runs) == pytest.approx(all_right, abs=1e-12)
    assert observed_tries(try_measure(f"pass@{k}", runs), runs) == pytest.approx(any_right, abs=1e-12)


@pytest.mark.full
@pytest.mark.parametrize(("groups", "prior"), [("new", "learned"), ("these", "learned"), ("these", "flat")])
def test_exact_laws_are_those_of_the_draws(groups: Any, prior: str) -> None:
    known = hs.infer(simulated(40, 6), prior, groups=groups)
    for name in ("mean_score", "pass@3", "pass^6"):
        made = known.of(name)
        assert made.route == "exact"
        drawn = known._knowledge.drawn([made._terms[0].measure], 20_000, 1, 0)[0]
        assert drawn.mean() == pytest.approx(made.mean, abs=5 * made.sd / 141)
        assert drawn.std() == pytest.approx(made.sd, rel=0.03)
        assert np.quantile(drawn, [0.1, 0.9]) == pytest.approx(made.quantile([0.1, 0.9]), abs=0.06 * made.sd)


def test_the_split_of_the_variance() -> None:
    alike = hs.Repeats.from_array([[1, 0], [0, 1]] * 40)
    unlike = hs.Repeats.from_array([[1, 1], [0, 0]] * 40)
    low, high = (split_of_variance(hs.infer(runs)) for runs in (alike, unlike))
    assert low.share_of_items < 0.1 < 0.9 < high.share_of_items
    assert low.worth == pytest.approx(160 / (1 + low.share_of_items), rel=1e-9)
    share = high.share_of_items
    one = high.more[0]
    assert one.runs == 3
    assert one.narrower == pytest.approx(1 - np.sqrt((share + (1 - share) / 3) / (share + (1 - share) / 2)))
    assert one.as_items == pytest.approx(1 / (1 - one.narrower) ** 2 - 1)
    assert high.narrower_by_items == pytest.approx(0.0871, abs=1e-4)
    assert one.low <= one.narrower <= one.high


@pytest.mark.full
def test_the_split_of_scores_is_the_analysis_of_variance() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 1, (400, 1)) + rng.normal(0, 0.5, (400, 3))
    made = split_of_variance(hs.infer(hs.Repeats.from_array(scores)))
    between, within = scores.mean(axis=1).var(ddof=1), scores.var(axis=1, ddof=1).mean()
    assert made.share_of_items == pytest.approx((between - within / 3) / (between + 2 * within / 3), abs=0.01)
    assert made.low < 0.8 < made.high
    assert made.law == "simulated"


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: hs.infer(simulated(9, 3)).of("pass@0"), "a number of runs, 1 or more"),
        (lambda: hs.infer(simulated(4, 3), groups="new").of("mean_score"), "below 5 nothing but the prior"),
        (lambda: hs.infer(hs.Repeats.from_array([[0, 0.5, 1]]), "caelen").of("mean_score"), "use 'flat' or 'learned'"),
    ],
)
def test_what_has_no_answer_is_said(ask: Any, sentence: str) -> None:
    with pytest.raises(HowsureError) as caught:
        ask()
    assert sentence in str(caught.value)
