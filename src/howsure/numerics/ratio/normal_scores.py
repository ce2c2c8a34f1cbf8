"""Beta variables as smooth functions of a standard Normal variable z: theta(z) = Beta quantile of Phi(z).

In z every Beta, narrow or with an infinite density at its end, has the same weight exp(-z^2/2), and logit theta(z)
is analytic in the strip |Im z| < 2.8 (the nearest complex zeros of Phi). The trapezoid rule in z therefore needs
about twenty nodes per variable for ten digits, for one observation as for 1e8.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import betaincinv, betaln, expit, gammaln, log_ndtr, ndtr

from howsure.numerics.arrays import Floats

REACH = 5.8  # |z| of the outermost trapezoid node: 7e-9 of the mass lies beyond
TABLE_REACH = 12.0
CELL = 0.2  # widest table cell: the quintic Hermite error is then below 2e-9 in z


def logit_quantile(a: float, b: float, z: Floats) -> Floats:
    """Return u(z) = logit of the Beta(a, b) quantile of Phi(z).

    The side with the smaller tail gives it beyond |z| = 5, the side with the smaller of theta and 1 - theta within,
    so that neither probability nor quantile is ever a rounded 1.
    """
    lower, upper = _lower_logit(a, b, z), -_lower_logit(b, a, -z)
    return np.where(np.where(np.abs(z) > 5, z, lower) < 0, lower, upper)


def _lower_logit(a: float, b: float, z: Floats) -> Floats:
    """Logit of the quantile of Phi(z); below e^-40 / (1 + b) by its leading power x^a / (a B(a, b))."""
    leading = (log_ndtr(z) + np.log(a) + betaln(a, b)) / a
    x = np.clip(betaincinv(a, b, ndtr(z)), 1e-300, 1 - 1e-16)
    return np.where(leading < -40 - np.log1p(b), leading, np.log(x) - np.log1p(-x))


def logit_density(a: float, b: float, u: Floats) -> Floats:
    """Return the log density of u = logit theta, theta ~ Beta(a, b), good to 1e-14 at counts of 1e9.

    a (d - l) - b l + log peak, with d = u - logit(mean), l = log(1 + mean (e^d - 1)); in the log of the peak the
    large terms of the three log Gamma functions cancel by hand and their Stirling remainders stay.
    """
    mean, d = a / (a + b), u - np.log(a / b)
    with np.errstate(over="ignore"):
        lift = np.where(d < 500, np.log1p(mean * np.expm1(d)), d + np.log(mean))
    peak = 0.5 * np.log(a / (a + b) * b / (2 * np.pi)) + _stirling(a + b) - _stirling(a) - _stirling(b)
    return np.asarray(a * (d - lift) - b * lift + peak)


def _stirling(x: float) -> float:
    """Remainder of Stirling's formula, log Gamma(x) - (x - 1/2) log x + x - log(2 pi)/2."""
    if x > 10:
        y = 1 / (x * x)
        return float((1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x)
    return float(gammaln(x) - (x - 0.5) * np.log(x) + x - 0.5 * np.log(2 * np.pi))


def normal_rule(step: float) -> tuple[Floats, Floats]:
    """Trapezoid nodes and weights for a mean over a standard Normal: 4 k + 1 nodes, so every second one is a rule."""
    half = 2 * int(np.ceil(REACH / step / 2))
    z = step * np.arange(-half, half + 1.0)
    weight: Floats = np.exp(-0.5 * z * z)
    return z, weight / weight.sum()


class NormalScores:
    """Several Betas tabulated as u(z) = logit theta(z), evaluated together by quintic Hermite interpolation.

    u' = phi(z) / g(u) with g the density of u, and u'' = -u' (z + u' g'(u) / g(u)) cost nothing more than u.
    """

    def __init__(self, *betas: tuple[float, float]) -> None:
        widest = max(np.sqrt(1 / a + 1 / b) for a, b in betas)  # sd of u: u(z) bends within pi / sd
        cells = round(2 * TABLE_REACH / CELL * min(max(widest / 2, 1), 20))
        self._cell = 2 * TABLE_REACH / cells
        self.count = len(betas)
        self._first_cell = cells * np.arange(len(betas))
        self._last = cells - 1
        self._coefficients = np.concatenate([_table(a, b, cells) for a, b in betas])

    def __call__(self, z: Floats) -> tuple[Floats, Floats]:
        """Return u and du/dz at z of shape (betas, ...), its first axis running over the Betas."""
        place = (z + TABLE_REACH) / self._cell
        cell = np.clip(place.astype(np.intp), 0, self._last)
        t = place - cell
        cell += self._first_cell.reshape(-1, *(1,) * (z.ndim - 1))
        c = np.moveaxis(self._coefficients.take(cell, axis=0), -1, 0)
        value, slope = c[5] * t, 5 * c[5] * t
        for k in (4, 3, 2):
            value += c[k]
            value *= t
            slope += k * c[k]
            slope *= t
        value += c[1]
        value *= t
        value += c[0]
        slope += c[1]
        slope /= self._cell
        return value, slope


@lru_cache(64)
def _table(a: float, b: float, cells: int) -> Floats:
    """Coefficients of one Beta, kept: the metrics of a report, and the places of a slider, share their rates."""
    z = np.linspace(-TABLE_REACH, TABLE_REACH, cells + 1)
    coefficients = _hermite(*_taylor(a, b, z), z[1] - z[0])
    coefficients.flags.writeable = False
    return coefficients


def _taylor(a: float, b: float, z: Floats) -> tuple[Floats, Floats, Floats]:
    """u, u' and u'' at the nodes of the table."""
    u = logit_quantile(a, b, z)
    slope = np.exp(-0.5 * z * z - 0.5 * np.log(2 * np.pi) - logit_density(a, b, u))
    tilt = a * expit(-u) - b * expit(u)
    return u, slope, -slope * (z + slope * tilt)


def _hermite(value: Floats, slope: Floats, bend: Floats, cell: float) -> Floats:
    """Coefficients (cells, 6) in t in [0, 1] of the quintic that matches value and two derivatives at both ends."""
    v0, v1 = value[:-1], value[1:]
    s0, s1 = cell * slope[:-1], cell * slope[1:]
    c0, c1 = cell**2 * bend[:-1], cell**2 * bend[1:]
    rise = v1 - v0 - s0 - c0 / 2
    turn = s1 - s0 - c0
    curl = c1 - c0
    return np.stack(
        (v0, s0, c0 / 2, 10 * rise - 4 * turn + curl / 2, -15 * rise + 7 * turn - curl, 6 * rise - 3 * turn + curl / 2),
        axis=-1,
    )
