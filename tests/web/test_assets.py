"""The files of the page keep the promises that a reviewer of a page asks for: small, typed, no markup from text."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.patience import PATIENCE

ASSETS = Path(__file__).parents[2] / "src" / "howsure" / "web" / "assets"
SCRIPTS = sorted(path for path in ASSETS.rglob("*.js") if path.parent.name != "vendor")
TYPES = Path(__file__).parents[1] / "browser" / "tsconfig.json"

#: A script may round what a person enters; numbers of ours come as text from Python.
ROUNDS_INPUT = {"parts/share_slider.js"}


def name(path: Path) -> str:
    return path.relative_to(ASSETS).as_posix()


def bare(text: str) -> str:
    """A script without its comments, which are for readers and half of it."""
    return re.sub(r"/\*\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_a_script_is_short_typed_and_makes_text_nodes_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    assert text.startswith("// @ts-check")
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "@ts-ignore",
    ):
        assert word not in text
    assert "dangerouslySet" not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_no_number_of_ours_is_formatted_in_the_browser(path: Path) -> None:
    text = bare(path.read_text(encoding="utf-8"))
    for word in ("toFixed", "toExponential", "toLocaleString", "Intl."):
        assert word not in text
    assert "toPrecision" not in text or name(path) in ROUNDS_INPUT


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_nothing_is_asked_for_elsewhere(path: Path) -> None:
    text = bare(path.read_text(encoding="utf-8"))
    addresses = re.findall(r"https?://[^\s\"'`]+", text)
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}


def test_the_page_has_no_script_or_style_inside() -> None:
    class Seen(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.wrong: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            if tag == "style" or (tag == "script" and "src" not in given) or "style" in given:
                self.wrong.append(tag)
            self.wrong += [key for key in given if key.startswith("on")]
            self.wrong += [v for k, v in attrs if k in ("src", "href") and not (v or "").startswith("assets/")]

    seen = Seen()
    seen.feed((ASSETS / "index.html").read_text(encoding="utf-8"))
    assert seen.wrong == []


def test_the_page_is_small() -> None:
    everything = [*SCRIPTS, *sorted((ASSETS / "vendor").glob("*.js"))]
    code = "\n".join(bare(path.read_text(encoding="utf-8")) for path in everything)
    styles = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ASSETS.rglob("*.css")))
    assert len(gzip.compress(code.encode())) <= 60 * 1024
    assert len(gzip.compress(styles.encode())) <= 10 * 1024


def test_what_is_vendored_has_its_licence_and_its_version() -> None:
    notes = (ASSETS / "vendor" / "README.md").read_text(encoding="utf-8")
    for path in (ASSETS / "vendor").glob("*.js"):
        assert f"`{path.name}`" in notes
    for licence in re.findall(r"`(LICENSE\.\w+)`", notes):
        assert (ASSETS / "vendor" / licence).stat().st_size > 500


def test_every_import_of_the_page_is_a_file_of_it() -> None:
    for path in [*SCRIPTS, *(ASSETS / "vendor").glob("*.js")]:
        for there in re.findall(r"from ?\"([^\"]+)\"", path.read_text(encoding="utf-8")):
            assert there.startswith("."), (name(path), there)
            assert (path.parent / there).resolve().is_file(), (name(path), there)


def test_the_types_of_the_page_hold() -> None:
    compiler = os.environ.get("HOWSURE_TSC") or shutil.which("tsc")
    if compiler is None or shutil.which("node") is None:
        pytest.skip("TypeScript is not installed (npm install -g typescript, or HOWSURE_TSC=path/to/tsc)")
    done = subprocess.run([compiler, "-p", str(TYPES)], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout == ""
    assert done.returncode == 0
