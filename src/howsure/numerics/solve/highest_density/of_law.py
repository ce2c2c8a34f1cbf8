"""The highest-density interval of one law: both ends have one density, or one of them is an end of the support."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit, ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.roots import Evaluate, by_newton

__all__ = [
    "Run",
    "SmoothLaw",
    "densest_cells",
    "is_densest_on_grid",
    "of_probed_law",
    "of_smooth_law",
    "run_of",
    "runs_of",
    "shortest_interval",
    "tail_by_secants",
    "tail_guessed",
]

Pair: TypeAlias = tuple[float, float]
Quantile: TypeAlias = Callable[[Floats], Floats]
Run: TypeAlias = Literal["rising", "falling", "one", "many"]

INSIDE = 25  # points inside a candidate interval that are looked at
OUTSIDE = np.array([0.02, 0.07, 0.15, 0.25, 0.35, 0.5, 0.65, 0.8, 0.9, 0.98])  # and from the end of the support to it
NEGLIGIBLE = 1e-3  # of the mass outside an interval: so much may be denser there than at its ends
SHARES = np.linspace(-8.0, 8.0, 129)  # logits of that share, to be tried for a first guess
LEVEL_GROUND = 1e-6  # a smaller difference of log densities is no slope
NOISE = 0.01  # a difference of log densities below it that does not shrink any more is the error of the law


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


def tail_by_secants(excess: Callable[[float], tuple[float, Floats]], level: float, p: float, slope: float) -> Floats:
    """Ends of the interval where every point is dear: secants for the tail below it, inside a bracket.

    ``excess`` of a tail is the log density at the upper end less that at the lower one, and both ends; ``p`` and
    ``slope`` are guesses of its root and of its slope there.
    """
    low, high = 0.0, 1 - level
    g, x = excess(p)
    for _ in range(60):
        low, high = (p, high) if g > 0 else (low, p)
        trial = p - g / slope
        trial = trial if low < trial < high else (low + high) / 2
        step, p, before = trial - p, trial, g
        g, x = excess(p)
        noisy = NOISE > abs(g) > 0.5 * abs(before)
        if abs(g) < 1e-7 or abs(step) < 1e-12 or noisy:
            break
        slope = min((g - before) / step, 0.1 * slope)
    return x


def tail_guessed(log_density: Floats | None, level: float, reach: Pair) -> tuple[float, float]:
    """First guess of the tail below the interval, and the slope there of the excess of log density at the upper end.

    From a polynomial through the log density as a function of the Normal score, if it has such a tail within ``reach``;
    else from a Normal density, with d g / d p = -2 z / phi(z) at its ends -z and z.
    """
    middle = (1 - level) / 2
    z = float(ndtri(1 - middle))
    usual = middle, -2 * z * float(np.exp(0.5 * z * z)) * float(np.sqrt(2 * np.pi))
    p = (1 - level) * expit(SHARES)
    low, high = ndtri(p), ndtri(p + level)
    inside = (low > reach[0]) & (high < reach[1])
    if log_density is None or np.count_nonzero(inside) < 2:
        return usual
    p = p[inside]
    gap = np.polyval(log_density, high[inside]) - np.polyval(log_density, low[inside])
    turn = np.flatnonzero((gap[:-1] > 0) & (gap[1:] <= 0))
    if len(turn) != 1:
        return usual
    k = int(turn[0])
    slope = float((gap[k + 1] - gap[k]) / (p[k + 1] - p[k]))
    return float(p[k] - gap[k] / slope), slope


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
