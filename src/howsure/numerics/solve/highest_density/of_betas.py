"""Highest-density intervals of many Betas at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, ndtri, xlog1py, xlogy

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.peaks import LARGE, beta_quantile


def hdi_beta(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Both ends of the shortest interval of Beta(a, b), elementwise, a, b > 0.

    Where the density falls from an end (a <= 1 or b <= 1), that is an end of the interval; U-shaped or flat, it is the
    central one. Else the lower tail p at which the densities at F^-1(p) and F^-1(p + level) agree, by Newton in a
    bracket: ends to 1e-8 of their distance, the width to 1e-12.
    """
    a, b = (np.array(x, dtype=float) for x in np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float)))
    tail = np.where((a <= 1) & (b <= 1), (1 - level) / 2, np.where(a <= 1, 0.0, np.where(b <= 1, 1 - level, np.nan)))
    inner = np.isnan(tail)
    tail[inner] = _tail_below(a[inner], b[inner], level)
    ends = beta_quantile(a, b, tail), beta_quantile(a, b, np.minimum(tail + level, 1.0))
    return np.asarray(ends[0], dtype=float), np.asarray(ends[1], dtype=float)


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
