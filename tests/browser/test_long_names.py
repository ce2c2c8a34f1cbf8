"""Long names: they go on in a further line, and what stands beside them keeps its place."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import said
from tests.browser.conftest import settled
from tests.browser.test_looks import FAULTS
from tests.browser.test_modes import link

pytestmark = pytest.mark.browser

TWO = ["no tuberculosis (culture negative)", "active pulmonary tuberculosis"]
MATRIX = {"classes": TWO, "counts": [[1234, 57], [23, 318]], "positive": TWO[1]}
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
    settled(tab)
    sizes = (320, 390, 768, 1280, 1920)
    assert widths(tab, CUT, sizes) == {width: [[], False, 0] for width in sizes}
    assert TWO[0] in said(tab, "sentence")


def test_a_name_takes_no_second_line_by_itself_and_no_line_break(opened: Any) -> None:
    tab = opened()
    name = tab.get_by_label("Name of class 1")
    name.click()
    tab.keyboard.press("End")
    tab.keyboard.type(" dose")
    tab.keyboard.press("Enter")
    tab.keyboard.type("s")
    settled(tab)
    assert name.input_value() == "low doses"


def test_names_of_ten_columns_can_be_read(opened: Any) -> None:
    counts = [[48 if i == j else (i * 7 + j * 3) % 6 for j in range(10)] for i in range(10)]
    tab = opened(link("evaluate", {"matrix": {"classes": TEN, "counts": counts, "positive": None}}))
    settled(tab)
    names = "[...document.querySelectorAll('.grid thead .name bdi')]"
    heads = f"() => {names}.filter(e => e.scrollHeight > e.clientHeight + 1).length"
    assert widths(tab, heads, (390, 1280)) == {390: 0, 1280: 0}
    assert [cut for cut, *_ in widths(tab, CUT, (390, 1280)).values()] == [[], []]


def test_numbers_beside_a_long_word_stay_apart(opened: Any) -> None:
    part = {"matrix": MATRIX, "label": TWO[1], "results": ["positive", "negative"]}
    tab = opened(link("patient", part))
    settled(tab)
    over = """() => [...document.querySelectorAll('.data td')].filter((e) => {
      const words = document.createRange();
      words.selectNodeContents(e);
      return words.getBoundingClientRect().right > e.getBoundingClientRect().right + 1;
    }).map((e) => e.textContent)"""
    assert widths(tab, over, (320, 390)) == {320: [], 390: []}
    narrow = opened(
        link("evaluate", {"matrix": MATRIX, "prevalence": {"choice": "value", "percent": 1}}), size=(320, 700)
    )
    settled(narrow)
    assert narrow.evaluate(FAULTS) == []  # five digits of a predictive value stay in their box


def test_names_of_entries_have_the_most_room_and_break_at_their_hyphens(opened: Any) -> None:
    entries = [{"name": name, "correct": 88 - 7 * i, "n": 100} for i, name in enumerate(BOARD)]
    tab = opened(link("leaderboard", {"entries": entries}), size=(390, 844))
    settled(tab)
    name, correct, *_ = tab.locator(".entries tbody tr").first.locator("textarea, input").all()
    assert name.bounding_box()["width"] > 1.5 * correct.bounding_box()["width"]
    lines = tab.locator("figure svg text").all_text_contents()
    assert "Instruct" in lines
    assert [line for line in lines if line in ("t", "s")] == []


def test_names_of_tables_and_entries_are_seen_whole_where_they_are_typed(opened: Any) -> None:
    cut = """() => [...document.querySelectorAll('.entries tbody textarea')].filter((e) =>
      e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.value)"""
    sizes = (320, 390, 768, 1280, 1920)
    tables = [
        {"name": f"{name}, {year}", "tp": 40, "fn": 3, "fp": 5, "tn": 61}
        for name, year in zip(TEN, range(2001, 2011), strict=True)
    ]
    tab = opened(link("tables", {"tables": tables}))
    settled(tab)
    assert widths(tab, cut, sizes) == {width: [] for width in sizes}
    tab.set_viewport_size({"width": 1280, "height": 900})
    name = tab.get_by_label("Name of table 1", exact=True)
    name.click()
    tab.keyboard.press("End")
    tab.keyboard.press("Enter")
    tab.keyboard.type("a")
    settled(tab)
    assert name.input_value() == f"{TEN[0]}, 2001 a"
    entries = [{"name": name, "correct": 88 - 7 * i, "n": 100} for i, name in enumerate(BOARD)]
    tab = opened(link("leaderboard", {"entries": entries}))
    settled(tab)
    assert widths(tab, cut, sizes) == {width: [] for width in sizes}
