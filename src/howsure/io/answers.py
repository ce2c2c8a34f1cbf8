"""Lists of cases kept case by case, so that classifiers can be compared on the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from howsure.data.labels import alike
from howsure.data.predictions import Predictions
from howsure.data.words import ITEM, OF_A_KEY, bare_name, names_a_case, word_of
from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.case_rows import NEEDLESS_ROWS, CodedRows, check_names
from howsure.io.formats.cases import read_cases, rows_of_cases
from howsure.io.names_in_files import quoted
from howsure.io.reading import Reading, Request
from howsure.io.roles import Columns, settled_columns
from howsure.io.stages import read_with
from howsure.io.table import TextTable
from howsure.io.units_of_cases import CaseUnits, group_asked
from howsure.numerics.arrays import repeat
from howsure.text.formats import integer, plain

#: Cases that counts of several classifiers' answers stand for.
MOST_COUNTED = 20_000_000

__all__ = ["Answers", "CaseList", "are_parts", "case_list", "chosen", "common_key", "read_answers"]


@dataclass(eq=False)
class Answers:
    """What one classifier answered; a label is None where it is missing, ``group`` where nobody asked for groups.

    Classifiers of a wide file share the same list ``true``: the same rows are the same cases.
    """

    true: list[str | None]
    pred: list[str | None]
    id: list[str] | None
    group: list[str] | None

    def alone(self, source: str, options: Mapping[str, Any]) -> Predictions:
        """The same as `Predictions` of one classifier, which is called "it".

        Raises
        ------
        InvalidFile
            Whatever `Predictions` refuses.
        """
        try:
            made = Predictions(self.true, {"it": self.pred}, id=self.id, group=self.group, **options)
        except HowsureError as error:
            raise InvalidFile(source, plain(str(error), 1000).replace(" of classifier 'it'", "")) from None
        return made


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


def are_parts(found: Sequence[Reading | CaseList]) -> bool:
    """Whether files hold the answers of the same several classifiers, so that they are one table."""
    names = [set(it.classifiers) if isinstance(it, CaseList) else set() for it in found]
    return len(names[0]) > 1 and all(other == names[0] for other in names)


def case_list(table: TextTable, columns: Columns, request: Request) -> Reading | CaseList:
    """Cases of a table whose columns are known; counts of one classifier are read as counts."""
    if columns.count is not None and (len(columns.pred) < 2 or columns.id is not None):
        return read_cases(table, columns, request)
    apart = group_asked(columns, request) is None and columns.fold is None
    columns = settled_columns(table, columns, apart=apart)
    once = tuple(at for at in columns.unused if columns.id is None and table.header[at])
    rows = rows_of_cases(table, columns, request, once)
    if not len(rows):
        raise InvalidFile(table.source, "there is a header and no case below it")
    if rows.times.sum() > MOST_COUNTED:
        raise table.fault(f"the counts add up to more than {integer(MOST_COUNTED)} cases, too many to pair")
    units = CaseUnits(rows, columns, request)
    units.refuse_passes()
    truth = rows.classes(columns.true, request.labels)
    sides = [truth, *(rows.answers(at, truth, request.labels) for at in columns.pred.values())]
    lines = rows.first_lines(sides)
    check_names(table, list(lines), lines, request)
    cases = None if columns.id is None else _case_names(rows, columns)
    group = None if units.groups is None else [str(it) for it in units.groups.cells()]
    made = CaseList(table.source)
    if columns.model is None:
        parts = {"": np.arange(len(rows))}
    else:
        names = rows.names(columns.model, "classifier", "; name it in every row")
        parts = {name: np.flatnonzero(names.codes == i) for i, name in enumerate(names.texts)}
    for name, part in parts.items():
        part = repeat(part, rows.times[part])
        true, *answers = ([*map(side.cells().__getitem__, part)] for side in sides)
        names_, groups = (None if it is None else [*map(it.__getitem__, part)] for it in (cases, group))
        for key, pred in zip(columns.pred, answers, strict=True):
            made.classifiers[key or name] = Answers(true, pred, names_, groups)
    asked = group_asked(columns, request)
    made.group = table.header[asked] if units.groups is not None and asked is not None else None
    made.notes = [*table.notes, *units.notes(), *alike(lines)]
    made.once = {table.header[at]: {it.strip() for it in rows[at].texts} for at in once if _names_cases(rows, at)}
    if request.rows is not None:
        made.notes.append(NEEDLESS_ROWS)
    return made


def _case_names(rows: CodedRows, columns: Columns) -> list[str]:
    """Id of each row, with its fold and its repeat."""
    assert columns.id is not None
    names = [str(name).strip() for name in rows[columns.id].cells()]
    for at in (columns.fold, columns.repeat):
        if at is not None:
            word = word_of(rows.table.header[at])
            names = [f"{it} ({word} {str(cell).strip()})" for it, cell in zip(names, rows[at].cells(), strict=True)]
    return names


def _names_cases(rows: CodedRows, at: int) -> bool:
    return at in rows.columns and all(map(str.strip, rows[at].texts))


def common_key(cases: Sequence[CaseList]) -> str | None:
    """A column that names the cases in all of several lists by its name and its values, though not called id.

    Numbers of rows are no names: by them cases would be paired by their places.
    """
    for column, values in cases[0].once.items():
        word = word_of(column)
        there = [it.once.get(column, set()) for it in cases]
        shared = set.intersection(*there)
        numbers = any(values == {str(i + start) for i in range(len(values))} for start in (0, 1)) and word not in ITEM
        named = word in ITEM or names_a_case(column) or word.endswith(OF_A_KEY)
        if named and not numbers and 2 * len(shared) > len(values):
            return column
    return None


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
