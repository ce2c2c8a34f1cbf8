"""The conda recipe and the paper say what the project says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import howsure

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RECIPE: dict[str, Any] = yaml.safe_load((ROOT / "conda/meta.yaml").read_text(encoding="utf-8"))


def plain(requirement: str) -> str:
    """A requirement as both files mean it, without blanks."""
    return requirement.replace(" ", "")


def test_the_recipe_needs_what_the_library_and_its_command_line_need() -> None:
    project = PROJECT["project"]
    needed = {f"python{project['requires-python']}", *project["dependencies"], *project["optional-dependencies"]["cli"]}
    assert {plain(each) for each in RECIPE["requirements"]["run"]} == {plain(each) for each in needed}
    build = {plain(each) for each in RECIPE["requirements"]["host"]} - {"pip"}
    assert build == {f"python{project['requires-python']}", *map(plain, PROJECT["build-system"]["requires"])}


def test_the_recipe_has_the_version_licence_and_entry_point() -> None:
    assert RECIPE["package"] == {"name": "howsure", "version": howsure.__version__}
    assert RECIPE["about"]["license"] == PROJECT["project"]["license"]
    assert RECIPE["about"]["summary"] == PROJECT["project"]["description"]
    assert RECIPE["build"]["entry_points"] == [f"{a} = {b}" for a, b in PROJECT["project"]["scripts"].items()]


def test_every_citation_of_the_paper_has_an_entry_and_every_entry_is_cited() -> None:
    cited = set(re.findall(r"@(\w+)", (ROOT / "paper/paper.md").read_text(encoding="utf-8")))
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(cited) == sorted(entries)


def test_the_paper_has_what_a_journal_of_software_asks_for() -> None:
    _, front, text = (ROOT / "paper/paper.md").read_text(encoding="utf-8").split("---\n", 2)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= yaml.safe_load(front).keys()
    assert {"# Summary", "# Statement of need", "# State of the field", "# References"} <= set(text.splitlines())
    assert 700 <= len(text.split()) <= 1_100
