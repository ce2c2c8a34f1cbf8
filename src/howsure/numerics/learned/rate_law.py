"""A mixture of hundreds of Betas, as the law of one rate of a learned population is, by one pass over its density."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.solve.peaks import Peaks

__all__ = ["RateLaw"]

#: Gauss points of a panel, and the matrix from values there to Legendre coefficients.
POINTS = 14
NODES, WEIGHTS = np.polynomial.legendre.leggauss(POINTS)
VALUES = np.polynomial.legendre.legvander(NODES, POINTS - 1)
#: Derivatives of the Legendre polynomials as series, column k that of polynomial k.
STEPS = np.polynomial.legendre.legder(np.eye(POINTS))
TO_COEFFICIENTS = (VALUES * WEIGHTS[:, None] * (np.arange(POINTS) + 0.5)).T

#: Panels at first, mass that a panel may leave unresolved, and how often panels are halved at most.
PANELS, UNRESOLVED, HALVINGS = 16, 1e-7, 20

#: Where components are looked up, by the mass of all to their left, and edges beside these, in standard deviations.
LOOKED_AT, BESIDE = np.array([0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999]), np.array([-6.0, -2.0, 2.0, 6.0])

#: Mass that may lie beyond the first and the last panel, and the farthest logits: beyond, floats are 0 or 1.
BEYOND, FARTHEST = 1e-10, (-700.0, 37.0)


#: Mass beside an end that no question about the shape of the law sees.
UNSEEN = 1e-7


class RateLaw:
    """Law of ``shift + coefficient theta``, theta Beta(a_c, b_c) with probability ``mass_c``.

    On the logit scale the density of theta is smooth, whatever it does at 0 and 1. It is resolved by Legendre series
    on panels that are halved where they must be, and integrated once from either side.

    Parameters
    ----------
    mass, a, b : ndarray, shape (C,)
        Probabilities, which add to 1, and parameters above 0.
    coefficient, shift : float
        Not 0, and any number.
    residual : float
        Error of the distribution function by what the mixture leaves out.
    moments : (float, float), optional
        Mean and sd of theta, where they are known better than by this mixture.
    """

    def __init__(
        self,
        mass: Floats,
        a: Floats,
        b: Floats,
        *,
        coefficient: float = 1.0,
        shift: float = 0.0,
        residual: float = 0.0,
        moments: tuple[float, float] | None = None,
    ) -> None:
        # X = at_zero + factor z, and z is 0 at the end where the density is steeper: floats are dense there
        turned = b.min() < a.min()
        self._at_zero, self._factor = (shift + coefficient, -coefficient) if turned else (shift, coefficient)
        self._a, self._b = (b, a) if turned else (a, b)
        mass = np.maximum(mass, 1e-300)
        self._log_mass = np.log(mass) - special.betaln(a, b)
        z = self._a / (a + b)
        mean = float(mass @ z)
        self._z_mean = mean
        self._z_sd = float(np.sqrt(max(float(mass @ (z * ((self._a + 1) / (a + b + 1)))) - mean**2, 0.0)))
        centre, sd = ((1 - mean) if turned else mean, self._z_sd) if moments is None else moments
        self.mean, self.sd = shift + coefficient * centre, abs(coefficient) * sd
        ends = self._at_zero, self._at_zero + self._factor
        self.support = min(ends), max(ends)
        self._edges, self._series = self._panels()
        half = np.diff(self._edges) / 2
        inside = 2 * half * self._series[:, 0]
        start, end = self._tail(self._edges[0], self._a), self._tail(-self._edges[-1], self._b)
        self._below = np.concatenate(([start], start + np.cumsum(inside)))
        self._above = np.concatenate((end + np.cumsum(inside[::-1])[::-1], [end]))
        self.residual = residual + abs(1 - float(self._below[-1] + end)) + UNRESOLVED
        few = np.argsort(-mass)[:40]
        self._means = np.append(z[few], mean)
        self._sds = np.append(np.sqrt(z[few] * (1 - z[few]) / (a[few] + b[few] + 1)), self._z_sd)

    def _tail(self, t: float, power: Floats) -> float:
        """Mass beyond a logit far out, where the density is a power."""
        with np.errstate(under="ignore"):
            return float(np.exp(self._log_mass + power * t - np.log(power)).sum()) if t < -30 else 0.0

    def _density(self, t: Floats) -> Floats:
        """Density on the logit scale, shape (n,)."""
        logs = np.stack([-np.logaddexp(0, -t), -np.logaddexp(0, t), np.ones_like(t)], axis=1)
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(logs @ np.stack([self._a, self._b, self._log_mass])).sum(axis=1))

    def _panels(self) -> tuple[Floats, Floats]:
        """Edges (P + 1,) and Legendre coefficients (P, `POINTS`) of the density of the logit."""
        low, high = self._far(self._a), -self._far(self._b)
        low, high = max(low, FARTHEST[0]), min(high, FARTHEST[1])
        edges = self._first_edges(low, high)
        left, right = edges[:-1], edges[1:]
        done: list[tuple[Floats, Floats, Floats]] = []
        for _ in range(HALVINGS):
            half = (right - left) / 2
            t = (left + half)[:, None] + half[:, None] * NODES
            series = self._density(t.ravel()).reshape(t.shape) @ TO_COEFFICIENTS.T
            rough: Booleans = np.asarray(half * np.abs(series[:, -3:]).sum(axis=1) > UNRESOLVED)
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

    def _first_edges(self, low: float, high: float) -> Floats:
        """Even ones, and some around components all over the law: a needle between two Gauss points is not seen."""
        mass = np.exp(self._log_mass + special.betaln(self._a, self._b))
        centre, sd = np.log(self._a / self._b), np.sqrt(1 / self._a + 1 / self._b)
        order = np.argsort(centre)
        reached = np.cumsum(mass[order]) / mass.sum()
        some = order[np.minimum(np.searchsorted(reached, LOOKED_AT), len(order) - 1)]
        around = (centre[some, None] + sd[some, None] * BESIDE).ravel()
        edges = np.union1d(np.linspace(low, high, PANELS + 1), around[(around > low) & (around < high)])
        return np.asarray(edges[np.append(True, np.diff(edges) > 1e-9 * (1 + np.abs(edges[1:])))])

    def _far(self, a: Floats) -> float:
        """Logit below which there is next to no mass: each density is at most ``exp(log mass + a t)`` there."""
        return float(((np.log(BEYOND / len(a)) - self._log_mass + np.log(a)) / a).min())

    # -- the law --------------------------------------------------------------------------------------------

    def _at(self, z: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Mass below and above ``z`` (1-D, from 0 to 1), density and its derivative."""
        z = np.clip(z, 1e-304, 1 - 2**-53)
        rest = 1 - z
        t = np.clip(np.log(z) - np.log(rest), self._edges[0], self._edges[-1])
        place = np.clip(np.searchsorted(self._edges, t, side="right") - 1, 0, len(self._series) - 1)
        left, right = self._edges[place], self._edges[place + 1]
        half = (right - left) / 2
        u = (t - left) / half - 1
        basis = np.polynomial.legendre.legvander(u, POINTS)
        series = self._series[place]
        order = np.arange(1, POINTS)
        integral = series[:, 0] * (u + 1)
        integral += np.einsum("nk,nk->n", series[:, 1:], (basis[:, 2:] - basis[:, :-2]) / (2 * order + 1))
        below = self._below[place] + half * integral
        above = self._above[place + 1] + half * (2 * series[:, 0] - integral)
        g = np.einsum("nk,nk->n", series, basis[:, :-1])
        steeper = np.einsum("nk,jk,nj->n", series, STEPS, basis[:, : POINTS - 1]) / half
        with np.errstate(over="ignore", invalid="ignore"):
            f = np.maximum(g, 0.0) / z / rest
            slope = (steeper - g * (rest - z)) / z / rest / z / rest
        return np.clip(below, 0.0, 1.0), np.clip(above, 0.0, 1.0), f, slope

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

    @property
    def _ends(self) -> tuple[float, float]:
        """Limits of the density of z at 0 and 1."""
        return self._end(self._a), self._end(self._b)

    def _end(self, power: Floats) -> float:
        if power.min() < 1 - 1e-9:
            return np.inf
        flat = np.abs(power - 1) <= 1e-9
        return float(np.exp(self._log_mass[flat]).sum())

    @property
    def _seen_ends(self) -> tuple[float, float]:
        """The same as far as there is mass: where a billionth stands beside an end is no peak."""
        if self._at(np.array([1e-300]))[0][0] > UNSEEN:
            return self._ends
        logits = np.linspace(self._edges[0], self._edges[-1], 400)
        z = special.expit(logits)
        below, above, f, _ = self._at(z)
        first, last = np.searchsorted(below, UNSEEN), len(z) - np.searchsorted(above[::-1], UNSEEN) - 1
        return float(f[min(int(first), len(z) - 1)]), float(f[max(int(last), 0)])

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
        return Peaks(*asked, self._means, self._sds, (0.0, 1.0), self._seen_ends, self._z_sd)

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
