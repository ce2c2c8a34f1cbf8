"""Widths of highest-density intervals without a draw: of the straight part of a metric, from its first four cumulants.

Near the posterior mean a metric is nearly a sum of its class rows and of the class shares, each a Dirichlet, and the
cumulants of such a sum are closed. What the metric itself has besides, a small thing, is for simulation to find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.numerics.arrays import Floats, short_sum

__all__ = ["StraightPart", "dirichlet_cumulants", "recall_sum_cumulants", "width_of_cumulants"]

Whole = NDArray[np.int64]

#: Step of a cell, as a share of it, for the slope of a metric.
STEP = 1e-5
#: Numbers that are changed at once, few enough for a cache.
BLOCK = 100_000


def dirichlet_cumulants(alpha: Floats, slopes: Floats) -> Floats:
    """Second to fourth cumulants of ``sum_j a_j theta_j``, theta ~ Dirichlet(alpha).

    Parameters
    ----------
    alpha, slopes : ndarray, shape (..., J)
        Parameters of the Dirichlet, and the ``a_j``.

    Returns
    -------
    ndarray, shape (3, ...)
        In closed form. With S_r the sum of ``alpha_j (a_j - mean)^r`` and A the mass, the central moments are
        ``S_2/(A)_2, 2 S_3/(A)_3, (6 S_4 + 3 S_2^2)/(A)_4`` over rising factorials.

    Examples
    --------
    >>> dirichlet_cumulants(np.array([2.0, 3.0]), np.array([1.0, 0.0])).round(6).tolist()  # Beta(2, 3)
    [0.04, 0.002286, -0.001029]
    """
    # whole numbers would overflow in the fourth power of a mass
    alpha = np.asarray(alpha, dtype=np.float64)
    mass = short_sum(alpha) if alpha.shape[-1] < 8 else alpha.sum(-1)
    centred = slopes - (np.einsum("...j,...j->...", alpha, slopes) / mass)[..., None]
    square = centred * centred
    weighted = alpha * square
    two = weighted.sum(-1)
    three, four = np.einsum("...j,...j->...", weighted, centred), np.einsum("...j,...j->...", weighted, square)
    second = two / (mass * (mass + 1))
    third = 2 * three / (mass * (mass + 1) * (mass + 2))
    fourth = (6 * four + 3 * two**2) / (mass * (mass + 1) * (mass + 2) * (mass + 3)) - 3 * second**2
    return np.stack([second, third, fourth])


def recall_sum_cumulants(right: Whole, cases: Whole, prior: tuple[float, float], weights: Floats) -> Floats:
    """The same of ``sum_i w_i recall_i`` after each test, (R, K) right answers and cases to (3, R)."""
    alpha = np.stack([right + prior[0], cases - right + prior[1]], axis=-1)
    slopes = np.stack([weights, np.zeros_like(weights)], axis=-1)
    return np.asarray(dirichlet_cumulants(alpha, slopes).sum(-1))


def width_of_cumulants(cumulants: Floats, level: float) -> tuple[Floats, Floats]:
    """Width of the highest-density interval by the expansion of Cornish and Fisher, and a size of what that leaves out.

    Parameters
    ----------
    cumulants : ndarray, shape (3, R)
        Second to fourth.
    level : float
        Of the interval.

    Returns
    -------
    width, left_out : ndarray, shape (R,)
        A shift of both tails by a third of the skewness makes the central interval the shortest one, to this order:
        ``2 z sd (1 + excess (z^2 - 3)/24 - skew^2 (2 z^2 - 3)/36)``. Of sums of two Betas, 95%: the width is wrong by
        less than 0.3 times the second number, and by less than 4% where that is large.

    Examples
    --------
    >>> width, _ = width_of_cumulants(dirichlet_cumulants(np.array([81.0, 21.0]), np.array([1.0, 0.0])), 0.95)
    >>> round(float(width), 4)  # exact: 0.1548
    0.1549
    """
    z = float(ndtri((1 + level) / 2))
    sd = np.sqrt(cumulants[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        skew, excess = cumulants[1] / sd**3, cumulants[2] / sd**4
    grown = excess * (z * z - 3) / 24 - skew**2 * (2 * z * z - 3) / 36
    return 2 * z * sd * np.exp(grown), (skew**2 + np.abs(excess)) ** 2


@dataclass(frozen=True, eq=False)
class StraightPart:
    """The straight part of a metric at the posterior mean of each of R tests.

    Parameters
    ----------
    cumulants : ndarray, shape (3, R)
        Second to fourth.
    slopes : ndarray, shape (R, K, K)
        Of the metric, by each cell of the joint table.
    of_shares : ndarray, shape (R, K)
        Of the metric, by the share of each class, its row held.
    shares : ndarray, shape (R, K)
        Mean shares of the classes.
    known : bool
        Whether these are known.
    """

    cumulants: Floats
    slopes: Floats
    of_shares: Floats
    shares: Floats
    known: bool

    @classmethod
    def of(
        cls, metric: Callable[[Floats], Floats], counts: Whole, prior: Floats, share_prior: float, known: Floats | None
    ) -> StraightPart:
        """Of counts (R, K, K), pseudo-counts (K, K), and shares: known ones (K,) or (R, K), or learned."""
        alpha = counts + prior
        rows = alpha / alpha.sum(-1, keepdims=True)
        cases = counts.sum(-1) + share_prior
        shares = cases / cases.sum(-1, keepdims=True) if known is None else np.broadcast_to(known, cases.shape)
        slopes = _slopes(metric, shares[..., None] * rows)
        of_shares = (rows * slopes).sum(-1)
        cumulants = dirichlet_cumulants(alpha, shares[..., None] * slopes).sum(-1)
        if known is None:
            cumulants += dirichlet_cumulants(cases, of_shares)
        return cls(cumulants, slopes, of_shares, np.asarray(shares), known is not None)

    def drawn(self, tables: Floats, start: int) -> Floats:
        """Its draws up to a constant, from joint tables (r, draws, K, K) of the tests from ``start`` on."""
        here = slice(start, start + len(tables))
        if self.known:
            return np.asarray(np.einsum("rdij,rij->rd", tables, self.slopes[here]))
        shares = short_sum(tables)
        drawn = np.einsum("rdij,rij->rdi", tables, self.slopes[here]) / shares
        return np.asarray(
            np.einsum("rdi,ri->rd", drawn, self.shares[here]) + np.einsum("rdi,ri->rd", shares, self.of_shares[here])
        )


def _slopes(metric: Callable[[Floats], Floats], tables: Floats) -> Floats:
    """Slopes of a metric by each cell of joint tables (R, K, K)."""
    slopes, size = np.empty_like(tables), tables.shape[-1]
    step = max(1, BLOCK // size**2)
    for start in range(0, len(tables), step):
        some = tables[start : start + step].copy()
        middle = metric(some)
        for i, j in np.ndindex(size, size):
            held = some[:, i, j].copy()
            moved = held * (1 + STEP)
            some[:, i, j] = moved
            # a cell that is 0 for certain does not move, nor does the metric by it
            slopes[start : start + step, i, j] = np.divide(
                metric(some) - middle, moved - held, out=np.zeros_like(held), where=moved > held
            )
            some[:, i, j] = held
    return slopes
