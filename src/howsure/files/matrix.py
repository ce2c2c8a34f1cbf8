r"""Square tables: with class names and a corner cell such as ``true\pred``, or bare numbers."""

from __future__ import annotations

from itertools import islice

from howsure.errors import InvalidFile, excerpt
from howsure.files.assembly import MOST_CLASSES, assembled, checked_label, quoted, settled_rows
from howsure.files.cells import NotACount, count_of
from howsure.files.reading import Reading, Request
from howsure.files.table import Row, Table
from howsure.files.words import Role, corner_rows
from howsure.formats import integer, plain

__all__ = ["bare_names", "meanings", "read_bare", "read_labelled", "unnamed"]

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
    if len(columns) < 2:
        problem = f"two or more classes are needed and the header names only {quoted(columns)}"
        raise InvalidFile(source, problem, table.line)
    said = corner_rows(corner)
    rows = _rows_by_name(table, said or request.rows, columns)
    odd_columns = [name for name in columns if name not in rows]
    odd_rows = [name for name in rows if name not in set(columns)]
    if odd_rows or odd_columns:
        sides = [
            f"only the {side} name {quoted(odd)}" for side, odd in (("rows", odd_rows), ("columns", odd_columns)) if odd
        ]
        problem = f"rows and columns must be the same classes; {' and '.join(sides)}"
        raise InvalidFile(source, f"{problem}. Is a row missing, or a name spelled in two ways?")
    cells = {
        (row, column): count for row, counts in rows.items() for column, count in zip(columns, counts, strict=True)
    }
    _refuse_totals(table, list(rows), cells)
    shown = f"the corner cell says {excerpt(corner, 40)}" if corner else "the corner cell is blank"
    meaning = settled_rows(source, said, request.rows, where=shown, meanings=meanings(cells))
    notes = []
    if list(rows) != columns:
        notes.append("Rows and columns list the classes in different order; they were matched by name.")
    if said is None:
        layout = f"matrix, {'corner blank' if not corner else f'corner {plain(corner, 30)}'}, rows {meaning} as chosen"
    else:
        layout = f"matrix, corner says {plain(corner, 30)}"
    return _oriented(source, cells, list(rows), meaning, request, layout, notes, shown if said else "")


def read_bare(table: Table, rows: list[Row], request: Request) -> Reading:
    """Square of numbers without any name.

    Parameters
    ----------
    table : Table
    rows : list of (int, list of str)
        All lines.
    request : Request
    """
    source = table.source
    width = len(table.header)
    names = bare_names(source, width, request)
    cells: dict[tuple[str, str], int] = {}
    for number, (line, row) in enumerate(rows):
        for column, text in enumerate(table.fitted(row, line)):
            if number < width:
                try:
                    cells[names[number], names[column]] = count_of(text)
                except NotACount as problem:
                    raise InvalidFile(source, f"row {number + 1} column {column + 1} {problem}", line) from None
    if len(rows) != width:
        problem = f"{integer(len(rows))} lines of {width} numbers; a matrix without names must be square"
        advice = (
            "if these are cases, the first line must be y_true,y_pred; if it holds class names, they need a corner cell"
        )
        raise InvalidFile(source, f"{problem} ({advice})")
    where = "the matrix has no corner cell"
    meaning = settled_rows(source, None, request.rows, where=where, meanings=meanings(cells))
    layout = f"matrix without names, rows {meaning} as chosen"
    return _oriented(source, cells, names, meaning, request, layout, unnamed(names, request), "")


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


def meanings(cells: dict[tuple[str, str], int]) -> str:
    """Say what each choice of rows would mean, of one cell off the diagonal."""
    others = [(pair, count) for pair, count in cells.items() if pair[0] != pair[1]]
    (row, column), count = next((it for it in others if it[1]), others[0])
    row, column = excerpt(row, 40), excerpt(column, 40)
    return (
        f"--rows true: {count} cases truly {row} were called {column}. "
        f"--rows pred: {count} cases called {row} were truly {column}. Say which it is."
    )


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
            except NotACount as problem:
                raise InvalidFile(source, f"{_cell(name, column, meaning)} {problem}", line) from None
    if not rows:
        raise InvalidFile(source, "there is a header and no row of counts below it")
    return rows


def _cell(row: str, column: str, meaning: Role | None) -> str:
    row, column = excerpt(row), excerpt(column)
    if meaning is None:
        return f"row {row} column {column}"
    return f"true {row} predicted {column}" if meaning == "true" else f"true {column} predicted {row}"


def _refuse_totals(table: Table, names: list[str], cells: dict[tuple[str, str], int]) -> None:
    """Refuse a last row and column of sums: as one more class they would count every case four times."""
    last, others = names[-1], names[:-1]
    if last.casefold() not in _TOTALS or not any(cells.values()):
        return
    if all(cells[last, name] == sum(cells[other, name] for other in others) for name in names):
        problem = f"the row and column {excerpt(last)} are the totals of the others and no class"
        raise InvalidFile(table.source, f"{problem}; remove them")


def _oriented(
    source: str,
    cells: dict[tuple[str, str], int],
    names: list[str],
    meaning: Role,
    request: Request,
    layout: str,
    notes: list[str],
    because: str,
) -> Reading:
    """Turn the matrix to rows = truth, with a note where the file had them the other way."""
    if meaning == "pred":
        cells = {(true, pred): count for (pred, true), count in cells.items()}
        reason = because[:1].upper() + because[1:] if because else "As chosen"
        notes = [f"{reason}: rows are predicted classes. The matrix was turned and is shown with rows = truth.", *notes]
    return Reading(assembled(source, cells, names, request), source, layout, tuple(notes))
