"""Leaderboard in a real browser: ranks, prizes, squares, and boards that are typed, pasted or read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.asking import EXAMPLES, as_json, at, drop, fill, line_of, printed, said
from tests.browser.conftest import settled
from tests.browser.test_typing import PASTE

pytestmark = pytest.mark.browser

KAGGLE = EXAMPLES / "kaggle_recursion.csv"
BOARD = "name,correct,n\nalpha,912,1000\nbeta,905,1000\ngamma,46,50\n"


def test_the_kaggle_board_is_the_command_lines(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    prizes = ("--prizes", "10000,2000,1000")
    expected, text = as_json("rank", KAGGLE, *prizes), printed("rank", KAGGLE, *prizes)
    assert said(tab, "verdict") == expected["verdict"]
    assert expected["entries"][0]["name"] in said(tab, "verdict")
    for entry in expected["entries"]:
        line = line_of(text, entry["name"])
        for key in ("n", "score", "interval", "rank_interval", "p_best", "p_top", "prize"):
            assert said(tab, f"{entry['name']}.{key}") in line
        assert int(said(tab, f"{entry['name']}.tier")) == entry["tier"]
    # those of one tier share the rank of its first
    ranks = [int(said(tab, f"{entry['name']}.rank")) for entry in expected["entries"]]
    assert ranks == [1, 1, 3, 3, 3, 6, 6, 6, 6, 6]


def test_probabilities_of_ranks_stand_in_fields_and_in_a_table(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    first = as_json("rank", KAGGLE)["entries"][0]
    assert float(said(tab, "3467175.probability.1")) == pytest.approx(
        first["p_best"], abs=5e-3
    )  # as good as a learned board is
    fields = tab.locator('[data-picture="ranks"] .row').first
    assert fields.locator("rect.field").count() == 10
    assert f"{first['p_best']:.2f}" in fields.text_content()
    separated = tab.locator('[data-picture="pairs"] rect.sure').count()
    assert said(tab, "separation").startswith(f"{separated} of 45 pairs")


def test_prizes_and_the_top_are_edited(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    fill(tab, "1st", "50000")
    tab.get_by_role("button", name="\N{MINUS SIGN} Prize").click()
    fill(tab, "Top", "2")
    text = printed("rank", KAGGLE, "--prizes", "50000,2000", "--top", 2)
    for name in ("3467175", "3394520"):
        assert said(tab, f"{name}.prize") in line_of(text, name)
        assert said(tab, f"{name}.p_top") in line_of(text, name)
    assert "P(top 2)" in tab.locator("table.data thead").first.inner_text()


def test_a_pasted_board_is_ranked_and_small_entries_are_provisional(opened: Any, tmp_path: Path) -> None:
    tab = at(opened, "leaderboard")
    tab.get_by_text("Paste a leaderboard").click()
    tab.locator(".paste textarea").fill(BOARD)
    tab.get_by_role("button", name="Read it").click()
    tab.wait_for_selector("text=alpha")
    settled(tab)
    (tmp_path / "board.csv").write_text(BOARD)
    assert said(tab, "verdict") == as_json("rank", tmp_path / "board.csv", "--prizes", "10000,2000,1000")["verdict"]
    grey = tab.locator("table.data tr.provisional")
    assert grey.locator("th").all_inner_texts() == ["gamma"]


def test_a_board_is_read_from_a_file_and_edited(opened: Any, tmp_path: Path) -> None:
    tab = at(opened, "leaderboard")
    drop(tab, ("board.csv", BOARD))
    tab.get_by_label("Right answers of beta").fill("990")
    settled(tab)
    assert said(tab, "verdict").startswith("beta leads alone")
    tab.get_by_role("button", name="Remove gamma").click()
    settled(tab)
    (tmp_path / "board.csv").write_text("name,correct,n\nalpha,912,1000\nbeta,990,1000\n")
    assert said(tab, "verdict") == as_json("rank", tmp_path / "board.csv")["verdict"]
    tab.get_by_label("Right answers of beta").fill("1001")
    settled(tab)
    assert tab.locator(".answer .wrong").inner_text() != ""
    opened.complaints.clear()


def test_a_board_without_numbers_of_cases_asks_for_them(opened: Any, tmp_path: Path) -> None:
    tab = at(opened, "leaderboard")
    tab.get_by_text("Paste a leaderboard").click()
    tab.locator(".paste textarea").fill("name,score\nalpha,0.91\nbeta,0.88\n")
    tab.get_by_role("button", name="Read it").click()
    tab.get_by_label("Cases of each entry").fill("500")
    tab.locator(".pasting").get_by_role("button", name="Read it").last.click()
    tab.wait_for_selector("text=alpha")
    settled(tab)
    (tmp_path / "board.csv").write_text("name,score,n\nalpha,0.91,500\nbeta,0.88,500\n")
    assert said(tab, "verdict") == as_json("rank", tmp_path / "board.csv")["verdict"]
    opened.complaints.clear()


def test_the_same_cases_are_ranked_case_by_case(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    drop(tab, ("digits_pair.csv", (EXAMPLES / "digits_pair.csv").read_text()))
    assert "case by case" in tab.locator(".drop").inner_text()
    expected = as_json("rank", EXAMPLES / "digits_pair.csv", "--metric", "accuracy", "--prizes", "10000,2000,1000")
    assert said(tab, "verdict") == expected["verdict"]


def test_whether_the_first_would_win_another_test(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    fill(tab, "Another test of", "500")
    notes = printed("rank", KAGGLE, "--new-test", 500)
    sentence = next(line for line in notes.splitlines() if "On a new test set of 500 cases" in line)
    assert sentence.removeprefix("note: ") in tab.locator(".notes").inner_text()


def test_prizes_of_ones_own_stay_whatever_tab_a_board_is_pasted_in(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    fill(tab, "1st", "500")
    fill(tab, "Top", "2")
    for mode in ("evaluate", "compare"):
        tab.click(f"#tab-{mode}")
        settled(tab)
        tab.evaluate(PASTE, ["#main", BOARD])
        tab.wait_for_selector("#tab-leaderboard[aria-selected=true]")
        settled(tab)
        assert [box.input_value() for box in tab.locator(".prizes input").all()] == ["500", "2000", "1000"]
        assert tab.get_by_label("Top", exact=True).input_value() == "2"
        assert "alpha" in said(tab, "verdict")
    tab.get_by_role("button", name="Kaggle top 10").click()
    settled(tab)
    assert tab.get_by_label("1st").input_value() == "10000"


def test_prizes_are_typed_with_thousands_set_apart(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    fill(tab, "1st", "20,000")
    fill(tab, "2nd", "2 000")
    fill(tab, "3rd", "0,5")
    line = line_of(printed("rank", KAGGLE, "--prizes", "20000,2000,0.5"), "3467175")
    assert said(tab, "3467175.prize") in line
    assert len(said(tab, "3467175.prize")) == len("18,000")


def test_of_a_board_of_two_all_are_among_the_first(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    tab.get_by_text("Paste a leaderboard").click()
    tab.locator("textarea[placeholder]").fill("name,score,n\na,0.91,200\nb,0.9,200")
    tab.get_by_role("button", name="Read it").click()
    tab.get_by_text("Read the text.").wait_for()
    settled(tab)
    assert tab.get_by_label("Top", exact=True).input_value() == "2"
    assert not tab.locator(".wrong:visible").count()
    assert "P(top 2)" in tab.locator(".answers table").first.inner_text()
