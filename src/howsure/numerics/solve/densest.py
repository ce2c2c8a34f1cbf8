"""Highest-density intervals of draws, of atoms, and of many Betas at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, ndtri, xlog1py, xlogy

from howsure.numerics.arrays import Floats, Integers, dot
from howsure.numerics.draws.weighted_draws import quantiles_of_rows
from howsure.numerics.solve.peaks import LARGE, beta_quantile

# -- The shortest window of sorted draws, what each draw does to its ends, and the fewest atoms ------------------------

# The least of many nearly equal noisy widths wanders like n^(-1/3); the vertex of a parabola through all within the
# noise of it is as steady as a quantile. It is linear in those widths to first order, so each end has an influence
# function (Hampel 1974), whose variance over the draws is the Monte Carlo variance of the end.


#: Relative noise of the width of a window, times the square root of the number of draws; 1% for 20,000.
NOISE = 1.5

#: Windows that a parabola is put through, at least.
FEWEST = 8

#: Stands for a width of 0 in a logarithm.
TINY = 1e-300

#: Slope of an end along the windows, as a share of its mean slope, below which it is noise.
FLAT = 0.2


@dataclass(frozen=True, eq=False)
class Parabola:
    """Least-squares parabola ``level + slope s + bend s^2`` through values at even places s from -1/2 to 1/2."""

    slope: float
    bend: float

    @property
    def vertex(self) -> float:
        """Where it turns, of a parabola that opens upwards."""
        return min(0.5, max(-0.5, -self.slope / (2 * self.bend)))

    def rate(self, s: Floats | float) -> Floats:
        """Derivative, at least a fifth of its mean: of values that never fall."""
        return np.asarray(np.maximum(self.slope + 2 * self.bend * s, FLAT * self.slope))


class Fit:
    """Least squares at ``count`` even places: what the coefficients of a parabola are as sums over the values."""

    def __init__(self, count: int) -> None:
        #: places, and coefficients of the slope and of the bend
        self.places: Floats = np.linspace(-0.5, 0.5, count)
        square = self.places * self.places
        self.slopes: Floats = self.places / square.sum()
        square -= square.mean()
        self.bends: Floats = square / dot(square, square)

    def of(self, values: Floats) -> Parabola:
        """The parabola through values at the places."""
        return Parabola(dot(self.slopes, values), dot(self.bends, values))


@dataclass(frozen=True, eq=False)
class Densest:
    """The shortest window: from the draw at place ``first`` to that at place ``last`` of the sorted ones."""

    ordered: Floats
    first: int
    last: int
    low: int  # place of the first window within the noise of the shortest
    lasts: Integers  # (m,), other ends of all windows that are
    mass: float  # probability between the beginnings of the first and the last of them
    fit: Fit | None  # of the parabola through them; None: the window is at an edge, or the draws are few

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends."""
        return float(self.ordered[self.first]), float(self.ordered[self.last])

    @property
    def moves(self) -> bool:
        """Whether the window has a parabola, and so an influence function."""
        return self.fit is not None and self.mass > 0

    def influences(self) -> tuple[Integers, Floats, Floats]:
        """Which draws move the ends, and what each adds to n times the error of the left and the right one, (m,) each.

        Up to a constant: with window k from ``l_k`` to ``r_k``, densities f there, and coefficients ``h_k`` of the
        vertex, ``sum_k h_k (1{x <= l_k} / f(l_k) - 1{x <= r_k} / f(r_k))`` moves the window, and ``-1{x <= l} / f(l)``
        its left end as the quantile that it is. The constant is such that draws inside of all windows, which are most,
        add nothing.
        """
        fit, count, n = self.fit, len(self.lasts), len(self.ordered)
        assert fit is not None
        firsts = np.arange(self.low, self.low + count)
        left, right = self.ordered[firsts], self.ordered[self.lasts]
        width, left_end, right_end = fit.of(right - left), fit.of(left), fit.of(right)
        at = width.vertex
        coefficients = -(fit.slopes + 2 * at * fit.bends) / (2 * width.bend)
        inside = self.low + count, max(self.low + count, int(self.lasts[0]) + 1)
        places = np.concatenate((np.arange(inside[0]), np.arange(inside[1], n)))
        # windows that begin at a draw or after it, and those that end before it
        beginning = _running(coefficients * left_end.rate(fit.places))
        ending = _running(coefficients * right_end.rate(fit.places))
        moved = beginning[-1] - beginning[np.clip(places - self.low, 0, count)]
        moved += ending[np.searchsorted(self.lasts, places)]
        of_left, of_right = float(left_end.rate(at)) / self.mass, float(right_end.rate(at)) / self.mass
        return places, of_left * (moved - (places <= self.first)), of_right * (moved + (places > self.last))


