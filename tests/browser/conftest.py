"""A real server on a free port, a real browser, and a tab that forgives nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE, ended

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
CONTRAST = Path(__file__).parent / "contrast.js"

#: So many times slower than it is the browser is made to be: what a test relies on by luck fails.
SLOWER = int(os.environ.get("HOWSURE_SLOWER", "1"))

#: Once the answer to the last change is on the page.
SETTLED = "main[data-settled=true]"


#: The server of the library, but no answer is late on a busy machine; that some are is tried in tests/web.
PATIENT = f"""
import sys
from dataclasses import replace
import howsure.web.app as app
from howsure.cli import main
app.PRIVATE = replace(app.PRIVATE, seconds={PATIENCE}, patience={PATIENCE})
sys.exit(main(sys.argv[1:]))
"""


class Served:
    """``howsure serve`` in a process of its own."""

    def __init__(self, port: int = 0) -> None:
        command = [sys.executable, "-c", PATIENT, "serve", "--port", str(port)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        assert self.process.stdout is not None
        with ended(self.process):
            line = self.process.stdout.readline()
        assert "http://" in line, line
        self.url = next(word for word in line.split() if word.startswith("http://"))
        self.port = int(self.url.rstrip("/").rpartition(":")[2])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium")
    with sync_api.sync_playwright() as play:
        made = play.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield made
        made.close()


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    pytest.importorskip("starlette", reason="starlette is not installed")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    made = Served()
    yield made
    made.stop()


@pytest.fixture
def opened(chromium: Any, served: Served) -> Iterator[Callable[..., Any]]:
    """Opens the page; at the end nothing was complained about and nobody else was asked."""
    complaints: list[str] = []
    strangers: list[str] = []
    contexts: list[Any] = []

    def open_page(
        address: str = "",
        *,
        scheme: str = "light",
        size: tuple[int, int] = (1440, 900),
        url: str | None = None,
        **more: Any,
    ) -> Any:
        home = url or served.url
        context = chromium.new_context(
            color_scheme=scheme,
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
            **more,
        )
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        tab = context.new_page()
        if SLOWER > 1:
            context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(dialog.message))
        tab.on("request", lambda request: _is_foreign(request.url, home) and strangers.append(request.url))
        tab.goto(home + address)
        tab.wait_for_selector(SETTLED)
        return tab

    # a test that provokes a complaint (a refused request) takes it off this list
    open_page.complaints = complaints  # type: ignore[attr-defined]
    # or says what all of them may have, where a refusal may come after it has looked
    forgiven: list[str] = []
    open_page.forgiven = forgiven  # type: ignore[attr-defined]
    yield open_page
    for context in contexts:
        context.close()
    assert [it for it in complaints if not any(part in it for part in forgiven)] == []
    assert strangers == []


def _is_foreign(url: str, home: str) -> bool:
    return not url.startswith((home, "data:", "blob:"))


def settled(tab: Any) -> None:
    """Waits until the page shows the answer to what it holds, and has rested."""
    # by a timer of the page: however busy the machine is, it comes after those that were due before
    tab.evaluate("() => new Promise((done) => setTimeout(done, 250))")
    tab.wait_for_selector(SETTLED)


def violations(tab: Any) -> list[str]:
    """What axe-core finds wrong with the page as it stands. It is evaluated: the policy allows no further script.

    Contrast that it leaves open is computed here.
    """
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    made = tab.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})")
    found = [
        f"{x['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for x in made["violations"]
        for node in x["nodes"]
    ]
    left_open = [node["target"][0] for x in made["incomplete"] if x["id"] == "color-contrast" for node in x["nodes"]]
    return [*found, *tab.evaluate(CONTRAST.read_text(encoding="utf-8"), left_open)]
