"""What a terminal shows: every answer fitted to its width, and a report in colour, drawn with rich.

A file or a pipe gets text as wide as it is.
"""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

import typer

from howsure.cli.keywords_as_options import as_options
from howsure.text.formats import isolated
from howsure.text.text_table import within, wrapped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from howsure.reporting.report import Report
    from howsure.text.text_table import Table

__all__ = ["fitted", "remark", "say", "show"]

#: What a narrow terminal can do without, least missed first; the name, the mean and the interval always stay.
EXPENDABLE = ("prior effect", "MU", "P(> chance)", "observed", "method")


def say(answer: object, *, error: bool = False) -> None:
    """Print text, or an answer as text: on a terminal within its width."""
    typer.echo(fitted(answer, sys.stderr if error else sys.stdout), err=error)


def remark(*notes: str) -> None:
    """Say beside the answer, on standard error, how its cases were read."""
    for note in notes:
        say(f"note: {note}", error=True)


def fitted(answer: object, stream: TextIO) -> str:
    """An answer as text, as the stream can show it, its notes in words of the command line."""
    if not stream.isatty():
        return _in_options(str(answer))
    room = get_terminal_size().columns
    with within(room):
        return wrapped(_in_options(str(answer)), room)


def _in_options(text: str) -> str:
    """The text with keywords of the library as options in its notes; what they quote stays.

    Examples
    --------
    >>> _in_options("note: groups='these' answers for new cases of the same groups")
    'note: --groups these answers for new cases of the same groups'
    """
    return "\n".join(as_options(line) if line.startswith("note: ") else line for line in text.split("\n"))


def show(report: Report, console: Console | None = None) -> None:
    """Print verdict, table, warnings and notes; labels are shown as text, never as markup."""
    from rich.console import Console
    from rich.text import Text

    screen = console or Console(highlight=False)
    sheet = report.sheet()
    shown = sheet.table
    screen.print(Text(isolated(report.verdict), style="bold"))
    screen.print(Text(isolated(str(sheet.about)), style="dim"))
    keep = list(shown.columns)
    dropped: list[str] = []
    for column in map(shown.header.index, EXPENDABLE):
        # a cell is shown whole or not at all: half a number is a wrong number
        if sum(_width(shown, i) + 3 for i in keep) <= screen.width:
            break
        if column in keep:
            keep.remove(column)
            dropped.append(shown.header[column])
    screen.print(grid(shown, keep), no_wrap=True, crop=False, overflow="ignore")
    if dropped:
        screen.print(Text(f"A wider terminal, or a pipe, also shows: {', '.join(dropped)}.", style="dim"))
    if sheet.left_out:
        screen.print(Text(sheet.left_out, style="dim"))
    for warning in report.warnings:
        screen.print(Text.assemble(("warning ", "bold yellow"), isolated(warning)))
    for note in report.notes:
        screen.print(Text.assemble(("note ", "bold cyan"), isolated(as_options(note))))
    for line in sheet.foot:
        screen.print(Text(line, style="dim"))
    for beside in (report.classical, report.wrong_labels):
        if beside is not None:
            with within(screen.width):
                screen.print(Text(f"\n{wrapped(str(beside), screen.width)}"))


def grid(shown: Table, keep: list[int]) -> RichTable:
    """Some columns of the table; every cell on one line."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for i in keep:
        made.add_column(
            Text(shown.header[i]),
            justify="left" if shown.header[i] in ("metric", "method") else "right",
            no_wrap=True,
            min_width=_width(shown, i),
        )
    for row in shown.rows:
        made.add_row(*(Text(isolated(row[i]), style="bold" if i == 3 else "") for i in keep))
    return made


def _width(shown: Table, column: int) -> int:
    return max(len(shown.header[column]), *(len(row[column]) for row in shown.rows))
