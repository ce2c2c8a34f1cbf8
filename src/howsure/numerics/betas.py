"""Betas at any count: distribution function, quantiles, shortest intervals; the Beta of what an expert says."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, gammaln, ndtri, xlog1py, xlogy

from howsure.numerics.arrays import Floats
from howsure.numerics.solve import bisect_increasing, equal_densities

# -- Distribution function and quantiles of a Beta at any count, where SciPy's lose their digits -----------------------

# Above counts of 1e11 SciPy's ``betainc`` is wrong beside the mean of a Beta with two equal parameters (by 0.01 at
# 1e14), and above 1e12 its inverse is for all; its ``betaincc`` is sound. Parameters of 1e7 or less are SciPy's alone,
# but for one number: where the smaller is 1000, its inverse takes a branch that is wrong beside a large one.


#: From this smaller parameter on the law is so nearly Normal that its skewness gives a start for Newton's method.
LARGE = 1e7
STEPS = 4
MISTAKEN, BESIDE = 1000.0, float(np.nextafter(1000.0, 2000.0))  # of the first SciPy 1.17 takes a wrong branch


def beta_cdf(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Floats:
    """Return P(theta <= x) for Beta(a, b), elementwise, a, b > 0; relative accuracy where it is small."""
    first, second, at = _together(a, b, x)
    F: Floats = np.array(betainc(first, second, at), dtype=float)
    large = np.minimum(first, second) > LARGE
    if large.any():
        p, q, y = first[large], second[large], at[large]
        F[large] = np.where(y < p / (p + q), betaincc(q, p, 1 - y), 1 - betaincc(p, q, y))
    return F


def beta_sf(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Floats:
    """Return P(theta > x) for Beta(a, b), elementwise, a, b > 0; relative accuracy where it is small."""
    return np.asarray(betaincc(*_together(a, b, x)), dtype=float)


def beta_quantile(a: ArrayLike, b: ArrayLike, p: ArrayLike, *, upper: bool = False) -> Floats:
    """Value x with P(theta <= x) = p, or (``upper``) P(theta > x) = p, for Beta(a, b), elementwise, a, b > 0.

    At counts of 1e15 SciPy gives for 0.025 the quantile of 0.036: where both parameters are above 1e7 it is the
    expansion of Cornish and Fisher to the skewness, mended by Newton's method, within 1e-7 sd or the spacing of
    doubles.
    """
    first, second, share = _together(a, b, p)
    large = (np.minimum(first, second) > LARGE) & (share > 0) & (share < 1)
    p_small, q_small = (np.where(large, 1.0, beside_mistaken(each)) for each in (first, second))
    found = betainccinv(p_small, q_small, share) if upper else betaincinv(p_small, q_small, share)
    x: Floats = np.array(found)
    if large.any():
        x[large] = _nearly_normal(first[large], second[large], share[large], upper)
    return x


def beside_mistaken(parameter: ArrayLike) -> Floats:
    """What stands for parameters where SciPy inverts a Beta: for 1000 its neighbour, else the same.

    SciPy 1.17 inverts exactly Beta(1000, b) wrong: by 2e-4 of probability at b = 1e8, by a factor of 10^4 at 1e15.
    """
    return np.where(np.equal(parameter, MISTAKEN), BESIDE, np.asarray(parameter, float))


def _together(*values: ArrayLike) -> tuple[Floats, Floats, Floats]:
    x, y, z = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values))
    return x, y, z


def _nearly_normal(a: Floats, b: Floats, p: Floats, upper: bool) -> Floats:
    n = a + b
    mean, sd = a / n, np.sqrt((a / n) * (b / n) / (n + 1))
    skewness = 2 * (b - a) * np.sqrt(n + 1) / ((n + 2) * np.sqrt(a) * np.sqrt(b))
    z = -ndtri(p) if upper else ndtri(p)
    z = z + skewness * (z * z - 1) / 6
    near, far = (beta_sf, beta_cdf) if upper else (beta_cdf, beta_sf)
    for _ in range(STEPS):
        x = mean + sd * z
        # the smaller of the two tails keeps its digits
        excess = np.where(p < 0.5, near(a, b, x) - p, (1 - p) - far(a, b, x))
        z = z + (excess if upper else -excess) * np.sqrt(2 * np.pi) * np.exp(np.minimum(0.5 * z * z, 690.0))
    return np.asarray(mean + sd * z)


def log_peaks(a: Floats, b: Floats) -> Floats:
    """``log [p^a q^b / B(a, b)]`` at the mean ``p = a/(a + b)``: the large terms of the log Gammas cancel by hand."""
    n = a + b
    rest = _stirling_remainder(n) - _stirling_remainder(a) - _stirling_remainder(b)
    return np.asarray(0.5 * np.log(a / n * b / (2 * np.pi)) + rest)


def log_ratio(x: Floats, mean: Floats) -> Floats:
    """``log(x / mean)``, both between 0 and 1, without cancellation near the mean."""
    near = x > 0.5 * mean
    ratio: Floats = (x - mean) / mean
    return np.asarray(np.where(near, np.log1p(ratio, where=near, out=ratio), np.log(x / mean)))


def _stirling_remainder(z: Floats) -> Floats:
    """``log Gamma(z) - (z - 1/2) log z + z - log(2 pi)/2``; from 10 on by its series, right to 1e-14."""
    y = 1 / (z * z)
    series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / z
    small = np.minimum(z, 10.0)
    direct = gammaln(small) - (small - 0.5) * np.log(small) + small - 0.5 * np.log(2 * np.pi)
    return np.asarray(np.where(z > 10, series, direct))


def beta_evaluate(a: Floats, b: Floats, theta: Floats) -> tuple[Floats, Floats, Floats]:
    """Distribution function, density and its derivative of Beta(a, b), elementwise; infinite or NaN at the ends."""
    n = a + b
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        log_density = log_peaks(a, b) + a * log_ratio(theta, a / n) + b * log_ratio(1 - theta, b / n)
        f = np.exp(log_density - np.log(theta) - np.log1p(-theta))
        return beta_cdf(a, b, theta), f, f * ((a - 1) / theta - (b - 1) / (1 - theta))


# -- From what an expert says to pseudo-counts: a Beta of a mean and an interval --------------------------------------

#: Pseudo-counts between which a Beta is looked for.
LEAST, MOST = 1e-6, 1e12


def beta_of_belief(mean: float, low: float, high: float, level: float) -> tuple[float, float] | None:
    """Beta (a, b) with that mean and with ``level`` in [low, high], by bisection over log(a + b); None if none."""

    def inside(log_mass: Floats) -> Floats:
        a, b = mean * np.exp(log_mass), (1 - mean) * np.exp(log_mass)
        return np.asarray(betainc(a, b, high) - betainc(a, b, low))

    ends = np.log([LEAST, MOST])
    least, most = inside(ends)
    if least >= level or most < level:
        return None
    mass = float(np.exp(bisect_increasing(inside, np.array(level), *ends.tolist())))
    return mean * mass, (1 - mean) * mass


# -- Many Betas at once ------------------------------------------------------------------------------------------------


def hdi_beta(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Both ends of the shortest interval of Beta(a, b), elementwise, a, b > 0.

    Where the density falls from an end (a <= 1 or b <= 1), that is an end of the interval; U-shaped or flat, it is the
    central one. Else both ends are equally dense: by Newton's method, else by the tail below in a bracket, ends to 1e-8
    of their distance and the width to 1e-12.
    """
    a, b = (np.array(x, dtype=float) for x in np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float)))
    tail = np.where((a <= 1) & (b < a) | (b <= 1) & (a > 1), 1 - level, 0.0)
    tail = np.where(((a < 1) & (b < 1)) | (a == 1) & (b == 1) | (a > 1) & (b > 1), (1 - level) / 2, tail)
    ends = np.stack([beta_quantile(a, b, tail), beta_quantile(a, b, np.minimum(tail + level, 1.0))], axis=-1)
    tops = (a > 1) & (b > 1)
    if tops.any():
        p, q = a[tops, None], b[tops, None]
        inner, found = equal_densities(
            lambda rows, x: beta_evaluate(p[rows], q[rows], x), level, ends[tops], np.zeros(len(p)), np.ones(len(p))
        )
        if not found.all():
            first, second = p[~found, 0], q[~found, 0]
            below = _tail_below(first, second, level)
            inner[~found] = beta_quantile(first[:, None], second[:, None], below[:, None] + np.array([0.0, level]))
        ends[tops] = inner
    return ends[..., 0], ends[..., 1]


