"""Where a class's wrong answers go under the learned prior: shares of the columns, and how far rows keep to them.

    errors of row i ~ Dirichlet(lambda q_j / (1 - q_i), j != i),    q ~ Dirichlet(A/K, ..., A/K) + column totals
    A/(A + K) ~ Uniform(0, 1),    lambda/(lambda + K) ~ Uniform(0, 1)

``A`` and ``lambda`` each on a grid in the log, by their Dirichlet-multinomial evidence; lambda given q at its mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats, Integers

__all__ = ["LearnedErrors"]

#: Nodes of each grid, and how far it reaches to both sides of K in the log.
NODES, REACH = 49, 12.0

#: Cells times nodes that one block may hold.
BLOCK = 500_000

#: Least concentration that is drawn.
FLOOR = 1e-200


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
        self.column_totals: Floats = np.bincount(j, e, minlength=size).astype(float)
        self.log_mass = np.log(size) + np.linspace(-REACH, REACH, NODES)
        self.mass_weight = _weights(self.log_mass, size, self._column_evidence())
        mass = np.exp(self.log_mass)
        mean = (mass[:, None] / size + self.column_totals) / (mass + e.sum())[:, None]
        #: Posterior mean of the column shares q, shape (K,).
        self.shares: Floats = self.mass_weight @ mean
        self.rough_weight = _weights(self.log_mass, size, self._row_evidence(i, j, e))
        self._cells = i, j, e

    def _column_evidence(self) -> Floats:
        """Dirichlet-multinomial log probability of the column totals at each A."""
        mass = np.exp(self.log_mass)
        totals, copies = np.unique(self.column_totals, return_counts=True)
        whole = _log_rising(mass, self.column_totals.sum(keepdims=True))
        return np.asarray(_log_rising(mass[:, None] / self.size, totals) @ copies - whole)

    def _row_evidence(self, i: Integers, j: Integers, e: Floats) -> Floats:
        """Log probability of all rows of errors at each lambda; only cells with errors count."""
        mass = np.exp(self.log_mass)[:, None]
        row_totals, copies = np.unique(np.bincount(i, e, minlength=self.size).astype(float), return_counts=True)
        evidence = -_log_rising(mass, row_totals) @ copies
        share = self.shares[j] / (1 - self.shares[i])
        step = max(1, BLOCK // NODES)
        for start in range(0, len(e), step):
            part = slice(start, start + step)
            evidence = evidence + _log_rising(mass * share[part], e[part]).sum(axis=1)
        return np.asarray(evidence)

    @property
    def means(self) -> Floats:
        """Expected shares of the errors of each row, shape (K, K), zero on the diagonal, in closed form.

        Given ``lambda`` and ``q`` a share is (lambda q_j/(1 - q_i) + e_ij)/(lambda + e_i), and given ``A`` the ratio
        q_j/(1 - q_i) is a share of the columns without i, whose mean is that of their Dirichlet.
        """
        i, j, e = self._cells
        totals = np.bincount(i, e, minlength=self.size).astype(float)
        mass, weight = _within(self.log_mass, self.mass_weight)
        column = mass[:, None] / self.size + self.column_totals
        ratio = (weight[:, None] / (column.sum(axis=1, keepdims=True) - column)).T @ column
        rough, weight = _within(self.log_mass, self.rough_weight)
        means = ratio * ((rough / (rough + totals[:, None])) @ weight)[:, None]
        means[i, j] += e * ((1 / (rough + totals[:, None])) @ weight)[i]
        np.fill_diagonal(means, 0.0)
        return np.asarray(means)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw ``lambda``, shape (n,), and the column shares ``q``, shape (n, K)."""
        rough = _drawn(self.log_mass, self.rough_weight, n, rng)
        mass = _drawn(self.log_mass, self.mass_weight, n, rng)
        gammas = rng.standard_gamma(np.maximum(mass[:, None] / self.size + self.column_totals, FLOOR))
        gammas = np.maximum(gammas, 1e-300)
        return rough, gammas / gammas.sum(axis=1, keepdims=True)


def _log_rising(x: Floats, count: Floats) -> Floats:
    """``log Gamma(x + count)/Gamma(x)``."""
    return np.asarray(special.gammaln(x + count) - special.gammaln(x))


def _weights(log_mass: Floats, size: int, log_evidence: Floats) -> Floats:
    """Posterior on the grid: x/(x + K) uniform has the logistic density in ``log x``."""
    z = log_mass - np.log(size)
    log_density = log_evidence + z - 2 * np.logaddexp(0, z)
    weight = np.exp(log_density - log_density.max())
    return np.asarray(weight / weight.sum())


def _within(log_mass: Floats, weight: Floats, parts: int = 5) -> tuple[Floats, Floats]:
    """Nodes and weights of a midpoint rule over the cells that `_drawn` moves its nodes in."""
    step = float(log_mass[1] - log_mass[0])
    moved = log_mass[:, None] + step * ((np.arange(parts) + 0.5) / parts - 0.5)
    return np.exp(moved).ravel(), np.repeat(weight / parts, parts)


def _drawn(log_mass: Floats, weight: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Nodes by weight, moved evenly within their cells."""
    step = float(log_mass[1] - log_mass[0])
    return np.exp(rng.choice(log_mass, n, p=weight) + step * (rng.random(n) - 0.5))
