"""Wrong cells that hold cases: their Gamma variables, and their sums by row and by column.

A wrong cell of a large table mostly holds a few cases, and Gamma(c) is minus the logarithm of a product of c uniform
numbers. To seven digits these and the logarithm take a fourth of the time of a Gamma by rejection.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.numerics.arrays import Floats, Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["ErrorCells"]

#: Cells of the largest table in which cells are looked up by their place.
MOST_LISTED = 10**7

#: Cases up to which a Gamma is made of uniform numbers; their product is no float32 with a probability of 1e-28.
MOST_MULTIPLIED = 8


class ErrorCells:
    """Wrong cells that hold cases, those with the fewest cases first.

    Parameters
    ----------
    size : int
        Number of classes K.
    true, pred : array_like, shape (E,)
        Row and column; cells on the diagonal are left out.
    count : array_like, shape (E,)
        Cases, above 0.
    """

    def __init__(self, size: int, true: ArrayLike, pred: ArrayLike, count: ArrayLike) -> None:
        rows, columns = np.asarray(true, dtype=np.int64), np.asarray(pred, dtype=np.int64)
        cases = np.asarray(count, dtype=float)
        order = np.flatnonzero(rows != columns)
        order = order[np.argsort(cases[order], kind="stable")]
        self.size = size
        self.true: Integers = rows[order]
        self.pred: Integers = columns[order]
        self.count: Floats = cases[order]

    def gammas(self, many: int, rng: np.random.Generator) -> Floats:
        """Draw Gamma(count) for every cell, shape (E, m); of few cases to the seven digits of a float32."""
        drawn = np.empty((len(self.count), many))
        single, few = np.searchsorted(self.count, [1, MOST_MULTIPLIED + 0.5]).tolist()
        few = few if single == 0 and np.all(self.count[:few] % 1 == 0) else 0
        product = _uniforms(few, many, rng)
        for start in np.searchsorted(self.count[:few], np.arange(2, MOST_MULTIPLIED + 1)).tolist():
            product[start:] *= _uniforms(few - start, many, rng)
        np.negative(np.log(product, out=product), out=drawn[:few])
        for first, end, shape in self._alike(few):
            rng.standard_gamma(shape, out=drawn[first:end])
        return drawn

    def _alike(self, start: int) -> Iterator[tuple[int, int, float]]:
        """Where cells of one count begin and end: Gammas of one shape take three quarters of the time of several."""
        edges = np.flatnonzero(np.diff(self.count[start:], prepend=-1.0, append=-1.0)) + start
        for first, last in pairwise(edges.tolist()):
            yield first, last, float(self.count[first])

    def row_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each row, (E, m) to (K, m)."""
        return np.asarray(self._by_row @ values)

    def column_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each column, (E, m) to (K, m)."""
        return np.asarray(self._by_column @ values)

    def weighted_row_sums(self, weights: Floats, values: Floats) -> Floats:
        """Sums of weight (E,) times value (E, m) over the cells of each row, shape (K, m)."""
        return np.asarray(self._adding(self.true, weights) @ values)

    def find(self, places: Integers) -> Integers:
        """Which cell lies at row times K plus column, -1 where none does."""
        if self.size**2 <= MOST_LISTED:
            return self._listed[places]
        keys = self.true * self.size + self.pred
        order = np.argsort(keys)
        at = np.minimum(np.searchsorted(keys[order], places), max(len(keys) - 1, 0))
        found = order[at] if len(keys) else at
        return np.where(keys[found] == places, found, -1) if len(keys) else np.full(places.shape, -1)

    @cached_property
    def _listed(self) -> Integers:
        listed = np.full(self.size**2, -1, dtype=np.int64)
        listed[self.true * self.size + self.pred] = np.arange(len(self.true))
        return listed

    @cached_property
    def _by_row(self) -> csr_array:
        return self._adding(self.true)

    @cached_property
    def _by_column(self) -> csr_array:
        return self._adding(self.pred)

    def _adding(self, place: Integers, weights: Floats | None = None) -> csr_array:
        """Matrix, shape (K, E), that adds up the weighted cells of each place."""
        from scipy.sparse import csr_array

        cells = len(place)
        each = np.ones(cells) if weights is None else weights
        return csr_array((each, (place, np.arange(cells))), shape=(self.size, cells))


def _uniforms(rows: int, many: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Uniform numbers in steps of 2^-32, never 0 or 1, shape (rows, many): two from each number of 64 bits."""
    bits = rng.integers(0, 2**64, size=(rows * many + 1) // 2, dtype=np.uint64).view(np.uint32)[: rows * many]
    drawn = bits.astype(np.float32).reshape(rows, many)
    drawn += np.float32(0.5)
    drawn *= np.float32(2.0**-32)
    return np.minimum(drawn, np.float32(1 - 2.0**-24), out=drawn)
