"""The non-empty cells of a large square table: what a confusion matrix of 50,000 classes has room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from howsure.numerics.arrays import Integers

__all__ = ["Cells"]


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of a (size, size) table that hold a count above 0, in the order of rows, then of columns; read-only.

    Parameters
    ----------
    size : int
        Rows, and columns, of the table.
    true, pred, count : ndarray, shape (cells,)
        Row, column and count of each.
    entered : bool
        Whether they came as a whole table, typed or read, and were not counted from cases.
    """

    size: int
    true: Integers
    pred: Integers
    count: Integers
    entered: bool = False

    def __post_init__(self) -> None:
        for array in (self.true, self.pred, self.count):
            array.setflags(write=False)

    def __reduce__(self) -> tuple[object, ...]:
        return (Cells, (self.size, self.true, self.pred, self.count, self.entered))

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def of_table(cls, table: Integers) -> Cells:
        """Those of a whole table."""
        true, pred = np.nonzero(table)
        return cls(len(table), true, pred, table[true, pred], entered=True)

    @classmethod
    def of_cases(cls, true: Integers, pred: Integers, size: int) -> Cells:
        """Count cases, row and column of each; O(n log n)."""
        place, count = np.unique(true * size + pred, return_counts=True)
        return cls(size, place // size, place % size, count.astype(np.int64))

    @classmethod
    def added(cls, true: Integers, pred: Integers, count: Integers, size: int) -> Cells:
        """Put cells in order; those that come again add up, and empty ones go."""
        flat = true * size + pred
        order = np.argsort(flat, kind="stable")
        order = order[count[order] > 0]
        if not len(order):
            nothing = np.empty(0, dtype=np.int64)
            return cls(size, nothing, nothing.copy(), nothing.copy())
        flat = flat[order]
        first = np.flatnonzero(np.concatenate(([True], flat[1:] > flat[:-1])))
        return cls(size, flat[first] // size, flat[first] % size, np.add.reduceat(count[order], first))

    # -- what they add up to --------------------------------------------------------------------------------

    @property
    def row_sums(self) -> Integers:
        """Sum of each row, shape (size,)."""
        return self._sums(self.true)

    @property
    def column_sums(self) -> Integers:
        """Sum of each column, shape (size,)."""
        return self._sums(self.pred)

    @property
    def diagonal(self) -> Integers:
        """Counts on the diagonal, shape (size,)."""
        found = np.zeros(self.size, dtype=np.int64)
        hit = self.true == self.pred
        found[self.true[hit]] = self.count[hit]
        return found

    def _sums(self, place: Integers) -> Integers:
        # doubles add whole numbers up to 2**53 - 1 exactly, and a matrix has no more cases than that
        return np.bincount(place, weights=self.count, minlength=self.size).astype(np.int64)

    # -- other tables ---------------------------------------------------------------------------------------

    def table(self) -> Integers:
        """The whole table, shape (size, size)."""
        whole = np.zeros((self.size, self.size), dtype=np.int64)
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

    def key(self) -> tuple[bytes, ...]:
        """What tells tables apart, for a hash."""
        return self.true.tobytes(), self.pred.tobytes(), self.count.tobytes()
