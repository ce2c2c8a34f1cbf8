"""One table with a headline, as text, Markdown and HTML: what every small answer prints as."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

__all__ = ["Record", "Sheet", "escaped"]


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


@dataclass(frozen=True)
class Sheet:
    """A headline, one table of text, and the sentences below it.

    Parameters
    ----------
    headline : str
        The answer in one sentence; safe to print.
    header : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        Cells; the first one names the row.
    notes : tuple of str
        Assumptions and explanations, a sentence or two each.

    Examples
    --------
    >>> print(Sheet("Two rows.", ("name", "mean"), (("a", "0.5"), ("bb", "0.25")), ("That is all.",)).text())
    Two rows.
    <BLANKLINE>
    name  mean
    a      0.5
    bb    0.25
    <BLANKLINE>
    That is all.
    """

    headline: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """Plain text, columns aligned."""
        lines = [self.headline, ""]
        table = self._kept((self.header, *self.rows))
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            first, *rest = (
                cell.rjust(width) if i else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  ".join((first, *rest)).rstrip())
        return "\n".join([*lines, "", *self.notes]).rstrip()

    def markdown(self) -> str:
        """Markdown, safe to paste."""
        header, *rows = self._kept((self.header, *self.rows))
        lines = [f"**{escaped(self.headline)}**", "", "| " + " | ".join(map(escaped, header)) + " |"]
        lines.append("| --- |" + " ---: |" * (len(header) - 1))
        lines += ["| " + " | ".join(map(escaped, row)) + " |" for row in rows]
        for note in self.notes:
            lines += ["", escaped(note)]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """HTML fragment without style or script, everything escaped."""
        header, *rows = self._kept((self.header, *self.rows))
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
        body = "".join(
            f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(c)}</td>" for c in row[1:]) + "</tr>"
            for row in rows
        )
        below = "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<section><p><strong>{escape(self.headline)}</strong></p>{table}{below}</section>"

    def _kept(self, table: tuple[tuple[str, ...], ...]) -> list[tuple[str, ...]]:
        """Without columns that say nothing."""
        keep = [i for i in range(len(self.header)) if i == 0 or any(row[i] for row in self.rows)]
        return [tuple(row[i] for i in keep) for row in table]


class Record:
    """An answer that shows itself as a sheet; a frozen record inherits its text, Markdown and HTML from here."""

    def sheet(self) -> Sheet:
        """The answer as cells of text."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Markdown with a table, for a pull request or a README."""
        return self.sheet().markdown()

    def __str__(self) -> str:
        return self.sheet().text()

    def __repr__(self) -> str:
        return self.sheet().headline

    def _repr_html_(self) -> str:
        return self.sheet().html()
