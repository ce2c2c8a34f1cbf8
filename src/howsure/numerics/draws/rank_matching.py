"""Draws of a joint law whose margins are replaced, so that what they have in common stays as it is.

The ranks of joint draws are their copula; a margin put in the place of another by its quantiles at those ranks leaves
the copula alone (Sklar 1959; Iman and Conover 1982).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats

__all__ = ["matched", "quantiles_at_ranks"]

#: Quantiles that are asked for; between them a margin is interpolated, evenly in normal scores.
POINTS = 401


def matched(values: Floats, margin: Floats) -> Floats:
    """Sorted draws of a margin, in the order of other draws of the same number, shape (n,); NaN come last in both."""
    made = np.empty(len(values))
    made[np.argsort(values, kind="stable")] = margin
    return made


def quantiles_at_ranks(quantile: Callable[[Floats], Floats], n: int) -> Floats:
    """Quantiles at the middles of ``n`` equal steps of probability, shape (n,), of which some are asked for.

    Examples
    --------
    >>> quantiles_at_ranks(lambda p: p, 4).round(3).tolist()
    [0.125, 0.375, 0.625, 0.875]
    """
    middles = (np.arange(n) + 0.5) / n
    if n <= POINTS:
        return np.asarray(quantile(middles))
    scores = ndtri(middles)
    asked = np.linspace(scores[0], scores[-1], POINTS)
    return np.interp(scores, asked, np.asarray(quantile(ndtr(asked))))
