"""Laws of linear functionals of independent Dirichlet rows, ready to be asked: of one, and of many sums of Betas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special
from scipy.special import ndtri

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers, repeat
from howsure.numerics.beta_sum.inversion import Inversion, LinearForm, beta_cumulants, end_density, linear_form
from howsure.numerics.beta_sum.transforms import (
    BetaRows,
    beta_nodes,
    equispaced_transform,
    power_ladder,
    unit_phase,
)
from howsure.numerics.betas import beta_cdf, beta_evaluate, beta_quantile, beta_sf, hdi_beta
from howsure.numerics.solve import CurveLaw, equal_densities, inverted

#: Probabilities of two Betas below this come from their integral, of so many places at most.
FAR, MOST_FAR = 1e-8, 100


# -- One Beta in closed form -------------------------------------------------------------------------------------------


def beta_mode(a: float, b: float) -> float:
    """Place of the highest density; the middle of a uniform law, the heavier end of a U-shaped one."""
    if a <= 1 and b <= 1:
        return 0.5 if a == b == 1 else float(a > b)
    if a <= 1 or b <= 1:
        return float(a > b)
    return (a - 1) / (a + b - 2)


class BetaLaw(CurveLaw):
    """Law of ``w theta + constant`` with ``theta ~ Beta(a, b)``; relative accuracy in both tails."""

    residual = 1e-15

    def __init__(self, form: LinearForm) -> None:
        self.mean, self.sd, self.support, self.one_peak = form.mean, form.sd, form.support, form.unimodal
        a, b, self._w = (float(part[0]) for part in (form.betas.a, form.betas.b, form.betas.w))
        self._a, self._b = a, b
        self._origin = form.support[0] if self._w > 0 else form.support[1]
        #: of the place between the ends of the support
        self.beta = (a, b) if self._w > 0 else (b, a)

    def _theta(self, x: Floats) -> Floats:
        return np.clip((x - self._origin) / self._w, 0.0, 1.0)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f'."""
        _, f, slope = beta_evaluate(np.array(self._a), np.array(self._b), self._theta(x))
        return self._below(x), f / abs(self._w), slope / (self._w * abs(self._w))

    @property
    def ends(self) -> tuple[float, float]:
        """Limits of the density: Beta(1, b) has density b at 0."""
        a, b = self.beta
        low, high = ((a * b if s == 1 else 0.0 if s > 1 else np.inf) / abs(self._w) for s in self.beta)
        return low, high

    def _below(self, x: Floats) -> Floats:
        return (beta_cdf if self._w > 0 else beta_sf)(self._a, self._b, self._theta(x))

    def _above(self, x: Floats) -> Floats:
        return (beta_sf if self._w > 0 else beta_cdf)(self._a, self._b, self._theta(x))

    def _inverse(self, p: Floats) -> Floats:
        theta = beta_quantile(self._a, self._b, p, upper=self._w < 0)
        return np.clip(self._origin + self._w * theta, *self.support)

    def highest_density(self, level: float) -> tuple[float, float] | None:
        """Highest-density interval; None where that set is not one interval."""
        return None if self._a == self._b == 1 else super().highest_density(level)

    def mode(self) -> float:
        """Place of the highest density."""
        return self._origin + self._w * beta_mode(self._a, self._b)


# -- The far tail of two rows: one integral ----------------------------------------------------------------------------

#: Nodes and weights of the double exponential rule on (0, 1), and their distances from 1 (Takahasi and Mori 1974).
_STEPS = np.linspace(-4.2, 4.2, 1_601)
_NODES, _REST = (special.expit(sign * np.pi * np.sinh(_STEPS)) for sign in (1, -1))
_WEIGHTS = (_STEPS[1] - _STEPS[0]) * np.pi * np.cosh(_STEPS) * _NODES * _REST


