"""Take the picture of the page for docs/page.md: ``python docs/make_page_picture.py``.

It needs howsure[web], Playwright and a Chromium; the picture is a JPEG of a few tens of kilobytes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

OUT = Path(__file__).parent / "figures" / "page.jpg"


def main() -> None:
    """Serve, open, wait until all numbers stand there, and save."""
    from playwright.sync_api import sync_playwright  # the tests of the documents import this file without it

    server = subprocess.Popen(
        [sys.executable, "-m", "howsure", "serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        url = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
        with sync_playwright() as play:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            tab = browser.new_page(viewport={"width": 1180, "height": 800}, color_scheme="light")
            tab.goto(url)
            tab.wait_for_selector("main[data-settled=true] figure svg")
            tab.screenshot(path=OUT, type="jpeg", quality=70)
            browser.close()
    finally:
        server.terminate()
        server.wait(10)
    print(f"{OUT} {OUT.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
