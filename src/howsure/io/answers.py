"""Lists of cases kept case by case, so that classifiers can be compared on the same cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from howsure.data.labels import alike
from howsure.data.words import bare_name, is_missing, word_of
from howsure.errors import InvalidFile, excerpt
from howsure.io.case_rows import (
    NEEDLESS_ROWS,
    check_names,
    checked_group,
    fitted_rows,
    settled_columns,
    weight_one,
)
from howsure.io.cells import NotACount, count_of
from howsure.io.formats.cases import read_cases
from howsure.io.names_in_files import checked_label, quoted
from howsure.io.reading import Reading, Request
from howsure.io.roles import Columns
from howsure.io.stages import read_with
from howsure.io.table import Nested, TextTable
from howsure.io.units_of_cases import group_asked, in_repeats, refuse_id, said_of_ids, said_of_repeats
from howsure.text.formats import integer

#: Cases that counts of several classifiers' answers stand for.
MOST_COUNTED = 20_000_000

__all__ = ["Answers", "CaseList", "are_parts", "case_list", "chosen", "read_answers"]


@dataclass(eq=False)
class Answers:
    """What one classifier answered; a label is None where it is missing, ``group`` where nobody asked for groups.

    Classifiers of a wide file share the same list ``true``: the same rows are the same cases.
    """

    true: list[str | None]
    pred: list[str | None]
    id: list[str] | None
    group: list[str] | None


@dataclass(eq=False)
class CaseList:
    """All cases of a file, by classifier; a classifier without a name is called "".

    ``group`` is the column of the groups, where these are asked for; ``once`` holds columns that are not used and whose
    values come once each, where no column names the cases.
    """

    source: str
    classifiers: dict[str, Answers] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    group: str | None = None
    once: dict[str, set[str]] = field(default_factory=dict)


def read_answers(path: Any, request: Request, models: Sequence[str] = ()) -> Reading | CaseList:
    """Read a list of cases case by case; any other file as `howsure.io.read` does.

    Parameters
    ----------
    path : str, path-like, stream, or sequence of paths
    request : Request
    models : sequence of str
        Columns that are classifiers although their name does not begin with ``pred_``.

    Raises
    ------
    InvalidFile
        With the line, what came, and what to do.
    """
    return read_with(path, replace(request, models=models), case_list)


def are_parts(paths: Sequence[str], request: Request) -> bool:
    """Whether files hold the answers of the same several classifiers, so that they are one table."""
    found = [read_answers(path, request) for path in paths]
    names = [set(it.classifiers) if isinstance(it, CaseList) else set() for it in found]
    return len(names[0]) > 1 and all(other == names[0] for other in names)


def case_list(table: TextTable, columns: Columns, request: Request) -> Reading | CaseList:
    """Cases of a table whose columns are known; counts of one classifier are read as counts."""
    if columns.count is not None and (len(columns.pred) < 2 or columns.id is not None):
        return read_cases(table, columns, request)
    apart = group_asked(columns, request) is None and columns.fold is None
    columns = settled_columns(table, columns, apart=apart)
    grouped, repeated = group_asked(columns, request), in_repeats(columns, request)
    columns = columns if grouped is None else replace(columns, group=grouped)
    made = CaseList(table.source, notes=list(table.notes), group=None if grouped is None else table.header[grouped])
    apart = grouped is not None and columns.fold is None and columns.repeat is None
    label = _Labels(table, request)
    seen: dict[tuple[str, str], int] = {}
    ids: list[tuple[str, str]] = []
    ones = {"1"}
    wide, group = "" not in columns.pred, grouped
    once: dict[int, set[str]] = {at: set() for at in columns.unused if columns.id is None and table.header[at]}
    known: dict[str, str] = {}
    for line, row in fitted_rows(table):
        if columns.weight is not None and row[columns.weight] not in ones:
            ones.add(weight_one(table, columns.weight, row[columns.weight], line))
        name = "" if columns.model is None else label.name(row[columns.model], line)
        case = None if columns.id is None else row[columns.id].strip()
        if case is not None:
            ids.append((name, case))
            for at in (columns.fold, columns.repeat):
                if case and at is not None:
                    case = f"{case} ({word_of(table.header[at])} {row[at].strip()})"
            before = seen.setdefault((name, case), line)
            if (before is not line and not apart) or not case:  # lines of two files are equal numbers
                refuse_id(table, columns, case, before, line)
        for at, values in list(once.items()):
            if not row[at].strip() or row[at] in values:
                del once[at]
            values.add(row[at])
        true = label(row[columns.true], line, true=True)
        try:
            times = 1 if columns.count is None else count_of(row[columns.count])
        except NotACount as reason:
            raise table.fault(f"the count {reason}", line) from None
        first: Answers | None = None
        for key, at in columns.pred.items():
            answers = made.classifiers.get(key if wide else name)
            if answers is None:
                answers = Answers(
                    first.true if first else [],
                    [],
                    None if columns.id is None else first.id if first else [],
                    None if group is None else first.group if first else [],
                )
                made.classifiers[key if wide else name] = answers
            answers.pred += [label(row[at], line)] * times
            first = first or answers
        assert first is not None
        first.true += [true] * times
        if len(first.true) > MOST_COUNTED:
            raise table.fault(f"the counts add up to more than {integer(MOST_COUNTED)} cases, too many to pair", line)
        if first.id is not None and case is not None:
            first.id.append(case)
        if first.group is not None and group is not None:
            cell = row[group]
            if cell not in known:
                known[cell] = checked_group(table, group, cell, line)
            first.group += [known[cell]] * times
    if not made.classifiers:
        raise InvalidFile(table.source, "there is a header and no case below it")
    check_names(table, list(label.lines), label.lines, request)
    made.once = {table.header[at]: {value.strip() for value in values} for at, values in once.items()}
    if columns.id is not None and grouped is None:
        made.notes += said_of_ids(table, columns, Counter(ids))
    if repeated and len(set(ids)) == len(ids):  # none comes again, so repeats say nothing
        made.group = None
        for answers in made.classifiers.values():
            answers.group = None
    elif repeated:
        made.notes.append(said_of_repeats(table, columns, len(ids), len(set(ids))))
    if columns.group is not None and grouped is None:
        made.notes.append(
            f"The cases of all groups are taken as separate cases (column {excerpt(table.header[columns.group], 40)})."
        )
    made.notes += alike(label.lines)
    if request.rows is not None:
        made.notes.append(NEEDLESS_ROWS)
    return made


class _Labels:
    """From cells to labels, each spelling cleaned once; remembers where each label came first."""

    def __init__(self, table: TextTable, request: Request) -> None:
        self.lines: dict[str, int] = {}
        self.true: set[str] = set()
        self._table, self._given = table, set(request.labels or ())
        self._known: dict[str, str | None] = {}

    def __call__(self, cell: str, line: int, *, true: bool = False) -> str | None:
        """Label of a cell, None where it is missing."""
        if cell in self._known:
            text = self._known[cell]
        else:
            if isinstance(cell, Nested):
                raise self._table.fault(f"{excerpt(cell)} is no class; one text a case is expected", line)
            cleaned = self._table.clean(cell)
            absent = is_missing(cleaned) and cleaned not in self._given
            text = self._known[cell] = None if absent else checked_label(self._table, cleaned, line)
            if text is not None:
                self.lines.setdefault(text, line)
        if true and text is not None:
            self.true.add(text)
        return text

    def name(self, cell: str, line: int) -> str:
        """Name of a classifier, which must be there."""
        name = self._table.clean(cell)
        if is_missing(name):
            raise self._table.fault("the classifier is missing; name it in every row", line)
        return name


def chosen(cases: CaseList, name: str | None) -> str:
    """The one classifier of a list, or the one that is asked for, by its name or that of its column (``pred_NAME``)."""
    names = list(cases.classifiers)
    if name is not None and name not in names and bare_name(name) in names:
        name = bare_name(name)
    if name is not None and (name in names or names == [""]):
        return name if name in names else ""
    if name is not None:
        raise InvalidFile(cases.source, f"no classifier {excerpt(name)}; there are {quoted(names)}")
    if len(names) > 1:
        raise InvalidFile(cases.source, f"it holds {len(names)} classifiers, {quoted(names)}; choose with --a and --b")
    return names[0]
