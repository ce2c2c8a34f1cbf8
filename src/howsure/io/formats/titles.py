"""Tables as they are laid out: with a line that says what a side is, or with names on one side only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from howsure.data.words import Role, role
from howsure.io.cells import looks_numeric
from howsure.io.table import Row, TextTable

__all__ = ["headed", "named_on_both_sides"]


def headed(table: TextTable) -> TextTable:
    r"""Take a line with one word for a side, "Predicted", into the corner; other tables stay as they are.

    Examples
    --------
    >>> rows = iter([(2, ["Prediction", "low", "high"]), (3, ["low", "6", "0"]), (4, ["high", "2", "26"])])
    >>> table = headed(TextTable("x.txt", ["", "Reference"], 1, rows))
    >>> table.header, table.line
    (['Prediction\\Reference', 'low', 'high'], 2)
    """
    if table.kind or not table.header:
        return table
    below = next(table.rows, None)
    if below is None:
        return table
    table.rows = chain([below], table.rows)
    cells = _trimmed([table.clean(cell) for cell in below[1]])
    above = _lone(table.header)
    if above is not None and len(cells) > 2 and all(cells[1:]):
        # R prints the title of the columns first, and that of the rows beside the names
        line, word = next(table.rows)[0], role(above)
        beside = cells[0] if cells and role(cells[0]) not in (None, word) else _OTHER[word]
        corner = f"{beside}\\{above}"
        return replace(table, header=[corner, *cells[1:]], line=line)
    said, title = role(table.header[0]), _lone(cells[:1])
    others = [cell for cell in table.header[1:] if role(cell) is not None]
    if said is None or title is None or len(cells) > 1 or role(title) == said or others:
        return table
    # pandas prints the title of the columns in the corner, and that of the rows below it
    next(table.rows)
    header = [f"{title}\\{table.header[0]}", *table.header[1:]]
    return replace(table, header=header)


_OTHER: dict[Role | None, str] = {"true": "predicted", "pred": "true", None: ""}


def _lone(cells: list[str]) -> str | None:
    """The only cell that is not blank, if it is a word for a side."""
    filled = [cell for cell in cells if cell.strip()]
    return filled[0] if len(filled) == 1 and role(filled[0]) is not None else None


def _trimmed(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells.pop()
    return cells


def named_on_both_sides(table: TextTable) -> TextTable | None:
    """Square of numbers with names above it or beside it only, as one with names on both sides; else None.

    Examples
    --------
    >>> table = named_on_both_sides(TextTable("x.csv", ["low", "high"], 1, iter([(2, ["6", "2"]), (3, ["0", "26"])])))
    >>> table.header, list(table.rows)
    (['', 'low', 'high'], [(2, ['low', '6', '2']), (3, ['high', '0', '26'])])
    """
    head = table.header
    if len(head) < 2:
        return None
    rows = list(islice(table.rows, len(head) + 1))
    table.rows = chain(rows, table.rows)
    filled = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
    if not any(looks_numeric(cell) for cell in head):
        fits = len(filled) == len(head) and all(_numbers(row, len(head)) for _, row in filled)
        named: Iterator[Row] = ((line, [name, *row]) for name, (line, row) in zip(head, filled, strict=False))
        return replace(table, header=["", *head], rows=named) if fits else None
    names = [head[0], *(table.clean(row[0]) for _, row in filled)]
    size = len(head) - 1
    if len(names) != size or looks_numeric(head[0]) or not _numbers(head[1:], size):
        return None
    if not all(_numbers(row[1:], size) for _, row in filled):
        return None
    return replace(table, header=["", *names], rows=chain([(table.line, list(head))], filled))


def _numbers(cells: list[str], size: int) -> bool:
    return len(cells) == size and all(looks_numeric(cell) for cell in cells)
