"""Posteriors of items that were tried several times."""

from __future__ import annotations

import json
import pickle
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import REFERENCE, tries

import howsure as hs
from howsure.errors import HowsureError, NoInformation
from howsure.posterior.questions.variance_split import split_of_variance
from howsure.posterior.try_measures import observed_tries, try_measure

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


@pytest.mark.parametrize("groups", ["new", "these"])
@pytest.mark.parametrize("prior", ["learned", "flat"])
def test_exact_laws_are_those_of_the_draws(groups: Any, prior: str) -> None:
    known = hs.infer(simulated(40, 6), prior, groups=groups)
    for name in ("mean_score", "pass@3", "pass^6"):
        made = known.of(name)
        assert made.route == "exact"
        drawn = known._knowledge.drawn([made._terms[0].measure], 20_000, 1, 0)[0]
        assert drawn.mean() == pytest.approx(made.mean, abs=5 * made.sd / 141)
        assert drawn.std() == pytest.approx(made.sd, rel=0.03)
        assert np.quantile(drawn, [0.1, 0.9]) == pytest.approx(made.quantile([0.1, 0.9]), abs=0.06 * made.sd)


def test_new_items_are_less_sure_than_these_again() -> None:
    runs = simulated(30, 8)
    for name in ("mean_score", "pass@4", "pass^4"):
        new, these = (hs.infer(runs, groups=groups).of(name) for groups in ("new", "these"))
        assert these.sd < new.sd
        assert abs(these.mean - new.mean) < new.sd


def test_the_mean_of_grades_is_no_probability() -> None:
    # grades 0, 1, 2 were "right with probability", and a mean may be above 1
    graded = hs.Repeats.from_array([[0, 2, 2], [2, 2, 2], [1, 2, 2], [2, 2, 1], [2, 2, 2], [2, 2, 0]])
    said = hs.report(hs.infer(graded)).verdict
    assert said.startswith("The mean score of a run of these items is 1."), said
    right = hs.Repeats.from_array([[0, 1, 1], [1, 1, 1], [1, 0, 1], [1, 1, 1], [1, 0, 0]])
    assert "is right with probability" in hs.report(hs.infer(right)).verdict


def test_measures_are_ordered_as_they_must_be() -> None:
    known = hs.infer(simulated(25, 5))
    means = [known.of(name).mean for name in ("pass^5", "pass^2", "mean_score", "pass@2", "pass@5")]
    assert means == sorted(means)
    assert known.of("pass@1").mean == pytest.approx(known.of("mean_score").mean, abs=1e-9)
    assert known.of("pass^1").mean == pytest.approx(known.of("mean_score").mean, abs=1e-9)


def test_two_measures_of_one_posterior_move_together() -> None:
    known = hs.infer(simulated(25, 5), groups="these")
    gap = known.of("pass@3") - known.of("pass^3")
    assert gap.mean == pytest.approx(known.of("pass@3").mean - known.of("pass^3").mean, abs=0.005)
    assert (gap - gap).sd == 0
    apart = known.of("mean_score") - hs.infer(simulated(25, 5, 1), groups="these").of("mean_score")
    assert apart.sd == pytest.approx(np.sqrt(2) * known.of("mean_score").sd, rel=0.2)


def test_graded_answers_learn_from_each_other() -> None:
    rng = np.random.default_rng(0)
    runs = hs.Repeats.from_array(rng.choice([0, 0.5, 1], (30, 4), p=[0.05, 0.1, 0.85]))
    flat, learned, new = (
        hs.infer(runs, prior, groups=groups).of("mean_score")
        for prior, groups in (("flat", "these"), ("learned", "these"), ("learned", "new"))
    )
    assert flat.observed - flat.mean > 4 * flat.sd  # type: ignore[operator]
    assert abs(learned.mean - runs.mean) < learned.sd
    assert new.sd >= 0.97 * learned.sd
    assert (learned.route, flat.route) == ("drawn", "exact")


