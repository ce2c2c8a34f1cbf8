"""A table is pasted while no cell has the focus, in every tab that takes one: it is read, or a sentence says why."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser.page import REFUSED, expect

pytestmark = [pytest.mark.browser, pytest.mark.deep]

MINE, OTHER = "TP 86, FN 14, FP 30, TN 170", "true\\pred\tbad\tgood\nbad\t60\t9\ngood\t7\t71\n"
#: As OTHER, with the names that the first one has.
ALIKE = OTHER.replace("bad", "negative").replace("good", "positive")
ANSWERS = "id,y_true,pred_mine,pred_yours\n1,x,x,y\n2,y,y,y\n3,y,x,y\n"
FIRST, SECOND, EMPTY = [["170", "30"], ["14", "86"]], [["60", "9"], ["7", "71"]], [["", ""], ["", ""]]


def reports(tab: Any, words: str) -> None:
    """What is said of a paste, as it can be seen."""
    expect(tab.locator(".inputs p[role=status]:visible", has_text=words).first).to_be_visible()


def test_the_first_table_and_then_the_other_one_are_compared(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.paste(MINE)
    assert tab.grids() == [FIRST, EMPTY]
    reports(tab, "It is “A”; paste or type “B” too.")
    expect(tab.field("verdict")).to_have_text("Paste or type the matrix of “B”.")  # nothing of the example
    expect(tab.locator(".answers section")).to_have_count(0)
    expect(tab.locator("[aria-live]")).to_have_text("")
    tab.paste(OTHER)
    assert tab.grids() == [FIRST, SECOND]
    reports(tab, "It is “B”.")
    # none is empty: the one that was touched last
    tab.paste(MINE.replace("86", "87"))
    assert tab.grids()[1] == [["170", "30"], ["14", "87"]]
    tab.locator("[data-row='0'][data-column='0']").first.focus()
    tab.locator("h2, .verdict").first.click()
    tab.paste(MINE.replace("86", "80"))
    assert tab.grids()[0] == [["170", "30"], ["14", "80"]]


def test_where_nothing_says_which_matrix_is_meant_a_sentence_asks(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.paste(MINE)
    tab.paste(ALIKE)
    tab.push("+ Classifier")
    tab.push("Remove A")
    for _ in range(2):
        before = tab.grids()
        tab.paste(MINE.replace("86", "80"))
        assert tab.grids() == before
        reports(tab, "click a cell of the one whose place this is to take")
        tab.reload()  # at once, and nothing is lost
        assert tab.grids() == before


def test_a_table_in_a_cell_of_an_example_empties_the_other_one(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.paste(MINE, tab.locator("[data-row='0'][data-column='0']").nth(1))
    assert tab.grids() == [EMPTY, FIRST]
    assert tab.locator(".classifier > summary").all_inner_texts() == ["B", "A"]


def test_the_third_of_answers_to_the_same_cases_is_compared_and_a_table_takes_their_place(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.paste("id,y_true,pred_a,pred_b,pred_c\n1,x,x,y,x\n2,y,y,y,y\n3,y,x,y,x\n4,x,x,x,y\n")
    reports(tab, "compared case by case")
    tab.choose("A", "c")
    expect(tab.field("verdict")).to_contain_text(re.compile("c is better than b|b is better than c"))
    tab.paste(MINE)
    assert tab.grids()[0] == FIRST
    reports(tab, "It is “A”")


def test_what_was_changed_while_a_table_is_read_stays(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.paste(MINE)
    asked: list[Any] = []

    def keep(route: Any) -> None:
        asked.append(route)  # it is answered below

    tab.route("**/api/v1/paste", keep)
    tab.evaluate("text => navigator.clipboard.writeText(text)", OTHER)
    with tab.expect_request("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    tab.get_by_label("Name", exact=True).first.fill("mine")
    expect(tab.locator(".classifier > summary").first).to_have_text("mine")
    asked[0].continue_()
    tab.settle()
    assert tab.locator(".classifier > summary").all_inner_texts() == ["mine", "B"]
    assert tab.grids() == [FIRST, SECOND]


def test_what_cannot_be_read_says_so_and_changes_nothing(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    for mode in ("compare", "plan", "patient"):
        tab.go(mode)
        before = tab.value("verdict")
        tab.paste("one\ttwo\nthree\tfour")
        reports(tab, "line 1")
        assert tab.value("verdict") == before


@pytest.mark.parametrize(("mode", "label"), [
    ("evaluate", "Prior"), ("plan", "Cases that I have"), ("compare", "By"), ("patient", "Is it"),
])  # fmt: skip
def test_a_list_of_choices_and_a_box_of_one_line_take_no_table(opened: Any, mode: str, label: str) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at(mode)
    tab.paste("170\t30\n14\t86\n", tab.get_by_label(label, exact=True))
    reports(tab, "Pasted 2 classes.")
    assert tab.grids()[0] == FIRST


def test_pasted_answers_are_compared_by_a_metric_that_they_have(opened: Any) -> None:
    tab = opened.at("compare")
    tab.choose("By", "F1 of healthy")
    tab.go("evaluate")
    tab.paste(ANSWERS)
    expect(tab.locator("#tab-compare")).to_have_attribute("aria-selected", "true")
    tab.settle()
    assert tab.chosen("By") == "balanced accuracy"
    expect(tab.field("verdict")).to_contain_text("That mine is better than yours")
