"""Pictures that the server draws for the page: text that nothing can run in, whatever names came from outside."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.sample_questions import BOARD, EVERY, NEW, OLD, PAIRED, THREE

from howsure.web.answering import handle

SVG = "{http://www.w3.org/2000/svg}"
MARKS = {"svg", "title", "g", "path", "line", "circle", "rect", "text"}
#: No event, no style, no reference to anything.
LOOKS = {
    "role", "aria-label", "width", "height", "viewBox", "font-family", "color", "class", "d", "x", "y", "x1", "y1",
    "x2", "y2", "cx", "cy", "r", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "opacity", "stroke-linejoin", "text-anchor", "font-size", "font-weight", "transform", "data-ends",
}  # fmt: skip
HOSTILE = ["<script>window.hacked = 1</script>", '"><img src=x onerror=alert(1)>', "]]>&lt;\u202e\x1b[2J",
           "</title></svg><svg onload=alert(1)>", "ill' style='x:y", "\ufffe\uffff", "a" * 190]  # fmt: skip


def drawn(value: Any) -> Iterator[str]:
    """Every picture in an answer."""
    if isinstance(value, dict):
        for each in value.values():
            yield from drawn(each)
    elif isinstance(value, list):
        for each in value:
            yield from drawn(each)
    elif isinstance(value, str) and value.startswith("<svg"):
        yield value


def asked(names: list[str]) -> dict[str, dict[str, Any]]:
    """Questions whose answers have pictures, about classes and classifiers of these names."""
    matrix = {**THREE, "classes": names[:3]}
    both = [{"name": names[3], "matrix": matrix}, {"name": names[4], "matrix": {**matrix, "counts": NEW_COUNTS}}]
    board = [{**entry, "name": name} for entry, name in zip(BOARD, names, strict=False)]
    pair, models = names[:2], names[3:5]
    pilot = {**NEW, "classes": pair, "positive": pair[1]}
    return {
        "report": {"verb": "report", "matrix": matrix, "want": EVERY, "replicate": 50},
        "compare": {"verb": "compare", "classifiers": both, "rope": 0.02},
        "paired": {"verb": "compare", "paired": {**PAIRED, "classes": pair, "models": models, "positive": pair[1]}},
        "rank": {"verb": "rank", "entries": board},
        "plan": {"verb": "plan", "metric": "recall", "width": 0.2, "pilot": pilot},
    }  # fmt: skip


NEW_COUNTS = [[8, 2, 0], [2, 18, 0], [1, 1, 8]]
COUNTS = {"report": 5, "compare": 3, "paired": 3, "rank": 3, "plan": 1}


@pytest.mark.full
@pytest.mark.parametrize("question", COUNTS)
@pytest.mark.parametrize("narrow", [True, False])
def test_a_picture_holds_marks_and_text_and_nothing_else(question: str, narrow: bool) -> None:
    pictures = list(drawn(handle({**asked(HOSTILE)[question], "narrow": narrow})["drawing"]))
    assert len(pictures) == COUNTS[question]
    for text in pictures:
        root = ET.fromstring(text)  # which an unescaped sign would break
        assert root.get("width") == ("340" if narrow else "680")  # for a phone, and for a page
        assert root.get("role") == "img"
        assert root.findtext(f"{SVG}title") == root.get("aria-label") != ""
        for element in root.iter():
            assert element.tag.removeprefix(SVG) in MARKS
            assert set(element.attrib) <= LOOKS
            assert not any("url(" in value or "javascript:" in value for value in element.attrib.values())
        for kind in ("class", "fill", "stroke"):
            assert all(value.isprintable() and len(value) < 20 for value in root.attrib.get(kind, "").split())


def test_a_long_board_is_an_answer_of_at_most_400_kilobytes() -> None:
    entries = [{"name": f"entry {i}", "correct": 900 - i, "n": 1000} for i in range(60)]
    answer = handle({"verb": "rank", "entries": entries})
    assert len(json.dumps(answer)) < 400_000
    assert answer["drawing"]["sections"][0].count('class="row"') == 40


@pytest.mark.full
def test_what_less_means_turns_the_sides_of_a_difference_round() -> None:
    both = [{"name": "new", "matrix": NEW}, {"name": "old", "matrix": OLD}]
    for metric, sides in (("accuracy", ["old", "new"]), ("error_rate", ["new", "old"])):
        picture = handle({"verb": "compare", "classifiers": both, "metric": metric})["drawing"]["picture"]
        found = [each.text or "" for each in ET.fromstring(picture).iter(f"{SVG}text") if each.get("class") == "side"]
        assert [text.strip("← →") for text in found] == [f"{side} is better" for side in sides]
