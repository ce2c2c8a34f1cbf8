"""The law of a weighted sum of recalls of a learned population, as a mixture of Betas with the right moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.learned.beta_mixture import BetaMixture

__all__ = ["FittedMixture", "Summands", "blend", "fit_beta", "mixture_from_moments", "sum_cumulants"]

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


BLOCK = 200_000

#: Components with less mass are left out; what all of them hold is part of the error.
LEAST_MASS = 1e-9

#: Components are joined within cells of this size, in their standard deviation and in its logarithm.
CELL = 0.25

#: The estimated error is raised by this, for what fifth and higher moments do.
SAFETY = 2.0

#: A moment may be as wrong as it likes, two laws of one mean and variance do not differ by more than about this.
LARGEST = 0.2

#: Components narrower than this, in standard deviations of the whole, are spikes whose shape is not looked at.
SPIKE = 0.01


@dataclass(frozen=True, eq=False)
class FittedMixture(BetaMixture):
    """Mixture of Betas fitted to another law.

    ``error`` estimates by how much the cdf is wrong, if ``x`` may move by a hundredth of a standard deviation: where
    everything was right much of the law is a spike at the end of its support, within 1e-6 or less.
    """

    error: float = 0.0

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.weights @ self.means)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.weights @ (self.sds**2 + (self.means - self.mean) ** 2)))


@dataclass(frozen=True)
class Summands:
    """Distinct terms ``w theta`` of a sum: number of the tally, weight w, number of copies."""

    tally: Integers
    w: Floats
    copies: Floats

    @classmethod
    def of(cls, place: Integers, w: Floats) -> Summands:
        """Group equal terms; those with weight 0 are left out. ``place`` (K,) is the tally of each member."""
        used = w != 0
        rows, copies = np.unique(np.stack([place[used].astype(float), w[used]]), axis=1, return_counts=True)
        return cls(rows[0].astype(np.int64), rows[1], copies.astype(float))


def sum_cumulants(
    main: tuple[Floats, Floats], broad: tuple[Floats, ...], chance: Floats, weight: Floats, summands: Summands
) -> Floats:
    """Mean and cumulants 2 to 4, shape (4, G), of ``sum w theta`` given each of G nodes.

    Terms are independent, Beta(main) (G, U) or with probability ``chance`` (E, G, U) Beta(broad) (U,); the nodes of
    the share, of probabilities ``weight`` (E, G), are taken together.
    """
    main_moments, broad_moments = _beta_moments(*main), _beta_moments(*broad)
    gap = broad_moments[0] - main_moments[0]
    (p0, v0, t0, f0), (_, v1, t1, f1) = main_moments, broad_moments
    reference = p0 @ (summands.copies * summands.w)
    sums = np.zeros((5, len(reference)))
    for q, mass in enumerate(weight):
        odd = chance[q]
        up, down = (1 - odd) * gap, -odd * gap  # from the mean of both parts
        variance = (1 - odd) * (v0 + down**2) + odd * (v1 + up**2)
        third = (1 - odd) * (t0 + down * (3 * v0 + down**2)) + odd * (t1 + up * (3 * v1 + up**2))
        fourth = (1 - odd) * (f0 + down * (4 * t0 + down * (6 * v0 + down**2)))
        fourth += odd * (f1 + up * (4 * t1 + up * (6 * v1 + up**2)))
        moments = (odd * gap, variance, third, fourth - 3 * variance**2)
        cumulants = [m @ (summands.copies * summands.w ** (order + 1)) for order, m in enumerate(moments)]
        sums += mass * np.concatenate([np.ones((1, len(reference))), _raw_moments(np.array(cumulants), 0.0)])
    d, v, third, fourth = _central_moments(sums)
    return np.stack([reference + d, v, third, fourth - 3 * v**2])


def _beta_moments(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean and central moments 2 to 4 of Betas."""
    total = a + b
    p, q = a / total, b / total
    v = p * q / (total + 1)
    excess = 6 * v * ((q - p) ** 2 - p * q * (total + 2) / (total + 1)) / ((total + 2) * (total + 3))
    return p, v, 2 * v * (q - p) / (total + 2), excess + 3 * v**2


