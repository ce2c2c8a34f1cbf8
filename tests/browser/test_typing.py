"""Numbers and names are typed key by key: each goes where it belongs, stays as it is, or is named as wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser.page import REFUSED, expect

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def keys(tab: Any, *pressed: str) -> None:
    for key in pressed:
        if key in {"Tab", "Enter"}:
            tab.keyboard.press(key)
        else:
            tab.keyboard.type(key)
    tab.settle()


def test_tab_leads_through_the_names_to_the_counts_and_out_and_enter_goes_down(opened: Any) -> None:
    tab = opened()
    tab.locator("th.name textarea").first.click()
    keys(tab, "Tab")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Name of class 2"
    keys(tab, "Tab")
    assert tab.evaluate("document.activeElement.dataset.row + document.activeElement.dataset.column") == "00"
    keys(tab, "Tab", "Tab", "Tab", "Tab")
    assert tab.evaluate("document.activeElement.dataset.row ?? 'out'") == "out"
    tab.cell(0, 0).click()
    keys(tab, "92", "Enter", "5", "Enter", "8", "Enter", "45", "Enter", "44")
    assert tab.counts() == [["92", "8"], ["5", "44"]]


def test_no_key_of_a_count_or_a_line_is_lost_and_thousands_may_be_set_apart(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    for text, shown in (
        ("1.5", "1.5"), ("0.05", "0.05"), ("1.5e3", "1500"), ("1,234,567", "1234567"), ("1'234'567", "1234567"),
        ("1 234 567", "1234567"), ("12.0", "12.0"),
    ):  # fmt: skip
        tab.cell(0, 0).click()
        tab.keyboard.press("Control+a")
        tab.keyboard.type(text)
        expect(tab.cell(0, 0)).to_have_value(shown)
        tab.settle()
        expect(tab.cell(0, 0)).to_have_value(shown)
    expect(tab.field("about")).to_contain_text("low 14")
    tab.put(0, 0, "0,123")  # a share is no count
    expect(tab.cell(0, 0)).to_have_attribute("aria-invalid", "true")
    tab.cell(0, 0).fill("12")
    for text in ("10,000", "10.000", "10 000"):
        tab.enter("Cases of the other test", text)
        expect(tab.locator(".again .said")).to_contain_text("new test of 10,000 cases")
    for mode, label in (("tables", "True positives of"), ("leaderboard", "Number of cases of")):
        tab.go(mode)
        box = tab.get_by_label(label).first
        box.fill("")
        box.focus()
        tab.keyboard.type("1.05")
        tab.settle()
        expect(box).to_have_value("1.05")


def test_a_share_is_typed_in_percent_or_as_a_fraction_and_what_is_none_greys_the_answers(opened: Any) -> None:
    tab = opened()
    tab.paste("TP 86, FN 14, FP 30, TN 170")
    ink = """() => getComputedStyle(document.querySelector('[data-value="rates.PPV"]')).color"""
    black = tab.evaluate(ink)
    tab.get_by_text("My population").click(force=True)
    for text in ("2", "1/50", "2 %"):
        tab.keyboard.press("Control+a")
        keys(tab, text)
        expect(tab.field("rates.PPV")).to_have_text("0.105")
        assert tab.evaluate(ink) == black
    tab.keyboard.press("Control+a")
    keys(tab, "x")
    expect(tab.field("rates.PPV")).to_have_text("0.105")
    expect(tab.get_by_text("Answered for 2%.")).to_have_count(1)
    assert tab.evaluate(ink) != black


def test_a_number_that_was_too_much_counts_once_it_fits(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("k of n cases").check()
    tab.enter("Cases of it", "500")
    expect(tab.get_by_label("Cases of it")).to_have_attribute("aria-invalid", "true")
    tab.enter("among", "1000")
    state = tab.evaluate("history.state.document.evaluate.prevalence")
    assert (state["cases"], state["of"]) == (500, 1000)
    expect(tab.get_by_label("Cases of it")).not_to_have_attribute("aria-invalid", re.compile(""))


def test_nothing_is_said_of_counts_that_were_cleared_until_all_are_typed(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    before = tab.value("verdict")
    tab.push("Clear")
    assert (tab.counts(), tab.names()) == ([["", ""], ["", ""]], ["sick", "healthy"])  # those of an example go with it
    tab.cell(0, 0).focus()
    keys(tab, "45", "Tab", "5", "Tab", "8")
    expect(tab.field("verdict")).to_have_text("Type the counts, or paste a table.")
    expect(tab.locator(".answers section")).to_have_count(0)
    expect(tab.locator(".matrix .wrong")).to_contain_text("this cell is empty")
    keys(tab, "Tab", "92")
    expect(tab.field("about")).to_contain_text("sick 50, healthy 100")
    while tab.get_by_role("button", name="Undo").is_enabled():
        tab.push("Undo")
    assert (tab.value("verdict"), tab.counts()) == (before, [["6", "2"], ["0", "26"]])


def test_shares_that_are_typed_are_asked_about(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.push("Clear")
    tab.cell(0, 0).focus()
    keys(tab, "85.5", "Tab", "14.5", "Tab", "10.0", "Tab", "90.0")
    expect(tab.get_by_text("Are these percentages?")).to_be_visible()


@pytest.mark.parametrize("mode", ["evaluate", "plan"])
def test_what_is_wrong_with_a_name_is_said_once_beside_it(opened: Any, mode: str) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.go(mode)
    if mode == "plan":
        tab.get_by_label("My pilot").check(force=True)
    box = tab.get_by_label("Name of class 1").first
    for wrong in ("", " ", tab.names()[1]):
        box.fill(wrong)
        tab.settle()
        alerts = [text for text in tab.locator("[role=alert]").all_inner_texts() if text]
        assert len(alerts) == 1, (wrong, alerts)
        expect(tab.locator(".matrix .wrong").first).to_have_text(alerts[0])


def test_it_is_said_how_a_point_before_three_digits_is_read(opened: Any) -> None:
    tab = opened()
    tab.go("leaderboard")
    hint = "small[id=" + tab.get_by_label("2nd", exact=True).get_attribute("id") + "-hint]"
    for text, words in (("1.000", "Read as 1."), ("12.500", "Read as 12.5."), ("1,000", ""), ("0.125", "")):
        tab.enter("2nd", text)
        if words:
            expect(tab.locator(hint)).to_contain_text(words)
        else:
            expect(tab.locator(hint)).to_have_count(0)


def test_what_an_abstract_cannot_be_says_so_and_prevalence_and_total_are_enough(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.get_by_text("From a published abstract").click()
    figures = ("Sensitivity", "Specificity", "Cases with the condition", "Cases without it", "or cases in all")
    for texts, then in (
        (("0.83", "90 %", "50", "50", ""), [["6", "2"], ["0", "26"]]),  # no table has it
        (("90 %", "85 %", "30 %", "", "200"), [["119", "21"], ["6", "54"]]),
        (("1.00", "0.50", "1.000", "2.000", ""), [["1000", "1000"], ["0", "1000"]]),  # thousands, no decimals
    ):
        for label, text in zip(figures, texts, strict=True):
            tab.get_by_label(label, exact=True).fill(text)
        tab.get_by_label("Sensitivity", exact=True).press("Enter")
        tab.wait_for_function("() => Number(document.documentElement.dataset.running) === 0")
        tab.settle()
        assert tab.counts() == then, texts
        wrong = tab.get_by_label("Sensitivity", exact=True)
        if texts[0] == "0.83":
            expect(wrong).to_have_attribute("aria-invalid", "true")


def test_transposing_twice_is_the_same_and_the_sentence_says_what_a_row_is(opened: Any) -> None:
    tab = opened()
    first, sentence = tab.counts(), tab.value("sentence")
    tab.push("Transpose")
    assert tab.counts() == [["6", "0"], ["2", "26"]]
    expect(tab.field("sentence")).to_have_text("2 true high were predicted low.")
    tab.push("Transpose")
    assert (tab.counts(), tab.value("sentence")) == (first, sentence)


def test_one_series_of_keys_is_one_step_back(opened: Any) -> None:
    tab = opened()
    first = tab.counts()
    tab.cell(1, 0).focus()
    keys(tab, "123")
    tab.keyboard.press("Control+z")
    tab.settle()
    assert tab.counts() == first
    tab.push("Redo")
    assert tab.counts()[1][0] == "123"


def test_classes_are_added_renamed_and_removed(opened: Any) -> None:
    tab = opened()
    tab.push("+ Class")
    name = tab.get_by_label("Name of class 3")
    name.click()
    tab.keyboard.press("Control+a")
    keys(tab, "middling", "Enter", "s")  # a name has no second line
    expect(name).to_have_value("middlings")
    tab.put(2, 2, "9")
    expect(tab.field("row_total@middlings")).to_have_text("9")
    expect(tab.locator(".data").first).to_contain_text("recall of middlings")
    tab.push("Remove class low")
    assert tab.counts() == [["26", "0"], ["0", "9"]]
