"""Counting row by row in Python: tables that are small, or that no engine reads, with the line of every fault."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace

from howsure.data.words import is_missing
from howsure.errors import HowsureError, InvalidFile, InvalidLabels
from howsure.io.case_rows import coded_rows
from howsure.io.cells import NotACount, count_of
from howsure.io.counting.count_columns import CountColumns, names_of
from howsure.io.counting.tally_to_counts import Tally
from howsure.io.engines.codes import Coded
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
    if ask.count is not None:
        decimals_left_out(table, at[ask.count])
    rows = coded_rows(table, [at[column] for column in ask.columns], blank=ask.count is None)
    rows.check_weights(None if ask.ones is None else at[ask.ones])

    def numbered(column: str) -> Coded:
        found, rule = rows[at[column]], _rule(table, column, ask)
        for text, row in zip(found.texts, found.first.tolist(), strict=True):
            try:
                rule(text)
            except InvalidLabels as error:
                raise rows.fault(plain(str(error), 600), row) from None
            except NotACount as reason:
                true, pred = (rows[at[c]].cells()[row] or "" for c in ask.labels[:2])
                raise rows.fault(f"{cell_name(true, pred, 'true')} {reason}", row) from None
        by_rule = found.by(rule)
        return by_rule.texts, by_rule.codes

    def place(row: int) -> str:
        file = bisect_right(rows.files, row, key=lambda it: it[0])
        start, name = rows.files[file - 1] if file else (0, table.source)
        return f"{name}, row {row + 1 - start}"

    # the cells are texts by now
    plain_ask = replace(ask, text=lambda value: value, ones=None)
    try:
        wide, found = tally(Arrays({c: numbered(c) for c in plain_ask.columns}, place), plain_ask)
    except InvalidFile:
        raise
    except HowsureError as error:
        raise InvalidFile(table.source, plain(str(error), 800)) from None
    return replace(wide, text=ask.text), replace(found, notes=table.notes)


def _rule(table: TextTable, column: str, ask: CountColumns) -> Callable[[str], str | None]:
    """From a cell of one column to what is counted."""

    def weight(cell: str) -> str | None:
        try:
            return None if is_missing(cell.strip()) else str(float(cell))
        except ValueError:
            raise InvalidLabels(f"the weight {cell.strip()[:40]!r} is not a number") from None

    def group(cell: str) -> str | None:
        text = table.clean(cell)
        return None if is_missing(text) else text

    if column == ask.weight:
        return weight
    if column == ask.count:
        return lambda cell: str(count_of(cell))
    return (lambda cell: ask.text(cell) or None) if column in ask.classes else group