def blend(box: Floats) -> Floats:
    """Replace the nodes along the last two axes by overlapping groups of three, with shares 1 : 4 : 1.

    These are the values of the cubic B-spline at whole numbers. All groups together are the nodes again, so a mixture
    of groups is the same law. But a group is a smooth hump as wide as the distance of the nodes even where the law at
    a node is a spike (all classes alike), and where it is broad nothing changes. Axes of length 1 stay.
    """
    for axis in (-1, -2):
        if box.shape[axis] > 1:
            padding = [(0, 0)] * box.ndim
            padding[axis] = (2, 2)
            padded = np.moveaxis(np.pad(box, padding), axis, -1)
            grouped = (padded[..., :-2] + 4 * padded[..., 1:-1] + padded[..., 2:]) / 6
            box = np.moveaxis(grouped, -1, axis)
    return box


def mixture_from_moments(weight: Floats, cumulants: Floats, support: tuple[float, float]) -> FittedMixture:
    """Mixture of fitted Betas from nodes.

    Parameters
    ----------
    weight : ndarray, shape (Y, B, A)
        Probabilities of the nodes.
    cumulants : ndarray, shape (4, Y, B, A)
        Mean and cumulants 2 to 4 given each node.
    support : (float, float)
        Where the sum can lie.
    """
    centre = float((weight * cumulants[0]).sum())
    sums = blend(weight * np.concatenate([np.ones((1, *weight.shape)), _raw_moments(cumulants, centre)]))
    sums = _joined(sums.reshape(5, -1))
    central = _central_moments(sums)
    central[1] = np.maximum(central[1], 1e-20 * (support[1] - support[0]) ** 2)
    low, high = support[0] - centre, support[1] - centre
    (a, b, start, width), mismatch = fit_beta(central, low, high)
    mass = sums[0] / sums[0].sum()
    variance = float(mass @ (central[1] + central[0] ** 2)) - float(mass @ central[0]) ** 2
    seen = central[1] > SPIKE**2 * variance
    error = SAFETY * float(mass[seen] @ (mismatch / (1 + mismatch / LARGEST))[seen]) + abs(float(1 - sums[0].sum()))
    return FittedMixture(mass, a, b, start + centre, width, error)


def _raw_moments(cumulants: Floats, centre: float) -> Floats:
    """Moments of order 1 to 4 about ``centre``."""
    d, v, third, fourth = cumulants[0] - centre, *cumulants[1:]
    return np.stack([d, v + d**2, third + 3 * d * v + d**3, fourth + 3 * v**2 + 4 * d * third + 6 * d**2 * v + d**4])


def _central_moments(sums: Floats) -> Floats:
    """Mean and central moments of order 2 to 4, from mass-weighted moments of order 0 to 4."""
    d, second, third, fourth = sums[1:] / sums[0]
    variance = second - d**2
    return np.stack(
        [d, variance, third - 3 * d * second + 2 * d**3, fourth - 4 * d * third + 6 * d**2 * second - 3 * d**4]
    )


def _joined(sums: Floats) -> Floats:
    """Join components that nearly agree in mean and standard deviation; moments of order 0 to 4 add up."""
    sums = sums[:, sums[0] > LEAST_MASS]
    mean, variance = _central_moments(sums)[:2]
    level = np.round(0.5 * np.log(np.maximum(variance, 1e-30)) / CELL)
    place = np.round(mean / (CELL * np.exp(CELL * level)))
    cell = _numbered(np.stack([level, place]))
    return np.array([np.bincount(cell, row) for row in sums])


def _numbered(keys: Floats) -> Integers:
    return np.asarray(np.unique(keys, axis=1, return_inverse=True)[1]).ravel()
