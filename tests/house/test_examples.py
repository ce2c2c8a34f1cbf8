"""The example files: each has its line, is read by the command that the line names, and holds what was published."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.papers.printed import CASES
from tests.patience import PATIENCE

from howsure.cli import main
from howsure.io import read

EXAMPLES = Path(__file__).parents[2] / "examples"
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")
LINES = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", README, re.MULTILINE))
SOURCES = [name for name in LINES if (name.removesuffix(".csv") in {case.lower() for case in CASES})]


def test_the_readme_lists_every_file() -> None:
    files = {path.name for path in EXAMPLES.iterdir() if path.is_file()}
    assert set(LINES) == {name for name in files if name.endswith((".csv", ".json"))}
    assert all(f"`{name}`" in README for name in files - {"README.md"})


@pytest.mark.full
@pytest.mark.parametrize("name", LINES)
def test_each_is_read_by_its_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    named = re.match(r"`howsure ([^`]+)`", LINES[name])
    command, *words = shlex.split(named[1]) if named else ["report"]
    words = [str(EXAMPLES / word) if word in LINES else word for word in words]
    files = [] if str(EXAMPLES / name) in words else [str(EXAMPLES / name)]
    assert main([command, *files, *words, "--json"]) in (0, None)
    assert json.loads(capsys.readouterr().out)["format"] == "howsure/1"


def test_the_sources_are_what_was_published() -> None:
    assert len(SOURCES) == 12  # the help of the toolbox is in no paper
    by_name = {case.lower(): CASES[case] for case in CASES}
    for name in SOURCES:
        assert read(EXAMPLES / name).confusion.counts.tolist() == by_name[name.removesuffix(".csv")]["matrix"]


def test_the_script_writes_them_again(tmp_path: Path) -> None:
    script = (EXAMPLES / "make_sources.py").read_text(encoding="utf-8")
    (tmp_path / "examples").mkdir()
    (tmp_path / "tests/reference").mkdir(parents=True)
    published = EXAMPLES.parent / "tests/reference/published.json"
    (tmp_path / "tests/reference/published.json").write_bytes(published.read_bytes())
    (tmp_path / "examples/make_sources.py").write_text(script, encoding="utf-8")
    subprocess.run([sys.executable, str(tmp_path / "examples/make_sources.py")], check=True, timeout=PATIENCE)
    made = sorted((tmp_path / "examples").glob("*.csv"))
    assert len(made) == 13
    assert all(path.read_bytes() == (EXAMPLES / path.name).read_bytes() for path in made)
