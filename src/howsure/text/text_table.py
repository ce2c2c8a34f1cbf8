"""Tables as text: columns of cells, and a confusion matrix."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import visible
from howsure.text import formats
from howsure.text.formats import guarded
from howsure.text.svg import grid

# -- A confusion matrix on a page: as aligned text, as an HTML table, and as a picture ---------------------------------


#: Above this many classes nobody reads the numbers; above the second, nobody sees the cells.
MOST_IN_FULL, MOST_DRAWN = 20, 100
#: Characters of a name.
LONGEST = 40
CAPTION = "Confusion matrix: rows are the true class, columns the predicted class"


def text_grid(rows: Sequence[str], columns: Sequence[str], counts: NDArray[Any]) -> str:
    """Rows of truth, columns of prediction, aligned."""
    down, across = ([formats.plain(label, LONGEST) for label in labels] for labels in (rows, columns))
    table = tuple((label, *map(formats.cases, row)) for label, row in zip(down, counts.tolist(), strict=True))
    return formats.isolated(Table(("true\\pred", *across), table).text())


def html_grid(rows: Sequence[str], columns: Sequence[str], counts: NDArray[Any]) -> str:
    """The same as a table with headers and a caption, everything escaped."""
    head = "".join(f'<th scope="col">{escape(formats.plain(label, LONGEST))}</th>' for label in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(formats.plain(label, LONGEST))}</th>'
        + "".join(f"<td>{formats.cases(count)}</td>" for count in row)
        + "</tr>"
        for label, row in zip(rows, counts.tolist(), strict=True)
    )
    return f"<table><caption>{CAPTION}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"


def picture_grid(labels: Sequence[str], counts: NDArray[Any]) -> str:
    """The same as SVG: blue is right, orange wrong, darker a larger share of its row."""
    names = [formats.plain(label, 22) for label in labels]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    words = [[formats.cases(n, grouped=True) if n else "" for n in row] for row in counts.tolist()]
    down, across = "true class", "predicted class"
    return grid(shares.tolist(), words, names, names, down=down, across=across, title=CAPTION)


# -- Cells of text in rows, for every place that shows them: terminal, Markdown, HTML and CSV --------------------------

# Text is as wide as it is, for a file or a pipe. A terminal says how wide it is with `within`: then the rows of a wide
# table go over several lines, because half a number is a wrong number, and `wrapped` breaks sentences between words.


#: Columns of the terminal that is written to; None for a file or a pipe.
_ROOM: ContextVar[int | None] = ContextVar("howsure_room", default=None)
#: Whether long small print is left to --explain.
_BRIEF: ContextVar[bool] = ContextVar("howsure_brief", default=False)
#: Columns by which the further lines of a row are set in.
INDENT = 4
#: Fewest columns that a sentence is broken to below itself.
NARROWEST = 24
_ALIGNED = re.compile(r"(.*\S {2,}|\s*)(\S.*)")


def escaped(text: str) -> str:
    r"""Text that no Markdown renderer takes for markup, a table border, a link, HTML or a workflow command.

    Examples
    --------
    >>> escaped("a|b"), escaped("<b>"), escaped("plain_name@ill")
    ('a\\|b', '&lt;b>', 'plain\\_name@ill')
    """
    shown = text.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    for mark in "|`*_[]#!~$":
        shown = shown.replace(mark, "\\" + mark)
    return shown.replace("::", ":\u200b:")


def breadth(text: str) -> int:
    r"""Columns that a text takes on a terminal: two for a wide letter of East Asia, none for a mark on a letter.

    Examples
    --------
    >>> breadth("team"), breadth("\u65e5\u672c"), breadth("e\u0301")
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(x) > 0 or unicodedata.category(x) == "Cf" for x in text)


@contextmanager
def within(room: int) -> Iterator[None]:
    """Within this ``with``, text of tables is at most ``room`` columns wide, where its cells allow it."""
    token = _ROOM.set(room)
    try:
        yield
    finally:
        _ROOM.reset(token)


@contextmanager
def brief(yes: bool) -> Iterator[None]:
    """Within this ``with``, text leaves small print of more than two lines to the option --explain."""
    token = _BRIEF.set(yes)
    try:
        yield
    finally:
        _BRIEF.reset(token)


def explaining() -> bool:
    """Whether small print of any length is part of a text: everywhere but on the command line."""
    return not _BRIEF.get()


