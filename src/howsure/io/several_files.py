"""Several files that are one table: their rows one after the other, and what the names of their folders say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.opening import Opened, opened_file
from howsure.io.table import Line, Row, TextTable
from howsure.text.formats import plain

__all__ = ["folder_parts", "joined_tables"]


def folder_parts(path: str | None) -> dict[str, str]:
    """Values that folders have in their names, as partitioned data sets have them.

    Examples
    --------
    >>> folder_parts("data/region=north/part-0.csv")
    {'region': 'north'}
    """
    return dict(re.findall(r"([^/\\=]+)=([^/\\]*)[/\\]", path or ""))


NO_TABLE_TOGETHER = (
    "several files (a folder, a pattern) are read as one table, which holds cases or counts in the same columns"
)


def joined_tables(first: TextTable, table_of: Callable[[Opened], TextTable]) -> TextTable:
    """One table of all files of its origin, with a column for each part of the folders' names.

    Raises
    ------
    InvalidFile
        Files of several formats or with different columns (then or while the rows are read).
    """
    assert first.origin is not None or first.unit == "line"
    origin = first.origin
    if origin is None:  # packed in a way that only Python reads
        raise InvalidFile(
            first.source,
            f"{NO_TABLE_TOGETHER}, in text that is not packed, or by gzip or zstd, and not as workbooks; name one file",
        )
    parts = [name for name in folder_parts(origin.files[0]) if name not in first.header]

    def rows() -> Iterator[Row]:
        for i, path in enumerate(origin.files):
            name = plain(path, 200)
            values = [folder_parts(path).get(part, "") for part in parts]
            if i == 0:
                yield from _placed(first, name if len(origin.files) > 1 else "", values)
                continue
            with opened_file(path) as file:
                table = table_of(file)
                order = _order(first, table, origin.files[0], name)
                for line, row in _placed(table, name, values):
                    if order is not None and len(row) == len(table.header) + len(values):
                        row = [*("" if at is None else row[at] for at in order), *values]
                    yield line, row

    width = len(first.header)
    names = (*origin.names, *parts) if origin.format != "csv" else origin.names
    joined = replace(
        first,
        header=[*first.header[:width], *parts],
        rows=rows(),
        origin=replace(origin, names=names, parts=tuple(parts)),
    )
    if joined.is_large and origin.format != "parquet" and not _are_laid_alike(first, table_of):
        joined.origin = None  # an engine reads all files like the first; the rows are matched by name
    return joined


def _are_laid_alike(first: TextTable, table_of: Callable[[Opened], TextTable]) -> bool:
    """Whether all files have their columns, delimiters and packing as the first, so that an engine may read them."""
    assert first.origin is not None
    wanted = first.origin
    for path in wanted.files[1:]:
        with opened_file(path) as file:
            table = table_of(file)
            order = _order(first, table, wanted.files[0], plain(path, 200))
            there = table.origin
            assert there is not None  # or it were of another format
            laid = (there.delimiter, there.skip, there.packing) == (wanted.delimiter, wanted.skip, wanted.packing)
            if not laid or (order is not None and wanted.format == "csv"):
                return False
    return True


def _placed(table: TextTable, name: str, values: list[str]) -> Iterator[Row]:
    """Rows with the file that they are in."""
    width = len(table.header)
    for line, row in table.rows:
        if values and len(row) > width:
            row = table.fitted(row, line)
        yield (Line(line, name) if name else line), [*row, *values]


def _order(first: TextTable, table: TextTable, path: str, name: str) -> list[int | None] | None:
    """Places of the first table's columns in another one; None where they are the same."""
    assert first.origin is not None
    kind = None if table.origin is None else table.origin.format
    if kind != first.origin.format:
        problem = f"it is {kind}, and {plain(path, 200)} is {first.origin.format}"
        raise InvalidFile(name, f"{problem}; files of several formats are counted one format at a time")
    width = len(first.header)
    if table.header == first.header[:width]:
        return None
    same = set(table.header) == set(first.header) and len(set(table.header)) == len(table.header)
    if kind == "jsonl" and set(table.header) <= set(first.header):
        return [table.header.index(c) if c in table.header else None for c in first.header]
    if kind in ("parquet", "csv") and same:
        return [table.header.index(c) for c in first.header]
    here, there = (listing(map(excerpt, header), 20) for header in (table.header, first.header))
    problem = f"its header is {here}, that of {plain(path, 200)} is {there}"
    raise InvalidFile(
        name,
        f"{problem}; files that are counted together have the same columns. Name the one file that is meant",
        table.line,
    )
