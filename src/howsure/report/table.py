"""The rows of a report as cells of text: one table for terminal, Markdown and HTML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from howsure import formats

if TYPE_CHECKING:
    from howsure.report.report import Report, Row

__all__ = ["MOST_ROWS_SHOWN", "PREVALENCE_MARK", "Table", "shown_rows", "table"]

#: Above this many rows about classes, only the lowest ones are shown to people; JSON has all.
MOST_ROWS_SHOWN = 40
WORST = 10

#: Behind the name of a metric that depends on the prevalence.
PREVALENCE_MARK = " *"


@dataclass(frozen=True)
class Table:
    """Header, cells of text, and a sentence about rows that are not shown."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: str = ""


def table(report: Report) -> Table:
    """Cells for people; each number cut to the digits that its interval supports."""
    rows, left_out = shown_rows(report)
    name = formats.interval_name(report.kind, report.level)
    header = ("metric", "observed", "mean", name, "MU", "P(> chance)", "shift", "law")
    return Table(header, tuple(_cells(row, report) for row in rows), left_out)


def shown_rows(report: Report) -> tuple[list[Row], str]:
    """All rows, or with many classes the overall ones and the classes with the lowest means."""
    overall = [row for row in report.rows if row.label is None]
    classes = [row for row in report.rows if row.label is not None]
    if len(classes) <= MOST_ROWS_SHOWN:
        return list(report.rows), ""
    worst = sorted(classes, key=lambda row: (row.mean is None, row.mean))[:WORST]
    rest = len(classes) - WORST
    return (
        overall + worst,
        f"The {WORST} lowest of {len(classes)} class rows are shown; --json or .to_dict() has the other {rest}.",
    )


def _cells(row: Row, report: Report) -> tuple[str, ...]:
    name = formats.plain(row.name) + (PREVALENCE_MARK if row.depends_on_prevalence else "")
    if row.mean is None or row.low is None or row.high is None or row.mu is None:
        return (name, formats.number(row.observed, 3), "no answer", "", "", "", "", "")
    drawn = row.law == "drawn"
    places = formats.decimals(row.low, row.high, error=(row.error or 0.0) if drawn else 0.0)
    ends = formats.interval(row.low, row.high, places)
    if row.interval != report.kind:
        ends += f" ({row.interval})"
    better = "" if row.p_above_chance is None else formats.probability(row.p_above_chance, row.draws)
    shift = "" if row.prior_shift is None else formats.number(row.prior_shift, 1)
    law = f"drawn ±{row.error:.1g}" if drawn else str(row.law)
    return (
        name,
        formats.number(row.observed, max(places, 3)),
        formats.number(row.mean, places),
        ends,
        formats.number(row.mu, places),
        better,
        shift,
        law,
    )
