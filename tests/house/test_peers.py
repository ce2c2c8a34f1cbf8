"""The page about other tools quotes rows of the benchmarks, and no other numbers."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
ROWS = re.compile(r"^\| (?!---).*\|$", re.MULTILINE)


def test_every_measured_row_is_one_of_the_benchmarks() -> None:
    page = (DOCS / "peers.md").read_text(encoding="utf-8")
    quoted = ROWS.findall(page.partition("## Measured")[2])
    written = set(ROWS.findall((DOCS / "benchmarks.md").read_text(encoding="utf-8")))
    assert len(quoted) >= 20
    assert [row for row in quoted if row not in written] == [], "copy these rows again from docs/benchmarks.md"


def test_what_is_said_of_a_tool_has_a_date() -> None:
    page = (DOCS / "peers.md").read_text(encoding="utf-8")
    assert re.search(r"on 20\d\d-\d\d-\d\d", page)
