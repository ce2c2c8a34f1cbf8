"""Where a law has a given probability, where its density is highest, and the densest interval of one law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, ndtri

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat

# -- Roots and quantiles: bracketed bisection and false position, Newton's and Halley's methods, the top of a density --


def bisect_increasing(function: Callable[[Floats], Floats], target: Floats, low: float, high: float) -> Floats:
    """Smallest x in [low, high] with function(x) >= target, to the double, for every target; ``high`` if none."""
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

EvaluateMany: TypeAlias = Callable[[Integers, Floats], tuple[Floats, Floats, Floats]]

MOST_STEPS = 200
CLOSE, MISSED = 1e-6, 1e-6  # a Halley step this small (in sd) leaves an error below 1e-12
NARROW = 4e-16  # relative width of a bracket that cannot be halved any more
NEWTON_STEPS = 40
EQUAL = 1e-5  # of the log densities; the next step squares it
SMALL_STEP = 1e-7  # of the interval's width; the next step would be its square


def inverted(evaluate: EvaluateMany, p: Floats, start: Floats, low: Floats, high: Floats, scale: Floats) -> Floats:
    """Solve ``F(x) = p`` for each row and point (R, m): Halley, else bisection; steps stop by ``scale`` (R,)."""
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

    It starts at guesses (R, 2) strictly inside the supports. Unknowns ``l, h`` of ``F(h) - F(l) = level`` and
    ``log f(h) = log f(l)``; the determinant of the Jacobian is positive as long as the mode lies between them.
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


def _towards(room: Floats, step: Floats) -> Floats:
    """Update the distance to an end of the support: in its log, where Newton neither overshoots nor crawls."""
    near = step < -0.3 * room
    return np.where(room <= 0, np.maximum(step, 0.0), np.where(near, room * np.exp(step / room), room + step))


def invert(evaluate: Evaluate, p: Floats, start: Floats, low: float, high: float, scale: float) -> Floats:
    """Solve ``F(x) = p`` of one law for every ``p``; ``start`` is moved off the ends."""
    at = np.clip(start, low + 1e-3 * (start - low), high)[:, None]
    ends = (np.full(len(p), end) for end in (low, high, scale))
    return inverted(_alone(evaluate), p[:, None], at, *ends)[:, 0]


def by_newton(
    evaluate: Evaluate, level: float, start: tuple[float, float], low: float, high: float
) -> tuple[float, float] | None:
    """Ends of one law's interval of mass ``level`` with equal densities; None if Newton's method does not converge."""
    ends, found = equal_densities(_alone(evaluate), level, np.array([start]), np.array([low]), np.array([high]))
    return (float(ends[0, 0]), float(ends[0, 1])) if found[0] else None


def _alone(evaluate: Evaluate) -> EvaluateMany:
    def of_rows(_: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        F, f, slope = evaluate(x.ravel())
        return F.reshape(x.shape), f.reshape(x.shape), slope.reshape(x.shape)

    return of_rows


def density_peak(evaluate: Evaluate, low: float, high: float, points: int = 33) -> float:
    """Place of the largest density between ``low`` and ``high``: a scan, then where ``f'`` changes its sign."""
    grid = np.linspace(low, high, points)
    k = int(np.argmax(evaluate(grid)[1]))
    left, right = float(grid[max(k - 1, 0)]), float(grid[min(k + 1, points - 1)])
    for _ in range(17):
        inner = np.linspace(left, right, 9)
        k = int(np.argmax(np.append(evaluate(inner)[2][:-1] <= 0, True)))
        left, right = float(inner[max(k - 1, 0)]), float(inner[k])
    return 0.5 * (left + right)


def bracketed_root(
    function: Callable[[float], float], left: tuple[float, float], right: tuple[float, float], precision: float
) -> float:
    """Root between ``left = (x, value)`` below 0 and ``right`` above: Illinois' false position, halving at times."""
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


# -- The highest-density interval of one law: both ends have one density, or one is an end of the support --------------


Pair: TypeAlias = tuple[float, float]
Quantile: TypeAlias = Callable[[Floats], Floats]
Run: TypeAlias = Literal["rising", "falling", "one", "many"]

INSIDE = 25  # points inside a candidate interval that are looked at
OUTSIDE = np.array([0.02, 0.07, 0.15, 0.25, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98])  # and from the end of the support to it
NEGLIGIBLE = 1e-3  # of the mass outside an interval: so much may be denser there than at its ends
SHARES = np.linspace(-16.0, 16.0, 65)  # logits of the share of the lower tail in it
PARTS, ROUNDS = np.linspace(0.0, 1.0, 9), 3  # a bracket is cut into eight, three times
LEVEL_GROUND = 3e-4  # a smaller difference of log densities may be the error of the law, and is no slope


# -- from F, f and f' ------------------------------------------------------------------------------------------------


class SmoothLaw(NamedTuple):
    """F, f and f' inside the support, quantiles, the support, and the limits of the density at its ends."""

    evaluate: Evaluate
    quantile: Quantile
    support: Pair
    ends: Pair


def of_smooth_law(
    law: SmoothLaw,
    level: float,
    guess: Callable[[float], Pair | None],
    otherwise: Callable[[SmoothLaw, float], Pair | None],
) -> Pair | None:
    """Interval of mass ``level`` by Newton from ``guess`` or the central one; ``otherwise`` where that fails."""
    found = _one_sided(law, level)
    if found is None and (start := guess(level)) is not None:
        found = by_newton(law.evaluate, level, start, *law.support)
    if found is None:
        low, high = law.quantile(np.array([(1 - level) / 2, (1 + level) / 2])).tolist()
        found = by_newton(law.evaluate, level, (low, high), *law.support)
    return otherwise(law, level) if found is None else found


