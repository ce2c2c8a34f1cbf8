"""What holds a table: an open file, several files together, a Parquet file or a data frame; or one JSON document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from howsure.data.refusals import refusal, say
from howsure.data.words import cleaned
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, MissingExtra
from howsure.io.formats.blocks import corner_cell
from howsure.io.formats.json_documents import (
    Document,
    is_document,
    json_lines,
    matrices_in,
    parsed,
    part_of,
    table_in,
    table_of_document,
)
from howsure.io.formats.printed import printed
from howsure.io.formats.written import is_state
from howsure.io.opening import Opened, opened, opened_file
from howsure.io.table import Line, Origin, Row, TextTable, delimited, value_text
from howsure.text.formats import plain


def folder_parts(path: str | None) -> dict[str, str]:
    """Values that folders have in their names, as partitioned data sets have them.

    Examples
    --------
    >>> folder_parts("data/region=north/part-0.csv")
    {'region': 'north'}
    """
    return dict(re.findall(r"([^/\\=]+)=([^/\\]*)[/\\]", path or ""))


def joined_tables(first: TextTable, table_of: Callable[[Opened], TextTable]) -> TextTable:
    """One table of all files of its origin, with a column for each part of the folders' names."""
    assert first.origin is not None or first.unit == "line"
    origin = first.origin
    if origin is None:  # packed in a way that only Python reads
        raise refusal(first.source, "no_table_together", "and not packed or workbooks; name one file")
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
    whole = replace(origin, names=names, parts=tuple(parts))
    joined = replace(first, header=[*first.header[:width], *parts], rows=rows(), origin=whole)
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
        raise refusal(name, "unlike_files", "format", kind or "packed", plain(path, 200), first.origin.format)
    width = len(first.header)
    if table.header == first.header[:width]:
        return None
    same = set(table.header) == set(first.header) and len(set(table.header)) == len(table.header)
    if kind == "jsonl" and set(table.header) <= set(first.header):
        return [table.header.index(c) if c in table.header else None for c in first.header]
    if kind in ("parquet", "csv") and same:
        return [table.header.index(c) for c in first.header]
    raise refusal(name, "unlike_files", "header", table.header, plain(path, 200), first.header, line=table.line)


#: Rows that are brought into Python in one go.
SOME_ROWS = 2**14


def parquet_table(file: Opened) -> TextTable:
    """Table of a Parquet file, row by row."""
    from howsure.io.counting.duck import parquet_columns, parquet_rows

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
    numbers = all(getattr(kind, "kind", "O") in "iuf" for kind in data.dtypes)
    square = len(rows) > 1 and len(set(rows)) == len(rows) and numbers
    if not names and not (square and (set(rows) & set(columns) or not all(row.isdecimal() for row in rows))):
        return data, None
    across = str(data.columns.name) if data.columns.name is not None else ""
    found = data.reset_index()
    found.columns = [*map(str, found.columns)]
    if not square:
        return found, None
    return found, corner_cell(names[0] if names else "", across)


def frame_table(frame: Any) -> TextTable:
    """Table of a data frame of any engine that narwhals knows."""
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
        raise InvalidArgument(say("no_frame", type(frame).__name__, str(error).splitlines()[0])) from None
    if not names:
        raise refusal("the data frame", "no_keys")
    lazy = isinstance(table, nw.LazyFrame)
    size = 2**62 if lazy else len(table) * len(names)
    origin = Origin((), "frame", tuple(map(str, names)), size, frame=frame)
    header = [cleaned(str(name)) for name in names]
    if corner is not None:
        header[0] = corner

    some: list[list[str]] = []

    def head(most: int) -> list[list[str]]:
        if not some:  # and no more: of categories all would become objects for the first of them
            some.extend(row for _, row in _numbered(_cells(table.head(SOME_ROWS), lazy)))
        return some[:most]

    rows = _numbered(_cells(table, lazy))
    return TextTable("the data frame", header, 1, rows, unit="row", origin=origin, head=head)


def _cells(table: Any, lazy: bool) -> Iterator[Sequence[Any]]:
    yield from (table.collect() if lazy else table).iter_rows()


def _numbered(rows: Iterator[Sequence[Any]]) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        yield number, [cell if type(cell) is str else value_text(cell) for cell in row]


def content_of(file: Opened) -> TextTable | Document:
    """The JSON document or the table that a file holds; a table may stand anywhere in a document."""
    document = document_of(file)
    if document is None:
        return table_of(file)
    if is_document(document.value) or is_state(document.value):
        return document
    if isinstance(document.value, dict) and "nbformat" in document.value:
        raise refusal(file.name, "this_is", "a notebook; copy what the cell with the matrix prints into a file")
    try:
        return table_in(document) or document
    except InvalidFile as error:
        if error.kind != "choose" or len(matrices_in(document.value)) != 1:
            raise
        return document


@contextmanager
def table_from(data: Any, expected: str) -> Iterator[TextTable]:
    """The table that a file, a stream or a data frame holds, wherever it stands in a document."""
    if is_frame(data):
        yield frame_table(data)
        return
    with opened(data) as file:
        content = content_of(file)
        yield table_of_document(content, expected) if isinstance(content, Document) else content


def holds(source: Any, test: Callable[[TextTable], bool]) -> bool:
    """Whether a file is a table that passes a test; whoever reads it says why it cannot be read."""
    try:
        with opened(source) as file:
            content = content_of(file)
            return isinstance(content, TextTable) and test(content)
    except HowsureError:
        return False


def is_document_file(file: Opened) -> bool:
    """Whether a file is one JSON document and no table."""
    if file.is_parquet or has_lines_of_json(file):
        return False
    # a list that NumPy or MATLAB printed begins as JSON does
    return (file.suffix == ".json" and b"weighted avg" not in file.head) or (
        file.head.lstrip()[:1] in (b"{", b"[") and printed(file) is None
    )


def document_of(file: Opened) -> Document | None:
    """The JSON document that a file is; None where it is a table."""
    if not is_document_file(file):
        return None
    if file.others:
        raise refusal(file.name, "no_table_together", "and the first is JSON")
    value = parsed(file.name, file.text())
    return Document(file.name, value if file.part is None else part_of(file.name, value, file.part))


def table_of(file: Opened) -> TextTable:
    """The table that a file holds, or several files together."""
    first = _table_of_one(file)
    return joined_tables(first, _table_of_one) if file.others or folder_parts(file.path) else first


def _table_of_one(file: Opened) -> TextTable:
    if file.is_parquet:
        return parquet_table(file)
    return json_lines(file) if has_lines_of_json(file) else printed(file) or delimited(file)


def has_lines_of_json(file: Opened) -> bool:
    """Whether a file holds an object a line."""
    beginning = file.head.lstrip()
    if file.suffix in (".jsonl", ".ndjson"):
        return not file.is_parquet
    if file.part is not None:
        return False
    return beginning.startswith(b"{") and _one_object_a_line(file, beginning)


def _one_object_a_line(file: Opened, beginning: bytes) -> bool:
    """Whether the first line is a complete object, and of a case or count instead of a whole matrix."""
    line, _, below = beginning.partition(b"\n")
    line = line.strip()
    if not line.endswith(b"}"):
        return False
    try:
        value = parsed(file.name, line.decode("utf-8", "replace"))
        # alone, an object with others in it is a document and not the one case of a list
        alone = not below.strip() and any(isinstance(it, list | dict) for it in value.values())
        return not alone and not is_document(value)
    except ValueError:
        # a case with a doubled key or a NaN is a fault of its line, and more lines show that there are lines
        return b"\n{" in beginning
