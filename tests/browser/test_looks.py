"""Nothing is cut, covered or hard to read: every tab, narrow and wide, light and dark, with names in either direction."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import at
from tests.browser.conftest import settled, violations
from tests.browser.test_modes import MODES, link

pytestmark = pytest.mark.browser

WIDTHS = (320, 390, 768, 1280, 1920)
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

#: What is wrong with the layout as it stands: text beyond its box, text over text, what scrolls inside of the page.
FAULTS = r"""() => {
  const faults = [];
  const told = (what, element) => faults.push(`${what}: ${element.tagName}.${element.className?.baseVal ?? element.className} ` +
    (element.value || element.textContent).trim().slice(0, 60));
  const seen = (element) => element.checkVisibility({ checkOpacity: true }) && !element.closest('.unseen, dialog, pre, .stage, .skip');
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`page: ${document.documentElement.scrollWidth} px`);
  // a vertical bar inside of the page, and tables that go on beyond their edge
  for (const element of document.querySelectorAll('main *')) {
    if (!seen(element) || element.closest('svg') || ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    if (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1) told('scrolls', element);
    if (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1) told('scrolls sideways', element);
  }
  // numbers that are typed are seen whole; names may be longer than any box
  for (const box of document.querySelectorAll('main input[inputmode]')) {
    if (seen(box) && box.scrollWidth > box.clientWidth + 1) told('cut', box);
  }
  // words stay inside of what holds them
  const holders = '.rates dl > div, button, .chip, .tabs button, .data td, .data th, .grid td, .segments span, .verdict, .about, summary, label, figcaption, .note, .hint';
  for (const holder of document.querySelectorAll(holders)) {
    if (!seen(holder) || getComputedStyle(holder).display === 'inline' || holder.querySelector('details:not([open])')) continue;
    const edge = holder.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(holder);
    for (const { left, right, width } of words.getClientRects()) {
      if (width > 1 && (right > edge.right + 1.5 || left < edge.left - 1.5) && !holder.querySelector('.unseen')) { told('beyond', holder); break; }
    }
  }
  // words of one picture do not lie over each other
  for (const svg of document.querySelectorAll('main figure svg')) {
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() && !text.closest('.threshold, .here'));
    const boxes = texts.map((text) => text.getBoundingClientRect());
    for (let i = 0; i < texts.length; i++) for (let j = 0; j < i; j++) {
      const across = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
      const down = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
      if (across > 2 && down > 4) faults.push(`one over the other: ${texts[j].textContent} | ${texts[i].textContent}`);
    }
  }
  // what belongs together stands together
  for (const pair of document.querySelectorAll('.together')) {
    const tops = new Set([...pair.children].map((child) => Math.round(child.getBoundingClientRect().top)));
    if (tops.size > 1) told('apart', pair);
  }
  return faults;
}"""


def opened_filled(opened: Any, tab_name: str, parts: dict[str, Any], **how: Any) -> Any:
    tab = opened(link(tab_name, parts.get(tab_name, {})), **how)
    settled(tab)
    tab.evaluate(UNFOLD)
    settled(tab)
    return tab


@pytest.mark.parametrize("names", ["left to right", "right to left"])
@pytest.mark.parametrize("mode", TABS)
def test_nothing_is_cut_or_covered_at_any_width(opened: Any, mode: str, names: str) -> None:
    tab = opened_filled(opened, mode, FILLED if names == "left to right" else RIGHT_TO_LEFT)
    found = {}
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        # a table that folds does so in the frame after the one in which it was measured
        tab.evaluate(
            "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 60))"
        )
        found[width] = tab.evaluate(FAULTS)
    assert found == dict.fromkeys(WIDTHS, [])
