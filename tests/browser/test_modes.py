"""What holds in every mode: accessible, narrow, by keyboard, safe with hostile names, sound after a strange link."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from tests.browser.asking import at, said
from tests.browser.conftest import settled, violations
from tests.hostile import LABELS

pytestmark = pytest.mark.browser

MODES = ("threshold", "compare", "leaderboard", "tables", "plan", "patient")

#: What each mode has besides what it opens with.
UNFOLDED = {
    "threshold": ["text=Paste scores", "label:has-text('F1') input", "label:has-text('Precision and recall') input"],
    "compare": ["text=Two classifiers, the same digits", "text=As a table"],
    "leaderboard": ["text=Paste a leaderboard", "text=As a table >> nth=0", "text=As a table >> nth=1"],
    "tables": ["text=Paste tables", "label:has-text('Each one') input"],
    "plan": ["text=As a table", "label:has-text('My pilot') input"],
    "patient": ["text=+ Another test", "text=How good the test is"],
}


def packed(document: Any) -> str:
    made = zlib.compressobj(wbits=-15)
    raw = made.compress(json.dumps(document).encode()) + made.flush()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def link(mode: str, part: Any) -> str:
    return "#v=1&s=" + packed({"v": 1, "mode": mode, mode: part})


def shared(opened: Any, mode: str, part: Any) -> Any:
    tab = opened(link(mode, part))
    settled(tab)
    return tab


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("scheme", "size"), [("light", (1440, 900)), ("dark", (1440, 900)), ("dark", (375, 812))])
def test_axe_finds_nothing(opened: Any, mode: str, scheme: str, size: tuple[int, int]) -> None:
    tab = at(opened, mode, scheme=scheme, size=size)
    assert violations(tab) == []
    for place in UNFOLDED[mode]:
        tab.locator(place).first.click()
    settled(tab)
    assert violations(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_wider_than_a_small_phone(opened: Any, mode: str) -> None:
    tab = at(opened, mode, size=(320, 640))
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for picture in tab.locator("figure svg").all():
        assert picture.bounding_box()["width"] <= 320


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
    assert tab.locator("button:visible, summary:visible, input[type=range]:visible, .drop:visible").count() == 0
    assert tab.locator(".verdict").is_visible()
    assert tab.locator(".notes").is_visible()
    ink = tab.evaluate("getComputedStyle(document.querySelector('.verdict')).color")
    assert max(int(part) for part in ink.removeprefix("rgb(").rstrip(")").split(",")) < 80
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("mode", MODES)
def test_every_picture_has_a_sentence_and_the_numbers_are_there_as_text(opened: Any, mode: str) -> None:
    tab = at(opened, mode)
    pictures = tab.locator("figure svg")
    assert pictures.count() > 0
    for picture in pictures.all():
        assert picture.get_attribute("role") == "img"
        assert picture.locator("> title").text_content() == picture.get_attribute("aria-label") != ""
    assert tab.locator("[data-value]").count() > 3


@pytest.mark.parametrize(("mode", "wanted"), [
    ("threshold", ["Read a file", "High scores stand for", "Youden", "Threshold, as a slider", "Open this matrix"]),
    ("compare", ["Read a file", "+ Classifier", "Name of class 1", "true healthy, predicted ill", "By"]),
    ("leaderboard", ["Score of 3394520", "Remove 3339624", "Read a file", "+ Prize", "1st", "Top"]),
    ("tables", ["Pool them", "Name of table 1", "True negatives of study 14", "Paste tables", "specificity"]),
    ("plan", ["I want to know", "Width of the interval", "My guess", "Cases that I have"]),
    ("patient", ["Is it", "Probability of ill before the test, as a slider", "Result 1", "+ Another test"]),
])  # fmt: skip
def test_all_of_it_is_reached_by_keys(opened: Any, mode: str, wanted: list[str]) -> None:
    tab = at(opened, mode)
    tab.locator(f"#tab-{mode}").focus()
    seen: list[list[str]] = []
    for _ in range(150):
        tab.keyboard.press("Tab")
        seen.append(tab.evaluate("""() => {
            const e = document.activeElement;
            const at = getComputedStyle(e);
            const name = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent;
            return [name, at.outlineStyle];
        }"""))  # fmt: skip
        if seen[-1][0].strip().startswith("Skip to"):
            break
    names = " | ".join(" ".join(name.split()) for name, _ in seen)
    for name in wanted:
        assert name in names


@pytest.mark.parametrize("mode", ["threshold", "compare", "leaderboard", "tables", "patient"])
def test_hostile_names_run_nothing(opened: Any, mode: str) -> None:
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
    assert tab.locator(".answers img, .answers script").count() == 0
    assert said(tab, "verdict")
    assert violations(tab) == []
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


@pytest.mark.parametrize(("mode", "part"), [
    ("compare", {"classifiers": [1, 2], "pair": [7, "x"], "paired": {"classes": 3}}),
    ("compare", {"paired": {"classes": ["a", "b"], "models": ["x", "y"], "cells": [[0, [9, 0], 1]]}, "rope": "wide"}),
    ("leaderboard", {"entries": ["a"], "source": "paired", "prizes": ["much"], "paired": 3}),
    ("plan", {"goal": "fame", "paired": "x", "prevalence": [], "targets": {"width": "thin"}}),
    ("patient", {"results": [1, {"x": 2}], "label": 9}),
    ("tables", {"tables": [{"name": 3}, "x"], "ask": "why", "rate": 5, "metric": [], "prior": "?"}),
    ("threshold", {"scores": {"classes": [1, 2], "cells": "x"}, "curve": 3, "best": "fame", "at": [], "typed": "x"}),
])  # fmt: skip
def test_a_link_with_nonsense_shows_a_page_all_the_same(opened: Any, mode: str, part: Any) -> None:
    tab = shared(opened, mode, part)
    assert tab.get_by_text("Begin anew").count() == 0
    assert len(said(tab, "verdict")) > 20
    assert f"{mode}." in tab.get_by_role("alert").filter(has_text="Not all that came fits").inner_text()


@pytest.mark.parametrize(("mode", "part", "key"), [
    ("compare", {"rope": 0, "metric": "accuracy", "level": 0.9}, "new - old.interval"),
    ("leaderboard", {"prizes": [5], "top": 2}, "3467175.prize"),
    ("threshold", {"at": 0.5, "curve": "precision_recall", "prevalence": 10}, "threshold"),
    ("tables", {"ask": "slices", "metric": "recall@positive", "level": 0.9}, "study 8.3"),
    ("plan", {"goal": "above", "have": 0}, "n"),
    ("patient", {"percent": 30, "results": ["negative", "negative"]}, "negative, negative@ill.probability"),
])  # fmt: skip
def test_what_is_shared_comes_back(opened: Any, mode: str, part: Any, key: str) -> None:
    tab = shared(opened, mode, part)
    shown = (said(tab, "verdict"), said(tab, key))
    tab.get_by_role("button", name="Share", exact=True).click()
    tab.wait_for_selector("input.link")
    address = tab.locator("input.link").input_value()
    other = opened(address[address.index("#") :])
    settled(other)
    assert (said(other, "verdict"), said(other, key)) == shown
