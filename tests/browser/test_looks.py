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
