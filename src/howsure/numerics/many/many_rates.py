"""Single Betas, many at once: closed forms, elementwise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.learned.beta_mixture import log_peaks, log_ratio
from howsure.numerics.solve.highest_density.of_betas import hdi_beta
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile
from howsure.numerics.solve.roots import equal_densities

__all__ = ["RatesOfMany"]


@dataclass(frozen=True, eq=False)
class RatesOfMany:
    """Laws of ``low + width theta``, ``theta ~ Beta(a, b)``.

    Parameters
    ----------
    index : ndarray of int, shape (R,)
        Which tables they are.
    a, b, low, width : ndarray, shape (R,)
        ``width`` above 0.
    """

    index: Integers
    a: Floats
    b: Floats
    low: Floats
    width: Floats

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m), strictly inside the support."""
        a, b, width = self.a[rows, None], self.b[rows, None], self.width[rows, None]
        theta = (x - self.low[rows, None]) / width
        n = a + b
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            log_density = log_peaks(a, b) + a * log_ratio(theta, a / n) + b * log_ratio(1 - theta, b / n)
            f = np.exp(log_density - np.log(theta) - np.log1p(-theta))
            slope = f * ((a - 1) / theta - (b - 1) / (1 - theta))
        return beta_cdf(a, b, theta), f / width, slope / (width * width)

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        theta = (x - self.low[rows, None]) / self.width[rows, None]
        return beta_cdf(self.a[rows, None], self.b[rows, None], np.clip(theta, 0.0, 1.0))

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,)."""
        theta = beta_quantile(self.a[:, None], self.b[:, None], p)
        return np.asarray(self.low[:, None] + self.width[:, None] * theta)

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals, and where that set is one interval (not of a U or a plateau).

        A density that rises or falls all the way has one at the end of the support; for the others Newton's method
        starts at the central interval, and where it fails there is `hdi_beta`.
        """
        a, b = self.a, self.b
        theta = np.full((len(a), 2), np.nan)
        one = ~((a < 1) & (b < 1) | (a == 1) & (b == 1))
        tops = np.flatnonzero((a > 1) & (b > 1))
        if len(tops):
            unit = RatesOfMany(tops, a[tops], b[tops], np.zeros(len(tops)), np.ones(len(tops)))
            central = unit.quantile(np.array([(1 - level) / 2, (1 + level) / 2]))
            theta[tops], found = equal_densities(unit.evaluate, level, central, unit.low, unit.width)
            hard = tops[~found]
            if len(hard):
                theta[hard] = np.stack(hdi_beta(a[hard], b[hard], level), axis=1)
        for rises in (False, True):
            rows = np.flatnonzero(one & ((b <= 1) & (b < a) if rises else (a <= 1) & (a < b)))
            tail = np.full(len(rows), 1 - level if rises else level)
            cut = beta_quantile(a[rows], b[rows], tail)
            theta[rows] = np.stack((cut, np.ones(len(rows))) if rises else (np.zeros(len(rows)), cut), axis=1)
        return self.low[:, None] + self.width[:, None] * theta, one
