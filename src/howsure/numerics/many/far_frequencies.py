"""Characteristic functions of Betas at high frequencies, where only the two ends of the support are felt.

Turning the path of integration at both ends into the upper half plane leaves integrals over ``e^{-T s}``, and the
binomial series of the smooth factor turns each into an asymptotic one (Olver, 1974, chapter 3):

    E e^{i T theta} ~ e^{i T} S(a, b, T) + conj S(b, a, T),
    S(a, b, T) = e^{-i pi b/2} Gamma(a + b)/Gamma(a) T^{-b} sum_k C(a - 1, k) (b)_k (i/T)^k,

which ends where a is whole. A rule of nodes needs as many of them as there are turns in the support: here a frequency
costs some twenty products however high it is.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.fourier import unit_phase
from howsure.numerics.learned.beta_mixture import log_peaks

__all__ = ["far_frequency", "far_transforms"]

MOST_TERMS = 64
SMALL = 1e-17  # of the largest term of a series
NOTHING = -45.0  # logarithm of an end that is not felt


def far_frequency(a: Floats, b: Floats) -> Floats:
    """Frequency from which the series are good to 1e-13: terms fall by four, or first grow to e^2."""
    return np.maximum(np.maximum(4 * (a + b), 0.5 * a * b), 48.0)


def far_transforms(a: Floats, b: Floats, T: Floats) -> Complexes:
    """``E e^{i T (theta - E theta)}`` at rising frequencies ``T``, shape (R, count), from `far_frequency` on."""
    p, q = a / (a + b), b / (a + b)
    # 1/B(a, b), without the difference of large log gammas where a or b is small
    lower = np.where(q < 0.5, np.log1p(-q), np.log(p))
    upper = np.where(p < 0.5, np.log1p(-p), np.log(q))
    scale = log_peaks(a, b) - a * lower - b * upper
    result = np.zeros(T.shape, complex)
    for one, other, place, side in ((a, b, q, 1.0), (b, a, -p, -1.0)):
        felt = np.flatnonzero(scale + gammaln(other) - other * np.log(T[:, 0]) > NOTHING)
        if not felt.size:
            continue
        x = T[felt]
        height = np.exp((scale + gammaln(other))[felt, None] - other[felt, None] * np.log(x))
        even, odd = _end(one[felt], other[felt], x)
        turn = unit_phase(x * place[felt, None] - side * 0.5 * np.pi * other[felt, None])
        result[felt] += height * turn * (even + side * 1j * odd)
    return result


def _end(a: Floats, b: Floats, T: Floats) -> tuple[Floats, Floats]:
    """Real and imaginary part of ``sum_k C(a - 1, k) (b)_k (i/T)^k``, by Horner's scheme in ``(T_0/T)^2``."""
    terms = [np.ones(len(a))]
    largest = terms[0]
    for k in range(MOST_TERMS):
        terms.append(terms[-1] * (a - 1 - k) * (b + k) / ((k + 1) * T[:, 0]))
        size = np.abs(terms[-1])
        largest = np.maximum(largest, size)
        if (size < SMALL * largest).all():
            break
    ratio = T[:, :1] / T
    square = ratio * ratio
    sums = []
    for first in (0, 1):
        mine = [term if j % 2 == 0 else -term for j, term in enumerate(terms[first::2])]
        total = np.broadcast_to(mine[-1][:, None], T.shape).copy()
        for term in reversed(mine[:-1]):
            total *= square
            total += term[:, None]
        sums.append(total)
    return sums[0], sums[1] * ratio
