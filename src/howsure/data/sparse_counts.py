"""The non-empty cells of a large square table: what a confusion matrix of 50,000 classes has room for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.refusals import say
from howsure.errors import InvalidArgument
from howsure.numerics.arrays import Integers, bincount

#: Whole numbers; of several passes of a cross-validation tests divided by the passes, which need not be.
Counted = NDArray[Any]

#: Cells of the largest table that is ever written out whole (800 MB).
MOST_CELLS = 10**8


#: Combinations of codes up to which they are counted in a table, and rows of one step: they stay in the cache.
LARGEST_TABLE, BLOCK = 2**24, 2**16


def summed(
    keys: Sequence[Integers], count: NDArray[Any] | None, texts: Sequence[int] | None = None
) -> tuple[list[Integers], NDArray[Any]]:
    """Add up the counts of rows with equal keys (1 a row if None); rows in the order of the keys, without empty ones.

    ``texts`` is how many texts each key numbers, where that is known; -1 stands for none.

    Examples
    --------
    >>> keys, total = summed([np.array([1, 0, 1]), np.array([2, -1, 2])], np.array([3, 4, 5]))
    >>> [k.tolist() for k in keys], total.tolist()
    ([[0, 1], [-1, 2]], [4, 8])
    """
    rows = len(keys[0])
    if not rows:
        return list(keys), np.empty(0, dtype=np.int64)
    lows = [int(key.min()) if texts is None else -1 for key in keys]
    tops = [int(key.max()) for key in keys] if texts is None else [size - 1 for size in texts]
    sizes = [top - low + 1 for top, low in zip(tops, lows, strict=True)]
    size = math.prod(sizes)
    if size >= 2**62:  # more combinations than a number can hold
        stacked, place = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
        total = bincount(place.reshape(-1), count).astype(np.int64 if count is None else count.dtype)
        return [key[total != 0] for key in stacked.T], total[total != 0]
    if size <= max(BLOCK, min(LARGEST_TABLE, 2 * rows)):
        table = np.zeros(size, dtype=np.int64 if count is None else count.dtype)
        step = BLOCK * math.ceil(4 * size / BLOCK)  # the larger it is, the more rows have to be worth a pass over it
        for start in range(0, rows, step):
            flat = _flat([key[start : start + step] for key in keys], lows, sizes)
            weights = None if count is None else count[start : start + step]
            table += bincount(flat, weights, size).astype(table.dtype, copy=False)
        distinct = np.flatnonzero(table)
        total = table[distinct]
    else:
        flat = _flat(keys, lows, sizes)
        order = np.argsort(flat, kind="stable")
        flat = flat[order]
        first = np.flatnonzero(np.concatenate(([True], flat[1:] > flat[:-1])))
        total = np.diff(first, append=rows) if count is None else np.add.reduceat(count[order], first)
        distinct, total = flat[first][total != 0], total[total != 0]
    found = []
    for low, one in zip(reversed(lows), reversed(sizes), strict=True):
        rest = distinct if one == 1 else distinct // one
        found.append(distinct - rest * one + low)
        distinct = rest
    return found[::-1], total


def _flat(keys: Sequence[Integers], lows: Sequence[int], sizes: Sequence[int]) -> Integers:
    """One number for each combination of codes, some rows at a time."""
    flat = np.empty(len(keys[0]), dtype=np.int64)
    for start in range(0, len(flat), BLOCK):
        some = slice(start, start + BLOCK)
        part = flat[some]
        np.subtract(keys[0][some], lows[0], out=part)
        for key, low, size in zip(keys[1:], lows[1:], sizes[1:], strict=True):
            part *= size
            part += key[some]
            part -= low
    return flat


class ReadOnly:
    """A dataclass whose arrays nobody can change, wherever it is sent."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), tuple(vars(self).values()))

    def key(self) -> tuple[object, ...]:
        """What tells records apart, for equality and for a hash."""
        return tuple(it.tobytes() if isinstance(it, np.ndarray) else it for it in vars(self).values())


