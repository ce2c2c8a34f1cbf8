"""Independent Dirichlet rows as objects with identity, and coefficients on some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.errors import InvalidArgument
from howsure.numerics.arrays import Floats, repeat

__all__ = ["DirichletRows", "Part", "merged"]


class DirichletRows:
    """Independent Dirichlet rows, as an object with identity: the same object is the same random rows.

    Parameters
    ----------
    alphas : array_like, shape (R, J)
        Positive concentrations; 0 marks a cell that cannot occur.

    Raises
    ------
    InvalidArgument
        Negative, missing or infinite concentrations, or a row without any.
    """

    __slots__ = ("_alphas", "_pairs", "_whole")

    def __init__(self, alphas: ArrayLike) -> None:
        self._alphas: Floats | None = _checked_alphas(alphas)
        self._pairs: Floats | None = None
        self._whole: Callable[[], ArrayLike] | None = None

    @classmethod
    def of_pairs(cls, right: ArrayLike, rest: ArrayLike, whole: Callable[[], ArrayLike]) -> DirichletRows:
        """Square rows known by their diagonal and the sum of all else, shape (K,) each.

        The K x K concentrations come from ``whole`` if a law reads single cells, and not before.
        """
        made = cls.__new__(cls)
        made._alphas, made._whole = None, whole
        made._pairs = _checked_alphas(np.stack([np.asarray(right, float), np.asarray(rest, float)], axis=1))
        return made

    @property
    def alphas(self) -> Floats:
        """Concentrations of every cell, shape (R, J), read-only."""
        if self._alphas is None:
            assert self._whole is not None
            self._alphas = _checked_alphas(self._whole())
        return self._alphas

    @property
    def pairs(self) -> Floats:
        """Of square rows, concentrations of the diagonal and of everything else, shape (R, 2)."""
        if self._pairs is None:
            right = self.alphas.diagonal()
            off = self.alphas.copy()
            np.fill_diagonal(off, 0.0)
            self._pairs = np.stack([right, off.sum(axis=1)], axis=1)
        return self._pairs


def _checked_alphas(alphas: ArrayLike) -> Floats:
    table = np.atleast_2d(np.array(alphas, dtype=float))
    if table.ndim != 2 or not np.all(np.isfinite(table) & (table >= 0)) or not np.all(table.sum(axis=1) > 0):
        raise InvalidArgument("Dirichlet rows need concentrations that are finite and 0 or more, at least one above 0")
    table.setflags(write=False)
    return table


@dataclass(frozen=True, eq=False)
class Part:
    """Coefficients on some rows of a block; ``index`` is increasing.

    A table of shape (R, J) has one for each cell. A lumped one, shape (R, 2), sees a row of a square block as
    [diagonal, everything else]: all that a recall needs, and K times smaller.
    """

    block: DirichletRows
    index: NDArray[np.int64]
    table: Floats
    lumped: bool = False

    @property
    def alphas(self) -> Floats:
        """Concentrations that go with the coefficients."""
        return self.block.pairs[self.index] if self.lumped else self.block.alphas[self.index]

    def widened(self) -> Part:
        """The same with a coefficient for each cell."""
        if not self.lumped:
            return self
        table = repeat(self.table[:, 1:], self.block.alphas.shape[1], axis=1)
        table[np.arange(len(table)), self.index] = self.table[:, 0]
        return Part(self.block, self.index, table)


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Add up the coefficients on the same random rows, so that what cancels is gone."""
    sums: dict[DirichletRows, Part] = {}
    for part in parts:
        before = sums.get(part.block)
        if before is None:
            sums[part.block] = part
            continue
        if before.lumped != part.lumped:
            before, part = before.widened(), part.widened()
        index = np.union1d(before.index, part.index)
        table = np.zeros((len(index), part.table.shape[1]))
        for each in (before, part):
            table[np.searchsorted(index, each.index)] += each.table
        sums[part.block] = Part(part.block, index, table, part.lumped)
    return tuple(part for part in sums.values() if part.table.any())
