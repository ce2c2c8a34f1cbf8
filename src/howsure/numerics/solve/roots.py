"""Where a law has a given probability: roots, and curves to start from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from howsure.numerics.arrays import Floats, cut

__all__ = [
    "Evaluate",
    "EvenCubic",
    "bisect_increasing",
    "bracketed_root",
    "density_peak",
    "invert",
    "monotone_cubic",
    "vertex",
]


# -- Roots and quantiles: bracketed bisection and false position, Newton's and Halley's methods, the top of a density --


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


def vertex(x: Floats, y: Floats, best: int) -> float:
    """Top of the parabola through the values at ``best`` and its two neighbours; ``best`` itself where it has none."""
    left, right = x[best] - x[best - 1], x[best + 1] - x[best]
    down, up = y[best] - y[best - 1], y[best + 1] - y[best]
    if not (left and right):  # closer to each other than numbers are
        return float(x[best])
    bend = down / left - up / right
    return float(x[best] + (down / left * right + up / right * left) / (2 * bend)) if bend > 0 else float(x[best])


# -- Curves through few values -----------------------------------------------------------------------------------------


class EvenCubic:
    """Cubic Hermite curve through ``values`` at 0, 1, 2, ..., with slopes from their neighbours.

    Slopes are central differences of the fourth order, of the second beside the ends and one-sided at them, so a
    cubic is met exactly away from the ends. Beyond them the curve is the parabola through the three last values.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Five or more.

    Examples
    --------
    >>> EvenCubic(np.arange(6.0) ** 3)(np.array([2.5])).tolist()
    [15.625]
    >>> EvenCubic(np.arange(6.0) ** 2)(np.array([-1.0, 7.0])).tolist()
    [1.0, 49.0]
    """

    def __init__(self, values: Floats) -> None:
        slopes = np.gradient(values, edge_order=2)
        slopes[2:-2] = (8 * (values[3:-1] - values[1:-3]) - (values[4:] - values[:-4])) / 12
        rise = np.diff(values)
        first, last = slopes[:-1], slopes[1:]
        # in t from 0 to 1 between two values, the parabolas before and behind them
        between = np.stack((values[:-1], first, 3 * rise - 2 * first - last, first + last - 2 * rise))
        bends = 0.5 * np.diff(values, 2)[[0, -1]]
        before, behind = (
            np.array([[value], [slope], [bend], [0.0]])
            for value, slope, bend in zip(values[[0, -1]], slopes[[0, -1]], bends, strict=True)
        )
        self._coefficients = np.concatenate((before, between, behind), axis=1)

    def __call__(self, at: Floats) -> Floats:
        """The curve at places of any shape; 0 is the first value."""
        most = self._coefficients.shape[1] - 1
        k = cut(np.floor(at), -1, most - 1).astype(np.intp)
        t = at - np.maximum(k, 0)
        c = self._coefficients.take(k + 1, axis=1)
        return np.asarray(c[0] + t * (c[1] + t * (c[2] + t * c[3])))


def monotone_cubic(known: Floats, values: Floats, rates: Floats, asked: Floats) -> Floats:
    """Values at what is asked by monotone cubics through rising ones; beyond the outermost ones by straight lines.

    The slopes are cut to three times those of the chords (Fritsch and Carlson 1980, SIAM Journal on Numerical Analysis
    17, 238), so that a curve does not turn; ``values`` and ``rates`` may have axes behind the first.

    Examples
    --------
    >>> known = np.array([0.0, 1.0, 2.0])
    >>> monotone_cubic(known, known**3, 3 * known**2, np.array([1.5, 3.0])).tolist()
    [3.375, 15.0]
    """
    k = np.clip(np.searchsorted(known, asked) - 1, 0, len(known) - 2)
    width = known[k + 1] - known[k]
    share = cut((asked - known[k]) / width, -2.0, 3.0)
    within = np.where((share >= 0) & (share <= 1), share * (1 - share), 0.0)
    width, share, within = (x.reshape(-1, *(1,) * (values.ndim - 1)) for x in (width, share, within))
    rise = values[k + 1] - values[k]
    left, right = (cut(width * rates[j], 0.0, 3 * rise) for j in (k, k + 1))
    return np.asarray(values[k] + share * rise + within * ((1 - share) * (left - rise) + share * (rise - right)))
