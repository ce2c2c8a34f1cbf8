"""Several classifiers: cases kept one by one and paired, four counts of a pair, and what their readers give back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from howsure.data.labels import Column, alike
from howsure.data.predictions import Predictions
from howsure.data.refusals import refusal, say
from howsure.data.words import ITEM, MARKS, OF_A_KEY, RIGHT, WRONG, bare_name, names_a_case, word_of
from howsure.errors import HowsureError, InvalidArgument, InvalidFile
from howsure.io.case_rows import NEEDLESS_ROWS, CaseUnits, CodedRows, check_names, group_asked
from howsure.io.cells import NotACount, count_of
from howsure.io.contents import content_of
from howsure.io.formats.cases import by_engine, read_cases, rows_of_cases
from howsure.io.opening import opened
from howsure.io.reading import Contenders, Reading, Request
from howsure.io.roles import Columns, settled_columns
from howsure.io.stages import read_with
from howsure.io.table import TextTable
from howsure.numerics.arrays import repeat
from howsure.text.formats import integer, plain

UNPAIRED = "Nothing says which cases are the same, so these are separate test sets; an id column (--id) pairs them."
APART = "Treated as separate test sets, as chosen."
#: Cases that counts of several classifiers' answers stand for.
MOST_COUNTED = 200_000_000


@dataclass(eq=False)
class Answers:
    """What one classifier answered, ``group`` where groups are asked for.

    Classifiers of a wide file share the same column ``true``: the same rows are the same cases.
    """

    true: Column
    pred: Column
    id: list[str] | None
    group: list[str] | None
    source: str

    def alone(self, options: Mapping[str, Any]) -> Predictions:
        """The same as `Predictions` of one classifier, which is called "it"."""
        try:
            return Predictions(self.true, {"it": self.pred}, id=self.id, group=self.group, **options)
        except HowsureError as error:
            raise InvalidFile(self.source, plain(str(error), 1000).replace(" of classifier 'it'", "")) from None


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
    """Read a list of cases case by case; any other file as `howsure.io.read` does."""
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
    settled = settled_columns(table, columns, apart=apart)
    once = tuple(at for at in settled.unused if settled.id is None and table.header[at])

    def made(rows: CodedRows) -> CaseList:
        return _cases_of(rows, settled, request, once)

    if settled.id is not None and len(settled.pred) < 2:  # by which cases are paired
        return made(rows_of_cases(table, settled, request, once))
    return by_engine(table, settled, request, made, once)


def _cases_of(rows: CodedRows, columns: Columns, request: Request, once: Sequence[int]) -> CaseList:
    table = rows.table
    if not len(rows):
        raise refusal(table.source, "no_rows", "case")
    if rows.times.sum() > MOST_COUNTED:
        raise table.fault(say("too_many", int(rows.times.sum()), "cases", MOST_COUNTED))
    units = CaseUnits(rows, columns, request)
    units.refuse_passes()
    truth = rows.truth(columns.true, request.labels)
    sides = [truth, *(rows.answers(at, truth, request) for at in columns.pred.values())]
    lines = rows.first_lines(sides)
    check_names(table, list(lines), lines, request)
    cases = None if columns.id is None or columns.id not in rows.columns else _case_names(rows, columns)
    group = None if units.groups is None else [str(it) for it in units.groups.cells()]
    made = CaseList(table.source)
    if columns.model is None:
        parts = {"": np.arange(len(rows))}
    else:
        names = rows.names(columns.model, "classifier")
        # of an engine in any order
        order = sorted(names.texts) if rows.lines is None else names.texts
        parts = {name: np.flatnonzero(names.among([name]) == 0) for name in order}
    for name, part in parts.items():
        part = repeat(part, rows.times[part])
        true, *answers = (side.part(part) for side in sides)
        names_, groups = (None if it is None else [*map(it.__getitem__, part)] for it in (cases, group))
        for key, pred in zip(columns.pred, answers, strict=True):
            made.classifiers[key or name] = Answers(true, pred, names_, groups, table.source)
    asked = group_asked(columns, request)
    made.group = table.header[asked] if units.groups is not None and asked is not None else None
    made.notes = [*table.notes, *units.notes(), *alike(lines)]
    names_each = [at for at in once if at in rows.columns and all(map(str.strip, rows[at].texts))]
    made.once = {table.header[at]: {table.clean(it) for it in rows[at].texts} for at in names_each}
    if request.rows is not None:
        made.notes.append(NEEDLESS_ROWS)
    return made


def _case_names(rows: CodedRows, columns: Columns) -> list[str]:
    assert columns.id is not None
    names = [str(name).strip() for name in rows[columns.id].cells()]
    for at in (columns.fold, columns.repeat):
        if at is not None:
            word = word_of(rows.table.header[at])
            names = [f"{it} ({word} {str(cell).strip()})" for it, cell in zip(names, rows[at].cells(), strict=True)]
    return names


def common_key(found: Sequence[Reading | CaseList]) -> str | None:
    """A column that names the cases in all of several lists by its name and its values, though not called id.

    Numbers of rows are no names: by them cases would be paired by their places.
    """
    cases = [it for it in found if isinstance(it, CaseList)]
    for column, values in cases[0].once.items() if len(cases) == len(found) else ():
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
        raise refusal(cases.source, "absent", "classifier", name, names)
    if len(names) > 1:
        raise refusal(cases.source, "choose", "classifiers", names, "--a and --b")
    return names[0]


def paired(answers: Mapping[str, Answers], options: Mapping[str, Any]) -> Predictions | None:
    """All on the same cases; None where nothing says that they are.

    Parameters
    ----------
    answers : mapping of str to Answers
        By the names of the classifiers.
    options : mapping
        Of `Predictions`.

    Raises
    ------
    HowsureError
        The same id with two true classes, and whatever else `Predictions` refuses.
    """
    first = next(iter(answers.values()))
    if all(it.true is first.true for it in answers.values()):
        columns = {name: it.pred for name, it in answers.items()}
        return Predictions(first.true, columns, id=first.id, group=first.group, **options)
    if any(it.id is None for it in answers.values()):
        return None
    if not set.intersection(*(set(it.id or ()) for it in answers.values())):
        return None
    parts: list[tuple[Sequence[Any], ...]] = [
        (it.id or (), [name] * n, it.true.cells(), it.pred.cells(), it.group or [None] * n)
        for name, it in answers.items()
        for n in [len(it.true.codes)]
    ]
    *long, groups = ([*chain(*column)] for column in zip(*parts, strict=True))
    grouped = any(it.group is not None for it in answers.values())
    return Predictions.from_long(*long, group=groups if grouped else None, **options)


def paired_in_files(
    source: str, answers: Mapping[str, Answers], options: Mapping[str, Any], does: str
) -> Predictions | None:
    """The same, with the files in the sentence, and what ``--separate`` ``does``, "compares" or "ranks"."""
    try:
        return paired(answers, options)
    except HowsureError as error:
        advice = say("other_cases", does) if "has the true class" in str(error) else ""
        raise InvalidFile(source, plain(str(error), 1000) + advice) from None


def about_left_out(answers: Mapping[str, Answers], does: str) -> list[str]:
    """What to do about cases that not all have, which are left out of a pairing; ``does`` as in `paired_in_files`."""
    ids = [set(it.id or ()) for it in answers.values()]
    if not set.intersection(*ids) or all(one == ids[0] for one in ids):
        return []
    return [f"Only cases with an id that all have are paired; --separate {does} all cases of each, as other test sets."]


#: Cases that four counts stand for.
MOST_CASES = 20_000_000
_MARKED = re.compile(r"(?P<name>.*?)[\s_:=(-]*(?P<mark>[^\W\d_]+|[+\u2212-])\)?")
_SIGNS = {"+": RIGHT, "-": WRONG, "\u2212": WRONG}


def pair_of_counts(names: tuple[str, str], both: int, only_a: int, only_b: int, neither: int) -> Contenders:
    """Two classifiers on the same cases, from on how many they were right.

    Examples
    --------
    >>> pair_of_counts(("A", "B"), 5, 2, 1, 3).predictions.patterns("A", "B").counts.tolist()
    [3, 1, 2, 5]
    """
    counts = (both, only_a, only_b, neither)
    if min(counts) < 0 or not 1 <= sum(counts) <= MOST_CASES:
        raise InvalidArgument(
            say("not_a", "the four counts", f"each 0 or more, of 1 to {integer(MOST_CASES)} cases", counts)
        )
    if names[0] == names[1]:
        raise InvalidArgument(say("twice", "the name", names[0]))
    right = {names[0]: [1, 1, 0, 0], names[1]: [1, 0, 1, 0]}
    codes = {name: repeat(np.array(them), counts) for name, them in right.items()}
    made = Predictions.from_codes(np.ones(sum(counts), dtype=np.int64), codes, [WRONG, RIGHT])
    return Contenders(predictions=made, names=names)


def pair_of_table(paths: Sequence[str]) -> Contenders | None:
    """The same from a file with two rows and two columns, such as ``A correct, A wrong`` by ``B correct, B wrong``."""
    if len(paths) != 1 or paths[0] == "-":
        return None
    try:
        with opened(paths[0]) as file:
            content = content_of(file)
            if not isinstance(content, TextTable) or len(content.header) != 3:
                return None
            rows = [row for row in content.peek(4) if len(row) == 3]
    except HowsureError:
        return None  # whoever reads it says why not
    sides = [_marks([row[0] for row in rows]), _marks(content.header[1:])]
    if len(rows) != 2 or sides[0] is None or sides[1] is None:
        return None
    (one, across), (two, down) = sides[0], sides[1]
    cells = {}
    for row, mark in zip(rows, across, strict=True):
        for cell, other in zip(row[1:], down, strict=True):
            try:
                cells[mark, other] = count_of(cell)
            except NotACount as reason:
                raise InvalidFile(content.source, f"{one} {mark} and {two} {other} {reason}") from None
    order = [(RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, RIGHT), (WRONG, WRONG)]
    return pair_of_counts((one, two), *(cells[key] for key in order))


def _marks(names: Sequence[str]) -> tuple[str, list[str]] | None:
    """The classifier that two names are of, and what each says of it; None where they are no right and wrong."""
    found = [_MARKED.fullmatch(name.strip()) for name in names]
    if len(found) != 2 or not all(found):
        return None
    marks = [_SIGNS.get(it["mark"]) or MARKS.get(it["mark"].lower(), "") for it in found if it]
    titles = {it["name"].strip() for it in found if it}
    return (titles.pop(), marks) if len(titles) == 1 and titles != {""} and set(marks) == {RIGHT, WRONG} else None
