"""What a file holds, recognised by its beginning: a matrix, or a list of cases or counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, islice
from typing import TypeVar

from howsure.errors import InvalidFile, excerpt
from howsure.files.assembly import MOST_CLASSES
from howsure.files.case_document import case_table, is_case_document, with_classes
from howsure.files.cells import looks_numeric
from howsure.files.collection import is_collection, read_four_cells
from howsure.files.columns import Columns, columns_of
from howsure.files.json_document import is_document, read_document
from howsure.files.json_lines import json_lines
from howsure.files.json_text import parsed
from howsure.files.matrix import read_bare, read_labelled
from howsure.files.opening import Opened
from howsure.files.printed import printed
from howsure.files.reading import Reading, Request
from howsure.files.sides import sides_of
from howsure.files.table import Table, delimited
from howsure.files.titles import headed, named_on_both_sides
from howsure.files.words import corner_rows

__all__ = ["of_table", "recognised"]

T = TypeVar("T")

#: Words of lm-evaluation-harness, and of Inspect.
_LOG = re.compile(rb'"doc_(id|hash)"\s*:|"(eval|plan)"\s*:\s*\{|"run_id"\s*:')
Cases = Callable[[Table, Columns, Request], T]


def recognised(
    file: Opened, request: Request, cases: Cases[T], *, renamed: Callable[[list[str]], list[str]] | None = None
) -> Reading | T:
    """Read a matrix, or leave a list of cases or counts to ``cases``.

    Parameters
    ----------
    file : Opened
    request : Request
    cases : callable
        Reader of a table whose columns are known.
    renamed : callable, optional
        From the header as it is to the header as it is meant.

    Raises
    ------
    InvalidFile
        Nothing that is known, or broken.
    """
    try:
        return _recognised(file, request, cases, renamed)
    except InvalidFile as error:
        if not _LOG.search(file.head):
            raise
        advice = "It looks like a log of a language model's evaluation: howsure log reads it, and compares two"
        raise InvalidFile(error.source, f"{error.problem.rstrip('.')}. {advice}.", error.line) from None


def _recognised(
    file: Opened, request: Request, cases: Cases[T], renamed: Callable[[list[str]], list[str]] | None
) -> Reading | T:
    beginning = file.head.lstrip()
    if file.suffix in (".jsonl", ".ndjson") or (beginning.startswith(b"{") and _one_object_a_line(file, beginning)):
        return of_table(json_lines(file), request, cases, renamed)
    # a list that NumPy or MATLAB printed begins as JSON does
    if file.suffix == ".json" or (beginning[:1] in (b"{", b"[") and printed(file) is None):
        value = parsed(file.name, file.text())
        if is_case_document(value):
            return of_table(case_table(file.name, value), with_classes(request, value), cases, renamed)
        return read_document(file.name, value, request)
    return of_table(printed(file) or delimited(file), request, cases, renamed)


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


def of_table(
    table: Table, request: Request, cases: Cases[T], renamed: Callable[[list[str]], list[str]] | None = None
) -> Reading | T:
    """Decide by header, then by the first column, what a table is."""
    table = headed(table)
    if is_collection(table.header):
        return read_four_cells(table, request)
    if renamed is not None:
        table.header = renamed(table.header)
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
        columns = columns_of(table)
    except ValueError:
        # a class may be called "true" or "test"; a matrix is then the better guess of what to complain about
        if not like_matrix:
            square = named_on_both_sides(table)
            if square is None:
                raise
            return _half_named(table, square, request)
        columns = None
    if columns is not None:
        return cases(table, columns, request)
    if bare:
        first = (table.line, list(table.header))
        rows = (row for row in table.rows if any(cell.strip() for cell in row[1]))
        return read_bare(table, [first, *islice(rows, MOST_CLASSES)], _one_classifier(table, request))
    if like_matrix:
        return _matrix(table, request)
    square = named_on_both_sides(table)
    if square is None:
        raise table.unrecognised()
    return _half_named(table, square, request)


def _matrix(table: Table, request: Request) -> Reading:
    return read_labelled(table, _one_classifier(table, request))


def _half_named(table: Table, square: Table, request: Request) -> Reading:
    """Square with names on one side; without any word on its rows it may as well be a list of cases."""
    if request.rows is None and request.grid is None:
        unknown = table.unrecognised()
        problem = f"{unknown.problem} If it is a square of counts with its class names on one side"
        advice = "nothing says whether a row is a true or a predicted class: --rows true, or --rows pred"
        raise InvalidFile(table.source, f"{problem}, {advice}.", table.line)
    return _matrix(square, request)


def _one_classifier(table: Table, request: Request) -> Request:
    if request.model is not None:
        problem = f"the file is one matrix and holds no classifier {excerpt(request.model)}"
        raise InvalidFile(table.source, f"{problem}; leave --model out")
    return request
