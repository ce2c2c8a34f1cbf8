"""Numbers are typed one after the other, and what is typed takes the place of what stood there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled
from tests.browser.test_one_matrix import cell, counts, go

pytestmark = pytest.mark.browser


def keys(tab: Any, *pressed: str) -> None:
    for key in pressed:
        if key in {"Tab", "Enter", "Shift+Tab", "ArrowLeft"}:
            tab.keyboard.press(key)
        else:
            tab.keyboard.type(key)
    settled(tab)


def test_tab_goes_from_count_to_count(opened: Any) -> None:
    tab = opened()
    names = [box.input_value() for box in tab.locator("th.name input").all()]
    cell(tab, 0, 0).click()
    keys(tab, "92", "Tab", "8", "Tab", "5", "Tab", "45")
    assert counts(tab) == [["92", "8"], ["5", "45"]]
    assert [box.input_value() for box in tab.locator("th.name input").all()] == names
    keys(tab, "Shift+Tab", "6")
    assert counts(tab) == [["92", "8"], ["6", "45"]]


def test_tab_leads_through_the_names_to_the_counts_and_out(opened: Any) -> None:
    tab = opened()
    tab.locator("th.name input").first.click()
    keys(tab, "Tab")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Name of class 2"
    keys(tab, "Tab")
    assert tab.evaluate("document.activeElement.dataset.row + document.activeElement.dataset.column") == "00"
    keys(tab, "Tab", "Tab", "Tab", "Tab")
    assert tab.evaluate("document.activeElement.dataset.row ?? 'out'") == "out"
    assert tab.evaluate("document.activeElement.closest('.matrix') !== null")


def test_enter_goes_down_and_to_the_top_of_the_next_column(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).click()
    keys(tab, "92", "Enter", "5", "Enter", "8", "Enter", "45", "Enter", "44")
    assert counts(tab) == [["92", "8"], ["5", "44"]]


def test_a_click_into_a_box_takes_what_stands_there(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("My population", exact=True).first.check(force=True)
    settled(tab)
    box = tab.get_by_label("Share of high").first
    box.click()
    keys(tab, "2 %")
    assert box.input_value() == "2 %"
    assert box.get_attribute("aria-invalid") is None
    tab.wait_for_function("JSON.stringify(history.state).includes('\"percent\":2,')")


def test_an_empty_matrix_invites_and_does_not_complain(opened: Any) -> None:
    tab = opened()
    tab.get_by_role("button", name="Clear", exact=True).first.click()
    tab.locator(".matrix .wrong").first.wait_for()
    assert tab.locator(".matrix .wrong").first.inner_text() == "Type the counts, or paste a table into a cell."
    opened.complaints.clear()


def test_another_tab_begins_at_its_top(opened: Any) -> None:
    tab = opened()
    tab.evaluate("scrollTo(0, 900)")
    go(tab, "leaderboard")
    assert tab.evaluate("scrollY") == 0
