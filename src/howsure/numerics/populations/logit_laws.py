"""Laws between two ends whose logit has a smooth density."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Booleans, Complexes, Floats, cut
from howsure.numerics.beta_sum.transforms import FourierSeries, WindowedLaw, equispaced_transform
from howsure.numerics.solve import Grid, Peaks

# -- A law between two ends whose density is smooth on the logit scale, by one pass over that density ------------------


#: Gauss points of a panel, and the matrix from values there to Legendre coefficients.
POINTS = 14
NODES, WEIGHTS = np.polynomial.legendre.leggauss(POINTS)
VALUES = np.polynomial.legendre.legvander(NODES, POINTS - 1)
TO_COEFFICIENTS = (VALUES * WEIGHTS[:, None] * (np.arange(POINTS) + 0.5)).T


def _by_powers_of_u() -> Floats:
    """Integrals of the Legendre polynomials from -1, these and their derivatives, by 1, u, ... u^`POINTS`."""
    plain = np.eye(POINTS, POINTS + 1)
    for k in range(1, POINTS - 1):
        plain[k + 1] = ((2 * k + 1) * np.roll(plain[k], 1) - k * plain[k - 1]) / (k + 1)
    rising = np.polynomial.polynomial.polyint(plain[:, :-1], lbnd=-1, axis=1)
    slopes = np.pad(np.polynomial.polynomial.polyder(plain, axis=1), ((0, 0), (0, 1)))
    return np.stack([rising, plain, slopes], axis=1)


#: Shape (`POINTS`, 3, `POINTS` + 1). The last coefficients of a resolved panel are next to nothing, so that powers lose
#: none of its digits.
BY_POWERS = _by_powers_of_u()

#: Mass from the left of a panel to its Gauss points, by Legendre coefficients.
RISING = np.vander(NODES, POINTS + 1, increasing=True) @ BY_POWERS[:, 0].T

#: Error of the distribution function that a panel may leave unresolved, by its last terms, and how often panels are
#: halved at most. A polynomial P_n integrates to (P_(n+1) - P_(n-1)) / (2n + 1).
UNRESOLVED, HALVINGS = 1e-7, 20
HIGHEST = 4 / (2 * np.arange(POINTS - 3, POINTS) + 1)

#: Mass beside an end that no question about the shape of the law sees.
UNSEEN = 1e-7


class LogitLaw(ABC):
    """Law of ``at_zero + factor z``, z from 0 to 1, whose logit has a smooth density, whatever z does at 0 and 1.

    Legendre series on panels that are halved where they must be, integrated once from either side. A subclass has the
    density, and hands the first edges and the mass beyond them to `_resolve`.
    """

    mean: float
    sd: float

    #: The sd of z.
    _z_sd: float

    def __init__(self, at_zero: float, factor: float) -> None:
        self._at_zero, self._factor = at_zero, factor
        ends = at_zero, at_zero + factor
        self.support = min(ends), max(ends)

    @abstractmethod
    def _density(self, t: Floats) -> Floats:
        """Density on the logit scale, shape (n,)."""

    @property
    @abstractmethod
    def _ends(self) -> tuple[float, float]:
        """Limits of the density of z at 0 and 1."""

    def _resolve(self, edges: Floats) -> None:
        self._edges, self._series = self._panels(edges)

    @cached_property
    def _halves(self) -> Floats:
        return np.diff(self._edges) / 2

    @cached_property
    def _by_powers(self) -> Floats:
        """Mass from the left of each panel, density and its slope by powers, shape (P, 3, `POINTS` + 1)."""
        return np.tensordot(self._series, BY_POWERS, 1)

    def _integrate(self, start: float, end: float) -> float:
        """Add up the panels from either side, with the mass beyond them, and scale all to mass 1; what it was."""
        total = start + float(2 * self._halves @ self._series[:, 0]) + end
        self._series = self._series / total
        inside, start, end = 2 * self._halves * self._series[:, 0], start / total, end / total
        self._below = np.concatenate(([start], start + np.cumsum(inside)))
        self._above = np.concatenate((end + np.cumsum(inside[::-1])[::-1], [end]))
        return total

    def _panels(self, edges: Floats) -> tuple[Floats, Floats]:
        """Edges (P + 1,) and Legendre coefficients (P, `POINTS`) of the density of the logit."""
        left, right = edges[:-1], edges[1:]
        done: list[tuple[Floats, Floats, Floats]] = []
        for _ in range(HALVINGS):
            half = (right - left) / 2
            t = (left + half)[:, None] + half[:, None] * NODES
            series = self._density(t.ravel()).reshape(t.shape) @ TO_COEFFICIENTS.T
            rough: Booleans = np.asarray(half * (np.abs(series[:, -3:]) @ HIGHEST) > UNRESOLVED)
            done.append((left[~rough], right[~rough], series[~rough]))
            if not rough.any():
                break
            middle = (left + half)[rough]
            left, right = np.concatenate((left[rough], middle)), np.concatenate((middle, right[rough]))
        else:
            done.append((left, right, np.zeros((len(left), POINTS))))
        starts, ends, coefficients = (np.concatenate(x) for x in zip(*done, strict=True))
        order = np.argsort(starts)
        return np.append(starts[order], ends.max()), coefficients[order]

    # -- the law --------------------------------------------------------------------------------------------

    def _at(self, z: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Mass below and above ``z`` (1-D, from 0 to 1), density and its derivative."""
        z = cut(z, 1e-304, 1 - 2**-53)
        rest = 1 - z
        t = cut(np.log(z) - np.log(rest), self._edges[0], self._edges[-1])
        place = np.searchsorted(self._edges[1:-1], t, side="right")
        half = self._halves[place]
        powers = np.empty((len(z), POINTS + 1))
        powers[:, 0] = 1.0
        powers[:, 1:] = ((t - self._edges[place]) / half - 1)[:, None]
        np.multiply.accumulate(powers, axis=1, out=powers)
        integral, g, steeper = np.einsum("nck,nk->cn", self._by_powers[place], powers)
        below = self._below[place] + half * integral
        above = self._above[place + 1] + half * (2 * self._series[place, 0] - integral)
        with np.errstate(over="ignore", invalid="ignore"):
            f = np.maximum(g, 0.0) / z / rest
            slope = (steeper / half - g * (rest - z)) / z / rest / z / rest
        return cut(below, 0.0, 1.0), cut(above, 0.0, 1.0), f, slope

    def _shaped(self, x: Floats, which: int) -> Floats:
        z = (np.ravel(np.asarray(x, dtype=float)) - self._at_zero) / self._factor
        return self._at(z)[which].reshape(np.shape(x))

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``, with relative accuracy in the lower tail."""
        low, high = self.support
        inside = self._shaped(x, 0 if self._factor > 0 else 1)
        return np.where(x < low, 0.0, np.where(x >= high, 1.0, np.where(x == low, 0.0, inside)))

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``, with relative accuracy in the upper tail."""
        low, high = self.support
        inside = self._shaped(x, 1 if self._factor > 0 else 0)
        return np.where(x <= low, 1.0, np.where(x >= high, 0.0, inside))

    def pdf(self, x: Floats) -> Floats:
        """Density; at the ends its limit, which may be infinite."""
        z = (np.asarray(x, dtype=float) - self._at_zero) / self._factor
        at_zero, at_one = self._ends
        inside = self._shaped(x, 2) * ((z > 0) & (z < 1))
        return np.asarray(np.where(z == 0, at_zero, np.where(z == 1, at_one, inside)) / abs(self._factor))

    @cached_property
    def _grid(self) -> Grid:
        """The Gauss points at which there is mass to be seen, the density of z there, and the mass below."""
        halves = self._halves[:, None]
        t = (self._edges[:-1, None] + halves * (1 + NODES)).ravel()
        below = (self._below[:-1, None] + halves * (self._series @ RISING.T)).ravel()
        z, rest = special.expit(t), special.expit(-t)
        with np.errstate(over="ignore"):
            f = np.maximum(self._series @ VALUES.T, 0.0).ravel() / z / rest
        apart = (z < 1) & (np.diff(z, prepend=0.0) > 0)
        seen = apart & (below > UNSEEN) & (below < 1 - UNSEEN)
        shown = seen if seen.any() else apart  # all of the mass may be nearer to an end than floats are
        return z[shown], f[shown], below[shown]

    @property
    def _seen_ends(self) -> tuple[float, float]:
        """The limits of the density as far as there is mass: where a billionth stands beside an end is no peak."""
        if self._below[0] > UNSEEN:
            return self._ends
        f = self._grid[1]
        return float(f[0]), float(f[-1])

    def _evaluated(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        below, _, f, slope = self._at(z)
        return below, f, slope

    def _density_and_slope(self, z: Floats) -> tuple[Floats, Floats]:
        return self._at(z)[2:]

    def _below_z(self, z: Floats) -> Floats:
        return np.where(z <= 0, 0.0, np.where(z >= 1, 1.0, self._at(np.ravel(z))[0].reshape(np.shape(z))))

    @cached_property
    def _shape(self) -> Peaks:
        asked = self._evaluated, self._density_and_slope, self._below_z
        return Peaks(*asked, self._where, (0.0, 1.0), self._seen_ends, self._z_sd)

    def _where(self) -> Grid:
        """The grid, when it is wanted; a method, for a law is pickled with its shape."""
        return self._grid

    def quantile(self, p: Floats) -> Floats:
        """Inverse distribution function."""
        p = np.asarray(p, dtype=float)
        return np.asarray(self._at_zero + self._factor * self._shape.quantile(p if self._factor > 0 else 1 - p))

    def highest_density(self, level: float) -> tuple[float, float] | None:
        """Highest-density interval; None where the densest set is not one interval."""
        found = self._shape.highest(level)
        if found is None:
            return None
        one, other = (self._at_zero + self._factor * z for z in found)
        return min(one, other), max(one, other)

    def mode(self) -> float:
        """Most probable value."""
        return self._at_zero + self._factor * self._shape.mode()


# -- A law whose density on the logit scale is known at nodes that are even on a stretched scale -----------------------


#: Nodes that one interpolated value is made from.
POINTS_OF_ONE = 8

#: Panels at first, and logarithm of the density, below its top, at which they end. Farther than the second number of
#: logits floats are 0 or 1.
PANELS, BEYOND, FARTHEST = 16, 26.0, 36.0


class LogDensity:
    """Log of a density of a logit: interpolated between nodes, straight outside of them, and scaled to mass 1.

    The nodes ``u`` (M,) are even, on the stretched scale ``t = centre + scale sinh(u)``; ``values`` (M,) are the log
    density of t there, up to a constant. The density falls like ``exp(-power |t|)`` below and above.
    """

    def __init__(self, centre: float, scale: float, u: Floats, values: Floats, powers: tuple[float, float]) -> None:
        self.centre, self.scale, self.powers = centre, scale, powers
        self._u, self._step = u, float(u[1] - u[0])
        self._values = values - values.max()
        self.ends = centre + scale * float(np.sinh(u[0])), centre + scale * float(np.sinh(u[-1]))

    def __call__(self, t: Floats) -> Floats:
        """Log density at logits (n,), up to a constant."""
        low, high = self.ends
        inside = np.clip(t, low, high)
        place = (np.arcsinh((inside - self.centre) / self.scale) - self._u[0]) / self._step
        points = min(POINTS_OF_ONE, len(self._u))
        first = np.clip(place.astype(int) - points // 2 + 1, 0, len(self._u) - points)
        s = place - first
        # products of the distances to the nodes before and after each: no division by 0 at a node
        after = [np.ones(len(t))]
        for i in range(points - 1, 0, -1):
            after.append(after[-1] * (s - i))
        total, before = np.zeros(len(t)), np.ones(len(t))
        for j in range(points):
            own = (-1) ** (points - 1 - j) / (math.factorial(j) * math.factorial(points - 1 - j))
            total += own * before * after.pop() * self._values[first + j]
            before *= s - j
        return np.asarray(total - self.powers[0] * (inside - t).clip(0) - self.powers[1] * (t - inside).clip(0))

    def mirrored(self) -> LogDensity:
        """The density of -t."""
        return LogDensity(-self.centre, self.scale, -self._u[::-1], self._values[::-1], self.powers[::-1])

    def range(self) -> tuple[float, float]:
        """Logits that hold all but next to nothing of the mass."""
        far = self._values > -BEYOND
        first, last = int(np.argmax(far)), len(far) - 1 - int(np.argmax(far[::-1]))
        low, high = (
            self.centre + self.scale * float(np.sinh(self._u[i]))
            for i in (max(first - 1, 0), min(last + 1, len(far) - 1))
        )
        if first == 0:
            low -= (BEYOND + float(self._values[0])) / self.powers[0]
        if last == len(far) - 1:
            high += (BEYOND + float(self._values[-1])) / self.powers[1]
        return max(low, -20 * FARTHEST), min(high, FARTHEST)


class InterpolatedLaw(LogitLaw):
    """Law of ``shift + coefficient x``, where the logit of x has a `LogDensity`."""

    def __init__(self, density: LogDensity, *, coefficient: float = 1.0, shift: float = 0.0) -> None:
        # z is 0 at the end where there is more mass: floats are dense there
        turned = density.centre > 0
        super().__init__(*((shift + coefficient, -coefficient) if turned else (shift, coefficient)))
        self._log = density.mirrored() if turned else density
        self._scale = 0.0
        low, high = self._log.range()
        u = np.arcsinh((np.array([low, high]) - self._log.centre) / self._log.scale)
        edges = self._log.centre + self._log.scale * np.sinh(np.linspace(u[0], u[1], PANELS + 1))
        self._resolve(edges)
        self._scale = -float(np.log(self._integrate(0.0, 0.0)))
        self.residual = 2 * UNRESOLVED
        x, weight = self.rule()
        z = (x - self._at_zero) / self._factor
        self._z_mean = float(weight @ z)
        self._z_sd = float(np.sqrt(weight @ (z - self._z_mean) ** 2))
        self.mean, self.sd = self._at_zero + self._factor * self._z_mean, abs(self._factor) * self._z_sd

    def _density(self, t: Floats) -> Floats:
        with np.errstate(under="ignore"):
            return np.exp(self._log(t) + self._scale)

    def rule(self, pieces: int = 1) -> tuple[Floats, Floats]:
        """Quadrature of any smooth function of the law, ``pieces`` a panel: places and probabilities, (Q,) each."""
        edges = self._edges[:-1, None] + np.diff(self._edges)[:, None] * np.arange(pieces) / pieces
        edges = np.append(edges.ravel(), self._edges[-1])
        half = np.diff(edges)[:, None] / 2
        t = (edges[:-1, None] + half + half * NODES).ravel()
        weight = (half * WEIGHTS).ravel() * self._density(t)
        kept = weight > 1e-14
        return self._at_zero + self._factor * special.expit(t[kept]), weight[kept] / weight[kept].sum()

    @property
    def _ends(self) -> tuple[float, float]:
        return self._end(-30.0, self._log.powers[0]), self._end(30.0, self._log.powers[1])

    def _end(self, t: float, power: float) -> float:
        """Limit of the density of z, which falls like z to this power less 1, from a logit far out."""
        beside = float(self._density(np.array([t]))[0]) * float(np.exp(30.0))
        return np.inf if power < 1 else beside if power == 1 else 0.0

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent values, shape (n,), by the distribution function at the edges of 1,000 cells."""
        low, high = self._log.range()
        u = np.arcsinh((np.array([low, high]) - self._log.centre) / self._log.scale)
        t = np.linspace(u[0], u[1], 1001)
        t = self._log.centre + self._log.scale * np.sinh(t)
        below = self._at(special.expit(t))[0]
        z = special.expit(np.interp(rng.random(n), below, t))
        return np.asarray(self._at_zero + self._factor * z)


# -- The law of a weighted sum of independent means of populations, by one inversion of its characteristic function ----


#: The series goes to ``t = FIRST/sd``, and on, by octaves, until what is left is below the second number.
FIRST, LAST = 7.0, 1e-7

#: Pieces of a panel where that is not enough, as where the density ends in a step (every answer right); and the phase
#: between two points of the rule up to which it holds.
PIECES, PHASE = 16, 2.0

#: Margin of the period over the window.
MARGIN = 1.02

#: Mass of one summand beyond which it is not looked at.
OUTSIDE = 1e-11


class MeanSum(WindowedLaw):
    """Law of ``shift + sum_i w_i x_i`` of two or more independent `InterpolatedLaw` x_i, from 0 to 1.

    Each characteristic function is a Gauss rule over the density; their product is inverted on a window that holds all
    but about 1e-10 of the mass. ``residual`` bounds the error of the distribution function, which is absolute.
    """

    def __init__(self, laws: Sequence[InterpolatedLaw], weights: Floats, shift: float = 0.0) -> None:
        self.mean = shift + float(sum(w * law.mean for w, law in zip(weights, laws, strict=True)))
        self.sd = float(np.sqrt(sum((w * law.sd) ** 2 for w, law in zip(weights, laws, strict=True))))
        self.support = shift + float(np.minimum(weights, 0).sum()), shift + float(np.maximum(weights, 0).sum())
        phi, left, period = self._transform(laws, weights, 1)
        if left > LAST:
            phi, left, period = self._transform(laws, weights, PIECES)
        self._series = FourierSeries(period, phi)
        ends = self._series.evaluate(np.array([self._low, self._high]) - self.mean)[0]
        error = sum(law.residual for law in laws)
        self.residual = error + left + abs(float(ends[0])) + abs(1 - float(ends[1]))

    def _transform(
        self, laws: Sequence[InterpolatedLaw], weights: Floats, pieces: int
    ) -> tuple[Complexes, float, float]:
        """``phi(t) e^{-i t mean}`` at multiples of ``2 pi / period``, the size of what is left out, and the period."""
        rules = [law.rule(pieces) for law in laws]
        deviation, mass = np.zeros((2, len(laws), max(len(places) for places, _ in rules)))
        widest = 0.0
        for i, ((places, probability), w, law) in enumerate(zip(rules, weights, laws, strict=True)):
            deviation[i, : len(places)] = w * (places - law.mean)
            mass[i, : len(places)] = probability
            seen = np.minimum(probability[1:], probability[:-1]) > 1e-8
            widest = max(widest, float(np.abs(w * np.diff(places))[seen].max(initial=0.0)))
        held = np.where(mass > OUTSIDE, deviation, 0.0)
        sds = np.abs(weights) * np.array([law.sd for law in laws])
        below, above = (reach(each, sds) for each in (-held.min(axis=1), held.max(axis=1)))
        self._low, self._high = max(self.support[0], self.mean - below), min(self.support[1], self.mean + above)
        period = MARGIN * (self._high - self._low)
        step = 2 * np.pi / period
        most = max(12, int(PHASE / (widest * step)))

        def phi_at(first: int, count: int) -> Complexes:
            each = equispaced_transform(deviation, mass, first * step, step, count)
            return np.asarray(np.prod(each, axis=0))

        return *until_small(phi_at, FIRST / (self.sd * step), most), period


def until_small(phi_at: Callable[[int, int], Complexes], first: float, most: int) -> tuple[Complexes, float]:
    """Values of a transform by octaves, until what is left is small or there are ``most``; the size of what is left."""
    phi = np.zeros(0, complex)
    more = min(most, max(12, int(np.ceil(first))))
    while True:
        phi = np.concatenate((phi, phi_at(len(phi) + 1, more)))
        left = float(np.abs(phi[-max(1, len(phi) // 8) :]).max()) / 4
        more = min(len(phi), most - len(phi))
        if left <= LAST or more <= 0:
            return phi, left


def reach(each: ArrayLike, sds: ArrayLike) -> float:
    """Distance from the mean beyond which a sum of independent summands has no mass, from that of these."""
    each, sds = np.asarray(each, dtype=float), np.asarray(sds, dtype=float)
    rest = np.sqrt(np.maximum((sds**2).sum() - sds**2, 0.0))
    return min(float(each.sum()), max(float(np.hypot.reduce(each)), float((each + 4 * rest).max())))
