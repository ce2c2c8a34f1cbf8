"""Many laws of one number at once: their quantiles and shortest intervals, all rows in one loop."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.solve.roots import equal_densities, inverted

__all__ = ["BatchLaw"]

#: Shares of what is outside that lie below, of intervals among which the shortest is looked for.
TAILS = np.array(
    [1e-6, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, 0.97, 0.99, 1 - 1e-6]
)


class BatchLaw(ABC):
    """R laws, each with a density on an interval; what a subclass gives is ``mean, sd, low, high`` (R,) and these."""

    mean: Floats
    sd: Floats
    low: Floats
    high: Floats

    @abstractmethod
    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative of some rows at their own points, shape (rows, m) each."""

    def __len__(self) -> int:
        return len(self.mean)

    def below(self, x: float | Floats) -> Floats:
        """``P(X <= x)`` of every law, shape (R,)."""
        place = np.broadcast_to(np.asarray(x, dtype=float), self.mean.shape)
        inside = np.clip(place, self.low, self.high)
        found = self.evaluate(np.arange(len(self)), inside[:, None])[0][:, 0]
        return np.where(place <= self.low, 0.0, np.where(place >= self.high, 1.0, np.clip(found, 0.0, 1.0)))

    def quantile(self, *p: float) -> Floats:
        """Places below which each law has these probabilities, shape (R, len(p))."""
        wanted = np.broadcast_to(np.asarray(p, dtype=float), (len(self), len(p)))
        return inverted(self.evaluate, wanted, self._guess(wanted, np.arange(len(self))), self.low, self.high, self.sd)

    def _guess(self, p: Floats, rows: Integers) -> Floats:
        """Quantiles of the Betas of the same means and variances on the same supports."""
        low, width = self.low[rows], (self.high - self.low)[rows]
        mean = (self.mean[rows] - low) / width
        size = np.maximum(mean * (1 - mean) / (self.sd[rows] / width) ** 2 - 1, 1e-3)
        found = special.betaincinv((mean * size)[:, None], ((1 - mean) * size)[:, None], p)
        return np.asarray(low[:, None] + width[:, None] * found)

    def central(self, level: float) -> tuple[Floats, Floats]:
        """Ends of the central intervals, shape (R,) each."""
        ends = self.quantile((1 - level) / 2, (1 + level) / 2)
        return ends[:, 0], ends[:, 1]

    def shortest(self, level: float) -> tuple[Floats, Floats]:
        """Ends of the shortest intervals, shape (R,) each: highest-density ones where there is one peak.

        Where Newton's method finds no two ends of one density, as of a law that is densest at an end of its support,
        the shortest of some twenty intervals with that probability.
        """
        start = np.stack(self.central(level), axis=1)
        ends, found = equal_densities(self.evaluate, level, start, self.low, self.high)
        rest = np.flatnonzero(~found)
        if len(rest):
            ends[rest] = self._shortest_of_some(rest, level)
        return ends[:, 0], ends[:, 1]

    def _shortest_of_some(self, rows: Integers, level: float) -> Floats:
        """Ends of the shortest interval by a list of lower tails, shape (rows, 2); ends of the support are ends."""
        below = TAILS * (1 - level)
        p = np.broadcast_to(np.concatenate((below, below + level)), (len(rows), 2 * len(below)))
        low, high = self.low[rows], self.high[rows]
        places = inverted(lambda at, x: self.evaluate(rows[at], x), p, self._guess(p, rows), low, high, self.sd[rows])
        one, two = places[:, : len(below)].copy(), places[:, len(below) :].copy()
        one[:, 0] = np.where(one[:, 0] - low < 1e-3 * self.sd[rows], low, one[:, 0])
        two[:, -1] = np.where(high - two[:, -1] < 1e-3 * self.sd[rows], high, two[:, -1])
        at = (two - one).argmin(axis=1)
        every = np.arange(len(rows))
        return np.stack([one[every, at], two[every, at]], axis=1)
