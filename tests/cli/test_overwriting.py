"""What is read is never written over, and what cannot be written is said before anything is computed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.test_cli import complaint, howsure
from tests.patience import PATIENCE

CASES = "id,y_true,y_pred\n1,a,a\n2,b,b\n3,a,b\n"
WRITING = ["report", "compare", "rank", "log", "plan", "count"]
LOG = '{"id": 1, "right": true}\n{"id": 2, "right": false}\n{"id": 3, "right": true}\n'


@pytest.fixture
def there(tmp_path: Path) -> Path:
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(CASES)
    (tmp_path / "pilot.csv").write_text("true\\pred,a,b\na,26,3\nb,2,6\n")
    (tmp_path / "log.jsonl").write_text(LOG)
    return tmp_path


def command(name: str, there: Path) -> list[str]:
    """A command that answers, with its input last."""
    if name in ("compare", "rank"):
        return [name, str(there / "two.csv"), str(there / "one.csv")]
    if name == "log":
        return [name, "--field", "right", str(there / "log.jsonl")]
    if name == "plan":
        return [name, "accuracy", "--width", "0.2", "--pilot", str(there / "pilot.csv")]
    return [name, str(there / "one.csv")]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
from howsure.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(*arguments: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    asked = [sys.executable, "-m", "howsure", *arguments]
    if shell:
        asked = ["sh", "-c", f'"$0" "$@" {shell}', *asked]
    return subprocess.run(asked, capture_output=True, text=True, check=False, timeout=PATIENCE)


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize(("name", "ending"), [("report", "csv"), ("report", "svg"), ("count", "csv"), ("plan", "html")])
def test_a_full_disk_leaves_the_old_file(there: Path, name: str, ending: str) -> None:
    old = there / f"old.{ending}"
    old.write_text("old")
    before = contents(there)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, *command(name, there), "-o", str(old)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 2, ran.stderr
    assert "it cannot be written (File too large; the old" in " ".join(ran.stderr.split())
    assert contents(there) == before


@pytest.mark.full
@pytest.mark.sweep(2)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("name", WRITING)
def test_a_full_standard_output_is_said(there: Path, name: str) -> None:
    ran = run(*command(name, there), shell="> /dev/full")
    assert ran.returncode == 2
    said = "howsure: standard output cannot be written (No space left on device); the answer is not complete"
    assert ran.stderr.splitlines()[-1] == said
    assert "Traceback" not in ran.stderr


@pytest.mark.full
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_or_closed_stream_never_ends_in_a_traceback(there: Path) -> None:
    asked = command("report", there)
    ran = run(*asked, shell=">&-")
    assert (ran.returncode, ran.stderr) == (2, "howsure: standard output is closed; redirect it (> FILE)\n")
    assert run("report", "absent.csv", shell="2> /dev/full").returncode == 2
    assert run(*command("count", there), shell="> /dev/full 2> /dev/full").returncode == 2


def test_counts_do_not_go_where_the_next_count_reads(there: Path) -> None:
    (there / "data").mkdir()
    (there / "data" / "a.csv").write_text(CASES)
    before = contents(there)
    for option in ("-o", "--append"):
        inside = complaint(howsure("count", str(there / "data"), option, str(there / "data" / "x.json")))
        assert "which is read; write to another place" in inside
        assert "write to another place" in complaint(
            howsure("count", f"{there}/data/*", option, str(there / "data" / "x.json"))
        )
        taken = complaint(howsure("count", str(there / "one.csv"), option, str(there / "one.csv")))
        assert ("--out" if option == "-o" else option) in taken
    both = howsure("count", str(there / "one.csv"), "--append", f"{there}/s.json", "-o", f"{there}/s.json")
    assert "--out" in complaint(both)
    assert "its name ends in .json" in complaint(
        howsure("count", str(there / "one.csv"), "--append", str(there / "state"))
    )
    assert contents(there) == before


def test_a_log_that_grew_is_refused_on_the_command_line(there: Path) -> None:
    log, state = there / "one.csv", there / "state.json"
    asked = ["count", str(log), "--append", str(state)]
    assert howsure(*asked).returncode == 0
    assert "nothing added: this batch is in it already" in howsure(*asked).stderr
    text = state.read_text()
    with log.open("a") as file:
        file.write("4,b,a\n")
    assert "one.csv was counted before, in the batch" in howsure(*asked).stderr
    assert howsure(*asked).returncode == 2
    assert state.read_text() == text
    assert howsure(*asked, "--batch", "all new").returncode == 0
