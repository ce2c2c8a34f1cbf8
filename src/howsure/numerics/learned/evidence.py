"""How likely the tallies of all classes are, if class recalls come from one Beta that depends on the class size.

    theta_i ~ Beta(mu_i kappa, (1 - mu_i) kappa),    logit mu_i = a + b t_i,    y = log kappa
    expit(a) ~ Uniform(0, 1),    b ~ Normal(0, 1),    rho = 1/(1 + kappa) ~ Beta(1, 3)

``t_i`` is the log of the class size, centred; ``rho`` is the correlation of two answers of one class. The recalls
integrate out: ``k_i`` right of ``n_i`` is beta-binomial (Gelman et al., Bayesian Data Analysis, chapter 5).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats

__all__ = ["Tallies", "log_evidence", "log_prior", "log_rising_excess", "quasi_likelihood_fit", "size_scores"]

#: Numbers that one block of nodes times classes may hold.
BLOCK = 50_000

#: From here on four terms of Stirling's series are right to the last digit.
STIRLING = 12.0


@dataclass(frozen=True)
class Tallies:
    """Distinct tallies of the tested classes: ``k`` right of ``n``, size score ``t``, number of ``copies``."""

    k: Floats
    n: Floats
    t: Floats
    copies: Floats

    @classmethod
    def of(cls, k: Floats, n: Floats) -> Tallies:
        """Group classes with the same tally; untested classes say nothing and are left out."""
        tested = n > 0
        pairs, first, copies = np.unique(
            np.stack([k[tested], n[tested]]), axis=1, return_index=True, return_counts=True
        )
        return cls(pairs[0], pairs[1], size_scores(n)[tested][first], copies.astype(float))


def size_scores(n: Floats) -> Floats:
    """``t_i = log n_i - mean_j log n_j`` over tested classes; an untested one counts as the smallest tested."""
    tested = n > 0
    if not tested.any():
        return np.zeros(len(n))
    logs = np.log(n, where=tested, out=np.full(len(n), np.inf))
    spread = np.where(tested, logs, logs.min()) - logs[tested].mean()
    return spread if np.ptp(logs[tested]) > 0 else np.zeros(len(n))


def log_prior(a: Floats, b: Floats, y: Floats) -> Floats:
    """Log density of ``(a, b, y)`` up to a constant; the Jacobians of logit and ``y = log kappa`` are in it."""
    return np.asarray(a - 2 * np.logaddexp(0, a) - b * b / 2 + 3 * y - 4 * np.logaddexp(0, y))


def log_rising_excess(x: Floats, log_x: Floats, k: Floats) -> Floats:
    """``log Gamma(x + k)/Gamma(x) - k log x``: what a rising factorial is above a power; 0 for ``x`` far above ``k``.

    By the difference of two Stirling series, so nothing cancels where ``x`` is large.
    """
    with np.errstate(over="ignore"):
        grown = np.log1p(k / x)
    excess = (x + k - 0.5) * grown - k + _stirling(x + k) - _stirling(x)
    small = x < STIRLING
    if small.any():
        x, k, log_x = x[small], np.broadcast_to(k, small.shape)[small], log_x[small]
        excess[small] = special.gammaln(x + k) - special.gammaln(x) - k * log_x
    return np.asarray(excess)


def _stirling(z: Floats) -> Floats:
    r = 1 / np.maximum(z, 1.0)
    s = r * r
    return np.asarray(r * (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))))


def log_evidence(a: ArrayLike, b: ArrayLike, y: ArrayLike, tallies: Tallies) -> Floats:
    """Log beta-binomial probability of all tallies at nodes ``(a, b, y)`` of one shape, without binomial coefficients.

    ``sum_i log B(mu kappa + k, (1 - mu) kappa + n - k) - log B(mu kappa, (1 - mu) kappa)``, written as
    ``k log mu + (n - k) log(1 - mu)`` plus three excesses, which keeps its digits up to counts of 1e9 and any kappa.
    """
    nodes = np.broadcast_arrays(*(np.asarray(v, float) for v in (a, b, y)))
    shape = nodes[0].shape
    flat = [v.ravel()[:, None] for v in nodes]
    result = np.empty(flat[0].size)
    step = max(1, BLOCK // max(1, len(tallies.n)))
    for start in range(0, len(result), step):
        part = slice(start, start + step)
        result[part] = _evidence_block(flat[0][part], flat[1][part], flat[2][part], tallies)
    return result.reshape(shape)


def _evidence_block(a: Floats, b: Floats, y: Floats, tallies: Tallies) -> Floats:
    k, n = tallies.k, tallies.n
    wrong = n - k
    eta = a + b * tallies.t
    log_q = -np.logaddexp(0, eta)
    log_p = eta + log_q
    total = k * log_p + wrong * log_q
    for log_share, count in ((log_p, k), (log_q, wrong)):
        log_x = np.maximum(log_share + y, -600.0)
        total += log_rising_excess(np.exp(log_x), log_x, count)
    spread, place = np.unique(y, return_inverse=True)
    whole = log_rising_excess(np.exp(spread)[:, None] + 0 * n, spread[:, None] + 0 * n, n)
    return np.asarray(total @ tallies.copies - (whole @ tallies.copies)[place.ravel()])


def quasi_likelihood_fit(y: Floats, tallies: Tallies) -> tuple[Floats, Floats, Floats]:
    """Centre ``(a, b)`` and information matrix for each ``y``, shapes (Y,), (Y,), (Y, 3): entries aa, ab, bb.

    Weighted logistic regression on the size score, with weight ``1/(1 + (n - 1) rho)`` for a case, two pseudo-cases
    (one right, one wrong) and the prior of ``b``. Only a guide for the nodes; their weights are exact.
    """
    k, n, t = tallies.k, tallies.n, tallies.t
    weight = tallies.copies / (1 + (n - 1) * special.expit(-y)[:, None])
    cases = weight @ n
    p = (weight @ k + 1) / (cases + 2)
    a, b = special.logit(p), np.zeros_like(p)
    for _ in range(30):
        mu, middle = special.expit(a[:, None] + b[:, None] * t), special.expit(a)
        information = weight * n * mu * (1 - mu)
        residual = weight * (k - n * mu)
        g1, g2 = residual.sum(1) + 1 - 2 * middle, residual @ t - b
        h11, h12, h22 = information.sum(1) + 2 * middle * (1 - middle), information @ t, information @ t**2 + 1
        determinant = h11 * h22 - h12**2
        da, db = (h22 * g1 - h12 * g2) / determinant, (h11 * g2 - h12 * g1) / determinant
        a, b = a + np.clip(da, -2, 2), b + np.clip(db, -1, 1)
        if max(np.abs(da * np.sqrt(h11)).max(), np.abs(db * np.sqrt(h22)).max()) < 0.05:
            break  # within a twentieth of a standard deviation
    return a, b, np.stack([h11, h12, h22], axis=1)
