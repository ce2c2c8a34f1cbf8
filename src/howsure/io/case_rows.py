"""Rows of a list of cases as columns: each different text of a column once, and which of them a row has.

Rows in Python and rows that an engine has grouped are the same thing here; grouped ones are fewer, and each stands for
as many cases as it came.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from howsure.data.words import ABSTENTIONS, is_missing, word_of
from howsure.errors import InvalidFile, excerpt
from howsure.io.cells import NotACount, count_of, unasked
from howsure.io.names_in_files import SEVERAL_CLASSES, checked_label, multilabel, quoted
from howsure.io.reading import Request
from howsure.io.table import Line, Nested, Row, TextTable
from howsure.io.values import SCORE, is_fraction
from howsure.numerics.arrays import Booleans, Integers

__all__ = [
    "HEADER_AGAIN",
    "NEEDLESS_ROWS",
    "WEIGHT_ONE",
    "CellTally",
    "CodedRows",
    "Column",
    "check_names",
    "coded_rows",
    "fitted_rows",
    "together",
    "weight_one",
]

WEIGHT_ONE = re.compile(r"1(\.0*)?")

NEEDLESS_ROWS = "The choice of rows was not needed: the columns say which class is true and which predicted."

HEADER_AGAIN = (
    "the header comes a second time; were files put together? Leave it out of the rows, or give each file by itself: "
    "several are read as one table"
)

#: Rows that are taken apart into columns in one go.
_BLOCK = 2**14


@dataclass(eq=False)
class Column:
    """A column with each different text once.

    Parameters
    ----------
    texts : list of str
        In the order in which they come first.
    codes : ndarray of int, shape (rows,)
        Which of them each row has; -1 where it has none.

    Examples
    --------
    >>> column = Column([" ill", "ill", "NA"], np.array([0, 1, 2, 0]))
    >>> found = column.by(lambda text: None if text == "NA" else text.strip())
    >>> found.texts, found.codes.tolist(), column.first.tolist()
    (['ill'], [0, 0, -1, 0], [0, 1, 2])
    """

    texts: list[str]
    codes: Integers

    def by(self, rule: Callable[[str], str | None]) -> Column:
        """The same by a rule from text to text, None where there is none."""
        place: dict[str, int] = {}
        moved = [-1 if (text := rule(it)) is None else place.setdefault(text, len(place)) for it in self.texts]
        return Column(list(place), np.array([*moved, -1], dtype=np.int64)[self.codes])

    @property
    def first(self) -> Integers:
        """Row in which each text comes first; the number of rows where it comes in none."""
        found = np.full(len(self.texts) + 1, len(self.codes), dtype=np.int64)
        found[self.codes[::-1]] = np.arange(len(self.codes) - 1, -1, -1)
        return found[:-1]

    def among(self, names: Sequence[str]) -> Integers:
        """Place of each row's text among names; -1 where it has none of them."""
        place = {name: i for i, name in enumerate(names)}
        return np.array([*(place.get(text, -1) for text in self.texts), -1], dtype=np.int64)[self.codes]

    def cells(self) -> list[str | None]:
        """The text of each row."""
        found: list[str | None] = np.array([*self.texts, None], dtype=object)[self.codes].tolist()
        return found


#: Classifier ("" if there is no column), true and predicted label, and a judge's where there is one, as the file has
#: them.
Key = tuple[str, ...]


class CellTally(NamedTuple):
    """Cases by what the cells say, the line where each combination comes first, and whether a case has several rows."""

    cells: Mapping[Key, int]
    first: Mapping[Key, int]
    repeats: bool


def together(*codes: Integers) -> Integers:
    """One number for each combination of codes that comes."""
    key = codes[0]
    for other in codes[1:]:
        key = np.unique(key * (int(other.max(initial=0)) + 2) + other, return_inverse=True)[1]
    return key


