"""The Beta on part of an interval that has given moments: four of them where one exists, else three, else two."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Booleans, Floats

__all__ = ["fit_beta"]

#: Weight of a wrong skewness and of a wrong kurtosis in the distribution function: the largest values of the second
#: and third Hermite terms of an Edgeworth series, max |He2 phi| / 6 and max |He3 phi| / 24.
OF_SKEWNESS, OF_KURTOSIS = 0.0665, 0.0230

#: Parameter from which on a Beta is taken to vanish smoothly at its end.
SMOOTH = 4.0


def fit_beta(moments: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Betas inside ``[low, high]`` with given mean and variance, and skewness and kurtosis as near as can be.

    Parameters
    ----------
    moments : ndarray, shape (4, M)
        Mean and central moments of order 2 to 4 of M laws on ``[low, high]``.
    low, high : float
        The interval that no fitted law may leave.

    Returns
    -------
    fit : ndarray, shape (4, M)
        ``a, b, start, width``: the law of ``start + width Beta(a, b)``.
    mismatch : ndarray, shape (M,)
        Error of the cdf by the skewness and kurtosis that are still missed.

    Notes
    -----
    Candidates are Pearson's type I by four moments; by three, with either end of the interval as its end; by two on
    the whole interval, which always exists.
    """
    best = _on_interval(moments, low, high)
    mismatch = _mismatch(best, moments)
    for fit in (_ending_at(moments, low), _ending_at(moments, high), _by_four(moments)):
        missed = np.where(_allowed(fit, low, high), _mismatch(fit, moments), np.inf)
        best, mismatch = np.where(missed < mismatch, fit, best), np.minimum(missed, mismatch)
    return best, mismatch


def _allowed(fit: Floats, low: float, high: float) -> Booleans:
    """Inside the interval, and smooth at an end of its own within it: a density that is a spike there is none here."""
    a, b, start, width = fit
    slack = 1e-12 * (high - low)
    with np.errstate(invalid="ignore"):
        lower, upper = start - low, high - start - width
        proper = np.isfinite(fit).all(0) & (a > 0) & (b > 0) & (width > 0) & (lower >= -slack) & (upper >= -slack)
        return np.asarray(proper & ((a >= SMOOTH) | (lower <= slack)) & ((b >= SMOOTH) | (upper <= slack)))


def _mismatch(fit: Floats, moments: Floats) -> Floats:
    a, b = fit[:2]
    _, variance, third, fourth = moments
    with np.errstate(all="ignore"):
        s = a + b
        skewness = 2 * (b - a) / (s + 2) * np.sqrt((s + 1) / (a * b))
        kurtosis = 3 + 6 * ((a - b) ** 2 * (s + 1) - a * b * (s + 2)) / (a * b * (s + 2) * (s + 3))
        missed = OF_SKEWNESS * np.abs(skewness - third / variance**1.5)
        missed += OF_KURTOSIS * np.abs(kurtosis - fourth / variance**2)
    return np.asarray(np.where(np.isfinite(missed), missed, np.inf))


def _on_interval(moments: Floats, low: float, high: float) -> Floats:
    """Mean and variance, on the whole interval."""
    mean, variance = moments[:2]
    below, above, width = mean - low, high - mean, high - low
    total = np.maximum(below * above / variance - 1, 1e-12)
    return np.stack([total * below / width, total * above / width, 0 * mean + low, 0 * mean + width])


def _ending_at(moments: Floats, end: float) -> Floats:
    """Mean, variance and third central moment, where one end of the law is known.

    With e the distance from the mean to that end, v the variance and m the third moment towards it, the width is
    ``W = (4 v e + m (e^2/v - 1)) / (m e/v + 2 v)``.
    """
    mean, variance, third = moments[:3]
    upper = end > mean
    e, m = np.abs(end - mean), np.where(upper, third, -third)
    with np.errstate(all="ignore"):
        width = (4 * variance * e + m * (e * e / variance - 1)) / (m * e / variance + 2 * variance)
        total = e * (width - e) / variance - 1
        near, far = total * e / width, total * (width - e) / width
    start = np.where(upper, end - width, end)
    return np.stack([np.where(upper, far, near), np.where(upper, near, far), start, width])


def _by_four(moments: Floats) -> Floats:
    """Mean to fourth central moment: Pearson's type I, where skewness and kurtosis admit it (else not finite)."""
    mean, variance, third, fourth = moments
    with np.errstate(all="ignore"):
        squared_skewness, kurtosis = third**2 / variance**3, fourth / variance**2
        total = 6 * (kurtosis - squared_skewness - 1) / (6 + 3 * squared_skewness - 2 * kurtosis)
        root = np.sqrt((total + 2) ** 2 * squared_skewness + 16 * (total + 1))
        lean = np.sign(third) * (total + 2) * np.sqrt(squared_skewness) / root
        width = np.sqrt(variance) / 2 * root
        return np.stack([total / 2 * (1 - lean), total / 2 * (1 + lean), mean - width * (1 - lean) / 2, width])
