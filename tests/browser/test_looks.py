"""Nothing is cut, covered or hard to read: every tab, narrow and wide, light and dark, names in either direction."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import FAULTS, REFUSED, TABS, expect, link

pytestmark = [pytest.mark.browser, pytest.mark.deep]

WIDTHS = {"left to right": (320, 390, 768, 1280, 1920), "right to left": (320, 1280)}

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


def unfolded(opened: Any, mode: str, parts: dict[str, Any], **how: Any) -> Any:
    tab = opened(link(mode, parts.get(mode, {})), **how)
    tab.evaluate(UNFOLD)
    tab.settle()
    return tab


def at_widths(tab: Any, what: str, *widths: int) -> list[Any]:
    """What a script returns in a window of each width."""
    answers = []
    for width in widths:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.settle()
        tab.evaluate(UNFOLD)  # a phone has folds of its own
        tab.settle()
        answers.append(tab.evaluate(what))
    return answers


@pytest.mark.parametrize("names", WIDTHS)
@pytest.mark.parametrize("mode", TABS)
def test_nothing_is_cut_or_covered_at_any_width(opened: Any, mode: str, names: str) -> None:
    forward = names == "left to right"
    tab = unfolded(opened, mode, FILLED if forward else RIGHT_TO_LEFT, scheme="light" if forward else "dark")
    assert at_widths(tab, FAULTS, *WIDTHS[names]) == [[] for _ in WIDTHS[names]]


@pytest.mark.parametrize("mode", TABS)
def test_contrast_is_judged_of_every_word_in_light_and_dark(opened: Any, mode: str) -> None:
    tab = unfolded(opened, mode, RIGHT_TO_LEFT)
    faults = tab.violations()
    tab.get_by_role("switch", name="Dark theme").click()
    tab.set_viewport_size({"width": 390, "height": 900})
    tab.settle()
    tab.evaluate(UNFOLD)
    tab.settle()
    assert [*faults, *tab.violations()] == []


def test_faint_words_are_found(opened: Any) -> None:
    tab = opened()
    tab.evaluate("document.querySelector('.grid .total').style.color = '#b0b0b0'")  # one letter, which axe leaves open
    tab.evaluate("document.querySelector('.drawn text').style.fill = '#b0b0b0'")
    assert len(tab.violations()) == 2


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


@pytest.mark.parametrize(("width", "size"), [(320, 8), (390, 6)])
def test_names_of_rows_stay_in_sight_while_a_matrix_is_moved_sideways(opened: Any, width: int, size: int) -> None:
    counts = [[140 if i == j else 2 for j in range(size)] for i in range(size)]
    matrix = {"classes": EIGHT[:size], "counts": counts, "positive": None}
    tab = opened(link("evaluate", {"matrix": matrix}), size=(width, 1200))
    scroll = tab.locator(".matrix .scroll")
    assert scroll.evaluate("e => e.scrollWidth > e.clientWidth")
    assert tab.evaluate(HIDDEN) == [0, True, False]
    scroll.evaluate("e => e.scrollLeft = 1e4")
    assert scroll.evaluate("e => e.scrollLeft") > 30
    assert tab.evaluate(HIDDEN) == [0, True, False]
    for column in range(size - 1, -1, -1):  # the keys bring back what the names would hide
        tab.cell(0, column).focus()
        assert tab.evaluate(HIDDEN) == [0, True, False], column


#: Words of pictures beyond the picture.
BEYOND = """() => [...document.querySelectorAll('figure svg text')].map(text => [
    text.textContent, text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()
]).filter(([, text, svg]) => text.right > svg.right + 8 || text.left < svg.left - 8).map(([words]) => words)"""


def test_pictures_have_a_sentence_and_no_word_of_them_is_cut_at_four_times_the_size(opened: Any) -> None:
    tab = opened(size=(320, 256))
    for mode in TABS:
        tab.go(mode)
        assert tab.evaluate(BEYOND) == [], mode
        pictures = tab.locator("figure svg").all()
        assert pictures, mode
        for picture in pictures:
            expect(picture).to_have_attribute("role", "img")
            assert picture.locator("> title").text_content() == picture.get_attribute("aria-label") != ""


TWO = ["no tuberculosis (culture negative)", "active pulmonary tuberculosis"]
TEN = ["melanocytic naevus", "basal cell carcinoma", "actinic keratosis", "dermatofibroma", "seborrhoeic keratosis"]
TEN += ["squamous carcinoma", "vascular lesion", "malignant melanoma", "solar lentigo", "lichenoid keratosis"]
BOARD = ["deepseek-coder-33b-instruct-v1.5", "Llama-3.1-405B-Instruct", "mixtral-8x22b-instruct-v0.1", "command-r-plus"]

#: Names of rows that are cut; whether the matrix goes on beyond its edge; cells that are lower than their row.
CUT = """() => {
  const names = [...document.querySelectorAll('.grid tbody textarea')];
  const cut = names.filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1);
  const frame = document.querySelector('.matrix .scroll');
  const low = [...document.querySelectorAll('.cell')].filter((cell) =>
    cell.clientHeight > cell.querySelector('input').offsetHeight + 2);
  return [cut.map((e) => e.value), frame.scrollWidth > frame.clientWidth + 1, low.length];
}"""


def test_long_names_of_classes_are_seen_whole(opened: Any) -> None:
    matrix = {"classes": TWO, "counts": [[1234, 57], [23, 318]], "positive": TWO[1]}
    tab = opened(link("evaluate", {"matrix": matrix, "prevalence": {"choice": "value", "percent": 1}}))
    assert at_widths(tab, CUT, 320, 390, 768, 1280, 1920) == [[[], False, 0]] * 5
    assert at_widths(tab, FAULTS, 320) == [[]]
    counts = [[48 if i == j else (i * 7 + j * 3) % 6 for j in range(10)] for i in range(10)]
    tab = opened(link("evaluate", {"matrix": {"classes": TEN, "counts": counts, "positive": None}}))
    names = "[...document.querySelectorAll('.grid thead .name bdi')]"
    heads = f"() => {names}.filter(e => e.scrollHeight > e.clientHeight + 1).length"
    assert at_widths(tab, heads, 390, 1280) == [0, 0]
    assert [cut for cut, *_ in at_widths(tab, CUT, 390, 1280)] == [[], []]


@pytest.mark.parametrize(("mode", "part"), [
    ("tables", {"tables": [{"name": f"{name}, 2001", "tp": 40, "fn": 3, "fp": 5, "tn": 61} for name in TEN]}),
    ("leaderboard", {"entries": [{"name": name, "correct": 88 - 7 * i, "n": 100} for i, name in enumerate(BOARD)]}),
])  # fmt: skip
def test_names_of_tables_and_entries_are_seen_whole_where_they_are_typed(opened: Any, mode: str, part: Any) -> None:
    cut = """() => [...document.querySelectorAll('.entries tbody textarea')].filter((e) =>
      e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.value)"""
    tab = opened(link(mode, part))
    assert at_widths(tab, cut, 320, 390, 768, 1280, 1920) == [[]] * 5


#: Where a part of the page begins.
TOP = "(place) => document.querySelector(place).getBoundingClientRect().top + scrollY"


def test_on_a_phone_the_rates_follow_the_matrix_and_settings_follow_them(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened(size=(390, 844))
    tops = [tab.evaluate(TOP, part) for part in (".matrix", ".rates", ".other-inputs", ".posteriors")]
    assert tops == sorted(tops)
    assert tops[1] < 1000
    # the keys go the same way
    tab.get_by_role("radio", name="high", exact=True).focus()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('.rates') !== null")
    # those of the inputs before are marked as such
    tab.put(0, 0, "-2")
    expect(tab.locator(".inputs .stale .rates")).to_have_count(1)
    # turned, it is the page of a desk: one of each, beside the inputs, and what was typed is still there
    tab.cell(0, 0).fill("7")
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.settle()
    expect(tab.locator(".rates")).to_have_count(1)
    expect(tab.locator(".inputs .rates")).to_have_count(0)
    assert tab.evaluate(TOP, ".rates") < tab.evaluate(TOP, ".sources")
    expect(tab.cell(0, 0)).to_have_value("7")
    expect(tab.field("n")).to_have_text("35")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_all_tabs_stand_in_two_lines(opened: Any, width: int) -> None:
    tab = opened(size=(width, 700))
    for mode in TABS:
        tab.go(mode)  # whichever is open is wider than it was
        boxes = [one.bounding_box() for one in tab.get_by_role("tab").all()]
        assert len({round(box["y"]) for box in boxes}) <= 2
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert all(box["height"] >= 44 for box in boxes)


#: Words whose letters are smaller on the screen than 12 pixels.
SMALL = """() => [...document.querySelectorAll('svg text')].filter((text) => {
  const svg = text.ownerSVGElement;
  const scale = svg.viewBox.baseVal.width ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  return text.getClientRects().length && parseFloat(getComputedStyle(text).fontSize) * scale < 11.99;
}).map((text) => text.textContent)"""


@pytest.mark.deep
@pytest.mark.parametrize("width", [390, 1280])
def test_no_word_of_a_picture_is_smaller_than_twelve_pixels(opened: Any, width: int) -> None:
    tab = opened(size=(width, 844))
    for mode in TABS:
        tab.go(mode)
        assert tab.evaluate(SMALL) == [], mode
