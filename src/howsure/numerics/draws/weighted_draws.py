"""Draws with weights, the shortest interval that holds a share of them, and draws that are matched by rank."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats, Integers, bincount, dot

# -- Draws of a joint law whose margins are replaced, so that what they have in common stays as it is ------------------

# The ranks of joint draws are their copula; a margin put in the place of another by its quantiles at those ranks
# leaves the copula alone (Sklar 1959; Iman and Conover 1982).


#: Quantiles that are asked for; between them a margin is interpolated, evenly in normal scores.
POINTS = 401


def matched(values: Floats, margin: Floats) -> Floats:
    """Sorted draws of a margin, in the order of other draws of the same number, shape (n,); NaN come last in both."""
    made = np.empty(len(values))
    made[np.argsort(values, kind="stable")] = margin
    return made


def quantiles_at_ranks(quantile: Callable[[Floats], Floats], n: int) -> Floats:
    """Quantiles at the middles of ``n`` equal steps of probability, shape (n,), of which some are asked for."""
    middles = (np.arange(n) + 0.5) / n
    if n <= POINTS:
        return np.asarray(quantile(middles))
    scores = ndtri(middles)
    asked = np.linspace(scores[0], scores[-1], POINTS)
    return np.interp(scores, asked, np.asarray(quantile(ndtr(asked))))


# -- Summaries of sorted independent draws, and weights that give a control variate in them its exact law --------------

# Draws may have weights; then ``cumulative`` is the running sum of the weights of the sorted draws, ending in 1. They
# may be infinite (a ratio to 0); then so are quantiles that reach them, and nothing is undefined.
#
# With strata of exact probability ``P_h`` that hold ``n_h`` of the draws, a draw in stratum h weighs ``P_h / n_h``.
# What moves with the control then varies only within strata (Cochran 1977, Sampling Techniques, section 5A.9).


def quantiles(ordered: Floats, p: Floats, cumulative: Floats | None = None) -> Floats:
    """Quantiles of the draws, linear between the middles of their weights; the usual ones where these are equal."""
    if cumulative is None:
        return _between(ordered, np.asarray(p) * (len(ordered) - 1))
    middles = 0.5 * (cumulative + np.concatenate(([0.0], cumulative[:-1])))
    share = middles[0] + np.asarray(p) * (middles[-1] - middles[0])
    if np.isfinite(ordered[[0, -1]]).all():
        return np.asarray(np.interp(share, middles, ordered))
    return _between(ordered, np.asarray(np.interp(share, middles, np.arange(len(ordered)))))


def _between(ordered: Floats, place: Floats) -> Floats:
    """Values at fractional places, linear between finite neighbours; next to an infinite one, that one."""
    low, high = ordered[np.floor(place).astype(int)], ordered[np.ceil(place).astype(int)]
    inner = np.isfinite(low) & np.isfinite(high)
    gap = np.subtract(high, low, out=np.zeros(np.shape(place)), where=inner)
    between = np.where(inner, low, 0.0) + (place - np.floor(place)) * gap
    return np.asarray(np.where(inner, between, np.where(np.isfinite(low), high, low)))


def quantiles_of_rows(ordered: Floats, p: Floats) -> Floats:
    """Quantiles of sorted rows, shape (R, len(p))."""
    place = np.clip(p * (ordered.shape[1] + 1) - 1, 0, ordered.shape[1] - 1)
    below = np.floor(place).astype(int)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    part = place - below
    return np.asarray(ordered[:, below] * (1 - part) + ordered[:, above] * part)


def quantile_spread(ordered: Floats, p: float, variance: float, cumulative: Floats | None = None) -> float:
    """Standard error of the p-quantile, from the draws and the variance of the empirical cdf there.

    Half the gap between the order statistics at the 15.87% and 84.13% points of the rank, Binomial(n, p); weighted
    draws count as ``p (1 - p) / variance``. Within 20% of the truth for 20,000 draws and 0.01 < p < 0.99.
    """
    n = p * (1 - p) / variance if variance > 0 else np.inf
    n = min(n, 1e12)
    edges = special.betaincinv(n * p + 1, n * (1 - p) + 1, np.array([0.15865525, 0.84134475]))
    low, high = quantiles(ordered, edges, cumulative)
    return float(high - low) / 2 if low != high else 0.0


def reflected_density(
    ordered: Floats, low: float, high: float, cumulative: Floats | None = None, *, points: int = 1024
) -> tuple[Floats, Floats]:
    """Gaussian kernel density on a grid that never leaks outside [low, high].

    Mass is binned, reflected at both ends of the support and smoothed, by Silverman's bandwidth with the smaller of sd
    and interquartile range / 1.349. Where the support has no end, far tails are cut off.
    """
    start, stop = _without_far_tails(ordered, low, high)
    if start == stop:
        return np.array([0.0]), np.array([0.0])
    first, last = float(ordered[start]), float(ordered[stop - 1])
    spread = max(last - first, 1e-12 * max(abs(first), abs(last), 1.0))
    left, right = max(low, first - 0.25 * spread), min(high, last + 0.25 * spread)
    left, right = min(left, first), max(right, last)
    if right <= left:
        right = left + spread
    step = (right - left) / points
    edges = np.linspace(left, right, points + 1)
    below = np.concatenate(([start], start + np.searchsorted(ordered[start:stop], edges[1:-1]), [stop]))
    running = np.linspace(0, 1, len(ordered) + 1) if cumulative is None else np.append(0.0, cumulative)
    shares = running[below]
    mass = np.diff(shares)
    width = min(_bandwidth(edges, shares) * len(ordered) ** -0.2 / step, points / 5)
    reach = min(points, int(np.ceil(5 * width)) + 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(width, 1e-3)) ** 2)
    reflected = np.concatenate((mass[:reach][::-1], mass, mass[-reach:][::-1]))
    smooth = np.convolve(reflected, kernel / kernel.sum(), mode="valid")
    return edges[:-1] + 0.5 * step, np.maximum(smooth, 0.0) / step


def _bandwidth(edges: Floats, shares: Floats) -> float:
    """Silverman's bandwidth for one draw, from the shares below the edges of bins; that of a bin if all are in one."""
    mass, middles = np.diff(shares) / (shares[-1] - shares[0]), 0.5 * (edges[1:] + edges[:-1])
    off = middles - mass @ middles
    sd = math.sqrt(float(mass @ (off * off)))
    low, high = np.interp(shares[0] + np.array([0.25, 0.75]) * (shares[-1] - shares[0]), shares, edges)
    return 0.9 * (min(sd, float(high - low) / 1.349) or sd or float(edges[1] - edges[0]))


