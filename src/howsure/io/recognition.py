"""What a file holds, recognised by its beginning: a matrix, or a list of cases or counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from howsure.data.labels import alike
from howsure.data.words import corner_rows
from howsure.errors import InvalidFile, excerpt
from howsure.io.assembly import MOST_CLASSES
from howsure.io.cells import looks_numeric
from howsure.io.columns import Columns, columns_of
from howsure.io.formats.case_document import case_table, is_case_document, with_classes
from howsure.io.formats.collection import is_collection, read_four_cells
from howsure.io.formats.json_document import is_document, read_document
from howsure.io.formats.json_lines import json_lines
from howsure.io.formats.json_text import parsed
from howsure.io.formats.matrix import read_bare, read_labelled
from howsure.io.formats.printed import printed
from howsure.io.formats.sides import sides_of
from howsure.io.formats.titles import headed, named_on_both_sides
from howsure.io.formats.written_counts import is_state, read_state_of
from howsure.io.opening import Opened, opened
from howsure.io.reading import Reading, Request
from howsure.io.several_files import folder_parts, joined_tables
from howsure.io.table import TextTable, delimited
from howsure.io.typed import frame_table, is_frame, parquet_table

__all__ = ["document_of", "is_document_file", "knowing_logs", "of_table", "read_any", "recognised", "table_of"]

T = TypeVar("T")

#: Words of lm-evaluation-harness, and of Inspect.
_LOG = re.compile(rb'"doc_(id|hash)"\s*:|"(eval|plan)"\s*:\s*\{|"run_id"\s*:')
Cases = Callable[[TextTable, Columns, Request], T]


def read_any(given: Any, request: Request, cases: Cases[T]) -> Reading | T:
    """Read a matrix, or leave a list of cases or counts to ``cases``, from whatever holds it.

    Parameters
    ----------
    given : str, path-like, stream, sequence of paths, or data frame
    request : Request
    cases : callable
        Reader of a table whose columns are known.

    Raises
    ------
    InvalidFile
        Nothing that is known, or broken.
    """
    if is_frame(given):
        found = of_table(frame_table(given), request, cases)
    else:
        with opened(given) as file:
            found = recognised(file, request, cases)
    if not isinstance(found, Reading):
        return found
    return replace(found, notes=tuple(dict.fromkeys((*found.notes, *alike(found.confusion.labels)))))


def recognised(file: Opened, request: Request, cases: Cases[T]) -> Reading | T:
    """The same of a file that is open."""
    with knowing_logs(file):
        document = document_of(file)
        if document is None:
            return of_table(table_of(file), request, cases)
        if is_case_document(document.value):
            table = case_table(file.name, document.value)
            return of_table(table, with_classes(request, document.value), cases)
        if is_state(document.value):
            return read_state_of(file.name, document.value, request)
        return read_document(file.name, document.value, request)


@contextmanager
def knowing_logs(file: Opened) -> Iterator[None]:
    """Say of a log of an evaluation, which is refused here, what reads it."""
    try:
        yield
    except InvalidFile as error:
        if not _LOG.search(file.head):
            raise
        advice = "It looks like a log of a language model's evaluation: howsure log reads it, and compares two"
        raise InvalidFile(error.source, f"{error.problem.rstrip('.')}. {advice}.", error.line) from None


class Document(NamedTuple):
    """A JSON document, parsed."""

    value: Any


def is_document_file(file: Opened) -> bool:
    """Whether a file is one JSON document and no table."""
    if file.is_parquet or _has_lines_of_json(file):
        return False
    # a list that NumPy or MATLAB printed begins as JSON does
    return file.suffix == ".json" or (file.head.lstrip()[:1] in (b"{", b"[") and printed(file) is None)


def document_of(file: Opened) -> Document | None:
    """The JSON document that a file is; None where it is a table."""
    if not is_document_file(file):
        return None
    if file.others:
        raise InvalidFile(file.name, "several files are one table only if they hold cases, and the first is JSON")
    return Document(parsed(file.name, file.text()))


def table_of(file: Opened) -> TextTable:
    """The table that a file holds, or several files together."""
    first = _table_of_one(file)
    return joined_tables(first, _table_of_one) if file.others or folder_parts(file.path) else first


def _table_of_one(file: Opened) -> TextTable:
    if file.is_parquet:
        return parquet_table(file)
    return json_lines(file) if _has_lines_of_json(file) else printed(file) or delimited(file)


def _has_lines_of_json(file: Opened) -> bool:
    beginning = file.head.lstrip()
    if file.suffix in (".jsonl", ".ndjson"):
        return not file.is_parquet
    return beginning.startswith(b"{") and _one_object_a_line(file, beginning)


def _one_object_a_line(file: Opened, beginning: bytes) -> bool:
    """Whether the first line is a complete object, and of a case or count instead of a whole matrix."""
    line = beginning.partition(b"\n")[0].strip()
    if not line.endswith(b"}"):
        return False
    try:
        return not is_document(parsed(file.name, line.decode("utf-8", "replace")))
    except ValueError:
        # a case with a doubled key or a NaN is a fault of its line, and more lines show that there are lines
        return b"\n{" in beginning


def of_table(table: TextTable, request: Request, cases: Cases[T]) -> Reading | T:
    """Decide by header, then by the first column, what a table is."""
    if request.true is not None or request.pred:
        chosen = columns_of(table, request)
        assert chosen is not None  # the truth or an answer is named
        return cases(table, chosen, request)
    table = headed(table)
    if is_collection(table.header):
        return _noted(table, read_four_cells(table, request))
    corner, others = table.header[0], table.header[1:]
    if corner_rows(corner) is not None:
        return _matrix(table, request)
    # a matrix has as many rows as columns, so this looks no further than it has to
    peeked = list(islice(table.rows, min(len(others), MOST_CLASSES) + 1))
    table.rows = chain(peeked, table.rows)
    named = [table.clean(row[0]) for _, row in peeked if any(cell.strip() for cell in row)]
    # of numbers alone, the first row and column may well be the same
    bare = all(looks_numeric(cell) for cell in table.header)
    squared = not bare and len(named) == len(others) and set(named) == set(others)
    if squared or sides_of(named, others) is not None:
        return _matrix(table, request)
    like_matrix = not corner or not set(named).isdisjoint(others)
    try:
        columns = columns_of(table, request)
    except ValueError:
        # a class may be called "true" or "test"; a matrix is then the better guess of what to complain about
        if not like_matrix:
            square = named_on_both_sides(table)
            if square is None:
                raise
            return _noted(table, _half_named(table, square, request))
        columns = None
    if columns is not None:
        return cases(table, columns, request)
    if bare:
        first = (table.line, list(table.header))
        rows = (row for row in table.rows if any(cell.strip() for cell in row[1]))
        return _noted(table, read_bare(table, [first, *islice(rows, MOST_CLASSES)], _one_classifier(table, request)))
    if like_matrix:
        return _matrix(table, request)
    square = named_on_both_sides(table)
    if square is None:
        raise table.unrecognised()
    return _noted(table, _half_named(table, square, request))


def _matrix(table: TextTable, request: Request) -> Reading:
    return _noted(table, read_labelled(table, _one_classifier(table, request)))


def _noted(table: TextTable, reading: Reading) -> Reading:
    """With what was left out on the way."""
    return replace(reading, notes=(*table.notes, *reading.notes)) if table.notes else reading


def _half_named(table: TextTable, square: TextTable, request: Request) -> Reading:
    """Square with names on one side; without any word on its rows it may as well be a list of cases."""
    if request.rows is None and request.grid is None:
        unknown = table.unrecognised()
        problem = f"{unknown.problem} If it is a square of counts with its class names on one side"
        advice = "nothing says whether a row is a true or a predicted class: --rows true, or --rows pred"
        raise InvalidFile(table.source, f"{problem}, {advice}.", table.line)
    return read_labelled(square, _one_classifier(square, request))


def _one_classifier(table: TextTable, request: Request) -> Request:
    if request.model is not None:
        problem = f"the file is one matrix and holds no classifier {excerpt(request.model)}"
        raise InvalidFile(table.source, f"{problem}; leave --model out")
    return request
