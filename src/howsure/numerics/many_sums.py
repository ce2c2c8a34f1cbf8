"""Sums of Betas, many at once: a Beta, a short Fourier series, or one by one; equal tables once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

import numpy as np
from scipy.special import ndtri

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers
from howsure.numerics.beta_sum.normal_form import BetaRows, beta_saddle
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.beta_sum.transforms import power_ladder, unit_phase
from howsure.numerics.populations.beta_laws import log_peaks, log_ratio
from howsure.numerics.solve.densest import hdi_beta
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile
from howsure.numerics.solve.roots import equal_densities, inverted

# -- Tables as sums of Betas: arrays, moments, ends --------------------------------------------------------------------


@dataclass(frozen=True)
class Sums:
    """Tables as sums ``sum_k w_k theta_k``, ``theta_k ~ Beta(a_k, b_k)``; arrays of shape (N, K)."""

    a: Floats
    b: Floats
    w: Floats

    def __len__(self) -> int:
        return len(self.a)

    def part(self, rows: Integers | Booleans) -> Sums:
        """Some of the tables."""
        return Sums(self.a[rows], self.b[rows], self.w[rows])

    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Mean, standard deviation and skewness, shape (N,); 0 skewness of a constant."""
        n = self.a + self.b
        p, q = self.a / n, self.b / n
        second = self.w * self.w * (p * q / (n + 1))
        third = 2 * self.w * second * ((q - p) / (n + 2))
        variance = second.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            skewness = np.where(variance > 0, third.sum(axis=1) / variance**1.5, 0.0)
        return (self.w * p).sum(axis=1), np.sqrt(variance), skewness

    @property
    def low(self) -> Floats:
        """Lower ends of the supports."""
        return np.asarray(np.minimum(self.w, 0.0).sum(axis=1))

    @property
    def high(self) -> Floats:
        """Upper ends of the supports."""
        return np.asarray(np.maximum(self.w, 0.0).sum(axis=1))

    @property
    def count(self) -> Integers:
        """How many rates have a weight, shape (N,)."""
        return np.asarray((self.w != 0).sum(axis=1))

    @property
    def one_peak(self) -> Booleans:
        """Where the density is known to rise from 0 to one peak and to fall to 0 (False says nothing), shape (N,).

        A density with one peak keeps to one when convolved with log-concave ones (Ibragimov, 1956): those of Betas
        without a parameter below 1. At an end of the support it is 0 if the exponents there add up to more than 1.
        """
        real = self.w != 0
        steep = real & (np.minimum(self.a, self.b) < 1)
        at_low, at_high = np.where(self.w > 0, self.a, self.b), np.where(self.w > 0, self.b, self.a)
        ends = [np.where(real, exponent, 0.0).sum(axis=1) > 1 for exponent in (at_low, at_high)]
        return np.asarray(
            (steep.sum(axis=1) <= 1) & ~(steep & (np.maximum(self.a, self.b) < 1)).any(axis=1) & ends[0] & ends[1]
        )


