"""Nothing is cut, covered or hard to read: every tab, narrow and wide, light and dark, names in either direction."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import (
    FAULTS,
    MODES,
    REFUSED,
    TABS,
    at,
    cell,
    expect,
    fits,
    link,
    settle,
    value,
    violations,
)
from tests.hostile import LABELS

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


def opened_filled(opened: Any, tab_name: str, parts: dict[str, Any], **how: Any) -> Any:
    tab = opened(link(tab_name, parts.get(tab_name, {})), **how)
    tab.evaluate(UNFOLD)
    settle(tab)
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
    settle(tab)
    assert [*faults, *violations(tab)] == []


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
    scroll = tab.locator(".matrix .scroll")
    assert scroll.evaluate("e => e.scrollWidth > e.clientWidth")
    assert tab.evaluate(HIDDEN) == [0, True, False]
    scroll.evaluate("e => e.scrollLeft = 1e4")
    assert scroll.evaluate("e => e.scrollLeft") > 30
    assert tab.evaluate(HIDDEN) == [0, True, False]
    for column in range(size - 1, -1, -1):  # the keys bring back what the names would hide
        tab.locator(f"[data-row='0'][data-column='{column}']").focus()
        assert tab.evaluate(HIDDEN) == [0, True, False], column


@pytest.mark.parametrize("mode", ["evaluate", *MODES])
def test_no_word_of_a_picture_is_cut_at_four_times_the_size(opened: Any, mode: str) -> None:
    tab = at(opened, mode, size=(320, 256))
    beyond = """() => [...document.querySelectorAll('figure svg text')].map(text => [
        text.textContent, text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()
    ]).filter(([, text, svg]) => text.right > svg.right + 8 || text.left < svg.left - 8).map(([said]) => said)"""
    assert tab.evaluate(beyond) == []


@pytest.mark.parametrize("mode", ["evaluate", *MODES])
def test_on_paper_there_is_dark_text_and_nothing_to_press(opened: Any, mode: str) -> None:
    tab = at(opened, mode, scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    expect(tab.locator("button:visible, summary:visible, input[type=range]:visible, .drop:visible")).to_have_count(0)
    expect(tab.locator(".verdict")).to_be_visible()
    expect(tab.locator(".notes")).to_be_visible()
    ink = tab.evaluate("getComputedStyle(document.querySelector('.verdict')).color")
    assert max(int(part) for part in ink.removeprefix("rgb(").rstrip(")").split(",")) < 80
    assert fits(tab)


@pytest.mark.parametrize("mode", MODES)
def test_every_picture_has_a_sentence_and_the_numbers_are_there_as_text(opened: Any, mode: str) -> None:
    tab = at(opened, mode)
    pictures = tab.locator("figure svg")
    assert pictures.count() > 0
    for picture in pictures.all():
        expect(picture).to_have_attribute("role", "img")
        expect(picture.locator("> title")).to_have_text(picture.get_attribute("aria-label") != "")
    assert tab.locator("[data-value]").count() > 3


@pytest.mark.parametrize("mode", ["threshold", "compare", "leaderboard", "tables", "patient"])
def test_hostile_names_run_nothing(opened: Any, mode: str) -> None:
    opened.forgiven.append(REFUSED)
    names = [name for name in LABELS if name.strip() == name and 0 < len(name) <= 200 and "\0" not in name]
    matrix = {"classes": names[:3], "counts": [[9, 1, 1], [2, 8, 1], [1, 1, 7]], "positive": None}
    cells = [[0.1, 9, 1], [0.4, 5, 4], [0.8, 1, 9]]
    parts: dict[str, Any] = {
        "threshold": {"scores": {"classes": names[:2], "positive": names[1], "cells": cells}, "best": "f1"},
        "compare": {"classifiers": [{"name": names[0], "matrix": matrix}, {"name": names[1], "matrix": matrix}]},
        "leaderboard": {"entries": [{"name": name, "correct": 80 + i, "n": 100} for i, name in enumerate(names)]},
        "tables": {"tables": [{"name": name, "tp": 8, "fn": 2, "fp": 1, "tn": 9 + i} for i, name in enumerate(names)]},
        "patient": {"matrix": matrix, "label": names[0], "results": [names[0]]},
    }
    tab = shared(opened, mode, parts[mode])
    assert tab.evaluate("window.hacked") is None
    expect(tab.locator(".answers img, .answers script")).to_have_count(0)
    assert value(tab, "verdict")
    assert violations(tab) == []


TWO = ["no tuberculosis (culture negative)", "active pulmonary tuberculosis"]


MATRIX = {"classes": TWO, "counts": [[1234, 57], [23, 318]], "positive": TWO[1]}


TEN = ["melanocytic naevus", "basal cell carcinoma", "actinic keratosis", "dermatofibroma", "seborrhoeic keratosis"]


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


def widths(tab: Any, what: str, sizes: tuple[int, ...]) -> dict[int, Any]:
    """What is found in a page of each width."""
    found = {}
    for width in sizes:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.wait_for_timeout(100)
        found[width] = tab.evaluate(what)
    return found


def test_a_matrix_of_two_long_names_is_seen_whole(opened: Any) -> None:
    tab = opened(link("evaluate", {"matrix": MATRIX}))
    sizes = (320, 390, 768, 1280, 1920)
    assert widths(tab, CUT, sizes) == {width: [[], False, 0] for width in sizes}
    assert TWO[0] in value(tab, "sentence")


def test_names_of_ten_columns_can_be_read(opened: Any) -> None:
    counts = [[48 if i == j else (i * 7 + j * 3) % 6 for j in range(10)] for i in range(10)]
    tab = opened(link("evaluate", {"matrix": {"classes": TEN, "counts": counts, "positive": None}}))
    names = "[...document.querySelectorAll('.grid thead .name bdi')]"
    heads = f"() => {names}.filter(e => e.scrollHeight > e.clientHeight + 1).length"
    assert widths(tab, heads, (390, 1280)) == {390: 0, 1280: 0}
    assert [cut for cut, *_ in widths(tab, CUT, (390, 1280)).values()] == [[], []]


def test_names_of_tables_and_entries_are_seen_whole_where_they_are_typed(opened: Any) -> None:
    cut = """() => [...document.querySelectorAll('.entries tbody textarea')].filter((e) =>
      e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.value)"""
    sizes = (320, 390, 768, 1280, 1920)
    tables = [
        {"name": f"{name}, {year}", "tp": 40, "fn": 3, "fp": 5, "tn": 61}
        for name, year in zip(TEN, range(2001, 2011), strict=True)
    ]
    tab = opened(link("tables", {"tables": tables}))
    assert widths(tab, cut, sizes) == {width: [] for width in sizes}
    tab.set_viewport_size({"width": 1280, "height": 900})
    name = tab.get_by_label("Name of table 1", exact=True)
    name.click()
    tab.keyboard.press("End")
    tab.keyboard.press("Enter")
    tab.keyboard.type("a")
    settle(tab)
    expect(name).to_have_value(f"{TEN[0]}, 2001 a")
    entries = [{"name": name, "correct": 88 - 7 * i, "n": 100} for i, name in enumerate(BOARD)]
    tab = opened(link("leaderboard", {"entries": entries}))
    assert widths(tab, cut, sizes) == {width: [] for width in sizes}


#: Where a part of the page begins.
TOP = "(place) => document.querySelector(place).getBoundingClientRect().top + scrollY"


def test_on_a_phone_the_rates_follow_the_matrix_and_settings_follow_them(opened: Any) -> None:
    tab = opened(size=(390, 844))
    order = (".matrix", ".rates", ".rates .where", ".sources", ".settings", ".posteriors")
    tops = [tab.evaluate(TOP, place) for place in order]
    assert tops == sorted(tops)
    assert tops[1] < 1000
    # the keys go the same way
    tab.get_by_role("radio", name="high", exact=True).focus()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('.rates') !== null")
    tab.get_by_label("My population").check(force=True)
    settle(tab)
    expect(tab.locator("[data-value=about]")).to_contain_text("Stated prevalence")
    # turned, it is the page of a desk: one of each, beside the inputs, and what was typed is still there
    cell(tab, 0, 0).fill("7")
    tab.set_viewport_size({"width": 1280, "height": 800})
    settle(tab)
    expect(tab.locator(".rates")).to_have_count(1)
    expect(tab.locator(".inputs .rates")).to_have_count(0)
    assert tab.evaluate(TOP, ".rates") < tab.evaluate(TOP, ".sources")
    assert cell(tab, 0, 0).input_value() == "7"


def test_on_a_phone_rates_of_inputs_before_are_marked_as_such(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened(size=(390, 844))
    expect(tab.locator(".inputs .stale .rates")).to_have_count(0)
    cell(tab, 0, 1).fill("-2")
    tab.get_by_text("belong to the inputs before that").wait_for()
    expect(tab.locator(".inputs .stale .rates")).to_have_count(1)
    settle(tab)


@pytest.mark.parametrize("width", [320, 360, 390])
def test_on_a_phone_all_tabs_stand_in_two_lines(opened: Any, width: int) -> None:
    tab = opened(size=(width, 700))
    tabs = tab.get_by_role("tab").all()
    for each in tabs:
        each.click()  # whichever is open is wider than it was
        settle(tab)
        boxes = [one.bounding_box() for one in tabs]
        assert len({round(box["y"]) for box in boxes}) <= 2
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert all(box["height"] >= 44 for box in boxes)
