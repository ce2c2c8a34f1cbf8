"""Rows of a list of cases: as long as their header, with ids that come once and weights that are 1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from howsure.data.words import COUNT, is_missing, word_of
from howsure.errors import excerpt, listing
from howsure.io.cells import unasked
from howsure.io.names_in_files import SEVERAL_CLASSES, multilabel, quoted
from howsure.io.reading import Request
from howsure.io.roles import ROWS_LOOKED_AT, Columns, half, repeated_units
from howsure.io.table import Row, TextTable
from howsure.io.units_of_cases import CaseUnits
from howsure.io.values import SCORE, is_fraction
from howsure.text.columns_taken import columns_sentence, note_columns

__all__ = [
    "HEADER_AGAIN",
    "NEEDLESS_ROWS",
    "WEIGHT_ONE",
    "CellTally",
    "Key",
    "add_group",
    "check_names",
    "checked_group",
    "fitted_rows",
    "settle_units",
    "settled_columns",
    "weight_one",
]

WEIGHT_ONE = re.compile(r"1(\.0*)?")

NEEDLESS_ROWS = "The choice of rows was not needed: the columns say which class is true and which predicted."

HEADER_AGAIN = (
    "the header comes a second time; were files put together? Leave it out of the rows, or give each file by itself: "
    "several are read as one table"
)


#: Classifier ("" if there is no column), true and predicted label, and a judge's where there is one, as the file has
#: them.
Key = tuple[str, ...]


@dataclass
class CellTally:
    """Cases by what the cells say, the line where each combination comes first, and whether a case has several rows.

    Where groups are asked for, also by their text and what the cells say; where rows were read, what ids and folds say.
    """

    cells: dict[Key, int] = field(default_factory=dict)
    first: dict[Key, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    repeats: bool = False
    by_group: dict[tuple[str, Key], int] = field(default_factory=dict)
    units: CaseUnits | None = None


def settled_columns(
    table: TextTable,
    columns: Columns,
    *,
    apart: bool = False,
    grouped: bool = True,
    others: Mapping[int, str] | None = None,
) -> Columns:
    """The columns, with what is to be said of them in the notes of the table.

    Of those that may be classifiers it is those whose first answers are mostly classes of the truth. ``apart`` says
    that each row is a case of its own, which a column of patients or questions whose values come again belies;
    ``grouped`` says that the caller can take groups; ``others`` are columns that it reads besides, with their roles.

    Raises
    ------
    InvalidFile
        There is none.
    """
    settled = _settled(table, columns)
    header = table.header if table.origin is None or table.origin.format == "csv" else table.origin.names
    settled = replace(settled, unused=tuple(at for at in settled.unused if at not in (others or ())))
    roles = settled.roles(header, others or {})
    units = repeated_units(table, settled.unused, grouped=grouped) if apart and settled.count is None else []
    note_columns(table.source, roles, units, answered=True)
    if settled.unused or (settled.count is not None and word_of(table.header[settled.count]) not in COUNT):
        table.notes.append(columns_sentence(roles))
    table.notes += units
    return settled


def _settled(table: TextTable, columns: Columns) -> Columns:
    if not columns.supposed:
        return columns
    rows = table.peek(ROWS_LOOKED_AT)
    truth = {table.clean(row[columns.true]) for row in rows}
    kept: dict[str, int] = {}
    for name, at in columns.pred.items():
        answers = [answer for answer in (table.clean(row[at]) for row in rows) if not is_missing(answer)]
        if answers and 2 * sum(answer in truth for answer in answers) >= len(answers):
            kept[name] = at
    if not kept and columns.verdict is not None:
        unused = tuple(sorted({*columns.unused, *columns.pred.values()} - {columns.verdict}))
        return replace(columns, pred={"": columns.verdict}, unused=unused, supposed=False)
    if not kept:
        raise half(table, columns.true, [columns.true])
    unused = tuple(sorted({*columns.unused, *columns.pred.values()} - {*kept.values()}))
    names = listing(excerpt(name, 40) for name in kept)
    said = "No column is called a prediction; these answer with classes of the truth and are read"
    table.notes.append(f"{said}: {names}.")
    return replace(columns, pred=kept, unused=unused, supposed=False)


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


def add_group(table: TextTable, at: int, tally: CellTally, group: str, key: Key, count: int, line: int) -> None:
    """Count cases of a group, whose column is ``at``.

    Raises
    ------
    InvalidFile
        The group is missing.
    """
    cell = group, key
    if cell not in tally.by_group:
        checked_group(table, at, group, line)
    tally.by_group[cell] = tally.by_group.get(cell, 0) + count


def checked_group(table: TextTable, at: int, group: str, line: int) -> str:
    """Name of a group, which must be there.

    Raises
    ------
    InvalidFile
        The group is missing.
    """
    if is_missing(table.clean(group)):
        problem = f"the group (column {excerpt(table.header[at], 40)}) is missing"
        advice = "a case that is alone is a group of its own, and needs a name of its own"
        raise table.fault(f"{problem}; {advice}", line or None)
    return group.strip()


def settle_units(table: TextTable, tally: CellTally, units: CaseUnits) -> None:
    """Keep what rows say of each other, and say what it is not used for; repeats of which none comes again are none."""
    tally.units, tally.repeats = units, units.repeated
    if units.in_repeats and not units.repeated:
        tally.by_group.clear()
    tally.notes += units.notes(grouped=bool(tally.by_group))


def weight_one(table: TextTable, at: int, cell: str, line: int) -> str:
    """Give a weight back if it is 1, and refuse any other."""
    text = cell.strip()
    if WEIGHT_ONE.fullmatch(text):
        return cell
    raise table.fault(unasked(table.header[at], "" if is_missing(text) else text), line)


def check_names(table: TextTable, names: list[str], lines: dict[str, int], request: Request) -> None:
    """Refuse labels that are scores, or outside ``labels=``."""
    if request.labels is not None:
        odd = [name for name in names if name not in set(request.labels)]
        if odd:
            problem = f"the class {excerpt(odd[0])} is not among the labels {quoted(request.labels)}"
            raise table.fault(f"{problem}. Labels name every class.", lines[odd[0]])
        return
    if (several := multilabel(names)) is not None:
        raise table.fault(f"{excerpt(several)} {SEVERAL_CLASSES}", lines[several])
    for name in names:
        if is_fraction(name):
            raise table.fault(f"the class is {excerpt(name)}, {SCORE}", lines[name])
