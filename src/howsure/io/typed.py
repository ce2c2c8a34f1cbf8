"""Tables with types, Parquet and data frames, as the tables of text that they would be as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from howsure.data.words import cleaned, role
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, MissingExtra
from howsure.io.opening import Opened
from howsure.io.table import Origin, Row, TextTable
from howsure.io.values import value_text

__all__ = ["frame_table", "is_frame", "named_rows", "parquet_table"]

#: Rows that are brought into Python in one go.
SOME_ROWS = 2**14


def parquet_table(file: Opened) -> TextTable:
    """Table of a Parquet file, row by row.

    Raises
    ------
    InvalidFile
        Damaged, or cut short.
    MissingExtra
        Without DuckDB.
    """
    from howsure.io.engines.duck import parquet_columns, parquet_rows

    path = file.on_disk()
    names = parquet_columns(path, file.name)
    origin = Origin((path, *file.others), "parquet", tuple(names), file.size)
    rows = _numbered(parquet_rows(path, file.name))
    return TextTable(file.name, [cleaned(n) for n in names], 1, rows, unit="row", origin=origin, notes=file.notes)


def is_frame(data: object) -> bool:
    """Whether it is a data frame or a relation, by its looks and without importing any engine."""
    # of its class, because some engines take every unknown attribute for a column
    kind = type(data)
    return not isinstance(data, type) and (
        hasattr(kind, "columns") or (hasattr(kind, "reset_index") and _levels(data) > 1)
    )


def _levels(data: Any) -> int:
    return int(getattr(getattr(data, "index", None), "nlevels", 0))


def named_rows(data: Any) -> tuple[Any, str | None]:
    """A frame of pandas with its index as a first column, where that names the rows; and the corner cell of a matrix.

    An index has a name, or several levels, or it names the rows of a square as its columns are named. Any other numbers
    the rows. Series of counts by several levels, as ``groupby(...).size()`` gives them, are frames, too.
    """
    # engines that are not in memory have something like an index, which asks a cluster
    engine = type(data).__module__.partition(".")[0]
    if not hasattr(type(data), "reset_index") or engine not in ("pandas", "modin", "cudf"):
        return data, None
    if not hasattr(data, "columns"):
        data = data.to_frame(data.name or "count")
    names = [str(name) for name in data.index.names if name is not None]
    columns = [str(name) for name in data.columns]
    if _levels(data) > 1:
        return data.reset_index(), None
    rows = [str(name) for name in data.index] if abs(len(data) - len(columns)) < 2 else []
    square = len(rows) > 1 and len(set(rows)) == len(rows) and not columns_hold_text(data)
    if not names and not (square and (set(rows) & set(columns) or not all(row.isdecimal() for row in rows))):
        return data, None
    across = str(data.columns.name) if data.columns.name is not None else ""
    found = data.reset_index()
    found.columns = [*map(str, found.columns)]
    if not square:
        return found, None
    return found, _corner(names[0] if names else "", across)


def columns_hold_text(data: Any) -> bool:
    """Whether any column holds what is no number, as the columns of a matrix do not."""
    return any(getattr(kind, "kind", "O") not in "iuf" for kind in data.dtypes)


def _corner(beside: str, above: str) -> str:
    """Corner cell that says of rows and columns what their names say."""
    sides = role(beside), role(above)
    if sides[0] is None and sides[1] is not None:
        return f"{'true' if sides[1] == 'pred' else 'pred'}\\{above}"
    if above and sides[0] is not None and sides[1] is None:
        return f"{beside}\\{'true' if sides[0] == 'pred' else 'pred'}"
    return f"{beside}\\{above}" if above else beside


def frame_table(frame: Any) -> TextTable:
    """Table of a data frame of any engine that narwhals knows.

    Raises
    ------
    InvalidArgument
        No table, or a column without a name.
    MissingExtra
        Without narwhals.
    """
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise MissingExtra("Reading a data frame", "frames") from None
    frame, corner = named_rows(frame)
    try:
        table = nw.from_native(frame)
        names = list(table.collect_schema())
    except HowsureError:
        raise
    except Exception as error:  # engines complain in their own classes, also of columns named twice
        problem = f"a {type(frame).__name__} is no table that can be read ({str(error).splitlines()[0]})"
        raise InvalidArgument(f"{problem}; give a data frame with one name a column") from None
    if not names:
        raise InvalidFile("the data frame", "it has no column; y_true and y_pred were expected")
    lazy = isinstance(table, nw.LazyFrame)
    size = 2**62 if lazy else len(table) * len(names)
    origin = Origin((), "frame", tuple(map(str, names)), size, frame=frame)
    header = [cleaned(str(name)) for name in names]
    if corner is not None:
        header[0] = corner

    def head(most: int) -> list[list[str]]:
        return [row for _, row in _numbered(table.head(most).collect().iter_rows())]

    rows = _numbered(_cells(table, lazy))
    return TextTable("the data frame", header, 1, rows, unit="row", origin=origin, head=head if lazy else None)


def _cells(table: Any, lazy: bool) -> Iterator[Sequence[Any]]:
    yield from (table.collect() if lazy else table).iter_rows()


def _numbered(rows: Iterator[Sequence[Any]]) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        yield number, [cell if type(cell) is str else value_text(cell) for cell in row]
