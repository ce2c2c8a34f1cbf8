"""A report as a small picture: its rows with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.reporting.report_cells import shown_rows
from howsure.text import formats
from howsure.text.svg import Row, forest

if TYPE_CHECKING:
    from howsure.reporting.report import Report

__all__ = ["picture"]


def picture(report: Report) -> str:
    """Forest of the rows that the table shows, as SVG."""
    rows = []
    for row in shown_rows(report)[0]:
        if row.mean is None or row.low is None or row.high is None:
            rows.append(Row(row.name, "no information"))
            continue
        places = formats.decimals(row.low, row.high, error=(row.error or 0.0) if row.law == "drawn" else 0.0)
        words = f"{formats.number(row.mean, places)} ({formats.interval(row.low, row.high, places)})"
        rows.append(Row(row.name, words, row.mean, row.low, row.high, row.observed, row.chance))
    kind = formats.interval_name(report.kind, report.level)
    title = f"Mean (dot), {kind} (line), observed value (tick) and chance (dashes) of {len(rows)} metrics"
    return forest(rows, title=title)
