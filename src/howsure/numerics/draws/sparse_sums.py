"""Sums over the cells of tables that were drawn by their non-empty ones.

Atoms of the prior may lie on cells with cases, or on each other: for sums of anything but multiples of x they are put
together first. What is left beyond the atoms, ``left_i q_j / (1 - q_i)`` in every cell on average, has expected sums in
closed form; a cell that holds more than that is corrected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.draws.sparse_tables import SparseErrors

__all__ = ["SparseSums"]

#: Numbers below this are 0 to a logarithm.
LEAST = 1e-300


@dataclass(frozen=True, eq=False)
class SparseSums:
    """Sums over the wrong cells of m drawn tables; the diagonal is not theirs.

    Parameters
    ----------
    errors : SparseErrors
        The wrong cells.
    """

    errors: SparseErrors

    def costs(self, table: Floats) -> Floats:
        """Sum of cell times cost over each row, shape (K, m)."""
        cells, errors = self.errors.cells, self.errors
        found = cells.weighted_row_sums(table[cells.true, cells.pred], errors.at_cells)
        for columns, values in zip(self._flat, errors.at_atoms, strict=True):
            found += table.ravel()[columns] * values
        if errors.rest is not None:
            base = errors.rest.base
            found += self._level * (base @ table.T - base * table.diagonal()).T
        return found

    def log_sum(self) -> Floats:
        """Sum of x log x, shape (m,)."""
        at_cells, at_atoms = self._put_together
        if self.errors.rest is None:
            return np.asarray(_log_terms(at_cells).sum(0) + _log_terms(at_atoms).sum(1).sum(0))
        base, level = self.errors.rest.base.T, self._level
        logs = _log_terms(base)
        # sum over j of (l q_j) log(l q_j) without the row's own column
        all_cells = (_log_terms(level) * (1 - base) + level * (logs.sum(0) - logs)).sum(0)
        below_cells, below_atoms = self._below
        more = [_log_terms(x + y) - _log_terms(y) for x, y in ((at_cells, below_cells), (at_atoms, below_atoms))]
        excess = self._excess
        both = zip(more, (at_cells, at_atoms), (below_cells, below_atoms), self._there(excess), strict=True)
        for part, x, below, over in both:  # var(y)/(2y) of a cell becomes var(y)/(2(x + y)) beside x
            part -= below * over * x / np.maximum(x + below, LEAST)
        more[1][at_atoms == 0] = 0.0  # put together with another one
        all_cells += (level * ((base * excess).sum(0) - base * excess)).sum(0)
        return np.asarray(all_cells + more[0].sum(0) + more[1].sum(1).sum(0))

    def squares(self, rows: Floats, columns: Floats) -> Floats:
        """Sum of x^2 / (row sum times column sum), shape (m,), from the inverses of those, shape (K, m) each."""
        at_cells, at_atoms = self._put_together
        cells, draw = self.errors.cells, np.arange(rows.shape[1])
        row_of_atoms, column_of_atoms = rows[None], columns[self.errors.columns, draw]
        if self.errors.rest is None:
            found = (at_cells**2 * columns[cells.pred] * rows[cells.true]).sum(0)
            return np.asarray(found + ((at_atoms**2 * column_of_atoms).sum(0) * rows).sum(0))
        base, level = self.errors.rest.base.T, self._level
        each = base**2 * columns
        all_cells = (level**2 * rows * (each.sum(0) - each)).sum(0)
        # a share p = q_j / (1 - q_i) has the variance p (1 - p)/(b + 1), also where a cell has counts besides
        each = base * (1 - self._share) / (self.errors.rest.mass + 1) * columns
        all_cells += (level**2 * (1 - base) * rows * (each.sum(0) - each)).sum(0)
        below_cells, below_atoms = self._below
        more = (at_cells * (at_cells + 2 * below_cells) * columns[cells.pred] * rows[cells.true]).sum(0)
        more += (at_atoms * (at_atoms + 2 * below_atoms) * column_of_atoms * row_of_atoms).sum(1).sum(0)
        return np.asarray(all_cells + more)

    @cached_property
    def _flat(self) -> Integers:
        """Place of each atom in its table, shape (S, K, m)."""
        size = self.errors.cells.size
        return self.errors.columns + size * np.arange(size)[:, None]

    @cached_property
    def _put_together(self) -> tuple[Floats, Floats]:
        """Cells (E, m) and atoms (S, K, m), each place once; atoms that joined another are 0."""
        at_cells, at_atoms = self.errors.at_cells.copy(), self.errors.at_atoms.copy()
        columns, many = self.errors.columns, at_cells.shape[1]
        flat = at_atoms.reshape(len(at_atoms), self.errors.cells.size * many)
        for s, values in enumerate(flat):
            for t in range(s):  # onto an earlier atom of the row
                same = np.flatnonzero(columns[t] == columns[s])
                flat[t][same] += values[same]
                values[same] = 0.0
        for places, values in zip(self._flat, flat, strict=True):
            cell = self.errors.cells.find(places.ravel())
            there = np.flatnonzero(cell >= 0)
            # no place twice: a cell is of one row
            at_cells.reshape(-1)[cell[there] * many + there % many] += values[there]
            values[there] = 0.0
        return at_cells, at_atoms

    @cached_property
    def _level(self) -> Floats:
        """What is left of each row over the base of all columns but its own, shape (K, m)."""
        rest = self.errors.rest
        assert rest is not None
        return np.asarray(rest.left / np.maximum(1 - rest.base.T, 1e-15))

    @cached_property
    def _excess(self) -> Floats:
        """By how much ``E[x log x]`` of a cell is above that of its mean, over the mean, shape (K, m).

        A share is Beta(b p, b (1 - p)), ``p = q_j / (1 - q_i)``: ``E[x log x] = p (psi(b p + 1) - psi(b + 1))``; here
        the own column of a row is taken for an average one.
        """
        rest = self.errors.rest
        assert rest is not None
        digammas = special.digamma(rest.mass * self._share + 1) - special.digamma(rest.mass + 1)
        return np.asarray(digammas - np.log(np.maximum(self._share, LEAST)))

    @cached_property
    def _share(self) -> Floats:
        """Share of each column of what is left of an average row, shape (K, m)."""
        rest = self.errors.rest
        assert rest is not None
        return np.asarray(np.minimum(rest.base / (1 - (rest.base**2).sum(axis=1, keepdims=True)), 1.0).T)

    def _there(self, of_columns: Floats) -> tuple[Floats, Floats]:
        """Values of columns, shape (K, m), at the cells and at the atoms."""
        return of_columns[self.errors.cells.pred], of_columns[self.errors.columns, np.arange(of_columns.shape[1])]

    @cached_property
    def _below(self) -> tuple[Floats, Floats]:
        """What is left beyond the atoms, at the cells and at the atoms."""
        rest, cells = self.errors.rest, self.errors.cells
        assert rest is not None
        at_cells, at_atoms = self._there(rest.base.T)
        return at_cells * self._level[cells.true], at_atoms * self._level


def _log_terms(x: Floats) -> Floats:
    return np.asarray(x * np.log(np.maximum(x, LEAST)))
