"""``howsure serve``: a process that answers this machine, and says what it needs."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.patience import PATIENCE, ended
from typer.testing import CliRunner

from howsure.cli.program import app
from howsure.errors import HowsureError, InvalidArgument, MissingExtra

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """The URL of a server that runs meanwhile."""
    pytest.importorskip("uvicorn", reason="the page's server needs howsure[web]")
    command = [sys.executable, "-m", "howsure", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            with ended(process):
                line = process.stdout.readline()
            yield line.split()[2]
        finally:
            process.terminate()
            said = process.communicate(timeout=PATIENCE)[1]
            assert "Traceback" not in said


@pytest.mark.full
def test_it_prints_its_url_and_answers_there() -> None:
    with serving() as url:
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{url}healthz", timeout=PATIENCE) as answer:
            assert json.load(answer)["status"] == "ok"
        body = json.dumps({"matrix": {"classes": ["a", "b"], "counts": [[5, 1], [2, 7]]}}).encode()
        asked = urllib.request.Request(f"{url}api/v1/report", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            assert json.load(answer)["result"]["n"] == 15


@pytest.mark.deep
def test_several_processes_share_one_port() -> None:
    with serving("--workers", "2") as url:
        for _ in range(4):
            with urllib.request.urlopen(f"{url}healthz", timeout=PATIENCE) as answer:
                assert answer.status == 200


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs /proc")
def test_no_other_address_is_listened_on() -> None:
    with serving() as url:
        port = int(url.rstrip("/").rpartition(":")[2])
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        listening = [line.split()[1] for line in lines if line.split()[3] == "0A"]
        assert [address for address in listening if int(address.partition(":")[2], 16) == port] == [
            f"0100007F:{port:04X}"
        ]


def refusal(*options: str) -> str:
    pytest.importorskip("uvicorn", reason="the page's server needs howsure[web]")
    done = CliRunner().invoke(app, ["serve", *options])
    assert isinstance(done.exception, HowsureError)
    return str(done.exception)


def test_other_machines_are_let_in_by_name_only() -> None:
    assert "--allow-host" in refusal("--host", "0.0.0.0")
    assert "without port or path" in refusal("--allow-host", "http://example.org/")
    assert "without port or path" in refusal("--allow-host", "example.org:80")


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "--port 0" in refusal("--port", str(taken.getsockname()[1]))


@pytest.mark.full
def test_without_the_extra_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['starlette'] = None; from howsure.cli import main; sys.exit(main(['serve']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == f"howsure: {MissingExtra('The page', 'web')}\n"


def test_the_usual_port_gives_way() -> None:
    pytest.importorskip("uvicorn", reason="the page's server needs howsure[web]")
    from howsure.web.server import listening, url_of

    with listening("127.0.0.1", None) as first, listening("127.0.0.1", None) as second:
        assert url_of(first) != url_of(second)
    with pytest.raises(InvalidArgument, match="cannot listen on 256"):
        listening("256.0.0.1", 0)
