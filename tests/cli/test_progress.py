"""A bar on a terminal, nothing in a pipe, and never in the answer."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from tests.patience import PATIENCE, ended

from howsure.cli import progress

pytestmark = pytest.mark.usefixtures("heard")


def terminal() -> tuple[int, int]:
    """Both ends of a terminal; a container may have none."""
    import pty

    try:
        return pty.openpty()
    except OSError as none:
        pytest.skip(f"needs a pseudo-terminal: {none}")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_comes_for_the_patient_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    before = set(threading.enumerate())
    with progress.watched("counting") as tell:
        for thread in set(threading.enumerate()) - before:
            if isinstance(thread, threading.Timer):
                thread.join(PATIENCE)
        tell(0.4)
        tell(1.0)
    shown = screen.getvalue()
    assert "counting" in shown
    assert "100%" in shown
    assert shown.endswith("\x1b[2K")  # the line is wiped


def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.watched("counting") as tell:
        tell(1.0)
    assert screen.getvalue() == ""


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_real_terminal_gets_the_bar_and_the_pipe_the_answer() -> None:
    ours, theirs = terminal()
    code = (
        "import howsure.cli.progress as p; p.PATIENCE = 0.0\n"
        "from howsure.cli import main; main(['report', 'examples/digits.csv', '--json', '--draws', '200000'])"
    )
    with (
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, env=os.environ | {"TERM": "xterm"}
        ) as process,
        ended(process),
    ):
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        assert process.stdout is not None
        answer = process.stdout.read()
    os.close(ours)
    assert b"reporting" in seen
    assert answer.startswith(b"{")
    assert b"reporting" not in answer


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_an_interrupted_count_is_one_line_and_no_bar(tmp_path: Path) -> None:
    base = tmp_path / "cases.duckdb"
    pytest.importorskip("duckdb").connect(str(base)).close()
    endless = "SELECT 'a' AS t, 'a' AS p FROM range(1000000000000)"
    ours, theirs = terminal()
    code = (
        "import sys, howsure.cli.progress as p; p.PATIENCE = 0.0\nfrom howsure.cli import main\n"
        f"sys.exit(main(['count', {str(base)!r}, '--query', {endless!r}, '--true', 't', '--pred', 'p']))"
    )
    with (
        subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=os.environ | {"TERM": "xterm"}) as process,
        ended(process),
    ):
        os.close(theirs)
        seen = b""
        while b"counting" not in seen:
            seen += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is closed
            while part := os.read(ours, 4096):
                seen += part
    os.close(ours)
    assert process.returncode == 130
    assert seen.endswith(b"\x1b[2Khowsure: interrupted\r\n")
