"""One page for all tabs: one matrix and one set of settings, and steps that belong to their tab."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import REFUSED, expect

pytestmark = [pytest.mark.browser, pytest.mark.deep]

#: Rows of names and counts.
MINE = "true\\pred\tlow\thigh\nlow\t71\t9\nhigh\t4\t16"


def test_undo_belongs_to_its_own_tab(opened: Any) -> None:
    tab = opened()
    first = tab.counts()
    tab.put(0, 0, "61")
    changed = tab.counts()
    tab.go("plan")
    have = tab.get_by_label("Cases that I have", exact=True)
    tab.enter("Cases that I have", "321")
    for _ in range(2):  # then nothing is left to undo here, and nothing elsewhere is touched
        tab.keyboard.press("Control+z")
        tab.settle()
        expect(have).to_have_value("26")
    tab.go("evaluate")
    assert tab.counts() == changed
    tab.push("Undo")
    assert tab.counts() == first
    tab.go("plan")
    tab.keyboard.press("Control+Shift+z")
    tab.settle()
    expect(have).to_have_value("321")


def test_the_cases_that_one_has_are_those_of_the_matrix_until_they_are_typed(opened: Any) -> None:
    tab = opened()
    have = tab.get_by_label("Cases that I have", exact=True)
    tab.paste(MINE)
    tab.go("plan")
    # a plan of the recall counts cases of the positive class
    for name, cases in (("", "20"), ("specificity", "80"), ("accuracy", "100")):
        if name:
            tab.choose("I want to know", name)
        expect(have).to_have_value(cases)
        expect(tab.field("have")).to_contain_text(f"{cases} cases")
    for count, typed, cases in (("72", "", "101"), ("73", "250", "250"), ("74", "", "250")):
        tab.go("evaluate")
        tab.put(0, 0, count)
        tab.go("plan")
        if typed:
            tab.enter("Cases that I have", typed)
        expect(have).to_have_value(cases)
    tab.reload()
    expect(have).to_have_value("250")


def test_compare_does_not_answer_with_the_matrix_of_a_stranger(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.paste(MINE)
    tab.go("compare")
    assert tab.grids() == [[["71", "9"], ["4", "16"]], [["", ""], ["", ""]]]
    expect(tab.field("verdict")).to_have_text("Paste or type the matrix of “B”.")
    expect(tab.locator(".answers [data-value]")).to_have_count(0)
    others = tab.locator("table.grid").nth(1).locator("[data-row]").all()
    for box, text in zip(others, ("60", "20", "5", "15"), strict=True):
        box.focus()
        tab.keyboard.type(text)
    tab.settle()
    expect(tab.field("verdict")).to_contain_text("better")
    # what was typed here stays when the first one changes elsewhere
    tab.go("evaluate")
    tab.put(0, 0, "70")
    tab.go("compare")
    assert tab.grids() == [[["70", "9"], ["4", "16"]], [["60", "20"], ["5", "15"]]]


def test_a_patient_is_told_that_the_test_is_an_example_and_how_good_it_is(opened: Any) -> None:
    tab = opened.at("patient")
    good = tab.locator("summary", has_text="How good")
    expect(tab.get_by_text("The test is an example.")).to_be_visible()
    expect(good).to_contain_text("90% of ill and 95% of healthy")
    tab.paste("TP 80, FN 20, FP 30, TN 70")
    expect(tab.get_by_text("The test is an example.")).to_have_count(0)
    expect(good).to_contain_text("80% of")


def test_another_tab_begins_at_its_top_and_names_its_entry(opened: Any) -> None:
    tab = opened()
    tab.evaluate("scrollTo(0, 900)")
    tab.go("leaderboard")
    assert tab.evaluate("scrollY") == 0
    expect(tab.page).to_have_title("Leaderboard · howsure")
    tab.get_by_role("tab", name="Leaderboard").focus()
    for key, name in (("End", "One patient"), ("Home", "Evaluate")):
        tab.keyboard.press(key)
        tab.settle()
        expect(tab.get_by_role("tab", selected=True)).to_have_text(name)
