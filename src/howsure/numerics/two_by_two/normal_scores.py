"""Bounded random numbers as smooth functions of a standard Normal variable z: a Beta, or any law by its table.

In z every Beta, narrow or with an infinite density at its end, has the same weight exp(-z^2/2), and logit theta(z)
is analytic in the strip |Im z| < 2.8 (the nearest complex zeros of Phi). The trapezoid rule in z therefore needs
about twenty nodes per variable for ten digits, for one observation as for 1e8.

With ``T = low + width expit(u)`` the function ``u(z)``, for which ``T`` has the law of interest when ``z`` is standard
Normal, is smooth however rough the law is at its ends: a power law there is a parabola in ``z``.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import betainccinv, betaincinv, betaln, expit, gammaln, log_ndtr, ndtr

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.peaks import beside_mistaken

__all__ = ["NormalScores", "logit_quantile", "normal_rule"]


REACH = 5.8  # |z| of the outermost trapezoid node: 7e-9 of the mass lies beyond
TABLE_REACH = 12.0
HUGE = 1e9  # parameters from which a Beta is its Cornish and Fisher series
CELL = 0.2  # widest table cell: the quintic Hermite error is then below 2e-9 in z


def logit_quantile(a: float, b: float, z: Floats) -> Floats:
    """Return u(z) = logit of the Beta(a, b) quantile of Phi(z).

    The smaller of the two tails gives the smaller of theta and 1 - theta, so that neither probability nor quantile is
    ever a rounded 1; of very many cases it is a series.
    """
    if min(a, b) > HUGE:
        return _cornish_fisher(a, b, z)[0]
    if a < b:
        return -logit_quantile(b, a, -z)
    a, b = (float(beside_mistaken(each)) for each in (a, b))
    u, below = np.zeros(z.shape), z < 0  # the median is one half or more
    u[below] = _lower_logit(a, b, z[below])
    above = u >= 0
    u[above] = -_lower_logit(b, a, -z[above])
    return u


def _lower_logit(a: float, b: float, z: Floats) -> Floats:
    """Logit of the quantile of Phi(z); below e^-28 / (1 + b), right to 1e-12, by its leading power x^a / (a B(a, b)).

    There SciPy 1.17 may be level or nan, of a a little above 1 and b below: for Beta(1.05, 0.4) at z = -8.8.
    """
    leading = (log_ndtr(z) + np.log(a) + betaln(a, b)) / a
    upper = z > 0
    x = np.empty(z.shape)
    x[~upper] = betaincinv(a, b, ndtr(z[~upper]))
    x[upper] = betainccinv(a, b, ndtr(-z[upper]))
    x = np.clip(x, 1e-300, 1 - 1e-16)
    return np.where(leading < -28 - np.log1p(b), leading, np.log(x) - np.log1p(-x))


def logit_density(a: float, b: float, u: Floats) -> Floats:
    """Return the log density of u = logit theta, theta ~ Beta(a, b), good to 1e-14 at counts of 1e9.

    a (d - l) - b l + log peak, with d = u - logit(mean), l = log(1 + mean (e^d - 1)); in the log of the peak the
    large terms of the three log Gamma functions cancel by hand and their Stirling remainders stay. Of a mean next to 1
    the difference from 1 would have few digits left, so it is taken from the other end.
    """
    if a > b:
        return logit_density(b, a, -u)
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
        self._coefficients = np.concatenate([_table(a, b, cells) for a, b in betas], axis=1)

    def __call__(self, z: Floats) -> tuple[Floats, Floats]:
        """Return u and du/dz at z of shape (betas, ...), its first axis running over the Betas."""
        t = (z + TABLE_REACH) / self._cell
        cell = t.astype(np.intp)
        np.minimum(np.maximum(cell, 0, out=cell), self._last, out=cell)
        t -= cell
        cell += self._first_cell.reshape(-1, *(1,) * (z.ndim - 1))
        return _horner(self._coefficients.take(cell, axis=1), t, self._cell)


def _horner(c: Floats, t: Floats, width: Floats | float) -> tuple[Floats, Floats]:
    """Quintics at t in [0, 1] of their cells, and their slopes, whose coefficients are the sums of Horner's scheme."""
    u, slope = c[5] * t, c[5] * t
    u += c[4]
    slope += u
    for power in (3, 2, 1):
        u *= t
        u += c[power]
        slope *= t
        slope += u
    u *= t
    u += c[0]
    slope /= width
    return u, slope


@lru_cache(64)
def _table(a: float, b: float, cells: int) -> Floats:
    """Coefficients of one Beta, kept: the metrics of a report, and the places of a slider, share their rates."""
    z = np.linspace(-TABLE_REACH, TABLE_REACH, cells + 1)
    coefficients = _hermite(*_taylor(a, b, z), z[1] - z[0])
    coefficients.flags.writeable = False
    return coefficients


def _taylor(a: float, b: float, z: Floats) -> tuple[Floats, Floats, Floats]:
    """u, u' and u'' at the nodes of the table."""
    if min(a, b) > HUGE:
        return _cornish_fisher(a, b, z)
    u = logit_quantile(a, b, z)
    slope = np.exp(-0.5 * z * z - 0.5 * np.log(2 * np.pi) - logit_density(a, b, u))
    tilt = a * expit(-u) - b * expit(u)
    return u, slope, -slope * (z + slope * tilt)


def _cornish_fisher(a: float, b: float, z: Floats) -> tuple[Floats, Floats, Floats]:
    """u, u' and u'' of a Beta of very many cases, where the quantiles themselves would be rounded.

    The logit is the log of a quotient of two Gamma variables, so its cumulants are polygamma functions; what the third
    order leaves out is ``sd^3 z^4`` of its sd, below 1e-11 everywhere in the table.
    """
    variance = 1 / a + 1 / b + 0.5 * (1 / a**2 + 1 / b**2)
    sd, third, fourth = np.sqrt(variance), 1 / b**2 - 1 / a**2, 2 / a**3 + 2 / b**3
    second = third / (6 * variance)
    of_fourth, of_third = fourth / (24 * sd**3), third**2 / (36 * sd**5)
    centre = np.log(a) - np.log(b) - 0.5 / a + 0.5 / b
    u = centre + sd * z + second * (z * z - 1) + of_fourth * (z**3 - 3 * z) - of_third * (2 * z**3 - 5 * z)
    slope = sd + 2 * second * z + of_fourth * (3 * z * z - 3) - of_third * (6 * z * z - 5)
    return u, slope, 2 * second + (6 * of_fourth - 12 * of_third) * z


def _hermite(value: Floats, slope: Floats, bend: Floats, cell: float) -> Floats:
    """Coefficients (6, cells) in t in [0, 1] of the quintic that matches value and two derivatives at both ends."""
    v0, v1 = value[:-1], value[1:]
    s0, s1 = cell * slope[:-1], cell * slope[1:]
    c0, c1 = cell**2 * bend[:-1], cell**2 * bend[1:]
    rise = v1 - v0 - s0 - c0 / 2
    turn = s1 - s0 - c0
    curl = c1 - c0
    return np.stack(
        (v0, s0, c0 / 2, 10 * rise - 4 * turn + curl / 2, -15 * rise + 7 * turn - curl, 6 * rise - 3 * turn + curl / 2),
    )
