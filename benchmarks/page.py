"""How fast the page is, in a real browser: until the first posterior, near and far, and while a slider moves.

Run with ``python benchmarks/page.py``; it needs howsure[web], Playwright and a Chromium. What it prints was measured on
the machine at hand, with whatever else runs there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from typing import Any

from playwright.sync_api import sync_playwright

from howsure.web.assets import served, table

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SETTLED = "main[data-settled=true]"
RUNS, STEPS, STEP_MS = 7, 60, 16

#: A line to a server that is far: milliseconds there and back, bits a second.
FAR_MS, FAR_BITS = 100, 1_600_000

#: Notes when the picture first stood there, and how long after a slider came to a place the sentence spoke of it.
WATCH = """
window.seen = {first: null, lags: []};
const moved = new Map();
const digits = share => Number(share.toPrecision(3));
addEventListener('input', ({target}) => {
  if (target.type === 'range') moved.set(digits(1 / (1 + Math.exp(-target.value))), performance.now());
}, true);
new MutationObserver(() => {
  const now = performance.now();
  if (seen.first === null && document.querySelector('figure[data-picture=posteriors] svg path')) seen.first = now;
  const sentence = key => document.querySelector(`[data-value="${key}"]`);
  const said = sentence('predictive.verdict') ?? sentence('verdict');
  const share = digits(Number(said?.textContent.match(/where ([0-9.e-]+) of|: ([0-9.e-]+) before/)?.slice(1).join('')));
  if (moved.has(share)) seen.lags.push(now - moved.get(share));
  moved.delete(share);
}).observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
"""

#: Bytes of bodies that came over the line, the answer and the page itself among them.
LOADED = """
[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
  .filter(entry => entry.responseEnd <= seen.first).reduce((sum, entry) => sum + entry.encodedBodySize, 0)
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--empty", action="store_true", help="also an empty page of the same server, for comparison")
    empty = options.parse_args().empty
    server = subprocess.Popen(
        [sys.executable, "-m", "howsure", "serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        url = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
        with sync_playwright() as play:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            browser = play.chromium.launch(executable_path=chromium, args=QUIET)
            firsts(browser, url)
            firsts(browser, url, far=True)
            if empty:
                times = [navigation(browser, url + "healthz") for _ in range(RUNS)]
                print(f"an answer without a page: {statistics.median(times):.0f} ms")
            for rest_ms in (0, 1500):
                dragging(browser, url, 2, rest_ms=rest_ms)
                dragging(browser, url, 2, tab_name="One patient", rest_ms=rest_ms)
                dragging(browser, url, 10, rest_ms=rest_ms)
            browser.close()
    finally:
        server.terminate()
        server.wait(10)
    weights()


def firsts(browser: Any, url: str, *, far: bool = False) -> None:
    """Milliseconds from navigation to the first posterior, each time in a browser that knows nothing yet.

    Far away is Chromium's own emulation: each answer begins so much later and comes at that rate; connections are free.
    """
    times, bytes_of = [], []
    for _ in range(RUNS):
        tab = fresh(browser)
        if far:
            rate = FAR_BITS / 8
            line = {"offline": False, "latency": FAR_MS, "downloadThroughput": rate, "uploadThroughput": rate}
            tab.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", line)
        tab.goto(url)
        tab.wait_for_selector(SETTLED)
        times.append(tab.evaluate("seen.first"))
        bytes_of.append(tab.evaluate(LOADED))
        tab.context.close()
    where = f" at {FAR_MS} ms and {FAR_BITS / 1e6:g} Mbit/s" if far else ""
    print(
        f"first posterior{where}: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms of {RUNS}; "
        f"{statistics.median(bytes_of) / 1000:.0f} kB until then"
    )


def navigation(browser: Any, url: str) -> float:
    tab = browser.new_context().new_page()
    began = time.perf_counter()
    tab.goto(url)
    taken = 1000 * (time.perf_counter() - began)
    tab.context.close()
    return taken


def dragging(browser: Any, url: str, size: int, *, tab_name: str = "Evaluate", rest_ms: int) -> None:
    """A slider moved by keys, so long after the page came to rest: of how many places there were numbers, and when."""
    tab = fresh(browser)
    tab.goto(url)
    tab.wait_for_selector(SETTLED)
    if size > 2:
        rows = ["\t".join(str(40 if i == j else (3 * i + j) % 4) for j in range(size)) for i in range(size)]
        tab.evaluate("text => navigator.clipboard.writeText(text)", "\n".join(rows))
        tab.locator('[data-row="0"][data-column="0"]').focus()
        tab.keyboard.press("Control+v")
        tab.wait_for_timeout(300)
        tab.wait_for_selector(SETTLED)
    tab.get_by_role("tab", name=tab_name).click()
    tab.wait_for_selector(SETTLED)
    tab.wait_for_timeout(rest_ms)
    tab.locator("input.slider").focus()
    tab.evaluate("seen.lags = []")
    began = time.perf_counter()
    for step in range(STEPS):
        tab.keyboard.press("ArrowLeft")
        wait = began + (step + 1) * STEP_MS / 1000 - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
    span = time.perf_counter() - began
    tab.wait_for_timeout(100)
    lags = tab.evaluate("seen.lags")
    tab.wait_for_selector(SETTLED)
    tab.context.close()
    late = ""
    if lags:  # on a slow machine there may be none
        tail = sorted(lags)[int(0.95 * len(lags))]
        late = f"; median {statistics.median(lags):.0f} ms, 95th percentile {tail:.0f} ms"
    print(f"{tab_name}, K = {size}, {rest_ms} ms at rest: {len(lags)} updates of {STEPS} steps in {span:.2f} s{late}")


def fresh(browser: Any) -> Any:
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, permissions=["clipboard-write", "clipboard-read"]
    )
    tab = context.new_page()
    tab.add_init_script(WATCH)
    return tab


def weights() -> None:
    """Kilobytes of the files that the page loads, as they go over the line, and of what they are made of."""
    files = served()
    loaded = [path for path in files if path not in table() or path in ("index.html", "theme.js", "icon.svg")]
    sizes = {path: len((files[path].packed or files[path]).body) / 1000 for path in loaded}
    scripts = [file.body for path, file in table(comments=True).items() if path.endswith((".js", ".css", ".html"))]
    print(json.dumps({path: round(size, 1) for path, size in sizes.items()}))
    print(f"files of the page: {sum(sizes.values()):.1f} kB; as written {sum(map(len, scripts)) / 1000:.1f} kB")


if __name__ == "__main__":
    main()
