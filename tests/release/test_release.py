"""What a release ships: the action and recipes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

import howsure

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, GATE = ACTION["runs"]["steps"]
PAIR = ("--candidate=examples/digits_pair.csv", "--metric=accuracy")


def ran(step: dict[str, Any], folder: Path, **inputs: str) -> tuple[int, str, str]:
    """Exit status, what was said, and outputs of a step; inputs go the way that the file says."""
    given = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()} | inputs

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], text)

    script, outputs = folder / "step.sh", folder / "outputs"
    script.write_text(step["run"], encoding="utf-8", newline="\n")
    outputs.touch()
    environment = {
        **os.environ,
        **{name: filled(text) for name, text in step["env"].items()},
        "GITHUB_OUTPUT": str(outputs),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_ACTION_PATH": str(ROOT),
    }
    made = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE,
    )  # fmt: skip
    return made.returncode, made.stdout + made.stderr, outputs.read_text(encoding="utf-8")


@pytest.mark.full
@pytest.mark.parametrize(
    ("options", "inconclusive", "status", "verdict"),
    [
        (("--a=knn3", "--b=knn9"), "warn", 0, "pass"),
        (("--a=knn3", "--b=knn9", "--mode=superiority", "--margin=0.012"), "warn", 0, "inconclusive"),
        (("--a=knn3", "--b=knn9", "--mode=superiority", "--margin=0.012"), "fail", 3, "inconclusive"),
    ],
)
def test_a_verdict_is_an_exit_status_and_an_output(
    tmp_path: Path, options: tuple[str, ...], inconclusive: str, status: int, verdict: str
) -> None:
    lines = "\n".join([*PAIR, *options, ""])
    left, said, outputs = ran(GATE, tmp_path, arguments=lines, inconclusive=inconclusive, python=sys.executable)
    assert (left, outputs) == (status, f"verdict={verdict}\n"), said
    assert ("::warning::" in said) == (verdict == "inconclusive" and inconclusive == "warn")
    assert "knn3" in (tmp_path / "summary").read_text(encoding="utf-8")


@pytest.mark.full
def test_bad_usage_has_no_verdict(tmp_path: Path) -> None:
    left, said, outputs = ran(GATE, tmp_path, arguments="--candidate=nowhere.csv", python=sys.executable)
    assert (left, outputs) == (2, "")
    assert "nowhere.csv" in said
    left, said, outputs = ran(GATE, tmp_path, arguments="\n".join(PAIR), inconclusive="maybe", python=sys.executable)
    assert (left, outputs) == (2, "")
    assert "'maybe'" in said


@pytest.mark.full
def test_options_are_data_and_never_script(tmp_path: Path) -> None:
    told = tmp_path / "told"
    left, _, _ = ran(GATE, tmp_path, arguments=f'--candidate=$(touch {told})"; touch {told}; "', python=sys.executable)
    assert left == 2
    assert not told.exists()
    assert [step["name"] for step in (INSTALL, GATE) if "${{" in step["run"]] == []


def test_it_installs_the_folder_that_it_stands_in_with_its_command_line(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    left, said, _ = ran(INSTALL, tmp_path, python=str(python))
    assert (left, said.split()[:3], said.split()[-1]) == (0, ["-m", "pip", "install"], f"{ROOT}[cli]")


# -- the conda recipe and the paper say what the project says ---------------------------------------------------------

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
