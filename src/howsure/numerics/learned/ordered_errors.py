"""Where wrong answers go if the classes have an order: near ranks draw more errors than far ones, by a learned profile.

    errors of row i ~ Dirichlet(lambda s_i),    s_ij = q_j h(|i - j|) / sum_{k != i} q_k h(|i - k|)
    h(d) = (1 - u) r^(d - 1) + u

The profile falls by the factor ``r`` with each rank, down to the level ``u`` of errors that know no distance; both on a
grid, by the evidence of the rows of errors. ``r = 1`` is what `LearnedErrors` says, which knows no order: all else is
as there, the columns q and the mass lambda as well. An error of row i is as if columns were drawn by q and kept with
probability h; what the table would show of those not kept is put back, as there what a row would show in its own one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.dirichlet_mass import FLOOR, log_grid, log_rising
from howsure.numerics.learned.error_shares import PASSES

__all__ = ["COARSE", "FINE", "OrderedErrors"]

#: Factors of the profile for each rank, and levels that it falls to: of a report, and of one of many simulated tests.
FINE = (1.0, 0.7, 0.5, 0.35, 0.22, 0.12, 0.05), (0.0, 0.004, 0.012, 0.04, 0.12)
COARSE = (1.0, 0.5, 0.22, 0.08), (0.0, 0.02)

#: Answers at most that are put back for each that was seen.
MOST_PUT_BACK = 20.0

#: Cells times masses that one step may hold.
BLOCK = 2_000_000


class OrderedErrors:
    """Posterior of the profile, the columns and the mass of the errors of all rows; at least three classes.

    Parameters
    ----------
    wrong : array_like, shape (K, K)
        Counts of errors, zero on the diagonal.
    grid : (sequence of float, sequence of float)
        Factors for each rank, 0 to 1, and levels of the profile.

    Examples
    --------
    >>> near = np.array([[0, 9, 1, 0], [8, 0, 9, 0], [0, 9, 0, 8], [0, 1, 9, 0]])
    >>> errors = OrderedErrors(near)
    >>> bool(errors.means[0, 1] > 0.8), bool(errors.means[0, 3] < 0.1)
    (True, True)
    >>> errors.masses(2, np.random.default_rng(0)).shape
    (2, 4, 4)
    """

    def __init__(self, wrong: ArrayLike, grid: tuple[tuple[float, ...], tuple[float, ...]] = FINE) -> None:
        self.wrong: Floats = np.asarray(wrong, dtype=float)
        self.size = size = len(self.wrong)
        self.log_mass = log_grid(size)
        factors, levels = grid
        #: Factor and level of each node, shape (nodes, 2).
        self.nodes: Floats = np.array([(r, u) for r in factors for u in (levels if r < 1 else (0.0,))])
        rank = np.arange(size)
        step = np.abs(rank[:, None] - rank)
        r, u = (x[:, None, None] for x in self.nodes.T)
        #: The profile at each node, shape (nodes, K, K), zero on the diagonal.
        self.profile: Floats = np.where(step > 0, (1 - u) * r ** np.maximum(step - 1, 0) + u, 0.0)
        self._of_row = self.wrong.sum(axis=1)
        self._learn(np.tile(self.wrong.sum(axis=0), (len(self.nodes), 1)))
        for _ in range(PASSES if self.wrong.any() else 0):
            self._learn(self._of_units())
        each = np.where(self.nodes[:, 0] == 1, 1.0, 1 / len(levels))  # all factors alike
        weight = each * np.exp(self._evidence - self._evidence.max())
        #: Probability of each node, shape (nodes,).
        self.weight: Floats = weight / weight.sum()

    def _learn(self, totals: Floats) -> None:
        """Columns and masses at each node from totals of the columns, shape (nodes, K)."""
        mass = np.exp(self.log_mass)[:, None]
        self.totals = totals
        columns = log_rising(mass / self.size, totals[:, None, :]).sum(-1)
        columns -= log_rising(np.exp(self.log_mass), totals.sum(-1, keepdims=True))
        #: Weights of the mass of the columns, and of that of the rows, shape (nodes, masses) each.
        self.of_columns = self._posterior(columns)[0]
        share = (mass / self.size + totals[:, None, :]) / (mass + totals.sum(-1)[:, None, None])
        #: Mean shares of the columns, shape (nodes, K).
        self.shares: Floats = (self.of_columns[..., None] * share).sum(axis=1)
        self.of_rows, self._evidence = self._posterior(self._row_evidence(self._bases(self.shares, self.profile)))

    def _posterior(self, evidence: Floats) -> tuple[Floats, Floats]:
        """Weights of the masses, and the log evidence of each node with the masses averaged over."""
        z = self.log_mass - np.log(self.size)
        density = evidence + z - 2 * np.logaddexp(0, z)
        most = density.max(axis=1, keepdims=True)
        weight = np.exp(density - most)
        whole = weight.sum(axis=1, keepdims=True)
        return weight / whole, (most + np.log(whole))[:, 0]

    def _row_evidence(self, bases: Floats) -> Floats:
        """Log probability of the rows of errors at each node and mass."""
        i, j = np.nonzero(self.wrong)
        count, mass = self.wrong[i, j], np.exp(self.log_mass)[:, None]
        evidence = np.tile(-log_rising(mass, self._of_row[self._of_row > 0]).sum(1), (len(bases), 1))
        step = max(1, BLOCK // max(1, len(i) * len(mass)))
        for start in range(0, len(bases), step):
            part = bases[start : start + step, i, j][:, None, :]
            evidence[start : start + step] += log_rising(mass * part, count).sum(-1)
        return evidence

    @staticmethod
    def _bases(shares: Floats, profile: Floats) -> Floats:
        """Expected shares of the errors of each row, shape (..., K, K)."""
        bases = shares[..., None, :] * profile
        bases /= np.maximum(bases.sum(axis=-1, keepdims=True), 1e-300)
        return np.asarray(bases)

    def _of_units(self) -> Floats:
        """Column totals with rows as units, and with what each row would show where the profile does not let it."""
        rough = np.exp(self.of_rows @ self.log_mass)[:, None]
        unit = 1 / (1 + np.maximum(self._of_row - 1, 0) / (1 + rough))
        seen = unit @ self.wrong
        kept = np.maximum((self.profile @ self.shares[..., None])[..., 0], 1e-12)
        back = ((self._of_row * unit / kept)[:, None, :] @ (1 - self.profile))[:, 0] * self.shares
        whole = seen + np.minimum(back, MOST_PUT_BACK * seen.sum(-1, keepdims=True) * self.shares)
        return np.asarray(whole * (seen.sum(-1, keepdims=True) / whole.sum(-1, keepdims=True)))

    @property
    def means(self) -> Floats:
        """Expected shares of the errors of each row, shape (K, K), zero on the diagonal; columns at their mean."""
        rough = np.exp(self.log_mass)
        kept = self.of_rows @ (rough[:, None] / (rough[:, None] + self._of_row))
        own = self.of_rows @ (1 / (rough[:, None] + self._of_row))
        each = self._bases(self.shares, self.profile) * kept[..., None] + own[..., None] * self.wrong
        return np.asarray((self.weight[:, None, None] * each).sum(axis=0))

    def masses(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw ``lambda s_ij``, shape (n, K, K): the Dirichlet parameters of the rows before their counts."""
        node = rng.choice(len(self.weight), n, p=self.weight)
        columns = self._drawn(self.of_columns[node], rng)
        shares = rng.standard_gamma(np.maximum(columns[:, None] / self.size + self.totals[node], FLOOR))
        shares = np.maximum(shares, 1e-300)
        bases = self._bases(shares / shares.sum(axis=1, keepdims=True), self.profile[node])
        return np.asarray(bases * self._drawn(self.of_rows[node], rng)[:, None, None])

    def _drawn(self, weights: Floats, rng: np.random.Generator) -> Floats:
        """A mass for each row of weights, moved evenly within its cell of the grid."""
        below = np.cumsum(weights, axis=1)
        at: Integers = (below < rng.random(len(weights))[:, None] * below[:, -1:]).sum(axis=1)
        step = float(self.log_mass[1] - self.log_mass[0])
        return np.exp(self.log_mass[at] + step * (rng.random(len(weights)) - 0.5))
