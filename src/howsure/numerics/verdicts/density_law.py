"""A law by its density, which an integral tells point by point: panels of Chebyshev series, and their integrals."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.polynomial import chebyshev
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.ratio.probit_curve import TRUSTED, CurvedLaw, ProbitCurve

__all__ = ["NOWHERE", "DensityLaw", "Factor", "Rule", "crowded_rule", "factor", "rule"]

FEWER = 0.8  # nodes of the rule that tells the error
WINDOW = 44.0  # e-folds below its greatest value at which the density ends
DEGREE, PANELS = 23, 5
SETTLED, MOST_HALVINGS, MOST_PANELS = 1e-14, 12, 200
ROUNDING, NOWHERE = 1e-13, -1e300

Ends: TypeAlias = tuple[float, float]


class Factor(NamedTuple):
    """A Beta and the ends of the numbers that are not negligible, from 0 and from 1."""

    a: float
    b: float
    low: float
    high: float
    from_high: float

    def log_density(self, r: Floats, rest: Floats) -> Floats:
        """Log density at ``r = 1 - rest``."""
        return np.asarray((self.a - 1) * np.log(r) + (self.b - 1) * np.log(rest) - special.betaln(self.a, self.b))


def factor(a: float, b: float, cut: float) -> Factor:
    """A Beta without the tails beyond ``cut`` e-folds."""
    low, from_high = float(special.betaincinv(a, b, np.exp(-cut))), float(special.betaincinv(b, a, np.exp(-cut)))
    return Factor(a, b, low, 1 - from_high, from_high)


class Rule(NamedTuple):
    """Places u and 1 - u on (0, 1) and weights."""

    u: Floats
    rest: Floats
    weight: Floats


def rule(size: int) -> Rule:
    """Gauss-Legendre in an angle: right for powers that are multiples of 1/2 at the ends."""
    v, w = np.polynomial.legendre.leggauss(size)
    angle = np.pi / 4 * (v + 1)
    return Rule(np.sin(angle) ** 2, np.cos(angle) ** 2, np.pi / 4 * w * np.sin(2 * angle))


def crowded_rule(size: int) -> Rule:
    """Nodes that crowd at the ends with the fourth power, where there are logarithms and corners."""
    v, w = np.polynomial.legendre.leggauss(size)
    v, rest = (1 + v) / 2, (1 - v) / 2
    u = v**4 * (35 - v * (84 - v * (70 - 20 * v)))
    down = rest**4 * (35 - rest * (84 - rest * (70 - 20 * rest)))
    return Rule(u, down, 70 * w * (v * rest) ** 3)


class DensityLaw(CurvedLaw):
    """A law on (0, 1) with a density that is smooth inside."""

    support = (0.0, 1.0)

    @abstractmethod
    def _log_density(self, x: Floats, fewer: float = 1.0) -> Floats:
        """Log density inside (0, 1), by rules of ``fewer`` times their nodes."""

    def _place_panels(self, hint: float) -> float:
        """Find where the density is and lay out series of it, halving those that have not settled; log of its total."""
        window = self._window(hint)
        if window is None:
            return NOWHERE
        low, high, top = window
        t = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
        to_series = np.linalg.inv(chebyshev.chebvander(t, DEGREE))
        edges = np.linspace(low, high, PANELS + 1)
        todo: list[Ends] = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        done: list[tuple[Ends, Floats]] = []
        most = left = 0.0
        for round_ in range(MOST_HALVINGS + 1):
            ends = np.array(todo)
            width = np.diff(ends, axis=1)
            x = ends[:, :1] + width * (1 + t) / 2
            series = np.exp(self._log_density(x.ravel()) - top).reshape(x.shape) @ to_series.T
            most = max(most, float(np.abs(series[:, 0]).max()))
            miss = np.abs(series[:, -3:]).max(axis=1) * width[:, 0]
            rough = miss > SETTLED * most * (high - low)
            if round_ == MOST_HALVINGS or len(done) + 2 * len(todo) > MOST_PANELS:
                left, rough = float(miss.sum()), np.zeros(len(rough), bool)
            done += [(todo[k], series[k]) for k in np.flatnonzero(~rough).tolist()]
            todo = [half for k in np.flatnonzero(rough).tolist() for half in _halves(*todo[k])]
            if not todo:
                break
        done.sort(key=lambda panel: panel[0])
        self._edges = np.array([a for (a, _), _ in done] + [high])
        self._series = np.array([c for _, c in done])
        half = np.diff(self._edges)[:, None] / 2
        rising = np.array([chebyshev.chebint(c, lbnd=-1) for c in self._series]) * half
        falling = -np.array([chebyshev.chebint(c, lbnd=1) for c in self._series]) * half
        mass = rising.sum(axis=1)
        total = float(mass.sum())
        self._unsettled = left / total
        self._rising, self._falling, self._total = rising / total, falling / total, total
        self._before = np.concatenate(([0.0], np.cumsum(mass)[:-1])) / total
        self._behind = np.concatenate((np.cumsum(mass[::-1])[::-1][1:], [0.0])) / total
        return float(np.log(total)) + top

    def _window(self, hint: float) -> tuple[float, float, float] | None:
        """Where the density is not negligible, and about its greatest logarithm; None if nowhere."""
        x = np.sort(np.append(np.linspace(0.5, 31.5, 32) / 32, np.clip(hint, 1e-4, 1 - 1e-4)))
        log = self._log_density(x, 0.5)
        for _ in range(30):
            best = int(np.argmax(log))
            top = float(log[best])
            if top <= NOWHERE:
                return None
            inside = np.flatnonzero(log > top - WINDOW)
            first, last = int(inside[0]), int(inside[-1])
            low = x[first - 1] if first else 0.0
            high = x[last + 1] if last + 1 < len(x) else 1.0
            if last - first >= 7:
                break
            x = low + (high - low) * (np.arange(17) + 0.5) / 17
            log = self._log_density(x, 0.5)
        return float(low), float(high), top

    def _basis(self, x: Floats) -> tuple[Integers, Floats]:
        """Panel of each point, and the Chebyshev polynomials there."""
        k = np.clip(np.searchsorted(self._edges, x, side="right") - 1, 0, len(self._series) - 1)
        left, right = self._edges[k], self._edges[k + 1]
        return k, chebyshev.chebvander(np.clip((2 * x - left - right) / (right - left), -1.0, 1.0), DEGREE + 1)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        k, basis = self._basis(x)
        F = self._before[k] + (basis * self._rising[k]).sum(axis=1)
        S = self._behind[k] + (basis * self._falling[k]).sum(axis=1)
        low, high = self._edges[0], self._edges[-1]
        return np.where(x <= low, 0.0, np.clip(F, 0, 1)), np.where(x >= high, 0.0, np.clip(S, 0, 1))

    def pdf(self, x: Floats) -> Floats:
        """Density; 0 where it is less than 1e-19 of the greatest."""
        flat, result = x.ravel(), np.zeros(x.size)
        inside = (flat > self._edges[0]) & (flat < self._edges[-1])
        k, basis = self._basis(flat[inside])
        result[inside] = (basis[:, :-1] * self._series[k]).sum(axis=1) / self._total
        return np.maximum(result, 0.0).reshape(x.shape)

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, *self._moments, *self.support)

    @cached_property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        x = self.quantile(np.array([0.025, 0.3, 0.7, 0.975]))
        x = np.clip(x, np.nextafter(self._edges[0], 1), np.nextafter(self._edges[-1], 0))
        fine, coarse = self._log_density(x), self._log_density(x, FEWER)
        gap = float(np.abs(np.expm1(coarse - fine)).max())
        return gap + self._unsettled + ROUNDING + (self._curve.error if self._curve.error <= TRUSTED else 0.0)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        t, w = np.polynomial.legendre.leggauss(DEGREE + 2)
        half = np.diff(self._edges)[:, None] / 2
        x = self._edges[:-1, None] + half * (1 + t)
        weight = (self._series @ chebyshev.chebvander(t, DEGREE).T) * w * half / self._total
        mean = float((weight * x).sum())
        return mean, float(np.sqrt((weight * (x - mean) ** 2).sum()))

    @property
    def mean(self) -> float:
        """Mean."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]


def _halves(a: float, b: float) -> tuple[Ends, Ends]:
    return (a, (a + b) / 2), ((a + b) / 2, b)
