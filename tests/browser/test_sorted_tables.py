"""Tables of a page sort and filter, by mouse and by keyboard; without the script they are the same tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import AXE

import howsure as hs

pytestmark = pytest.mark.browser

NAMES = ("Oslo", "<b>Bergen</b>", "Narvik", "Bodø", "Tromsø")
COUNTS = ((82, 100), (750, 1000), (9, 12), (45, 50), (1800, 2400))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "pool.html"
    hs.save(hs.pool(dict(zip(NAMES, COUNTS, strict=True)), draws=500), path)
    return path


def names(page: Any) -> list[str]:
    rows = page.locator("tbody tr:not([hidden]) th").all_inner_texts()
    return [row.replace("\u2068", "").replace("\u2069", "") for row in rows]


def test_a_click_sorts_the_sites_below_the_population(chromium: Any, saved: Path) -> None:
    page = chromium.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(saved.as_uri())
    first = names(page)
    population, sites = first[:-5], first[-5:]
    assert population[0] == "typical site"
    assert sites == list(NAMES)  # a name that is markup is text
    head = page.locator("thead th").nth(1)
    button = head.get_by_role("button", name="cases")
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert names(page) == [*population, "Narvik", "Bodø", "Oslo", "<b>Bergen</b>", "Tromsø"]
    button.focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert names(page) == [*population, "Tromsø", "<b>Bergen</b>", "Oslo", "Bodø", "Narvik"]
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") is None
    assert names(page) == first
    by_name = page.locator("thead th").first
    by_name.get_by_role("button").click()
    assert names(page)[-5:] == sorted(NAMES, key=lambda name: name.replace("<b>", ""))
    assert page.locator("[aria-sort]").count() == 1
    assert not faults
    page.close()


def test_typing_filters_and_says_how_many_are_left(chromium: Any, saved: Path) -> None:
    page = chromium.new_page()
    page.goto(saved.as_uri())
    page.get_by_label("Show rows with").fill("BO")
    assert names(page)[-1] == "Bodø"
    assert "typical site" in names(page)
    assert page.get_by_role("status").inner_text() == "1 of 5 rows"
    page.get_by_label("Show rows with").fill("")
    assert len(names(page)) == page.locator("tbody tr").count()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert not found, [(each["id"], each["nodes"][0]["html"]) for each in found]
    page.close()


def test_without_script_the_table_is_there(chromium: Any, saved: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(saved.as_uri())
    assert names(page)[-5:] == list(NAMES)
    assert page.locator("button").count() == 0
    context.close()
