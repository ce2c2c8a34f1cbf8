"""The rows of a report as words: one table for terminal, Markdown, HTML and the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from howsure.text import formats

if TYPE_CHECKING:
    from howsure.reporting.report import Report, Row

__all__ = ["MOST_ROWS_SHOWN", "PREVALENCE_MARK", "Table", "Words", "shown_rows", "table", "words"]

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
    header = ("metric", "observed", "mean", name, *report.thresholds.heads, "MU", "P(> chance)", "shift", "law")
    return Table(header, tuple(_cells(row, report) for row in rows), left_out)


class Words(NamedTuple):
    """One row as text; everything that has digits is cut to those that its interval supports."""

    observed: str
    mean: str
    interval: str
    low: str
    high: str
    mu: str
    above_chance: str
    prior_shift: str
    law: str
    asked: tuple[str, ...]


def words(row: Row, report: Report) -> Words:
    """The numbers of a row in words; a row without an answer says so."""
    if row.mean is None or row.low is None or row.high is None or row.mu is None:
        return Words(
            formats.number(row.observed, 3),
            "no answer",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            report.thresholds.words(None, 0, None),
        )
    drawn = row.law == "drawn"
    places = formats.decimals(row.low, row.high, error=(row.error or 0.0) if drawn else 0.0)
    ends = formats.interval(row.low, row.high, places)
    return Words(
        observed=formats.number(row.observed, max(places, 3)),
        mean=formats.number(row.mean, places),
        interval=ends if row.interval == report.kind else f"{ends} ({row.interval})",
        low=formats.number(row.low, places),
        high=formats.number(row.high, places),
        mu=formats.number(row.mu, places),
        above_chance="" if row.p_above_chance is None else formats.probability(row.p_above_chance, row.draws),
        prior_shift="" if row.prior_shift is None else formats.number(row.prior_shift, 1),
        law=f"drawn ±{row.error:.1g}" if drawn else str(row.law),
        asked=report.thresholds.words(row.asked, places, row.draws),
    )


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
    """A row in the order of the header."""
    it = words(row, report)
    name = formats.plain(row.name) + (PREVALENCE_MARK if row.depends_on_prevalence else "")
    return (name, it.observed, it.mean, it.interval, *it.asked, it.mu, it.above_chance, it.prior_shift, it.law)
