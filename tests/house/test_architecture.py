"""The page of the architecture: its rooms are the layers, and what its walk names is there."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src/howsure"
STEPS = re.findall(r"^\| \d+ \| `([\w/]+\.py)` `(\w+)` \|", PAGE, re.MULTILINE)


def test_the_diagram_shows_the_layers() -> None:
    diagram = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert diagram
    shown = [re.split(r"\s{2,}", line)[0] for line in diagram[1].splitlines() if not line.startswith(" ")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert shown == project["tool"]["importlinter"]["contracts"][0]["layers"]


def test_the_layers_are_all_rooms_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {
        room for line in project["tool"]["importlinter"]["contracts"][0]["layers"] for room in re.findall(r"\w+", line)
    }
    there = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"} - {"__init__"}
    assert named == there - {"__pycache__"}


@pytest.mark.parametrize(("path", "name"), STEPS)
def test_each_step_of_the_walk_is_there(path: str, name: str) -> None:
    tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
    assert name in {getattr(node, "name", None) for node in tree.body}


def test_the_walk_has_no_step_without_a_file() -> None:
    assert len(re.findall(r"^\| \d+ \| `", PAGE, re.MULTILINE)) == len(STEPS)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:\w+/)+\w+\.py)`", PAGE))))
def test_every_file_that_it_names_is_there(path: str) -> None:
    assert (PACKAGE / path).is_file() or (ROOT / path).is_file()


def test_every_reader_has_a_row_that_leads_to_its_documentation() -> None:
    table = PAGE.partition("#### Readers")[2].partition("\n### ")[0]
    rows = dict(re.findall(r"^\| `(\w+)\.py` \| (.+) \|$", table, re.MULTILINE))
    assert set(rows) == {path.stem for path in (PACKAGE / "io/formats").glob("*.py")} - {"__init__"}
    headings = re.findall(r"^#+ (.+)$", (ROOT / "docs/files.md").read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    linked = {anchor for row in rows.values() for anchor in re.findall(r"\(files\.md#([\w-]+)\)", row)}
    assert linked <= anchors


def test_what_contributors_are_sent_to_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w./]+/[\w./]*)`", text) if not re.search(r"[A-Z]{3}|^\.venv", name)}
    places = (ROOT, PACKAGE, PACKAGE / "web")
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= set(targets)
