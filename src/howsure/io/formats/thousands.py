"""Counts whose thousands are set apart by one comma or point, which may as well be a decimal sign."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from howsure.errors import excerpt
from howsure.io.reading import Request
from howsure.io.table import Row, TextTable

__all__ = ["decimals_left_out", "with_decimals", "without_separators"]

_ONE_GROUP = re.compile(r"[1-9][0-9]{0,2}([.,])[0-9]{3}")
_DECIMALS = re.compile(r"[0-9]{1,16}\.000")
_OTHERS = {sign: re.compile(rf"[0-9]{{1,3}}|[1-9][0-9]{{0,2}}({re.escape(sign)}[0-9]{{3}}){{2,}}") for sign in ",."}


def without_separators(table: TextTable, rows: Sequence[Row], request: Request, first: int = 0) -> list[Row]:
    """Rows of a matrix without its thousands separators, of which a note tells.

    ``1,245`` is 1245 where other cells show that the sign is no decimal one: they are whole numbers below 1,000 without
    it or of a million and more, and no number of 1,000 or more is without it. Where every cell has three digits behind
    one sign nobody knows, and nothing is changed.

    Parameters
    ----------
    table : TextTable
        Gets the note.
    rows : sequence of (int, list of str)
    request : Request
        Shares are left alone.
    first : int
        The first cell of a row that is a count.
    """
    if request.grid is not None and request.grid.shares:
        return list(rows)
    counts = [cell.strip() for _, row in rows for cell in row[first:] if cell.strip()]
    grouped = [cell for cell in counts if _ONE_GROUP.fullmatch(cell)]
    others = [cell for cell in counts if not _ONE_GROUP.fullmatch(cell)]
    if with_decimals(counts):
        return [(line, [*row[:first], *(cell.partition(".")[0] for cell in row[first:])]) for line, row in rows]
    signs = {sign for cell in grouped for sign in cell if not sign.isdigit()}
    if len(signs) != 1 or not others:
        return list(rows)
    sign = signs.pop()
    # the first line of a printed table without names was cleaned as names are, which makes 3 of 3.000
    if (sign == "." and not first) or not all(map(_OTHERS[sign].fullmatch, others)):
        return list(rows)
    table.notes.append(
        f"{excerpt(grouped[0])} was read as {grouped[0].replace(sign, '')}: the {'comma' if sign == ',' else 'point'} "
        "sets thousands apart, since counts below 1,000 have none."
    )

    def whole(cell: str) -> str:
        return cell.replace(sign, "") if _ONE_GROUP.fullmatch(cell.strip()) else cell

    return [(line, [*row[:first], *map(whole, row[first:])]) for line, row in rows]


def decimals_left_out(table: TextTable, at: int) -> None:
    """Rows of a list of counts, column ``at``, as whole numbers where all have decimals; else as they are.

    Examples
    --------
    >>> table = TextTable("x.csv", ["true", "pred", "n"], 1, iter([(2, ["a", "b", "6.000"]), (3, ["b", "b", "0.000"])]))
    >>> decimals_left_out(table, 2)
    >>> [row[2] for _, row in table.rows]
    ['6', '0']
    """
    first = next(table.rows, None)
    if first is None:
        return
    table.rows = chain([first], table.rows)
    if not _DECIMALS.fullmatch(_cell(first, at)):
        return
    rows = list(table.rows)
    table.rows = iter(rows)
    if with_decimals([_cell(row, at) for row in rows if any(it.strip() for it in row[1])]):
        wholes = ((line, row, _cell((line, row), at).partition(".")[0]) for line, row in rows)
        table.rows = ((line, [*row[:at], whole, *row[at + 1 :]]) for line, row, whole in wholes)


def _cell(row: Row, at: int) -> str:
    return row[1][at].strip() if at < len(row[1]) else ""


def with_decimals(counts: Sequence[str]) -> bool:
    """Whether all are whole numbers with as many decimals, and one of them shows that these are no thousands.

    Examples
    --------
    >>> with_decimals(["6.000", "0.000"]), with_decimals(["6.000", "1245.000"]), with_decimals(["6.000", "8.000"])
    (True, True, False)
    """
    if not all(map(_DECIMALS.fullmatch, counts)):
        return False
    return any(len(cell) > 7 or cell[0] == "0" for cell in counts)
