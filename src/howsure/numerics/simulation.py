"""Summaries of sorted independent draws: quantiles, their errors, and the density.

Draws may have weights; then ``cumulative`` is the running sum of the weights of the sorted draws, ending in 1. They may
be infinite (a ratio to 0); then so are quantiles that reach them, and nothing is undefined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

__all__ = ["quantile_spread", "quantiles", "reflected_density"]

Floats = NDArray[np.float64]


def quantiles(ordered: Floats, p: Floats, cumulative: Floats | None = None) -> Floats:
    """Quantiles of the draws, linear between the middles of their weights; the usual ones where these are equal."""
    finite = bool(np.isfinite(ordered[[0, -1]]).all())
    if cumulative is None:
        return np.asarray(np.quantile(ordered, p)) if finite else _between(ordered, np.asarray(p) * (len(ordered) - 1))
    n = len(cumulative)
    first, last = 0.5 * float(cumulative[0]), 0.5 * float(1 + (cumulative[-2] if n > 1 else 0))
    share = first + np.asarray(p) * (last - first)
    # the two draws whose middles are around it
    at = np.minimum(np.searchsorted(cumulative, share), n - 1)
    at = np.where((share < _middle(cumulative, at)) & (at > 0), at - 1, at)
    after = np.minimum(at + 1, n - 1)
    start, stop = _middle(cumulative, at), _middle(cumulative, after)
    gap = np.where(stop > start, stop - start, 1.0)
    place = at + np.where(after > at, np.clip((share - start) / gap, 0.0, 1.0), 0.0)
    return _between(ordered, place)


def _middle(cumulative: Floats, at: NDArray[np.int64]) -> Floats:
    """Middle of the weight of the draw at a place."""
    return np.asarray(0.5 * (cumulative[at] + np.where(at > 0, cumulative[at - 1], 0.0)))


def _between(ordered: Floats, place: Floats) -> Floats:
    """Values at fractional places, linear between finite neighbours; next to an infinite one, that one."""
    low, high = ordered[np.floor(place).astype(int)], ordered[np.ceil(place).astype(int)]
    inner = np.isfinite(low) & np.isfinite(high)
    gap = np.subtract(high, low, out=np.zeros(np.shape(place)), where=inner)
    between = np.where(inner, low, 0.0) + (place - np.floor(place)) * gap
    return np.asarray(np.where(inner, between, np.where(np.isfinite(low), high, low)))


def quantile_spread(ordered: Floats, p: float, variance: float, cumulative: Floats | None = None) -> float:
    """Standard error of the p-quantile, from the draws and the variance of the empirical cdf there.

    Of n plain draws the rank of the true quantile is Binomial(n, p); half the gap between the order statistics at its
    15.87 % and 84.13 % points is one standard error (the Beta form of the exact interval for a quantile). Weighted
    draws count as ``p (1 - p) / variance`` plain ones. Within 20 % of the truth for 20,000 draws and 0.01 < p < 0.99.
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

    Mass is binned, reflected at both ends of the support (so that a density with its top at an edge keeps it) and
    smoothed. Silverman's bandwidth, with the smaller of sd and interquartile range / 1.349. Where the support has no
    end, the grid stops where a far tail would leave no points for the rest; what lies beyond it is cut off.
    """
    start, stop = _without_far_tails(ordered, low, high)
    inner = ordered[start:stop]
    if not len(inner):
        return np.array([0.0]), np.array([0.0])
    first, last = float(inner[0]), float(inner[-1])
    spread = max(last - first, 1e-12 * max(abs(first), abs(last), 1.0))
    left, right = max(low, first - 0.25 * spread), min(high, last + 0.25 * spread)
    left, right = min(left, first), max(right, last)
    if right <= left:
        right = left + spread
    step = (right - left) / points
    below = np.concatenate(([start], start + np.searchsorted(inner, left + step * np.arange(1, points)), [stop]))
    mass = np.diff(below / len(ordered) if cumulative is None else np.concatenate(([0.0], cumulative))[below])
    quartile = quantiles(inner, np.array([0.25, 0.75]), None if cumulative is None else _part(cumulative, start, stop))
    scale = min(float(inner.std()), float(quartile[1] - quartile[0]) / 1.349) or float(inner.std()) or step
    width = min(0.9 * scale * len(ordered) ** -0.2 / step, points / 5)
    reach = min(points, int(np.ceil(5 * width)) + 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(width, 1e-3)) ** 2)
    smooth = np.convolve(np.pad(mass, reach, mode="symmetric"), kernel / kernel.sum(), mode="valid")
    grid = left + step * (np.arange(points, dtype=float) + 0.5)
    return grid, np.maximum(smooth, 0.0) / step


def _without_far_tails(ordered: Floats, low: float, high: float) -> tuple[int, int]:
    """Places of the first draw to be shown and after the last one; all finite ones where the support has ends."""
    start, stop = int(np.searchsorted(ordered, -np.inf, "right")), int(np.searchsorted(ordered, np.inf, "left"))
    if start == stop or np.isfinite([low, high]).all():
        return start, stop
    near, middle, far = (float(q) for q in np.quantile(ordered[start:stop], [0.01, 0.5, 0.99]))
    if np.isinf(low):
        start = max(start, int(np.searchsorted(ordered, near - 3 * (middle - near), "left")))
    if np.isinf(high):
        stop = min(stop, int(np.searchsorted(ordered, far + 3 * (far - middle), "right")))
    return start, stop


def _part(cumulative: Floats, start: int, stop: int) -> Floats:
    """Running sum of the weights of some of the draws, ending in 1."""
    before = float(cumulative[start - 1]) if start else 0.0
    return np.asarray((cumulative[start:stop] - before) / (float(cumulative[stop - 1]) - before))
