r"""Files to confusion matrices, one format a file.

===========================  ==============================================================================
matrix CSV, TSV              ``true\pred`` in the corner cell, class names in the first line and column
bare numbers                 a square of counts; says nothing of its orientation, so ``rows=`` must
counts CSV, TSV, JSON Lines  columns ``true,pred,count``, one cell of the matrix a row
predictions, the same three  columns ``y_true,y_pred``, one case a row; or ``y_true,pred_A,pred_B``
JSON                         `ConfusionMatrix.to_dict`, results of howsure, lists of lists
===========================  ==============================================================================

A format is recognised by what the file holds. Its orientation is read, or asked for, and never guessed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain, islice
from typing import IO, Literal

from howsure.errors import InvalidFile, excerpt
from howsure.files.assembly import MOST_CLASSES
from howsure.files.cases import read_cases
from howsure.files.cells import looks_numeric
from howsure.files.columns import columns_of
from howsure.files.json_document import is_document, read_document
from howsure.files.json_lines import json_lines
from howsure.files.json_text import parsed
from howsure.files.matrix import read_bare, read_labelled
from howsure.files.opening import Opened, opened
from howsure.files.reading import Reading, Request
from howsure.files.table import Table, delimited
from howsure.files.words import corner_rows
from howsure.files.writers import matrix_csv

__all__ = ["Reading", "matrix_csv", "read"]


def read(
    path: str | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    model: str | None = None,
    missing: Literal["error", "exclude"] = "error",
) -> Reading:
    r"""Read a confusion matrix, or count one from predictions.

    Parameters
    ----------
    path : str, path-like or stream
        A file; "-" for standard input; a stream of text or bytes, read to its end.
    rows : "true" or "pred", optional
        What a row of the matrix is, where the file does not say.
    positive : str, optional
        For two classes, the one that sensitivity, precision and the like are about.
    labels : sequence of str, optional
        All classes, in order; those that the file does not have get counts of 0.
    model : str, optional
        The classifier, where the file holds several.
    missing : "error" or "exclude"
        Whether cases without a true or a predicted class are refused or set aside (and noted).

    Raises
    ------
    InvalidFile
        One sentence that names the file, the line and the labels, what was expected, what came, what to do.
    InvalidArgument, InvalidLabels
        An argument that no file could agree with.

    Examples
    --------
    >>> import io
    >>> reading = read(io.StringIO("pred\\true,high,low\nhigh,26,2\nlow,0,6\n"))
    >>> print(reading.confusion)
    true\pred  high  low
    high         26    0
    low           2    6
    >>> reading.layout
    'matrix, corner says pred\\true'
    """
    request = Request(rows, positive, labels, model, missing)
    with opened(path) as file:
        return _read_opened(file, request)


def _read_opened(file: Opened, request: Request) -> Reading:
    beginning = file.head.lstrip()
    if file.suffix in (".jsonl", ".ndjson") or (beginning.startswith(b"{") and _one_object_a_line(file, beginning)):
        return _read_table(json_lines(file), request)
    if file.suffix == ".json" or beginning[:1] in (b"{", b"["):
        return read_document(file.name, parsed(file.name, file.text()), request)
    return _read_table(delimited(file), request)


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


def _read_table(table: Table, request: Request) -> Reading:
    """Decide by header, then by the first column, what a table is."""
    corner, others = table.header[0], table.header[1:]
    if corner_rows(corner) is not None:
        return _matrix(table, request)
    # a matrix has as many rows as columns, so this looks no further than it has to
    peeked = list(islice(table.rows, min(len(others), MOST_CLASSES) + 1))
    table.rows = chain(peeked, table.rows)
    named = [table.clean(row[0]) for _, row in peeked if any(cell.strip() for cell in row)]
    if len(named) == len(others) and set(named) == set(others):
        return _matrix(table, request)
    like_matrix = not corner or not set(named).isdisjoint(others)
    try:
        columns = columns_of(table)
    except ValueError:
        # a class may be called "true" or "test"; a matrix is then the better guess of what to complain about
        if not like_matrix:
            raise
        columns = None
    if columns is not None:
        return read_cases(table, columns, request)
    if all(looks_numeric(cell) for cell in table.header):
        first = (table.line, list(table.header))
        rows = (row for row in table.rows if any(cell.strip() for cell in row[1]))
        return read_bare(table, [first, *islice(rows, MOST_CLASSES)], _one_classifier(table, request))
    if like_matrix:
        return _matrix(table, request)
    raise table.unrecognised()


def _matrix(table: Table, request: Request) -> Reading:
    return read_labelled(table, _one_classifier(table, request))


def _one_classifier(table: Table, request: Request) -> Request:
    if request.model is not None:
        problem = f"the file is one matrix and holds no classifier {excerpt(request.model)}"
        raise InvalidFile(table.source, f"{problem}; leave --model out")
    return request
