"""The least of independent Betas: P(min > x) is the product of P(theta_k > x)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.beta_mixture import log_peaks, log_ratio
from howsure.numerics.solve.huge_beta import beta_cdf, beta_sf
from howsure.numerics.solve.peaks import Peaks, grid_of_parts
from howsure.numerics.solve.roots import bisect_increasing

__all__ = ["LeastBeta"]

#: Above this distribution function log P(theta > x) is taken from the survival function, below from this.
UPPER = 0.9

#: Numbers held at a time: Betas times points.
BLOCK = 500_000

#: Mass beyond either end of the range over which moments are summed.
BEYOND = 1e-13

PANELS, NODES = 16, 16


@dataclass(frozen=True, eq=False)
class LeastBeta:
    """Law of ``min_k theta_k``, ``theta_k ~ Beta(a_k, b_k)`` independent; relative accuracy in both tails.

    Parameters
    ----------
    a, b : ndarray, shape (K,)
        Above 0.
    copies : ndarray, shape (K,)
        How many Betas are alike.
    """

    a: Floats
    b: Floats
    copies: Floats

    @classmethod
    def of(cls, a: Floats, b: Floats) -> LeastBeta:
        """Count equal Betas, so that they are computed once."""
        pairs, copies = np.unique(np.stack([a, b]), axis=1, return_counts=True)
        return cls(pairs[0], pairs[1], copies.astype(float))

    def cdf(self, x: Floats) -> Floats:
        """P(min <= x)."""
        return np.asarray(-np.expm1(self._log_sf(x)))

    def sf(self, x: Floats) -> Floats:
        """P(min > x)."""
        return np.asarray(np.exp(self._log_sf(x)))

    def pdf(self, x: Floats) -> Floats:
        """Density; at 0 and 1 what it tends to, which may be infinite."""
        inside = (x > 0) & (x < 1)
        result = np.where(x == 0, self.ends[0], np.where(x == 1, self.ends[1], 0.0))
        result[inside] = self.evaluate(x[inside])[1]
        return np.asarray(result)

    def quantile(self, p: Floats) -> Floats:
        """Inverse of the distribution function."""
        return self.shape.quantile(p)

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation, from the survival function."""
        low, high = bisect_increasing(self.cdf, np.array([BEYOND, 1 - BEYOND]), 0.0, 1.0).tolist()
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        t = ((np.arange(PANELS)[:, None] + (nodes + 1) / 2) / PANELS).ravel()
        dt = np.tile(weights / (2 * PANELS), PANELS)
        # a density may be a power of the distance to an end: there the points are dense
        above, step = (high - low) * t * t * (3 - 2 * t), (high - low) * 6 * t * (1 - t) * dt
        left = step * self.sf(low + above)
        first, second = float(left.sum()), float((2 * above * left).sum())
        return low + first, float(np.sqrt(max(second - first * first, 0.0)))

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Density at 0 and at 1: powers min(a) - 1 of x and sum(b) - 1 of 1 - x decide."""
        low = np.inf if (self.a < 1).any() else float(np.where(self.a == 1, self.b, 0.0) @ self.copies)
        power = float(self.b @ self.copies)
        if power > 1:
            return low, 0.0
        return low, float(self.a[0]) if power == self.copies.sum() == 1 else np.inf

    @cached_property
    def shape(self) -> Peaks:
        """Newton's view of the law."""
        mean, sd = self.moments
        grid = partial(grid_of_parts, self._density, np.array([mean]), np.array([sd]), (0.0, 1.0))
        return Peaks(self.evaluate, self._density, self.cdf, grid, (0.0, 1.0), self.ends, sd)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' from the hazards f_k / S_k, strictly between 0 and 1."""
        step = max(1, BLOCK // len(self.a))
        parts = [self._evaluated(x[i : i + step]) for i in range(0, max(1, len(x)), step)]
        below, density, slope = np.concatenate(parts, axis=1)
        return below, density, slope

    def _evaluated(self, x: Floats) -> Floats:
        a, b = self.a[:, None], self.b[:, None]
        logs = self._log_survival(x)
        mean = a / (a + b)
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            log_density = log_peaks(a, b) + a * log_ratio(x, mean) + b * log_ratio(1 - x, 1 - mean)
            log_density -= np.log(x) + np.log1p(-x)
            # beyond the last double of a survival function the law has no mass
            hazard = np.where(np.isfinite(logs), np.exp(log_density - logs), 0.0)
            bend = hazard * ((a - 1) / x - (b - 1) / (1 - x)) + hazard**2
            total, rate, curl = (np.einsum("k,kx->x", self.copies, each) for each in (logs, hazard, bend))
            left = np.exp(total)
            made = np.stack([-np.expm1(total), left * rate, left * (curl - rate * rate)])
        return np.where(np.isfinite(made), made, 0.0)

    def _density(self, x: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(x)[1:]

    def _log_survival(self, x: Floats) -> Floats:
        """Log P(theta_k > x), shape (K, X)."""
        a, b, at = np.broadcast_arrays(self.a[:, None], self.b[:, None], np.clip(x, 0.0, 1.0))
        below = beta_cdf(a, b, at)
        high = below > UPPER
        with np.errstate(divide="ignore"):
            logs = np.log1p(-np.where(high, 0.0, below))
            logs[high] = np.log(beta_sf(a[high], b[high], at[high]))
        return np.asarray(logs)

    def _log_sf(self, x: Floats) -> Floats:
        """Log P(min > x) at points of any shape."""
        flat, step = np.ravel(x), max(1, BLOCK // len(self.a))
        made = [
            np.einsum("k,kx->x", self.copies, self._log_survival(flat[i : i + step]))
            for i in range(0, max(1, len(flat)), step)
        ]
        return np.concatenate(made).reshape(np.shape(x))