# -- Single Betas, many at once: closed forms, elementwise -------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RatesOfMany:
    """Laws of ``low + width theta``, ``theta ~ Beta(a, b)``, shape (R,) each; ``index`` says which tables they are."""

    index: Integers
    a: Floats
    b: Floats
    low: Floats
    width: Floats

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m), strictly inside the support."""
        a, b, width = self.a[rows, None], self.b[rows, None], self.width[rows, None]
        theta = (x - self.low[rows, None]) / width
        n = a + b
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            log_density = log_peaks(a, b) + a * log_ratio(theta, a / n) + b * log_ratio(1 - theta, b / n)
            f = np.exp(log_density - np.log(theta) - np.log1p(-theta))
            slope = f * ((a - 1) / theta - (b - 1) / (1 - theta))
        return beta_cdf(a, b, theta), f / width, slope / (width * width)

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        theta = (x - self.low[rows, None]) / self.width[rows, None]
        return beta_cdf(self.a[rows, None], self.b[rows, None], np.clip(theta, 0.0, 1.0))

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,)."""
        theta = beta_quantile(self.a[:, None], self.b[:, None], p)
        return np.asarray(self.low[:, None] + self.width[:, None] * theta)

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals, and where that set is one interval (not of a U or a plateau).

        A density that rises or falls all the way has one at the end of the support; for the others Newton's method
        starts at the central interval, and where it fails there is `hdi_beta`.
        """
        a, b = self.a, self.b
        theta = np.full((len(a), 2), np.nan)
        one = ~((a < 1) & (b < 1) | (a == 1) & (b == 1))
        tops = np.flatnonzero((a > 1) & (b > 1))
        if len(tops):
            unit = RatesOfMany(tops, a[tops], b[tops], np.zeros(len(tops)), np.ones(len(tops)))
            central = unit.quantile(np.array([(1 - level) / 2, (1 + level) / 2]))
            theta[tops], found = equal_densities(unit.evaluate, level, central, unit.low, unit.width)
            hard = tops[~found]
            if len(hard):
                theta[hard] = np.stack(hdi_beta(a[hard], b[hard], level), axis=1)
        for rises in (False, True):
            rows = np.flatnonzero(one & ((b <= 1) & (b < a) if rises else (a <= 1) & (a < b)))
            tail = np.full(len(rows), 1 - level if rises else level)
            cut = beta_quantile(a[rows], b[rows], tail)
            theta[rows] = np.stack((cut, np.ones(len(rows))) if rises else (np.zeros(len(rows)), cut), axis=1)
        return self.low[:, None] + self.width[:, None] * theta, one


# -- Characteristic functions of many Betas at once, each at few equally spaced frequencies ----------------------------

# With ``theta = sin^2(phi/2)`` the density in ``phi`` is ``theta^(a - 1/2) (1 - theta)^(b - 1/2) / B(a, b)``: nearly
# Normal for every rate, and analytic at the ends of the support where a and b are whole or half numbers, which they
# are under a flat and under Jeffreys' prior. Gauss and Legendre's rule on what holds all but 1e-13 then needs some 45
# nodes. It is believed where its weights add up to 1; laws of other Betas are computed one by one.


LEFT_OUT = 30.0  # e^-30 < 1e-13: mass beyond either end of the nodes
NEAR_END = 0.05  # of the width of the nodes: so near to an end of the support they go up to it
DEGREE = 58  # of a polynomial that is a Normal density between its ends, to 1e-12
STEP = 8  # nodes by which rules differ
MOST = 40  # of these steps: longer rules are dear to make
BELIEVED = 2e-12  # what the weights may miss of 1
ELEMENTS = 1 << 14  # nodes held at a time: they stay in the cache


def beta_transforms(a: Floats, b: Floats, w: Floats, count: int) -> Complexes:
    """``E e^{i m w (theta - E theta)}``, ``m = 1 .. count``, of every Beta, (R, count); NaN where the rule fails."""
    result = np.empty((len(a), count), complex)
    mean = a / (a + b)
    low, high = _ends(a, b)
    half = 0.5 * (high - low)
    # of e^{i m w theta} as a polynomial between the ends: its fastest oscillation is that of a Bessel function
    fastest = np.where((low < np.pi / 2) & (high > np.pi / 2), 0.5, 0.5 * np.maximum(np.sin(low), np.sin(high)))
    turns = count * np.abs(w) * half * fastest
    wanted = np.ceil((DEGREE + turns + 3 * np.cbrt(turns)) / (2 * STEP)).astype(np.int64)
    missing = wanted > MOST
    for steps in np.unique(wanted[~missing]).tolist():
        rows = np.flatnonzero(wanted == steps)
        x, gauss = _rule(steps * STEP)
        for k in range(0, len(rows), max(1, ELEMENTS // len(x))):
            r = rows[k : k + max(1, ELEMENTS // len(x))]
            middle, angle = 2 * np.arcsin(np.sqrt(mean[r])), 0.5 * (low[r] + high[r])
            beyond = (angle - middle)[:, None] + half[r, None] * x
            deviation = np.sin(middle[:, None] + 0.5 * beyond) * np.sin(0.5 * beyond)
            p, q = mean[r, None], b[r, None] / (a[r, None] + b[r, None])
            with np.errstate(divide="ignore", invalid="ignore"):
                log_weight = (a[r, None] - 0.5) * np.log1p(np.maximum(deviation / p, -1.0))
                log_weight += (b[r, None] - 0.5) * np.log1p(np.maximum(-deviation / q, -1.0))
                scale = log_peaks(a[r], b[r])[:, None] - 0.5 * np.log(p * q)
                weight = np.exp(log_weight + scale) * (half[r, None] * gauss)
            total = weight.sum(axis=1)
            missing[r] = ~(np.abs(total - 1) < BELIEVED)
            result[r] = _powers(weight / total[:, None], unit_phase(w[r, None] * deviation), count)
    result[missing] = np.nan
    return result


def _ends(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Angles between which all but about ``e^-30`` of each Beta lies, or the ends of the support if they are near.

    By Chernoff's bound ``P <= e^{-n KL}``; in the angle the divergence is nearly a parabola, and Newton's method on its
    root from outside stays outside.
    """
    n = a + b
    p, q = a / n, b / n
    middle = 2 * np.arcsin(np.sqrt(p))
    ends = []
    for side, room in ((-1.0, middle), (1.0, np.pi - middle)):
        reach = np.minimum(np.sqrt(2 * LEFT_OUT / n) * 1.1, 0.98 * room)
        for _ in range(4):
            angle = middle + side * reach
            theta, rest = np.sin(0.5 * angle) ** 2, np.cos(0.5 * angle) ** 2
            divergence = n * (p * np.log(p / theta) + q * np.log(q / rest))
            slope = np.maximum(side * n * (theta - p) / np.sqrt(theta * rest), 1e-300)
            reach = np.clip(reach + (LEFT_OUT - divergence) / slope, 0.2 * reach, 0.5 * (reach + room))
        ends.append(np.where(room - reach < NEAR_END * room + NEAR_END * reach, room, reach))
    return middle - ends[0], middle + ends[1]


