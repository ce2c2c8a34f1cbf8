"""Sums of two Betas, many at once, by one integral a point: for those whose series would be long.

    P(N + R <= x) = int f_N(u) P(R <= x - u) du

with the narrower of the two as N: between the ends of what matters the integrand is analytic, however rough either law
is and however unlike their widths. The ends themselves carry powers: Gauss and Legendre's rule takes whole exponents,
in an angle also halves, and the double exponential rule (Takahasi and Mori, 1974) all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy.special import betaln, gammaln

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat
from howsure.numerics.learned.beta_mixture import log_peaks, log_ratio
from howsure.numerics.many.sums import RatesOfMany, Sums
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile
from howsure.numerics.solve.roots import equal_densities, inverted

__all__ = ["STEEP", "PairsOfMany"]

BEYOND = 1e-14  # mass of either Beta that is left out at each end
NEAR_END = 0.05  # of the width of what is kept: so near to an end of the support it goes up to it
POINTS, ANGLES = 36, 56  # nodes of the rules for whole and for half exponents
SMOOTH = 12  # exponents above it are as good as whole
FINEST = 0.065  # step of the rule for others
STEEP = 0.02  # the least exponent that it serves
ELEMENTS = 1 << 14
FEW_CASES = 1e4  # up to which the logs of a density lose no digit that matters
ASIDE = 1e-5  # of a standard deviation: the slope of the density, which only steers
SCAN = 48  # points at which a density is looked at
TOLERATED = 1e-6
BLUNT = 2.5  # exponents of a corner that add up to more leave no spike


@dataclass(frozen=True, eq=False)
class PairsOfMany:
    """Laws of ``low + w_0 theta_0 + w_1 theta_1`` with positive weights, the narrower first.

    Parameters
    ----------
    index : ndarray of int, shape (R,)
        Which tables they are.
    a, b, w : ndarray, shape (R, 2)
    low : ndarray, shape (R,)
    one_peak : ndarray of bool, shape (R,)
        Where the density is known to have one peak.
    """

    index: Integers
    a: Floats
    b: Floats
    w: Floats
    low: Floats
    one_peak: Booleans

    @classmethod
    def of(cls, sums: Sums, names: Integers) -> PairsOfMany:
        """Pairs among tables of which each has two rates; mirrored where a weight is negative."""
        k = np.argsort(sums.w == 0, axis=1, kind="stable")[:, :2]
        a, b, w = (np.take_along_axis(part, k, axis=1) for part in (sums.a, sums.b, sums.w))
        first, second, weight = np.where(w > 0, a, b), np.where(w > 0, b, a), np.abs(w)
        n = first + second
        order = np.argsort(weight**2 * first * second / (n * n * (n + 1)), axis=1, kind="stable")
        first, second, weight = (np.take_along_axis(part, order, axis=1) for part in (first, second, weight))
        return cls(names, first, second, weight, sums.low, sums.one_peak)

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        mean, sd, _ = Sums(self.a, self.b, self.w).moments()
        return mean, sd

    @property
    def _top(self) -> Floats:
        """Widths of the supports."""
        return np.asarray(self.w.sum(axis=1))

    @cached_property
    def _kept(self) -> tuple[Floats, Floats]:
        """Between these ends, shape (R, 2) each, lies what matters of both Betas."""
        low, high = beta_quantile(self.a, self.b, BEYOND), beta_quantile(self.a, self.b, BEYOND, upper=True)
        near = NEAR_END * (high - low)
        return np.where(low < near, 0.0, low), np.where(1 - high < near, 1.0, high)

    @cached_property
    def _rule(self) -> Integers:
        """Which of the rules serves: the exponents at ends that matter are whole, or halves, or others."""
        low, high = self._kept
        at_ends = np.concatenate((np.where(low == 0, self.a, 1.0), np.where(high == 1, self.b, 1.0)), axis=1)
        whole, half = (((k * at_ends) % 1 == 0) | (at_ends > SMOOTH) for k in (1, 2))
        return np.where(whole.all(axis=1), 0, np.where(half.all(axis=1), 1, 2))

    def _integrals(self, rows: Integers, x: Floats, rule: int, tail: bool) -> tuple[Floats, Floats]:
        """F (if ``tail``) and f at distances ``x``, shape (rows,), from the lower ends of the supports."""
        share, rest, slope = _nodes(rule)
        a, b, w = self.a[rows], self.b[rows], self.w[rows]
        low, high = self._kept[0][rows], self._kept[1][rows]
        below, above = (x - w[:, 1] * high[:, 1]) / w[:, 0], (x - w[:, 1] * low[:, 1]) / w[:, 0]
        left, right = np.clip(below, low[:, 0], high[:, 0]), np.clip(above, low[:, 0], high[:, 0])
        width = right - left
        ratio = (w[:, 0] / w[:, 1])[:, None]
        # distances of both variables from both of their ends, none by way of a difference that vanishes
        high_y = np.where(below > low[:, 0], high[:, 1], (x - w[:, 0] * left) / w[:, 1])
        rest_y = np.where(below > low[:, 0], 1 - high[:, 1], 1 - high_y)
        low_y = np.where(above < high[:, 0], low[:, 1], (x - w[:, 0] * right) / w[:, 1])
        up, down = width[:, None] * share, width[:, None] * rest
        u, one_u = left[:, None] + up, (1 - right)[:, None] + down
        y, one_y = low_y[:, None] + ratio * down, rest_y[:, None] + ratio * up
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            narrow = np.exp(_log_density(a[:, :1], b[:, :1], u, one_u)) * (width[:, None] * slope)
            narrow = np.where(np.isfinite(narrow), narrow, 0.0)
            other = np.exp(_log_density(a[:, 1:], b[:, 1:], y, one_y))
            f = (narrow * np.where(np.isfinite(other), other, 0.0)).sum(axis=1) / w[:, 1]
            if not tail:
                return f, f
            F = (narrow * beta_cdf(a[:, 1:], b[:, 1:], np.clip(y, 0.0, 1.0))).sum(axis=1)
        certain = below > low[:, 0]
        F[certain] += beta_cdf(a[certain, 0], b[certain, 0], left[certain])
        return np.clip(F, 0.0, 1.0), f

    def _at(self, rows: Integers, x: Floats, tail: bool) -> tuple[Floats, Floats]:
        """F and f at points of shape (rows, m), measured from the lower ends."""
        where, points = repeat(rows, x.shape[1]), x.ravel()
        F, f = np.empty(len(points)), np.empty(len(points))
        for rule in range(3):
            mine = np.flatnonzero(self._rule[where] == rule)
            step = ELEMENTS // len(_nodes(rule)[0])
            for k in range(0, len(mine), step):
                part = mine[k : k + step]
                F[part], f[part] = self._integrals(where[part], points[part], rule, tail)
        return F.reshape(x.shape), f.reshape(x.shape)

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m) inside the support."""
        z, top = x - self.low[rows, None], self._top[rows, None]
        step = np.minimum(ASIDE * self._moments[1][rows, None], 0.01 * np.minimum(z, top - z))
        F, f = self._at(rows, z, tail=True)
        step = np.where(2 * z < top, step, -step)
        with np.errstate(invalid="ignore", divide="ignore"):
            return F, f, (self._at(rows, z + step, tail=False)[1] - f) / step

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        return self._at(rows, np.clip(x - self.low[rows, None], 0.0, self._top[rows, None]), tail=True)[0]

    @cached_property
    def _alike(self) -> RatesOfMany:
        """Betas with the same support, mean and sd: first guesses."""
        mean, sd = self._moments
        p = mean / self._top
        n = np.maximum(p * (1 - p) * (self._top / sd) ** 2 - 1, 0.1)
        return RatesOfMany(self.index, p * n, (1 - p) * n, self.low, self._top)

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,)."""
        start = self._alike.quantile(p)
        wanted = np.broadcast_to(p, start.shape)
        return inverted(self.evaluate, wanted, start, self.low, self.low + self._top, self._moments[1])

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals, and where they were found and nothing outside is denser."""
        low, top = self.low[:, None], self._top[:, None]
        start = np.clip(self._alike.highest(level)[0], low + 1e-3 * top, low + (1 - 1e-3) * top)
        ends, found = equal_densities(self.evaluate, level, start, self.low, self.low + self._top)
        found |= self._from_an_end(ends, level)
        # where a top of one meets the bottom of the other the density may have a spike that no scan sees
        corners = np.minimum(self.b[:, 0] + self.a[:, 1], self.a[:, 0] + self.b[:, 1])
        found &= self.one_peak | (corners > BLUNT)
        doubtful = np.flatnonzero(found & ~self.one_peak)
        found[doubtful] = self._is_densest(doubtful, ends[doubtful])
        return ends, found

    def _from_an_end(self, ends: Floats, level: float) -> Booleans:
        """Fill in intervals that start at an end of the support which is denser than their other end."""
        done = np.zeros(len(ends), bool)
        for upper, exponents in ((False, self.a), (True, self.b)):
            rows = np.flatnonzero((exponents.sum(axis=1) <= 1) & ~done)
            if len(rows):
                some = self.part(rows)
                cut = some.quantile(np.array([1 - level if upper else level]))
                dense = some.end_density(upper) >= some.evaluate(np.arange(len(rows)), cut)[1][:, 0]
                end = some.low + some._top if upper else some.low
                pair = (cut[:, 0], end) if upper else (end, cut[:, 0])
                ends[rows[dense]] = np.stack(pair, axis=1)[dense]
                done[rows[dense]] = True
        return done

    def part(self, rows: Integers) -> PairsOfMany:
        """Some of the tables."""
        return PairsOfMany(
            self.index[rows], self.a[rows], self.b[rows], self.w[rows], self.low[rows], self.one_peak[rows]
        )

    def end_density(self, upper: bool) -> Floats:
        """Limit of the density at an end of the support: Dirichlet's integral of the two leading powers."""
        power = self.b if upper else self.a
        total = power.sum(axis=1)
        logs = (gammaln(power) - betaln(self.a, self.b) - power * np.log(self.w)).sum(axis=1) - gammaln(total)
        return np.where(total < 1, np.inf, np.where(total == 1, np.exp(logs), 0.0))

    def _is_densest(self, rows: Integers, ends: Floats) -> Booleans:
        """Whether a scan of the density finds nothing denser outside the interval than inside."""
        share = (np.arange(SCAN) + 0.5) / SCAN
        low, top = self.low[rows, None], self._top[rows, None]
        mean, sd = (part[rows, None] for part in self._moments)
        left, right = np.maximum(low, low + mean - 8 * sd), np.minimum(low + top, low + mean + 8 * sd)
        x = np.sort(
            np.concatenate(
                (
                    left + (ends[:, :1] - left) * share,
                    ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * share,
                    ends[:, 1:] + (right - ends[:, 1:]) * share,
                ),
                axis=1,
            ),
            axis=1,
        )
        f = self._at(rows, x - low, tail=False)[1]
        inside = (x > ends[:, :1]) & (x < ends[:, 1:])
        outside = (x < ends[:, :1]) & (ends[:, :1] > low) | (x > ends[:, 1:]) & (ends[:, 1:] < low + top)
        least = np.where(inside, f, np.inf).min(axis=1)
        return np.asarray(np.where(outside, f, 0.0).max(axis=1) <= least * (1 + TOLERATED) + 1e-9 / sd[:, 0])


