"""Evaluate on a phone: what is read first stands first, in sight and for the keys."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled
from tests.browser.test_evaluate import cell

pytestmark = pytest.mark.browser

#: Where a part of the page begins.
TOP = "(place) => document.querySelector(place).getBoundingClientRect().top + scrollY"


def test_on_a_phone_the_rates_follow_the_matrix_and_settings_follow_them(opened: Any) -> None:
    tab = opened(size=(390, 844))
    order = (".matrix", ".rates", ".rates .where", ".sources", ".settings", ".posteriors")
    tops = [tab.evaluate(TOP, place) for place in order]
    assert tops == sorted(tops)
    assert tops[1] < 1000
    # the keys go the same way
    tab.get_by_role("radio", name="high", exact=True).focus()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('.rates') !== null")
    tab.get_by_label("My population").check(force=True)
    settled(tab)
    assert "Stated prevalence" in tab.locator("[data-value=about]").text_content()
    # turned, it is the page of a desk: one of each, beside the inputs, and what was typed is still there
    cell(tab, 0, 0).fill("7")
    tab.set_viewport_size({"width": 1280, "height": 800})
    settled(tab)
    assert tab.locator(".rates").count() == 1
    assert tab.locator(".inputs .rates").count() == 0
    assert tab.evaluate(TOP, ".rates") < tab.evaluate(TOP, ".sources")
    assert cell(tab, 0, 0).input_value() == "7"


def test_on_a_phone_rates_of_inputs_before_are_marked_as_such(opened: Any) -> None:
    tab = opened(size=(390, 844))
    assert tab.locator(".inputs .stale .rates").count() == 0
    cell(tab, 0, 1).fill("-2")
    tab.get_by_text("belong to the inputs before that").wait_for()
    assert tab.locator(".inputs .stale .rates").count() == 1
    settled(tab)
    opened.complaints.clear()  # the refusal of a count below 0


@pytest.mark.parametrize("width", [320, 360, 390])
def test_on_a_phone_all_tabs_stand_in_two_lines(opened: Any, width: int) -> None:
    tab = opened(size=(width, 700))
    tabs = tab.get_by_role("tab").all()
    for each in tabs:
        each.click()  # whichever is open is wider than it was
        settled(tab)
        boxes = [one.bounding_box() for one in tabs]
        assert len({round(box["y"]) for box in boxes}) <= 2
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert all(box["height"] >= 44 for box in boxes)
