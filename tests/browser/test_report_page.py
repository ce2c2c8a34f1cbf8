"""Written pages in a real browser: nothing of a name runs, nothing is fetched, tables sort and points move without a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser.page import AXE, expect, fits
from tests.hostile import LABELS
from tests.house.everything import everything

import howsure as hs
from howsure.io import read_scores

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def opened(browser: Any, path: Path, scheme: str = "light", width: int = 900) -> tuple[Any, list[str], list[str]]:
    tab = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    complaints: list[str] = []
    asked: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("dialog", lambda dialog: complaints.append(dialog.message))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(path.as_uri())
    tab.wait_for_timeout(100)
    return tab, complaints, asked


def results() -> dict[str, Any]:
    size = len(LABELS)
    post = hs.infer(hs.ConfusionMatrix(np.eye(size, dtype=int) * 30 + 1, labels=LABELS), "jeffreys")
    two = [hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=LABELS[:2])) for _ in range(2)]
    return {
        "report": hs.report(post),
        "two": hs.report(two[0]),
        "compare": hs.compare(*two, names=(LABELS[0], LABELS[1]), metric="accuracy"),
        "rank": hs.rank({label: hs.Posterior.from_accuracy(correct=70 + i, n=100) for i, label in enumerate(LABELS)}),
    }


@pytest.mark.parametrize("name", ["report", "two", "compare", "rank"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 900), ("dark", 900), ("light", 375)])
def test_hostile_names_run_nothing(browser: Any, tmp_path: Path, name: str, scheme: str, width: int) -> None:
    target = tmp_path / "out.html"
    hs.save(results()[name], target, title=LABELS[0], comment=LABELS[1])
    tab, complaints, asked = opened(browser, target, scheme, width)
    assert complaints == []
    assert tab.evaluate("window.hacked") is None
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert fits(tab)


def test_what_notebooks_show_runs_nothing(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "notebook.html"
    shown = "".join(f"<div>{each._repr_html_()}</div>" for each in everything().values())
    target.write_text(f'<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,">{shown}', encoding="utf-8")
    tab, complaints, asked = opened(browser, target)
    assert complaints == []
    assert tab.evaluate("window.hacked") is None
    assert asked == [target.as_uri()]
    assert tab.locator("svg").count() > 30


def test_a_page_on_paper_is_light_and_has_all_of_its_tables(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    hs.save(results()["rank"], target)
    tab, complaints, _ = opened(browser, target, "dark", 680)
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert tab.pdf(format="A4").startswith(b"%PDF")
    assert complaints == []


def test_a_report_page_moves_without_a_server(chromium: Any, tmp_path: Path) -> None:
    from howsure.curves import curve_report

    target = tmp_path / "curve.html"
    made = curve_report(read_scores(str(CANCER)), draws=500)
    hs.save(made, target)
    points = made.operating_points()
    assert points is not None
    tab = chromium.new_page(viewport={"width": 900, "height": 800})
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.goto(target.as_uri())
    slider = tab.get_by_role("slider")
    slider.focus()
    tab.keyboard.press("Home")
    for step in range(60):
        point = points.points[step]
        cells = [tab.locator(f"[data-cell='{i}']").text_content() for i in range(4)]
        assert cells == [str(n) for n in (point.tn, point.fp, point.fn, point.tp)]
        row = tab.locator("[data-row='5'] td").all_text_contents()
        assert row == list(point["negative_likelihood_ratio"].shown)
        assert slider.get_attribute("aria-valuetext").startswith(f"{point.threshold:.6g}: ")
        tab.keyboard.press("ArrowRight")
    place = tab.locator("[data-curve=roc] .here").first.get_attribute("cx")
    box = tab.locator("[data-curve=roc] svg").bounding_box()
    tab.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.05 * box["height"])
    tab.mouse.down()
    assert float(tab.locator("[data-curve=roc] .here").first.get_attribute("cx")) > float(place)
    tab.mouse.up()
    tab.emulate_media(media="print")
    expect(slider).not_to_be_visible()
    expect(tab.locator("[data-cell='0']")).to_be_visible()
    assert complaints == []
    tab.close()


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
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert names(page) == [*population, "Narvik", "Bodø", "Oslo", "<b>Bergen</b>", "Tromsø"]
    button.focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names(page) == [*population, "Tromsø", "<b>Bergen</b>", "Oslo", "Bodø", "Narvik"]
    page.keyboard.press("Space")
    expect(head).not_to_have_attribute("aria-sort", re.compile(""))
    assert names(page) == first
    by_name = page.locator("thead th").first
    by_name.get_by_role("button").click()
    assert names(page)[-5:] == sorted(NAMES, key=lambda name: name.replace("<b>", ""))
    expect(page.locator("[aria-sort]")).to_have_count(1)
    assert not faults
    page.close()


def test_typing_filters_and_says_how_many_are_left(chromium: Any, saved: Path) -> None:
    page = chromium.new_page()
    page.goto(saved.as_uri())
    page.get_by_label("Show rows with").fill("BO")
    assert names(page)[-1] == "Bodø"
    assert "typical site" in names(page)
    expect(page.get_by_role("status")).to_have_text("1 of 5 rows")
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
    expect(page.locator("button")).to_have_count(0)
    context.close()
