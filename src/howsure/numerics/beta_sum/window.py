"""Where the mass is: a rigorous Chernoff window from a closed-form bound of the cumulant generating function.

The Markov-Krein identity ``E (1 - lam X)^-A = prod_j (1 - lam c_j)^-alpha_j`` for ``X = sum c_j p_j``, ``A = sum
alpha_j``, and the convexity of ``-A log(1 - lam X)`` in ``X`` give, for every ``z > max s c_j``,

    log E e^{sX}  <=  z - A - sum_j alpha_j log((z - s c_j) / A),

which is least where ``sum_j alpha_j / (z - s c_j) = 1``, the saddle point of the contour integral of the same
transform. A Beta is moreover sub-Gaussian: ``log E e^{s (theta - p)} <= s^2 / (8 (a + b + 1))`` (Marchal and Arbel,
2017). Per row the smaller of the two bounds is taken.
"""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.normal_form import BetaRows, LinearForm, WideRow, stack_rows

__all__ = ["beta_saddle", "chernoff_window", "cumulant_bound", "cumulant_bound_slope", "row_saddle"]

NEGLIGIBLE = 39.2  # e^-39.2 < 1e-17: the mass that may lie outside the window on either side
TILTS = np.geomspace(0.25, 90.0, 18)  # trial tilts, in units of 1/sd; 8.9 is the best one for a normal law
NEAR_SADDLE = 1e-3  # every z gives a bound; it is flat at the best one
ROWS_AT_A_TIME = 50_000


def beta_saddle(betas: BetaRows, s: Floats) -> tuple[Floats, Floats]:
    """Distances ``z - s w`` and ``z`` of the saddle ``a/(z - s w) + b/z = 1`` from its branch points.

    Both solve a quadratic with a positive and a negative root; each positive root is taken in the form that does not
    cancel. Shapes ``s.shape + (rows,)``.
    """
    n = betas.a + betas.b
    tilt = s[..., None] * betas.w
    ahead, behind = n + tilt, n - tilt
    root = np.sqrt(np.maximum(behind * behind + 4 * betas.a * tilt, 0.0))
    to_upper = np.where(
        behind > 0, 0.5 * (behind + root), 2 * betas.a * tilt / np.where(behind > 0, 1.0, root - behind)
    )
    to_lower = np.where(ahead > 0, 0.5 * (ahead + root), -2 * betas.b * tilt / np.where(ahead > 0, 1.0, root - ahead))
    return to_upper, to_lower


def row_saddle(row: WideRow, s: Floats) -> Floats:
    """Root ``z > max s c_j`` of ``sum_j alpha_j / (z - s c_j) = 1`` for every ``s``."""
    return saddles(np.multiply.outer(s, row.c), row.alpha, 1e-13)


def saddles(branch: Floats, alpha: Floats, tolerance: float) -> Floats:
    """Root ``z > max branch`` of ``sum_j alpha_j / (z - branch_j) = 1`` (last axis), by Newton on the reciprocal.

    The reciprocal of the sum, a weighted harmonic mean, is increasing and concave in ``z``, and at most 1 at distance
    ``alpha`` from the largest branch point: Newton's method climbs from there to the root without overshooting.
    """
    top = branch.max(axis=-1)
    z = top + np.where(branch == top[..., None], alpha, 0.0).max(axis=-1)
    for _ in range(60):
        gap = z[..., None] - branch
        ratio = alpha / gap
        total = ratio.sum(axis=-1)
        step = (total - 1) * total / (ratio / gap).sum(axis=-1)
        z = z + np.maximum(step, 0.0)
        if (step <= tolerance * (z - top)).all():
            break
    return np.asarray(z)


def cumulant_bound(form: LinearForm, s: Floats) -> Floats:
    """Upper bound of ``log E exp(s (X - mean))`` for every ``s``."""
    bound = np.zeros(s.shape)
    for start in range(0, len(form.betas), ROWS_AT_A_TIME):
        part = slice(start, start + ROWS_AT_A_TIME)
        betas = BetaRows(form.betas.a[part], form.betas.b[part], form.betas.w[part], form.betas.count[part])
        n = betas.a + betas.b
        to_upper, to_lower = beta_saddle(betas, s)
        tilt = s[..., None] * betas.w
        shape = to_lower - n - tilt * (betas.a / n) - betas.a * np.log(to_upper / n) - betas.b * np.log(to_lower / n)
        bound += np.minimum(shape, tilt * tilt / (8 * (n + 1))) @ betas.count
    for c, alpha, count in stack_rows(form.wide, ROWS_AT_A_TIME // 10):
        branch = s[:, None, None] * c
        z, total = saddles(branch, alpha, NEAR_SADDLE), alpha.sum(axis=1)
        logs = (np.log((z[..., None] - branch) / total[:, None]) * alpha).sum(axis=-1)
        bound += (z - total - logs) @ count
    return bound


def cumulant_bound_slope(form: LinearForm, s: float) -> float:
    """Differentiate the Markov-Krein part of the bound: nearly the mean of the law tilted by ``e^{sX}``."""
    betas, at = form.betas, np.array([s])
    n = betas.a + betas.b
    to_upper, to_lower = beta_saddle(betas, at)
    pq = betas.a / n * (betas.b / n)
    slope = float((betas.count * betas.w * pq * n * s * betas.w / (to_upper[0] * to_lower[0])).sum())
    for row in form.wide:
        slope += row.count * float((row.alpha * row.c / (row_saddle(row, at)[0] - s * row.c)).sum())
    return slope


def chernoff_window(form: LinearForm) -> tuple[float, float]:
    """Interval around the mean (given relative to it) that misses at most ``1e-17`` on either side.

    ``P(X - mean > v) <= exp(K(s) - s v)`` for every ``s > 0``, hence ``v = min_s (K(s) + 39.2)/s`` will do for any set
    of trial ``s``; the support bounds it.
    """
    s = TILTS / form.sd
    bound = cumulant_bound(form, np.concatenate((s, -s)))
    reach = (bound + NEGLIGIBLE) / np.concatenate((s, s))
    above, below = float(reach[: len(s)].min()), float(reach[len(s) :].min())
    return -min(below, form.below), min(above, form.above)
