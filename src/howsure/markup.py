"""Tables of text for people: aligned, Markdown, HTML; whatever the cells hold, they stay cells."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["aligned", "escaped", "html_table", "markdown_table"]

Rows = Sequence[Sequence[str]]


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


def aligned(header: Sequence[str], rows: Rows) -> list[str]:
    """Lines of a table; the first and the last column flush left, numbers between them flush right.

    Examples
    --------
    >>> aligned(["", "mean", "law"], [["recall", "0.70", "exact"]])
    ['        mean  law', 'recall  0.70  exact']
    """
    table = [list(header), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if i in (0, last) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def markdown_table(header: Sequence[str], rows: Rows) -> list[str]:
    """Lines of a Markdown table, every cell escaped."""
    last = len(header) - 1
    lines = ["| " + " | ".join(map(escaped, header)) + " |"]
    lines.append("|" + "|".join(" --- " if i in (0, last) else " ---: " for i in range(len(header))) + "|")
    return lines + ["| " + " | ".join(map(escaped, row)) + " |" for row in rows]


def html_table(header: Sequence[str], rows: Rows) -> str:
    """An HTML table, every cell escaped; the first column holds headings of rows."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
