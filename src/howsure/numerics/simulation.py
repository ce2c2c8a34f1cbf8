"""Summaries of independent draws: intervals, density, and how wrong they can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

__all__ = ["order_statistic_error", "quantiles", "reflected_density", "shortest_window", "window_error"]

Floats = NDArray[np.float64]


def quantiles(ordered: Floats, p: Floats) -> Floats:
    """Quantiles of sorted draws, linear between neighbours; infinite next to an infinite one, never undefined."""
    if np.isfinite(ordered[0]) and np.isfinite(ordered[-1]):
        return np.asarray(np.quantile(ordered, p))
    place = np.asarray(p) * (len(ordered) - 1)
    low, high = ordered[np.floor(place).astype(int)], ordered[np.ceil(place).astype(int)]
    inner = np.isfinite(low) & np.isfinite(high)
    gap = np.subtract(high, low, out=np.zeros(np.shape(place)), where=inner)
    between = np.where(inner, low, 0.0) + (place - np.floor(place)) * gap
    return np.asarray(np.where(inner, between, np.where(np.isfinite(low), high, low)))


def order_statistic_error(ordered: Floats, p: float) -> float:
    """Standard error of the p-quantile of n draws, from the draws alone.

    The rank of the true quantile among n draws is Binomial(n, p); half the gap between the order statistics at
    its 15.87 % and 84.13 % points is one standard error (the Beta form of the exact interval for a quantile).
    Within 20 % of the truth for 20,000 draws and 0.01 < p < 0.99.
    """
    n = len(ordered)
    edges = special.betaincinv(n * p + 1, n * (1 - p) + 1, np.array([0.15865525, 0.84134475]))
    low, high = quantiles(ordered, edges)
    return float(high - low) / 2 if low != high else 0.0


def shortest_window(ordered: Floats, level: float) -> tuple[float, float] | None:
    """Shortest interval that holds ``level`` of the sorted draws; None if the densest set is not one interval.

    Taken from the draws themselves, never from a smoothed density, so it cannot leave their range. Two windows
    at opposite ends that are both shorter than all near the middle are the mark of a U-shaped law.
    """
    n = len(ordered)
    inside = min(n - 1, max(1, int(np.ceil(level * n))))
    left, right = ordered[: n - inside], ordered[inside:]
    width = np.subtract(right, left, out=np.full(n - inside, np.inf), where=np.isfinite(left) & np.isfinite(right))
    if np.isinf(width).all():
        return None
    third = len(width) // 3
    if third > 10:
        left, middle, right = width[:third].min(), width[third:-third].min(), width[-third:].min()
        if max(left, right) < middle:
            return None
    start = _bottom(width)
    return float(ordered[start]), float(ordered[start + inside])


def _bottom(width: Floats) -> int:
    """Place of the least width, from a parabola through all that are within 1 % of it.

    The least of many nearly equal noisy widths wanders like n^(-1/3); the vertex of a parabola through its neighbours
    is as steady as a quantile. At an edge it stays at the edge.
    """
    best = int(np.argmin(width))
    near = np.flatnonzero(width <= 1.01 * width[best])
    low, high = int(near[0]), int(near[-1])
    if high - low < 8 or np.isinf(width[low : high + 1]).any():
        return best
    place = np.arange(low, high + 1)
    t = (place - low) / (high - low)
    bend, slope, _ = (float(c) for c in np.polyfit(t, width[low : high + 1], 2))
    if not bend > 0:
        return best  # flat to the last digit, or an edge
    vertex = -slope / (2 * bend)
    return low + round((high - low) * min(1.0, max(0.0, vertex)))


def window_error(draws: Floats, level: float, *, batches: int = 16) -> float:
    """Standard error of the ends of `shortest_window`, from batches of independent draws; the larger of the two."""
    size = len(draws) // batches
    if size < 20:
        return 3 * float(draws.std()) / float(np.sqrt(len(draws))) if np.isfinite(draws).all() else float("inf")
    ends = [shortest_window(np.sort(draws[i * size : (i + 1) * size]), level) for i in range(batches)]
    found = np.array([pair for pair in ends if pair is not None])
    if len(found) < 2:
        return float("nan")
    return float(found.std(axis=0, ddof=1).max() / np.sqrt(batches))


def reflected_density(ordered: Floats, low: float, high: float, *, points: int = 1024) -> tuple[Floats, Floats]:
    """Gaussian kernel density on a grid that never leaks outside [low, high].

    Mass is binned, reflected at both ends of the support (so that a density with its top at an edge keeps it) and
    smoothed. Silverman's bandwidth, with the smaller of sd and interquartile range / 1.349. Where the support has no
    end, the grid stops where a far tail would leave no points for the rest; what lies beyond it is cut off.
    """
    ordered = ordered[np.isfinite(ordered)]
    if not len(ordered):
        return np.array([0.0]), np.array([0.0])
    near, middle, far = (float(q) for q in np.quantile(ordered, [0.01, 0.5, 0.99]))
    inner = (ordered >= near - 3 * (middle - near) if np.isinf(low) else np.ones(len(ordered), dtype=bool)) & (
        ordered <= far + 3 * (far - middle) if np.isinf(high) else np.ones(len(ordered), dtype=bool)
    )
    kept = float(inner.mean())
    ordered = ordered[inner]
    first, last = float(ordered[0]), float(ordered[-1])
    spread = max(last - first, 1e-12 * max(abs(first), abs(last), 1.0))
    left, right = max(low, first - 0.25 * spread), min(high, last + 0.25 * spread)
    left, right = min(left, first), max(right, last)
    if right <= left:
        right = left + spread
    step = (right - left) / points
    place = np.clip(((ordered - left) / step).astype(int), 0, points - 1)
    mass = np.bincount(place, minlength=points) / len(ordered)
    quartile = np.quantile(ordered, [0.25, 0.75])
    scale = min(float(ordered.std()), float(quartile[1] - quartile[0]) / 1.349) or float(ordered.std()) or step
    width = min(0.9 * scale * len(ordered) ** -0.2 / step, points / 5)
    reach = min(points, int(np.ceil(5 * width)) + 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(width, 1e-3)) ** 2)
    smooth = np.convolve(np.pad(mass, reach, mode="symmetric"), kernel / kernel.sum(), mode="valid")
    grid = left + step * (np.arange(points, dtype=float) + 0.5)
    return grid, kept * np.maximum(smooth, 0.0) / step
