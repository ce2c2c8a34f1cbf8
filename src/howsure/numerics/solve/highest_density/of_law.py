"""The highest-density interval of one law: both ends have one density, or one of them is an end of the support."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.roots import Evaluate, by_newton

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