def _without_far_tails(ordered: Floats, low: float, high: float) -> tuple[int, int]:
    """Places of the first draw to be shown and after the last one; all finite ones where the support has ends."""
    start, stop = int(np.searchsorted(ordered, -np.inf, "right")), int(np.searchsorted(ordered, np.inf, "left"))
    if start == stop or (math.isfinite(low) and math.isfinite(high)):
        return start, stop
    near, middle, far = ordered[start + (np.array([0.01, 0.5, 0.99]) * (stop - start - 1)).astype(int)].tolist()
    if np.isinf(low):
        start = max(start, int(np.searchsorted(ordered, near - 3 * (middle - near), "left")))
    if np.isinf(high):
        stop = min(stop, int(np.searchsorted(ordered, far + 3 * (far - middle), "right")))
    return start, stop


PER_STRATUM = 100  # draws expected in a stratum
LEAST = 10  # draws that a stratum holds; one with fewer joins its neighbour


@dataclass(frozen=True, eq=False)
class Strata:
    """Stratum of each draw, in the order they came, and the exact probability of each stratum."""

    of: NDArray[np.int32]
    shares: Floats

    @cached_property
    def counts(self) -> Integers:
        """Number of draws in each stratum."""
        return bincount(self.of, minlength=len(self.shares))

    @cached_property
    def weights(self) -> Floats:
        """Weight of each draw, adding to 1."""
        return (self.shares / self.counts)[self.of]

    def joined(self) -> Strata:
        """The same draws, in strata joined until each holds enough of them."""
        counts = self.counts
        label = np.empty(len(counts), dtype=np.int32)
        current = held = 0
        for h, count in enumerate(counts.tolist()):
            label[h] = current
            held += count
            if held >= LEAST:
                current, held = current + 1, 0
        if held and current:  # too few at the end: they join the one before
            label[label == current] = current - 1
        label = np.minimum(label, max(current - 1, 0))
        return Strata(label[self.of], bincount(label, self.shares).astype(float))

    def variance(self, of: NDArray[np.int32], *numbers: Floats) -> list[float]:
        """Variance of the weighted sum of each of some ``numbers`` of draws in the strata ``of``, all others being 0.

        ``sum_h P_h^2 s_h^2 / n_h`` with the variance ``s_h^2`` within stratum h.
        """
        n = self.counts
        scale = self.shares**2 / (n * np.maximum(n - 1, 1))
        found = []
        for x in numbers:
            first = bincount(of, x, minlength=len(n))
            second = bincount(of, x * x, minlength=len(n))
            found.append(float(scale @ np.maximum(second - first * first / n, 0.0)))
        return found


def strata_by(control: Floats, quantile: Callable[[Floats], Floats]) -> Strata | None:
    """Strata between equally spaced exact quantiles of the control; None where there would be fewer than two."""
    wanted = len(control) // PER_STRATUM
    if wanted < 2:
        return None
    edges = quantile(np.arange(1, wanted) / wanted)
    of = np.searchsorted(edges, control).astype(np.int32)
    made = Strata(of, np.full(wanted, 1 / wanted)).joined()
    return made if len(made.shares) > 1 else None


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
