"""What a terminal shows: every answer fitted to its width, and a report in colour, drawn with rich.

A file or a pipe gets text as wide as it is.
"""

from __future__ import annotations

import re
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

from howsure.text.formats import isolated
from howsure.text.text_table import within, wrapped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from howsure.reporting.report import Report
    from howsure.text.text_table import Table

#: Keywords of the library that are options.
KEYWORDS = (
    *("missing", "labels", "positive", "prior", "model", "id", "by", "weight", "weights", "query", "cases", "new_test"),
    *("guess", "pilot", "mode", "concentration", "classes", "paired", "difference", "margin", "level", "seed", "draws"),
    *("entries", "shares", "judge", "verdicts", "order", "labels_from", "groups", "group", "folds", "repeat", "tries"),
    *("cost", "prevalence", "score", "width", "above", "below", "assurance", "threshold", "range"),
)
#: Of another name there.
RENAMED = {"y_true": "true", "y_pred": "pred"}
# not what is quoted: a file or a class may be called labels=; nor a name that goes on, such as a slice model=gpt; nor
# what stands in a list behind a comma, as in --guess recall=...,prevalence=...
_NAMES = "|".join(sorted((*KEYWORDS, *RENAMED), key=len, reverse=True))
_SAID = r" \(--[a-z-]+(?: [^()]*)?\)"  # the option beside the keyword
_KEYWORD = re.compile(
    rf"(?<!\w)'[^']*'|(?<![\w'\"=,-])({_NAMES})=(?:('[^']*'|\{{[^}}]*\}}|\(\d+, \d+\)|[\d.]+\b)({_SAID})?|(?![\w']))"
)
_ENTRY = re.compile(r"'(\w+)': ([^,}]*)(?:, )?")


#: What a narrow terminal can do without, least missed first; the name, the mean and the interval always stay.
EXPENDABLE = ("prior effect", "MU", "P(> chance)", "observed", "method")


def say(answer: object, *, error: bool = False) -> None:
    """Print text, or an answer as text: on a terminal within its width."""
    from typer import echo  # what is said of an installation without it takes words from here

    echo(fitted(answer, sys.stderr if error else sys.stdout), err=error)


def remark(*notes: str) -> None:
    """Say beside the answer, on standard error, how its cases were read."""
    for note in notes:
        say(f"note: {note}", error=True)


def said_beside(*lines: str) -> None:
    """Say on standard error what was counted, and how, in words of the command line."""
    for line in lines:
        say(as_options(line), error=True)


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


def show_report(report: Report, console: Console | None = None) -> None:
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


def as_options(message: str) -> str:
    """The message with every keyword as the option of the same name.

    Examples
    --------
    >>> as_options("count it with missing='wrong', or name the classes with labels=")
    'count it with --missing wrong, or name the classes with --labels'
    >>> as_options("say guess={'recall': 0.9, 'specificity': ...}.")
    'say --guess recall=0.9,specificity=....'
    >>> as_options("by='case no' (--by) keeps them, and of model=gpt there is nothing")
    "--by 'case no' keeps them, and of model=gpt there is nothing"
    >>> as_options("about these groups: groups='these' (--groups these).")
    'about these groups: --groups these.'
    >>> as_options("say --guess recall=...,specificity=...,prevalence=...")
    'say --guess recall=...,specificity=...,prevalence=...'
    >>> as_options("name the range: range=(1, 5)")
    'name the range: --range 1,5'
    >>> as_options("no prior named 'yes,positive=2'")
    "no prior named 'yes,positive=2'"
    """
    return _KEYWORD.sub(_option, message)


def _option(found: re.Match[str]) -> str:
    name, value, said = found.groups()
    if name is None:
        return found[0]
    option = f"--{RENAMED.get(name, name).replace('_', '-')}"
    if value is None:
        return option
    if value.startswith("{"):
        value = ",".join(f"{key}={it}" for key, it in _ENTRY.findall(value))
    if re.fullmatch(r"'\w+'", value):
        value = value.strip("'")
    value = re.sub(r"\((\d+), (\d+)\)", r"\1,\2", value)
    return f"{option} {value}{'' if said in (f' ({option})', f' ({option} {value})') else said or ''}"
