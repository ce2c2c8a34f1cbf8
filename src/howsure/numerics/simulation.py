"""Summaries of independent draws: intervals, density, and how wrong they can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

__all__ = ["order_statistic_error", "reflected_density", "shortest_window"]

Floats = NDArray[np.float64]


def order_statistic_error(ordered: Floats, p: float) -> float:
    """Standard error of the p-quantile of n draws, from the draws alone.

    The rank of the true quantile among n draws is Binomial(n, p); half the gap between the order statistics at
    its 15.87 % and 84.13 % points is one standard error (the Beta form of the exact interval for a quantile).
    Within 20 % of the truth for 20,000 draws and 0.01 < p < 0.99.
    """
    n = len(ordered)
    edges = special.betaincinv(n * p + 1, n * (1 - p) + 1, np.array([0.15865525, 0.84134475]))
    low, high = np.quantile(ordered, edges)
    return float(high - low) / 2


def shortest_window(ordered: Floats, level: float) -> tuple[float, float] | None:
    """Shortest interval that holds ``level`` of the sorted draws; None if the densest set is not one interval.

    Taken from the draws themselves, never from a smoothed density, so it cannot leave their range. Two windows
    at opposite ends that are both shorter than all near the middle are the mark of a U-shaped law.
    """
    n = len(ordered)
    inside = min(n - 1, max(1, int(np.ceil(level * n))))
    width = ordered[inside:] - ordered[: n - inside]
    start = int(np.argmin(width))
    third = len(width) // 3
    if third > 10:
        left, middle, right = width[:third].min(), width[third:-third].min(), width[-third:].min()
        if max(left, right) < middle:
            return None
    return float(ordered[start]), float(ordered[start + inside])


def reflected_density(ordered: Floats, low: float, high: float, *, points: int = 1024) -> tuple[Floats, Floats]:
    """Gaussian kernel density on a grid that never leaks outside [low, high].

    Mass is binned, reflected at both ends of the support (so that a density with its top at an edge keeps it)
    and smoothed by a cosine transform, in which reflection is the natural boundary. Silverman's bandwidth,
    with the smaller of sd and interquartile range / 1.349.
    """
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
    width = 0.9 * scale * len(ordered) ** -0.2 / step
    damping = np.exp(-0.5 * (np.pi * np.arange(points) / points * width) ** 2)
    smooth = np.asarray(fft.idct(fft.dct(mass) * damping), dtype=float)
    grid = left + step * (np.arange(points, dtype=float) + 0.5)
    return grid, np.maximum(smooth, 0.0) / step
