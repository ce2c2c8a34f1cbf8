"""One answer everywhere: the page's server, the command line on the same input, and the code that it offers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE
from typer.testing import CliRunner

import howsure as hs
from howsure.cli.program import app
from howsure.web import handle
from howsure.web.sample_questions import QUESTIONS

ROOT = Path(__file__).parents[2]


@cache
def answered(name: str) -> dict[str, Any]:
    return handle(QUESTIONS[name])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which ``howsure`` is this one."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "howsure"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m howsure "$@"\n')
    script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.sweep(12)
@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_plain_json(name: str) -> None:
    assert json.loads(json.dumps(answered(name), allow_nan=False)).keys() == {"result", "shown", "drawing", "code"}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_command_prints_the_result(name: str, path: str) -> None:
    command = answered(name)["code"]["command"]
    assert command is not None
    done = subprocess.run(
        ["bash", "-c", f"{command} --json"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src")},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(answered(name)["result"]))


@pytest.mark.sweep(12)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_python_code_gives_the_numbers(name: str) -> None:
    printed: list[Any] = []
    exec(answered(name)["code"]["python"], {"print": printed.append})
    made, expected = printed[0].to_dict(), dict(answered(name)["result"])
    # how a file was read, and that the positive class came last, is no business of Python
    assert set(made.pop("notes", ())) <= set(expected.pop("notes", ()))
    assert json.loads(json.dumps(made)) == json.loads(json.dumps(expected))


def test_the_command_line_on_a_file_gives_the_result(tmp_path: Path) -> None:
    matrix = hs.ConfusionMatrix([[45, 5], [8, 42]], ["healthy", "ill"])
    file = tmp_path / "matrix.csv"
    file.write_text("true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n")
    done = CliRunner().invoke(app, ["report", str(file), "--json", "--prevalence", "ill=0.02"])
    request = {"verb": "report", "matrix": {"classes": list(matrix.labels), "counts": matrix.counts.tolist()},
               "prevalence": {"label": "ill", "share": 0.02}}  # fmt: skip
    assert json.loads(done.stdout) == handle(request)["result"]


def test_what_the_command_line_cannot_say_has_no_command() -> None:
    matrix = {"classes": ["a", "b"], "counts": [[5, 1], [2, 7]]}
    slashed = [{"name": "a/b", "matrix": matrix}, {"name": "c", "matrix": matrix}]
    assert handle({"verb": "compare", "classifiers": slashed})["code"]["command"] is None
