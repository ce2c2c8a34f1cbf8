"""Cells of text in rows, for every place that shows them: terminal, Markdown, HTML and CSV."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from howsure.errors import visible
from howsure.files.words import guarded

__all__ = ["Table", "breadth", "csv_text", "escaped"]


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
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


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

    def text(self) -> str:
        """Aligned plain text, one line a row."""
        shown = [[visible(cell) for cell in row] for row in (self.header, *self.rows)]
        keep = self.columns
        widths = {i: max(breadth(row[i]) for row in shown) for i in keep}
        left = {0, *self.words}

        def padded(text: str, i: int) -> str:
            space = " " * (widths[i] - breadth(text))
            return text + space if i in left else space + text

        return "\n".join("  ".join(padded(row[i], i) for i in keep).rstrip() for row in shown)

    def markdown(self) -> str:
        """Pipe table of GitHub."""
        left = {0, *self.words}
        lines = [_piped([escaped(visible(self.header[i])) for i in self.columns])]
        lines.append("|" + "|".join(" --- " if i in left else " ---: " for i in self.columns) + "|")
        lines += [_piped([escaped(visible(row[i])) for i in self.columns]) for row in self.rows]
        return "\n".join(lines)

    def html(self) -> str:
        """A table element; every cell escaped."""
        head = "".join(f'<th scope="col">{escape(self.header[i])}</th>' for i in self.columns)
        body = "".join(
            f'<tr><th scope="row">{escape(visible(row[0]))}</th>'
            + "".join(f"<td>{escape(visible(row[i]))}</td>" for i in self.columns[1:])
            + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def csv_text(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""CSV whose texts no spreadsheet takes for formulas; numbers stay numbers in full, None is an empty cell.

    Examples
    --------
    >>> csv_text(["name", "score"], [["=1+1", -0.25], ["b", None]])
    "name,score\r\n'=1+1,-0.25\r\nb,\r\n"
    """
    made = io.StringIO()
    writer = csv.writer(made)
    for row in (header, *rows):
        writer.writerow([guarded(x) if isinstance(x, str) else "" if x is None else x for x in row])
    return made.getvalue()


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
