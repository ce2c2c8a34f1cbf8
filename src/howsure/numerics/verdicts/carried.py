"""The prevalence behind the verdicts of a judge whose rates are known from elsewhere.

With ``k`` of ``N`` cases called positive, theta flat on [0, 1] and sensitivity and specificity from a calibration, the
share called positive is ``p(x) = x se + (1 - x)(1 - sp)``, and with ``J = se + sp - 1`` and I the distribution function
of Beta(k + 1, N - k + 1)

    F(x) = E[(I(p(x)) - I(1 - sp)) / J] / E[(I(se) - I(1 - sp)) / J]

where the expectation is over both rates. Both differences change sign with J.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.curved_law import TRUSTED, CurvedLaw
from howsure.numerics.ratio.normal_scores import logit_density
from howsure.numerics.ratio.probit_curve import ProbitCurve

__all__ = ["CarriedNumbers"]

GAUSS, WEIGHT = np.polynomial.legendre.leggauss(6)
GAUSS, WEIGHT = (GAUSS + 1) / 2, WEIGHT / 2
SMALL = 0.05  # of J in standard deviations of p: below, differences are integrals by a Gauss rule
ROUNDING = 1e-13
BEYOND, CELLS = 1e-18, 20_000  # mass beyond the table of p, and its cells
MOST_NODES = 400  # of one rate


class CarriedNumbers(CurvedLaw):
    """Law of the prevalence.

    Parameters
    ----------
    positives, cases : float
        ``k`` and ``N``.
    recall, specificity : (float, float)
        Beta parameters of the rates of the judge.
    """

    support = (0.0, 1.0)

    def __init__(
        self, positives: float, cases: float, recall: tuple[float, float], specificity: tuple[float, float]
    ) -> None:
        self._called = positives + 1.0, cases - positives + 1.0
        first, second = self._called
        p = first / (first + second)
        self._spread = float(np.sqrt(p * (1 - p) / (first + second + 1)))
        self._tabulate()
        fine = self._places(recall, specificity, 1.0)
        coarse = self._places(recall, specificity, 1.3)
        self._fine, self._coarse = fine, coarse
        self._total = self._mass(fine, 0.0, 1.0)

    def _places(
        self, recall: tuple[float, float], specificity: tuple[float, float], scale: float
    ) -> tuple[Floats, ...]:
        """False positive rate, J and weight of every pair of nodes, flat."""
        se, _, w = _rate_nodes(*recall, self._spread, scale)
        _, v, u = _rate_nodes(*specificity, self._spread, scale)
        weight = np.outer(w, u).ravel()
        kept = weight > 1e-19
        first = np.broadcast_to(v, (len(se), len(v))).ravel()[kept]
        return first, (se[:, None] - v).ravel()[kept], weight[kept]

    def _tabulate(self) -> None:
        """The distribution function of p as cubics, which are right to 1e-14: it is asked for at millions of points."""
        a, b = self._called
        low = float(special.betaincinv(a, b, BEYOND))
        high = 1 - float(special.betaincinv(b, a, BEYOND))
        grid = np.linspace(low, high, CELLS + 1)
        self._low, self._cell = low, (high - low) / CELLS
        value, slope = special.betainc(a, b, grid), self._density(grid) * self._cell
        rise = np.diff(value)
        self._cubic = np.stack(
            (value[:-1], slope[:-1], 3 * rise - 2 * slope[:-1] - slope[1:], slope[:-1] + slope[1:] - 2 * rise)
        )

    def _below(self, p: Floats) -> Floats:
        place = np.clip((p - self._low) / self._cell, 0.0, CELLS)
        cell = np.minimum(place.astype(np.intp), CELLS - 1)
        t = place - cell
        c = self._cubic
        return np.asarray(((c[3].take(cell) * t + c[2].take(cell)) * t + c[1].take(cell)) * t + c[0].take(cell))

    def _density(self, p: Floats) -> Floats:
        inside = np.clip(p, 1e-300, 1 - 1e-16)
        return np.exp(logit_density(*self._called, special.logit(inside))) / inside / (1 - inside)

    def _mass(self, places: tuple[Floats, ...], low: float, high: float) -> float:
        """Mass between two prevalences, not normalised."""
        first, J, weight = places
        result = np.empty(len(J))
        near = np.abs(J) < SMALL * self._spread
        far = ~near
        result[far] = (self._below(first[far] + high * J[far]) - self._below(first[far] + low * J[far])) / J[far]
        if near.any():
            at = low + (high - low) * GAUSS
            result[near] = self._density(first[near, None] + at * J[near, None]) @ WEIGHT * (high - low)
        return float(weight @ result)

    @cached_property
    def _coarse_total(self) -> float:
        return self._mass(self._coarse, 0.0, 1.0)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        F = np.array([self._mass(self._fine, 0.0, at) for at in x.tolist()]) / self._total
        S = np.array([self._mass(self._fine, at, 1.0) for at in x.tolist()]) / self._total
        return F, S

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, *self._moments, *self.support)

    @cached_property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        x = self.quantile(np.array([0.025, 0.3, 0.7, 0.975]))
        fine = self._direct(x)[0]
        coarse = np.array([self._mass(self._coarse, 0.0, at) for at in x.tolist()]) / self._coarse_total
        gap = float(np.abs(fine - coarse).max())
        return gap**1.5 + ROUNDING + (self._curve.error if self._curve.error <= TRUSTED else 0.0)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        first, J, weight = self._fine
        a, b = self._called
        near = np.abs(J) < SMALL * self._spread
        sums = np.zeros((2, len(J)))
        f, g = first[~near], J[~near]
        p = a / (a + b)
        parts = [special.betainc(a + k, b, np.clip(f + g, 0, 1)) - special.betainc(a + k, b, f) for k in range(3)]
        m = [parts[0], p * parts[1], p * (a + 1) / (a + b + 1) * parts[2]]
        sums[0, ~near] = (m[1] - f * m[0]) / g**2
        sums[1, ~near] = (m[2] - 2 * f * m[1] + f * f * m[0]) / g**3
        if near.any():
            density = self._density(first[near, None] + GAUSS * J[near, None])
            sums[0, near], sums[1, near] = density @ (WEIGHT * GAUSS), density @ (WEIGHT * GAUSS**2)
        mean, square = (float(weight @ s) / self._total for s in sums)
        return mean, float(np.sqrt(max(square - mean**2, 1e-300)))

    @property
    def mean(self) -> float:
        """Mean."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]

    @cached_property
    def compatible(self) -> float:
        """``P(1 - sp <= p <= se)`` where the share called positive and the rates are learned apart."""
        first, J, weight = self._fine
        inside = J > 0
        return float(weight[inside] @ (self._below(first[inside] + J[inside]) - self._below(first[inside])))

    @cached_property
    def worse_than_chance(self) -> float:
        """``P(J < 0)`` by the calibration alone."""
        _, J, weight = self._fine
        return float(weight[J < 0].sum())


def _rate_nodes(a: float, b: float, spread: float, scale: float) -> tuple[Floats, Floats, Floats]:
    """Rates, complements and weights of a Beta by the trapezoid rule in the logit."""
    middle, s = np.log(a / b), np.sqrt(1 / a + 1 / b)
    left, right = (max(37 / x + 2, 9.0 * s) if x < 30 else 9.0 * s for x in (a, b))
    # at the node where the share called positive is met the integrand rises within `spread`
    step = scale * max(min(0.2, s / 4, 3.2 * spread), (left + right) / MOST_NODES)
    k = np.arange(-int(np.ceil(left / step)), int(np.ceil(right / step)) + 1)
    y = middle + step * k
    log = -a * np.logaddexp(0, -y) - b * np.logaddexp(0, y)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    kept = weight > 1e-18
    return special.expit(y[kept]), special.expit(-y[kept]), weight[kept]
