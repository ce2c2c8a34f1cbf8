"""Draws with weights, and draws that are matched by rank."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats, Integers, bincount

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
