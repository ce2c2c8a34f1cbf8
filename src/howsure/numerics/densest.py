"""The shortest window that holds a share of sorted draws, and what each draw does to its ends.

The least of many nearly equal noisy widths wanders like n^(-1/3); the vertex of a parabola through all that are within
the noise of it is as steady as a quantile. It is linear in those widths to first order, a width is linear in the
empirical cdf at its two ends, and that is a mean over the draws: so each end has an influence function (Hampel 1974),
whose variance over the draws is the Monte Carlo variance of the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["Densest", "densest", "shortest_window"]

#: Relative noise of the width of a window, times the square root of the number of draws; 1 % for 20,000.
NOISE = 1.5

#: Windows that a parabola is put through, at least.
FEWEST = 8

#: Slope of an end along the windows, as a share of its mean slope, below which it is noise.
FLAT = 0.2


@dataclass(frozen=True, eq=False)
class Parabola:
    """Least-squares parabola ``level + slope s + bend s^2`` through values at even places s from -1/2 to 1/2."""

    slope: float
    bend: float

    @classmethod
    def through(cls, values: Floats) -> Parabola:
        """Fit; its coefficients are `slopes` and `bends` times the values."""
        s = places(len(values))
        return cls(float(slopes(s) @ values), float(bends(s) @ values))

    @property
    def vertex(self) -> float:
        """Where it turns, of a parabola that opens upwards."""
        return min(0.5, max(-0.5, -self.slope / (2 * self.bend)))

    def rate(self, s: Floats | float) -> Floats:
        """Derivative, at least a fifth of its mean: of values that never fall."""
        return np.asarray(np.maximum(self.slope + 2 * self.bend * s, FLAT * self.slope))


def places(count: int) -> Floats:
    """Even places from -1/2 to 1/2."""
    return np.linspace(-0.5, 0.5, count)


def slopes(s: Floats) -> Floats:
    """Coefficients of the slope of a parabola at places around 0."""
    return np.asarray(s / (s @ s))


def bends(s: Floats) -> Floats:
    """Coefficients of its bend."""
    square = s * s
    square -= square.mean()
    return np.asarray(square / (square @ square))


@dataclass(frozen=True, eq=False)
class Densest:
    """The shortest window: from the draw at place ``first`` to that at place ``last`` of the sorted ones.

    Parameters
    ----------
    ordered : ndarray, shape (n,)
        Sorted draws.
    first, last : int
        Places of the ends.
    low : int
        Place of the first window that the parabola is through; `lasts` are those of their other ends.
    lasts : ndarray, shape (m,)
        Empty where there is no parabola: the window is at an edge, or the draws are few.
    mass : float
        Probability between the beginnings of the first and the last of those windows.
    """

    ordered: Floats
    first: int
    last: int
    low: int
    lasts: Integers
    mass: float

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends."""
        return float(self.ordered[self.first]), float(self.ordered[self.last])

    @property
    def moves(self) -> bool:
        """Whether the window has a parabola, and so an influence function."""
        return len(self.lasts) > 0 and self.mass > 0

    def influences(self) -> tuple[Floats, Floats]:
        """What each draw adds to n times the error of the left and of the right end, shape (n,) each.

        Up to a constant: with window k from ``l_k`` to ``r_k``, densities f there, and coefficients ``h_k`` of the
        vertex, ``sum_k h_k (1{x <= l_k} / f(l_k) - 1{x <= r_k} / f(r_k))`` moves the window, and ``-1{x <= l} / f(l)``
        its left end as the quantile that it is.
        """
        firsts = np.arange(self.low, self.low + len(self.lasts))
        left, right = self.ordered[firsts], self.ordered[self.lasts]
        s = places(len(firsts))
        width, left_end, right_end = (Parabola.through(x) for x in (right - left, left, right))
        at = width.vertex
        coefficients = -(slopes(s) + 2 * at * bends(s)) / (2 * width.bend)
        moved = self._below(firsts, coefficients * left_end.rate(s)) - self._below(
            self.lasts, coefficients * right_end.rate(s)
        )
        found = []
        for end, place in ((left_end, self.first), (right_end, self.last)):
            rate = float(end.rate(at))
            own = np.zeros(len(self.ordered))
            own[: place + 1] = rate
            found.append((rate * moved - own) / self.mass)
        return found[0], found[1]

    def _below(self, ends: Integers, weights: Floats) -> Floats:
        """Sum over windows of ``weight 1{x <= end}`` for each draw."""
        steps: Floats = np.bincount(ends, weights, minlength=len(self.ordered)).astype(float)
        return np.cumsum(steps[::-1])[::-1]


def densest(ordered: Floats, level: float, cumulative: Floats | None = None) -> Densest | None:
    """Shortest window that holds ``level`` of the sorted draws; None if the densest set is not one interval.

    Taken from the draws themselves, never from a smoothed density, so it cannot leave their range. Two windows
    at opposite ends that are both shorter than all near the middle are the mark of a U-shaped law.
    """
    n = len(ordered)
    if cumulative is None:
        inside = min(n - 1, max(1, int(np.ceil(level * n))))
        last = np.arange(inside, n)
    else:
        # windows that begin later reach beyond the last draw
        begin = cumulative[: 1 + int(np.searchsorted(cumulative, 1 - level, side="right"))]
        last = np.searchsorted(cumulative, begin + level)
        last = last[: max(1, int(np.searchsorted(last, n)))]
        last = np.minimum(np.maximum(last, 1), n - 1)
    left, right = ordered[: len(last)], ordered[last]
    width = np.subtract(right, left, out=np.full(len(last), np.inf), where=np.isfinite(left) & np.isfinite(right))
    if np.isinf(width).all():
        return None
    third = len(width) // 3
    if third > 10 and max(width[:third].min(), width[-third:].min()) < width[third:-third].min():
        return None
    best = int(np.argmin(width))
    near = np.flatnonzero(width <= (1 + NOISE / float(np.sqrt(n))) * width[best])
    low, high = int(near[0]), int(near[-1])
    start, lasts = best, last[:0]
    if high - low >= FEWEST and not np.isinf(width[low : high + 1]).any():
        parabola = Parabola.through(width[low : high + 1])
        if parabola.bend > 0:  # else flat to the last digit, or an edge
            start = low + round((high - low) * (0.5 + parabola.vertex))
            lasts = last[low : high + 1] if abs(parabola.vertex) < 0.5 else lasts
    mass = (high - low) / n if cumulative is None else float(cumulative[high] - cumulative[low])
    return Densest(ordered, start, int(last[start]), low, lasts, mass)


def shortest_window(ordered: Floats, level: float, cumulative: Floats | None = None) -> tuple[float, float] | None:
    """Both ends of the shortest window; see `densest`."""
    found = densest(ordered, level, cumulative)
    return None if found is None else found.ends
