"""Ratings as a kind of knowledge: makers, refusals, contenders, raters as a sample, and questions of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, InvalidLabels, NoInformation, UnknownMetric
from howsure.knowledge.protocol import Ask, Of
from howsure.knowledge.ratings import ALL, Ratings

ROWS = [["yes", "yes", "yes"]] * 12 + [["no", "no", "no"]] * 7 + [["no", "yes", "yes"]] * 3 + [["no", "no", None]]
ASK = Ask(draws=2_000)


def test_a_fraction_is_a_rating() -> None:
    ratings = Ratings.from_table([[1.5, 2], [2, 2], [3.5, 3]] * 3, scale="interval")
    assert ratings.labels == ("1.5", "2", "3", "3.5")
    assert ratings.values.tolist() == [1.5, 2, 3, 3.5]


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ([["a"], ["b"]], {}, "at least two raters, got 1 rater"),
        ([[None, None], [None, None]], {}, "there is no rating"),
        ([["a", None], [None, "b"]], {}, "no item has two ratings"),
        ([["a", "b"], ["a"]], {}, "as many ratings in each"),
        (ROWS, {"scale": "interval"}, "the rating 'no' is not a number, and the scale is interval"),
        ([[-1, 2], [2, 2]], {"scale": "ratio"}, "the rating -1 is below 0"),
        (ROWS, {"labels": ["yes", "maybe"]}, "the rating 'no' (number 37) is not among yes, maybe"),
        (ROWS, {"labels": ["yes", "no", "no"]}, "a category is listed twice"),
        (ROWS, {"scale": "cardinal"}, "scale"),
        (ROWS, {"weights": "cubic"}, "weights"),
        (ROWS, {"weights": [[1, 0], [0.5, 1]]}, "symmetric matrix of 2 by 2"),
        (ROWS, {"sampled": "sample"}, "need at least 5 of them, got 3"),
        (ROWS, {"sets": {"x": ["rater 1"]}}, "a set has at least two raters, got 'rater 1'"),
        (ROWS, {"sets": {"x": ["rater 1", "eve"]}}, "no rater is called 'eve'"),
        ([[i, i + 0.5] for i in range(60)], {}, "120 different ratings; at most 100 are read"),
        ([["3", "2"], ["2", "2"]], {"labels": ["3", "2"], "scale": "interval"}, "listed from low to high"),
    ],
)
def test_bad_input(table: Any, options: Any, words: str) -> None:
    with pytest.raises(HowsureError) as refusal:
        Ratings.from_table(table, **options)
    assert words in str(refusal.value)


def test_the_same_rater_twice_on_an_item() -> None:
    with pytest.raises(InvalidLabels, match="rater 'ann' has rated item 'q1' 2 times"):
        Ratings.from_columns(["q1", "q1", "q2"], ["ann", "ann", "bob"], ["a", "b", "a"])


def test_names_must_be_as_many() -> None:
    with pytest.raises(InvalidArgument, match="as many different names"):
        Ratings.from_table(ROWS, raters=["ann", "ann", "bob"])


def test_one_category_has_percent_agreement_only() -> None:
    ratings = Ratings.from_table([["yes", "yes"]] * 10)
    assert ratings.observed(Of("percent_agreement", ALL)) == 1
    assert ratings.observed(Of("fleiss_kappa", ALL)) is None
    assert ratings.law(Of("percent_agreement", ALL), ASK).interval(kind="central").low < 0.95
    with pytest.raises(NoInformation, match=r"every rating is 'yes'.*0/0"):
        ratings.law(Of("gwet_ac1", ALL), ASK)


def test_few_items() -> None:
    with pytest.raises(NoInformation, match="5 items with two ratings; from 6 on"):
        Ratings.from_table([["a", "b"]] * 5).law(Of("alpha", ALL), ASK)


def test_an_unknown_coefficient() -> None:
    with pytest.raises(UnknownMetric):
        Ratings.from_table(ROWS).measured("kapa_fleis")
    assert Ratings.from_table(ROWS).measured("kappa").name == "conger_kappa"


def test_a_difference_is_joint() -> None:
    ratings = Ratings.from_table(ROWS)
    gap = ratings.law(Of("alpha", "rater 2") - Of("alpha", "rater 1"), ASK)
    both = ratings.draws([Of("alpha", "rater 2"), Of("alpha", "rater 1")], 2_000, np.random.default_rng(0))
    assert gap.mean == pytest.approx(float((both[:, 0] - both[:, 1]).mean()))
    assert ratings.observed(Of("alpha", "rater 2") - Of("alpha", "rater 1")) == pytest.approx(
        (ratings.observed(Of("alpha", "rater 2")) or 0) - (ratings.observed(Of("alpha", "rater 1")) or 0)
    )


def test_raters_as_a_sample_widen() -> None:
    rng = np.random.default_rng(3)
    hidden = rng.integers(0, 2, 40)
    wrong = rng.random((40, 6)) < [0.02, 0.05, 0.1, 0.1, 0.3, 0.1]
    table = np.where(wrong, 1 - hidden[:, None], hidden[:, None]).tolist()
    these, like = (Ratings.from_table(table, sampled=who) for who in ("fixed", "sample"))
    assert like.law(Of("alpha", ALL), ASK).sd > 1.2 * these.law(Of("alpha", ALL), ASK).sd
    assert "new raters like these" in like.method


def test_questions_that_know_no_kind_answer() -> None:
    ratings = Ratings.from_table(ROWS, raters=["ann", "bob", "eve"])
    report = hs.report(ratings, ["gwet_ac1"], draws=2_000)
    assert [row.name for row in report.rows] == [ALL, "ann", "bob", "eve"]
    compared = hs.compare(ratings, "bob", "ann", metric="gwet_ac1", draws=2_000)
    assert compared.p_better > 0.5
