"""Probabilities of the beta-binomial law: the number of successes in n new trials with an uncertain rate."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["beta_binomial_pmf", "sum_pmf"]


def beta_binomial_pmf(n: int, a: float, b: float) -> Floats:
    """P(V = v) = C(n, v) B(a + v, b + n - v) / B(a, b) for v = 0..n, shape (n + 1,).

    Relative error, measured, where the probability is above 1e-20: 1e-11 up to n = 10,000 and 1e-9 up to 10,000,000.

    Johnson, Kemp and Kotz 2005, Univariate Discrete Distributions, section 6.2. By the ratios of neighbours, and
    normalised by their sum: no gamma function of a large number loses digits.
    """
    v = np.arange(n, dtype=float)
    # log of P(v + 1) / P(v)
    steps = np.log((n - v) / (v + 1)) + np.log((a + v) / (b + n - v - 1))
    top = int(np.argmax(np.concatenate([[0.0], np.cumsum(steps)])))
    # from the most probable v outwards, so that rounding errors add up only where there is little left
    falling, rising = np.cumsum(-steps[:top][::-1])[::-1], np.cumsum(steps[top:])
    pmf = np.exp(np.concatenate([falling, [0.0], rising]))
    return np.asarray(pmf / pmf.sum())


def sum_pmf(parts: list[Floats]) -> Floats:
    """Probabilities of a sum of independent numbers of successes, by direct convolution."""
    total = np.ones(1)
    for pmf in sorted(parts, key=len):
        total = np.convolve(total, pmf)
    return total
