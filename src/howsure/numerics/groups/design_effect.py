"""How much less cases say because they come in groups: intraclass correlation, design effect, clustered error."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount

__all__ = ["clustered_error", "design_effect", "intraclass_correlation", "joint_factor", "membership_correlation"]


def intraclass_correlation(k: ArrayLike, n: ArrayLike) -> float:
    """Correlation of two cases of one group by the analysis of variance, at least 0; 0 where it cannot be told.

    ``rho = (MSB - MSW) / (MSB + (n0 - 1) MSW)`` with n0 the average size less its spread (Donner 1986; Ridout,
    Demetrio and Firth 1999, their ANOVA estimator).

    Examples
    --------
    >>> round(intraclass_correlation(np.array([9, 10, 4, 10, 8]), np.full(5, 10)), 3)
    0.319
    """
    k, n = np.array(k, dtype=float), np.array(n, dtype=float)
    between = n * (k / n - k.sum() / n.sum()) ** 2
    return _from_squares(float(between.sum()), float((k * (n - k) / n).sum()), n)


def membership_correlation(counts: ArrayLike) -> float:
    """The same of which class a case is, from cases by group and class, shape (G, K), all classes together.

    Examples
    --------
    >>> membership_correlation(np.array([[4, 0], [0, 5], [3, 0], [0, 2]]))
    1.0
    """
    counts = np.array(counts, dtype=float)
    n = counts.sum(axis=1)
    share = counts.sum(axis=0) / n.sum()
    between = float((n[:, None] * (counts / n[:, None] - share) ** 2).sum())
    within = float((n - (counts**2).sum(axis=1) / n).sum())
    return _from_squares(between, within, n)


def _from_squares(between: float, within: float, n: Floats) -> float:
    groups, cases = len(n), float(n.sum())
    if groups < 2 or cases <= groups:
        return 0.0
    high, low = between / (groups - 1), within / (cases - groups)
    size = (cases - float((n**2).sum()) / cases) / (groups - 1)
    bottom = high + (size - 1) * low
    return max(0.0, (high - low) / bottom) if bottom > 0 else 0.0


def design_effect(correlation: float, n: ArrayLike) -> float:
    """By how much the variance of a mean grows: ``1 + rho (m - 1)``, m = sum n^2 / sum n (Kish 1965, 5.4).

    Examples
    --------
    >>> 400 / design_effect(0.1, np.full(20, 20))
    137.9310344827586
    """
    n = np.array(n, dtype=float)
    return 1 + correlation * (float((n**2).sum() / n.sum()) - 1)


def clustered_error(k: ArrayLike, n: ArrayLike) -> float:
    """Clustered standard error of the share of right cases, as evaluation frameworks print it; 0 of a single group.

    ``sqrt(G/(G - 1) sum_g (k_g - p n_g)^2) / N`` (Miller 2024, arXiv:2411.00640, appendix A, with the correction for
    finitely many groups that Inspect applies in ``stderr(cluster=...)``).

    Examples
    --------
    >>> round(clustered_error(np.array([2, 1, 3]), np.array([3, 3, 3])), 4)
    0.1925
    """
    k, n = np.array(k, dtype=float), np.array(n, dtype=float)
    if len(n) < 2:
        return 0.0
    apart = k - n * (k.sum() / n.sum())
    return float(np.sqrt((apart**2).sum() * len(n) / (len(n) - 1)) / n.sum())


def joint_factor(group: Integers, kind: Integers, right: Booleans, count: Integers) -> float:
    """By how much the sd of the mean of all recalls grows because recalls of one group vary together; 1 if apart.

    Parameters
    ----------
    group, kind, right, count : ndarray, shape (cells,)
        Group, class, whether the cell is of right cases, and cases of each cell.

    Examples
    --------
    >>> group, kind = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> round(joint_factor(group, kind, np.array([True, True, False, False]), np.full(4, 10)), 3)
    1.414
    """
    cases, hits = (bincount(kind, weights) for weights in (count, count * right))
    share = hits / np.maximum(cases, 1)
    apart = count * (right - share[kind]) / cases[kind]
    together = float((bincount(group, apart) ** 2).sum())
    place = np.unique(np.stack([group, kind]), axis=1, return_inverse=True)[1].ravel()
    alone = float((bincount(place, apart) ** 2).sum())
    return float(np.sqrt(together / alone)) if alone > 0 else 1.0
