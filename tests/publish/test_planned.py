"""Plans as pages, files and pictures."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.planning.plan import thumb_rule
from howsure.publish import latex, page


@pytest.fixture(scope="module")
def counted() -> hs.Plan:
    return hs.plan("accuracy", width=0.15, guess=0.8)


@pytest.mark.full
def test_the_picture_has_band_target_n_and_the_rule_where_it_holds(counted: hs.Plan) -> None:
    drawn = counted.picture()
    assert drawn.count("<path") == 3
    assert f">{counted.n}<" in drawn
    assert thumb_rule(counted)[0] == pytest.approx(2 / counted.curve[0].n ** 0.5)
    for other in (
        hs.plan("accuracy", width=0.15, guess=0.8, level=0.9),
        hs.plan("accuracy", above=0.7, guess=0.85),
        hs.plan("informedness", width=0.5, guess=0.5),
    ):
        assert thumb_rule(other) == ()
        assert other.picture().count("<path") == 2
    assert "<svg" in counted._repr_html_()


@pytest.mark.deep
def test_drawn_plans_and_boards_say_how_they_were_made() -> None:
    drawn = page(hs.plan("f1", width=0.3, guess=0.8, n=100, seed=7))
    assert "simulated tests (seed 7)" in drawn
    found = page(hs.detect("accuracy", 100, guess=0.8))
    assert "The goal was computed that 100 cases for each classifier reach" in found
    board = hs.settle({"<b>a</b>": 0.9, "\\input{x}": 0.8}, n=100)
    assert "<b>" not in page(board).split("<body>")[1]
    assert "&lt;b&gt;a" in page(board)
    assert "\\input{" not in latex(board)


def test_the_table_for_a_paper(counted: hs.Plan) -> None:
    text = latex(counted)
    assert r"\toprule" in text
    assert rf"{counted.n} & " in text
    assert r"95\% interval of accuracy" in text
