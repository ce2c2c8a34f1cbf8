"""Quantiles and highest-density intervals of many laws at once: the iterations of `numerics.solve`, row by row.

A row is a law. ``evaluate(rows, x)`` gives F, f and f' of the laws ``rows`` at their own points ``x``, shape (rows,
points). Rows that are done leave the iteration, so that a hard one costs its own steps and no others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat

__all__ = ["EvaluateMany", "balanced_densities", "equal_densities", "inverted"]

EvaluateMany: TypeAlias = Callable[[Integers, Floats], tuple[Floats, Floats, Floats]]

MOST_STEPS = 100
CLOSE, MISSED = 1e-6, 1e-6  # a Halley step this small (in sd) leaves an error below 1e-12
NARROW = 4e-16  # relative width of a bracket that cannot be halved any more
NEWTON_STEPS = 40
EQUAL = 1e-5  # of the log densities; the next step squares it
BALANCING_STEPS, REFILLS = 60, 3
NOISE = 1e-11  # of a density: a difference that says nothing
SMALL_STEP = 1e-7  # of the interval's width; the next step would be its square


def inverted(evaluate: EvaluateMany, p: Floats, start: Floats, low: Floats, high: Floats, scale: Floats) -> Floats:
    """Solve ``F(x) = p`` for every row and point by Halley's method, with bisection where it leaves the bracket.

    Parameters
    ----------
    p, start : ndarray, shape (R, m)
        Probabilities, and where to start.
    low, high, scale : ndarray, shape (R,)
        Ends between which F increases; standard deviations, the unit of the stopping rule.
    """
    x = np.clip(start, low[:, None], high[:, None])
    lower, upper = repeat(low[:, None], x.shape[1], 1), repeat(high[:, None], x.shape[1], 1)
    rows = np.arange(len(x))
    last_miss = np.full(x.shape, np.inf)
    small, missed = CLOSE, MISSED
    for step_number in range(MOST_STEPS):
        at = x[rows]
        F, f, slope = evaluate(rows, at)
        miss = F - p[rows]
        upper[rows] = np.where(miss >= 0, at, upper[rows])
        lower[rows] = np.where(miss <= 0, at, lower[rows])
        with np.errstate(all="ignore"):
            newton = miss / f
            bend = 0.5 * newton * slope / f
            step = newton / np.where(np.abs(bend) < 0.5, 1 - bend, 1.0)
            new = at - step
        inside = (new >= lower[rows]) & (new <= upper[rows])
        if step_number > 4:  # a density with near-atoms misleads Newton: bisect where the miss does not halve
            inside &= (np.abs(miss) <= 0.5 * last_miss[rows]) | (np.abs(miss) < 1e-9)
        last_miss[rows] = np.abs(miss)
        width = upper[rows] - lower[rows]
        x[rows] = np.where(inside, new, 0.5 * (lower[rows] + upper[rows]))
        unit = scale[rows, None]
        done = inside & (np.abs(step) < small * unit) & (np.abs(miss) < missed)
        done |= width <= NARROW * np.maximum(np.abs(at), 1e-3 * unit)
        done |= (np.abs(miss) < 2e-16) & inside
        rows = rows[~done.all(axis=1)]
        if not len(rows):
            break
        if step_number == 4:  # not the smooth case for which the rule was made
            small, missed = 1e-9, 1e-11
    return x


def equal_densities(
    evaluate: EvaluateMany, level: float, start: Floats, low: Floats, high: Floats
) -> tuple[Floats, Booleans]:
    """Both ends of the intervals of mass ``level`` whose ends are equally dense, and where Newton's method found them.

    Parameters
    ----------
    start : ndarray, shape (R, 2)
        Guesses, strictly inside the supports ``low`` to ``high``, shape (R,).

    Notes
    -----
    Unknowns ``l, h`` of ``F(h) - F(l) = level`` and ``log f(h) = log f(l)``; the determinant of the Jacobian is
    positive as long as the mode lies between them.
    """
    ends = start.copy()
    found = np.zeros(len(ends), bool)
    rows = np.flatnonzero((low < ends[:, 0]) & (ends[:, 0] < ends[:, 1]) & (ends[:, 1] < high))
    for _ in range(NEWTON_STEPS):
        if not len(rows):
            break
        at = ends[rows]
        F, f, slope = evaluate(rows, at)
        with np.errstate(all="ignore"):
            missing, gap = level - (F[:, 1] - F[:, 0]), np.log(f[:, 0] / f[:, 1])
            steep = slope / f
            determinant = -f[:, 0] * steep[:, 1] + f[:, 1] * steep[:, 0]
            # solve [-f0 f1; -r0 r1] (dl, dh) = (missing, gap)
            dl = (missing * steep[:, 1] - gap * f[:, 1]) / determinant
            dh = (missing * steep[:, 0] - gap * f[:, 0]) / determinant
            width = at[:, 1] - at[:, 0]
            shrink = np.minimum(1.0, 0.4 * width / np.maximum(np.maximum(np.abs(dl), np.abs(dh)), 1e-300))
            new_low = low[rows] + _towards(at[:, 0] - low[rows], shrink * dl)
            new_high = high[rows] - _towards(high[rows] - at[:, 1], -shrink * dh)
            good = (f > 0).all(axis=1) & (determinant > 0) & (new_low < new_high)
            moved = np.maximum(np.abs(new_low - at[:, 0]), np.abs(new_high - at[:, 1]))
            # beside an end of the support steps are short long before the densities are equal
            there = good & (moved < SMALL_STEP * width) & (shrink == 1.0) & (np.abs(gap) < EQUAL)
        ends[rows[good], 0], ends[rows[good], 1] = new_low[good], new_high[good]
        found[rows[there]] = True
        rows = rows[good & ~there]
    return ends, found


def balanced_densities(
    evaluate: EvaluateMany, level: float, central: Floats, most: Floats, low: Floats, high: Floats
) -> tuple[Floats, Booleans]:
    """Do the same slowly and surely for laws with one peak: bracket the lower end, fill up to the mass with the upper.

    It serves where a density is nearly flat between its ends (a class without cases beside one with many), so that
    Newton's method has nothing to hold on to.

    Parameters
    ----------
    central : ndarray, shape (R, 2)
        Central intervals.
    most : ndarray, shape (R,)
        Quantiles of ``1 - level``: no lower end lies above them.
    """
    ends, found = central.copy(), np.zeros(len(central), bool)
    left, right = low.copy(), most.copy()
    gaps = np.full((2, len(central)), np.nan)
    rows = np.arange(len(central))
    for _ in range(BALANCING_STEPS):
        for _ in range(REFILLS):
            F, f, _ = evaluate(rows, ends[rows])
            with np.errstate(all="ignore"):
                fill = (level - (F[:, 1] - F[:, 0])) / f[:, 1]
            room = high[rows] - ends[rows, 1]
            width = ends[rows, 1] - ends[rows, 0]
            ends[rows, 1] += np.clip(np.nan_to_num(fill), -0.5 * width, 0.9 * room)
            if np.abs(fill).max(initial=0.0) <= 1e-9 * width.min(initial=1.0):
                break
        with np.errstate(all="ignore"):
            gap = np.log(f[:, 0] / f[:, 1])
        early = gap < 0
        left[rows], right[rows] = (
            np.where(early, ends[rows, 0], left[rows]),
            np.where(early, right[rows], ends[rows, 0]),
        )
        # the Illinois variant of the false position: an end that stays counts half
        gaps[0, rows], gaps[1, rows] = (
            np.where(early, gap, 0.5 * gaps[0, rows]),
            np.where(early, 0.5 * gaps[1, rows], gap),
        )
        span = right[rows] - left[rows]
        with np.errstate(all="ignore"):
            secant = left[rows] - gaps[0, rows] * span / (gaps[1, rows] - gaps[0, rows])
        inner = (secant > left[rows]) & (secant < right[rows])
        tried = np.where(inner, secant, 0.5 * (left[rows] + right[rows]))
        width = ends[rows, 1] - ends[rows, 0]
        there = (np.abs(gap) < NOISE) | (np.abs(tried - ends[rows, 0]) < 1e-11 * width) | (span < 1e-13 * width)
        filled = np.abs(fill) < 1e-8 * width
        found[rows[there & filled]] = True
        with np.errstate(all="ignore"):
            moved = f[:, 0] / f[:, 1] * (tried - ends[rows, 0])
        follow = np.clip(np.nan_to_num(moved), -0.5 * width, 0.9 * (high[rows] - ends[rows, 1]))
        go = ~there
        ends[rows[go], 1] += follow[go]
        ends[rows[go], 0] = tried[go]
        rows = rows[go]
        if not len(rows):
            break
    return ends, found


def _towards(room: Floats, step: Floats) -> Floats:
    """Update the distance to an end of the support: a large step towards it is taken in the log of the distance.

    Near an end the density is a power of the distance; in its logarithm Newton's method neither overshoots nor crawls.
    """
    near = step < -0.3 * room
    return np.where(room <= 0, np.maximum(step, 0.0), np.where(near, room * np.exp(step / room), room + step))
