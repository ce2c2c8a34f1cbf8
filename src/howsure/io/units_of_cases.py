"""What the rows of a list of cases are to each other: ids that come once, or again in folds, in repeats, in groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NoReturn

from howsure.data.folds import Folds
from howsure.data.words import is_missing
from howsure.errors import excerpt
from howsure.io.reading import Request
from howsure.io.roles import Columns
from howsure.io.table import TextTable
from howsure.text.formats import integer, several

__all__ = ["CaseUnits", "group_asked", "in_repeats", "refuse_id", "said_of_ids", "said_of_repeats"]

#: What to do about an id that comes twice.
NAMED = (
    "each case is one row. Say what the rows of one id are: --group COLUMN, cases of one patient or document; --repeat "
    "COLUMN, answers to one question that was asked again; --folds COLUMN, tests in other passes of a cross-validation "
    "(howsure report; columns called group, run and fold are known)"
)


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


@dataclass
class CaseUnits:
    """Ids, folds and repeats as rows come, by classifier.

    Parameters
    ----------
    table : TextTable
    columns : Columns
    request : Request
    counted : (int, int), optional
        Rows and different ids, where an engine has counted them.

    Raises
    ------
    InvalidFile
        Repeats without a column of ids.
    """

    table: TextTable
    columns: Columns
    request: Request
    counted: tuple[int, int] | None = None
    times: Counter[tuple[str, str]] = field(default_factory=Counter)
    _seen: dict[tuple[str, ...], int] = field(default_factory=dict)
    _first: dict[tuple[str, str], tuple[int, str, str]] = field(default_factory=dict)
    _folds: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    _rows: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.request.repeat is not None and self.columns.id is None and self.columns.fold is None:
            problem = f"repeats (column {excerpt(self.request.repeat, 40)}) are of items, and no column names these"
            raise self.table.fault(f"{problem}; call it id, or name it in place of the repeats with --group")
        self._grouped = group_asked(self.columns, self.request)

    def add(self, model: str, row: list[str], line: int, count: int = 1) -> None:
        """Take a row of a classifier, which stands for ``count`` cases.

        Raises
        ------
        InvalidFile
            An id that is blank or comes twice, in two groups, or with two true classes; a fold that is missing.
        """
        at = self.columns
        fold = "" if at.fold is None else row[at.fold].strip()
        repeat = "" if at.repeat is None else row[at.repeat].strip()
        if at.fold is not None:
            if is_missing(self.table.clean(fold)):
                raise self.table.fault(f"the fold (column {excerpt(self.table.header[at.fold], 40)}) is missing", line)
            self._folds.setdefault(model, set()).add((repeat, fold))
            self._rows[model, repeat, self.table.clean(row[at.true])] += count
        if at.id is None or at.count is not None:
            return
        name = row[at.id].strip()
        before = self._seen.setdefault((model, fold, repeat, name), line)
        doubled = before is not line  # lines of two files are equal numbers
        apart = at.fold is None and at.repeat is None and self._grouped is not None
        if not name or (doubled and not apart):
            refuse_id(self.table, at, name, before, line, estimated=self.request.missing == "estimate")
        self.times[model, name] += 1
        absent = at.fold is not None and is_missing(self.table.clean(row[at.true]))
        if absent or (at.fold is None and self._grouped is None):
            return
        group = "" if self._grouped is None else row[self._grouped].strip()
        truth = row[at.true].strip() if at.fold is not None else ""
        first, *others = self._first.setdefault((model, name), (line, group, truth))
        for what, here, there in zip(("group", "true class"), (group, truth), others, strict=True):
            if here != there:
                problem = f"the id {excerpt(name)} has the {what} {excerpt(there)} in {self.table.place(first)}"
                raise self.table.fault(f"{problem} and {excerpt(here)} here; a case has one", line)

    @property
    def in_repeats(self) -> bool:
        """Whether the answers of an id are one group."""
        return in_repeats(self.columns, self.request)

    @property
    def repeated(self) -> bool:
        """Whether any id comes again."""
        return self._rows_and_ids[1] < self._rows_and_ids[0]

    @property
    def _rows_and_ids(self) -> tuple[int, int]:
        """Rows that have an id, and different ids among them, of each classifier its own."""
        return self.counted or (sum(self.times.values()), len(self.times))

    def folds(self, model: str) -> Folds | None:
        """Folds that tested the cases of a classifier; None where there is no column of them, or one.

        Raises
        ------
        InvalidFile
            Ids that come unequally often, or passes with other numbers of cases; repeated passes of cases in groups.
        """
        if self.columns.fold is None:
            return None
        trained = len(set().union(*(it for name, it in self._folds.items() if self.table.clean(name) == model)))
        passes = self._passes_by_id(model) if self.times else self._passes_by_rows(model)
        if passes > 1 and self._grouped is not None:
            problem = f"the cases come in groups and in {passes} passes of a cross-validation"
            raise self.table.fault(f"{problem}, which cannot be combined; give one pass, or rename one of the columns")
        return None if trained == 1 and passes == 1 else Folds(trained, passes)

    def _passes_by_id(self, model: str) -> int:
        times = {name: n for (whose, name), n in self.times.items() if self.table.clean(whose) == model}
        most, least = max(times, key=times.__getitem__), min(times, key=times.__getitem__)
        if times[most] > times[least]:
            problem = f"the id {excerpt(most)} comes {several(times[most], 'time')} and {excerpt(least)} {times[least]}"
            raise self.table.fault(
                f"{problem}; each pass of a cross-validation tests each case once. Give whole passes"
            )
        return times[most]

    def _passes_by_rows(self, model: str) -> int:
        """Without ids: as many as repeats are named, which have the same numbers of cases."""
        totals: dict[str, Counter[str]] = {}
        for (whose, repeat, true), n in self._rows.items():
            if self.table.clean(whose) == model:
                totals.setdefault(repeat, Counter())[true] += n
        (first, expected), *others = totals.items()
        for repeat, found in others:
            odd = next((label for label in [*expected, *found] if expected[label] != found[label]), None)
            if odd is not None:
                problem = f"pass {excerpt(first)} tests {several(expected[odd], 'case')} of class {excerpt(odd)}"
                advice = "each pass of a cross-validation tests each case once. Give whole passes, or a column id"
                raise self.table.fault(f"{problem} and pass {excerpt(repeat)} {found[odd]}; {advice}")
        return len(totals)

    def notes(self, *, grouped: bool) -> list[str]:
        """Say what the columns of groups and repeats are not used for, or that answers of an id are one group."""
        header, at, told = self.table.header, self.columns, []
        if at.group is not None and not grouped and at.count is None:
            told.append(
                f"The cases of all groups are added up as separate cases (column {excerpt(header[at.group], 40)})."
            )
        if at.repeat is None or at.fold is not None or at.count is not None:
            return told
        shown, (rows, items) = excerpt(header[at.repeat], 40), self._rows_and_ids
        if self.in_repeats:
            if grouped:
                told.append(said_of_repeats(self.table, at, rows, items))
            elif self.request.repeat is not None:
                told.append(f"No id comes again, so the repeats (column {shown}) change nothing.")
        elif self._grouped is None:
            told.append(f"The answers of all repeats are added up as separate cases (column {shown}).")
            if self.repeated:
                problem = f"{integer(rows)} rows have only {several(items, 'different id')}"
                told.append(f"{problem}: answers to the same items hold less information than it seems.")
        return told


def refuse_id(
    table: TextTable, columns: Columns, name: str, before: int, line: int, *, estimated: bool = False
) -> NoReturn:
    """Complain about an id that is blank or comes twice."""
    if not name:
        raise table.fault("the id is blank; give each case its own, or leave the column out", line)
    parts = (("classifier", columns.model), ("fold", columns.fold), ("repeat", columns.repeat))
    within = [w for w, at in parts if at is not None]
    where = f" (of one {' and '.join(within)})" if within else ""
    problem = f"the id {excerpt(name)} comes twice{where}, in {table.place(before)} and here"
    if estimated:
        raise table.fault(f"{problem}; one label per item is counted, so settle several by majority first", line)
    raise table.fault(f"{problem}; {NAMED if within in ([], ['classifier']) else 'each case is one row'}", line)


def said_of_repeats(table: TextTable, columns: Columns, rows: int, items: int) -> str:
    """Note on answers to an item that are one group."""
    assert columns.repeat is not None
    shown = excerpt(table.header[columns.repeat], 40)
    each = f"{integer(rows)} answers to {several(items, 'item')} (column {shown})"
    return f"{each}: the answers to an item are one group, named by its id."


def said_of_ids(table: TextTable, columns: Columns, times: Counter[tuple[str, str]]) -> list[str]:
    """Notes on classifiers whose cases come again, each in a fold or a repeat of its own.

    Raises
    ------
    InvalidFile
        Cases that come in several passes of a cross-validation.
    """
    (_, name), most = max(times.items(), key=lambda item: item[1], default=(("", ""), 0))
    if most < 2:
        return []
    if columns.fold is not None:
        problem = f"the id {excerpt(name)} comes in {most} folds, and a case that is tested again is no new case"
        advice = "compare the answers of one pass, or the algorithms by the scores of all folds (compare_algorithms)"
        raise table.fault(f"{problem}; {advice}")
    rows, items = sum(times.values()), len(times)
    problem = f"{integer(rows)} rows have only {several(items, 'different id')}"
    return [f"{problem}: answers to the same items hold less information than it seems."]