@dataclass(eq=False)
class CodedRows:
    """Columns of a table, by their place in its header, and how many cases each row stands for.

    Parameters
    ----------
    table : TextTable
    columns : mapping of int to Column
    times : ndarray of int, shape (rows,)
    lines : ndarray of int, optional
        Line of each row; None where an engine has grouped them.
    files : list of (int, str)
        Of several files, the rows in which each begins.
    counted : (int, int), optional
        Rows and different ids, where an engine has counted them.
    """

    table: TextTable
    columns: Mapping[int, Column]
    times: Integers
    lines: Integers | None = None
    files: list[tuple[int, str]] = field(default_factory=list)
    counted: tuple[int, int] | None = None

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, at: int) -> Column:
        return self.columns[at]

    def line(self, row: int) -> int | None:
        """Line of a row, if it is known."""
        if self.lines is None:
            return None
        number = int(self.lines[row])
        file = bisect_right(self.files, row, key=lambda it: it[0])
        return Line(number, self.files[file - 1][1]) if file else number

    def fault(self, problem: str, row: int) -> InvalidFile:
        """The error for one row."""
        return self.table.fault(problem, self.line(row))

    def place(self, row: int) -> str:
        """Where a row is, within a sentence."""
        line = self.line(row)
        return "another row" if line is None else self.table.place(line)

    def codes(self, at: int | None, rule: Callable[[str], str | None] = str.strip) -> Integers:
        """Codes of a column by a rule; all 0 where it was not read."""
        found = None if at is None else self.columns.get(at)
        return np.zeros(len(self), dtype=np.int64) if found is None else found.by(rule).codes

    def classes(self, at: int, given: Collection[str] | None) -> Column:
        """Labels of a column of classes, none where one is missing that is not among the given ones.

        Raises
        ------
        InvalidFile
            What is no single text, too long for a label, or an error of a spreadsheet.
        """
        known = frozenset(given or ())
        for text, row in zip(self[at].texts, self[at].first.tolist(), strict=True):
            if isinstance(text, Nested):
                raise self.fault(f"{excerpt(text)} is no class; one text a case is expected", row)

        def rule(text: str) -> str | None:
            label = self.table.clean(text)
            return None if is_missing(label) and label not in known else label

        found = self[at].by(rule)
        for label, row in zip(found.texts, found.first.tolist(), strict=True):
            checked_label(self.table, label, self.line(row))
        return found

    def answers(self, at: int, truth: Column, given: Collection[str] | None) -> Column:
        """Labels of a column of answers; what says that nothing was decided, and is nobody's true class, is none."""
        found, true = self.classes(at, given), frozenset(truth.texts) | frozenset(given or ())
        return found.by(lambda text: None if word_of(text) in ABSTENTIONS and text not in true else text)

    def names(self, at: int, what: str, advice: str) -> Column:
        """Names in a column, which no row lacks: of the classifiers, the groups or the folds.

        Raises
        ------
        InvalidFile
            One is missing.
        """
        for text, row in zip(self[at].texts, self[at].first.tolist(), strict=True):
            if is_missing(self.table.clean(text)):
                raise self.fault(f"the {what} (column {excerpt(self.table.header[at], 40)}) is missing{advice}", row)
        return self[at].by(self.table.clean)

    def first_lines(self, columns: Iterable[Column], some: Booleans | None = None) -> dict[str, int]:
        """Line in which each text of columns comes first, in order; of some rows only."""
        first: dict[str, int] = {}
        for it in columns:
            codes = it.codes if some is None else np.where(some, it.codes, -1)
            for text, row in zip(it.texts, Column(it.texts, codes).first.tolist(), strict=True):
                if row < len(self):
                    first[text] = min(row, first.get(text, row))
        return {text: self.line(first[text]) or 0 for text in sorted(first, key=first.__getitem__)}

    def check_weights(self, at: int | None) -> None:
        """Refuse weights, unless all are 1."""
        if at is not None:
            for text, row in zip(self[at].texts, self[at].first.tolist(), strict=True):
                weight_one(self.table, at, text, self.line(row) or 0)

    def multiplied(self, at: int | None, what: Callable[[int], str]) -> None:
        """Let each row stand for as many cases as its count says.

        Raises
        ------
        InvalidFile
            No count; ``what`` names the count of a row.
        """
        if at is None:
            return
        counts = []
        for text, row in zip(self[at].texts, self[at].first.tolist(), strict=True):
            try:
                counts.append(count_of(text))
            except NotACount as reason:
                raise self.fault(f"{what(row)} {reason}", row) from None
        self.times = self.times * np.array(counts, dtype=np.int64)[self[at].codes]