def _running(values: Floats) -> Floats:
    return np.concatenate(([0.0], np.cumsum(values)))


def densest(ordered: Floats, level: float, cumulative: Floats | None = None) -> Densest | None:
    """Shortest window that holds ``level`` of the sorted draws; None if the densest set is not one interval.

    Taken from the draws themselves, never from a smoothed density, so it cannot leave their range. Two windows at
    opposite ends that are both shorter than all near the middle are the mark of a U-shaped law.
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
    start, through = best, None
    if high - low >= FEWEST and not np.isinf(width[low : high + 1]).any():
        fit = Fit(high - low + 1)
        parabola = fit.of(width[low : high + 1])
        if parabola.bend > 0:  # else flat to the last digit, or an edge
            start = low + round((high - low) * (0.5 + parabola.vertex))
            through = fit if abs(parabola.vertex) < 0.5 else None
    mass = (high - low) / n if cumulative is None else float(cumulative[high] - cumulative[low])
    return Densest(ordered, start, int(last[start]), low, last[low : high + 1], mass, through)


def hdi_widths(values: Floats, level: float) -> Floats:
    """Width of the shortest interval that holds ``level`` of the draws in each row (R, S), shape (R,).

    The least of many noisy widths would be too small: the log of the width as a function of the tail below is smoothed
    by a polynomial of degree 4 first. Where it is least at an end, the interval starts there.
    """
    ordered = np.sort(values, axis=1)
    tail = 1 - level
    x = np.linspace(-0.9, 0.9, 37)
    places = tail * (1 + x) / 2
    widths = quantiles_of_rows(ordered, places + level) - quantiles_of_rows(ordered, places)
    powers = np.vander(x, 5)
    smooth = np.log(np.maximum(widths, TINY)) @ np.linalg.pinv(powers).T @ powers.T
    least = np.exp(smooth.min(axis=1))
    from_low = quantiles_of_rows(ordered, np.array([level]))[:, 0] - ordered[:, 0]
    to_high = ordered[:, -1] - quantiles_of_rows(ordered, np.array([tail]))[:, 0]
    at_low, at_high = smooth.argmin(axis=1) == 0, smooth.argmin(axis=1) == len(x) - 1
    least = np.where(at_low, np.minimum(least, from_low), least)
    return np.asarray(np.where(at_high, np.minimum(least, to_high), least))


def fewest_atoms(pmf: Floats, level: float) -> tuple[int, int]:
    """First and last of the fewest neighbouring atoms that hold ``level``; of equally many the most probable ones."""
    sums = np.concatenate(([0.0], np.cumsum(pmf)))
    count = len(pmf)
    # the first end that holds enough, from every start; a sum of all may end a rounding error below the level
    ends = np.searchsorted(sums, sums[:-1] + (level - 1e-12))
    ends[0] = min(ends[0], count)
    width = int((ends - np.arange(count))[ends <= count].min())
    first = int((sums[width:] - sums[: count + 1 - width]).argmax())
    return first, first + width - 1


# -- Many Betas at once ------------------------------------------------------------------------------------------------


def hdi_beta(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Both ends of the shortest interval of Beta(a, b), elementwise, a, b > 0.

    Where the density falls from an end (a <= 1 or b <= 1), that is an end of the interval; U-shaped or flat, it is the
    central one. Else the lower tail p at which the densities at F^-1(p) and F^-1(p + level) agree, by Newton in a
    bracket: ends to 1e-8 of their distance, the width to 1e-12.
    """
    a, b = (np.array(x, dtype=float) for x in np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float)))
    tail = np.where((a <= 1) & (b <= 1), (1 - level) / 2, np.where(a <= 1, 0.0, np.where(b <= 1, 1 - level, np.nan)))
    inner = np.isnan(tail)
    tail[inner] = _tail_below(a[inner], b[inner], level)
    ends = beta_quantile(a, b, tail), beta_quantile(a, b, np.minimum(tail + level, 1.0))
    return np.asarray(ends[0], dtype=float), np.asarray(ends[1], dtype=float)


