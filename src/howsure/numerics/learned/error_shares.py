"""Where a class's wrong answers go under the learned prior: shares of the columns, and how far rows keep to them.

    errors of row i ~ Dirichlet(lambda q_j / (1 - q_i), j != i),    q ~ Dirichlet(A/K, ..., A/K) + column totals
    A/(A + K) ~ Uniform(0, 1),    lambda/(lambda + K) ~ Uniform(0, 1)

``A`` and ``lambda`` each on a grid in the log, by their Dirichlet-multinomial evidence; lambda given q at its mean.

The column totals are not those of the table. Its rows are the units: e errors of a row whose errors keep together
count like ``e f`` answers of their own, ``f = 1/(1 + (e - 1)/(1 + lambda))``, as in a cluster sample; else one broken
row would speak for all columns. And a row cannot err into its own column, so that a class that draws many errors would
hide its own share; what its row would have shown there, ``f e q/(1 - q)``, is put back. Both need lambda and q, and
are found in a few passes from the totals of the table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.learned.dirichlet_mass import (
    NODES,
    LearnedShares,
    drawn_on,
    log_grid,
    log_rising,
    weights_on,
    within,
)

__all__ = ["LearnedErrors"]

#: Cells times nodes that one block may hold.
BLOCK = 500_000

#: Passes from the totals of the table to those of its rows as units; the sixth moves a share by less than 0.001.
PASSES = 6

#: Share of a column at most while its own row is put back.
MOST_SHARE = 0.95

#: Up to this count a rising factorial is a product of so many factors, above it a ratio of Gamma functions.
SMALL_COUNT = 6


class LearnedErrors:
    """Posterior of the hyperparameters of the error parts of all rows; at least two classes.

    Parameters
    ----------
    size : int
        Number of classes K.
    rows, cols, counts : array_like, shape (M,)
        Cells off the diagonal with errors in them, each once.

    Raises
    ------
    ValueError
        Fewer than two classes, cells on the diagonal or outside the table, or counts that are not positive.

    Examples
    --------
    >>> errors = LearnedErrors(3, [0, 2, 2], [2, 0, 1], [2, 1, 1])
    >>> mass, shares = errors.draw(4, np.random.default_rng(0))
    >>> mass.shape, shares.shape, shares.sum(axis=1).round(9).tolist()
    ((4,), (4, 3), [1.0, 1.0, 1.0, 1.0])
    """

    def __init__(self, size: int, rows: ArrayLike, cols: ArrayLike, counts: ArrayLike) -> None:
        i, j = np.asarray(rows, dtype=np.int64).ravel(), np.asarray(cols, dtype=np.int64).ravel()
        e = np.asarray(counts, dtype=float).ravel()
        if size < 2 or not len(i) == len(j) == len(e):
            raise ValueError("errors need two classes or more, and one row, column and count for each cell")
        both = np.concatenate((i, j))
        if np.any(i == j) or np.any((both < 0) | (both >= size)) or not np.all((e > 0) & np.isfinite(e)):
            raise ValueError("cells of errors lie off the diagonal of the table and have counts above 0")
        self.size = size
        self._cells = i, j, e
        self._row_totals: Floats = bincount(i, e, minlength=size).astype(float)
        self.log_mass = log_grid(size)
        self._learn(bincount(j, e, minlength=size).astype(float))
        for _ in range(PASSES if len(e) else 0):
            self._learn(self._of_units())

    def _learn(self, column_totals: Floats) -> None:
        """Both grids from totals of the columns."""
        #: Posterior of the column shares q.
        self.columns = LearnedShares(column_totals)
        #: Their posterior mean, shape (K,).
        self.shares: Floats = self.columns.means
        self.rough_weight = weights_on(self.log_mass, self.size, self._row_evidence())

    def _of_units(self) -> Floats:
        """Column totals with rows as units, and with what each row would show in its own column."""
        i, j, e = self._cells
        rough = np.exp(self.rough_weight @ self.log_mass)
        unit = 1 / (1 + np.maximum(self._row_totals - 1, 0) / (1 + rough))
        seen = bincount(j, e * unit[i], minlength=self.size)
        share = np.minimum(self.shares, MOST_SHARE)
        whole = seen + unit * self._row_totals * share / (1 - share)
        return np.asarray(whole * (seen.sum() / whole.sum()))

    def _row_evidence(self) -> Floats:
        """Log probability of all rows of errors at each lambda; only cells with errors count."""
        i, j, e = self._cells
        mass = np.exp(self.log_mass)[:, None]
        row_totals, copies = np.unique(self._row_totals, return_counts=True)
        evidence = -log_rising(mass, row_totals) @ copies
        share = self.shares[j] / (1 - self.shares[i])
        small = (e <= SMALL_COUNT) & (e == np.floor(e))
        # most cells of a large table hold one error, whose factor is lambda times its share
        evidence = evidence + np.count_nonzero(small) * self.log_mass + np.log(share[small]).sum()
        for factor in range(1, SMALL_COUNT):
            part = share[small & (e > factor)]
            for start in range(0, len(part), BLOCK // NODES):
                evidence += np.log(mass * part[start : start + BLOCK // NODES] + factor).sum(axis=1)
        part, count = share[~small], e[~small]
        for start in range(0, len(part), BLOCK // NODES):
            here = slice(start, start + BLOCK // NODES)
            evidence += log_rising(mass * part[here], count[here]).sum(axis=1)
        return np.asarray(evidence)

    @property
    def means(self) -> Floats:
        """Expected shares of the errors of each row, shape (K, K), zero on the diagonal, in closed form.

        Given ``lambda`` and ``q`` a share is (lambda q_j/(1 - q_i) + e_ij)/(lambda + e_i), and given ``A`` the ratio
        q_j/(1 - q_i) is a share of the columns without i, whose mean is that of their Dirichlet.
        """
        i, j, e = self._cells
        totals = self._row_totals
        mass, weight = within(self.log_mass, self.columns.mass_weight)
        column = mass[:, None] / self.size + self.columns.totals
        ratio = (weight[:, None] / (column.sum(axis=1, keepdims=True) - column)).T @ column
        rough, weight = within(self.log_mass, self.rough_weight)
        means = ratio * ((rough / (rough + totals[:, None])) @ weight)[:, None]
        means[i, j] += e * ((1 / (rough + totals[:, None])) @ weight)[i]
        np.fill_diagonal(means, 0.0)
        return np.asarray(means)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw ``lambda``, shape (n,), and the column shares ``q``, shape (n, K)."""
        return drawn_on(self.log_mass, self.rough_weight, n, rng), self.columns.draw(n, rng)

    def masses(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw ``lambda q_j/(1 - q_i)``, shape (n, K, K): the Dirichlet parameters of the rows before their counts."""
        mass, shares = self.draw(n, rng)
        return np.asarray((mass[:, None] / np.maximum(1 - shares, 1e-15))[:, :, None] * shares[:, None, :])
