"""The section of benchmarks quotes rows of what was measured, and no other numbers."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
ROWS = re.compile(r"^\| (?!---).*\|$", re.MULTILINE)


def test_every_row_of_the_section_is_one_that_was_measured() -> None:
    _, _, section = (DOCS / "other-tools.md").read_text(encoding="utf-8").partition("\n## Benchmarks\n")
    quoted = ROWS.findall(section)
    written = set(ROWS.findall((DOCS / "benchmarks/measured.txt").read_text(encoding="utf-8")))
    assert len(quoted) >= 30
    assert [row for row in quoted if row not in written] == [], "copy these rows again"


def test_what_is_said_of_a_tool_has_a_date() -> None:
    page = (DOCS / "other-tools.md").read_text(encoding="utf-8")
    assert re.search(r"on 20\d\d-\d\d-\d\d", page)