def test_graded_answers_of_two_outcomes_are_right_and_wrong() -> None:
    table = simulated(20, 5).answers
    half, whole = hs.Repeats.from_array(table * 2), hs.Repeats.from_array(table)
    for groups in ("new", "these"):
        drawn, exact = (hs.infer(runs, groups=groups).of("mean_score") for runs in (half, whole))
        assert drawn.route == "drawn"
        assert drawn.mean / 2 == pytest.approx(exact.mean, abs=0.003)
        assert drawn.sd / 2 == pytest.approx(exact.sd, rel=0.04)


def test_which_items_numbers_are_about() -> None:
    assert hs.infer(simulated(7, 3)).groups == "these"
    assert hs.infer(simulated(8, 3)).groups == "new"
    assert "new items" in repr(hs.infer(simulated(8, 3)).of("mean_score"))
    assert hs.infer(simulated(2, 3)).prior.name == "flat"


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
    graded = split_of_variance(hs.infer(hs.Repeats.from_array(unlike.answers * 2)))
    assert (graded.law, high.law) == ("drawn", "exact")
    assert graded.share_of_items == pytest.approx(share, abs=0.01)


def test_a_split_says_why_there_is_none() -> None:
    with pytest.raises(NoInformation, match="run once"):
        split_of_variance(hs.infer(simulated(9, 1)))
    with pytest.raises(NoInformation, match="one item"):
        split_of_variance(hs.infer(simulated(1, 4)))


def test_same_call_same_numbers_and_a_posterior_can_be_stored() -> None:
    known = hs.infer(simulated(6, 4))
    again = pickle.loads(pickle.dumps(known))  # our own
    assert repr(again.of("pass^4")) == repr(known.of("pass^4"))
    with pytest.raises(AttributeError, match="immutable"):
        known.n = 3


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: hs.infer(simulated(9, 3)).of("pass@0"), "a number of runs, 1 or more"),
        (lambda: hs.infer(simulated(9, 3)).of("pass^4"), "no item has more than 3; ask for k up to 3"),
        (lambda: hs.infer(simulated(9, 3)).of("accuracy"), "mean_score"),
        (lambda: hs.infer(simulated(4, 3), groups="new").of("mean_score"), "below 5 nothing but the prior"),
        (lambda: hs.infer(hs.Repeats.from_array([[0.5, 1]])).of("pass@2"), "scores of a rubric"),
        (lambda: hs.infer(hs.Repeats.from_array([[0, 0.5, 1]]), "caelen").of("mean_score"), "use 'flat' or 'learned'"),
        (lambda: hs.infer(hs.Repeats.from_array([[1, 1]]), "haldane").of("mean_score"), "adds no run"),
        (lambda: hs.infer(simulated(9, 3), shares="test"), "runs of items have none"),  # type: ignore[call-overload]
        (lambda: hs.infer(simulated(9, 3), groups="all"), "groups is 'these' or 'new'"),  # type: ignore[call-overload]
        (lambda: hs.report(hs.infer(simulated(9, 3)), above=0.5), "a report on repeats takes"),
        (lambda: hs.report(hs.infer(simulated(9, 3)), []), "no metric is asked for"),
    ],
)
def test_what_has_no_answer_is_said(ask: Any, sentence: str) -> None:
    with pytest.raises(HowsureError) as caught:
        ask()
    assert sentence in str(caught.value)


@pytest.mark.deep
@pytest.mark.parametrize(("items", "runs"), [(10, 5), (20, 8), (50, 5)])
def test_intervals_of_these_items_hold(items: int, runs: int) -> None:
    rng = np.random.default_rng(items)
    held = []
    for _ in range(120):
        rates = rng.beta(*[(3, 1), (0.8, 0.8), (18, 2)][rng.integers(3)], items)
        table = (rng.random((items, runs)) < rates[:, None]).astype(int)
        known = hs.infer(hs.Repeats.from_array(table), groups="these")
        low, high = known.of(f"pass^{runs}", draws=4_000).interval()
        held.append(low <= (rates**runs).mean() <= high)
    assert 0.88 <= np.mean(held) <= 1.0
