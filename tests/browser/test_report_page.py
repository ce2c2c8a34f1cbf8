"""Written pages in a real browser: no name runs, nothing is fetched, tables sort and points move without a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser.page import AXE, EXAMPLES, expect
from tests.hostile import LABELS
from tests.house.everything import everything

import howsure as hs
from howsure.curves import curve_report
from howsure.io import read_scores

pytestmark = [pytest.mark.browser, pytest.mark.deep]

NAMES = ("Oslo", "<b>Bergen</b>", "Narvik", "Bodø", "Tromsø")
COUNTS = ((82, 100), (750, 1000), (9, 12), (45, 50), (1800, 2400))


@pytest.fixture
def shown(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a file; at the end nothing was complained about and nothing was fetched."""
    faults: list[str] = []
    contexts: list[Any] = []

    def show(path: Path, **how: Any) -> Any:
        context = chromium.new_context(**how)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on("request", lambda request: faults.append(request.url))
        page.goto(path.as_uri())
        faults.remove(path.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert [fault for fault in faults if not fault.startswith("data:")] == []


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
def test_hostile_names_run_nothing_and_paper_is_light(shown: Any, tmp_path: Path, name: str) -> None:
    target = tmp_path / "out.html"
    hs.save(results()[name], target, title=LABELS[0], comment=LABELS[1])
    for scheme, width in (("light", 900), ("dark", 375)):
        page = shown(target, color_scheme=scheme, viewport={"width": width, "height": 800})
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_what_notebooks_show_runs_nothing(shown: Any, tmp_path: Path) -> None:
    target = tmp_path / "notebook.html"
    parts = "".join(f"<div>{each._repr_html_()}</div>" for each in everything().values())
    target.write_text(f'<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,">{parts}', encoding="utf-8")
    page = shown(target)
    assert page.evaluate("window.hacked") is None
    assert page.locator("svg").count() > 30


def test_a_point_of_a_curve_moves_without_a_server(shown: Any, tmp_path: Path) -> None:
    target = tmp_path / "curve.html"
    report = curve_report(read_scores(str(EXAMPLES / "breast_cancer.csv")), draws=500)
    hs.save(report, target)
    points = report.operating_points()
    assert points is not None
    page = shown(target, viewport={"width": 900, "height": 800})
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    for point in points.points[:60]:
        expect(slider).to_have_attribute("aria-valuetext", re.compile(re.escape(f"{point.threshold:.6g}: ")))
        cells = [page.locator(f"[data-cell='{i}']").text_content() for i in range(4)]
        assert cells == [str(n) for n in (point.tn, point.fp, point.fn, point.tp)]
        row = page.locator("[data-row='5'] td").all_text_contents()
        assert row == list(point["negative_likelihood_ratio"].shown)
        page.keyboard.press("ArrowRight")
    here = page.locator("[data-curve=roc] .here").first
    place = float(here.get_attribute("cx"))
    box = page.locator("[data-curve=roc] svg").bounding_box()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.05 * box["height"])
    page.mouse.down()
    assert float(here.get_attribute("cx")) > place
    page.emulate_media(media="print")
    expect(slider).not_to_be_visible()
    expect(page.locator("[data-cell='0']")).to_be_visible()


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "pool.html"
    hs.save(hs.pool(dict(zip(NAMES, COUNTS, strict=True)), draws=500), path)
    return path


def rows(page: Any) -> list[str]:
    texts = page.locator("tbody tr:not([hidden]) th").all_inner_texts()
    return [text.replace("\u2068", "").replace("\u2069", "") for text in texts]


def test_a_table_is_sorted_below_the_population_and_filtered(shown: Any, pool: Path) -> None:
    page = shown(pool)
    first = rows(page)
    population = first[:-5]
    assert population[0] == "typical site"
    assert first[-5:] == list(NAMES)  # a name that is markup is text
    head = page.locator("thead th").nth(1)
    head.get_by_role("button", name="cases").focus()
    for key, order, sites in (
        ("Enter", "ascending", ["Narvik", "Bodø", "Oslo", "<b>Bergen</b>", "Tromsø"]),
        ("Enter", "descending", ["Tromsø", "<b>Bergen</b>", "Oslo", "Bodø", "Narvik"]),
        ("Space", "", list(NAMES)),
    ):
        page.keyboard.press(key)
        if order:
            expect(head).to_have_attribute("aria-sort", order)
        else:
            expect(page.locator("[aria-sort]")).to_have_count(0)
        assert rows(page) == [*population, *sites]
    page.locator("thead th").first.get_by_role("button").click()
    expect(page.locator("[aria-sort]")).to_have_count(1)
    assert rows(page)[-5:] == sorted(NAMES, key=lambda name: name.replace("<b>", ""))
    page.get_by_label("Show rows with").fill("BO")
    expect(page.get_by_role("status")).to_have_text("1 of 5 rows")
    assert (rows(page)[-1], "typical site" in rows(page)) == ("Bodø", True)
    page.get_by_label("Show rows with").fill("")
    expect(page.locator("tbody tr[hidden]")).to_have_count(0)
    page.evaluate(AXE)
    assert [each["id"] for each in page.evaluate("axe.run()")["violations"]] == []


def test_without_script_the_table_is_there(shown: Any, pool: Path) -> None:
    page = shown(pool, java_script_enabled=False)
    assert rows(page)[-5:] == list(NAMES)
    expect(page.locator("button")).to_have_count(0)
