"""A table is pasted while no cell has the focus, in every tab that takes one: it is read, or a sentence says why."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import at, choose, said
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser

MINE, OTHER = "TP 86, FN 14, FP 30, TN 170", "true\\pred\tbad\tgood\nbad\t60\t9\ngood\t7\t71\n"
ANSWERS = "id,y_true,pred_mine,pred_yours\n1,x,x,y\n2,y,y,y\n3,y,x,y\n"
BAD = "one\ttwo\nthree\tfour"


def paste(tab: Any, text: str) -> None:
    """Control and V, wherever the focus is."""
    tab.evaluate("text => navigator.clipboard.writeText(text)", text)
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)


def grids(tab: Any) -> list[list[list[str]]]:
    """What stands in each matrix of the open tab."""
    cells = "row => [...row.querySelectorAll('[data-row]')].map(box => box.value)"
    rows = f"e => [...e.querySelectorAll('tbody tr')].map({cells})"
    return [grid.evaluate(rows) for grid in tab.locator("table.grid").all()]


def told(tab: Any) -> str:
    """What is said of a paste, as it can be seen."""
    lines = tab.locator(".inputs p[role=status]:visible").all_inner_texts()
    return " | ".join(line for line in lines if line)


def a_table_takes_their_place(tab: Any) -> None:
    """A table is pasted, and is the first matrix."""
    paste(tab, MINE)
    assert grids(tab)[0] == [["170", "30"], ["14", "86"]]
    assert "It is “this one”" in told(tab)


def forgive(opened: Any) -> None:
    """The browser logs the status of what is refused, some of which is asked for when the first answer is there."""
    opened.forgiven.append("status of 422")


def test_a_table_is_the_pilot_of_a_plan(opened: Any) -> None:
    tab = at(opened, "plan")
    paste(tab, MINE)
    assert tab.get_by_label("My pilot", exact=True).is_checked()
    assert grids(tab) == [[["170", "30"], ["14", "86"]]]
    assert "Pasted 2 classes. It is the pilot now." in told(tab)
    tab.click("#tab-evaluate")
    settled(tab)
    assert grids(tab) == [[["170", "30"], ["14", "86"]]]


def test_a_table_is_the_test_of_a_patient(opened: Any) -> None:
    tab = at(opened, "patient")
    before = said(tab, "verdict")
    paste(tab, MINE)
    assert "Pasted 2 classes. They say how good the test is." in told(tab)
    assert said(tab, "verdict") != before
    tab.get_by_text("How good the test is").first.click()
    assert grids(tab) == [[["170", "30"], ["14", "86"]]]


def test_the_first_table_and_then_the_other_one_are_compared(opened: Any) -> None:
    tab = at(opened, "compare")
    choose(tab, "By", "sensitivity")
    paste(tab, MINE)
    assert grids(tab) == [[["170", "30"], ["14", "86"]], [["", ""], ["", ""]]]
    assert "It is “this one”; paste the other one too." in told(tab)
    assert said(tab, "verdict") == "No answer yet."  # what was said of the example is none
    paste(tab, OTHER)
    assert grids(tab) == [[["170", "30"], ["14", "86"]], [["60", "9"], ["7", "71"]]]
    assert "It is “the other one”." in told(tab)
    # none is empty: the one that was touched last
    paste(tab, MINE.replace("86", "87"))
    assert grids(tab)[1] == [["170", "30"], ["14", "87"]]
    assert "this one" in said(tab, "verdict")
    tab.locator("[data-row='0'][data-column='0']").first.focus()
    tab.locator("h2, .verdict").first.click()
    paste(tab, MINE.replace("86", "80"))
    assert grids(tab)[0] == [["170", "30"], ["14", "80"]]
    forgive(opened)


def test_where_nothing_says_which_matrix_is_meant_a_sentence_asks(opened: Any) -> None:
    tab = at(opened, "compare")
    paste(tab, MINE)
    paste(tab, OTHER.replace("bad", "negative").replace("good", "positive"))
    before = grids(tab)
    tab.reload()  # at once, and nothing is lost
    settled(tab)
    assert grids(tab) == before
    paste(tab, MINE.replace("86", "80"))
    assert grids(tab) == before
    assert "click a cell of the one whose place this is to take" in told(tab)
    forgive(opened)


def test_a_table_in_a_cell_of_an_example_empties_the_other_one(opened: Any) -> None:
    tab = at(opened, "compare")
    tab.locator("[data-row='0'][data-column='0']").nth(1).focus()
    paste(tab, MINE)
    assert grids(tab) == [[["", ""], ["", ""]], [["170", "30"], ["14", "86"]]]
    assert tab.locator(".classifier > summary").all_inner_texts() == ["the other one", "this one"]
    forgive(opened)


def test_a_table_is_read_beside_answers_to_the_same_cases(opened: Any) -> None:
    tab = at(opened, "compare")
    tab.get_by_role("button", name="Two classifiers, the same digits").click()
    settled(tab)
    paste(tab, ANSWERS)
    assert "compared case by case" in told(tab)
    assert "mine, yours" in tab.locator(".same-cases").inner_text()
    a_table_takes_their_place(tab)
    forgive(opened)


def test_the_third_of_answers_to_the_same_cases_is_compared_and_a_table_takes_their_place(opened: Any) -> None:
    tab = at(opened, "compare")
    paste(tab, "id,y_true,pred_a,pred_b,pred_c\n1,x,x,y,x\n2,y,y,y,y\n3,y,x,y,x\n4,x,x,x,y\n")
    choose(tab, "A", "c")
    assert "c is better than b" in said(tab, "verdict") or "b is better than c" in said(tab, "verdict")
    a_table_takes_their_place(tab)
    forgive(opened)


def test_what_was_changed_while_a_table_is_read_stays(opened: Any) -> None:
    tab = at(opened, "compare")
    paste(tab, MINE)
    tab.route("**/api/v1/paste", lambda route: (tab.wait_for_timeout(600), route.continue_()))
    tab.evaluate("text => navigator.clipboard.writeText(text)", OTHER)
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
        tab.get_by_label("Name", exact=True).first.fill("mine")
    settled(tab)
    assert tab.locator(".classifier > summary").all_inner_texts() == ["mine", "the other one"]
    assert grids(tab) == [[["170", "30"], ["14", "86"]], [["60", "9"], ["7", "71"]]]
    forgive(opened)


def test_after_one_is_removed_nothing_says_which_was_touched(opened: Any) -> None:
    tab = at(opened, "compare")
    paste(tab, MINE)
    paste(tab, OTHER.replace("bad", "negative").replace("good", "positive"))
    tab.get_by_role("button", name="+ Classifier").click()
    tab.get_by_role("button", name="Remove this one").click()
    settled(tab)
    before = grids(tab)
    paste(tab, MINE.replace("86", "80"))
    assert grids(tab) == before
    assert "click a cell of the one whose place this is to take" in told(tab)
    forgive(opened)


@pytest.mark.parametrize("mode", ["compare", "plan", "patient"])
def test_what_cannot_be_read_says_so_and_changes_nothing(opened: Any, mode: str) -> None:
    tab = at(opened, mode)
    before = said(tab, "verdict")
    paste(tab, BAD)
    assert "is no header that is known" in told(tab)
    assert said(tab, "verdict") == before
    forgive(opened)


@pytest.mark.parametrize(("mode", "label"), [
    ("evaluate", "Prior"), ("plan", "I want to know"), ("plan", "Cases that I have"), ("compare", "By"),
    ("patient", "Is it"),
])  # fmt: skip
def test_a_list_of_choices_and_a_box_of_one_line_take_no_table(opened: Any, mode: str, label: str) -> None:
    tab = at(opened, mode)
    place = tab.get_by_label(label, exact=True)
    place.focus()
    held = place.input_value()
    paste(tab, "170\t30\n14\t86\n")
    assert "Pasted 2 classes." in told(tab)
    assert mode == "patient" or grids(tab)[0] == [["170", "30"], ["14", "86"]]
    assert mode in ("patient", "plan", "compare") or place.input_value() == held
    forgive(opened)


def test_pasted_answers_are_compared_by_a_metric_that_they_have(opened: Any) -> None:
    tab = at(opened, "compare")
    choose(tab, "By", "F1 of healthy")
    tab.click("#tab-evaluate")
    settled(tab)
    paste(tab, ANSWERS)
    tab.wait_for_selector("#tab-compare[aria-selected=true]")
    settled(tab)
    assert tab.get_by_label("By", exact=True).evaluate("e => e.selectedOptions[0].label") == "balanced accuracy"
    assert "That mine is better than yours" in said(tab, "verdict")