def tail_of_two(a: Floats, b: Floats, w: Floats, d: float) -> float:
    """``P(w_0 theta_0 + w_1 theta_1 <= d)`` of two Betas with w > 0, however small: the second's given the first."""
    top = min(1.0, d / w[0])
    whole = min(max((d - w[1]) / w[0], 0.0), top)  # up to here the second may be anything
    theta = whole + (top - whole) * _NODES
    with np.errstate(divide="ignore", under="ignore"):
        left = 1 - top + (top - whole) * _REST
        log_density = special.xlogy(a[0] - 1, theta) + special.xlogy(b[0] - 1, left) - special.betaln(a[0], b[0])
        beside = (d - w[0] * top + w[0] * (top - whole) * _REST) / w[1]
        mass = np.exp(log_density) * special.betainc(a[1], b[1], np.clip(beside, 0.0, 1.0))
    return float(special.betainc(a[0], b[0], whole) + (top - whole) * (_WEIGHTS @ mass))


# -- Two rows or more: the inverted series inside its window -----------------------------------------------------------


class SeriesLaw(CurveLaw):
    """Law of a sum of at least two random components, or of none; the cdf is right to about 1e-13.

    1e-10 where thousands of equal rows or counts of 1e9 meet. It is inverted once, when asked.
    """

    beta = None

    def __init__(self, form: LinearForm) -> None:
        self.mean, self.sd, self.support, self.form = form.mean, form.sd, form.support, form
        self.skewness, self.one_peak = form.skewness, form.unimodal

    @cached_property
    def _inversion(self) -> Inversion:
        return Inversion(self.form)

    @cached_property
    def residual(self) -> float:
        """Estimated bound of the error of the distribution function."""
        return self._inversion.residual if self.form.row_count else 0.0

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Limits of the density."""
        return end_density(self.form, False), end_density(self.form, True)

    @property
    def window(self) -> tuple[float, float]:
        """All but 1e-17 of the mass."""
        return self.mean + self._inversion.low, self.mean + self._inversion.high

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' with absolute accuracy; constant outside the window."""
        inversion = self._inversion
        z = x - self.mean
        low, high = inversion.low, inversion.high
        if z.min() >= low and z.max() <= high:
            return inversion.evaluate(z)
        F, f, slope = inversion.evaluate(np.minimum(np.maximum(z, low), high))
        inside = (z >= low) & (z <= high)
        return np.where(inside, F, z > 0), np.where(inside, f, 0.0), np.where(inside, slope, 0.0)

    def _below(self, x: Floats) -> Floats:
        return self._probability(x, upper=False)

    def _above(self, x: Floats) -> Floats:
        return self._probability(x, upper=True)

    def _probability(self, x: Floats, upper: bool) -> Floats:
        """A probability that is below the error of the series is 0, but of two Betas, whose far tails papers print."""
        F = self.evaluate(x)[0]
        mass = np.clip(1 - F if upper else F, 0.0, 1.0)
        mass[mass < self.residual] = 0.0
        betas = self.form.betas
        if self.form.row_count == 2 and not self.form.wide:
            a, b, w = (repeat(each, betas.count) for each in (betas.a, betas.b, betas.w))
            turned = (w < 0) != upper
            a, b, w = np.where(turned, b, a), np.where(turned, a, b), np.abs(w)
            for i in np.flatnonzero(mass < FAR)[:MOST_FAR]:
                d = self.form.support[1] - x[i] if upper else x[i] - self.form.support[0]
                mass[i] = tail_of_two(a, b, w, float(d))
        return mass


def linear_law(
    rows: Sequence[tuple[ArrayLike, ArrayLike, int]] = (),
    *,
    betas: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    shift: float = 0.0,
) -> BetaLaw | SeriesLaw:
    """Law of ``shift + sum_i c_i . p_i`` for independent Dirichlet rows ``p_i``; nothing is drawn.

    ``rows`` are triples (coefficients, alphas, copies), ``betas`` arrays ``a, b, w``: further terms ``w Beta(a, b)``.
    """
    form = linear_form(rows, betas, shift)
    return BetaLaw(form) if form.row_count == 1 and len(form.betas) else SeriesLaw(form)


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

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        theta = (x - self.low[rows, None]) / self.width[rows, None]
        return beta_cdf(self.a[rows, None], self.b[rows, None], np.clip(theta, 0.0, 1.0))

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,)."""
        theta = beta_quantile(self.a[:, None], self.b[:, None], p)
        return np.asarray(self.low[:, None] + self.width[:, None] * theta)

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals, and where that set is one interval (not of a U or a plateau)."""
        ends = np.stack(hdi_beta(self.a, self.b, level), axis=1)
        one = ~((self.a < 1) & (self.b < 1) | (self.a == 1) & (self.b == 1))
        return self.low[:, None] + self.width[:, None] * ends, one


