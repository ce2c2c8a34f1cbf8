"""What a law is asked by its distribution function, density and slope: quantiles, densest intervals, modes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
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


Pair: TypeAlias = tuple[float, float]

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


def vertex(x: Floats, y: Floats, best: int) -> float:
    """Top of the parabola through the values at ``best`` and its two neighbours; ``best`` itself where it has none."""
    left, right = x[best] - x[best - 1], x[best + 1] - x[best]
    down, up = y[best] - y[best - 1], y[best + 1] - y[best]
    if not (left and right):  # closer to each other than numbers are
        return float(x[best])
    bend = down / left - up / right
    return float(x[best] + (down / left * right + up / right * left) / (2 * bend)) if bend > 0 else float(x[best])


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


# -- The highest-density interval of many laws by their densities at quantiles -----------------------------------------


Run: TypeAlias = Literal["rising", "falling", "one", "many"]

SHARES = np.linspace(-16.0, 16.0, 65)  # logits of the share of the lower tail in it
PARTS, ROUNDS = np.linspace(0.0, 1.0, 9), 3  # a bracket is cut into eight, three times
LEVEL_GROUND = 3e-4  # a smaller difference of log densities may be the error of the law, and is no slope


def runs_of(log_densities: Floats) -> list[Run]:
    """How densities run along rising points, a row each: one way, over a top or several; level ground says nothing."""
    steps = np.diff(log_densities)
    place, level = np.arange(steps.shape[1]), np.abs(steps) < LEVEL_GROUND
    last_rise = np.where(~level & (steps > 0), place, -1).max(axis=1)
    first_fall = np.where(~level & ~(steps > 0), place, len(place)).min(axis=1)
    turned: dict[bool, Run] = {True: "one", False: "many"}
    return [
        "falling" if rise < 0 else "rising" if fall == len(place) else turned[rise < fall]
        for rise, fall in zip(last_rise.tolist(), first_fall.tolist(), strict=True)
    ]


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


# -- Quantiles, the highest-density interval and the mode of a law that may have several peaks -------------------------

# One grid of densities, fine where a component is narrow, tells how many pieces the highest-density set has and gives
# every Newton iteration its start. The answers come from Newton's method on the law itself; the grid only decides.


#: Points strictly inside the support, the density there, and the mass below.
Grid: TypeAlias = tuple[Floats, Floats, Floats]

POINTS = 97  # of the grid, over the range of all components
REACH = 6.0  # standard deviations of a component that the grid covers
FINE = np.linspace(-4, 4, 9)  # further points around a component that is narrow on the grid, in its own sd
BESIDE_OF_PEAKS = 0.25 ** np.arange(1, 13)  # and beside the ends, in cells of the grid: a density may be a power there
MOST_POINTS = 3000
NEGLIGIBLE = 1e-3  # of the mass outside an interval: so much may be denser there than at its ends
FAR = 1e-6  # probabilities nearer to 0 or 1 are bisected: Newton's stopping rule is absolute
FLAT = 1e-12  # relative difference of densities that makes a law flat


class SmoothLaw(NamedTuple):
    """F, f and f' inside the support, quantiles, the support, and the limits of the density at its ends."""

    evaluate: Evaluate
    quantile: Callable[[Floats], Floats]
    support: Pair
    ends: Pair

    def densest(self, level: float, guess: Pair | None) -> Pair | None:
        """Interval of mass ``level`` from an end, or of equally dense ends by Newton's method, from a guess first."""
        found = self._one_sided(level)
        if found is None and guess is not None:
            found = self._by_newton(level, guess)
        if found is None:
            low, high = self.quantile(np.array([(1 - level) / 2, (1 + level) / 2])).tolist()
            found = self._by_newton(level, (low, high))
        return found

    def _one_sided(self, level: float) -> Pair | None:
        """Interval that starts at an end of the support with positive density, if it is denser there than outside."""
        low, high = self.support
        for upper, density in enumerate(self.ends):
            if density > 0:
                cut = self.quantile(np.array([1 - level if upper else level]))
                if density >= self.evaluate(cut)[1][0]:
                    return (float(cut[0]), high) if upper else (low, float(cut[0]))
        return None

    def _by_newton(self, level: float, start: Pair) -> Pair | None:
        low, high = (np.array([end]) for end in self.support)
        ends, found = equal_densities(_alone(self.evaluate), level, np.array([start]), low, high)
        return (float(ends[0, 0]), float(ends[0, 1])) if found[0] else None