def hdi_width(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> Floats:
    """Width of the shortest interval of Beta(a, b), elementwise.

    Where both parameters are above 1e7, from skewness and excess g, h of the law: with z the quantile of (1 + level)/2,
    2 sd (z + h (z^3 - 3 z) / 24 - g^2 (2 z^3 - 5 z) / 36 - g^2 z / 18), the expansion of Cornish and Fisher less what
    the tails of the shortest interval differ by; relative error about 1e-14, in a thousandth of the time.
    """
    a, b = (np.array(x, dtype=float) for x in np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float)))
    large = np.minimum(a, b) > LARGE
    width = np.empty(a.shape)
    low, high = hdi_beta(a[~large], b[~large], level)
    width[~large] = high - low
    p, q, z = a[large], b[large], float(ndtri((1 + level) / 2))
    n = p + q
    sd = np.sqrt(p / n * (q / n) / (n + 1))
    skewness = (q - p) / n * (n / (n + 2)) / (sd * n) * 2
    square, excess = skewness**2, 1.5 * skewness**2 - 6 / n
    width[large] = 2 * sd * (z + excess * (z**3 - 3 * z) / 24 - square * ((2 * z**3 - 5 * z) / 36 + z / 18))
    return width


def _tail_below(a: Floats, b: Floats, level: float) -> Floats:
    """Probability below the shortest interval, for a, b > 1."""
    least, most = np.zeros_like(a), np.full_like(a, 1 - level)
    p = np.full_like(a, (1 - level) / 2)
    for step in range(70):
        low, high = beta_quantile(a, b, p), beta_quantile(a, b, p + level)
        with np.errstate(divide="ignore", invalid="ignore"):
            heights = [xlogy(a - 1, x) + xlog1py(b - 1, -x) for x in (low, high)]
            gap = heights[0] - heights[1]
            # d log f(x) / d p at x = F^-1(p) is f'(x) / f(x)^2
            steep = [
                ((a - 1) / x - (b - 1) / (1 - x)) / np.exp(height - betaln(a, b))
                for x, height in zip((low, high), heights, strict=True)
            ]
            tried = p - gap / (steep[0] - steep[1]) if step < 15 else np.full_like(p, np.nan)
        least, most = np.where(gap < 0, p, least), np.where(gap < 0, most, p)
        inside = np.isfinite(tried) & (tried > least) & (tried < most)
        # a step that is lost in rounding leaves the bracket as well; halving it would go away from the answer
        there = np.abs(gap) < 1e-9
        fresh = np.where(there, p, np.where(inside, tried, (least + most) / 2))
        # the width is at its least here, so an error of 1e-7 in p costs 1e-13 of it; near an end of the range the gap
        # is so steep that a short step says nothing, and the bracket must
        if np.all(there | (np.abs(fresh - p) < 1e-10) & (np.abs(gap) < 1e-4) | (most - least < 1e-13)):
            return fresh
        p = fresh
    return p