def wrapped(text: str, room: int) -> str:
    """Break long lines between words; words that are too long stay whole.

    Examples
    --------
    >>> print(wrapped("recall  What share of the true class was found.", 40))
    recall  What share of the true class was
            found.
    """
    return "\n".join(part for line in text.split("\n") for part in _broken(line, room))


def _broken(line: str, room: int) -> list[str]:
    """The parts of a line; the last of aligned columns goes on below itself."""
    found = _ALIGNED.fullmatch(line)
    if breadth(line) <= room or found is None:
        return [line]
    head, sentence = found.groups()
    if " " not in sentence:
        return [line]  # a number in a wide table
    indent = " " * breadth(head)
    if breadth(head) + NARROWEST > room:
        indent = " " * (len(line) - len(line.lstrip(" ")) + INDENT)
    lines = [head]
    for word in sentence.split():
        if lines[-1].strip() and breadth(f"{lines[-1]} {word}") > room:
            lines.append(indent)
        lines[-1] += word if lines[-1].endswith(" ") or not lines[-1] else f" {word}"
    return [each.rstrip() for each in lines]


@dataclass(frozen=True)
class Table:
    """A header and rows of cells; a column without anything in it is not shown.

    Parameters
    ----------
    header : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        Cells, as many in a row as in the header.
    words : frozenset of int
        Columns of words, set to the left; the first always is.

    Examples
    --------
    >>> print(Table(("name", "n"), (("a", "10"), ("bee", "7"))).text())
    name   n
    a     10
    bee    7
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int] = frozenset()

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns that say something."""
        return tuple(i for i in range(len(self.header)) if i == 0 or any(row[i] for row in self.rows))

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Aligned plain text, one line a row; several lines a row where a terminal is narrow (`within`)."""
        shown = [[visible(cell) for cell in row] for row in (self.header, *self.rows)]
        keep = self.columns
        widths = {i: max(breadth(row[i]) for row in shown) for i in keep}
        left = {0, *self.words}
        lines = _folded(widths, _ROOM.get())
        own = _ROOM.get() if lines[0] == [0] and len(lines) > 1 else None  # a long name has its own line

        def padded(text: str, i: int) -> str:
            space = " " * (widths[i] - breadth(text))
            return text + space if i in left else space + text

        made = []
        for row in shown:
            for number, line in enumerate(lines):
                text = "  ".join(padded(row[i], i) for i in line).rstrip()
                if number and text:
                    made.append(" " * INDENT + text)
                elif not number:
                    made += [text] if own is None else _broken(text, own) if text else []
        return "\n".join(made)

    def markdown(self) -> str:
        """Pipe table of GitHub."""
        left = {0, *self.words}
        lines = [_piped([escaped(visible(self.header[i])) for i in self.columns])]
        lines.append("|" + "|".join(" --- " if i in left else " ---: " for i in self.columns) + "|")
        lines += [_piped([escaped(visible(row[i])) for i in self.columns]) for row in self.rows]
        return "\n".join(lines)

    def html(self) -> str:
        """A table element; every cell escaped, columns of words with the class of that name."""
        kind = {i: ' class="words"' if i in self.words else "" for i in self.columns}
        head = "".join(f'<th scope="col"{kind[i]}>{escape(self.header[i])}</th>' for i in self.columns)
        body = "".join(
            f'<tr><th scope="row">{escape(visible(row[0]))}</th>'
            + "".join(f"<td{kind[i]}>{escape(visible(row[i]))}</td>" for i in self.columns[1:])
            + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _folded(widths: dict[int, int], room: int | None) -> list[list[int]]:
    """Columns of each line of a row: one line, or as many as the room asks for."""
    if room is None or sum(widths.values()) + 2 * (len(widths) - 1) <= room:
        return [list(widths)]
    lines: list[list[int]] = [[]]
    used = -2
    for i, width in widths.items():
        if lines[-1] and (used + 2 + width > room or (lines[-1] == [0] and widths[0] > room // 2)):
            lines.append([])
            used = INDENT - 2
        lines[-1].append(i)
        used += 2 + width
    return lines


def csv_text(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""CSV whose texts no spreadsheet takes for formulas; numbers stay numbers in full, None is an empty cell.

    Examples
    --------
    >>> csv_text(["name", "score"], [["=1+1", -0.25], ["b", None]])
    "name,score\n'=1+1,-0.25\nb,\n"
    """
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    for row in (header, *rows):
        writer.writerow([guarded(x) if isinstance(x, str) else "" if x is None else x for x in row])
    return made.getvalue()


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
