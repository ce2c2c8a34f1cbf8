"""Blocks of ``console`` in the documents: what they show is what commands print, checked and written by the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.golden.corpus import ROOT, called

CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)


class CommandFails(Exception):
    """A command of a block is refused."""


def documents() -> list[Path]:
    """Those that show commands."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rewritten(block: str, serve: Callable[[str], None] = lambda command: None) -> str:
    """A block as its commands print now: lines that follow ``$ howsure ...`` are what it prints.

    Every command runs. A block that shows nothing of what is printed stays as it is.
    """
    lines: list[str] = []
    begun = shows = False
    for line in block.splitlines():
        command = line.removeprefix("$ ").split("  # ")[0].split(" # ")[0].strip()
        if not command.startswith("howsure "):
            shows |= begun
            lines += [] if begun else [line]
            continue
        lines.append(line)
        if command.startswith("howsure serve"):
            serve(command)
            continue
        status, printed, complaint = called(command)
        if status:
            raise CommandFails(f"{command!r} failed: {complaint}")
        if line.startswith("$ ") and printed:
            begun = True
            lines += [part.rstrip() for part in printed.rstrip().splitlines()]
    return "".join(f"{line}\n" for line in lines) if shows else block


def rewrite(document: Path) -> bool:
    """Write the blocks of a document again; whether one has changed."""
    text = document.read_text(encoding="utf-8")
    now = CONSOLE.sub(lambda block: f"```console\n{rewritten(block[1])}```", text)
    if now != text:
        document.write_text(now, encoding="utf-8")
    return now != text
