"""The law of the ratio of two verdicts' cases of one class, from its logarithm.

``X = q_1 r_1 / (q_1 r_1 + q_0 r_0)`` has the logit ``log(G_1 r_1) - log(G_0 r_0)`` with independent Gammas G, and

    E (G r)^s = Gamma(A + s) / Gamma(A) * Gamma(a + s) / Gamma(a) * Gamma(a + b) / Gamma(a + b + s):

one closed transform for all thresholds, which falls exponentially whatever the parameters.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats

__all__ = ["LogRatio", "Verdict"]

ALIASING, ENOUGH = 36.0, -39.0
BLOCK, MOST_TERMS = 64, 4096
STIRLING = 40.0  # from here on differences of log Gamma are those of Stirling's series


class Verdict(NamedTuple):
    """Shape of the Gamma, parameters of the Beta."""

    mass: float
    a: float
    b: float


class LogRatio:
    """Tails of the logit of ``T_1 / (T_1 + T_0)``, ``T = G r``, for the verdicts above and below."""

    def __init__(self, above: Verdict, below: Verdict) -> None:
        self._above, self._below = above, below
        self.centre = float(_first(above) - _first(below))
        self._spread = float(np.sqrt(_second(above) + _second(below)))
        self._bounds = -min(above.mass, above.a), min(below.mass, below.a)
        self._lines = self._line(1.0), self._line(-1.0)

    def _log_transform(self, s: Any) -> Any:
        total = -s * self.centre
        for sign, (mass, a, b) in ((1, self._above), (-1, self._below)):
            total = total + _rise(mass, sign * s) + _rise(a, sign * s) - _rise(a + b, sign * s)
        return total

    def _line(self, side: float) -> tuple[Complexes, Complexes]:
        """Points of a line to one side of 0, and their weights in the tail beyond the centre."""
        bound = self._bounds[1] if side > 0 else -self._bounds[0]
        c = side * min(2.0 / self._spread, 0.5 * bound)
        tried = c + (side * bound - c) * np.linspace(0.05, 0.95, 19)
        size = self._log_transform(np.array([c]))[0]
        behind = ((ALIASING + self._log_transform(tried) - size) / np.abs(tried - c)).min()
        # thresholds up to ten spreads away
        period = max((ALIASING - size) / abs(c), float(behind)) + 10 * self._spread
        step = 2 * np.pi / period
        points, weights, start = [], [], 0
        while start < MOST_TERMS:
            s = c + 1j * step * np.arange(start, start + BLOCK)
            log = self._log_transform(s)
            points.append(s)
            weights.append(side * step / np.pi * np.exp(log) / s)
            if start == 0:
                weights[0][0] /= 2
            start += BLOCK
            if float(log.real[-1]) - np.log(abs(s[-1] / c)) - size < ENOUGH:
                break
        return np.concatenate(points), np.concatenate(weights)

    def tails(self, x: Floats) -> tuple[Floats, Floats]:
        """``P(X <= x)`` and ``P(X > x)`` for x strictly inside (0, 1)."""
        logit = np.log(x) - np.log1p(-x) - self.centre
        upper = logit > 0
        F, S = np.empty(x.shape), np.empty(x.shape)
        for chosen, own, other, (s, weight) in zip((upper, ~upper), (S, F), (F, S), self._lines, strict=True):
            tail = (np.exp(-np.multiply.outer(logit[chosen], s)) @ weight).real
            own[chosen] = np.clip(tail, 0.0, 1.0)
            other[chosen] = 1 - own[chosen]
        return F, S


def _rise(x: float, s: Any) -> Any:
    """``log Gamma(x + s) - log Gamma(x)``, without cancellation."""
    if x < STIRLING:
        return special.loggamma(x + s) - special.gammaln(x)
    return (x + s - 0.5) * np.log1p(s / x) + s * (np.log(x) - 1) + _remainder(x + s) - _remainder(x)


def _remainder(x: Any) -> Any:
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x


def _first(v: Verdict) -> float:
    return float(special.digamma(v.mass) + special.digamma(v.a) - special.digamma(v.a + v.b))


def _second(v: Verdict) -> float:
    return float(special.polygamma(1, v.mass) + special.polygamma(1, v.a) - special.polygamma(1, v.a + v.b))
