"""Inverting an increasing function, and the shortest interval that holds a given probability."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["bisect_increasing", "shortest_interval"]


def bisect_increasing(function: Callable[[Floats], Floats], target: Floats, low: float, high: float) -> Floats:
    """Smallest x in [low, high] with function(x) >= target, for every target at once.

    Bisection halves the bracket until two neighbouring doubles remain (at most 80 steps from a unit bracket), so
    the answer is as good as the function. A target at or below function(low) gives ``low``; one that is
    never reached gives ``high``.
    """
    shape = np.shape(target)
    goal = np.atleast_1d(np.asarray(target, dtype=float))
    below, above = np.full(goal.shape, float(low)), np.full(goal.shape, float(high))
    for _ in range(80):
        middle = 0.5 * (below + above)
        reached = function(middle) >= goal
        above = np.where(reached, middle, above)
        below = np.where(reached, below, middle)
        if np.all(above - below <= 4e-16 * np.maximum(np.abs(above), np.abs(below))):
            break
    answer = np.where(function(np.full(goal.shape, float(low))) >= goal, low, above)
    return np.asarray(np.where(goal >= 1, high, answer)).reshape(shape)


def shortest_interval(
    quantile: Callable[[Floats], Floats], level: float, *, points: int = 129, rounds: int = 6
) -> tuple[float, float] | None:
    """Shortest [quantile(p), quantile(p + level)], or None where no single interval is the densest.

    The width is searched on a grid of p in [0, 1 - level] that is narrowed around its minimum ``rounds`` times
    (each by 64), down to 1e-11 of the range. For a unimodal law this is the highest-density interval. For a
    U-shaped one the width has its minimum at an end while the other end is also a local minimum: None.
    """
    left, right = 0.0, 1.0 - level
    first = True
    for _ in range(rounds):
        p = np.linspace(left, right, points)
        with np.errstate(invalid="ignore"):
            width = quantile(np.minimum(p + level, 1.0)) - quantile(p)
        width = np.where(np.isnan(width), np.inf, width)  # both ends infinite
        if np.isinf(width).all():
            return None
        if first and width[0] < width[1] and width[-1] < width[-2] and right > 0:
            return None
        first = False
        best = int(np.argmin(width))
        left, right = p[max(best - 1, 0)], p[min(best + 1, points - 1)]
    p_low = float(p[best])
    # 1 - level + level need not be 1
    ends = quantile(np.array([p_low, 1.0 if p_low >= 1.0 - level else p_low + level]))
    return float(ends[0]), float(ends[1])