def hdi_width(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Floats:
    """Width of the shortest interval of Beta(a, b), elementwise.

    Where both parameters are above 1e7, from skewness and excess g, h of the law: with z the quantile of (1 + level)/2,
    2 sd (z + h (z^3 - 3 z) / 24 - g^2 (2 z^3 - 5 z) / 36 - g^2 z / 18), the expansion of Cornish and Fisher less what
    the tails of the shortest interval differ by; relative error about 1e-14, in a thousandth of the time.
    """
    a, b = (np.array(x, dtype=float) for x in np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float)))
    large = np.minimum(a, b) > LARGE
    width = np.empty(a.shape)
    low, high = hdi_beta(a[~large], b[~large], level)
    width[~large] = high - low
    p, q, z = a[large], b[large], float(ndtri((1 + level) / 2))
    n = p + q
    sd = np.sqrt(p / n * (q / n) / (n + 1))
    skewness = (q - p) / n * (n / (n + 2)) / (sd * n) * 2
    square, excess = skewness**2, 1.5 * skewness**2 - 6 / n
    width[large] = 2 * sd * (z + excess * (z**3 - 3 * z) / 24 - square * ((2 * z**3 - 5 * z) / 36 + z / 18))
    return width


def _tail_below(a: Floats, b: Floats, level: float) -> Floats:
    """Probability below the shortest interval, for a, b > 1."""
    least, most = np.zeros_like(a), np.full_like(a, 1 - level)
    p = np.full_like(a, (1 - level) / 2)
    for step in range(70):
        low, high = beta_quantile(a, b, p), beta_quantile(a, b, p + level)
        with np.errstate(divide="ignore", invalid="ignore"):
            heights = [xlogy(a - 1, x) + xlog1py(b - 1, -x) for x in (low, high)]
            gap = heights[0] - heights[1]
            # d log f(x) / d p at x = F^-1(p) is f'(x) / f(x)^2
            steep = [
                ((a - 1) / x - (b - 1) / (1 - x)) / np.exp(height - betaln(a, b))
                for x, height in zip((low, high), heights, strict=True)
            ]
            tried = p - gap / (steep[0] - steep[1]) if step < 15 else np.full_like(p, np.nan)
        least, most = np.where(gap < 0, p, least), np.where(gap < 0, most, p)
        inside = np.isfinite(tried) & (tried > least) & (tried < most)
        # a step that is lost in rounding leaves the bracket as well; halving it would go away from the answer
        there = np.abs(gap) < 1e-9
        fresh = np.where(there, p, np.where(inside, tried, (least + most) / 2))
        # the width is at its least here, so an error of 1e-7 in p costs 1e-13 of it; near an end of the range the gap
        # is so steep that a short step says nothing, and the bracket must
        if np.all(there | (np.abs(fresh - p) < 1e-10) & (np.abs(gap) < 1e-4) | (most - least < 1e-13)):
            return fresh
        p = fresh
    return p
