"""Rows of a list of cases as columns: each different text of a column once, and which of them a row has.

Rows in Python and rows that an engine has grouped are the same thing here; grouped ones are fewer, and each stands for
as many cases as it came.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NoReturn

import numpy as np

from howsure.data.groups import Folds
from howsure.data.labels import Column, alike, in_order
from howsure.data.refusals import say
from howsure.data.words import GAPS, VERDICT, is_abstention, is_missing, is_summary, word_of
from howsure.errors import InvalidFile, excerpt
from howsure.io.assembly import checked_label, multilabel
from howsure.io.cells import NotACount, count_of
from howsure.io.reading import Request
from howsure.io.roles import Columns
from howsure.io.table import Line, Nested, Row, TextTable, is_fraction
from howsure.numerics.arrays import Booleans, Integers, bincount
from howsure.text.formats import integer, several

WEIGHT_ONE = re.compile(r"1(\.0*)?")

NEEDLESS_ROWS = "The choice of rows was not needed: the columns say which class is true and which predicted."

#: Classes of which each is compared with all others.
MOST_COMPARED = 200
#: Rows that are taken apart into columns in one go.
_BLOCK = 2**14


def together(*codes: Integers) -> Integers:
    """One number for each combination of codes that comes."""
    key = codes[0]
    for other in codes[1:]:
        key = np.unique(key * (int(other.max(initial=0)) + 2) + other, return_inverse=True)[1]
    return key


@dataclass(eq=False)
class CodedRows:
    """Columns of a table, by their place in its header, and how many cases each row stands for.

    ``lines`` are those of the rows, None where an engine has grouped them; ``files`` the rows in which each of several
    files begins, with its name.
    """

    table: TextTable
    columns: Mapping[int, Column]
    times: Integers
    lines: Integers | None = None
    files: list[tuple[int, str]] = field(default_factory=list)

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
        """Labels of a column of classes, none where one is missing that is not among the given ones."""
        known = frozenset(given or ())
        for text, row in zip(self[at].texts, self[at].first.tolist(), strict=True):
            if isinstance(text, Nested):
                raise self.fault(say("nested", text), row)

        def rule(text: str) -> str | None:
            label = self.table.clean(text)
            return None if is_missing(label) and label not in known else label

        found = self[at].by(rule)
        for label, row in zip(found.texts, found.first.tolist(), strict=True):
            checked_label(self.table, label, self.line(row))
        return found

    def truth(self, at: int, given: Collection[str] | None) -> Column:
        """Labels of the truth; "-", "?" and "." say that there is none, where two classes are left."""
        found = self.classes(at, given)
        gaps = GAPS.intersection(found.texts) - frozenset(given or ())
        return found.by(lambda text: None if text in gaps else text) if len(found.texts) > len(gaps) + 1 else found

    def answers(self, at: int, truth: Column, request: Request) -> Column:
        """Labels of a column of answers; what says that nothing was decided, and is nobody's true class, is none.

        A judge's "unsure" is a verdict like any other.
        """
        found = self.classes(at, request.labels)
        if request.missing == "estimate" or any(word_of(name) in VERDICT for name in self.table.header):
            return found
        if request.labels is None and len(found.texts) + len(truth.texts) < MOST_COMPARED:
            self._refuse_alike(found, truth)
        true = frozenset(truth.texts) | frozenset(request.labels or ())
        silent = {text for text in found.texts if text not in true and (text in GAPS or is_abstention(text))}
        if request.labels is None and len(truth.texts) == 2 and true & set(found.texts):
            silent |= self._never_true(found, truth, silent, request)
        return found.by(lambda text: None if text in silent else text)

    def _refuse_alike(self, found: Column, truth: Column) -> None:
        """Refuse a true class that is never predicted, where one that is nearly spelled so is."""
        for text in set(truth.texts) - set(found.texts):
            if twin := next((it for it in found.texts if alike((text, it))), None):
                row = int(truth.first[truth.texts.index(text)])
                raise self.fault(say("never_called", text, twin), row)

    def _never_true(self, found: Column, truth: Column, silent: Collection[str], request: Request) -> set[str]:
        """The answers that are neither of two true classes and count as missing."""
        odd = [text for text in found.texts if text not in truth.texts and text not in silent]
        if any(map(is_fraction, odd)) or multilabel({*found.texts, *truth.texts}):
            return set()  # scores and sets of classes, which are refused as such
        for text in odd:
            row = int(found.first[found.texts.index(text)])
            if twin := next((true for true in truth.texts if alike((text, true))), None):
                raise self.fault(say("nearly_true", text, twin), row)
            if request.missing == request.policy == "error":
                raise self.fault(
                    say("never_true", text, in_order(truth.texts), ",".join([*truth.texts, *odd[:3]])), row
                )
        return set(odd)

    def labels(self, at: int) -> list[str | None]:
        """Cleaned cell of each row; None where one says that there is nothing."""
        return self[at].by(lambda text: None if is_missing(found := self.table.clean(text)) else found).cells()

    def names(self, at: int, what: str) -> Column:
        """Names in a column, which no row lacks: of the classifiers, the groups or the folds."""
        for text, row in zip(self[at].texts, self[at].first.tolist(), strict=True):
            if is_missing(self.table.clean(text)):
                raise self.fault(
                    say("group_lacking" if what == "group" else "name_lacking", what, self.table.header[at]), row
                )
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
        """Let each row stand for as many cases as its count says."""
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
            raise table.fault(say("header_again"), line)
        yield line, cells


def weight_one(table: TextTable, at: int, cell: str, line: int) -> str:
    """Give a weight back if it is 1, and refuse any other."""
    text = cell.strip()
    if WEIGHT_ONE.fullmatch(text):
        return cell
    raise table.fault(say("weighted", table.header[at], "blank" if is_missing(text) else text), line or None)


def check_names(table: TextTable, names: Iterable[str], lines: Mapping[str, int], request: Request) -> None:
    """Refuse labels that are scores, that are several classes at once, or outside ``labels=``."""
    if request.labels is not None:
        odd = [name for name in names if name not in set(request.labels)]
        if odd:
            raise table.fault(say("outside", odd[0], request.labels), lines[odd[0]])
        return
    names = list(names)
    if (several := multilabel(names)) is not None:
        raise table.fault(say("several_classes", several), lines[several])
    for name in names:
        if is_fraction(name):
            raise table.fault(say("score", name), lines[name])


def in_repeats(columns: Columns, request: Request) -> bool:
    """Whether the answers of an id are one group, because a column of repeats tells them apart."""
    asked = request.repeat is not None or request.group is True
    free = columns.group is columns.fold is columns.count is None and request.missing != "estimate"
    return asked and free and columns.repeat is not None and columns.id is not None


def group_asked(columns: Columns, request: Request) -> int | None:
    """Column of the groups, where these are kept; None where there is none, or nobody asks."""
    if in_repeats(columns, request):
        return columns.id
    return None if request.group is None or request.missing == "estimate" else columns.group


@dataclass(eq=False)
class CaseUnits:
    """Ids, folds, repeats and groups of rows.

    Refused are an id that is blank or comes twice, in two groups, or with two true classes; a group or a fold that is
    missing; repeats without a column of ids.
    """

    rows: CodedRows
    columns: Columns
    request: Request
    groups: Column | None = field(init=False, default=None)
    _case: Integers | None = field(init=False, default=None)
    _ids: Column | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        rows, at = self.rows, self.columns
        if self.request.repeat is not None and at.id is None and at.fold is None:
            raise rows.table.fault(say("repeats_of_nothing", self.request.repeat))
        grouped = group_asked(at, self.request)
        self._model = rows.codes(at.model, rows.table.clean)
        self._fold, self._repeat = rows.codes(at.fold), rows.codes(at.repeat)
        if at.fold is not None:
            rows.names(at.fold, "fold")
        if at.id is not None and at.count is None and at.id in rows.columns:
            self._check_ids(rows[at.id].by(str.strip), grouped)
        if grouped is not None and grouped != at.id:
            rows.names(grouped, "group")
        if grouped is not None and (self.repeated or not self.in_repeats):
            self.groups = rows[grouped].by(rows.table.clean)

    def _check_ids(self, ids: Column, grouped: int | None) -> None:
        rows, at = self.rows, self.columns
        if odd := next((i for i, text in enumerate(ids.texts) if is_summary(text)), None):
            raise rows.fault(say("totals_row", "id", ids.texts[odd]), int(ids.first[odd]))
        self._case, self._ids = together(self._model, ids.codes), ids
        apart = at.fold is None and at.repeat is None and grouped is not None
        blank = np.flatnonzero(ids.codes == (ids.texts.index("") if "" in ids.texts else -1))
        _, first, which = np.unique(
            together(self._case, self._fold, self._repeat), return_index=True, return_inverse=True
        )
        again = np.flatnonzero(first[which] != np.arange(len(rows))) if not apart else blank
        odd = min((int(it[0]) for it in (blank, again) if len(it)), default=None)
        if odd is not None:
            self._refuse_id(ids.texts[ids.codes[odd]], int(first[which[odd]]), odd)
        truth = rows[at.true].by(str.strip)
        some = np.arange(len(rows))
        if at.fold is not None:
            missing = np.array([is_missing(rows.table.clean(text)) for text in truth.texts])
            some = some[~missing[truth.codes]]
            self._refuse_several(some, truth, "true class", ids)
        if grouped is not None:
            self._refuse_several(some, rows[grouped].by(str.strip), "group", ids)

    def _refuse_id(self, name: str, before: int, row: int) -> NoReturn:
        at, fault = self.columns, self.rows.fault
        if not name:
            raise fault(say("lacking", "the id"), row)
        parts = (("classifier", at.model), ("fold", at.fold), ("repeat", at.repeat))
        within = [what for what, place in parts if place is not None]
        where = f" (of one {' and '.join(within)})" if within else ""
        problem = f"the id {excerpt(name)} comes twice{where}, in {self.rows.place(before)} and here"
        if self.request.missing == "estimate":
            raise fault(f"{problem}; one label per item is counted, so settle several by majority first", row)
        raise fault(
            f"{problem}; {say('rows_of_one_id') if within in ([], ['classifier']) else 'each case is one row'}", row
        )

    def _refuse_several(self, some: Integers, values: Column, what: str, ids: Column) -> None:
        assert self._case is not None
        _, first, which = np.unique(self._case[some], return_index=True, return_inverse=True)
        before = some[first[which]]
        odd = np.flatnonzero(values.codes[some] != values.codes[before])
        if len(odd):
            here, there = int(some[odd[0]]), int(before[odd[0]])
            one, two = (values.texts[values.codes[row]] for row in (there, here))
            where = f" (in {self.rows.place(there)} and here)"
            raise self.rows.fault(say("two_values", ids.texts[ids.codes[here]], what, one, two, where), here)

    # -- ids that come again ------------------------------------------------------------------------------------

    @property
    def in_repeats(self) -> bool:
        """Whether the answers of an id are one group."""
        return in_repeats(self.columns, self.request)

    @property
    def repeated(self) -> bool:
        """Whether any id comes again."""
        rows, ids = self._rows_and_ids
        return ids < rows

    @property
    def _rows_and_ids(self) -> tuple[int, int]:
        """Rows that have an id, and different ids among them, of each classifier its own."""
        if self._case is None:
            return 0, 0
        return len(self._case), len(np.unique(self._case))

    def notes(self) -> list[str]:
        """Say what the columns of groups and repeats are not used for, or that answers of an id are one group."""
        header, at, said = self.rows.table.header, self.columns, []
        if at.group is not None and self.groups is None and at.count is None:
            said.append(
                f"The cases of all groups are taken as separate cases (column {excerpt(header[at.group], 40)})."
            )
        if at.repeat is None or at.fold is not None or at.count is not None:
            return said
        shown, (rows, items) = excerpt(header[at.repeat], 40), self._rows_and_ids
        if self.in_repeats and self.groups is not None:
            each = f"{integer(rows)} answers to {several(items, 'item')} (column {shown})"
            said.append(f"{each}: the answers to an item are one group, named by its id.")
        elif self.in_repeats and self.request.repeat is not None:
            said.append(f"No id comes again, so the repeats (column {shown}) change nothing.")
        elif not self.in_repeats and group_asked(at, self.request) is None:
            said.append(f"The answers of all repeats are added up as separate cases (column {shown}).")
            if self.repeated:
                problem = f"{integer(rows)} rows have only {several(items, 'different id')}"
                said.append(f"{problem}: answers to the same items hold less information than it seems.")
        return said

    def refuse_passes(self) -> None:
        """Refuse cases that come in several passes of a cross-validation, where classifiers are compared on them."""
        if self.columns.fold is None or self._case is None or not self.repeated:
            return
        _, first, times = np.unique(self._case, return_index=True, return_counts=True)
        raise self.rows.table.fault(say("tested_again", self._name(first[times.argmax()]), int(times.max())))

    def _name(self, row: int) -> str:
        assert self._ids is not None
        return self._ids.texts[int(self._ids.codes[row])]

    # -- passes of a cross-validation ---------------------------------------------------------------------------

    def folds(self, some: Booleans) -> Folds | None:
        """Folds that tested some rows, those of one classifier; None where there is no column of them, or one."""
        if self.columns.fold is None:
            return None
        trained = len(np.unique(together(self._repeat, self._fold)[some]))
        passes = self._passes_by_rows(some) if self._case is None else self._passes_by_id(some, self._case)
        if passes > 1 and self.groups is not None:
            raise self.rows.table.fault(say("not_both", "groups", f"{passes} passes of a cross-validation"))
        return None if trained == 1 and passes == 1 else Folds(trained, passes)

    def _passes_by_id(self, some: Booleans, case: Integers) -> int:
        _, first, times = np.unique(case[some], return_index=True, return_counts=True)
        most, least = (self._name(np.flatnonzero(some)[first[i]]) for i in (times.argmax(), times.argmin()))
        if times.min() < times.max():
            raise self.rows.table.fault(say("passes", "the id", most, int(times.max()), least, int(times.min())))
        return int(times.max())

    def _passes_by_rows(self, some: Booleans) -> int:
        """Without ids: as many as repeats are named, which have the same numbers of cases."""
        truth = self.rows[self.columns.true].by(self.rows.table.clean)
        passes, which = np.unique(self._repeat[some], return_inverse=True)
        size = len(truth.texts)
        cells = bincount(which * size + truth.codes[some], weights=self.rows.times[some], minlength=len(passes) * size)
        table = cells.reshape(len(passes), size)
        for other, odd in np.argwhere(table != table[0])[:1].tolist():
            assert self.columns.repeat is not None
            names = self.rows[self.columns.repeat].by(str.strip).texts
            (one, its), (two, theirs) = ((names[passes[i]], int(table[i, odd])) for i in (0, other))
            what = f"of class {excerpt(truth.texts[odd])} pass"
            raise self.rows.table.fault(say("passes", what, one, its, two, theirs))
        return len(passes)
