"""Many two-class matrices in one table: a classifier a row, with columns tp, fn, fp, tn."""

from __future__ import annotations

import os
from typing import IO

from howsure.confusion import ConfusionMatrix
from howsure.errors import InvalidFile, excerpt
from howsure.files.cells import NotACount, count_of
from howsure.files.json_lines import json_lines
from howsure.files.opening import opened
from howsure.files.table import Table, delimited
from howsure.files.words import word_of

__all__ = ["read_collection"]

#: What the four cells are called in tables, beside their initials.
CELLS = {
    "tp": ("tp", "true_positive", "true_positives"),
    "fn": ("fn", "false_negative", "false_negatives"),
    "fp": ("fp", "false_positive", "false_positives"),
    "tn": ("tn", "true_negative", "true_negatives"),
}
NAMES = ("name", "model", "classifier", "system", "entry", "test", "id")

#: Rows of a table that is still read by people.
MOST_ROWS = 10_000


def read_collection(path: str | os.PathLike[str] | IO[str] | IO[bytes]) -> dict[str, ConfusionMatrix]:
    r"""Read a table of classifiers: columns ``name,tp,fn,fp,tn`` in any order, one classifier a row.

    Parameters
    ----------
    path : str, path-like or stream
        CSV, TSV or JSON Lines; "-" for standard input.

    Returns
    -------
    dict of str to ConfusionMatrix
        In the order of the file; labels "negative" and "positive".

    Raises
    ------
    InvalidFile
        A column or a count that is missing or is none, a name that comes twice, no row.

    Examples
    --------
    >>> import io
    >>> read_collection(io.StringIO("name,tp,fn,fp,tn\nA,26,0,2,6\n"))["A"].counts.tolist()
    [[6, 2], [0, 26]]
    """
    with opened(path) as file:
        lines = file.suffix in (".jsonl", ".ndjson") or file.head.lstrip().startswith(b"{")
        return _rows(json_lines(file) if lines else delimited(file))


def _rows(table: Table) -> dict[str, ConfusionMatrix]:
    columns = {what: _column(table, what, words) for what, words in CELLS.items()}
    name_column = _column(table, "name", NAMES)
    found: dict[str, ConfusionMatrix] = {}
    for line, cells in table.rows:
        if not any(cell.strip() for cell in cells):
            continue
        row = table.fitted(cells, line)
        name = table.clean(row[name_column])
        if not name or name in found:
            problem = f"the name {excerpt(name)} comes twice" if name else "a row without a name"
            raise InvalidFile(table.source, f"{problem}; each classifier has a name of its own", line)
        counts: dict[str, int] = {}
        for what, column in columns.items():
            try:
                counts[what] = count_of(row[column])
            except NotACount as fault:
                raise InvalidFile(table.source, f"{what} of {excerpt(name)} {fault}", line) from None
        found[name] = ConfusionMatrix.from_counts(**counts)
        if len(found) > MOST_ROWS:
            raise InvalidFile(table.source, f"more than {MOST_ROWS:,} rows; split the file", line)
    if not found:
        raise InvalidFile(table.source, "a header and no row; one row a classifier was expected", table.line)
    return found


def _column(table: Table, what: str, words: tuple[str, ...]) -> int:
    at = [i for i, cell in enumerate(table.header) if word_of(cell) in words]
    if what == "name" and len(at) > 1:  # "name" itself before "id" and the like
        at = sorted(at, key=lambda i: words.index(word_of(table.header[i])))[:1]
    if len(at) != 1:
        problem = f"there is no column {what}" if not at else f"there are {len(at)} columns for {what}"
        raise InvalidFile(
            table.source, f"{problem}. One classifier a row has the columns name,tp,fn,fp,tn (in any order)", table.line
        )
    return at[0]
