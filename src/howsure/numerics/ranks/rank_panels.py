"""Rank probabilities by quadrature on panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, expit, ndtr

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.beta_mixture import log_peaks, log_ratio
from howsure.numerics.solve.peaks import Peaks, beta_cdf, beta_quantile, beta_sf, grid_of_parts
from howsure.numerics.solve.roots import bisect_increasing

# -- The axis on which laws are ranked, cut into panels on which all of them are smooth; Betas on it -------------------

# A rank is decided where an entry meets its competitors. A supplier of entries walks its axis from left to right and
# hands out `RankPanel`s; on each, only the entries that have mass there are active, and the others count as surely
# above or surely below. `BetaEntries` works in logit(x), where a Beta density is analytic whatever its parameters.


NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
TAIL = 1e-13  # an entry is active between its quantiles TAIL and 1 - TAIL
SPAN_OF_A_DENSITY = 3.5  # longest panel in sd of its narrowest active entry; 4.2 loses seven digits
SPAN_OF_A_RANK = 5.5  # longest panel in widths of the density of one order statistic


@dataclass(frozen=True, slots=True)
class RankPanel:
    """A piece of the axis: the active entries, and at its nodes their CDF, survival and probability mass."""

    active: NDArray[np.intp]
    certain: int  # entries surely above the whole panel
    below: Floats  # (active, nodes) P(entry <= node)
    above: Floats  # (active, nodes) P(entry > node)
    mass: Floats  # (active, nodes) density times quadrature weight


def panel_edges(
    lower: Floats,
    upper: Floats,
    centre: Floats,
    scale: Floats,
    cuts: Floats,
    fineness: float,
    longest: Callable[[float], float] | None = None,
) -> Floats:
    """Walk the axis and return the panels as rows (left, right).

    A panel is no longer than `SPAN_OF_A_DENSITY` times its narrowest active scale, and than `SPAN_OF_A_RANK` times
    sqrt(sum F(1-F)) / sum f, the width of one rank's density: over it the number of entries above x changes by one
    standard deviation. Windows [lower, upper] say who is active, Normal laws stand in for F and f, no panel straddles
    one of the `cuts`, and `longest` bounds the length of the panel that begins at a position.
    """
    panels = []
    position, end = lower.min(), upper.max()
    while position < end:
        active = (lower <= position) & (upper > position)
        if not active.any():
            position = lower[lower > position].min()
            continue
        z = (position - centre[active]) / scale[active]
        below = ndtr(z)
        crowding = np.sum(np.exp(-0.5 * z * z) / scale[active]) / np.sqrt(2 * np.pi)
        rank_width = np.sqrt(np.sum(below * (1 - below)) + 0.1) / max(crowding, 1e-300)
        step = min(SPAN_OF_A_DENSITY * scale[active].min(), SPAN_OF_A_RANK * rank_width)
        if longest is not None:
            step = min(step, longest(position))
        step *= fineness
        newcomers = (lower > position) & (lower < position + step)
        if newcomers.any():  # stop where a narrow one begins, unless the panel is short enough for it anyway
            short = fineness * SPAN_OF_A_DENSITY * scale[newcomers].min()
            step = min(step, max(lower[newcomers].min() - position, short))
        right = min(position + step, end)
        ahead = cuts[cuts > position]
        if ahead.size:
            right = min(right, ahead.min())
        if right <= position:  # the step is below the resolution of the axis
            right = np.nextafter(position, np.inf)
        panels.append((position, right))
        position = right
    return np.array(panels).reshape(-1, 2)


class BetaEntries:
    """Independent Betas on the axis u = logit(x); a = 0 is the point mass at 0, b = 0 the one at 1.

    The density of u is proportional to x^a (1-x)^b, without a singular end for any a, b > 0. It is written around the
    mean, log density = a (d - l) - b l with d = u - logit(mean) and l = log(1 + mean (e^d - 1)), so that nothing
    cancels at counts of 1e9; its constant is left to the normalisation of the rows.
    """

    def __init__(self, a: Floats, b: Floats) -> None:
        self.a, self.b = np.asarray(a, float), np.asarray(b, float)
        with np.errstate(divide="ignore"):
            self.centre = np.log(self.a) - np.log(self.b)
            self.scale = np.sqrt(1 / self.a + 1 / self.b)
        self.atom = np.isinf(self.centre)
        self.lower, self.upper = self.centre.copy(), self.centre.copy()
        wide = ~self.atom
        self.lower[wide] = tail_in_logit(self.a[wide], self.b[wide])
        self.upper[wide] = -tail_in_logit(self.b[wide], self.a[wide])
        self.same = np.unique(np.column_stack((self.a, self.b)), axis=0, return_inverse=True)[1].ravel()

    def probabilities_at(self, points: Floats, entries: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """F and S of the entries at points of the axis, each entry (row) at each point (column)."""
        a, b = self.a[entries, None], self.b[entries, None]
        right = points > self.centre[entries, None]  # compute the smaller of the two: one call, no cancellation
        p, q = np.where(right, b, a), np.where(right, a, b)
        inward = np.where(right, -points, points)
        # 1 - x beside 1 has lost its digits, x has not: counts of 1e15, all of them right, are that near to an end
        small, p, q = np.empty(inward.shape), *np.broadcast_arrays(p, q)
        far = inward > 0
        small[~far] = beta_cdf(p[~far], q[~far], expit(inward[~far]))
        small[far] = beta_sf(q[far], p[far], expit(-inward[far]))
        extreme = inward < -500  # x underflows: its leading power x^p / (p B(p, q)) is exact there
        if extreme.any():
            p, q = p[extreme], q[extreme]
            small[extreme] = np.exp(p * inward[extreme] - np.log(p) - betaln(p, q))
        return np.where(right, 1 - small, small), np.where(right, small, 1 - small)

    def panels(self, fineness: float) -> Iterator[RankPanel]:
        """Hand out the panels from left to right."""
        wide = ~self.atom
        if not wide.any():
            return
        windows = self.lower[wide], self.upper[wide], self.centre[wide], self.scale[wide]
        mean, rest = self.a / (self.a + self.b), self.b / (self.a + self.b)
        for left, right in panel_edges(*windows, np.empty(0), fineness, longest_in_logit):
            active = np.flatnonzero((self.lower < right) & (self.upper > left) & wide)
            half = (right - left) / 2
            u = left + half * (1 + NODES)
            # a long board has many equal entries, asked once
            first, twin = np.unique(self.same[active], return_index=True, return_inverse=True)[1:]
            below, above = (x[twin.ravel()] for x in self.probabilities_at(u, active[first]))
            a, b = self.a[active, None], self.b[active, None]
            d = u - self.centre[active, None]
            with np.errstate(over="ignore"):
                # l, and d - l, each from the smaller share
                lift = np.where(d < 500, np.log1p(mean[active, None] * np.expm1(d)), d + np.log(mean[active, None]))
                drop = np.where(d > -500, -np.log1p(rest[active, None] * np.expm1(-d)), d - np.log(rest[active, None]))
            high = mean[active, None] > 0.5
            mass = np.exp(a * np.where(high, drop, d - lift) - b * np.where(high, d - drop, lift)) * (half * WEIGHTS)
            yield RankPanel(active, int(np.sum(self.lower >= right)), below, above, mass)


def longest_in_logit(position: float) -> float:
    """Length of a panel on which log(1 + e^u), with its singularities at u = +-i pi, is smooth to 16 nodes."""
    return 5 + abs(position) / 2


def tail_in_logit(a: Floats, b: Floats, tail: float = TAIL) -> Floats:
    """Logit of the lower ``tail`` quantile of Beta(a, b), also where the quantile itself underflows."""
    leading = (np.log(tail) + np.log(a) + betaln(a, b)) / a
    x = beta_quantile(a, b, tail)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(leading < -100, leading, np.log(x) - np.log1p(-x)))


# -- The least of independent Betas: P(min > x) is the product of P(theta_k > x) ---------------------------------------


#: Above this distribution function log P(theta > x) is taken from the survival function, below from this.
UPPER = 0.9

#: Numbers held at a time: Betas times points.
BLOCK = 500_000

#: Mass beyond either end of the range over which moments are summed.
BEYOND = 1e-13

PANELS, NODES_OF_LEAST_BETA = 16, 16


@dataclass(frozen=True, eq=False)
class LeastBeta:
    """Law of ``min_k theta_k``, independent ``theta_k ~ Beta(a_k, b_k)``, ``copies`` of each; good in both tails."""

    a: Floats
    b: Floats
    copies: Floats

    @classmethod
    def of(cls, a: Floats, b: Floats) -> LeastBeta:
        """Count equal Betas, so that they are computed once."""
        pairs, copies = np.unique(np.stack([a, b]), axis=1, return_counts=True)
        return cls(pairs[0], pairs[1], copies.astype(float))

    def cdf(self, x: Floats) -> Floats:
        """P(min <= x)."""
        return np.asarray(-np.expm1(self._log_sf(x)))

    def sf(self, x: Floats) -> Floats:
        """P(min > x)."""
        return np.asarray(np.exp(self._log_sf(x)))

    def pdf(self, x: Floats) -> Floats:
        """Density; at 0 and 1 what it tends to, which may be infinite."""
        inside = (x > 0) & (x < 1)
        result = np.where(x == 0, self.ends[0], np.where(x == 1, self.ends[1], 0.0))
        result[inside] = self.evaluate(x[inside])[1]
        return np.asarray(result)

    def quantile(self, p: Floats) -> Floats:
        """Inverse of the distribution function."""
        return self.shape.quantile(p)

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation, from the survival function."""
        low, high = bisect_increasing(self.cdf, np.array([BEYOND, 1 - BEYOND]), 0.0, 1.0).tolist()
        nodes, weights = np.polynomial.legendre.leggauss(NODES_OF_LEAST_BETA)
        t = ((np.arange(PANELS)[:, None] + (nodes + 1) / 2) / PANELS).ravel()
        dt = np.tile(weights / (2 * PANELS), PANELS)
        # a density may be a power of the distance to an end: there the points are dense
        above, step = (high - low) * t * t * (3 - 2 * t), (high - low) * 6 * t * (1 - t) * dt
        left = step * self.sf(low + above)
        first, second = float(left.sum()), float((2 * above * left).sum())
        return low + first, float(np.sqrt(max(second - first * first, 0.0)))

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Density at 0 and at 1: powers min(a) - 1 of x and sum(b) - 1 of 1 - x decide."""
        low = np.inf if (self.a < 1).any() else float(np.where(self.a == 1, self.b, 0.0) @ self.copies)
        power = float(self.b @ self.copies)
        if power > 1:
            return low, 0.0
        return low, float(self.a[0]) if power == self.copies.sum() == 1 else np.inf

    @cached_property
    def shape(self) -> Peaks:
        """Newton's view of the law."""
        mean, sd = self.moments
        grid = partial(grid_of_parts, self._density, np.array([mean]), np.array([sd]), (0.0, 1.0))
        return Peaks(self.evaluate, self._density, self.cdf, grid, (0.0, 1.0), self.ends, sd)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' from the hazards f_k / S_k, strictly between 0 and 1."""
        step = max(1, BLOCK // len(self.a))
        parts = [self._evaluated(x[i : i + step]) for i in range(0, max(1, len(x)), step)]
        below, density, slope = np.concatenate(parts, axis=1)
        return below, density, slope

    def _evaluated(self, x: Floats) -> Floats:
        a, b = self.a[:, None], self.b[:, None]
        logs = self._log_survival(x)
        mean = a / (a + b)
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            log_density = log_peaks(a, b) + a * log_ratio(x, mean) + b * log_ratio(1 - x, 1 - mean)
            log_density -= np.log(x) + np.log1p(-x)
            # beyond the last double of a survival function the law has no mass
            hazard = np.where(np.isfinite(logs), np.exp(log_density - logs), 0.0)
            bend = hazard * ((a - 1) / x - (b - 1) / (1 - x)) + hazard**2
            total, rate, curl = (np.einsum("k,kx->x", self.copies, each) for each in (logs, hazard, bend))
            left = np.exp(total)
            made = np.stack([-np.expm1(total), left * rate, left * (curl - rate * rate)])
        return np.where(np.isfinite(made), made, 0.0)

    def _density(self, x: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(x)[1:]

    def _log_survival(self, x: Floats) -> Floats:
        a, b, at = np.broadcast_arrays(self.a[:, None], self.b[:, None], np.clip(x, 0.0, 1.0))
        below = beta_cdf(a, b, at)
        high = below > UPPER
        with np.errstate(divide="ignore"):
            logs = np.log1p(-np.where(high, 0.0, below))
            logs[high] = np.log(beta_sf(a[high], b[high], at[high]))
        return np.asarray(logs)

    def _log_sf(self, x: Floats) -> Floats:
        flat, step = np.ravel(x), max(1, BLOCK // len(self.a))
        made = [
            np.einsum("k,kx->x", self.copies, self._log_survival(flat[i : i + step]))
            for i in range(0, max(1, len(flat)), step)
        ]
        return np.concatenate(made).reshape(np.shape(x))
