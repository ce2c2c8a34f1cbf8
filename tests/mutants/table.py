"""The table of faults, ``caught.toml``: which tests catch each fault, listed or made at random.

``python -m tests.mutants.table`` brings it up to date with the lists; `tests.mutants.random_faults` and
`tests.mutants` write what they have tried. What is judged of a survivor stands behind its outcome, by hand.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.mutants.faults import faults

__all__ = ["LISTED", "RANDOM", "noted", "table"]

FILE = Path(__file__).parent / "caught.toml"
HEAD = """\
# Which tests catch each fault: the tier, and the first test that fails. Written by python -m tests.mutants.table,
# python -m tests.mutants (listed faults, in copies of the tree) and python -m tests.mutants.random_faults.
# What was judged of a survivor is written behind it by hand: whether it changes an answer, and which.
"""
LISTED, RANDOM = "listed", "random"
#: Of a fault that no run since the table began has tried; all of them were caught on 2026-11-27.
UNTRIED = "not tried again since 2026-11-27, when full or deep tests caught it"


def table() -> dict[str, dict[str, str]]:
    """Both parts: a fault, and what became of it."""
    read = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {part: read.get(part, {}) for part in (LISTED, RANDOM)}


def noted(part: str, outcomes: Mapping[str, str]) -> None:
    """Write what became of some faults; listed faults that are there no more go, new ones come."""
    now = table()
    for fault, outcome in outcomes.items():
        before = now[part].get(fault, "")
        judged = before.partition("; ")[2] if outcome.startswith("survived") else ""
        now[part][fault] = f"{outcome}; {judged}" if judged else outcome
    named = (f"{fault.file} | {fault.breaks}" for fault in faults() if not fault.equivalent)
    now[LISTED] = {name: now[LISTED].get(name, UNTRIED) for name in named}
    lines = [HEAD]
    for name, rows in now.items():
        tiers = Counter(outcome.partition(": ")[0].partition(";")[0].partition(" ")[0] for outcome in rows.values())
        lines.append(f"\n# {', '.join(f'{tier} {number}' for tier, number in tiers.most_common())}\n[{name}]\n")
        lines += [f"{_text(fault)} = {_text(outcome)}\n" for fault, outcome in rows.items()]
    FILE.write_text("".join(lines), encoding="utf-8")


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


if __name__ == "__main__":
    noted(LISTED, {})
