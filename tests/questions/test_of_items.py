"""The four verbs of the library asked of items: the same words, and one JSON, as for everything else."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation

RUBRIC = [5, 5, 5, 4, 5, 3, 5, 5, 4, 5]
OLD = [5, 4, 5, 4, 4, 3, 5, 5, 3, 5]


@pytest.fixture
def judged() -> hs.Items:
    return hs.Items.from_columns([*range(10)] * 2, RUBRIC + OLD, system=["new"] * 10 + ["old"] * 10, range=(1, 5))


def test_report_has_the_observed_value_first_and_a_central_interval(judged: hs.Items) -> None:
    made = hs.report(judged, ["mean", "median"], above=4.0)
    assert "observed 4.60" in made.sentence
    assert [row.metric for row in made.rows] == ["mean", "median"] * 2
    data = made.to_dict()
    assert json.loads(json.dumps(data)) == data
    first = data["rows"][0]
    assert (first["observed"], first["interval"], first["law"]) == (4.6, "central", "exact")
    assert first["asked"] == [{"above": 4.0, "probability": pytest.approx(0.8611534859303546, abs=1e-9)}]
    assert made.to_csv().count("\n") == 5
    assert "<svg" in made._repr_html_()
    hdi = hs.report(judged, kind="hdi").to_dict()["rows"][0]
    assert hdi["interval"] == "hdi"
    assert hdi["high"] - hdi["low"] < first["high"] - first["low"]


def test_two_test_sets_are_compared_as_separate_ones(judged: hs.Items) -> None:
    rng = np.random.default_rng(1)
    new, old = (hs.Items.from_columns(range(n), rng.beta(5, 2, n), range=(0, 1)) for n in (20, 40))
    made = hs.compare(new, old, names=("new", "old"), draws=4_000)
    assert not made.paired
    assert "from separate test sets" in made.sentence
    board = hs.rank({"new": new, "old": old}, draws=4_000)
    assert board["new"].p_best == pytest.approx(made.p_better, abs=0.03)
    assert not board.paired


def test_gate_and_compare_have_one_probability(judged: hs.Items) -> None:
    made = hs.gate(judged, "new", "old", mode="superiority")
    assert made.rows[0].p_pass == hs.compare(judged, "new", "old").p_better
    assert made.verdict == "inconclusive"
    assert "more item" in made.sentence
    floor = hs.gate(judged, "new", floor=3.0)
    assert floor.verdict == "pass"
    assert "Paired, the same 10 items. Gate: superiority" in str(made)
    lower = hs.Items.from_columns(range(20), np.linspace(0, 0.2, 20), range=(0, 1), better="lower")
    assert hs.gate(lower, floor=0.3).verdict == "pass"
    assert hs.gate(lower, floor=0.05).verdict == "fail"


def test_what_says_nothing_about_items_is_refused(judged: hs.Items) -> None:
    with pytest.raises(InvalidArgument, match="leave prior= out"):
        hs.compare(judged, "new", "old", prior="flat")
    with pytest.raises(InvalidArgument, match="name the two that are compared, of new, old"):
        hs.compare(judged, "new", "new")
    with pytest.raises(NoInformation, match="4 items; from 6 on there is an interval"):
        hs.report(hs.Items.from_columns(range(4), [1, 2, 3, 4]))


def test_repeats_and_items_give_one_answer_for_one_table() -> None:
    rng = np.random.default_rng(6)
    item, run = np.repeat(range(12), 3), [1, 2, 3] * 12
    score = np.clip(np.round(4 + rng.normal(0, 0.6, 12)[item] + rng.normal(0, 0.5, 36)), 1, 5)
    runs = hs.infer(hs.Repeats.from_columns(item, run, score, range=(1, 5)), groups="new").of("mean_score")
    items = hs.report(hs.Items.from_columns(item, score, run=run, range=(1, 5))).rows[0]
    assert items.law is not None
    assert items.law.interval(kind="central") == pytest.approx(runs.interval(kind="central"), abs=1e-9)
    assert items.observed == pytest.approx(runs.observed)


def test_separate_test_sets_have_sizes_of_their_own() -> None:
    new, old = (hs.Items.from_columns(range(n), np.linspace(0, 1, n), range=(0, 1)) for n in (20, 40))
    board = hs.rank({"new": new, "old": old}, draws=1_000)
    assert (board["new"].n, board["old"].n) == (20, 40)


def test_votes_say_what_battles_are_and_no_more_digits_than_their_intervals() -> None:
    votes = hs.Votes.from_columns([*"xxyyzx"] * 9, [*"yyzzxz"] * 9, [*"aaaaab"] * 9)
    passed = str(hs.gate(votes, "x", "y", margin=20, draws=2_000))
    assert "36 battles of x and 36 battles of y. Gate:" in passed
    assert not re.search(r"\d{3,4}\.\d", passed)
    assert "not careless votes" in passed
    compared = str(hs.compare(votes, "x", "y", draws=2_000))
    assert "undefined" not in compared
    assert "observed" not in hs.report(votes, draws=2_000).sentence