@dataclass(frozen=True, eq=False)
class Peaks:
    """The questions about where a density is high.

    ``evaluate`` gives F, f, f' inside the support, ``density`` f, f' alone, ``cdf`` F with relative accuracy in the
    lower tail, ``grid`` points all over the law; ``ends`` are the limits of the density, which may be infinite.
    """

    evaluate: Evaluate
    density: Callable[[Floats], tuple[Floats, Floats]]
    cdf: Callable[[Floats], Floats]
    grid: Callable[[], Grid]
    support: Pair
    ends: Pair
    sd: float

    @cached_property
    def _grid(self) -> Grid:
        return self.grid()

    def quantile(self, p: Floats) -> Floats:
        """Inverse of F, shape of ``p``; the ends of the support at 0 and 1."""
        low, high = self.support
        flat = np.ravel(p)
        result = np.where(flat < 0.5, low, high)
        far = (flat > 0) & (flat < 1) & ((flat < FAR) | (flat > 1 - FAR))
        near = (flat >= FAR) & (flat <= 1 - FAR)
        if near.any():
            x, _, mass = self._grid
            start = np.interp(flat[near], mass, x)
            result[near] = invert(self.evaluate, flat[near], start, low, high, self.sd)
        if far.any():
            result[far] = bisect_increasing(self.cdf, flat[far], low, high)
        return result.reshape(np.shape(p))

    def highest(self, level: float) -> Pair | None:
        """Highest-density interval of mass ``level``; None where the densest set is not one interval."""
        _, f, mass = self._grid
        if min(self.ends) == np.inf or f.max() - f.min() <= FLAT * f.max():
            return None
        # an end that is far less dense than the place at which an interval from it would end begins none
        cuts = np.interp([level, 1 - level], mass, f)
        low, high = (end if end > cut / 2 else 0.0 for end, cut in zip(self.ends, cuts, strict=True))
        law = SmoothLaw(self.evaluate, self.quantile, self.support, (low, high))
        found = law.densest(level, self._densest_cells(level)) or shortest_interval(self.quantile, level)
        return found if found is not None and self._is_highest(found, level) else None

    def _densest_cells(self, level: float) -> Pair | None:
        """Outermost points of the densest cells of the grid that hold ``level``; only a start for Newton's method."""
        x, f, _ = self._grid
        order = np.argsort(-f)
        held = np.cumsum((f * np.gradient(x))[order])
        inside = order[: 1 + int(np.searchsorted(held, level * held[-1]))]
        first, last = int(inside.min()), int(inside.max())
        return (float(x[first]), float(x[last])) if first < last else None

    def _is_highest(self, found: Pair, level: float) -> bool:
        """Whether next to no mass is denser than the ends outside, or less dense inside."""
        x, f, _ = self._grid
        at_ends = self.density(np.array(found))[0]
        cut = min(v for v, end, limit in zip(at_ends, found, self.support, strict=True) if end != limit)
        inside = (x >= found[0]) & (x <= found[1])
        misplaced = np.maximum(np.where(inside, cut - f, f - cut), 0.0)
        return bool(misplaced @ np.gradient(x) <= NEGLIGIBLE * (1 - level))

    def mode(self) -> float:
        """Place of the highest density; an end of the support where it is infinite there."""
        low, high = self.support
        x, f, _ = self._grid
        best = int(np.argmax(f))
        if np.inf in self.ends or max(self.ends) >= f[best]:
            upper = self.ends[1] > self.ends[0] or (self.ends[1] == self.ends[0] and f[-1] > f[0])
            return high if upper else low

        def density_only(at: Floats) -> tuple[Floats, Floats, Floats]:
            density, slope = self.density(at)
            return density, density, slope

        left = float(x[best - 1]) if best > 0 else low
        right = float(x[best + 1]) if best + 1 < len(x) else high
        step = 1e-9 * (right - left)
        return density_peak(density_only, left + step, right - step, points=9)