def coded_rows(
    table: TextTable, places: Iterable[int | None], *, blank: bool = True, once: Collection[int] = ()
) -> CodedRows:
    """Read columns of a table row by row.

    Parameters
    ----------
    table : TextTable
    places : iterable of int or None
        Columns.
    blank : bool
        Whether a row of blank cells is a row.
    once : collection of int
        Columns that are kept as long as none of their texts comes again.

    Examples
    --------
    >>> rows = coded_rows(TextTable("x.csv", ["a", "b"], 1, iter([(2, ["x", "1"]), (3, ["y", "1"])])), [0, None])
    >>> rows[0].texts, rows[0].codes.tolist(), rows.line(1)
    (['x', 'y'], [0, 1], 3)
    """
    numbers: dict[int, defaultdict[str, int]] = {at: defaultdict() for at in {*places, *once} if at is not None}
    for known in numbers.values():
        known.default_factory = known.__len__  # a new text gets the next number
    codes: dict[int, list[Integers]] = {at: [] for at in numbers}
    lines: list[Integers] = []
    files: list[tuple[int, str]] = []
    rows, n = fitted_rows(table), 0
    while block := list(islice(rows, _BLOCK)):
        if not blank:
            block = [it for it in block if any(map(str.strip, it[1]))]
        for i, (line, _) in enumerate(block):
            if type(line) is Line and (not files or files[-1][1] != line.file):
                files.append((n + i, line.file))
        lines.append(np.array([line for line, _ in block], dtype=np.int64))
        n += len(block)
        for at, known in list(numbers.items()):
            cells = (row[at] for _, row in block)
            codes[at].append(np.fromiter(map(known.__getitem__, cells), np.int64, len(block)))
            if at in once and len(known) < n:
                del numbers[at]
    none = np.zeros(0, dtype=np.int64)
    columns = {at: Column(list(known), np.concatenate([none, *codes[at]])) for at, known in numbers.items()}
    return CodedRows(table, columns, np.ones(n, dtype=np.int64), np.concatenate([none, *lines]), files)


def fitted_rows(table: TextTable) -> Iterator[Row]:
    """Rows with as many cells as the header; a second header among them is refused."""
    width = len(table.header)
    own = width - (0 if table.origin is None else len(table.origin.parts))
    header, first = table.header[:own], len(table.header[0])
    for line, row in table.rows:
        cells = row if len(row) == width else table.fitted(row, line)
        # by its length first, which takes no time
        if len(cells[0]) == first and [table.clean(cell) for cell in cells[:own]] == header:
            raise table.fault(HEADER_AGAIN, line)
        yield line, cells


def weight_one(table: TextTable, at: int, cell: str, line: int) -> str:
    """Give a weight back if it is 1, and refuse any other."""
    text = cell.strip()
    if WEIGHT_ONE.fullmatch(text):
        return cell
    raise table.fault(unasked(table.header[at], "" if is_missing(text) else text), line or None)


def check_names(table: TextTable, names: Iterable[str], lines: Mapping[str, int], request: Request) -> None:
    """Refuse labels that are scores, that are several classes at once, or outside ``labels=``."""
    if request.labels is not None:
        odd = [name for name in names if name not in set(request.labels)]
        if odd:
            problem = f"the class {excerpt(odd[0])} is not among the labels {quoted(request.labels)}"
            raise table.fault(f"{problem}. Labels name every class.", lines[odd[0]])
        return
    names = list(names)
    if (several := multilabel(names)) is not None:
        raise table.fault(f"{excerpt(several)} {SEVERAL_CLASSES}", lines[several])
    for name in names:
        if is_fraction(name):
            raise table.fault(f"the class is {excerpt(name)}, {SCORE}", lines[name])
