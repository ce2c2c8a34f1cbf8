"""One table with a headline and sentences around it, as text, Markdown and HTML: what every answer prints as."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Protocol, TypeVar

from howsure.answers.asking import Ask as Ask
from howsure.answers.fields import Keyed, csv_of
from howsure.errors import InvalidArgument, excerpt, listing, visible
from howsure.frozen import Answer
from howsure.laws import Kind
from howsure.text.formats import interval_name, isolated, isolated_html
from howsure.text.text_table import Table, csv_text, escaped, explaining

#: What is wrong with units where their sampling is not.
NOISE = {"case": "label noise", "battle": "careless votes"}


def covered(unit: str, noise: str = "") -> str:
    """What the numbers cover, and what not."""
    noise = noise or NOISE.get(unit, "wrong scores")
    return f"The numbers cover the sampling of {unit}s only; not {noise}, leakage or drift."


COVERS = covered("case")
#: Characters of small print that a command prints without --explain: two lines of a terminal.
SHORT = 200


@dataclass(frozen=True)
class Sheet:
    """A headline, one table of text, and the sentences around it.

    Parameters
    ----------
    headline : str
        The answer in one sentence; safe to print.
    header : tuple of str
        Names of the columns; none where the headline says it all.
    rows : tuple of tuple of str
        Cells; the first one names the row.
    notes : tuple of str
        Small print below everything: assumptions and explanations, a sentence or two each.
    about : str or tuple of str
        Above the table: the sentence about what was done, or the list of what the answer rests on.
    left_out : str
        Right below the table: which rows are not shown.
    below : tuple of str
        Further findings.
    warnings, remarks : tuple of str
        What would mislead a reader, and what helps one.
    words : frozenset of int
        Columns of words, as in a `Table`.
    covers : str
        What the numbers cover, and what not; it ends the small print, and is never left out.
    mark : str
        Sign before the headline, where colours and signs are at home: in Markdown.

    Examples
    --------
    >>> print(Sheet("Two rows.", ("name", "mean"), (("a", "0.5"), ("bb", "0.25")), ("That is all.",)))
    Two rows.
    <BLANKLINE>
    name  mean
    a      0.5
    bb    0.25
    <BLANKLINE>
    That is all.
    """

    headline: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    about: str | tuple[str, ...] = ()
    left_out: str = ""
    below: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    words: frozenset[int] = frozenset()
    mark: str = ""
    covers: str = ""

    @property
    def table(self) -> Table:
        """The cells."""
        return Table(self.header, self.rows, self.words)

    @property
    def small_print(self) -> tuple[str, ...]:
        """Assumptions and explanations, and what the numbers cover."""
        *before, last = self.notes or ("",)
        return tuple(filter(None, (*before, f"{last} {self.covers}".strip())))

    @property
    def foot(self) -> tuple[str, ...]:
        """The small print of a text: on the command line what is long is left to --explain."""
        if explaining() or not self.header or sum(map(len, self.small_print)) <= SHORT:
            return self.small_print
        return (f"{self.covers} --explain: what the columns mean.".strip(),)

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Plain text, columns aligned, sentences unwrapped (a terminal wraps them)."""
        above = [self.about] if isinstance(self.about, str) else self.about
        table = [self.table.text(), *([self.left_out] if self.left_out else []), ""] if self.header else []
        said = [*(f"WARNING: {line}" for line in self.warnings), *(f"note: {line}" for line in self.remarks)]
        return isolated("\n".join([self.headline, *above, "", *table, *self.below, *said, *self.foot]).rstrip())

    def markdown(self) -> str:
        """Markdown, safe to paste."""
        listed = "\n".join(f"- {escaped(line)}" for line in self.about)
        blocks = [
            f"{self.mark}**{escaped(self.headline)}**",
            escaped(self.about) if isinstance(self.about, str) else listed,
            self.table.markdown() if self.header else "",
            *map(escaped, (self.left_out, *self.below)),
            *(f"> **Warning:** {escaped(line)}" for line in self.warnings),
            *(f"> **Note:** {escaped(line)}" for line in self.remarks),
            *map(escaped, self.small_print),
        ]
        return isolated("\n\n".join(filter(None, blocks)) + "\n")

    def html(self) -> str:
        """HTML fragment without style or script, everything escaped."""
        about = "".join(f"<li>{_safe(line)}</li>" for line in self.about)
        parts = [
            f"<p><strong>{_safe(self.headline)}</strong></p>",
            f"<p>{_safe(self.about)}</p>" if isinstance(self.about, str) else f"<ul>{about}</ul>" if about else "",
            self.table.html() if self.header else "",
            *(f"<p>{_safe(line)}</p>" for line in (self.left_out, *self.below) if line),
            *(f"<p><strong>Warning:</strong> {_safe(line)}</p>" for line in self.warnings),
            *(f"<p>Note: {_safe(line)}</p>" for line in self.remarks),
            *(f"<p><small>{_safe(line)}</small></p>" for line in self.small_print),
        ]
        return isolated_html(f"<section>{''.join(parts)}</section>")


def _safe(text: str) -> str:
    return escape(visible(text))


class Record(Keyed, Answer):
    """An answer that shows itself as a sheet; a frozen record inherits its forms from here.

    Its fields stand in the line of its class (`howsure.answers.fields`): plain data and equality come from them.
    """

    _csv: ClassVar[str] = ""

    def __init_subclass__(cls, *, csv: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls._csv = csv or cls._csv

    @abstractmethod
    def sheet(self) -> Sheet:
        """The answer as cells of text."""

    def picture(self) -> str:
        """The answer as SVG, where it has a shape."""
        return ""

    def to_markdown(self) -> str:
        """Markdown with a table, for a pull request or a README."""
        return self.sheet().markdown()

    def to_csv(self) -> str:
        """CSV: the numbers of its rows in full where the class names them, else the cells of its table."""
        if not self._csv:
            return csv_text(self.sheet().header, self.sheet().rows)
        return csv_of(self._csv, self)

    def __str__(self) -> str:
        return self.sheet().text()

    def __repr__(self) -> str:
        return self.sheet().headline

    def _repr_html_(self) -> str:
        return self.sheet().html() + self.picture()


class _NamedRow(Protocol):
    """A row that has a name."""

    @property
    def name(self) -> str: ...


Row = TypeVar("Row", bound=_NamedRow)


def row_named(rows: Sequence[Row], name: object, what: str) -> Row:
    """The row of an answer that is called so."""
    for row in rows:
        if isinstance(name, str) and row.name == name:
            return row
    raise InvalidArgument(f"no {what} is called {excerpt(name)}; there are {listing([row.name for row in rows], 8)}")


class Answered(Record):
    """An answer that keeps how it was asked."""

    ask: Ask

    @property
    def level(self) -> float:
        """Of the intervals."""
        return self.ask.level

    @property
    def kind(self) -> Kind:
        """Of the intervals."""
        return self.ask.kind

    @property
    def draws(self) -> int:
        """Of what has no closed law."""
        return self.ask.draws

    @property
    def seed(self) -> int:
        """Of the draws."""
        return self.ask.seed

    @property
    def _interval_name(self) -> str:
        """What the intervals are called."""
        return interval_name(self.kind, self.level)
