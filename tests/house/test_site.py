"""The documentation site: every page is in its menu, it builds without a warning, and it asks nobody outside."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.patience import PATIENCE

import howsure as hs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

#: Attributes by which a page loads something.
LOADED = {"src", "srcset", "data", "poster", "href", "xlink:href", "background"}
OUTSIDE = re.compile(r"^\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
#: In scripts and styles: the name of a format, and two addresses in comments.
NEVER_ASKED = ("http://www.w3.org/", "https://snowballstem.org/", "https://developer.mozilla.org/")


@dataclass
class Page(HTMLParser):
    """What one page of HTML links to, loads, and offers as anchors."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    styles: list[str] = field(default_factory=list)
    inside: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        for name, value in attrs:
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value or "")
            elif (tag, name) in {("a", "href"), ("form", "action")}:
                self.links.append(value or "")
            elif name in LOADED:
                self.loads.append(value or "")
            elif name == "style":
                self.styles.append(value or "")

    def handle_data(self, data: str) -> None:
        if self.inside in {"style", "script"}:
            self.styles.append(data)


def page_of(text: str) -> Page:
    page = Page()
    page.feed(text)
    return page


def addresses(text: str) -> list[str]:
    """Addresses outside in a script or style, but those that nobody asks."""
    found = re.findall(r"https?://[^\s\"'`<>)]*|url\(\s*[\"']?//[^)]*|@import\s+[\"']//[^\"']*", text)
    return [address for address in found if not address.startswith(NEVER_ASKED)]


def asked_outside(page: Page) -> list[str]:
    """What opening a page would ask others for."""
    return [what for what in page.loads if OUTSIDE.match(what)] + addresses("\n".join(page.styles))


def made(script: str = "make_site.py") -> dict[str, Any]:
    return runpy.run_path(str(DOCS / script))


def test_every_page_of_the_docs_is_in_a_list_of_the_index() -> None:
    site, index = made(), DOCS / "index.md"
    listed = [page for _, page in site["ITEM"].findall(index.read_text(encoding="utf-8"))]
    here = [os.path.relpath(page, DOCS) for page in [*DOCS.glob("*.md"), *(ROOT / name for name in site["BESIDE"])]]
    assert sorted(listed) == sorted(set(here) - {"index.md"})


def test_the_menu_has_a_part_for_every_heading_of_the_index() -> None:
    menu = made()["menu"]("# top\n\n- [Start](start.md): now\n\n## Trust\n\n- [Valid](validity.md): often\n- no link\n")
    assert menu == (
        "```{toctree}\n:hidden:\n\nStart <start.md>\n```\n\n"
        "```{toctree}\n:hidden:\n:caption: Trust\n\nValid <validity.md>\n```\n"
    )


@pytest.mark.parametrize(
    ("page", "text", "there"),
    [
        ("CHANGELOG.md", "[x](docs/model.md#many)", "[x](model.md#many)"),
        ("docs/architecture.md", "[x](../CONTRIBUTING.md)", "[x](CONTRIBUTING.md)"),
        ("docs/model.md", "([rank.md](rank.md#rank))", "([](rank.md#rank))"),
        ("benchmarks/README.md", "[x](../docs/other-tools.md)", "[x](../other-tools.md)"),
        (
            "docs/model.md",
            "[x](nowhere.md) [y](https://example.org/a.md)",
            "[x](nowhere.md) [y](https://example.org/a.md)",
        ),
    ],
)
def test_links_move_with_the_pages(page: str, text: str, there: str) -> None:
    assert made()["moved"](text, ROOT / page) == there


def test_every_public_name_has_a_page_of_its_own() -> None:
    pages = made()["reference"]()
    names = {name for name in hs.__all__ if callable(getattr(hs, name))}
    assert {Path(page).stem for page in pages if page.startswith(("reference/nouns/", "reference/verbs/"))} == names
    assert "autofunction:: compare\n" in pages["reference/verbs/compare.md"]
    assert "autoclass:: Posterior\n" in pages["reference/nouns/Posterior.md"]


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://example.org/x.js"></script>',
        '<link rel="stylesheet" href="//example.org/x.css">',
        '<img srcset="HTTP://example.org/x.png">',
        '<p style="background: url(http://example.org/x.png)">',
        "<style>@import '//example.org/x.css';</style>",
        "<script>fetch('https://example.org/')</script>",
    ],
)
def test_what_a_page_would_ask_others_for_is_found(text: str) -> None:
    assert len(asked_outside(page_of(text))) == 1


def test_a_link_that_a_reader_may_follow_asks_nobody() -> None:
    page = page_of('<a href="https://example.org/">there</a> <img src="figures/a.svg"> http://example.org')
    assert (page.links, asked_outside(page)) == (["https://example.org/"], [])


# -- the site as it is built (a minute) --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; Sphinx has complained about nothing."""
    if not os.environ.get("CI"):
        for needed in ("sphinx", "myst_parser", "furo"):
            pytest.importorskip(needed, reason="howsure[docs] is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(DOCS / "make_site.py"), "--to", str(folder)]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=5 * PATIENCE)
    assert (ran.returncode, ran.stderr) == (0, "")
    return folder / "html"


@cache
def read(path: Path) -> Page:
    return page_of(path.read_text(encoding="utf-8"))


def targets(path: Path) -> Iterable[tuple[Path, str]]:
    """Files of the site that a page links to, and the anchors in them."""
    for link in read(path).links:
        if not re.match(r"[a-z][a-z0-9+.-]*:", link):
            where, _, anchor = link.partition("#")
            yield ((path.parent / unquote(where)).resolve() if where else path), unquote(anchor)


@pytest.mark.deep
def test_every_page_is_reached_from_the_index(site: Path) -> None:
    seen, todo = set(), [site.resolve() / "index.html"]
    while todo:
        if (path := todo.pop()) not in seen and path.suffix == ".html":
            seen.add(path)
            todo += [target for target, _ in targets(path)]
    assert {path.relative_to(site.resolve()) for path in seen} == {p.relative_to(site) for p in site.rglob("*.html")}


@pytest.mark.deep
def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    broken = []
    for path in sorted(site.resolve().rglob("*.html")):
        for target, anchor in targets(path):
            found = target.is_file() and (not anchor or target.suffix != ".html" or anchor in read(target).anchors)
            if not found:
                broken.append(f"{path.name}: {target.name}#{anchor}")
    assert broken == []


@pytest.mark.deep
def test_nothing_is_asked_of_others(site: Path) -> None:
    pages = {path: asked_outside(read(path)) for path in site.rglob("*.html")}
    others = [*site.rglob("*.js"), *site.rglob("*.css")]
    assert {path for path, asked in pages.items() if asked} == set()
    assert [path for path in others if addresses(path.read_text(encoding="utf-8"))] == []


@pytest.mark.deep
def test_every_picture_and_script_is_in_the_site(site: Path) -> None:
    absent = [
        f"{path.name}: {what}"
        for path in site.rglob("*.html")
        for what in read(path).loads
        if not what.startswith(("data:", "#")) and not (path.parent / unquote(re.split("[?#]", what)[0])).is_file()
    ]
    assert absent == []
