"""The non-empty cells of a large square table: what a confusion matrix of 50,000 classes has room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument
from howsure.numerics.arrays import Integers, bincount

__all__ = ["Cells", "Counted"]

#: Whole numbers; of several passes of a cross-validation tests divided by the passes, which need not be.
Counted = NDArray[Any]

#: Cells of the largest table that is ever written out whole (800 MB).
MOST_CELLS = 10**8


@dataclass(frozen=True, eq=False)
class Cells:
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

    def __post_init__(self) -> None:
        for array in (self.true, self.pred, self.count):
            array.setflags(write=False)

    def __reduce__(self) -> tuple[object, ...]:
        return (Cells, (self.size, self.true, self.pred, self.count, self.entered))

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
            raise InvalidArgument(
                f"the whole table of {self.size} classes has {self.size**2:.2g} cells and does not fit; "
                f"use .cells, which gives the {len(self.true)} that are not empty"
            )
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

    def key(self) -> tuple[bytes, ...]:
        """What tells tables apart, for a hash."""
        return self.true.tobytes(), self.pred.tobytes(), self.count.tobytes()
