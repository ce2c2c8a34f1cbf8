"""What the rows of a list of cases are to each other: ids that come once, or again in folds, in repeats, in groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from howsure.data.folds import Folds
from howsure.data.words import is_missing
from howsure.errors import excerpt
from howsure.io.case_rows import CodedRows, Column, together
from howsure.io.reading import Request
from howsure.io.roles import Columns
from howsure.numerics.arrays import Booleans, Integers, bincount
from howsure.text.formats import integer, several

__all__ = ["CaseUnits", "group_asked", "in_repeats"]

#: What to do about an id that comes twice.
NAMED = (
    "each case is one row. Say what the rows of one id are: --group COLUMN, cases of one patient or document; --repeat "
    "COLUMN, answers to one question that was asked again; --folds COLUMN, tests in other passes of a cross-validation "
    "(howsure report; columns called group, run and fold are known)"
)
_GROUP = "; a case that is alone is a group of its own, and needs a name of its own"


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
    """Ids, folds, repeats and groups of rows, checked.

    Parameters
    ----------
    rows : CodedRows
    columns : Columns
    request : Request

    Raises
    ------
    InvalidFile
        An id that is blank or comes twice, in two groups, or with two true classes; a group or a fold that is missing;
        repeats without a column of ids.
    """

    rows: CodedRows
    columns: Columns
    request: Request
    groups: Column | None = field(init=False, default=None)
    _case: Integers | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        rows, at = self.rows, self.columns
        if self.request.repeat is not None and at.id is None and at.fold is None:
            problem = f"repeats (column {excerpt(self.request.repeat, 40)}) are of items, and no column names these"
            raise rows.table.fault(f"{problem}; call it id, or name it in place of the repeats with --group")
        grouped = group_asked(at, self.request)
        self._model = rows.codes(at.model, rows.table.clean)
        self._fold, self._repeat = rows.codes(at.fold), rows.codes(at.repeat)
        if at.fold is not None:
            rows.names(at.fold, "fold", "")
        if at.id is not None and at.count is None and rows.counted is None:
            self._check_ids(rows[at.id].by(str.strip), grouped)
        if grouped is not None and grouped != at.id:
            rows.names(grouped, "group", _GROUP)
        if grouped is not None and (self.repeated or not self.in_repeats):
            self.groups = rows[grouped].by(rows.table.clean)

    def _check_ids(self, ids: Column, grouped: int | None) -> None:
        rows, at = self.rows, self.columns
        self._case = together(self._model, ids.codes)
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
        """Complain about an id that is blank or comes twice."""
        at, fault = self.columns, self.rows.fault
        if not name:
            raise fault("the id is blank; give each case its own, or leave the column out", row)
        parts = (("classifier", at.model), ("fold", at.fold), ("repeat", at.repeat))
        within = [what for what, place in parts if place is not None]
        where = f" (of one {' and '.join(within)})" if within else ""
        problem = f"the id {excerpt(name)} comes twice{where}, in {self.rows.place(before)} and here"
        if self.request.missing == "estimate":
            raise fault(f"{problem}; one label per item is counted, so settle several by majority first", row)
        raise fault(f"{problem}; {NAMED if within in ([], ['classifier']) else 'each case is one row'}", row)

    def _refuse_several(self, some: Integers, values: Column, what: str, ids: Column) -> None:
        """Refuse an id with two values of a kind."""
        assert self._case is not None
        _, first, which = np.unique(self._case[some], return_index=True, return_inverse=True)
        before = some[first[which]]
        odd = np.flatnonzero(values.codes[some] != values.codes[before])
        if len(odd):
            here, there = int(some[odd[0]]), int(before[odd[0]])
            of, and_here = (excerpt(values.texts[values.codes[row]]) for row in (there, here))
            problem = f"the id {excerpt(ids.texts[ids.codes[here]])} has the {what} {of} in {self.rows.place(there)}"
            raise self.rows.fault(f"{problem} and {and_here} here; a case has one", here)

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
        if self.rows.counted is not None or self._case is None:
            return self.rows.counted or (0, 0)
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
        if self.columns.fold is None or self.columns.id is None or self._case is None or not self.repeated:
            return
        _, first, times = np.unique(self._case, return_index=True, return_counts=True)
        name = (self.rows[self.columns.id].cells()[first[int(times.argmax())]] or "").strip()
        problem = f"the id {excerpt(name)} comes in {int(times.max())} folds, and a case that is tested again is no new"
        advice = "compare the answers of one pass, or the algorithms by the scores of all folds (compare_algorithms)"
        raise self.rows.table.fault(f"{problem} case; {advice}")

    # -- passes of a cross-validation ---------------------------------------------------------------------------

    def folds(self, some: Booleans) -> Folds | None:
        """Folds that tested some rows, those of one classifier; None where there is no column of them, or one.

        Raises
        ------
        InvalidFile
            Ids that come unequally often, or passes with other numbers of cases; repeated passes of cases in groups.
        """
        if self.columns.fold is None:
            return None
        trained = len(np.unique(together(self._repeat, self._fold)[some]))
        passes = self._passes_by_rows(some) if self._case is None else self._passes_by_id(some)
        if passes > 1 and self.groups is not None:
            problem = f"the cases come in groups and in {passes} passes of a cross-validation"
            raise self.rows.table.fault(
                f"{problem}, which cannot be combined; give one pass, or rename one of the columns"
            )
        return None if trained == 1 and passes == 1 else Folds(trained, passes)

    def _passes_by_id(self, some: Booleans) -> int:
        assert self._case is not None
        assert self.columns.id is not None
        _, first, times = np.unique(self._case[some], return_index=True, return_counts=True)
        if times.min() < times.max():
            ids = [self.rows[self.columns.id].cells()[np.flatnonzero(some)[first[i]]] or ""
                   for i in (times.argmax(), times.argmin())]  # fmt: skip
            most, least = (excerpt(name.strip()) for name in ids)
            problem = f"the id {most} comes {several(int(times.max()), 'time')} and {least} {int(times.min())}"
            raise self.rows.table.fault(
                f"{problem}; each pass of a cross-validation tests each case once. Give whole passes"
            )
        return int(times.max())

    def _passes_by_rows(self, some: Booleans) -> int:
        """Without ids: as many as repeats are named, which have the same numbers of cases."""
        truth = self.rows[self.columns.true].by(self.rows.table.clean)
        passes = np.unique(self._repeat[some])
        sizes = [
            bincount(truth.codes[of], weights=self.rows.times[of], minlength=len(truth.texts))
            for of in (some & (self._repeat == it) for it in passes)
        ]
        for size, repeat in zip(sizes[1:], passes[1:], strict=True):
            odd = np.flatnonzero(size != sizes[0])
            if len(odd):
                assert self.columns.repeat is not None
                names = self.rows[self.columns.repeat].by(str.strip).texts
                tested = several(int(sizes[0][odd[0]]), "case")
                problem = f"pass {excerpt(names[passes[0]])} tests {tested} of class {excerpt(truth.texts[odd[0]])}"
                advice = "each pass of a cross-validation tests each case once. Give whole passes, or a column id"
                there = f"pass {excerpt(names[repeat])} {int(size[odd[0]])}"
                raise self.rows.table.fault(f"{problem} and {there}; {advice}")
        return len(passes)
