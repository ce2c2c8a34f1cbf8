"""One answer everywhere: the page's server, the command line on the same input, and the code that it offers."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest
from tests.golden.numbers import alike, of_page, recorded
from tests.patience import PATIENCE
from tests.web.sample_questions import QUESTIONS
from typer.testing import CliRunner

import howsure as hs
from howsure.cli import main
from howsure.cli.program import app
from howsure.web import handle


@cache
def answered(name: str) -> dict[str, Any]:
    return handle(QUESTIONS[name])


class Called(NamedTuple):
    """How a line of the shell calls ``howsure``: where, with which arguments and what on standard input."""

    folder: str
    arguments: list[str]
    given: bytes


@pytest.fixture
def calls(tmp_path: Path) -> Callable[[str], Called]:
    """Runs a line with a ``howsure`` that only notes how it was called, once."""
    folder, noted = tmp_path / "bin", tmp_path / "noted"
    folder.mkdir()
    script = folder / "howsure"
    script.write_text(
        f"""#!/bin/sh
mkdir '{noted}' || exit 1
pwd > '{noted}/folder'
printf '%s\\0' "$@" > '{noted}/arguments'
cat > '{noted}/given'
"""
    )
    script.chmod(0o755)

    def run(line: str) -> Called:
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", line],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=PATIENCE,
            env={**os.environ, "PATH": path},
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        arguments = (noted / "arguments").read_text(encoding="utf-8").split("\0")[:-1]
        return Called((noted / "folder").read_text().rstrip("\n"), arguments, (noted / "given").read_bytes())

    return run


@pytest.mark.full
@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_command_prints_the_result(name: str, calls: Callable[[str], Called]) -> None:
    command = answered(name)["code"]["command"]
    assert command is not None
    called = calls(f"{command} --json")
    given, out = (io.TextIOWrapper(io.BytesIO(each), "utf-8") for each in (called.given, b""))
    with chdir(called.folder), mock.patch.object(sys, "stdin", given), redirect_stdout(out):
        assert main(called.arguments) == 0
    out.seek(0)
    printed = json.load(out)
    printed.pop("columns", None)  # how a file was read
    assert printed == json.loads(json.dumps(answered(name)["result"]))


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_python_code_gives_the_numbers(name: str) -> None:
    printed: list[Any] = []
    exec(answered(name)["code"]["python"], {"print": printed.append})
    answer = json.loads(json.dumps(answered(name), allow_nan=False))
    assert answer.keys() == {"result", "shown", "drawing", "code"}
    made, expected = printed[0].to_dict(), answer["result"]
    # how a file was read, and that the positive class came last, is no business of Python
    assert set(made.pop("notes", ())) <= set(expected.pop("notes", ()))
    assert json.loads(json.dumps(made)) == expected


#: Answers that take a second.
DEAR = ("plan, difference", "plan, detect")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.full if name in DEAR else ()) for name in QUESTIONS]
)
def test_an_answer_is_the_one_on_record(name: str) -> None:
    assert alike(of_page(answered(name)), recorded("requests")[name])


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
