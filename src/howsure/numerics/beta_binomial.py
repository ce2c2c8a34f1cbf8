"""Probabilities of the beta-binomial law: the number of successes in n new trials with an uncertain rate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["beta_binomial_pmf", "sum_pmf"]

Floats = NDArray[np.float64]


def beta_binomial_pmf(n: int, a: float, b: float) -> Floats:
    """P(V = v) = C(n, v) B(a + v, b + n - v) / B(a, b) for v = 0..n, shape (n + 1,); relative error about 1e-10.

    Johnson, Kemp and Kotz 2005, Univariate Discrete Distributions, section 6.2. By the ratios of neighbours, and
    normalised by their sum: no gamma function of a large number loses digits.
    """
    v = np.arange(n, dtype=float)
    # log of P(v + 1) / P(v)
    steps = np.log((n - v) / (v + 1)) + np.log((a + v) / (b + n - v - 1))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    pmf = np.exp(logs - logs.max())
    return np.asarray(pmf / pmf.sum())


def sum_pmf(parts: list[Floats]) -> Floats:
    """Probabilities of a sum of independent numbers of successes, by direct convolution."""
    total = np.ones(1)
    for pmf in sorted(parts, key=len):
        total = np.convolve(total, pmf)
    return total
