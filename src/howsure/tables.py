"""Joint tables as they were drawn: whole, or by their non-empty cells; formulas read either by its margins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument
from howsure.metrics.margins import Margins
from howsure.numerics.sparse_tables import SparseErrors

__all__ = ["MOST_CELLS", "Drawn", "SparseTables", "WholeTables"]

Floats = NDArray[np.float64]

#: Cells of the largest table that a formula of all cells may ask for.
MOST_CELLS = 10**8


class Drawn(Protocol):
    """A block of m drawn tables."""

    @property
    def margins(self) -> Margins:
        """Diagonal and margins, shape (m, K) each; all that most formulas read."""

    def whole(self) -> Iterator[Floats]:
        """The tables themselves, in smaller blocks of shape (some, K, K)."""


@dataclass(frozen=True, eq=False)
class WholeTables:
    """Tables that were drawn whole, shape (m, K, K)."""

    tables: Floats

    @cached_property
    def margins(self) -> Margins:
        """Diagonal and margins."""
        return Margins.of(self.tables)

    def whole(self) -> Iterator[Floats]:
        """All at once."""
        yield self.tables


@dataclass(frozen=True, eq=False)
class SparseTables:
    """Tables of many classes: diagonal and row sums, shape (m, K), and errors by cell."""

    hits: Floats
    actual: Floats
    errors: SparseErrors

    @cached_property
    def margins(self) -> Margins:
        """Diagonal and margins; no table is made for them."""
        return Margins(self.hits, self.actual, self.hits + self.errors.column_sums)

    def whole(self) -> Iterator[Floats]:
        """Some tables at a time. Raises `InvalidArgument` where even one does not fit."""
        size = self.hits.shape[1]
        if size**2 > MOST_CELLS:
            raise InvalidArgument(
                f"this needs all {size**2:.2g} cells of each drawn table, which do not fit; "
                "only metrics of the diagonal and the margins can be drawn for so many classes"
            )
        yield from self.errors.tables(self.hits)
