"""Scales on which the error of a score hardly depends on the score, and an entry's own prior taken out there.

A population of scores is learned on such a scale: arcsin(sqrt(x)) of a rate in [0, 1], the same of (1 + x)/2 in
[-1, 1]. Numbers without two finite ends have none here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["ARCSINE", "ARCSINE_OF_BOTH_SIDES", "WorkingScale", "scale_of", "without_prior"]

#: Largest factor by which taking a prior out widens a variance.
MOST_WIDENED = 20.0


@dataclass(frozen=True)
class WorkingScale:
    """A scale g of a metric.

    Attributes
    ----------
    name : str
        What notes call it.
    forward, back : function of ndarray
        Metric to g, and g to metric; a g beyond an end of the metric is that end.
    slope : function of ndarray
        Change of the metric with g, at g.
    ends : (float, float)
        g at the ends of the metric.
    broad : float
        Standard deviation of g where the metric is uniform over its range.
    """

    name: str
    forward: Callable[[Floats], Floats]
    back: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]
    ends: tuple[float, float]
    broad: float


def _sine_squared(g: Floats) -> Floats:
    return np.asarray(np.sin(np.clip(g, 0.0, np.pi / 2)) ** 2)


#: Of rates in [0, 1]: the variance of g is about 1 / (4 n), whatever the rate.
ARCSINE = WorkingScale(
    "arcsine of the square root",
    lambda x: np.asarray(np.arcsin(np.sqrt(np.clip(x, 0.0, 1.0)))),
    _sine_squared,
    lambda g: np.asarray(np.sin(2 * np.clip(g, 0.0, np.pi / 2))),
    (0.0, np.pi / 2),
    0.35,
)

#: Of coefficients in [-1, 1]: the same of (1 + x) / 2. Fisher's arctanh has no ends, and draws beside 1 are lost on it.
ARCSINE_OF_BOTH_SIDES = WorkingScale(
    "arcsine of the square root of (1 + x) / 2",
    lambda x: ARCSINE.forward((1 + np.asarray(x)) / 2),
    lambda g: 2 * _sine_squared(g) - 1,
    lambda g: 2 * ARCSINE.slope(g),
    ARCSINE.ends,
    ARCSINE.broad,
)


def scale_of(lowest: float, largest: float) -> WorkingScale | None:
    """Scale of a metric by its range; None where none fits."""
    return {(0.0, 1.0): ARCSINE, (-1.0, 1.0): ARCSINE_OF_BOTH_SIDES}.get((float(lowest), float(largest)))


def without_prior(draws: Floats, covariance: Floats, means: Floats, variances: Floats) -> tuple[Floats, Floats]:
    """Take each entry's own prior out of joint draws, entry by entry.

    A normal posterior N(m, c) under a prior N(m0, c0) is that of an observation (m - m0 c / c0) f with variance c f,
    f = 1 / (1 - c / c0). Draws are moved and widened to it; what ties entries together is scaled with them.

    Parameters
    ----------
    draws : ndarray, shape (T, S)
        On the working scale.
    covariance : ndarray, shape (T, T) or (T,)
        Of the entries; variances where they are independent.
    means, variances : ndarray, shape (T,)
        Of each entry's prior alone; an infinite variance has nothing to take out.

    Returns
    -------
    ndarray of shape (T, S), ndarray shaped like ``covariance``
    """
    own = np.diagonal(covariance) if covariance.ndim == 2 else covariance
    share = own / variances
    factor = 1 / np.maximum(1 - share, 1 / MOST_WIDENED)
    root = np.sqrt(factor)
    centre = draws.mean(1)
    moved = (centre - np.where(share > 0, means, 0.0) * share) * factor
    made = moved[:, None] + (draws - centre[:, None]) * root[:, None]
    return made, covariance * (np.outer(root, root) if covariance.ndim == 2 else factor)