@cache
def _rule(count: int) -> tuple[Floats, Floats]:
    x, gauss = np.polynomial.legendre.leggauss(count)
    return x, gauss


def _powers(weight: Floats, turn: Complexes, count: int) -> Complexes:
    # nodes first: sums over the first axis are sums of rows
    each = np.ascontiguousarray(turn.T)
    term = weight.T * each
    sums = np.empty((count, len(weight)), complex)
    sums[0] = term.sum(axis=0)
    for m in range(1, count):
        term *= each
        sums[m] = term.sum(axis=0)
    return sums.T


# -- Sums of Betas, many at once: the Fourier series of their distribution functions -----------------------------------

# The series of `numerics.beta_sum.transforms` for tables that need about the same number of terms. Weights are scaled
# so that every period is 2 pi; then one call makes the transforms of all. A law that decays too slowly for a short
# series (two perfect classes, a narrow one beside a wide one) is left out, to be computed otherwise.


NEGLIGIBLE = 29.0  # e^-29 < 3e-13: mass that may lie outside the window on either side
TILTS = np.geomspace(1.0, 40.0, 7)  # trial tilts, in units of 1/sd; 7.6 is the best one for a normal law
TERMS = np.array([12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048])
TOLERANCE = 1e-12  # size of the first term left out, relative to a probability
ROWS = 512  # tables at a time: they stay in the cache