@dataclass(frozen=True, eq=False)
class Cells(ReadOnly):
    """Cells of a (size, size) table that hold a count above 0, in the order of rows, then of columns; read-only.

    Parameters
    ----------
    size : int
        Rows, and columns, of the table.
    true, pred, count : ndarray, shape (cells,)
        Row, column and count of each; the sums of rows are whole numbers, whatever the counts are.
    entered : bool
        Whether they came as a whole table, typed or read, and were not counted from cases.
    """

    size: int
    true: Integers
    pred: Integers
    count: Counted
    entered: bool = False

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def of_table(cls, table: Counted) -> Cells:
        """Those of a whole table."""
        true, pred = np.nonzero(table)
        return cls(len(table), true, pred, table[true, pred], entered=True)

    @classmethod
    def of_cases(cls, true: Integers, pred: Integers, size: int) -> Cells:
        """Count cases, row and column of each; O(n log n)."""
        place, count = np.unique(true * size + pred, return_counts=True)
        return cls(size, place // size, place % size, count.astype(np.int64))

    @classmethod
    def added(cls, true: Integers, pred: Integers, count: Counted, size: int) -> Cells:
        """Put cells in order; those that come again add up, and empty ones go."""
        (true, pred), count = summed([true, pred], count)
        return cls(size, true, pred, count)

    # -- what they add up to --------------------------------------------------------------------------------

    @property
    def row_sums(self) -> Integers:
        """Sum of each row, shape (size,)."""
        return np.rint(self._sums(self.true)).astype(np.int64)

    @property
    def column_sums(self) -> Counted:
        """Sum of each column, shape (size,)."""
        return self._sums(self.pred)

    @property
    def diagonal(self) -> Counted:
        """Counts on the diagonal, shape (size,); never more than those of the row."""
        found = np.zeros(self.size, dtype=self.count.dtype)
        hit = self.true == self.pred
        found[self.true[hit]] = self.count[hit]
        return found if found.dtype.kind == "i" else np.minimum(found, self.row_sums)

    def _sums(self, place: Integers) -> Counted:
        # doubles add whole numbers up to 2**53 - 1 exactly, and a matrix has no more cases than that
        return bincount(place, weights=self.count, minlength=self.size).astype(self.count.dtype)

    # -- other tables ---------------------------------------------------------------------------------------

    def table(self) -> Counted:
        """The whole table, shape (size, size); raises `InvalidArgument` above 10**8 cells."""
        if self.size**2 > MOST_CELLS:
            raise InvalidArgument(say("whole_table", self.size, f"{self.size**2:.2g}", len(self.true)))
        whole = np.zeros((self.size, self.size), dtype=self.count.dtype)
        whole[self.true, self.pred] = self.count
        return whole

    def turned(self) -> Cells:
        """Exchange rows and columns."""
        return replace(Cells.added(self.pred, self.true, self.count, self.size), entered=self.entered)

    def moved(self, place: Sequence[int] | Integers, size: int) -> Cells:
        """Row and column i become ``place[i]``, those with -1 go; what lands in one place adds up."""
        target = np.asarray(place, dtype=np.int64)
        true, pred = target[self.true], target[self.pred]
        stay = (true >= 0) & (pred >= 0)
        return Cells.added(true[stay], pred[stay], self.count[stay], size)

    def divided(self, by: int) -> Cells:
        """Counts divided by a number of passes."""
        return self if by == 1 else replace(self, count=self.count / by)

    def times(self, by: int) -> Cells:
        """Counts of all passes: whole numbers again."""
        return self if by == 1 else replace(self, count=np.rint(self.count * by).astype(np.int64))

    def plus(self, other: Cells) -> Cells:
        """Add up two tables of one size."""
        return Cells.added(
            np.concatenate((self.true, other.true)),
            np.concatenate((self.pred, other.pred)),
            np.concatenate((self.count, other.count)),
            self.size,
        )

    def same(self, other: Cells) -> bool:
        """Whether all counts agree."""
        pairs = ((self.true, other.true), (self.pred, other.pred), (self.count, other.count))
        return self.size == other.size and all(np.array_equal(a, b) for a, b in pairs)

    def key(self) -> tuple[object, ...]:
        """What tells tables apart, for a hash; not where they came from."""
        return super().key()[1:4]