def grid_of_parts(
    density: Callable[[Floats], tuple[Floats, Floats]], means: Floats, sds: Floats, support: Pair
) -> Grid:
    """Points over the range of components of these means and sds, (K,) each; the mass by trapezoids, scaled to 1."""
    low, high = support
    left = max(low, float((means - REACH * sds).min()))
    right = min(high, float((means + REACH * sds).max()))
    beside = (right - left) / POINTS * BESIDE_OF_PEAKS
    x = np.union1d(np.linspace(left, right, POINTS), np.concatenate((left + beside, right - beside)))
    narrow = sds < (right - left) / POINTS
    if narrow.any():
        fine = (means[narrow, None] + sds[narrow, None] * FINE).ravel()
        fine = np.sort(fine[(fine > left) & (fine < right)])
        x = np.union1d(x, fine[:: 1 + len(fine) // MOST_POINTS])
    x = x[(x > low) & (x < high)]
    f = density(x)[0]
    mass = np.concatenate(([0.0], np.cumsum(0.5 * (f[1:] + f[:-1]) * np.diff(x))))
    return x, f, mass / mass[-1] if mass[-1] > 0 else np.linspace(0, 1, len(x))


# -- What a law is asked that is known by its distribution function, density and slope ---------------------------------


class CurveLaw(ABC):
    """A law known by F, f and f'; a subclass has these, the moments and the support, and more where it knows more."""

    mean: float
    sd: float
    support: Pair
    #: Quantiles are sought from where Cornish and Fisher's series has them, or from a grid where this is None.
    skewness: float | None = None
    #: Whether the density is known to have one peak.
    one_peak: bool = False

    @property
    @abstractmethod
    def residual(self) -> float:
        """Estimated bound of the error of the distribution function."""

    @abstractmethod
    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' at points of shape (n,) inside the support, with absolute accuracy."""

    @cached_property
    def ends(self) -> Pair:
        """Limits of the density at the ends of the support."""
        low, high = np.maximum(self.evaluate(np.array(self.support))[1], 0.0).tolist()
        return low, high

    @property
    def window(self) -> Pair:
        """Where it can be evaluated."""
        return self.support

    def cdf(self, x: ArrayLike) -> Floats:
        """``P(X <= x)``."""
        return self._sorted_out(x, self._below, beyond=1.0)

    def sf(self, x: ArrayLike) -> Floats:
        """``P(X > x)``."""
        return self._sorted_out(x, self._above, before=1.0)

    def pdf(self, x: ArrayLike) -> Floats:
        """Density; at an end of the support its limit, which may be infinite."""
        result = self._sorted_out(x, lambda inside: np.maximum(self.evaluate(inside)[1], 0.0))
        for upper, end in enumerate(self.support):
            if (at := np.equal(x, end)).any():
                result[at] = self.ends[upper]
        return result

    def everywhere(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' also beyond the support."""
        inside = (x > self.support[0]) & (x < self.support[1])
        F, f, slope = np.where(x >= self.support[1], 1.0, 0.0), np.zeros(len(x)), np.zeros(len(x))
        if inside.any():
            F[inside], f[inside], slope[inside] = self.evaluate(x[inside])
        return F, f, slope

    def _sorted_out(
        self, x: ArrayLike, inner: Callable[[Floats], Floats], before: float = 0.0, beyond: float = 0.0
    ) -> Floats:
        """What is known outside the support, and ``inner`` inside."""
        x, (low, high) = np.asarray(x, float), self.support
        result = np.where(np.isnan(x), np.nan, np.where(x >= high, beyond, before))
        inside = (x > low) & (x < high)
        if inside.any():
            result[inside] = inner(x[inside])
        return result

    def _below(self, x: Floats) -> Floats:
        return np.clip(self.evaluate(x)[0], 0.0, 1.0)

    def _above(self, x: Floats) -> Floats:
        return 1 - self._below(x)

    def quantile(self, p: ArrayLike) -> Floats:
        """Smallest ``x`` with ``P(X <= x) >= p``; exactly the ends of the support at 0 and 1."""
        p = np.asarray(p, float)
        result = np.where(p < 0.5, *self.support)
        inner = (p > 0) & (p < 1)
        if inner.any() and self.sd > 0:
            result[inner] = np.clip(self._inverse(p[inner]), *self.support)
        return result

    def _inverse(self, p: Floats) -> Floats:
        if self.skewness is None:
            return self._peaks.quantile(p)
        z = ndtri(p)
        start = self._inner(self.mean + self.sd * (z + self.skewness * (z * z - 1) / 6))
        return invert(self.evaluate, p, start, *self.window, self.sd)

    def _inner(self, x: Floats) -> Floats:
        low, high = self.window
        return np.clip(x, self.mean + 0.95 * (low - self.mean), self.mean + 0.95 * (high - self.mean))

    def highest_density(self, level: float) -> Pair | None:
        """Highest-density interval; None where that set is not one interval."""
        if self.sd == 0:
            return self.mean, self.mean
        if min(self.ends) == np.inf:
            return None
        found, guess = None, None
        if self.one_peak:
            if self.skewness is not None:  # of a law whose quantiles are a parabola in the normal score
                z = float(ndtri((1 + level) / 2))
                middle = self.mean + self.sd * self.skewness * (z * z - 3) / 6
                low, high = self._inner(np.array([middle - self.sd * z, middle + self.sd * z])).tolist()
                guess = low, high
            found = SmoothLaw(self.evaluate, self._inverse, self.support, self.ends).densest(level, guess)
        return self._peaks.highest(level) if found is None else found

    def mode(self) -> float:
        """Place of the highest density; an end of the support where the density is infinite there."""
        return self.mean if self.sd == 0 else self._peaks.mode()

    @cached_property
    def _peaks(self) -> Peaks:
        grid = partial(grid_of_parts, self._density, np.array([self.mean]), np.array([self.sd]), self.support)
        return Peaks(self.evaluate, self._density, self._below, grid, self.support, self.ends, self.sd)

    def _density(self, x: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(x)[1:]
