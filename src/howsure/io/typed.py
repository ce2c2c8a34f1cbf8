"""Tables with types, Parquet and data frames, as the tables of text that they would be as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from howsure.data.words import cleaned
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, MissingExtra
from howsure.io.opening import Opened
from howsure.io.table import Origin, Row, TextTable
from howsure.io.values import value_text

__all__ = ["frame_table", "is_frame", "parquet_table"]

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
    from howsure.io.engines.parquet import parquet_columns, parquet_rows

    path = file.on_disk()
    names = parquet_columns(path, file.name)
    origin = Origin((path, *file.others), "parquet", tuple(names), file.size)
    rows = _numbered(parquet_rows(path, file.name))
    return TextTable(file.name, [cleaned(n) for n in names], 1, rows, unit="row", origin=origin, notes=file.notes)


def is_frame(data: object) -> bool:
    """Whether it is a data frame or a relation, by its looks and without importing any engine."""
    # of its class, because some engines take every unknown attribute for a column
    return not isinstance(data, type) and hasattr(type(data), "columns")


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

    def head(most: int) -> list[list[str]]:
        return [row for _, row in _numbered(table.head(most).collect().iter_rows())]

    rows = _numbered(_cells(table, lazy))
    return TextTable("the data frame", header, 1, rows, unit="row", origin=origin, head=head if lazy else None)


def _cells(table: Any, lazy: bool) -> Iterator[Sequence[Any]]:
    yield from (table.collect() if lazy else table).iter_rows()


def _numbered(rows: Iterator[Sequence[Any]]) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        yield number, [cell if type(cell) is str else value_text(cell) for cell in row]
