"""Examples in Markdown files are tests: Python sessions by Sybil, console sessions by running them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sybil import Example, Region, Sybil
from sybil.document import Document
from sybil.parsers.markdown import PythonCodeBlockParser

ROOT = Path(__file__).parent
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)


def console(document: Document) -> Iterator[Region]:
    """Blocks of ``console``, each a region that runs."""
    for match in CONSOLE.finditer(document.text):
        yield Region(match.start(), match.end(), match.group(1), run_console)


def run_console(example: Example) -> str | None:
    """Run every howsure command of a block; lines that follow ``$ howsure ...`` must be what it prints."""
    expected: list[str] = []
    printed: list[str] = []
    for line in example.parsed.splitlines():
        command = line.removeprefix("$ ").split("  # ")[0].split(" # ")[0].strip()
        if not command.startswith("howsure "):
            if printed:
                expected.append(line)
            continue
        if command.startswith("howsure serve"):
            served(command)
            continue
        run = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        if run.returncode:
            return f"{command!r} failed: {run.stderr}"
        if line.startswith("$ "):
            printed += run.stdout.rstrip().splitlines()
    if expected and expected != [line.rstrip() for line in printed]:
        return "the block does not show what the command prints:\n" + "\n".join(printed)
    return None


def served(command: str) -> None:
    """Start a command that goes on until it is stopped, and stop it when it says where it listens."""
    with subprocess.Popen(
        [sys.executable, "-m", *shlex.split(command), "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            said = process.stdout.readline() if process.stdout else ""
            assert "http://" in said, f"{command!r} says {said!r} instead of where it listens"
        finally:
            process.kill()


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=0), console], patterns=["*.md"], excludes=["tests/**"]
).pytest()
