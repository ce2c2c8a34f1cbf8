"""Roots and quantiles: bracketed bisection and false position, Newton's and Halley's methods, the top of a density."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = [
    "Evaluate",
    "bisect_increasing",
    "bracketed_root",
    "density_peak",
    "highest_density",
    "invert",
    "shortest_interval",
]


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


Evaluate: TypeAlias = Callable[[Floats], tuple[Floats, Floats, Floats]]

MOST_STEPS = 200
MISSED = 1e-6  # and the probability must agree to this before the last step
CLOSE = 1e-6  # a Halley step this small (in sd) leaves an error below 1e-12


def invert(evaluate: Evaluate, p: Floats, start: Floats, low: float, high: float, scale: float) -> Floats:
    """Solve ``F(x) = p`` for every ``p`` by Halley's method, with bisection where it leaves the bracket.

    ``F`` increases from ``low`` to ``high``; ``scale`` is the standard deviation, the unit of the stopping rule.
    """
    x = np.clip(start, low + 1e-3 * (start - low), high)
    lower, upper = np.full(len(p), low), np.full(len(p), high)
    active = np.arange(len(p))
    last_miss = np.full(len(p), np.inf)
    small, missed = CLOSE, MISSED
    for step_number in range(MOST_STEPS):
        at = x[active]
        F, f, slope = evaluate(at)
        miss = F - p[active]
        upper[active] = np.where(miss >= 0, at, upper[active])
        lower[active] = np.where(miss <= 0, at, lower[active])
        with np.errstate(all="ignore"):
            newton = miss / f
            bend = 0.5 * newton * slope / f
            step = newton / np.where(np.abs(bend) < 0.5, 1 - bend, 1.0)
        new = at - step
        inside = (new >= lower[active]) & (new <= upper[active])
        if step_number > 4:  # a density with near-atoms misleads Newton: bisect where the miss does not halve
            inside &= (np.abs(miss) <= 0.5 * last_miss[active]) | (np.abs(miss) < 1e-9)
        last_miss[active] = np.abs(miss)
        width = upper[active] - lower[active]
        x[active] = np.where(inside, new, 0.5 * (lower[active] + upper[active]))
        done = (inside & (np.abs(step) < small * scale) & (np.abs(miss) < missed)) | (
            width <= 4e-16 * np.maximum(np.abs(at), 1e-3 * scale)
        )
        done |= (np.abs(miss) < 2e-16) & inside
        active = active[~done]
        if not len(active):
            break
        if step_number == 4:  # not the smooth case for which the rule was made
            small, missed = 1e-9, 1e-11
    return x


def highest_density(
    evaluate: Evaluate, level: float, start: tuple[float, float], low: float, high: float
) -> tuple[float, float] | None:
    """Interval of mass ``level`` with equal densities at its ends: Newton in both ends at once.

    Unknowns ``l, h`` of ``F(h) - F(l) = level`` and ``log f(h) = log f(l)``; the determinant of the Jacobian is
    positive as long as the mode lies between them. Returns None if it does not converge.
    """
    ends = np.array(start, float)
    if not low < ends[0] < ends[1] < high:
        return None
    for _ in range(40):
        (F0, F1), (f0, f1), (g0, g1) = evaluate(ends)
        if not (f0 > 0 and f1 > 0):
            return None
        missing, gap = level - (F1 - F0), np.log(f0 / f1)
        r0, r1 = g0 / f0, g1 / f1
        determinant = -f0 * r1 + f1 * r0
        if not determinant > 0:
            return None
        # solve [-f0 f1; -r0 r1] (dl, dh) = (missing, gap)
        dl = (missing * r1 - gap * f1) / determinant
        dh = (missing * r0 - gap * f0) / determinant
        dl, dh = float(dl), float(dh)
        width = float(ends[1] - ends[0])
        shrink = min(1.0, 0.4 * width / max(abs(dl), abs(dh), 1e-300))
        new = np.array([low + _towards(ends[0] - low, shrink * dl), high - _towards(high - ends[1], -shrink * dh)])
        moved = float(np.abs(new - ends).max())
        ends = new
        if moved < 1e-7 * width and shrink == 1.0:
            return float(ends[0]), float(ends[1])
    return None


def _towards(room: float, step: float) -> float:
    """Update the distance to an end of the support: a large step towards it is taken in the log of the distance.

    Near an end the density is a power of the distance; in its logarithm Newton's method neither overshoots nor crawls.
    """
    if room <= 0:  # at the end to the last digit
        return max(step, 0.0)
    return float(room * np.exp(step / room)) if step < -0.3 * room else float(room + step)


def density_peak(evaluate: Evaluate, low: float, high: float, points: int = 33) -> float:
    """Find the largest density between ``low`` and ``high``: a scan, refined until ``f'`` has a bracketed root."""
    grid = np.linspace(low, high, points)
    _, f, _ = evaluate(grid)
    k = int(np.argmax(f))
    left, right = float(grid[max(k - 1, 0)]), float(grid[min(k + 1, points - 1)])
    for _ in range(60):
        inner = np.linspace(left, right, 9)
        _, f, slope = evaluate(inner)
        k = int(np.argmax(f))
        a, b = max(k - 1, 0), min(k + 1, 8)
        if k < 8 and slope[k] > 0:
            a = k
        elif k > 0 and slope[k] < 0:
            b = k
        if slope[a] > 0 > slope[b] and b - a == 1 and right - left < 0.1 * (high - low):
            # the secant of f' is far more precise than the largest of nearly equal values of f
            return _slope_root(evaluate, float(inner[a]), float(inner[b]))
        left, right = float(inner[a]), float(inner[b])
        if right - left <= 1e-14 * max(abs(left), abs(right), high - low):
            break
    return 0.5 * (left + right)


def _slope_root(evaluate: Evaluate, left: float, right: float) -> float:
    """Root of ``f'`` in a bracket."""
    g0, g1 = (float(v) for v in evaluate(np.array([left, right]))[2])

    def slope(x: float) -> float:
        return -float(evaluate(np.array([x]))[2][0])

    return bracketed_root(slope, (left, -g0), (right, -g1), 1e-12 * (right - left))


def bracketed_root(
    function: Callable[[float], float], left: tuple[float, float], right: tuple[float, float], precision: float
) -> float:
    """Root of a function that is negative at ``left = (x, value)`` and positive at ``right``.

    The Illinois variant of the false position; where three steps have not halved the bracket, the fourth does.
    """
    (x0, g0), (x1, g1) = left, right
    width, x = x1 - x0, x0
    for step in range(100):
        before = x
        x = x1 - g1 * (x1 - x0) / (g1 - g0)
        if step % 4 == 3:
            x = x if x1 - x0 < 0.5 * width else 0.5 * (x0 + x1)
            width = x1 - x0
        g = function(x)
        if g == 0 or abs(x - before) <= precision or x1 - x0 <= max(precision, 4e-16 * max(abs(x0), abs(x1))):
            break
        if g < 0:
            g1 = g1 / 2 if before == x0 else g1
            x0, g0 = x, g
        else:
            g0 = g0 / 2 if before == x1 else g0
            x1, g1 = x, g
    return x
