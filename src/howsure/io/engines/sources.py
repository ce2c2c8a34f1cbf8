"""The files of a table, as DuckDB is told about them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from howsure.errors import InvalidFile
from howsure.io.engines.lost_lines import LONGEST_LINE, check_last_line, looked_through
from howsure.io.table import TextTable
from howsure.text.formats import plain

__all__ = ["LARGEST_OBJECT", "Format", "TableFiles", "check_parquet", "names_there", "source_of"]

Format = Literal["csv", "jsonl", "parquet"]

#: Bytes of an object of JSON Lines.
LARGEST_OBJECT = 2**24


@dataclass(frozen=True)
class TableFiles:
    """Files of one format, and the columns that all of them have.

    Parameters
    ----------
    name : str
        What the user calls them.
    files : tuple of str
    format : "csv", "jsonl" or "parquet"
    columns : tuple of str
        Names of the columns; for CSV as many as its lines have cells.
    delimiter, skip, packing
        Of text: what separates cells, the lines up to and with the header, how it is packed.
    """

    name: str
    files: tuple[str, ...]
    format: Format
    columns: tuple[str, ...] = ()
    delimiter: str = ""
    skip: int = 0
    packing: str = ""

    def beside(self) -> Iterator[None] | None:
        """What is to be looked through beside DuckDB, which does not say all; None where nothing is packed."""
        if self.format == "parquet" or not self.packing:
            return None
        return looked_through(self.files, LONGEST_LINE if self.format == "csv" else LARGEST_OBJECT)


def source_of(table: TextTable) -> TableFiles:
    """The files of a table; each is looked at first.

    Raises
    ------
    InvalidFile
        Files of several formats, with different headers, or cut short.
    """
    origin = table.origin
    assert origin is not None
    assert origin.format != "frame"
    for file in origin.files if origin.format == "parquet" else ():
        check_parquet(file, plain(file, 200))
    if origin.format == "csv":
        for file in origin.files if not origin.packing else ():
            check_last_line(file)
    text = (origin.delimiter, origin.skip, origin.packing)
    return TableFiles(table.source, origin.files, origin.format, _engine_names(table), *text)


def _engine_names(table: TextTable) -> tuple[str, ...]:
    """What the engine calls the columns: to DuckDB pred_a and pred_A are one name, and a blank is none."""
    assert table.origin is not None
    if table.origin.format != "csv":
        return table.origin.names
    own = len(table.header) - len(table.origin.parts)
    names: list[str] = []
    seen = {part.casefold() for part in table.origin.parts}
    for i in range(len(table.origin.names)):
        name = table.header[i] if i < own else ""
        if not name or name.casefold() in seen:
            name = f"{name} (column {i + 1})".lstrip()
        seen.add(name.casefold())
        names.append(name)
    return tuple(names)


def names_there(table: TextTable) -> list[str]:
    """What the engine calls each column of the header."""
    assert table.origin is not None
    names, parts = _engine_names(table), table.origin.parts
    return [*names[: len(table.header) - len(parts)], *parts] if table.origin.format == "csv" else list(names)


def check_parquet(path: str, name: str) -> None:
    """Refuse a file whose end, where Parquet keeps its row groups, is not there."""
    with open(path, "rb") as file:
        head, size = file.read(4), file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4))
        tail = file.read(4)
    if head != b"PAR1":
        raise InvalidFile(name, f"it begins with {head!r} and not with PAR1, as the first of these files does")
    if tail != b"PAR1" or size < 12:
        problem = "its end, where Parquet keeps the row groups, is missing"
        raise InvalidFile(name, f"{problem}; was the download or the writing cut short?")
