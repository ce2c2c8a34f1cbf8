"""One page for all tabs: one matrix, one set of settings, an address that follows, and nothing lost."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser


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
    assert tab.get_by_label("Cases that I have", exact=True).input_value() == "100"
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
