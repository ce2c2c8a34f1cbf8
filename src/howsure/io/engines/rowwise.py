"""Counting row by row in Python: tables that are small, or that no engine reads, with the line of every fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from howsure.data.words import is_missing
from howsure.errors import HowsureError, InvalidFile, InvalidLabels
from howsure.io.case_rows import fitted_rows, weight_one
from howsure.io.cells import NotACount, count_of
from howsure.io.counting.count_columns import CountColumns, names_of
from howsure.io.counting.tally_to_counts import Tally
from howsure.io.engines.tallying import Arrays, tally
from howsure.io.formats.thousands import decimals_left_out
from howsure.io.names_in_files import cell_name
from howsure.io.table import TextTable
from howsure.text.formats import plain

__all__ = ["tally_rows"]


def tally_rows(table: TextTable, ask: CountColumns) -> tuple[CountColumns, Tally]:
    """Count the rows of a table of text.

    Parameters
    ----------
    table : TextTable
    ask : CountColumns
        Its ``text`` is the rule for a cell that is cleaned.

    Raises
    ------
    InvalidFile
        With the line.
    """
    at = {name: i for i, name in enumerate(names_of(table))}
    values: dict[str, list[Any]] = {column: [] for column in ask.columns}
    readers = {column: _reader(table, column, ask) for column in ask.columns}
    lines: list[int] = []
    if ask.count is not None:
        decimals_left_out(table, at[ask.count])
    for line, row in fitted_rows(table):
        if ask.count is not None and not any(cell.strip() for cell in row):
            continue
        lines.append(line)
        for column, read in readers.items():
            try:
                values[column].append(read(row[at[column]]))
            except InvalidLabels as error:
                raise table.fault(plain(str(error), 600), line) from None
            except NotACount as reason:
                cell = cell_name(row[at[ask.truth]], row[at[ask.labels[1]]], "true")
                raise table.fault(f"{cell} {reason}", line) from None
        if ask.ones is not None:
            weight_one(table, at[ask.ones], row[at[ask.ones]], line)

    def place(row: int) -> str:
        file = getattr(lines[row], "file", table.source)
        before = sum(getattr(line, "file", file) != file for line in lines[:row])
        return f"{file}, row {row + 1 - before}"

    # the cells are texts by now
    plain_ask = replace(ask, text=lambda value: value, ones=None)
    try:
        wide, found = tally(Arrays(values, place), plain_ask)
    except HowsureError as error:
        raise InvalidFile(table.source, plain(str(error), 800)) from None
    return replace(wide, text=ask.text), replace(found, notes=table.notes)


def _reader(table: TextTable, column: str, ask: CountColumns) -> Callable[[str], Any]:
    """From a cell of one column to what is counted, each spelling looked at once."""
    if column == ask.weight:
        return _weight
    if column == ask.count:
        return lambda cell: str(count_of(cell))
    known: dict[str, str | None] = {}
    is_class = column in ask.classes

    def read(cell: str) -> str | None:
        if cell not in known:
            text = ask.text(cell) if is_class else table.clean(cell)
            known[cell] = None if not text or (not is_class and is_missing(text)) else text
        return known[cell]

    return read


def _weight(cell: str) -> float:
    text = cell.strip()
    if is_missing(text):
        return float("nan")
    try:
        return float(text)
    except ValueError:
        raise InvalidLabels(f"the weight {text[:40]!r} is not a number") from None
