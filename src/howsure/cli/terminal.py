"""A report in colour, for a terminal; the same cells as everywhere, drawn with rich."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from howsure.report import Report
from howsure.report.table import table
from howsure.report.text import about, footnote

__all__ = ["show"]


def show(report: Report, console: Console | None = None) -> None:
    """Print verdict, table, warnings and notes; labels are shown as text, never as markup."""
    screen = console or Console(highlight=False)
    shown = table(report)
    screen.print(Text(report.verdict, style="bold"))
    screen.print(Text(about(report), style="dim"))
    grid = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    keep = [i for i in range(len(shown.header)) if i == 0 or any(row[i] for row in shown.rows)]
    for i in keep:
        grid.add_column(
            Text(shown.header[i]), justify="left" if i in (0, keep[-1]) else "right", no_wrap=i != 0, overflow="fold"
        )
    for row in shown.rows:
        grid.add_row(*(Text(row[i], style="bold" if i == 3 else "") for i in keep))
    screen.print(grid)
    if shown.left_out:
        screen.print(Text(shown.left_out, style="dim"))
    for warning in report.warnings:
        screen.print(Text.assemble(("warning ", "bold yellow"), warning))
    for note in report.notes:
        screen.print(Text.assemble(("note ", "bold cyan"), note))
    screen.print(Text(footnote(report), style="dim"))
