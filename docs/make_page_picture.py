"""Take the pictures of the page, light and dark, for README.md and the docs: ``python docs/make_page_picture.py``.

It needs howsure[web], Playwright and a Chromium; a picture is a JPEG of about a hundred kilobytes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FIGURES = Path(__file__).parent / "figures"
#: A file for each scheme of colours that a reader's screen may have.
PICTURES = {"light": FIGURES / "page.jpg", "dark": FIGURES / "page_dark.jpg"}


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
            for scheme, path in PICTURES.items():
                # more dots than a plain screen has, so that small print stays legible
                tab = browser.new_page(
                    viewport={"width": 1440, "height": 1098}, color_scheme=scheme, device_scale_factor=1.25
                )
                tab.goto(url)
                tab.wait_for_selector("main[data-settled=true] figure svg")
                tab.screenshot(path=path, type="jpeg", quality=72)
                print(f"{path} {path.stat().st_size // 1024} kB")
            browser.close()
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main()
