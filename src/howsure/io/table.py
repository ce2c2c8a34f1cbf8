"""Delimited text as a header and a stream of rows, each with its line."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.util import find_spec
from itertools import chain, islice
from typing import Any, Literal, Self

import numpy as np

from howsure.data.labels import group_text
from howsure.data.refusals import refusal, say
from howsure.data.words import ITEM, OUTCOME, Role, cleaned, corner_rows, is_missing, role, word_of
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels, excerpt
from howsure.io.opening import LONGEST_LINE, Opened
from howsure.text.formats import integer, plain, several

Row = tuple[int, list[str]]


_TITLE = "If it is a title, remove it: the line below it looks like a header"


#: What says right or wrong where no truth stands beside it.
_MARKS = frozenset(["0", "1", "true", "false"])


class Nested(str):
    """A list or an object of JSON Lines, as text: it may stand in a column that is not read, and is no class."""

    __slots__ = ()


class Line(int):
    """A line of one of several files."""

    file: str

    def __new__(cls, number: int, file: str) -> Self:
        """Make it of its number and the name of its file."""
        made = super().__new__(cls, number)
        made.file = file
        return made


@dataclass(frozen=True)
class Origin:
    """Where the rows of a table are, for an engine that groups them there: files, or a frame.

    ``names`` are those of all columns as they are there, ``size`` the bytes of the files or the cells of the frame; of
    text ``delimiter`` sets cells apart, and ``skip`` is the number of lines up to and with the header. ``parts`` are
    columns that are in the names of the folders, and ``name`` is what the user calls it all.
    """

    files: tuple[str, ...]
    format: Literal["csv", "jsonl", "parquet", "frame"]
    names: tuple[str, ...] = ()
    size: int = 0
    delimiter: str = ""
    skip: int = 0
    packing: str = ""
    parts: tuple[str, ...] = ()
    frame: Any = None
    name: str = ""

    @property
    def weight(self) -> int:
        """About how many bytes it would be as text."""
        return self.size * (5 if self.packing or self.format in ("parquet", "frame") else 1)


#: Blank lines in succession, which cost as much time as rows; a sheet has as many.
MOST_BLANK = 2**20
#: Bytes of text from which an engine groups rows; its start alone takes as long as reading as many.
LARGE = 8 * 2**20


@dataclass
class TextTable:
    """A header and its rows, which are read once.

    ``source`` is what the user calls the file. The ``header`` is the cleaned cells of the line ``line``, or the keys of
    JSON Lines; ``rows`` are lines and cells, not yet cleaned, and ``clean`` gives the label in a cell. ``kind`` begins
    the layout ("JSON Lines " or ""); data with types have no lines, and count by "row" (``unit``). ``origin`` is where
    the same rows can be grouped by an engine, ``notes`` say what was left out on the way, ``written`` are the cells of
    the first line as they are written, where that is known (a number is no name), ``known`` the columns whose side the
    file itself says, as Orange does. ``head`` gives the first rows, where reading them from ``rows`` would read all.
    """

    source: str
    header: list[str]
    line: int
    rows: Iterator[Row]
    clean: Callable[[str], str] = cleaned
    kind: str = ""
    unit: Literal["line", "row"] = "line"
    origin: Origin | None = None
    notes: list[str] = field(default_factory=list)
    written: tuple[str, ...] = ()
    known: dict[int, Role] = field(default_factory=dict)
    head: Callable[[int], list[list[str]]] | None = None

    @property
    def names(self) -> list[str]:
        """What the columns are called where the rows are: as a text is read, as data with types have it."""
        return list(self.header if self.origin is None or self.origin.format == "csv" else self.origin.names)

    def peek(self, most: int) -> list[list[str]]:
        """The first rows, which stay to be read: those as long as the header, without blank ones."""
        if self.head is not None:
            return [row for row in self.head(most) if any(cell.strip() for cell in row)]
        try:
            rows = self.ahead(most)
        except InvalidFile as error:
            self.rows = _Refused(error)  # whoever reads on is told as well: an iterator that failed has no rows left
            raise
        width = len(self.header)
        return [row for _, row in rows if len(row) >= width and any(cell.strip() for cell in row)]

    def ahead(self, most: int) -> list[Row]:
        """The first rows as they are, which stay to be read."""
        rows = list(islice(self.rows, most))
        self.rows = chain(rows, self.rows)
        return rows

    @property
    def is_large(self) -> bool:
        """Whether an engine groups the rows sooner than Python reads them."""
        if self.origin is None or self.origin.weight <= LARGE:
            return False
        return self.origin.format == "frame" or find_spec("duckdb") is not None

    @property
    def is_grouped(self) -> bool:
        """Whether an engine groups the rows; Parquet is read by one in any case."""
        return self.is_large or (self.origin is not None and self.origin.format == "parquet")

    def fault(self, problem: str, line: int | None = None) -> InvalidFile:
        """The error for one row with its file and line, or for the header."""
        source = getattr(line, "file", self.source)
        if self.unit == "line":
            return InvalidFile(source, problem, self.line if line is None else line)
        return InvalidFile(source if line is None else f"{source}, row {line}", problem)

    def place(self, line: int) -> str:
        """Where a row is, within a sentence.

        Examples
        --------
        >>> TextTable("x.csv", [], 1, iter([])).place(3)
        'line 3'
        """
        file = getattr(line, "file", None)
        return f"{self.unit} {line}" + (f" of {file}" if file else "")

    def column(self, name: str) -> int:
        """Where a column is that the caller names; raises `InvalidArgument`."""
        at = [i for i, both in enumerate(zip(self.header, self.names, strict=False)) if name in both]
        if len(at) != 1:
            two = say("two_columns", excerpt(name), [name] * len(at))
            raise InvalidArgument(two if at else say("absent_in", "column", name, self.source, self.header))
        return at[0]

    def fitted(self, row: list[str], line: int) -> list[str]:
        """Cut or refuse a row, so that it has as many cells as the header; blank cells at its end do not count."""
        width = len(self.header)
        if len(row) > width and not any(cell.strip() for cell in row[width:]):
            return row[:width]
        if len(row) != width:
            raise self.fault(say("cells_in_row", several(len(row), "cell"), self.line, width), line)
        return row

    def filled(self) -> Iterator[Row]:
        """Rows with as many cells as the header, without blank ones, which a spreadsheet leaves at the end."""
        for line, row in self.rows:
            if any(map(str.strip, row)):
                yield line, self.fitted(row, line)

    def unrecognised(self) -> InvalidFile:
        """Make the error for a header that is none of those that are read."""
        below = [self.clean(cell) for cell in next(self.rows, (0, []))[1]]
        headed = any(corner_rows(it) is not None for it in below) or {"true", "pred"} <= set(map(role, below))
        title = f"{_TITLE}. " if headed else ""
        words = {word_of(cell) for cell in self.header}
        if {"model_a", "model_b", "winner"} <= words:
            return self.fault(say("votes_read"))
        said = {cell.lower() for title, cell in zip(self.header, below, strict=False) if word_of(title) not in ITEM}
        advice = "; or say which columns they are: y_true='COLUMN' and y_pred='COLUMN'."
        if words & ITEM and words & OUTCOME:
            advice = f". {say('repeats_read')} {say('marked_read')}"
        elif words & ITEM and said & _MARKS:
            advice += f" {say('marked_read')}"
        return self.fault(say("unrecognised", _shown(self.header), title + say("what_is_read") + advice))


def delimited(file: Opened) -> TextTable:
    """Table of a CSV or TSV file; the delimiter is that of the header line."""
    lines = file.lines()
    beginning: list[str] = []
    some = list(islice(lines, 1 + MOST_TITLES))
    if titles := _titles(some):
        shown = some[titles[0]].strip(" ,;\t\r\n")
        file.notes.append(f"Left out above the table: {excerpt(shown, 40)}.")
    # in their places, so that lines keep their numbers
    lines = chain(("\n" if i in titles else line for i, line in enumerate(some)), lines)
    for line in lines:
        if not beginning and re.fullmatch(r"sep=.\s*", line):
            # a spreadsheet's word to itself; the header shows the delimiter
            beginning.append("\n")
            continue
        beginning.append(line)
        # a header may go over several lines, inside quotes
        if _SOMETHING.search(line) and sum(part.count('"') for part in beginning) % 2 == 0:
            break
    delimiter = _delimiter("".join(beginning), file)
    rows = _records(chain(beginning, lines), delimiter, file.name)
    number, header = next((row for row in rows if any(map(str.strip, row[1]))), (1, []))
    names = tuple(header)
    header = [cleaned(cell) for cell in header]
    header[0] = header[0].removeprefix("# ")  # as savetxt of NumPy writes it
    while header and not header[-1]:
        header.pop()
    if len(header) < 2:
        raise InvalidFile(file.name, f"the header has {several(len(header), 'cell')}. {say('what_is_read')}.", number)
    origin = None
    rows, known = _orange(header, rows)
    rows = _without_remarks(rows, file.notes)
    if file.path is not None and file.is_grouped and not known:
        files = (file.path, *file.others)
        origin = Origin(files, "csv", names, file.size, delimiter, len(beginning), file.packing)
    return TextTable(file.name, header, number, rows, origin=origin, notes=file.notes, written=names, known=known)


#: What Orange writes in the second line below its header, the part of each column.
_PART = re.compile(r"(class|meta|ignore|i|m|weight|w|)(#\S*)?")


def _orange(header: list[str], rows: Iterator[Row]) -> tuple[Iterator[Row], dict[int, Role]]:
    """Rows without the two lines that Orange writes below its header, and the column of the class by them."""
    first = list(islice(rows, 2))
    again = chain(first, rows)
    if len(first) < 2 or any(len(row) > len(header) for _, row in first):
        return again, {}
    (_, kinds), (_, parts) = first
    kinds, parts = [cell.strip() for cell in kinds], [cell.strip() for cell in parts]
    if "class" not in parts or not {"continuous", "discrete", "string", "c", "d", "s"} & {*kinds}:
        return again, {}
    if not all(map(_PART.fullmatch, parts)):
        return again, {}
    return rows, {parts.index("class"): "true"}


def _titles(lines: Sequence[str]) -> list[int]:
    r"""The lines above a table, of one cell each, where its header is among the first lines; none where one is a side.

    Examples
    --------
    >>> _titles(["Results of 2024\n", "\n", "y_true,y_pred\n"]), _titles(["Predicted\n", ",cat,dog\n"])
    ([0], [])
    """
    titles: list[int] = []
    for at, line in enumerate(lines):
        cells = [cell.strip(' "') for cell in re.split("[,;\t]", line.strip()) if cell.strip(' "')]
        if len(cells) > 1:
            return titles
        if cells and (role(cells[0]) is not None or line.startswith("sep=") or line.count('"') % 2):
            return []
        titles += [at] if cells else []
    return []


#: How a remark below a table begins.
_REMARK = re.compile(r"\s*(note|notes|source|remark|quelle|anmerkung|\*|\u2020|#)", re.IGNORECASE)


def _without_remarks(rows: Iterator[Row], notes: list[str]) -> Iterator[Row]:
    """The rows without lines of one cell behind the last of them, below a blank line or with a word for a remark."""
    held: list[Row] = []
    last: int | None = None
    for line, row in rows:
        apart = last is not None and (line > last + 1 or bool(_REMARK.match(row[0])))
        if (held or apart) and len(row) == 1 and len(held) < MOST_TITLES:
            held.append((line, row))
        else:
            yield from held
            held.clear()
            last = line + sum(cell.count("\n") for cell in row)
            yield line, row
    if held:
        notes.append(f"Left out below the table: {excerpt(held[0][1][0].strip(), 40)}.")


#: What a line of blank cells, in quotes or not, has nothing of.
_SOMETHING = re.compile(r'[^\s,;"]')
#: Lines above a table, or below it, that are none of it.
MOST_TITLES = 10


def _delimiter(header: str, file: Opened) -> str:
    outside = re.sub(r'"[^"]*"', "", header)
    # a tab inside a label is rare, a comma or a semicolon is not: where there are tabs, they delimit
    if "\t" in outside.strip("\r\n"):
        return "\t"
    commas, semicolons = outside.count(","), outside.count(";")
    if not commas and not semicolons:
        shown = excerpt(header.strip(), 40)
        problem = f"one column only ({shown}), no comma, semicolon or tab"
        raise InvalidFile(file.name, f"{problem}. {say('what_is_read')}.", 1)
    return ";" if semicolons >= commas else ","


def _records(lines: Iterable[str], delimiter: str, source: str) -> Iterator[Row]:
    """Rows with the line they begin in; lines without any cell are passed over, at the end those of blank cells too."""
    # whatever fits into a line fits into a cell, as it does in the engine for large files
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    start, last = 1, 0
    # lines of delimiters alone, with their cells: behind the last row a spreadsheet left them, before it one is a case
    blank: list[tuple[int, int]] = []
    try:
        for row in reader:
            line, start = start, reader.line_num + 1
            if any(row) and any(map(str.strip, row)):
                last = line
                if blank:
                    yield from ((number, [""] * size) for number, size in blank)
                    blank.clear()
                yield line, row
            elif len(row) > 1:
                blank.append((line, len(row)))
            if line - last > MOST_BLANK:
                raise refusal(
                    source, "too_many", MOST_BLANK + 1, "blank lines in succession", MOST_BLANK, line=last + 1
                )
    except csv.Error as error:
        raise InvalidFile(source, _broken(str(error)), start) from None


def _broken(reason: str) -> str:
    if "unexpected end" in reason:
        return 'a quote (") is opened here and never closed; close it, or write a quote inside a cell twice ("")'
    if "field limit" in reason:
        limit = integer(csv.field_size_limit())
        return f'a cell above {limit} characters begins here; is a quote (") left open?'
    if "expected after" in reason:
        return 'text follows a closing quote ("); write a quote inside a quoted cell twice ("")'
    return f"no table line ({plain(reason, 100)})"


def _shown(header: list[str]) -> str:
    shown = ", ".join(plain(cell, 20) for cell in header[:8])
    return shown + (", ..." if len(header) > 8 else "")


class _Refused(Iterator[tuple[int, list[str]]]):
    """Rows of which the first is refused."""

    def __init__(self, error: InvalidFile) -> None:
        self._error = error

    def __next__(self) -> tuple[int, list[str]]:
        raise self._error


_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]*[1-9][0-9]*([eE][+-]?[0-9]+)?|[+-]?[0-9]+(\.[0-9]*)?[eE]-[0-9]+")


def value_text(value: Any) -> str:
    """Text of one value; "" where it is missing (None, NaN, NaT), and a `Nested` where it is no single value.

    Examples
    --------
    >>> [value_text(x) for x in ("ill", 1, 2.0, 0.5, True, None, float("nan"))]
    ['ill', '1', '2', '0.5', 'true', '', '']
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple | set | np.ndarray | Mapping):
        return Nested(json.dumps(value, default=str))
    if isinstance(value, float | np.floating | Decimal) and np.isinf(float(value)):
        return str(value)  # no class, and refused where one is wanted
    return group_text(value) or ""


