"""Leaderboard in a real browser: ranks, prizes, squares, and boards that are typed, pasted or read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import EXAMPLES, REFUSED, as_json, expect, line_of, printed

pytestmark = [pytest.mark.browser, pytest.mark.deep]

KAGGLE = EXAMPLES / "kaggle_recursion.csv"
BOARD = "name,correct,n\nalpha,912,1000\nbeta,905,1000\ngamma,46,50\n"


def test_probabilities_of_ranks_stand_in_fields_and_in_a_table(opened: Any) -> None:
    tab = opened.at("leaderboard")
    best = as_json("rank", KAGGLE)["entries"][0]["p_best"]
    # as good as a learned board is
    assert float(tab.value("ranks.team 1.1")) == pytest.approx(best, abs=5e-3)
    fields = tab.locator('[data-picture="ranks"] .row').first
    expect(fields.locator("rect.field")).to_have_count(10)
    expect(fields).to_contain_text(f"{best:.2f}")
    separated = tab.locator('[data-picture="pairs"] rect.sure').count()
    expect(tab.field("pairs")).to_contain_text(f"{separated} of 45 pairs")


def test_prizes_the_top_and_another_test_are_edited(opened: Any) -> None:
    tab = opened.at("leaderboard")
    tab.enter("1st", "50,000")
    tab.enter("2nd", "2 000")
    tab.push("\N{MINUS SIGN} Prize")
    tab.enter("Top", "2")
    tab.enter("Another test of", "500")
    text = printed("rank", KAGGLE, "--prizes", "50000,2000", "--top", 2, "--new-test", 500)
    header = tab.locator(".answers thead").first.locator("th").all_inner_texts()
    for called, name in (("team 1", "3467175"), ("team 2", "3394520")):
        for key in ("E(prize)", "P(top 2)"):
            assert tab.value(f"{called}.{header.index(key)}") in line_of(text, name)
    sentence = next(line for line in text.splitlines() if "On a new test set of 500 cases" in line)
    expect(tab.locator(".notes")).to_contain_text(sentence.removeprefix("note: "))


def test_a_board_is_pasted_or_read_and_edited(opened: Any, tmp_path: Path) -> None:
    opened.forgiven.append(REFUSED)
    path = tmp_path / "board.csv"
    path.write_text(BOARD)
    tab = opened.at("leaderboard")
    tab.get_by_text("Paste a leaderboard").click()
    tab.locator(".paste textarea").fill(BOARD)
    tab.push("Read it")
    assert tab.value("verdict") == as_json("rank", path)["verdict"]
    tab.drop(("board.csv", BOARD))
    tab.enter("Right answers of beta", "990")
    tab.push("Remove gamma")
    path.write_text("name,correct,n\nalpha,912,1000\nbeta,990,1000\n")
    assert tab.value("verdict") == as_json("rank", path)["verdict"]
    tab.enter("Right answers of beta", "1001")
    expect(tab.locator(".answer .wrong")).not_to_have_text("")


def test_a_board_without_numbers_of_cases_asks_for_them_and_of_two_all_are_first(opened: Any, tmp_path: Path) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("leaderboard")
    tab.get_by_text("Paste a leaderboard").click()
    tab.locator(".paste textarea").fill("name,score\nalpha,0.91\nbeta,0.88\n")
    tab.get_by_role("button", name="Read it").click()
    tab.get_by_label("Cases of each entry").fill("500")
    tab.locator(".pasting").get_by_role("button", name="Read it").last.click()
    tab.settle()
    path = tmp_path / "board.csv"
    path.write_text("name,score,n\nalpha,0.91,500\nbeta,0.88,500\n")
    assert tab.value("verdict") == as_json("rank", path)["verdict"]
    expect(tab.get_by_label("Top", exact=True)).to_have_value("2")
    expect(tab.locator(".wrong:visible")).to_have_count(0)


def test_the_same_cases_are_ranked_case_by_case(opened: Any) -> None:
    tab = opened.at("leaderboard")
    tab.drop(("digits_pair.csv", (EXAMPLES / "digits_pair.csv").read_text()))
    expect(tab.locator(".drop")).to_contain_text("case by case")
    expected = as_json("rank", EXAMPLES / "digits_pair.csv", "--metric", "accuracy", "--prizes", "10000,2000,1000")
    assert tab.value("verdict") == expected["verdict"]


@pytest.mark.parametrize("mode", ["evaluate", "compare"])
def test_prizes_of_ones_own_stay_with_a_board_that_is_pasted_and_those_of_an_example_go(opened: Any, mode: str) -> None:
    tab = opened.at(mode)
    tab.paste(BOARD)
    expect(tab.locator("#tab-leaderboard")).to_have_attribute("aria-selected", "true")
    tab.settle()
    expect(tab.locator(".answers thead").first).not_to_contain_text("E(prize)")
    tab.push("+ Prize")
    tab.enter("1st", "500")
    tab.enter("Top", "2")
    tab.go(mode)
    tab.paste(BOARD.replace("alpha", "delta"))
    tab.settle()
    assert tab.boxes(".prizes input") == ["500"]
    expect(tab.get_by_label("Top", exact=True)).to_have_value("2")
    expect(tab.field("verdict")).to_contain_text("delta")
    tab.push("Kaggle top 10")
    expect(tab.get_by_label("1st")).to_have_value("10000")
