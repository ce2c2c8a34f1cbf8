"""Pages in a real browser: nothing of a name runs, nothing is fetched, nothing is complained about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.hostile import LABELS
from tests.house.everything import everything

import howsure as hs

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(chromium: Any) -> Any:
    return chromium


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
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


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


def test_the_slider_moves_the_sentence_and_the_line(browser: Any, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    hs.save(hs.report(post), target)
    tab, complaints, _ = opened(browser, target)
    slider, output = tab.locator("input[type=range]").first, tab.locator("output").first
    first = output.text_content()
    line = tab.locator("line.here").first.get_attribute("x1")
    assert "Of 10,000 cases 5,000 are ill" in first
    slider.focus()
    for _ in range(20):
        tab.keyboard.press("ArrowLeft")
    assert output.text_content() != first
    assert float(tab.locator("line.here").first.get_attribute("x1")) < float(line)
    tab.keyboard.press("Home")
    known = post.predictive_values().at(0.001)[0]
    assert f"{known[1]:.3f}" in output.text_content()
    assert complaints == []
