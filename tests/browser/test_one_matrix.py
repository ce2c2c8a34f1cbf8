"""One page for all tabs: one matrix, one set of settings, an address that follows, and nothing lost."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import choose
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser


JEFFREYS = "Jeffreys"


def cell(tab: Any, row: int, column: int) -> Any:
    """A cell of the first matrix of the open tab."""
    return tab.locator(f'[data-row="{row}"][data-column="{column}"]').first


def typed(tab: Any, *rows: tuple[str, ...]) -> None:
    """Counts typed with keys, cell by cell, from the first one on."""
    for i, row in enumerate(rows):
        for j, text in enumerate(row):
            cell(tab, i, j).focus()
            tab.keyboard.press("Control+a")
            tab.keyboard.type(text)
    settled(tab)


def counts(tab: Any) -> list[list[str]]:
    """What stands in the first matrix of the open tab."""
    boxes = tab.locator("table.grid").first.locator("tbody tr")
    return [[box.input_value() for box in row.locator("[data-row]").all()] for row in boxes.all()]


def chosen(tab: Any, label: str) -> str:
    """What a box of many choices shows."""
    shown: str = tab.get_by_label(label, exact=True).evaluate("e => e.selectedOptions[0].label")
    return shown


def go(tab: Any, mode: str) -> None:
    tab.click(f"#tab-{mode}")
    settled(tab)


def test_undo_belongs_to_its_own_tab(opened: Any) -> None:
    tab = opened()
    first = counts(tab)
    typed(tab, ("61",))
    changed = counts(tab)
    assert changed[0][0] == "61"
    go(tab, "plan")
    tab.get_by_label("Cases that I have", exact=True).fill("321")
    settled(tab)
    tab.keyboard.press("Control+z")
    settled(tab)
    assert tab.get_by_label("Cases that I have", exact=True).input_value() == "26"
    tab.keyboard.press("Control+z")  # nothing is left to undo here, and nothing elsewhere is touched
    settled(tab)
    go(tab, "evaluate")
    assert counts(tab) == changed
    tab.get_by_role("button", name="Undo").click()
    settled(tab)
    assert counts(tab) == first
    go(tab, "plan")
    tab.keyboard.press("Control+Shift+z")
    settled(tab)
    assert tab.get_by_label("Cases that I have", exact=True).input_value() == "321"


MINE = (("71", "9"), ("4", "16"))


def test_a_matrix_typed_in_one_tab_is_in_all_that_take_one_and_so_are_the_settings(opened: Any) -> None:
    tab = opened()
    typed(tab, *MINE)
    tab.get_by_role("group", name="Probability inside").get_by_label("90 %").check()
    choose(tab, "Prior", JEFFREYS)
    settled(tab)
    mine = [list(row) for row in MINE]
    for mode in ("patient", "plan", "compare"):
        go(tab, mode)
        if mode == "plan":
            tab.get_by_label("My pilot", exact=True).check()
            settled(tab)
        assert counts(tab) == mine, mode
        assert tab.get_by_role("group", name="Probability inside").get_by_label("90 %").is_checked()
        assert chosen(tab, "Prior") == JEFFREYS, mode
    # back the other way, from the last tab to the first
    typed(tab, ("72",))
    go(tab, "evaluate")
    assert counts(tab) == [["72", "9"], ["4", "16"]]
    # Compare asks for the second matrix, which is still empty
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


def test_the_cases_that_one_has_are_those_of_the_matrix_until_they_are_typed(opened: Any) -> None:
    tab = opened()
    have = tab.get_by_label("Cases that I have", exact=True)
    metric = tab.get_by_label("I want to know", exact=True)
    typed(tab, *MINE)
    go(tab, "plan")
    # a plan of the recall counts cases of the positive class
    assert have.input_value() == "20"
    assert "Those of high in your matrix" in tab.locator(".inputs").inner_text()
    tab.get_by_text("Your cases: 20 cases of class", exact=False).wait_for()
    for name, cases in (("specificity", "80"), ("accuracy", "100")):
        metric.select_option(label=name)
        settled(tab)
        assert have.input_value() == cases, name
    assert "As in your matrix; " in tab.locator(".inputs").inner_text()
    go(tab, "evaluate")
    typed(tab, ("72",))
    go(tab, "plan")
    assert have.input_value() == "101"
    tab.get_by_text("Your cases: 101 cases", exact=False).wait_for()
    have.fill("250")
    settled(tab)
    go(tab, "evaluate")
    typed(tab, ("73",))
    go(tab, "plan")
    assert have.input_value() == "250"
    tab.reload()
    settled(tab)
    assert have.input_value() == "250"


def test_compare_does_not_answer_with_the_matrix_of_a_stranger(opened: Any) -> None:
    tab = opened()
    typed(tab, *MINE)
    go(tab, "compare")
    assert tab.get_by_label("true low, predicted low", exact=True).all()[1].input_value() == ""
    assert "empty" in tab.locator(".inputs").inner_text()
    assert tab.locator(".verdict").inner_text() == "No answer yet."
    assert tab.locator(".answers [data-value]").count() == 0
    others = tab.locator("table.grid").nth(1).locator("[data-row]").all()
    for box, text in zip(others, ("60", "20", "5", "15"), strict=True):
        box.focus()
        tab.keyboard.type(text)
    settled(tab)
    assert "better" in tab.locator(".verdict").inner_text()
    # what was typed here stays when the first one changes elsewhere
    go(tab, "evaluate")
    typed(tab, ("70",))
    go(tab, "compare")
    assert [box.input_value() for box in others] == ["60", "20", "5", "15"]
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


@pytest.mark.parametrize(("mode", "example"), [
    ("evaluate", "0 of 25 LLM failures"),
    ("patient", "One cocaine sample"),
    ("plan", "PPV of a rare disease"),
    ("compare", "Three classes: C1, C2, C3"),
])  # fmt: skip
def test_an_example_fills_and_resets_no_setting(opened: Any, mode: str, example: str) -> None:
    tab = opened()
    go(tab, mode)
    tab.get_by_role("group", name="Probability inside").get_by_label("99 %").check()
    choose(tab, "Prior", JEFFREYS)
    if mode == "evaluate":
        tab.locator("details.metrics summary").click()
        tab.locator("details.metrics").get_by_label("MCC", exact=True).uncheck()
        settled(tab)
        metrics = tab.locator("details.metrics summary").inner_text()
        assert "chosen" in metrics
    tab.get_by_role("button", name=example, exact=True).click()
    settled(tab)
    assert tab.get_by_role("group", name="Probability inside").get_by_label("99 %").is_checked()
    assert chosen(tab, "Prior") == JEFFREYS
    if mode == "evaluate":
        assert counts(tab) == [["12", "0"], ["0", "13"]]
        assert tab.locator("details.metrics summary").inner_text() == metrics
