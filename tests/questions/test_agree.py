"""``agree``: sections of the answer, a rater who stands out, a model beside people, sets, and its forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, NoInformation
from howsure.knowledge.ratings import Ratings

DRAWS = 2_000


def table(right: tuple[float, ...], n: int = 80, size: int = 3, seed: int = 1) -> Any:
    """Ratings of a hidden category."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, size, (n, 1))
    wrong = (hidden + rng.integers(1, size, (n, len(right)))) % size
    return np.where(rng.random((n, len(right))) < right, hidden, wrong).tolist()


def test_the_model_beside_people() -> None:
    ratings = Ratings.from_table(table((0.9, 0.9, 0.9, 0.98)), raters=["ann", "bob", "eve", "gpt"])
    good = hs.agree(ratings, model="gpt", draws=DRAWS)
    assert [row.name for row in good.by_person] == ["ann", "bob", "eve"]
    assert len(good.by_rater) == 3
    assert (good.as_good_as_most or 0) > 0.9
    bad = hs.agree(ratings, model="gpt", margin=-0.5, draws=DRAWS)
    assert (bad.as_good_as_most or 0) < 0.01
    people = hs.agree(ratings.without("gpt"), draws=DRAWS)
    assert people.coefficients[0].observed == good.coefficients[0].observed


def test_sets_of_raters() -> None:
    rows = table((0.97, 0.97, 0.6, 0.6), n=150)
    ratings = Ratings.from_table(rows, sets={"crowd": ["rater 3", "rater 4"], "experts": ["rater 1", "rater 2"]})
    found = hs.agree(ratings, "gwet_ac1", draws=DRAWS)
    assert [row.name for row in found.sets] == ["crowd", "experts"]
    assert (found.sets[1].probability or 0) > 0.99
    assert found.sets[1].observed == pytest.approx(
        hs.agree([row[:2] for row in rows], "gwet_ac1", draws=DRAWS).coefficients[0].observed
    )


@pytest.mark.full
@pytest.mark.parametrize("raters", [2, 4])
def test_planned_items_have_that_width(raters: int) -> None:
    """Twelve new tables of so many items of the same raters have intervals of that width, on average."""
    right = (0.93, 0.9, 0.9, 0.88)
    pilot = hs.agree(table(right, n=600), "gwet_ac1", width=0.15, draws=DRAWS)
    items = next(it.items for it in pilot.planned if it.raters == raters)
    widths = []
    for seed in range(12):
        rows = [row[:raters] for row in table(right, n=items, seed=seed + 10)]
        law = hs.agree(rows, "gwet_ac1", draws=DRAWS).coefficients[0].law
        assert law is not None
        low, high = law.interval(kind="central")
        widths.append(high - low)
    assert np.mean(widths) == pytest.approx(0.15, rel=0.12)


def test_more_raters_take_fewer_items() -> None:
    found = hs.agree(table((0.9, 0.9, 0.9, 0.9)), "alpha", width=0.1, draws=DRAWS)
    assert [it.raters for it in found.planned] == [2, 3, 4]
    items = [it.items for it in found.planned]
    assert items == sorted(items, reverse=True)
    assert all(it.items <= it.items_sure for it in found.planned)
    assert f"takes about {items[0]:,d} items with 2 raters" in str(found)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "nobody"}, "no rater is called 'nobody'"),
        ({"metrics": []}, "no coefficient is asked for"),
        ({"metrics": "f1"}, "f1"),
        ({"draws": 3}, "draws"),
        ({"width": 0.0}, "width= is that of an interval"),
    ],
)
def test_bad_arguments(options: Any, words: str) -> None:
    with pytest.raises(HowsureError) as refusal:
        hs.agree(table((0.9, 0.9, 0.9)), **options)
    assert words in str(refusal.value)


def test_too_little() -> None:
    with pytest.raises(NoInformation, match="5 items"):
        hs.agree([["a", "b"]] * 5)
    with pytest.raises(InvalidArgument, match="at least two people"):
        hs.agree(table((0.9, 0.9)), model="rater 2")
