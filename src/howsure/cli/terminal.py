"""A report in colour, for a terminal; the same cells as everywhere, drawn with rich."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from howsure.report import Report
from howsure.report.table import Table, table
from howsure.report.text import about, footnote

__all__ = ["show"]

#: What a narrow terminal can do without, least missed first; the name, the mean and the interval always stay.
EXPENDABLE = (6, 4, 1, 5, 7)


def show(report: Report, console: Console | None = None) -> None:
    """Print verdict, table, warnings and notes; labels are shown as text, never as markup."""
    screen = console or Console(highlight=False)
    shown = table(report)
    screen.print(Text(report.verdict, style="bold"))
    screen.print(Text(about(report), style="dim"))
    keep = [i for i in range(len(shown.header)) if i == 0 or any(row[i] for row in shown.rows)]
    dropped: list[str] = []
    for column in EXPENDABLE:
        # a cell is shown whole or not at all: half a number is a wrong number
        if sum(_width(shown, i) + 3 for i in keep) <= screen.width:
            break
        if column in keep:
            keep.remove(column)
            dropped.append(shown.header[column])
    screen.print(grid(shown, keep), no_wrap=True, crop=False, overflow="ignore")
    if dropped:
        screen.print(Text(f"A wider terminal, or a pipe, also shows: {', '.join(dropped)}.", style="dim"))
    if shown.left_out:
        screen.print(Text(shown.left_out, style="dim"))
    for warning in report.warnings:
        screen.print(Text.assemble(("warning ", "bold yellow"), warning))
    for note in report.notes:
        screen.print(Text.assemble(("note ", "bold cyan"), note))
    screen.print(Text(footnote(report), style="dim"))
    if report.classical is not None:
        screen.print(Text(f"\n{report.classical}"), no_wrap=False)


def grid(shown: Table, keep: list[int]) -> RichTable:
    """Some columns of the table; every cell on one line."""
    made = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for i in keep:
        made.add_column(
            Text(shown.header[i]), justify="left" if i in (0, 7) else "right", no_wrap=True, min_width=_width(shown, i)
        )
    for row in shown.rows:
        made.add_row(*(Text(row[i], style="bold" if i == 3 else "") for i in keep))
    return made


def _width(shown: Table, column: int) -> int:
    return max(len(shown.header[column]), *(len(row[column]) for row in shown.rows))
