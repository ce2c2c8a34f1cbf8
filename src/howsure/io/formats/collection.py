"""Two-class matrices by their four cells, tp, fn, fp and tn: a classifier a row, or a single one."""

from __future__ import annotations

import os
from itertools import islice
from typing import IO

from howsure.data.confusion import ConfusionMatrix
from howsure.data.words import word_of
from howsure.errors import excerpt
from howsure.io.assembly import assembled, called, chosen_model
from howsure.io.cells import NotACount, count_of
from howsure.io.formats.json_tables import json_lines
from howsure.io.formats.printed import printed
from howsure.io.opening import opened
from howsure.io.reading import Reading, Request
from howsure.io.refusals import say
from howsure.io.table import Row, TextTable, delimited
from howsure.text.formats import plain

#: What the four cells are called in tables, beside their initials.
CELLS = {
    "tp": ("tp", "true_positive", "true_positives"),
    "fn": ("fn", "false_negative", "false_negatives"),
    "fp": ("fp", "false_positive", "false_positives"),
    "tn": ("tn", "true_negative", "true_negatives"),
}
NAMES = (
    *("name", "model", "classifier", "system", "entry", "test", "id", "study", "site"),
    *("trial", "author", "authors", "first_author", "publication", "reference"),
)

#: Of these the ones that say that each row is a study.
OF_STUDIES = frozenset(["study", "trial", "author", "authors", "first_author", "publication", "reference"])

#: Columns that tell two studies of one author apart.
YEARS = ("year", "publication_year", "pub_year", "date", "published")

#: Rows of a table that is still read by people.
MOST_ROWS = 10_000


class Collection(dict[str, ConfusionMatrix]):
    """Matrices by name, and whether the column of their names says that each is a study."""

    are_studies = False


def is_collection(header: list[str]) -> bool:
    """Whether a header names all of the four cells.

    Examples
    --------
    >>> is_collection(["name", "TP", "FN", "FP", "TN"]), is_collection(["tp", "fn", "fp"])
    (True, False)
    """
    words = {word_of(cell) for cell in header}
    return all(words.intersection(known) for known in CELLS.values())


def read_collection(path: str | os.PathLike[str] | IO[str] | IO[bytes], *, named_by: str | None = None) -> Collection:
    r"""Read a table of classifiers: columns ``name,tp,fn,fp,tn`` in any order, one classifier a row.

    Parameters
    ----------
    path : str, path-like or stream
        CSV, TSV or JSON Lines; "-" for standard input.
    named_by : str, optional
        The column of the names; one that is called name, study, author or the like if left out. Where a name comes
        twice and there is a column of years, all names have their year.

    Returns
    -------
    Collection
        A dict of ConfusionMatrix by name.
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
        table = json_lines(file) if lines else printed(file) or delimited(file)
        words = NAMES if named_by is None else (word_of(named_by),)
        return _rows(table, _column(table, "name" if named_by is None else named_by, words))


def read_four_cells(table: TextTable, request: Request) -> Reading:
    """One matrix of a table with the columns tp, fn, fp, tn: that of its only row, or of ``model=``.

    Parameters
    ----------
    table : TextTable
    request : Request

    Raises
    ------
    InvalidFile
        As `read_collection`; several rows and none chosen, or no column of names to choose by.
    """
    named = any(word_of(cell) in NAMES for cell in table.header)
    if request.model is not None and not named:
        raise table.fault(say("nothing_to_choose", "column of names", request.model))
    found = _rows(table, _column(table, "name", NAMES) if named else None)
    name = chosen_model(table.source, list(found), request.model, "the table")
    matrix = found[name]
    notes = [called(matrix.labels, matrix.positive)]
    if request.rows is not None:
        notes.append("The choice of rows was not needed: the columns say which cells are right.")
    of = f" of {plain(name, 40)}" if named else ""
    confusion = assembled(table.source, matrix.counts, matrix.labels, request, positive=matrix.positive)
    return Reading(confusion, table.source, f"{table.kind}tp, fn, fp, tn{of}", tuple(notes))


def _rows(table: TextTable, name_column: int | None) -> Collection:
    """Matrices by name; the only one is nameless where there is no column of names."""
    columns = {what: _column(table, what, words) for what, words in CELLS.items()}
    found = Collection()
    found.are_studies = name_column is not None and word_of(table.header[name_column]) in OF_STUDIES
    rows = list(islice(((line, cells) for line, cells in table.rows if any(map(str.strip, cells))), MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        raise table.fault(say("too_many", len(rows), "rows", MOST_ROWS), rows[-1][0])
    year = _year(table, name_column, rows)
    for line, cells in rows:
        row = table.fitted(cells, line)
        if name_column is None and found:
            raise table.fault(say("lacking", "a column of names"), line)
        name = "" if name_column is None else table.clean(row[name_column])
        if year is not None and name:
            name = f"{name} {table.clean(row[year])}".rstrip()
        if (name_column is not None and not name) or name in found:
            raise table.fault(say("twice", "the name", name) if name else say("lacking", "the name of a row"), line)
        counts: dict[str, int] = {}
        for what, column in columns.items():
            try:
                counts[what] = count_of(row[column])
            except NotACount as fault:
                of = f" of {excerpt(name)}" if name else ""
                raise table.fault(f"{what}{of} {fault}", line) from None
        found[name] = ConfusionMatrix.from_counts(**counts)
    if not found:
        raise table.fault(say("no_rows", "row"))
    return found


def _year(table: TextTable, name_column: int | None, rows: list[Row]) -> int | None:
    """Column of the year that names need, because one of them comes twice."""
    years = [i for i, cell in enumerate(table.header) if word_of(cell) in YEARS and i != name_column]
    if name_column is None or len(years) != 1:
        return None
    names = [table.clean(cells[name_column]) for _, cells in rows if len(cells) > name_column]
    return years[0] if len(set(names)) < len(names) else None


def _column(table: TextTable, what: str, words: tuple[str, ...]) -> int:
    at = [i for i, cell in enumerate(table.header) if word_of(cell) in words]
    if what == "name" and len(at) > 1:  # "name" itself before "id" and the like
        at = sorted(at, key=lambda i: words.index(word_of(table.header[i])))[:1]
    if len(at) != 1:
        two = say("two_columns", what, [table.header[i] for i in at])
        raise table.fault(two if at else say("no_column", what, table.header, "One a row has name,tp,fn,fp,tn"))
    return at[0]
