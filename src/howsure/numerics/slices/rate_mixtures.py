"""Laws of many rates at once, each a mixture of a few Betas."""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.slices.batch_law import BatchLaw

__all__ = ["RateMixtures"]


class RateMixtures(BatchLaw):
    """R rates, row r of them Beta(a_rc, b_rc) with probability ``mass_rc``.

    Parameters
    ----------
    a, b : ndarray, shape (R, C)
        Parameters above 0.
    mass : ndarray, shape (R, C), optional
        Probabilities that add to 1 in a row; C is 1 if left out.

    Examples
    --------
    >>> rates = RateMixtures(np.array([[9.0], [3.0]]), np.array([[3.0], [3.0]]))
    >>> [end.round(3).tolist() for end in rates.shortest(0.95)]
    [[0.516, 0.147], [0.959, 0.853]]
    """

    def __init__(self, a: Floats, b: Floats, mass: Floats | None = None) -> None:
        self.a, self.b = a, b
        self.mass = np.ones(a.shape) if mass is None else mass
        self._log = np.log(np.maximum(self.mass, 1e-300)) - special.betaln(a, b)
        p = a / (a + b)
        self.mean = (self.mass * p).sum(axis=1)
        variance = p * (b / (a + b)) / (a + b + 1)
        self.sd = np.sqrt((self.mass * (variance + (p - self.mean[:, None]) ** 2)).sum(axis=1))
        self.low, self.high = np.zeros(len(a)), np.ones(len(a))

    def taken(self, rows: Integers) -> RateMixtures:
        """Some of the rates, in any order, as often as they come."""
        return RateMixtures(self.a[rows], self.b[rows], self.mass[rows])

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution functions, densities and their derivatives of some rates at their own points."""
        a, b, mass, place = self.a[rows, None], self.b[rows, None], self.mass[rows, None], x[:, :, None]
        F = (mass * special.betainc(a, b, place)).sum(axis=2)
        with np.errstate(all="ignore"):
            each = np.exp(self._log[rows, None] + special.xlogy(a - 1, place) + special.xlog1py(b - 1, -place))
            slope = (each * ((a - 1) / place - (b - 1) / (1 - place))).sum(axis=2)
        return F, each.sum(axis=2), slope

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent draws of all rates, shape (n, R)."""
        if self.mass.shape[1] == 1:
            return np.asarray(rng.beta(self.a[:, 0], self.b[:, 0], (n, len(self))))
        reached = np.cumsum(self.mass, axis=1)
        reached /= reached[:, -1:]
        which = (rng.random((n, len(self), 1)) > reached[None, :, :-1]).sum(axis=2)
        rows = np.arange(len(self))
        return np.asarray(rng.beta(self.a[rows, which], self.b[rows, which]))
