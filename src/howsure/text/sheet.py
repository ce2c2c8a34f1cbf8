"""One table with a headline, as text, Markdown and HTML: what every small answer prints as."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from html import escape

from howsure.frozen import Answer
from howsure.text.formats import isolated, isolated_html
from howsure.text.text_table import Table, escaped

__all__ = ["Record", "Sheet"]


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

    @property
    def table(self) -> Table:
        """The cells."""
        return Table(self.header, self.rows)

    def text(self) -> str:
        """Plain text, columns aligned."""
        return isolated("\n".join([self.headline, "", self.table.text(), "", *self.notes]).rstrip())

    def markdown(self) -> str:
        """Markdown, safe to paste."""
        notes = "".join(f"\n{escaped(note)}\n" for note in self.notes)
        return isolated(f"**{escaped(self.headline)}**\n\n{self.table.markdown()}\n{notes}")

    def html(self) -> str:
        """HTML fragment without style or script, everything escaped."""
        below = "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes)
        head = f"<p><strong>{escape(self.headline)}</strong></p>"
        return isolated_html(f"<section>{head}{self.table.html()}{below}</section>")


class Record(Answer):
    """An answer that shows itself as a sheet; a frozen record inherits its text, Markdown and HTML from here."""

    @abstractmethod
    def sheet(self) -> Sheet:
        """The answer as cells of text."""

    def picture(self) -> str:
        """The answer as SVG, where it has a shape."""
        return ""

    def to_markdown(self) -> str:
        """Markdown with a table, for a pull request or a README."""
        return self.sheet().markdown()

    def __str__(self) -> str:
        return self.sheet().text()

    def __repr__(self) -> str:
        return self.sheet().headline

    def _repr_html_(self) -> str:
        return self.sheet().html() + self.picture()
