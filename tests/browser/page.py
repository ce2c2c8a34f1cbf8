"""Driving the page and reading it, and asking the command line the same."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from howsure.cli import main

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
AXE = (HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8")
CONTRAST = (HERE / "contrast.js").read_text(encoding="utf-8")
#: What is wrong with the layout as it stands.
FAULTS = (HERE / "layout_faults.js").read_text(encoding="utf-8")

#: The tabs, and all of them but the one that is open at first.
MODES = ("threshold", "compare", "leaderboard", "tables", "plan", "patient")
TABS = ("evaluate", *MODES)

#: The browser logs the status of each answer that the server refuses.
REFUSED = "status of 422"

#: Whether nothing runs, and what is left waits for a timer of the page, or nothing is left.
QUIET = """() => {
  const { running, scheduled } = document.documentElement.dataset;
  return !Number(running) && (Number(scheduled) > 0 || document.querySelector('main[data-settled=true]') !== null);
}"""
#: Whether that is still so after a frame, in which sizes are observed and effects run, and no timer is left.
RESTS = """() => new Promise((done) => {
  const root = document.documentElement;
  const rests = () => !Number(root.dataset.running) && !Number(root.dataset.scheduled) && document.querySelector('main[data-settled=true]') !== null;
  new ResizeObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => setTimeout(() => done(rests()))));
  }).observe(root);
})"""  # noqa: E501
#: Milliseconds: longer than any pause of the page, shorter than files stay to be downloaded.
PAUSE = 2500


class Tab:
    """A tab of the browser, as Playwright has it, and what a hand does with the page and an eye reads there."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def settle(self) -> None:
        """Wait until nothing is asked or scheduled and all is drawn; what a timer would do later is done now."""
        self.wait_for_function(QUIET)
        while not self.evaluate(RESTS):
            self.clock.fast_forward(PAUSE)
            self.wait_for_function(QUIET)

    def stop_clock(self) -> None:
        """No timer of the page ends from here on, until `start_clock`: it never comes to think that a hand rests."""
        self.settle()
        self.clock.pause_at(self.evaluate("Date.now() / 1000 + 1"))

    def start_clock(self) -> None:
        self.clock.resume()
        self.settle()

    def address(self) -> str:
        return str(self.evaluate("location.href"))

    def reload(self) -> None:
        """Load the page again, once the browser has heard of the address that the page gave to its entry."""
        session = self.context.new_cdp_session(self.page)
        heard = ""
        while heard != self.address():
            history = session.send("Page.getNavigationHistory")
            heard = history["entries"][history["currentIndex"]]["url"]
        self.page.reload()
        self.settle()

    def go(self, mode: str) -> None:
        self.click(f"#tab-{mode}")
        self.settle()

    def push(self, name: str) -> None:
        """A button."""
        self.get_by_role("button", name=name, exact=True).click()
        self.settle()

    def enter(self, label: str, text: str) -> None:
        """A text in a box."""
        self.get_by_label(label, exact=True).fill(text)
        self.settle()

    def put(self, row: int, column: int, text: str) -> None:
        """A text in a cell of the first matrix."""
        self.cell(row, column).fill(text)
        self.settle()

    def tick(self, label: str, exact: bool = False) -> None:
        """A box or one of several buttons, which a styled label may cover."""
        self.get_by_label(label, exact=exact).check(force=True)
        self.settle()

    def choose(self, label: str, option: str) -> None:
        """One of many."""
        self.get_by_label(label, exact=True).select_option(label=option)
        self.settle()

    def drop(self, *files: tuple[str, str]) -> None:
        """Files by name and text, as they come from the file dialogue."""
        chosen = [{"name": name, "mimeType": "text/csv", "buffer": text.encode()} for name, text in files]
        self.locator(".drop input[type=file]").set_input_files(chosen)
        self.wait_for_selector(".drop [role=status] p, .drop .wrong")
        self.settle()

    def paste(self, text: str, into: Any = None) -> None:
        """By Control and V, wherever the focus is, or in a box."""
        self.evaluate("text => navigator.clipboard.writeText(text)", text)
        if into is not None:
            into.focus()
        with self.expect_response("**/api/v1/*"):
            self.keyboard.press("Control+v")
        self.settle()

    def field(self, key: str) -> Any:
        """The place of a number or a sentence of the page."""
        return self.locator(f'[data-value="{key}"]').first

    def value(self, key: str) -> str:
        """Its text, with plain spaces."""
        return " ".join(self.field(key).text_content().split())

    def cell(self, row: int, column: int) -> Any:
        """A cell of the first matrix."""
        return self.locator(f'[data-row="{row}"][data-column="{column}"]').first

    def grids(self) -> list[list[list[str]]]:
        """What stands in each matrix."""
        cells = "row => [...row.querySelectorAll('[data-row]')].map(box => box.value)"
        rows = f"grid => [...grid.querySelectorAll('tbody tr')].map({cells})"
        return [grid.evaluate(rows) for grid in self.locator("table.grid").all()]

    def counts(self) -> list[list[str]]:
        """What stands in the first of them."""
        return self.grids()[0]

    def boxes(self, places: str) -> list[str]:
        return [box.input_value() for box in self.locator(places).all()]

    def names(self) -> list[str]:
        """Names of the classes of all matrices."""
        return self.boxes("th.name textarea")

    def chosen(self, label: str) -> str:
        """What a box of many choices shows."""
        return str(self.get_by_label(label, exact=True).evaluate("e => e.selectedOptions[0].label"))

    def fits(self) -> bool:
        """Whether nothing goes on beyond the right edge of the window."""
        return bool(self.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))

    def violations(self) -> list[str]:
        """What axe-core finds wrong with the page as it stands. It is evaluated: the policy allows no further script.

        Contrast that it leaves open is computed here.
        """
        self.evaluate(AXE)
        results = self.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})")
        faults = [
            f"{x['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for x in results["violations"]
            for node in x["nodes"]
        ]
        open_ones = [x for x in results["incomplete"] if x["id"] == "color-contrast"]
        left_open = [node["target"][0] for x in open_ones for node in x["nodes"]]
        return [*faults, *self.evaluate(CONTRAST, left_open)]


def expect(what: Any) -> Any:
    """Playwright's assertions, which look again until they hold."""
    return pytest.importorskip("playwright.sync_api").expect(what)


def packed(document: Any) -> str:
    """A document as the page packs it into a link."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = squeezer.compress(json.dumps(document).encode()) + squeezer.flush()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unpacked(link: str) -> Any:
    text = parse_qs(link.partition("#")[2])["s"][0]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), -15))


def link(mode: str, inputs: Any) -> str:
    """The end of an address that opens a mode with inputs."""
    return "#v=1&s=" + packed({"v": 1, "mode": mode, mode: inputs})


def printed(*arguments: object) -> str:
    """What ``howsure`` prints."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out):
        status = main([str(each) for each in arguments])
    assert status == 0, arguments
    out.seek(0)
    return out.read()


def as_json(*arguments: object) -> Any:
    """What ``howsure`` prints as JSON."""
    return json.loads(printed(*arguments, "--json"))


def line_of(text: str, name: str) -> str:
    """The line of a printed table that begins with a name."""
    lines = (line for line in text.splitlines() if re.match(rf"\s*{re.escape(name)}( \*|\s{{2,}})", line))
    return " ".join(next(lines).split())
