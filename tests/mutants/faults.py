"""Faults of one line that a tired maintainer could make, and the tests that must notice each.

They are listed in ``faults/ROOM.toml``. A line stands there as it is in its file, without its indentation.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

__all__ = ["SOURCE", "Fault", "faults", "places"]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "howsure"
LISTS = Path(__file__).parent / "faults"


class Fault(NamedTuple):
    """One line changed.

    Parameters
    ----------
    file : str
        Below ``src/howsure``.
    before, after : str
        The line as it is, and with the fault.
    breaks : str
        What goes wrong, in a few words.
    tests : tuple of str
        What pytest is given; empty for an equivalent fault.
    equivalent : str
        Why no test can tell the two lines apart; empty where one can.
    hangs : bool
        Whether the fault makes the tests run on: only then does the end of patience count as caught.
    """

    file: str
    before: str
    after: str
    breaks: str
    tests: tuple[str, ...] = ()
    equivalent: str = ""
    hangs: bool = False


def faults(part: str = "") -> list[Fault]:
    """All of them, or those whose file or line contains ``part``."""
    found = [
        Fault(**{**entry, "tests": tuple(entry.get("tests", ()))})
        for path in sorted(LISTS.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    ]
    return [fault for fault in found if part in fault.file or part in fault.before]


def places(fault: Fault, source: Path = SOURCE) -> list[int]:
    """Numbers, from 0, of the lines of its file that are the line before."""
    lines = (source / fault.file).read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines) if line.strip() == fault.before]