def windows(sums: Sums, mean: Floats, sd: Floats) -> tuple[Floats, Floats]:
    """Distances from the mean beyond which at most ``e^-29`` of each law lies, (N,); as in `chernoff_window`."""
    n = (sums.a + sums.b)[:, None, :]
    a, b, w = sums.a[:, None, :], sums.b[:, None, :], sums.w[:, None, :]
    s = np.concatenate((TILTS, -TILTS)) / sd[:, None]
    to_upper, to_lower = beta_saddle(BetaRows(a, b, w, np.ones(1, np.int64)), s)
    tilt = s[:, :, None] * w
    shape = to_lower - n - tilt * (a / n) - a * np.log(to_upper / n) - b * np.log(to_lower / n)
    bound = np.minimum(shape, tilt * tilt / (8 * (n + 1))).sum(axis=2)
    reach = (bound + NEGLIGIBLE) / np.abs(s)
    above, below = reach[:, : len(TILTS)].min(axis=1), reach[:, len(TILTS) :].min(axis=1)
    return np.minimum(below, mean - sums.low), np.minimum(above, sums.high - mean)


def terms_wanted(sums: Sums, period: Floats) -> Integers:
    """Index into ``TERMS`` of the count that suffices if rows decay as Gammas of their skewness; its length if none."""
    a, b = np.minimum(sums.a, sums.b), np.maximum(sums.a, sums.b)
    n = a + b
    spread = sums.w**2 * b / (n * n * (n + 1))  # variance over shape
    t = 2 * np.pi / period[:, None] * TERMS
    log_size = -0.5 * (a[:, None, :] * np.log1p(t[:, :, None] ** 2 * spread[:, None, :])).sum(axis=2)
    enough = log_size - np.log(TERMS) < np.log(TOLERANCE)
    return np.asarray(np.where(enough.any(axis=1), enough.argmax(axis=1), len(TERMS)))


def transforms(sums: Sums, period: Floats, count: int) -> Complexes:
    """``E e^{i t_m (X - E X)}`` at ``t_m = 2 pi m / period``, ``m = 1 .. count``; shape (N, count)."""
    scaled = (2 * np.pi / period)[:, None] * sums.w
    real = scaled != 0
    whole = np.ones((*real.shape, count), complex)
    whole[real] = beta_transforms(sums.a[real], sums.b[real], scaled[real], count)
    return np.asarray(whole.prod(axis=1))


