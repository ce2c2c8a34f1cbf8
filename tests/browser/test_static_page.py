"""The page without a server, from a plain host of files; with a whole Pyodide where HOWSURE_PYODIDE names one."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.browser.page import expect
from tests.patience import PATIENCE
from tests.web.pyodide_stand_in import stand_in

from howsure.web.static_site import built

PYODIDE = os.environ.get("HOWSURE_PYODIDE")
#: Milliseconds that a whole Pyodide may take to load, and to answer all questions of a check.
LONG = 120_000


class Quiet(SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def log_message(self, *_: Any) -> None:
        pass


class Host(ThreadingHTTPServer):
    request_queue_size = 64  # of five, a browser's sixth connection is reset


@pytest.fixture
def hosted() -> Iterator[Any]:
    """Named before `opened` in a test, it ends after the tabs, which may still load what they might need."""
    servers: list[Host] = []

    def host(folder: Path) -> str:
        server = Host(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield host
    for server in servers:
        server.shutdown()
        server.server_close()


def says(tab: Any, text: str, within: int = PATIENCE * 1000) -> None:
    """What the page reports of the library."""
    expect(tab.locator("#engine-says")).to_have_text(text, timeout=within)


def questions_of(page: Path) -> int:
    """How many questions a page is checked by."""
    return len(json.loads(next(page.rglob("golden.json")).read_text(encoding="utf-8"))["questions"])


@pytest.mark.browser
def test_questions_reach_a_thread_of_the_browser(hosted: Any, opened: Any, tmp_path: Path) -> None:
    built(tmp_path / "page", str(stand_in(tmp_path / "pyodide")))
    questions = questions_of(tmp_path / "page")
    tab = opened(url=hosted(tmp_path / "page"))
    says(tab, "The library runs in this browser.")
    expect(tab.locator("main")).to_contain_text("Balanced accuracy is")
    expect(tab.locator("body")).to_contain_text("Computed in this browser")
    assert tab.violations() == []
    tab.click("#engine-check")
    difference = "report: answer.mean: 1, and 2 was expected"
    says(tab, f"checked {questions - 1} of {questions} against the library; these differ: {difference}")
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.fits()
    tab.locator(".grid .cell input").first.focus()
    tab.evaluate("navigator.clipboard.writeText('1\\t2\\n3\\t4')")
    tab.keyboard.press("Control+v")
    expect(tab.get_by_text("The library stopped: Error: this is a stand-in")).to_be_visible()


@pytest.mark.browser
@pytest.mark.deep
def test_a_library_that_cannot_be_loaded_is_said(hosted: Any, chromium: Any, tmp_path: Path) -> None:
    broken = stand_in(tmp_path / "pyodide", "export async function loadPyodide() { throw new Error('no memory'); }\n")
    built(tmp_path / "page", str(broken))
    home = hosted(tmp_path / "page")
    context = chromium.new_context()
    tab = context.new_page()
    tab.goto(home)
    says(tab, "The library cannot be loaded here: Error: no memory")
    context.close()


@pytest.mark.browser
def test_an_address_that_does_not_answer_is_named_after_half_a_minute(
    hosted: Any, chromium: Any, tmp_path: Path
) -> None:
    silent = stand_in(tmp_path / "pyodide", "export const loadPyodide = () => new Promise(() => {});\n")
    built(tmp_path / "page", str(silent))
    home = hosted(tmp_path / "page")
    context = chromium.new_context()
    tab = context.new_page()
    tab.clock.install()  # half a minute of the page, and none of anybody's
    tab.goto(home)
    says(tab, "Loading Python (1 of 4) …")
    expect(tab.locator("[data-value=verdict]")).to_have_text("Computing…")
    tab.clock.fast_forward(29_000)
    says(tab, "Loading Python (1 of 4) …")
    tab.clock.fast_forward(2_000)
    host = home.removeprefix("http://").rstrip("/")
    says(tab, f"Loading Python (1 of 4): no answer for 30 seconds. Is {host} reachable from here?")
    context.close()


@pytest.mark.pyodide
@pytest.mark.skipif(PYODIDE is None, reason="HOWSURE_PYODIDE names no folder with a release of Pyodide")
def test_a_whole_pyodide_gives_the_answers_of_the_library(hosted: Any, opened: Any, tmp_path: Path) -> None:
    built(tmp_path / "page", str(PYODIDE))
    questions = questions_of(tmp_path / "page")
    tab = opened(url=hosted(tmp_path / "page"))
    says(tab, "The library runs in this browser.", LONG)
    tab.settle()
    expect(tab.locator("main")).to_contain_text("Balanced accuracy is 0.83")
    tab.click("#engine-check")
    says(tab, f"checked {questions} of {questions} against the library.", LONG)