def _log_density(a: Floats, b: Floats, theta: Floats, rest: Floats) -> Floats:
    """Log density of Beta(a, b), at large counts from the deviance relative to the mean."""
    if max(float(a.max()), float(b.max())) < FEW_CASES:
        return np.asarray((a - 1) * np.log(theta) + (b - 1) * np.log(rest) - betaln(a, b))
    n = a + b
    bulk = log_peaks(a, b) + a * log_ratio(theta, a / n) + b * log_ratio(rest, b / n)
    return np.asarray(bulk - np.log(theta) - np.log(rest))


@cache
def _nodes(rule: int) -> tuple[Floats, Floats, Floats]:
    """Nodes in [0, 1], what is left of 1, and weights; for whole exponents at the ends, for halves, for any."""
    if rule < 2:
        x, gauss = np.polynomial.legendre.leggauss(ANGLES if rule else POINTS)
        if rule == 0:
            return 0.5 * (1 + x), 0.5 * (1 - x), 0.5 * gauss
        angle = np.pi / 4 * (x + 1)
        return np.sin(angle) ** 2, np.cos(angle) ** 2, np.pi / 4 * gauss * np.sin(2 * angle)
    reach = np.arcsinh(34 / (np.pi * STEEP))
    t = FINEST * np.arange(-int(reach / FINEST), int(reach / FINEST) + 1)
    s = np.minimum(np.maximum(np.pi * np.sinh(t), -700), 700)
    share, rest = 1 / (1 + np.exp(-s)), 1 / (1 + np.exp(s))
    return share, rest, FINEST * np.pi * np.cosh(t) * share * rest
