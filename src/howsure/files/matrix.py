r"""Square tables: with class names and a corner cell such as ``true\pred``, or bare numbers."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidFile, excerpt
from howsure.files.assembly import (
    MOST_CLASSES,
    assembled,
    cell_name,
    checked_label,
    meanings,
    quoted,
    settled_rows,
    turned,
)
from howsure.files.cells import NotACount, count_of
from howsure.files.reading import Reading, Request
from howsure.files.table import Row, Table
from howsure.files.words import Role, corner_rows
from howsure.formats import integer, plain

__all__ = ["bare_names", "read_bare", "read_labelled", "unnamed"]

_TOTALS = frozenset(["total", "totals", "all", "sum", "sums", "margin"])


def read_labelled(table: Table, request: Request) -> Reading:
    r"""Matrix with class names in the first line and the first column.

    Parameters
    ----------
    table : Table
        Its header is the corner cell and the classes of the columns.
    request : Request

    Raises
    ------
    InvalidFile
        Orientation not known, rows and columns of different classes, cells that are no counts, totals.
    """
    source = table.source
    corner, columns = table.header[0], table.header[1:]
    _check_columns(table, columns)
    said = corner_rows(corner)
    rows = _rows_by_name(table, said or request.rows, columns)
    names = list(rows)
    _refuse_odd(source, rows, columns)
    # columns may come in another order than rows; names decide
    place = {name: i for i, name in enumerate(columns)}
    counts = np.array(list(rows.values()), dtype=np.int64)[:, [place[name] for name in names]]
    _refuse_totals(source, names, counts)
    shown = f"the corner cell says '{plain(corner, 40)}'" if corner else "the corner cell is blank"
    meaning = settled_rows(source, said, request.rows, where=shown, meanings=meanings(names, counts))
    notes = []
    if names != columns:
        notes.append("Rows and columns list the classes in different order; they were matched by name.")
    layout = f"matrix, corner says {plain(corner, 30)}" if said else f"matrix, rows {meaning} as chosen"
    counts, told = turned(counts, meaning, shown if said else None, notes)
    return Reading(assembled(source, counts, names, request), source, layout, told)


def read_bare(table: Table, rows: list[Row], request: Request) -> Reading:
    """Square of numbers without any name.

    Parameters
    ----------
    table : Table
    rows : list of (int, list of str)
        All lines.
    request : Request

    Raises
    ------
    InvalidFile
        Not square, cells that are no counts, or ``rows=`` not given.
    """
    source = table.source
    width = len(table.header)
    if len(rows) != width:
        problem = f"{integer(len(rows))} lines of {width} numbers; a matrix without names must be square"
        advice = (
            "If these are cases, the first line must be y_true,y_pred; if it holds class names, they need a corner cell"
        )
        raise InvalidFile(source, f"{problem}. {advice}.")
    names = bare_names(source, width, request)
    counts = np.zeros((width, width), dtype=np.int64)
    for i, (line, row) in enumerate(rows):
        for j, text in enumerate(table.fitted(row, line)):
            try:
                counts[i, j] = count_of(text)
            except NotACount as reason:
                raise InvalidFile(source, f"{cell_name(names[i], names[j], request.rows)} {reason}", line) from None
    where = "the matrix has no corner cell"
    meaning = settled_rows(source, None, request.rows, where=where, meanings=meanings(names, counts))
    counts, notes = turned(counts, meaning, None, unnamed(names, request))
    layout = f"matrix without names, rows {meaning} as chosen"
    return Reading(assembled(source, counts, names, request), source, layout, notes)


def bare_names(source: str, size: int, request: Request) -> list[str]:
    """Names for a matrix that brings none: ``labels=``, or numbers from 0."""
    if request.labels is None:
        return [str(i) for i in range(size)]
    if len(request.labels) != size:
        problem = f"{size} classes need {size} labels, not {len(request.labels)}"
        raise InvalidFile(source, f"{problem}: {quoted(request.labels)}")
    return list(request.labels)


def unnamed(names: list[str], request: Request) -> list[str]:
    """Note how the classes are called."""
    return [] if request.labels else [f"The file has no class names; they are called {quoted(names)}."]


def _check_columns(table: Table, columns: list[str]) -> None:
    if len(columns) > MOST_CLASSES:
        problem = f"{integer(len(columns))} columns, and at most {integer(MOST_CLASSES)} classes are read"
        raise InvalidFile(table.source, problem, table.line)
    seen: set[str] = set()
    for number, name in enumerate(columns):
        if not name:
            raise InvalidFile(table.source, f"column {number + 2} has no class name; every class needs one", table.line)
        if checked_label(table.source, name, table.line) in seen:
            raise InvalidFile(table.source, f"class names must differ; {excerpt(name)} heads two columns", table.line)
        seen.add(name)
    if len(columns) < 2:
        problem = f"two or more classes are needed and the header names only {quoted(columns)}"
        raise InvalidFile(table.source, problem, table.line)


def _rows_by_name(table: Table, meaning: Role | None, columns: list[str]) -> dict[str, list[int]]:
    source = table.source
    rows: dict[str, list[int]] = {}
    for line, row in table.rows:
        if not any(cell.strip() for cell in row):
            continue
        row = table.fitted(row, line)
        name = table.clean(row[0])
        if not name:
            raise InvalidFile(source, "the row has no class name in its first cell; every class needs one", line)
        if checked_label(source, name, line) in rows:
            raise InvalidFile(source, f"class names must differ; {excerpt(name)} begins two rows", line)
        if len(rows) > len(columns):
            # one row too many is enough to name it; more would let a long file fill the memory
            break
        counts = rows[name] = []
        for column, text in zip(columns, islice(row, 1, None), strict=True):
            try:
                counts.append(count_of(text))
            except NotACount as reason:
                raise InvalidFile(source, f"{cell_name(name, column, meaning)} {reason}", line) from None
    if not rows:
        raise InvalidFile(source, "there is a header and no row of counts below it")
    return rows


def _refuse_odd(source: str, rows: dict[str, list[int]], columns: list[str]) -> None:
    """Refuse a table whose rows and columns are not the same classes."""
    heads = set(columns)
    odd = {
        "rows": [name for name in rows if name not in heads],
        "columns": [name for name in columns if name not in rows],
    }
    if any(odd.values()):
        sides = " and ".join(f"only the {side} name {quoted(names)}" for side, names in odd.items() if names)
        totals = any(name.casefold() in _TOTALS for names in odd.values() for name in names)
        advice = "Remove totals." if totals else "Is a row missing, or a name spelled in two ways?"
        raise InvalidFile(source, f"rows and columns must be the same classes; {sides}. {advice}")


def _refuse_totals(source: str, names: list[str], counts: NDArray[np.int64]) -> None:
    """Refuse a last row and column of sums: as one more class they would count every case four times."""
    if names[-1].casefold() in _TOTALS and counts.any() and np.array_equal(counts[-1], counts[:-1].sum(axis=0)):
        problem = f"the row and column {excerpt(names[-1])} are the totals of the others and no class"
        raise InvalidFile(source, f"{problem}; remove them")
