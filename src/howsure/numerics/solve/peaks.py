"""Peaks of densities, and parameters that doubles can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betainccinv, betaincinv, ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.roots import (
    Evaluate,
    SmoothLaw,
    bisect_increasing,
    densest_cells,
    density_peak,
    invert,
    is_densest_on_grid,
    of_smooth_law,
    shortest_interval,
)

# -- Distribution function and quantiles of a Beta at any count, where SciPy's lose their digits -----------------------

# Above counts of 1e11 SciPy's ``betainc`` is wrong beside the mean of a Beta with two equal parameters (by 0.01 at
# 1e14), and above 1e12 its inverse is for all; its ``betaincc`` is sound. Parameters of 1e7 or less are SciPy's alone,
# but for one number: where the smaller is 1000, its inverse takes a branch that is wrong beside a large one.


#: From this smaller parameter on the law is so nearly Normal that its skewness gives a start for Newton's method.
LARGE = 1e7
STEPS = 4
MISTAKEN, BESIDE = 1000.0, float(np.nextafter(1000.0, 2000.0))  # of the first SciPy 1.17 takes a wrong branch


def beta_cdf(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Floats:
    """Return P(theta <= x) for Beta(a, b), elementwise, a, b > 0; relative accuracy where it is small."""
    first, second, at = _together(a, b, x)
    F: Floats = np.array(betainc(first, second, at), dtype=float)
    large = np.minimum(first, second) > LARGE
    if large.any():
        p, q, y = first[large], second[large], at[large]
        F[large] = np.where(y < p / (p + q), betaincc(q, p, 1 - y), 1 - betaincc(p, q, y))
    return F


def beta_sf(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Floats:
    """Return P(theta > x) for Beta(a, b), elementwise, a, b > 0; relative accuracy where it is small."""
    return np.asarray(betaincc(*_together(a, b, x)), dtype=float)


def beta_quantile(a: ArrayLike, b: ArrayLike, p: ArrayLike, *, upper: bool = False) -> Floats:
    """Value x with P(theta <= x) = p, or (``upper``) P(theta > x) = p, for Beta(a, b), elementwise, a, b > 0.

    At counts of 1e15 SciPy gives for 0.025 the quantile of 0.036: where both parameters are above 1e7 it is the
    expansion of Cornish and Fisher to the skewness, mended by Newton's method, within 1e-7 sd or the spacing of
    doubles.
    """
    first, second, share = _together(a, b, p)
    large = (np.minimum(first, second) > LARGE) & (share > 0) & (share < 1)
    p_small, q_small = (np.where(large, 1.0, beside_mistaken(each)) for each in (first, second))
    found = betainccinv(p_small, q_small, share) if upper else betaincinv(p_small, q_small, share)
    x: Floats = np.array(found)
    if large.any():
        x[large] = _nearly_normal(first[large], second[large], share[large], upper)
    return x


def beside_mistaken(parameter: ArrayLike) -> Floats:
    """What stands for parameters where SciPy inverts a Beta: for 1000 its neighbour, else the same.

    SciPy 1.17 inverts exactly Beta(1000, b) wrong: by 2e-4 of probability at b = 1e8, by a factor of 10^4 at 1e15.
    """
    return np.where(np.equal(parameter, MISTAKEN), BESIDE, np.asarray(parameter, float))


def _together(*values: ArrayLike) -> tuple[Floats, Floats, Floats]:
    x, y, z = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values))
    return x, y, z


def _nearly_normal(a: Floats, b: Floats, p: Floats, upper: bool) -> Floats:
    n = a + b
    mean, sd = a / n, np.sqrt((a / n) * (b / n) / (n + 1))
    skewness = 2 * (b - a) * np.sqrt(n + 1) / ((n + 2) * np.sqrt(a) * np.sqrt(b))
    z = -ndtri(p) if upper else ndtri(p)
    z = z + skewness * (z * z - 1) / 6
    near, far = (beta_sf, beta_cdf) if upper else (beta_cdf, beta_sf)
    for _ in range(STEPS):
        x = mean + sd * z
        # the smaller of the two tails keeps its digits
        excess = np.where(p < 0.5, near(a, b, x) - p, (1 - p) - far(a, b, x))
        z = z + (excess if upper else -excess) * np.sqrt(2 * np.pi) * np.exp(np.minimum(0.5 * z * z, 690.0))
    return np.asarray(mean + sd * z)


# -- From what an expert says to pseudo-counts: a Beta of a mean and an interval --------------------------------------

#: Pseudo-counts between which a Beta is looked for.
LEAST, MOST = 1e-6, 1e12


def beta_of_belief(mean: float, low: float, high: float, level: float) -> tuple[float, float] | None:
    """Beta (a, b) with that mean and with ``level`` in [low, high], by bisection over log(a + b); None if none."""

    def inside(log_mass: Floats) -> Floats:
        a, b = mean * np.exp(log_mass), (1 - mean) * np.exp(log_mass)
        return np.asarray(betainc(a, b, high) - betainc(a, b, low))

    ends = np.log([LEAST, MOST])
    least, most = inside(ends)
    if least >= level or most < level:
        return None
    mass = float(np.exp(bisect_increasing(inside, np.array(level), *ends.tolist())))
    return mean * mass, (1 - mean) * mass


# -- Quantiles, the highest-density interval and the mode of a law that may have several peaks -------------------------

# One grid of densities, fine where a component is narrow, tells how many pieces the highest-density set has and gives
# every Newton iteration its start. The answers come from Newton's method on the law itself; the grid only decides.


#: Points strictly inside the support, the density there, and the mass below.
Grid: TypeAlias = tuple[Floats, Floats, Floats]

POINTS = 97  # of the grid, over the range of all components
REACH = 6.0  # standard deviations of a component that the grid covers
FINE = np.linspace(-4, 4, 9)  # further points around a component that is narrow on the grid, in its own sd
BESIDE_OF_PEAKS = 0.25 ** np.arange(1, 13)  # and beside the ends, in cells of the grid: a density may be a power there
MOST_POINTS = 3000
FAR = 1e-6  # probabilities nearer to 0 or 1 are bisected: Newton's stopping rule is absolute
EQUAL = 1e-12  # relative difference of densities that makes a law flat


@dataclass(frozen=True, eq=False)
class Peaks:
    """The questions about where a density is high.

    ``evaluate`` gives F, f, f' inside the support, ``density`` f, f' alone, ``cdf`` F with relative accuracy in the
    lower tail, ``grid`` points all over the law; ``ends`` are the limits of the density, which may be infinite.
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
    beside = (right - left) / POINTS * BESIDE_OF_PEAKS
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
