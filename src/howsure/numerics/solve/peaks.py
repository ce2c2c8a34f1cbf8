"""Quantiles, the highest-density interval and the mode of a law that may have several peaks.

One grid of densities, fine where a component is narrow, tells how many pieces the highest-density set has and gives
every Newton iteration its start. The answers come from Newton's method on the law itself; the grid only decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.roots import (
    Evaluate,
    bisect_increasing,
    density_peak,
    highest_density,
    invert,
    shortest_interval,
)

__all__ = ["Peaks"]

POINTS = 97  # of the grid, over the range of all components
REACH = 6.0  # standard deviations of a component that the grid covers
FINE = np.linspace(-4, 4, 9)  # further points around a component that is narrow on the grid, in its own sd
BESIDE = 0.25 ** np.arange(1, 13)  # and beside the ends, in cells of the grid: a density may be a power there
MOST_POINTS = 3000
FAR = 1e-6  # probabilities nearer to 0 or 1 are bisected: Newton's stopping rule is absolute
EQUAL = 1e-12  # relative difference of densities that makes a law flat
NEGLIGIBLE = 1e-3  # of the mass outside an interval: so much may be denser there than at its ends


@dataclass(frozen=True, eq=False)
class Peaks:
    """The questions about where a density is high.

    Parameters
    ----------
    evaluate, density
        F, f, f' of an array inside the support, and f, f' alone.
    cdf
        F with relative accuracy in the lower tail.
    means, sds
        Of the components, shape (K,): where to look.
    support, ends
        Ends of the support and the limits of the density there, which may be infinite.
    sd
        Standard deviation.
    """

    evaluate: Evaluate
    density: Callable[[Floats], tuple[Floats, Floats]]
    cdf: Callable[[Floats], Floats]
    means: Floats
    sds: Floats
    support: tuple[float, float]
    ends: tuple[float, float]
    sd: float

    @cached_property
    def _grid(self) -> tuple[Floats, Floats, Floats]:
        """Points strictly inside the support, the density there, and the mass below (trapezoid, scaled to 1)."""
        low, high = self.support
        left = max(low, float((self.means - REACH * self.sds).min()))
        right = min(high, float((self.means + REACH * self.sds).max()))
        beside = (right - left) / POINTS * BESIDE
        x = np.union1d(np.linspace(left, right, POINTS), np.concatenate((left + beside, right - beside)))
        narrow = self.sds < (right - left) / POINTS
        if narrow.any():
            fine = (self.means[narrow, None] + self.sds[narrow, None] * FINE).ravel()
            fine = np.sort(fine[(fine > left) & (fine < right)])
            x = np.union1d(x, fine[:: 1 + len(fine) // MOST_POINTS])
        x = x[(x > low) & (x < high)]
        f = self.density(x)[0]
        mass = np.concatenate(([0.0], np.cumsum(0.5 * (f[1:] + f[:-1]) * np.diff(x))))
        return x, f, mass / mass[-1] if mass[-1] > 0 else np.linspace(0, 1, len(x))

    def quantile(self, p: Floats) -> Floats:
        """Inverse of F, shape of ``p``; the ends of the support at 0 and 1."""
        low, high = self.support
        flat = np.ravel(p)
        result = np.where(flat < 0.5, low, high)
        far = (flat > 0) & (flat < 1) & ((flat < FAR) | (flat > 1 - FAR))
        near = (flat >= FAR) & (flat <= 1 - FAR)
        if near.any():
            x, _, mass = self._grid
            start = np.interp(flat[near], mass, x)
            result[near] = invert(self.evaluate, flat[near], start, low, high, self.sd)
        if far.any():
            result[far] = bisect_increasing(self.cdf, flat[far], low, high)
        return result.reshape(np.shape(p))

    def highest(self, level: float) -> tuple[float, float] | None:
        """Highest-density interval of mass ``level``; None where the densest set is not one interval."""
        f = self._grid[1]
        if min(self.ends) == np.inf or f.max() - f.min() <= EQUAL * f.max():
            return None
        found = self._one_sided(level)
        if found is None:
            for start in (self._by_grid(level), None):
                ends = start or tuple(self.quantile(np.array([(1 - level) / 2, (1 + level) / 2])).tolist())
                found = found or highest_density(self.evaluate, level, ends, *self.support)
            found = found or shortest_interval(self.quantile, level)
        return found if found is not None and self._is_highest(found, level) else None

    def _one_sided(self, level: float) -> tuple[float, float] | None:
        """Interval from an end of the support with positive density, if it is denser there than at the cut."""
        low, high = self.support
        for upper, at_end in enumerate(self.ends):
            if at_end > 0:
                cut = self.quantile(np.array([1 - level if upper else level]))
                if at_end >= self.density(cut)[0][0]:
                    return (float(cut[0]), high) if upper else (low, float(cut[0]))
        return None

    def _by_grid(self, level: float) -> tuple[float, float] | None:
        """Outermost points of the densest cells that hold ``level``; only a start."""
        x, f, _ = self._grid
        width = np.gradient(x)
        order = np.argsort(-f)
        held = np.cumsum((f * width)[order])
        inside = order[: 1 + int(np.searchsorted(held, level * held[-1]))]
        first, last = int(inside.min()), int(inside.max())
        return (float(x[first]), float(x[last])) if first < last else None

    def _is_highest(self, found: tuple[float, float], level: float) -> bool:
        """Whether next to no mass lies above the density of the ends outside, or is missing below it inside."""
        x, f, _ = self._grid
        at_ends = self.density(np.array(found))[0]
        cut = min(v for v, end, limit in zip(at_ends, found, self.support, strict=True) if end != limit)
        inside = (x >= found[0]) & (x <= found[1])
        misplaced = np.maximum(np.where(inside, cut - f, f - cut), 0.0)
        return bool(misplaced @ np.gradient(x) <= NEGLIGIBLE * (1 - level))

    def mode(self) -> float:
        """Place of the highest density; an end of the support where it is infinite there."""
        low, high = self.support
        x, f, _ = self._grid
        best = int(np.argmax(f))
        if np.inf in self.ends or max(self.ends) >= f[best]:
            upper = self.ends[1] > self.ends[0] or (self.ends[1] == self.ends[0] and f[-1] > f[0])
            return high if upper else low

        def density_only(at: Floats) -> tuple[Floats, Floats, Floats]:
            density, slope = self.density(at)
            return density, density, slope

        left = float(x[best - 1]) if best > 0 else low
        right = float(x[best + 1]) if best + 1 < len(x) else high
        step = 1e-9 * (right - left)
        return density_peak(density_only, left + step, right - step, points=9)