def json_text(value: Any) -> str:
    """Text of one value that an engine gives as JSON.

    Examples
    --------
    >>> json_text('"ill"'), json_text("1.0"), json_text("null")
    ('ill', '1', '')
    """
    return value_text(json.loads(value)) if isinstance(value, str) else ""


def is_fraction(text: str) -> bool:
    """Whether a label is a number between two whole ones.

    Examples
    --------
    >>> is_fraction("0.7"), is_fraction("1.0"), is_fraction("v0.7")
    (True, False, False)
    """
    return _FRACTION.fullmatch(text) is not None


def class_text(labels: Iterable[str] | None, *, clean: Callable[[str], str] = cleaned) -> Callable[[Any], str | None]:
    """The rule from a cell of any table to its class, None where it is missing.

    Examples
    --------
    >>> rule = class_text(None)
    >>> rule(" ill "), rule(1.0), rule("1.0"), rule("NA"), rule(None)
    ('ill', '1', '1', None, None)
    """
    given = frozenset(labels or ())

    def rule(value: Any) -> str | None:
        found = value if type(value) is str else value_text(value)
        if isinstance(found, Nested):
            raise InvalidLabels(say("nested", found))
        label = clean(found)
        if label in given:
            return label
        if is_missing(label):
            return None
        if not given and is_fraction(label):
            raise InvalidLabels(say("score", label))
        return label

    return rule
