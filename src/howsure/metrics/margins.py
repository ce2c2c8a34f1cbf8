"""What metrics need of a table: its diagonal, its two margins, and a few sums over its cells.

A formula that reads a table only by the words of this file works on whole tables and on `Margins` alike, and so never
needs the K x K numbers of each draw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import short_sum

Tables = NDArray[np.float64]

#: Below this x log x counts as x log of this: nothing.
LEAST = 1e-300

#: Cost of each cell of a table of so many classes, shape (K, K); one function, not a new one for each use.
CostTable = Callable[[int], Tables]


class Inside(Protocol):
    """Cells of tables of which the margins are known, however they are kept."""

    def costs(self, table: CostTable) -> Tables:
        """Sum of cell times cost over each row, shape (..., K)."""

    def log_sum(self) -> Tables:
        """Sum of x log x over the cells, shape (...)."""

    def squares(self, actual: Tables, called: Tables) -> Tables:
        """Sum of x^2 / (row sum times column sum) over the cells, shape (...); empty ones count 0."""


@dataclass(frozen=True, eq=False)
class Margins:
    """Tables of which only the diagonal, the row sums and the column sums are kept."""

    hits: Tables  # (..., K), diagonal
    actual: Tables  # (..., K), row sums (truth)
    called: Tables  # (..., K), column sums (prediction)
    inside: Inside | None = None  # who answers for the cells; without it formulas of cells are refused
    #: What has been made of these tables, so that no formula is worked out twice.
    memory: dict[Hashable, Tables] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, tables: Tables) -> Margins:
        """Keep the margins of whole tables, shape (..., K, K), and nothing else."""
        return cls(hits(tables), actual(tables), called(tables))

    @classmethod
    def around(cls, tables: Tables) -> Margins:
        """The margins of whole tables, which answer for their cells."""
        return cls(hits(tables), actual(tables), called(tables), WholeCells(tables))

    def __reduce__(self) -> tuple[object, ...]:
        # what is remembered can be made again
        return Margins, (self.hits, self.actual, self.called, self.inside)

    def remembered(self, key: Hashable, make: Callable[[], Tables]) -> Tables:
        """A number that was made before, or is made now."""
        if key not in self.memory:
            self.memory[key] = make()
        return self.memory[key]


@dataclass(frozen=True, eq=False)
class WholeCells:
    """All cells of whole tables, shape (..., K, K)."""

    tables: Tables

    def costs(self, table: CostTable) -> Tables:
        """Sum of cell times cost over each row, shape (..., K)."""
        return np.asarray((self.tables * table(self.tables.shape[-1])).sum(-1))

    def log_sum(self) -> Tables:
        """Sum of x log x over the cells, shape (...)."""
        return np.asarray(log_terms(self.tables).sum(-1).sum(-1))

    def squares(self, actual: Tables, called: Tables) -> Tables:
        """Sum of x^2 / (row sum times column sum) over the cells, shape (...); empty ones count 0."""
        expected = actual[..., :, None] * called[..., None, :]
        part = np.divide(self.tables**2, expected, out=np.zeros_like(self.tables), where=expected > 0)
        return np.asarray(part.sum(-1).sum(-1))


Table = Tables | Margins


def cells(m: Table) -> Tables:
    """All cells, shape (..., K, K), TypeError where they were not kept: a formula is not content with margins."""
    if isinstance(m, Margins):
        raise TypeError("margins have no cells")
    return m


def hits(m: Table) -> Tables:
    """Cases of each class that were called so (true positives), shape (..., K)."""
    return m.hits if isinstance(m, Margins) else np.diagonal(m, axis1=-2, axis2=-1)


def actual(m: Table) -> Tables:
    """Cases of each true class, shape (..., K)."""
    return m.actual if isinstance(m, Margins) else short_sum(m)


def called(m: Table) -> Tables:
    """Cases called each class, shape (..., K)."""
    return m.called if isinstance(m, Margins) else short_sum(m, -2)


def total(m: Table) -> Tables:
    """All cases, shape (..., 1)."""
    if isinstance(m, Margins):
        return short_sum(m.actual)[..., None]
    if m.flags.c_contiguous:  # so that the cells of a table are one axis without a copy
        return short_sum(m.reshape(*m.shape[:-2], m.shape[-2] * m.shape[-1]))[..., None]
    return np.asarray(m.sum((-2, -1)))[..., None]


def right(m: Table) -> Tables:
    """Cases that are right, shape (...)."""
    return short_sum(hits(m))


def costs_by_class(m: Table, table: CostTable) -> Tables:
    """Sum of cell times cost over each row, shape (..., K)."""
    if not isinstance(m, Margins):
        return WholeCells(m).costs(table)
    return m.remembered(table, lambda: _inside(m).costs(table))


def shared_entropy(m: Table) -> Tables:
    """Sum of p log(p / (row sum times column sum)) over the cells of p = m / total, in nats, shape (...).

    The entropies of both margins less that of the cells; the difference leaves a rounding where it should be 0.
    """
    if not isinstance(m, Margins):
        return shared_entropy(Margins.around(m))

    def made() -> Tables:
        cases = total(m)[..., 0]
        inside = _inside(m).log_sum() - _log_sum(m.actual) - _log_sum(m.called)
        return np.asarray(np.maximum(inside / cases + np.log(cases), 0.0))

    return m.remembered(shared_entropy, made)


def association(m: Table) -> Tables:
    """Sum of p^2 / (row sum times column sum) over the cells, 1 + chi^2 / n, shape (...)."""
    if not isinstance(m, Margins):
        return association(Margins.around(m))
    return m.remembered(association, lambda: _inside(m).squares(m.actual, m.called))


def log_terms(x: Tables) -> Tables:
    """Terms x log x of numbers that are 0 or more, 0 where x is 0."""
    return np.asarray(x * np.log(np.maximum(x, LEAST)))


def _log_sum(x: Tables) -> Tables:
    return np.asarray(log_terms(x).sum(-1))


def _inside(m: Margins) -> Inside:
    if m.inside is None:
        raise TypeError("margins have no cells")
    return m.inside
