"""A last row and column that hold the sums of the others: told from a class, and left out with a note."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from howsure.data.words import is_total
from howsure.errors import InvalidFile, excerpt
from howsure.io.reading import Request
from howsure.text.formats import integer

__all__ = ["add_up", "classes_of", "sum_names"]

Counts = NDArray[np.int64]

#: Sums of int64 wrap silently beyond; no cell that is read is a thousandth of it.
_FAR = 2.0**62


def add_up(counts: Counts) -> bool:
    """Whether the last row and the last column hold the sums of the others, of two classes or more.

    Examples
    --------
    >>> add_up(np.array([[6, 2, 8], [0, 26, 26], [6, 28, 34]])), add_up(np.array([[4, 4], [4, 4]]))
    (True, False)
    """
    # zeros are the sum of zeros, and of two equal classes with nothing else the second is the sum of the first
    return len(counts) > 2 and bool(counts.any()) and not _odd(counts) and not _odd(counts.T)


def sum_names(rows: Sequence[str], columns: Sequence[str]) -> tuple[bool, bool]:
    """Whether the last row, and the last column, can by their names be sums and no class.

    Examples
    --------
    >>> sum_names(["a", "b", "n"], ["a", "b", "Total"]), sum_names(["y", "n"], ["y", "n"])
    ((True, True), (False, False))
    """
    of_rows = len(rows) > 2 and is_total(rows[-1], surely=rows[-1] in columns)
    of_columns = len(columns) > 2 and is_total(columns[-1], surely=columns[-1] in rows)
    return of_rows, of_columns


def classes_of(
    source: str, rows: Sequence[str], columns: Sequence[str], counts: Counts, request: Request
) -> tuple[int, int, list[str]]:
    """How many rows and columns are classes and no totals, with a note on those that are.

    Parameters
    ----------
    source : str
        What the user calls the file.
    rows, columns : sequence of str
        Names, as the table has them.
    counts : ndarray, shape (rows, columns)
    request : Request
        What its ``labels`` name is a class.

    Raises
    ------
    InvalidFile
        What is named as totals does not add up; or what does add up may as well be a class.

    Examples
    --------
    >>> names, counts = ["a", "b", "Total"], np.array([[1, 2, 3], [0, 4, 4], [1, 6, 7]])
    >>> classes_of("x.csv", names, names, counts, Request())
    (2, 2, ["The last row and column ('Total') hold the sums of the others and were left out."])
    """
    height, width = counts.shape
    kept = request.labels or ()
    if rows[-1] in kept or columns[-1] in kept:
        return height, width, []
    of_rows, of_columns = sum_names(rows, columns)
    if height == width:
        if not (of_rows and of_columns):
            return _unnamed(source, rows, columns, counts, request)
    elif not (of_rows and height == width + 1) and not (of_columns and width == height + 1):
        return height, width, []
    else:
        of_rows, of_columns = height > width, width > height
    height, width = height - of_rows, width - of_columns
    if of_rows:
        _refuse_odd(source, "row", rows[-1], columns[:width], counts[:, :width])
    if of_columns:
        _refuse_odd(source, "column", columns[-1], rows[:height], counts[:height].T)
    if of_rows and of_columns:
        _refuse_odd(source, "row", rows[-1], columns, counts)
    return height, width, [_left_out(rows[-1], columns[-1], of_rows, of_columns)]


def _unnamed(
    source: str, rows: Sequence[str], columns: Sequence[str], counts: Counts, request: Request
) -> tuple[int, int, list[str]]:
    """The last row and column are no known words for sums; what they hold decides."""
    size = len(counts)
    last = columns[-1]
    if size == 2 and is_total(last, surely=True) and counts.any() and not (_odd(counts) or _odd(counts.T)):
        problem = f"the row and column {excerpt(last)} are the totals of the others, and only one class is left"
        raise InvalidFile(source, f"{problem}. Two or more are needed.")
    if not add_up(counts):
        return size, size, []
    if last and last in rows and np.count_nonzero(counts[:-1, :-1]) == 1:
        # all cases in one cell, or two classes that are always taken for each other and a third without cases
        problem = f"the row and column {excerpt(last)} hold the sums of the others"
        advice = "If they are totals, remove them; if it is a class, write the cells as true,pred,count"
        raise InvalidFile(source, f"{problem}, and these counts do not tell whether it is a class. {advice}.")
    note = _left_out(rows[-1], last, True, True)
    if last and request.grid is None:
        note += " --labels with all the names keeps them as a class."
    return size - 1, size - 1, [note]


def _odd(counts: Counts) -> bool:
    """Whether the last row differs from the sums of the others."""
    sums = counts[:-1].sum(axis=0)
    return not np.array_equal(sums, counts[-1]) or bool((counts[:-1].sum(axis=0, dtype=float) > _FAR).any())


def _refuse_odd(source: str, what: str, name: str, across: Sequence[str], counts: Counts) -> None:
    if not _odd(counts):
        return
    sums = counts[:-1].sum(axis=0, dtype=object)
    place = next(i for i, (held, due) in enumerate(zip(counts[-1].tolist(), sums, strict=True)) if held != due)
    where = f"in the {'column' if what == 'row' else 'row'} {excerpt(across[place])}"
    problem = f"the {what} {excerpt(name)} holds {integer(int(counts[-1, place]))} {where}"
    problem += f", and the other {what}s add up to {integer(int(sums[place]))}"
    raise InvalidFile(source, f"{problem}. Correct it, or leave the totals out.")


def _left_out(row: str, column: str, of_rows: bool, of_columns: bool) -> str:
    names = [name for name, there in ((row, of_rows), (column, of_columns)) if there and name]
    called = f" ({' and '.join(map(excerpt, dict.fromkeys(names)))})" if names else ""
    if of_rows and of_columns:
        return f"The last row and column{called} hold the sums of the others and were left out."
    return f"The last {'row' if of_rows else 'column'}{called} holds the sums of the others and was left out."
