"""Lays out the pages of the documentation site in one folder, and lets Sphinx make HTML of them.

Run: python docs/make_site.py   (or: make docs)

The pages stay where a code host shows them: docs/, and some at the top. Links between them are moved with the
pages; the menu is read from the lists of docs/index.md, one part for each of its headings.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import site_reference

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

#: Pages of the site that do not stand in docs/.
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md", "examples/README.md")

LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")
ITEM = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)\s#]+\.md)\)", re.MULTILINE)


def place(path: Path) -> Path:
    """Where a file of the repository stands in the site: what is in docs/ moves to the top."""
    inside = path.relative_to(ROOT)
    return Path(*inside.parts[1:]) if inside.parts[0] == "docs" else inside


def moved(text: str, page: Path) -> str:
    """The text of a page with its links as they are in the site: moved with the pages, and titles in place of file names."""

    def target(match: re.Match[str]) -> str:
        meant = (page.parent / match["target"]).resolve()
        if not meant.is_relative_to(ROOT) or not meant.exists():
            return match[0]  # Sphinx says that it leads nowhere
        text = "" if match["text"].endswith(".md") and match["text"].endswith(meant.name) else match["text"]
        return f"[{text}]({os.path.relpath(place(meant), place(page).parent)}{match['anchor'] or ''})"

    return LINK.sub(target, text)


def menu(index: str) -> str:
    """The parts of the menu, as Sphinx has them: every list of the index, under its heading."""
    parts = []
    for part in re.split(r"^(?=## )", index, flags=re.MULTILINE):
        heading = re.match(r"## (.*)", part)
        pages = ITEM.findall(part)
        if pages:
            caption = f":caption: {heading[1]}\n" if heading else ""
            parts.append(f"```{{toctree}}\n:hidden:\n{caption}\n" + "\n".join(f"{title} <{page}>" for title, page in pages) + "\n```\n")
    return "\n".join(parts)


def lay_out(source: Path) -> None:
    """Write the pages of the site, and what they show, to a new folder."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    made = site_reference.pages()
    pages = [*sorted(DOCS.glob("*.md")), *(ROOT / name for name in BESIDE)]
    for page in pages:
        text = moved(page.read_text(encoding="utf-8"), page)
        if page.name == "index.md":
            text += "\n" + menu(text)
        if page.name == "reference.md":
            text += made.pop("reference-made.md")
        there = source / place(page)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text, encoding="utf-8")
    for name, text in made.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    for folder in (DOCS / "figures", DOCS / "benchmarks", DOCS / "site_assets", ROOT / "examples"):
        shutil.copytree(folder, source / place(folder), ignore=shutil.ignore_patterns("*.md"), dirs_exist_ok=True)


def build(to: Path) -> int:
    """Make the site; a warning of Sphinx is an error. Gives the exit status of Sphinx."""
    source = to / "source"
    lay_out(source)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(DOCS)]
    return subprocess.run([*command, "-d", str(to / "doctrees"), str(source), str(to / "html")], check=False).returncode


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--to", type=Path, default=ROOT / "build/site", help="the folder of the site")
    chosen = options.parse_args()
    status = build(chosen.to)
    if status == 0:
        print(f"the site begins at {chosen.to / 'html/index.html'}")
    sys.exit(status)