@dataclass(frozen=True, eq=False)
class SeriesOfMany:
    """R laws whose series have the same number of terms."""

    index: Integers  # which tables they are
    mean: Floats
    sd: Floats
    skewness: Floats
    reach: Floats  # (2, R), distances of the ends of the windows below and above the mean
    support: Floats  # (2, R), its ends
    phi: Complexes  # (R, M), characteristic functions around the mean at ``2 pi m / period``, ``m = 1 .. M``

    def __post_init__(self) -> None:
        period = self.reach.sum(axis=0)
        m = np.arange(1, self.phi.shape[1] + 1)
        first = self.phi / (np.pi * m)
        t = 2 * np.pi / period[:, None] * m
        object.__setattr__(self, "_period", period)
        object.__setattr__(self, "_columns", np.stack((first, first * t, first * t * t), axis=1))

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m), with absolute accuracy."""
        period: Floats = self._period[rows, None]  # type: ignore[attr-defined]
        columns: Complexes = self._columns[rows]  # type: ignore[attr-defined]
        z = x - self.mean[rows, None]
        low, high = -self.reach[0, rows, None], self.reach[1, rows, None]
        inside = (z >= low) & (z <= high)
        at = np.clip(z, low, high)
        turn = unit_phase(-2 * np.pi / period * at)
        powers = power_ladder(turn, columns.shape[2] + 1)[1:]
        sums = columns @ powers.transpose(1, 0, 2)
        F = np.where(inside, 0.5 + at / period - sums[:, 0].imag, z > 0)
        return F, np.where(inside, 1 / period + sums[:, 1].real, 0.0), np.where(inside, sums[:, 2].imag, 0.0)

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        return np.clip(self.evaluate(rows, x)[0], 0.0, 1.0)

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,)."""
        u = ndtri(p)
        start = self.mean[:, None] + self.sd[:, None] * (u + self.skewness[:, None] * (u * u - 1) / 6)
        low, high = self.mean - self.reach[0], self.mean + self.reach[1]
        inner_low, inner_high = self._inner
        start = np.clip(start, inner_low[:, None], inner_high[:, None])
        return inverted(self.evaluate, np.broadcast_to(p, start.shape), start, low, high, self.sd)

    def part(self, rows: Integers) -> SeriesOfMany:
        """Some of the laws."""
        return SeriesOfMany(
            self.index[rows],
            self.mean[rows],
            self.sd[rows],
            self.skewness[rows],
            self.reach[:, rows],
            self.support[:, rows],
            self.phi[rows],
        )

    @property
    def _inner(self) -> tuple[Floats, Floats]:
        """Points well inside the window, below and above the mean."""
        return self.mean - 0.95 * self.reach[0], self.mean + 0.95 * self.reach[1]

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals of laws with one peak, and where they were found."""
        z, g = float(ndtri((1 + level) / 2)), self.skewness
        centre, half = g * (z * z - 3) / 6, z
        inner_low, inner_high = self._inner
        start = np.stack(
            (
                np.maximum(self.mean + self.sd * (centre - half), inner_low),
                np.minimum(self.mean + self.sd * (centre + half), inner_high),
            ),
            axis=1,
        )
        return equal_densities(self.evaluate, level, start, *self.support)


def series_of(sums: Sums, names: Integers) -> tuple[list[SeriesOfMany], Integers]:
    """Laws that a short series gives, in groups of like length, and ``names`` of the tables that it does not give."""
    mean, sd, skewness = sums.moments()
    below, above = windows(sums, mean, sd)
    wanted = terms_wanted(sums, below + above)
    groups: list[SeriesOfMany] = []
    left = [np.flatnonzero(wanted == len(TERMS))]
    for k, count in enumerate(TERMS.tolist()):
        rows = np.flatnonzero(wanted == k)
        for first in range(0, len(rows), ROWS):
            index = rows[first : first + ROWS]
            period = below[index] + above[index]
            phi = transforms(sums.part(index), period, count)
            short = ~(np.abs(phi[:, -2:]).max(axis=1) <= 4 * TOLERANCE * count)
            longer = short & np.isfinite(phi[:, -1]) & (k + 1 < len(TERMS))
            wanted[index[longer]] = k + 1
            left.append(index[short & ~longer])
            kept = index[~short]
            if len(kept):
                groups.append(
                    SeriesOfMany(
                        names[kept],
                        mean[kept],
                        sd[kept],
                        skewness[kept],
                        np.stack((below[kept], above[kept])),
                        np.stack((sums.low[kept], sums.high[kept])),
                        phi[~short],
                    )
                )
    return groups, names[np.sort(np.concatenate(left))]


# -- All of them -------------------------------------------------------------------------------------------------------


class _Group(Protocol):
    """Laws that are computed in one way; points are of shape (rows, m)."""

    @property
    def index(self) -> Integers: ...
    def cdf(self, rows: Integers, x: Floats, /) -> Floats: ...
    def quantile(self, p: Floats, /) -> Floats: ...
    def highest(self, level: float, /) -> tuple[Floats, Booleans]: ...


@dataclass(frozen=True, eq=False)
class _OneByOne:
    """Laws that take their time."""

    index: Integers
    engines: tuple[LinearEngine, ...]

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x)."""
        result = np.empty(x.shape)
        for row in np.unique(rows).tolist():
            result[rows == row] = self.engines[row].cdf(x[rows == row])
        return result

    def quantile(self, p: Floats) -> Floats:
        """Inverse of F, shape (R, m)."""
        return np.stack([engine.quantile(p) for engine in self.engines])

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Highest-density intervals, and where that set is one interval."""
        ends = [engine.highest_density(level) for engine in self.engines]
        return np.array([pair or (np.nan, np.nan) for pair in ends]), np.array([pair is not None for pair in ends])


class ManySums:
    """Laws of ``shift + sum_k w_k theta_k``, independent ``theta_k ~ Beta(a_k, b_k)``, of arrays (N, K); one a row.

    A weight of 0 leaves its rate out. F is within 1e-11 of the truth; far tails have no relative accuracy.
    """

    def __init__(self, a: Floats, b: Floats, w: Floats, shift: Floats) -> None:
        given = np.where(w == 0, 1.0, a), np.where(w == 0, 1.0, b), w
        tables, self._which = np.unique(np.concatenate(given, axis=1), axis=0, return_inverse=True)
        self._which = self._which.reshape(-1)
        self._sums = Sums(*np.split(tables, 3, axis=1))
        self._shift = shift
        self.sd: Floats = self._sums.moments()[1][self._which]
        self.mean: Floats = shift + self._sums.moments()[0][self._which]
        self.low: Floats = shift + self._sums.low[self._which]
        self.high: Floats = shift + self._sums.high[self._which]

    def engine(self, table: int) -> LinearEngine:
        """One of the different tables, alone."""
        a, b, w = (part[table] for part in (self._sums.a, self._sums.b, self._sums.w))
        return LinearEngine(betas=(a[w != 0], b[w != 0], w[w != 0]))

    @cached_property
    def _groups(self) -> list[_Group]:
        sums = self._sums
        alone = sums.count == 1
        groups: list[_Group] = []
        single, several = np.flatnonzero(alone), np.flatnonzero(~alone)
        if len(single):
            k = (single, (sums.w[single] != 0).argmax(axis=1))
            a, b, w = sums.a[k], sums.b[k], sums.w[k]
            low = np.minimum(w, 0.0)
            groups.append(RatesOfMany(single, np.where(w > 0, a, b), np.where(w > 0, b, a), low, np.abs(w)))
        if len(several):
            series, left = series_of(sums.part(several), several)
            groups += series
            if len(left):
                groups.append(_OneByOne(left, tuple(self.engine(k) for k in left.tolist())))
        return groups

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)`` at points of shape (N, m)."""
        at, result = x - self._shift[:, None], np.empty(x.shape)
        place = np.empty(len(self._sums), np.int64)
        for group in self._groups:
            place[group.index] = np.arange(len(group.index))
            mine = np.flatnonzero(self._members(group))
            result[mine] = group.cdf(place[self._which[mine]], at[mine])
        return result

    def _members(self, group: _Group) -> Booleans:
        chosen = np.zeros(len(self._sums), bool)
        chosen[group.index] = True
        return np.asarray(chosen[self._which])

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p``, shape (m,), lie: shape (N, m); ends of the support at 0 and 1."""
        sums = self._sums
        result = np.where(p[None, :] < 0.5, sums.low[:, None], sums.high[:, None])
        inner = (p > 0) & (p < 1)
        for group in self._groups:
            if inner.any():
                result[np.ix_(group.index, inner)] = group.quantile(p[inner])
        return np.asarray(result[self._which] + self._shift[:, None])

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of highest-density intervals, shape (N, 2), and where that set is one interval (else NaN)."""
        ends, one = np.full((len(self._sums), 2), np.nan), np.zeros(len(self._sums), bool)
        for group in self._groups:
            ends[group.index], one[group.index] = group.highest(level)
            if isinstance(group, SeriesOfMany):
                one[group.index] &= self._sums.one_peak[group.index]
                for table in group.index[~one[group.index]].tolist():
                    alone = self.engine(table).highest_density(level)
                    ends[table], one[table] = alone or (np.nan, np.nan), alone is not None
        ends[~one] = np.nan
        return ends[self._which] + self._shift[:, None], one[self._which]
