"""Quantiles, the highest-density interval and the mode of a law that may have several peaks.

One grid of densities, fine where a component is narrow, tells how many pieces the highest-density set has and gives
every Newton iteration its start. The answers come from Newton's method on the law itself; the grid only decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.highest_density.of_law import (
    SmoothLaw,
    densest_cells,
    is_densest_on_grid,
    of_smooth_law,
    shortest_interval,
)
from howsure.numerics.solve.roots import Evaluate, bisect_increasing, density_peak, invert

__all__ = ["Grid", "Peaks", "grid_of_parts"]

#: Points strictly inside the support, the density there, and the mass below.
Grid: TypeAlias = tuple[Floats, Floats, Floats]

POINTS = 97  # of the grid, over the range of all components
REACH = 6.0  # standard deviations of a component that the grid covers
FINE = np.linspace(-4, 4, 9)  # further points around a component that is narrow on the grid, in its own sd
BESIDE = 0.25 ** np.arange(1, 13)  # and beside the ends, in cells of the grid: a density may be a power there
MOST_POINTS = 3000
FAR = 1e-6  # probabilities nearer to 0 or 1 are bisected: Newton's stopping rule is absolute
EQUAL = 1e-12  # relative difference of densities that makes a law flat


@dataclass(frozen=True, eq=False)
class Peaks:
    """The questions about where a density is high.

    Parameters
    ----------
    evaluate, density
        F, f, f' of an array inside the support, and f, f' alone.
    cdf
        F with relative accuracy in the lower tail.
    grid
        Points all over the law, found when they are wanted: where to look.
    support, ends
        Ends of the support and the limits of the density there, which may be infinite.
    sd
        Standard deviation.
    """

    evaluate: Evaluate
    density: Callable[[Floats], tuple[Floats, Floats]]
    cdf: Callable[[Floats], Floats]
    grid: Callable[[], Grid]
    support: tuple[float, float]
    ends: tuple[float, float]
    sd: float

    @cached_property
    def _grid(self) -> Grid:
        return self.grid()

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
        _, f, mass = self._grid
        if min(self.ends) == np.inf or f.max() - f.min() <= EQUAL * f.max():
            return None
        # an end that is far less dense than the place at which an interval from it would end begins none
        cuts = np.interp([level, 1 - level], mass, f)
        low, high = (end if end > cut / 2 else 0.0 for end, cut in zip(self.ends, cuts, strict=True))
        law = SmoothLaw(self.evaluate, self.quantile, self.support, (low, high))
        found = of_smooth_law(law, level, self._start, lambda law, level: shortest_interval(law.quantile, level))
        return found if found is not None and self._is_highest(found, level) else None

    def _start(self, level: float) -> tuple[float, float] | None:
        x, f, _ = self._grid
        return densest_cells(x, f, level)

    def _is_highest(self, found: tuple[float, float], level: float) -> bool:
        x, f, _ = self._grid
        at_ends = self.density(np.array(found))[0]
        cut = min(v for v, end, limit in zip(at_ends, found, self.support, strict=True) if end != limit)
        return is_densest_on_grid(x, f, found, cut, level)

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


def grid_of_parts(
    density: Callable[[Floats], tuple[Floats, Floats]], means: Floats, sds: Floats, support: tuple[float, float]
) -> Grid:
    """Points over the range of components of these means and sds, (K,) each; the mass by trapezoids, scaled to 1."""
    low, high = support
    left = max(low, float((means - REACH * sds).min()))
    right = min(high, float((means + REACH * sds).max()))
    beside = (right - left) / POINTS * BESIDE
    x = np.union1d(np.linspace(left, right, POINTS), np.concatenate((left + beside, right - beside)))
    narrow = sds < (right - left) / POINTS
    if narrow.any():
        fine = (means[narrow, None] + sds[narrow, None] * FINE).ravel()
        fine = np.sort(fine[(fine > left) & (fine < right)])
        x = np.union1d(x, fine[:: 1 + len(fine) // MOST_POINTS])
    x = x[(x > low) & (x < high)]
    f = density(x)[0]
    mass = np.concatenate(([0.0], np.cumsum(0.5 * (f[1:] + f[:-1]) * np.diff(x))))
    return x, f, mass / mass[-1] if mass[-1] > 0 else np.linspace(0, 1, len(x))