def _one_sided(law: SmoothLaw, level: float) -> Pair | None:
    """Interval that starts at an end of the support with positive density, if it is denser there than outside."""
    low, high = law.support
    for upper, density in enumerate(law.ends):
        if density > 0:
            cut = law.quantile(np.array([1 - level if upper else level]))
            if density >= law.evaluate(cut)[1][0]:
                return (float(cut[0]), high) if upper else (low, float(cut[0]))
    return None


# -- from a grid of densities ----------------------------------------------------------------------------------------


def densest_cells(x: Floats, f: Floats, level: float) -> Pair | None:
    """Outermost points of the densest cells of a grid that hold ``level``; only a start for Newton's method."""
    order = np.argsort(-f)
    held = np.cumsum((f * np.gradient(x))[order])
    inside = order[: 1 + int(np.searchsorted(held, level * held[-1]))]
    first, last = int(inside.min()), int(inside.max())
    return (float(x[first]), float(x[last])) if first < last else None


def is_densest_on_grid(x: Floats, f: Floats, found: Pair, cut: float, level: float) -> bool:
    """Whether next to no mass lies above the density ``cut`` of the ends outside, or is missing below it inside."""
    inside = (x >= found[0]) & (x <= found[1])
    misplaced = np.maximum(np.where(inside, cut - f, f - cut), 0.0)
    return bool(misplaced @ np.gradient(x) <= NEGLIGIBLE * (1 - level))


# -- from densities at quantiles -------------------------------------------------------------------------------------


def run_of(log_density: Floats) -> Run:
    """How a density runs along rising points: one way, over a top or several; level to its error it says nothing."""
    return runs_of(log_density[None])[0]


def runs_of(log_densities: Floats) -> list[Run]:
    """The same of several laws, a row each."""
    steps = np.diff(log_densities)
    place, level = np.arange(steps.shape[1]), np.abs(steps) < LEVEL_GROUND
    last_rise = np.where(~level & (steps > 0), place, -1).max(axis=1)
    first_fall = np.where(~level & ~(steps > 0), place, len(place)).min(axis=1)
    turned: dict[bool, Run] = {True: "one", False: "many"}
    return [
        "falling" if rise < 0 else "rising" if fall == len(place) else turned[rise < fall]
        for rise, fall in zip(last_rise.tolist(), first_fall.tolist(), strict=True)
    ]


def of_probed_law(
    run: Run, level: float, quantile: Quantile, support: Pair, equal: Callable[[float], Pair]
) -> Pair | None:
    """Interval by the run of the density: from an end of the support, or ``equal`` in density at both ends."""
    if run == "many":
        return None
    if run == "rising":
        return float(quantile(np.array([1 - level]))[0]), support[1]
    if run == "falling":
        return support[0], float(quantile(np.array([level]))[0])
    return equal(level)


def scores_of_equal_density(
    excess: Callable[[Floats, Floats], Floats], level: float, rows: int
) -> tuple[Floats, Floats]:
    """Normal scores of both ends of the intervals of many laws of one top, shape (rows,): brackets cut into eight.

    ``excess`` of scores of lower and upper ends, shape (rows or 1, m), is the log density at the upper ones less that
    at the lower ones, shape (rows, m). It falls with the tail below the interval.
    """
    above = excess(*_scores_around(SHARES[None], level)) > 0  # at first, and no more later
    # from the middle on, because far out densities are noise
    half = len(SHARES) // 2
    after = half + np.cumprod(above[:, half:], axis=1).sum(axis=1)
    before = half - np.cumprod(~above[:, half::-1], axis=1).sum(axis=1)
    k = np.clip(np.where(above[:, half], after, before + 1), 1, len(SHARES) - 1)
    left, right, row = SHARES[k - 1], SHARES[k], np.arange(rows)
    for _ in range(ROUNDS):
        parts = left[:, None] + (right - left)[:, None] * PARTS
        gap = excess(*_scores_around(parts, level))
        k = np.clip(np.cumprod(gap > 0, axis=1).sum(axis=1), 1, len(PARTS) - 1)
        left, right, high, low = parts[row, k - 1], parts[row, k], gap[row, k - 1], gap[row, k]
    crossed = (high > 0) & (low <= 0)
    share = np.where(crossed, high, 1.0) / np.where(crossed, high - low, 2.0)
    return _scores_around(left + share * (right - left), level)


def _scores_around(logits: Floats, level: float) -> tuple[Floats, Floats]:
    """Scores of both ends of an interval, of which a tail with this logit of a share of what is outside lies below."""
    return ndtri((1 - level) * expit(logits)), -ndtri((1 - level) * expit(-logits))


# -- from quantiles alone --------------------------------------------------------------------------------------------


def shortest_interval(
    quantile: Callable[[Floats], Floats], level: float, *, points: int = 129, rounds: int = 6
) -> tuple[float, float] | None:
    """Shortest [quantile(p), quantile(p + level)], or None where no single interval is the densest.

    A grid of p is narrowed around the least width ``rounds`` times (each by 64), down to 1e-11 of the range. Of a
    U-shaped law the width has its minimum at an end while the other end is also a local minimum: None.
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
