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


def settle(tab: Any) -> None:
    """Wait until nothing is asked or scheduled and all is drawn; what a timer would do later is done now."""
    tab.wait_for_function(QUIET)
    while not tab.evaluate(RESTS):
        tab.clock.fast_forward(PAUSE)
        tab.wait_for_function(QUIET)


def stop_clock(tab: Any) -> None:
    """No timer of the page ends from here on, until `start_clock`: it never comes to think that a hand rests."""
    settle(tab)
    tab.clock.pause_at(tab.evaluate("Date.now() / 1000 + 1"))


def start_clock(tab: Any) -> None:
    tab.clock.resume()
    settle(tab)


def address(tab: Any) -> str:
    return str(tab.evaluate("location.href"))


def reload(tab: Any) -> None:
    """Load the page again, once the browser has heard of the address that the page gave to its entry."""
    session = tab.context.new_cdp_session(tab)
    heard = ""
    while heard != address(tab):
        history = session.send("Page.getNavigationHistory")
        heard = history["entries"][history["currentIndex"]]["url"]
    tab.reload()
    settle(tab)


def expect(what: Any) -> Any:
    """Playwright's assertions, which look again until they hold."""
    return pytest.importorskip("playwright.sync_api").expect(what)


def field(tab: Any, key: str) -> Any:
    """The place of a number or a sentence of the page."""
    return tab.locator(f'[data-value="{key}"]').first


def value(tab: Any, key: str) -> str:
    """Its text, with plain spaces."""
    return " ".join(field(tab, key).text_content().split())


def cell(tab: Any, row: int, column: int) -> Any:
    """A cell of the first matrix of the open tab."""
    return tab.locator(f'[data-row="{row}"][data-column="{column}"]').first


def grids(tab: Any) -> list[list[list[str]]]:
    """What stands in each matrix of the open tab."""
    rows = (
        "e => [...e.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('[data-row]')].map(b => b.value))"
    )
    return [grid.evaluate(rows) for grid in tab.locator("table.grid").all()]


def counts(tab: Any) -> list[list[str]]:
    """What stands in the first of them."""
    return grids(tab)[0]


def names(tab: Any) -> list[str]:
    """Names of the classes of all matrices of the open tab."""
    return [box.input_value() for box in tab.locator("th.name textarea").all()]


def boxes(tab: Any, places: str) -> list[str]:
    """What stands in boxes."""
    return [box.input_value() for box in tab.locator(places).all()]


def go(tab: Any, mode: str) -> None:
    tab.click(f"#tab-{mode}")
    settle(tab)


def at(opened: Any, mode: str, **how: Any) -> Any:
    """The page, open at a mode."""
    tab = opened(**how)
    go(tab, mode)
    return tab


def choose(tab: Any, label: str, option: str) -> None:
    """One of many."""
    tab.get_by_label(label, exact=True).select_option(label=option)
    settle(tab)


def chosen(tab: Any, label: str) -> str:
    """What a box of many choices shows."""
    return str(tab.get_by_label(label, exact=True).evaluate("e => e.selectedOptions[0].label"))


def fill(tab: Any, label: str, text: str) -> None:
    """A box, by its label."""
    tab.get_by_label(label, exact=True).fill(text)
    settle(tab)


def press(tab: Any, name: str) -> None:
    """A button."""
    tab.get_by_role("button", name=name, exact=True).click()
    settle(tab)


def drop(tab: Any, *files: tuple[str, str]) -> None:
    """Files by name and text, as they come from the file dialogue."""
    chosen = [{"name": name, "mimeType": "text/csv", "buffer": text.encode()} for name, text in files]
    tab.locator(".drop input[type=file]").set_input_files(chosen)
    tab.wait_for_selector(".drop [role=status] p, .drop .wrong")
    settle(tab)


def paste(tab: Any, text: str, into: Any = None) -> None:
    """By Control and V, wherever the focus is, or in a box."""
    tab.evaluate("text => navigator.clipboard.writeText(text)", text)
    if into is not None:
        into.focus()
    with tab.expect_response("**/api/v1/*"):
        tab.keyboard.press("Control+v")
    settle(tab)


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


def violations(tab: Any) -> list[str]:
    """What axe-core finds wrong with the page as it stands. It is evaluated: the policy allows no further script.

    Contrast that it leaves open is computed here.
    """
    tab.evaluate(AXE)
    results = tab.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})")
    faults = [
        f"{x['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for x in results["violations"]
        for node in x["nodes"]
    ]
    left_open = [node["target"][0] for x in results["incomplete"] if x["id"] == "color-contrast" for node in x["nodes"]]
    return [*faults, *tab.evaluate(CONTRAST, left_open)]


def fits(tab: Any) -> bool:
    """Whether nothing goes on beyond the right edge of the window."""
    return bool(tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


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
