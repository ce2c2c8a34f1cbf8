"""What somebody stumbles over who never saw the page."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import at
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser

BOARD = "name\tcorrect\ttotal\nalpha\t90\t100\nbeta\t80\t100\ngamma\t70\t100"


def test_entries_of_the_history_are_told_apart(opened: Any) -> None:
    tab = opened()
    assert tab.title() == "Evaluate · howsure"
    tab.click("#tab-patient")
    settled(tab)
    assert tab.title() == "One patient · howsure"


@pytest.mark.parametrize("mode", ["evaluate", "leaderboard"])
def test_the_prizes_of_the_example_are_those_of_no_other_board(opened: Any, mode: str) -> None:
    tab = at(opened, mode)
    tab.evaluate("text => navigator.clipboard.writeText(text)", BOARD)
    tab.keyboard.press("Control+v")
    tab.locator("input[value=alpha], .leaderboard th:has-text('alpha')").first.wait_for()
    settled(tab)
    assert "E(prize)" not in tab.locator(".answers thead").first.inner_text()
    tab.get_by_role("button", name="+ Prize").click()
    settled(tab)
    tab.get_by_label("1st", exact=True).fill("500")
    settled(tab)
    tab.evaluate("text => navigator.clipboard.writeText(text)", BOARD.replace("90", "91"))
    tab.locator("h2").first.click()
    with tab.expect_response("**/api/v1/import*"):
        tab.keyboard.press("Control+v")
    settled(tab)
    assert tab.get_by_label("1st", exact=True).input_value() == "500"  # one's own stay


def test_a_patient_is_told_that_the_test_is_an_example_and_how_good_it_is(opened: Any) -> None:
    tab = at(opened, "patient")
    assert tab.get_by_text("The test is an example.").is_visible()
    assert "90 % of ill and 95 % of healthy are called so" in tab.locator("summary", has_text="How good").inner_text()
    tab.evaluate("text => navigator.clipboard.writeText(text)", "TP 80, FN 20, FP 30, TN 70")
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)
    assert tab.get_by_text("The test is an example.").count() == 0
    assert "80 % of" in tab.locator("summary", has_text="How good").inner_text()