# -- Sums of Betas, many at once: the Fourier series of their distribution functions -----------------------------------

# The series of `numerics.beta_sum.transforms` for tables that need about the same number of terms. Weights are scaled
# so that every period is 2 pi; then one call makes the transforms of all. A law that decays too slowly for a short
# series (two perfect classes, a narrow one beside a wide one) is left out, to be computed otherwise.


OUTSIDE_WINDOW = 29.0  # e^-29 < 3e-13: mass that may lie outside the window on either side
TILTS = np.geomspace(1.0, 40.0, 7)  # trial tilts, in units of 1/sd; 7.6 is the best one for a normal law
TERMS = np.array([12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048])
TOLERANCE = 1e-12  # size of the first term left out, relative to a probability
ROWS = 512  # tables at a time: they stay in the cache
LEFT_OUT = 30.0  # e^-30: nodes of less weight
ELEMENTS = 1 << 15  # powers held at a time, likewise


def windows(sums: Sums, mean: Floats, sd: Floats) -> tuple[Floats, Floats]:
    """Distances from the mean beyond which at most ``e^-29`` of each law lies, (N,); as in `chernoff_window`."""
    s = np.concatenate((TILTS, -TILTS)) / sd[:, None]
    a, b, w = (part[:, None, :] for part in (sums.a, sums.b, sums.w))
    bound = beta_cumulants(a, b, w, s).sum(axis=2)
    reach = (bound + OUTSIDE_WINDOW) / np.abs(s)
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
    a, b, w = sums.a[real], sums.b[real], scaled[real]
    a, b, w = np.minimum(a, b), np.maximum(a, b), np.where(a > b, -w, w)
    each = np.empty((len(a), count), complex)
    for nodes in beta_nodes(BetaRows(a, b, w, np.ones(len(a), np.int64)), float(count), LEFT_OUT):
        rows = max(1, ELEMENTS // (nodes.weight.shape[1] * 2 * int(np.sqrt(count) + 1)))
        index = np.arange(len(a))[nodes.index]
        for k in range(0, len(index), rows):
            part = slice(k, k + rows)
            each[index[part]] = equispaced_transform(nodes.deviation[part], nodes.weight[part], 1.0, 1.0, count)
    whole = np.ones((*real.shape, count), complex)
    whole[real] = each
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

    @cached_property
    def _columns(self) -> Complexes:
        m = np.arange(1, self.phi.shape[1] + 1)
        first, t = self.phi / (np.pi * m), 2 * np.pi / self.reach.sum(axis=0)[:, None] * m
        return np.stack((first, first * t, first * t * t), axis=1)

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m), with absolute accuracy."""
        period, columns = self.reach.sum(axis=0)[rows, None], self._columns[rows]
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
        start = self._started(u + self.skewness[:, None] * (u * u - 1) / 6)
        low, high = self.mean - self.reach[0], self.mean + self.reach[1]
        return inverted(self.evaluate, np.broadcast_to(p, start.shape), start, low, high, self.sd)

    def _started(self, scores: Floats) -> Floats:
        """Points in sds from the mean, well inside the window."""
        below, above = (self.mean + sign * 0.95 * reach for sign, reach in zip((-1, 1), self.reach, strict=True))
        return np.clip(self.mean[:, None] + self.sd[:, None] * scores, below[:, None], above[:, None])

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals of laws with one peak, and where they were found."""
        z = float(ndtri((1 + level) / 2))
        start = self._started(self.skewness[:, None] * (z * z - 3) / 6 + np.array([-z, z]))
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
                reach, support = (np.stack(ends)[:, kept] for ends in ((below, above), (sums.low, sums.high)))
                known = mean[kept], sd[kept], skewness[kept]
                groups.append(SeriesOfMany(names[kept], *known, reach, support, phi[~short]))
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
    engines: tuple[BetaLaw | SeriesLaw, ...]

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

    def engine(self, table: int) -> BetaLaw | SeriesLaw:
        """One of the different tables, alone."""
        a, b, w = (part[table] for part in (self._sums.a, self._sums.b, self._sums.w))
        return linear_law(betas=(a[w != 0], b[w != 0], w[w != 0]))

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
