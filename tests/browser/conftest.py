"""A real server on a free port, a real browser, and a tab that forgives nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.browser.page import Tab
from tests.patience import PATIENCE, ended

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

#: So many times slower than it is the browser is made to be: what a test relies on by luck fails.
SLOWER = int(os.environ.get("HOWSURE_SLOWER", "1"))

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
        with ended(self.process):
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium")
    with sync_api.sync_playwright() as play:
        sync_api.expect.set_options(timeout=PATIENCE * 250)  # what it waits for is mostly there: see `settle`
        browser = play.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    pytest.importorskip("starlette", reason="starlette is not installed")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    server = Served()
    yield server
    server.stop()


class Opener:
    """Opens the page in a tab that notes every complaint, and every address elsewhere that is asked."""

    def __init__(self, chromium: Any, home: str) -> None:
        self.chromium, self.home = chromium, home
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.contexts: list[Any] = []
        #: Parts of complaints that the test provokes; the browser logs every refusal of the server.
        self.forgiven: list[str] = []

    def __call__(
        self,
        address: str = "",
        *,
        scheme: str = "light",
        size: tuple[int, int] = (1440, 900),
        url: str = "",
        **more: Any,
    ) -> Tab:
        home = url or self.home
        context = self.chromium.new_context(
            color_scheme=scheme,
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
            **more,
        )
        context.set_default_timeout(PATIENCE * 1000)
        self.contexts.append(context)
        tab = Tab(context.new_page())
        tab.clock.install()  # `settle` moves it on, so that no pause of the page is waited for
        if SLOWER > 1:
            context.new_cdp_session(tab.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: self.complaints.append(f"{dialog.type}: {dialog.message}"))
        tab.on("request", lambda request: self._hear(request.url, home))
        tab.goto(home + address)
        tab.settle()
        return tab

    def at(self, mode: str, **how: Any) -> Tab:
        """The page, open at a mode."""
        tab = self(**how)
        tab.go(mode)
        return tab

    def _hear(self, url: str, home: str) -> None:
        if not url.startswith((home, "data:", "blob:")):
            self.strangers.append(url)


@pytest.fixture
def opened(chromium: Any, served: Served) -> Iterator[Opener]:
    """Opens the page; at the end nothing was complained about and nobody else was asked."""
    opener = Opener(chromium, served.url)
    yield opener
    for context in opener.contexts:
        context.close()
    assert [line for line in opener.complaints if not any(part in line for part in opener.forgiven)] == []
    assert opener.strangers == []
