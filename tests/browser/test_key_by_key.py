"""What is typed key by key stays as it is, and what is no number leaves no answer that seems to be its own."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import at, said
from tests.browser.conftest import settled
from tests.browser.test_one_matrix import cell

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("text", "shown"),
    [*((text, text) for text in ("1.5", "0.85", "86.4", "12.0", "0.05")), ("1.5e3", "1500"), ("1,234,567", "1234567")],
)
def test_no_key_of_a_count_is_lost(opened: Any, text: str, shown: str) -> None:
    opened.forgiven.append("422")
    tab = opened()
    cell(tab, 0, 0).focus()
    tab.keyboard.type(text)
    assert cell(tab, 0, 0).input_value() == shown
    settled(tab)
    assert cell(tab, 0, 0).input_value() == shown
    if text == "12.0":
        assert "low 14" in said(tab, "about")


def test_shares_that_are_typed_are_asked_about(opened: Any) -> None:
    opened.forgiven.append("422")
    tab = opened()
    tab.get_by_role("button", name="Clear").click()
    cell(tab, 0, 0).focus()
    for text in ("85.5", "14.5", "10.0", "90.0"):
        tab.keyboard.type(text)
        tab.keyboard.press("Tab")
    tab.get_by_text("Are these percentages?").wait_for()
    settled(tab)


@pytest.mark.parametrize(("mode", "label"), [("tables", "True positives of"), ("leaderboard", "Number of cases of")])
def test_no_key_of_a_line_is_lost(opened: Any, mode: str, label: str) -> None:
    opened.forgiven.append("422")
    tab = at(opened, mode)
    box = tab.get_by_label(label).first
    box.fill("")
    box.focus()
    tab.keyboard.type("1.05")
    assert box.input_value() == "1.05"
    settled(tab)


def test_a_share_may_be_typed_as_a_fraction_and_what_is_none_greys_the_answers(opened: Any) -> None:
    tab = opened()
    tab.evaluate("text => navigator.clipboard.writeText(text)", "TP 86, FN 14, FP 30, TN 170")
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)
    ink = """() => getComputedStyle(document.querySelector('[data-value="rates.PPV"]')).color"""
    black = tab.evaluate(ink)
    tab.get_by_text("My population").click(force=True)
    tab.keyboard.type("1/50")
    settled(tab)
    assert said(tab, "rates.PPV") == "0.104"
    assert tab.evaluate(ink) == black
    tab.keyboard.press("Control+a")
    tab.keyboard.type("x")
    settled(tab)
    assert said(tab, "rates.PPV") == "0.104"
    assert tab.get_by_text("Answered for 2 %.").count() == 1
    assert tab.evaluate(ink) != black


def test_thousands_of_an_abstract_are_no_decimals(opened: Any) -> None:
    tab = opened()
    tab.get_by_text("From a published abstract").click()
    for label, text in (
        ("Sensitivity", "1.00"),
        ("Specificity", "0.50"),
        ("Cases with the condition", "1.000"),
        ("Cases without it", "2.000"),
    ):
        tab.locator("details.paste label").filter(has_text=label).locator("input").fill(text)
    with tab.expect_response("**/api/v1/reconstruct"):
        tab.get_by_role("button", name="Find the table").click()
    settled(tab)
    assert said(tab, "n") == "3,000"


def test_numbers_in_one_line_that_are_pasted_nowhere_get_an_answer(opened: Any) -> None:
    opened.forgiven.append("422")
    tab = opened()
    tab.evaluate("text => navigator.clipboard.writeText(text)", "86, 14, 30, 170")
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    tab.get_by_text("a matrix without names must be square").wait_for()
    settled(tab)


def test_a_damaged_link_speaks_no_answer(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).fill("60")
    settled(tab)
    address = tab.evaluate("location.hash")
    other = opened("?again" + address[:-10])
    other.get_by_text("damaged").first.wait_for()
    settled(other)
    other.evaluate("() => new Promise((done) => setTimeout(done, 700))")
    assert other.locator("div.unseen[role=status]").inner_text() == ""
