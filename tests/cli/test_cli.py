"""The command line as a user meets it: real processes, exit status, one line on standard error."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from howsure.cli import main
from howsure.errors import MissingExtra

COCAINE = "true\\pred,high,low\nhigh,26,0\nlow,2,6\n"
ROOT = Path(__file__).parents[2]


def howsure(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run the command line inside this process, with streams of its own."""
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = main(list(arguments))
    shown = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        shown.append(stream.read())
    return subprocess.CompletedProcess(arguments, status, *shown)


def process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run it as a process of its own."""
    command = [sys.executable, "-m", "howsure", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, encoding="utf-8", check=False, cwd=ROOT, timeout=PATIENCE
    )


def answers(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, float]]:
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    rows = json.loads(done.stdout)["metrics"]
    return {"@".join(filter(None, (r["metric"], r["average"] or r["label"]))): r for r in rows}


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("howsure: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.full
def test_the_published_table_on_standard_input() -> None:
    rows = answers(process("report", "-", "--prior", "flat", "--json", stdin=COCAINE))
    assert (rows["recall@high"]["low"], rows["recall@high"]["high"]) == pytest.approx((0.89498, 1), abs=1e-5)
    assert (rows["recall@low"]["low"], rows["recall@low"]["high"]) == pytest.approx((0.43237, 0.94576), abs=1e-5)


@pytest.mark.full
def test_a_process_complains_like_a_call() -> None:
    done = process("report", "-", stdin="1,2\n3,4\n")
    assert complaint(done) == complaint(howsure("report", "-", stdin="1,2\n3,4\n"))


def test_without_the_command_line_extra_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from howsure.cli import main; sys.exit(main(['report', '-']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == f"howsure: {MissingExtra('The command line', 'cli')}\n"


@pytest.mark.full
def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m howsure report examples/digits.csv --json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_a_defect_is_a_line_not_a_traceback() -> None:
    code = (
        "import howsure.cli.program as app, howsure.cli as cli, sys\n"
        "def broken(*a, **k): raise RuntimeError('boom')\n"
        "app.app = broken\n"
        "sys.exit(cli.main(['report', '-']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.returncode == 70
    assert done.stderr == "howsure: a defect of howsure, RuntimeError: boom. HOWSURE_DEBUG=1 shows where.\n"
