"""Nothing is cut, covered or hard to read: every tab, narrow and wide, light and dark, names in either direction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settled, violations
from tests.browser.test_modes import MODES, link

pytestmark = pytest.mark.browser

WIDTHS = {"left to right": (320, 390, 768, 1280, 1920), "right to left": (320, 1280)}
TABS = ("evaluate", *MODES)

#: Examples with all that can be asked for; numbers of many digits among them.
FILLED: dict[str, Any] = {
    "evaluate": {
        "prevalence": {"choice": "value", "percent": 1, "cases": 12, "of": 240},
        "thresholds": {"accuracy": 0.9},
        "cost": {"fp": 1, "fn": 10},
        "outlook": {"metric": None, "above": 0.8, "more": 20},
        "replicate": 100,
    },
    "threshold": {"best": "cost", "prevalence": 10},
    "plan": {"supposed": "pilot", "metric": "balanced_accuracy"},
    "patient": {"results": ["positive", "negative"]},
}

HEBREW, ARABIC = ["בריא (שלילי)", "חולה 2.5 mg"], "مريض 3/4"
ILL = {"classes": HEBREW, "counts": [[45, 5], [8, 42]], "positive": HEBREW[1]}
RIGHT_TO_LEFT: dict[str, Any] = {
    "evaluate": {**FILLED["evaluate"], "matrix": ILL},
    "threshold": {
        "scores": {"classes": HEBREW, "positive": HEBREW[1], "cells": [[0.1, 9, 1], [0.4, 5, 4], [0.8, 1, 9]]},
        "best": "cost",
    },
    "compare": {"classifiers": [{"name": "מסווג 1 (new)", "matrix": ILL}, {"name": ARABIC, "matrix": ILL}]},
    "leaderboard": {
        "entries": [
            {"name": name, "correct": 88 - 7 * i, "n": 100}
            for i, name in enumerate(["מסווג 1 (v2.0)", ARABIC, "רשת עצבית", "abc עברית 5"])
        ]
    },
    "tables": {
        "tables": [
            {"name": name, "tp": 47 + i, "fn": 9, "fp": 101, "tn": 738}
            for i, name in enumerate(["אוסלו 2001", "روما 2004", "London (לונדון) 3", "חיפה"])
        ]
    },
    "plan": {"supposed": "pilot", "pilot": ILL, "metric": "balanced_accuracy"},
    "patient": {"matrix": ILL, "label": HEBREW[1], "percent": 1},
}

UNFOLD = """() => {
  for (const each of document.querySelectorAll('details:not(.word)')) each.open = true;
  const word = document.querySelector('details.word');
  if (word) word.open = true;
}"""

#: What is wrong with the layout as it stands.
FAULTS = (Path(__file__).parent / "layout_faults.js").read_text(encoding="utf-8")


def opened_filled(opened: Any, tab_name: str, parts: dict[str, Any], **how: Any) -> Any:
    tab = opened(link(tab_name, parts.get(tab_name, {})), **how)
    settled(tab)
    tab.evaluate(UNFOLD)
    settled(tab)
    return tab


@pytest.mark.parametrize("names", WIDTHS)
@pytest.mark.parametrize("mode", TABS)
def test_nothing_is_cut_or_covered_at_any_width(opened: Any, mode: str, names: str) -> None:
    forward = names == "left to right"
    tab = opened_filled(opened, mode, FILLED if forward else RIGHT_TO_LEFT, scheme="light" if forward else "dark")
    found = {}
    for width in WIDTHS[names]:
        tab.set_viewport_size({"width": width, "height": 900})
        # a table that folds does so in the frame after the one in which it was measured
        tab.wait_for_timeout(60)
        tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[width] = tab.evaluate(FAULTS)
    assert found == {width: [] for width in WIDTHS[names]}


@pytest.mark.parametrize("mode", TABS)
def test_contrast_is_judged_of_every_word_in_light_and_dark(opened: Any, mode: str) -> None:
    tab = opened_filled(opened, mode, RIGHT_TO_LEFT)
    faults = violations(tab)
    tab.get_by_role("switch", name="Dark theme").click()
    tab.set_viewport_size({"width": 390, "height": 900})
    settled(tab)
    assert [*faults, *violations(tab)] == []


def test_numbers_of_the_inputs_before_are_quiet_and_can_be_read(opened: Any) -> None:
    tab = opened()
    ink = "getComputedStyle(document.querySelector('.verdict')).color"
    before = tab.evaluate(ink)
    tab.locator("[data-row='0'][data-column='1']").fill("-2")
    tab.get_by_text("belong to the inputs before that").wait_for()
    assert tab.evaluate(ink) != before
    assert violations(tab) == []
    assert all("422" in line for line in opened.complaints)
    opened.complaints.clear()


def test_faint_words_are_found(opened: Any) -> None:
    tab = opened()
    assert violations(tab) == []
    tab.evaluate("document.querySelector('.grid .total').style.color = '#b0b0b0'")  # one letter, which axe leaves open
    tab.evaluate("document.querySelector('.chart text.mark').style.fill = '#b0b0b0'")
    assert len(violations(tab)) == 2


EIGHT = ["healthy", "influenza", "bronchitis", "pneumonia", "tuberculosis", "carcinoma", "sarcoidosis", "embolism"]

#: What of the row names is out of sight, or hides more than half of the cells; and whether the focused cell is hidden.
HIDDEN = """() => {
  const frame = document.querySelector('.matrix .scroll').getBoundingClientRect();
  const names = [...document.querySelectorAll('.grid tbody th.name')];
  const boxes = names.map((name) => name.getBoundingClientRect());
  const found = boxes.filter((box) => box.left < frame.left - 6 || box.right > frame.left + frame.width / 2).length;
  const [first] = boxes;
  const top = document.elementFromPoint(first.left + 20, first.top + first.height / 2);
  const focused = document.activeElement.closest('td')?.getBoundingClientRect();
  return [found, names[0].contains(top), Boolean(focused && focused.left < first.right - 1)];
}"""


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("size", [6, 8])
def test_names_of_rows_stay_in_sight_while_a_matrix_is_moved_sideways(opened: Any, width: int, size: int) -> None:
    counts = [[140 if i == j else 2 for j in range(size)] for i in range(size)]
    matrix = {"classes": EIGHT[:size], "counts": counts, "positive": None}
    tab = opened(link("evaluate", {"matrix": matrix}), size=(width, 1200))
    settled(tab)
    scroll = tab.locator(".matrix .scroll")
    assert scroll.evaluate("e => e.scrollWidth > e.clientWidth")
    assert tab.evaluate(HIDDEN) == [0, True, False]
    scroll.evaluate("e => e.scrollLeft = 1e4")
    assert scroll.evaluate("e => e.scrollLeft") > 30
    assert tab.evaluate(HIDDEN) == [0, True, False]
    for column in range(size - 1, -1, -1):  # the keys bring back what the names would hide
        tab.locator(f"[data-row='0'][data-column='{column}']").focus()
        assert tab.evaluate(HIDDEN) == [0, True, False], column
