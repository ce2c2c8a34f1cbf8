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
from scipy.special import betainccinv, betaincinv, betaln, expit, log_ndtr, ndtr

from howsure.numerics.arrays import Floats, cut
from howsure.numerics.learned.beta_mixture import log_peaks
from howsure.numerics.solve.peaks import beside_mistaken

REACH = 6.3  # |z| of the outermost trapezoid node: 3e-10 of the mass lies beyond
TABLE_REACH = 12.0
FARTHEST = 38.0  # Normal score of the least number
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

    a (d - l) - b l + log peak, with d = u - logit(mean), l = log(1 + mean (e^d - 1)). Of a mean next to 1 the
    difference from 1 would have few digits left, so it is taken from the other end.
    """
    if a > b:
        return logit_density(b, a, -u)
    mean, d = a / (a + b), u - np.log(a / b)
    with np.errstate(over="ignore"):
        lift = np.where(d < 500, np.log1p(mean * np.expm1(d)), d + np.log(mean))
    return np.asarray(a * (d - lift) - b * lift + log_peaks(np.array(a), np.array(b)))


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


def _hermite(value: Floats, slope: Floats, bend: Floats, cell: Floats | float) -> Floats:
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


class ScoreCurve:
    """A number with a continuous law as a function of its Normal score: quintics, beyond the last values parabolas.

    Parameters
    ----------
    value, score, slope : ndarray, shape (n,)
        Values in rising order, s with P(X <= value) = Phi(s), and ds / d value.
    """

    def __init__(self, value: Floats, score: Floats, slope: Floats) -> None:
        with np.errstate(divide="ignore"):
            rate = 1 / slope
        good = np.isfinite(rate) & np.isfinite(score) & (np.diff(value, prepend=-np.inf) > 0)
        good[good] &= np.diff(score[good], prepend=-np.inf) > 0
        self._value, self._at, rate = value[good], score[good], rate[good]
        cell = np.diff(self._at)
        bend = _bends(self._value, rate, cell)
        inner = _hermite(self._value, rate, bend, cell)
        before, behind = (np.array([[self._value[k]], [rate[k]], [bend[k] / 2], [0.0], [0.0], [0.0]]) for k in (0, -1))
        self._coefficients = np.concatenate((before, inner, behind), axis=1)
        self._cell = np.concatenate(([1.0], cell, [1.0]))
        self._start = np.concatenate((self._at[:1], self._at))

    @property
    def scores(self) -> Floats:
        """Those between which it is interpolated, rising."""
        return self._at

    def __call__(self, scores: Floats) -> tuple[Floats, Floats]:
        """Values at scores, and the slopes there."""
        k = self._at.searchsorted(scores)
        return _horner(self._coefficients.take(k, axis=1), (scores - self._start[k]) / self._cell[k], self._cell[k])

    def score(self, values: Floats) -> Floats:
        """Scores of values, by Newton's method from the chord."""
        k = np.clip(self._value.searchsorted(values) - 1, 0, len(self._value) - 2)
        chord = (self._value[k + 1] - self._value[k]) / (self._at[k + 1] - self._at[k])
        scores = self._at[k] + (values - self._value[k]) / chord
        for _ in range(8):
            value, slope = self(scores)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = cut(np.nan_to_num((values - value) / slope), -0.5, 0.5)
            scores = cut(scores + step, -FARTHEST, FARTHEST)
            if np.abs(step).max(initial=0.0) < 1e-7:
                break
        return np.asarray(scores)


def _bends(value: Floats, slope: Floats, cell: Floats) -> Floats:
    """Second derivatives of the quintics through three points and their slopes each; at the ends of cubics."""
    here, width = value[1:-1], slope[1:-1]
    behind, ahead = -cell[:-1], cell[1:]
    # value = here + slope u + u^2 q(u): q is a cubic, known with its slope on both sides
    q, dq = [], []
    for u, other, rate in ((behind, value[:-2], slope[:-2]), (ahead, value[2:], slope[2:])):
        q.append((other - here - width * u) / u**2)
        dq.append((rate - width - 2 * u * q[-1]) / u**2)
    whole = ahead - behind
    share = -behind / whole
    middle = _cubic(share, q[0], q[1], whole * dq[0], whole * dq[1])
    first = (6 * (value[1] - value[0]) / cell[0] - 4 * slope[0] - 2 * slope[1]) / cell[0]
    last = (-6 * (value[-1] - value[-2]) / cell[-1] + 4 * slope[-1] + 2 * slope[-2]) / cell[-1]
    return np.concatenate(([first], 2 * middle, [last]))


def _cubic(t: Floats, first: Floats, last: Floats, rise: Floats, fall: Floats) -> Floats:
    """Cubic at t in [0, 1] with given values and slopes at both ends."""
    rest, chord = t * (1 - t), last - first
    return np.asarray(first + t * chord + rest * ((1 - t) * (rise - chord) - t * (fall - chord)))
