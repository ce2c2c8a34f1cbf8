"""Mixtures of Betas with fewer parts, and laws on the logit scale."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, cut
from howsure.numerics.solve import Grid, Peaks, log_peaks, log_ratio

# -- A mixture of shifted and scaled Betas, all components at once, and how to join some of them -----------------------

# F(x) = sum_k w_k I_theta_k(a_k, b_k),    theta_k = (x - low_k) / width_k


#: Numbers held at a time, components times points.
BLOCK = 1_000_000


@dataclass(frozen=True, eq=False)
class BetaMixture:
    """Law of ``low_k + width_k theta``, ``theta ~ Beta(a_k, b_k)``, by ``weights_k``; exact far out in both tails."""

    weights: Floats
    a: Floats
    b: Floats
    low: Floats
    width: Floats

    def moved(self, factor: float, shift: float) -> BetaMixture:
        """Law of ``factor X + shift``, ``factor`` not 0."""
        if factor > 0:
            return replace(self, low=factor * self.low + shift, width=factor * self.width)
        return replace(
            self, a=self.b, b=self.a, low=factor * (self.low + self.width) + shift, width=-factor * self.width
        )

    # -- moments --------------------------------------------------------------------------------------------

    @cached_property
    def means(self) -> Floats:
        """Mean of each component."""
        return self.low + self.width * self._p

    @cached_property
    def sds(self) -> Floats:
        """Standard deviation of each component."""
        n = self.a + self.b
        return self.width * np.sqrt(self._p * (self.b / n) / (n + 1))

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return float(self.low.min()), float((self.low + self.width).max())

    # -- the law --------------------------------------------------------------------------------------------

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        return self._over_points(lambda t: self.weights @ special.betainc(self._a, self._b, self._theta(t)), x)

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return self._over_points(lambda t: self.weights @ _survival(self._a, self._b, self._theta(t)), x)

    def pdf(self, x: Floats) -> Floats:
        """Density, at the ends of a component its limit, which may be infinite."""
        return self._over_points(lambda t: self._shares @ self._densities_with_ends(t), x)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative."""
        return self.cdf(x), *self.density(x)

    def density(self, x: Floats) -> tuple[Floats, Floats]:
        """Density and its derivative, without the distribution function, which is ten times as dear."""
        both = self._over_points(self._density_and_slope, x)
        return both[..., 0], both[..., 1]

    # -- arrays (components, points) ------------------------------------------------------------------------

    @cached_property
    def _p(self) -> Floats:
        return self.a / (self.a + self.b)

    @cached_property
    def _a(self) -> Floats:
        return self.a[:, None]

    @cached_property
    def _b(self) -> Floats:
        return self.b[:, None]

    @cached_property
    def _shares(self) -> Floats:
        return self.weights / self.width

    @cached_property
    def _peaks(self) -> Floats:
        return log_peaks(self.a, self.b)[:, None]

    def _over_points(self, function: Callable[[Floats], Floats], x: Floats) -> Floats:
        """Apply to points of any shape, a block at a time; a second axis of the result stays last."""
        flat = np.asarray(x, dtype=float).ravel()
        step = max(1, BLOCK // len(self.a))
        parts = [function(flat[i : i + step]) for i in range(0, max(1, len(flat)), step)]
        joined = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return joined.reshape(np.shape(x) + joined.shape[1:])

    def _theta(self, x: Floats) -> Floats:
        theta: Floats = (x - self.low[:, None]) / self.width[:, None]
        return np.clip(theta, 0.0, 1.0, out=theta)

    def _densities(self, theta: Floats) -> Floats:
        """Density of each Beta strictly between 0 and 1, from the deviance relative to its mean."""
        p = self._p[:, None]
        with np.errstate(under="ignore"):
            bulk = np.exp(self._peaks + self._a * log_ratio(theta, p) + self._b * log_ratio(1 - theta, 1 - p))
        return np.asarray(bulk / (theta * (1 - theta)))

    def _inner(self, x: Floats) -> tuple[Floats, Floats, Booleans]:
        """Theta with 1/2 in place of all that is not strictly inside, the densities, and what is inside."""
        theta = self._theta(x)
        inside = (theta > 0) & (theta < 1)
        theta[~inside] = 0.5
        f = self._densities(theta)
        f[~inside] = 0.0
        return theta, f, inside

    def _densities_with_ends(self, x: Floats) -> Floats:
        _, f, inside = self._inner(x)
        if not inside.all():
            low = self.low[:, None]
            for end, exponent, other in ((low, self._a, self._b), (low + self.width[:, None], self._b, self._a)):
                limit = np.where(exponent < 1, np.inf, np.where(exponent == 1, other, 0.0))
                f = np.where(x == end, limit, f)
        return f

    def _density_and_slope(self, x: Floats) -> Floats:
        theta, f, _ = self._inner(x)
        slope = f * ((self._a - 1) * (1 - theta) - (self._b - 1) * theta) / (theta * (1 - theta))
        return np.stack((self._shares @ f, (self._shares / self.width) @ slope), axis=-1)


def _survival(a: Floats, b: Floats, theta: Floats) -> Floats:
    """``1 - I_theta(a, b)`` with its digits; ``betaincc``, ten times as dear as ``betainc``, only where it must be."""
    a, b, theta = np.broadcast_arrays(a, b, theta)
    made, upper = np.empty(theta.shape), theta >= 0.5
    made[upper] = special.betainc(b[upper], a[upper], 1 - theta[upper])  # a difference without rounding
    lower = np.flatnonzero(~upper)
    a, b, theta = a.ravel()[lower], b.ravel()[lower], theta.ravel()[lower]
    above = 1 - special.betainc(a, b, theta)
    small = ~(above > 0.5)
    above[small] = special.betaincc(a[small], b[small], theta[small])
    made.ravel()[lower] = above
    return made


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
        """Add up the panels from either side, with the mass beyond them; how far the whole is from 1."""
        inside = 2 * self._halves * self._series[:, 0]
        self._below = np.concatenate(([start], start + np.cumsum(inside)))
        self._above = np.concatenate((end + np.cumsum(inside[::-1])[::-1], [end]))
        return abs(1 - float(self._below[-1] + end))

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
