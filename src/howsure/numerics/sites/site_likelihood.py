"""Probability of the counts of sites whose rates come from a normal population on the logit scale.

    x_i ~ N(m, S),    k_ij | x_ij ~ Binomial(n_ij, expit(x_ij)),    j = 1 .. D

with D = 1 (one rate) or D = 2 (sensitivity and specificity: Chu and Cole 2006, J Clin Epidemiol 59: 1331). The x_i are
integrated by adaptive Gauss-Hermite quadrature: nodes stand around the top of each site's own integrand (Liu and Pierce
1994, Biometrika 81: 624). No cell is corrected: a count of 0 is a count of 0.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats

__all__ = ["Laplace", "centred", "log_counts", "log_likelihood", "roots", "times"]

#: Logs that a node may lie above the middle one before all are scaled anew; exp overflows at 709.
MOST_ABOVE = 600.0

#: Nodes on an axis: with 7 the log probability of a site is mostly within 2e-4 (sds 0.02 to 2.5), with 15 within 4e-6.
NODES = 7

#: Steps of Newton's method, none longer than the second number of logits.
STEPS, LONGEST = 5, 3.0

#: Numbers that are held at once.
BLOCK = 400_000


class Laplace:
    """Top and curvature of the integrand of each site at each population, in standard normal coordinates z.

    ``x = mean + L z``. All arrays have the shape (P, S): populations and sites.
    """

    def __init__(self, z: list[Floats], c: list[list[Floats]]) -> None:
        #: the top, and the lower triangle whose product with its transpose is the inverse of the curvature there
        self.z, self.c = z, c


def roots(sd: Floats, rho: Floats) -> list[list[Floats]]:
    """Lower triangle L of the covariance: sd (P, D), rho (P,); entries of shape (P, 1)."""
    first = sd[:, :1]
    if sd.shape[1] == 1:
        return [[first]]
    second, r = sd[:, 1:], rho[:, None]
    return [[first], [r * second, np.sqrt(np.maximum(1 - r * r, 0.0)) * second]]


def times(low: list[list[Floats]], z: Floats) -> Floats:
    """``L z`` of one z (P, D) for each population."""
    rows = [sum((low[j][i][:, 0] * z[:, i] for i in range(j + 1)), np.zeros(len(z))) for j in range(z.shape[1])]
    return np.stack(rows, axis=1)


def log_counts(x: Floats, k: Floats, n: Floats) -> Floats:
    """Log probability of k of n at logits x, without the binomial coefficient."""
    # as wrong cases at positive logits and right ones at negative: no two large numbers are subtracted
    return np.asarray((k - n) * np.maximum(x, 0.0) + k * np.minimum(x, 0.0) - n * np.log1p(np.exp(-np.abs(x))))


def centred(mean: Floats, sd: Floats, rho: Floats, k: Floats, n: Floats) -> Laplace:
    """Find where each site's integrand has its top.

    Parameters
    ----------
    mean, sd : ndarray, shape (P, D)
        Means and standard deviations of P populations.
    rho : ndarray, shape (P,)
        Correlations; not read where D is 1.
    k, n : ndarray, shape (S, D)
    """
    low = roots(sd, rho)
    size = mean.shape[1]
    # begun at the mean given normal likelihoods of the logits of the counts with half a case added to each
    guess = np.log((k + 0.5) / (n - k + 0.5))
    precision = 1 / (1 / (k + 0.5) + 1 / (n - k + 0.5)) * (n > 0)
    z = [np.zeros((len(mean), len(k))) for _ in range(size)]
    z = _stepped(low, z, [precision[:, j] * (guess[:, j] - mean[:, j : j + 1]) for j in range(size)], precision, z)[0]
    c: list[list[Floats]] = []
    for step in range(STEPS + 1):
        gradient, curve = [], []
        for j in range(size):
            p = special.expit(mean[:, j : j + 1] + sum(low[j][i] * z[i] for i in range(j + 1)))
            gradient.append(k[:, j] - n[:, j] * p)
            curve.append(n[:, j] * p * (1 - p))
        moved, c = _stepped(low, z, gradient, curve, z)
        if step < STEPS:
            longest = np.maximum(1.0, sum(np.abs(a - b) for a, b in zip(moved, z, strict=True)) / LONGEST)
            z = [b + (a - b) / longest for a, b in zip(moved, z, strict=True)]
    return Laplace(z, c)


def _stepped(
    low: list[list[Floats]], z: list[Floats], gradient: list[Floats], curve: list[Floats] | Floats, at: list[Floats]
) -> tuple[list[Floats], list[list[Floats]]]:
    """One step of Newton's method, and the triangle of the inverse curvature: ``1 + L' diag(curve) L``."""
    w = [curve[:, j] for j in range(curve.shape[1])] if isinstance(curve, np.ndarray) else curve
    l11 = low[0][0]
    if len(z) == 1:
        h = 1 + l11 * l11 * w[0]
        return [at[0] + (l11 * gradient[0] - z[0]) / h], [[1 / np.sqrt(h)]]
    l21, l22 = low[1]
    h11, h12, h22 = 1 + l11 * l11 * w[0] + l21 * l21 * w[1], l21 * l22 * w[1], 1 + l22 * l22 * w[1]
    g1, g2 = l11 * gradient[0] + l21 * gradient[1] - z[0], l22 * gradient[1] - z[1]
    det = h11 * h22 - h12 * h12
    moved = [at[0] + (h22 * g1 - h12 * g2) / det, at[1] + (h11 * g2 - h12 * g1) / det]
    c11 = np.sqrt(h22 / det)
    return moved, [[c11], [-h12 / det / c11, 1 / np.sqrt(h22)]]


def log_likelihood(mean: Floats, sd: Floats, rho: Floats, k: Floats, n: Floats, *, nodes: int = NODES) -> Floats:
    """Log probability of the counts of every site, without binomial coefficients, at each population, shape (P, S).

    Parameters
    ----------
    mean, sd : ndarray, shape (P, D)
        Of the logits.
    rho : ndarray, shape (P,)
        Correlation of the two logits of a site, within -1 and 1; not read where D is 1.
    k, n : ndarray, shape (S, D)
        A site without cases (n = 0) of one of two rates tells only of the other.
    nodes : int
        On an axis; 1 is Laplace's approximation.

    Examples
    --------
    >>> one = np.array([[0.0]])
    >>> round(float(np.exp(log_likelihood(one, one + 1, one[0], one + 3, one + 4))[0, 0]), 4)    # E[p^3 (1 - p)]
    0.0585
    """
    step = max(1, BLOCK // (len(k) * nodes ** mean.shape[1]))
    parts = [slice(i, i + step) for i in range(0, len(mean), step)]
    return np.concatenate([_of_block(mean[s], sd[s], rho[s], k, n, nodes) for s in parts])


def _of_block(mean: Floats, sd: Floats, rho: Floats, k: Floats, n: Floats, nodes: int) -> Floats:
    u, weight = np.polynomial.hermite_e.hermegauss(nodes)
    # weights of an integral without its normal density, and that of z (1 / sqrt(2 pi) each)
    log_w = np.log(weight) + u * u / 2 - 0.5 * np.log(2 * np.pi)
    at, low = centred(mean, sd, rho, k, n), roots(sd, rho)
    z1 = at.z[0] + at.c[0][0] * u[:, None, None]
    x1 = mean[:, :1] + low[0][0] * z1
    first = log_counts(x1, k[:, 0], n[:, 0]) - z1 * z1 / 2 + log_w[:, None, None]
    scale = np.log(at.c[0][0])
    if mean.shape[1] == 1:
        return np.asarray(np.logaddexp.reduce(first, axis=0) + scale)
    (l21, l22), (c21, c22) = low[1], at.c[1]
    far = at.z[1] + c21 * u[:, None, None]
    base, slope = mean[:, 1:] + l21 * z1 + l22 * far, l22 * c22
    total = np.zeros(far.shape[1:])
    top = None
    for v, log_v in sorted(zip(u, log_w, strict=True), key=lambda pair: abs(pair[0])):
        z2 = far + c22 * v
        height = first + log_counts(base + slope * v, k[:, 1], n[:, 1]) - z2 * z2 / 2 + log_v
        peak = height.max(axis=0)
        if top is None:  # the middle: hardly anything is much higher
            top = peak
        elif (peak > top + MOST_ABOVE).any():
            higher = np.where(peak > top + MOST_ABOVE, peak, top)
            total, top = total * np.exp(top - higher), higher
        total += np.exp(height - top).sum(axis=0)
    return np.asarray(np.log(total) + top + scale + np.log(c22))
