"""P(entry i exceeds entry j) for every pair of independent laws, on the panels on which they are ranked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.rank_laws import LawEntries
from howsure.numerics.ranks.rank_panels import BetaEntries

__all__ = ["exceedance", "exceedance_beta"]


def exceedance_beta(a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the matrix of P(X_i > X_j) of independent Beta(a_i, b_i); equal entries get one half.

    P(X_i > X_j) = int f_i(x) F_j(x) dx, by the Gauss rule of each panel; good to about 1e-10. Upper and lower half
    are made to add to 1 exactly.
    """
    pairs = np.stack([np.atleast_1d(np.asarray(x, float)) for x in (a, b)], axis=1)
    # a long board has few different rates
    distinct, place = np.unique(pairs, axis=0, return_inverse=True)
    place = place.reshape(-1)
    return _exceedance(BetaEntries(*np.ascontiguousarray(distinct.T)))[place[:, None], place]


def exceedance(entries: LawEntries) -> Floats:
    """Return the matrix of P(X_i > X_j) of independent laws; ties count one half."""
    return _exceedance(entries)


def _exceedance(entries: BetaEntries | LawEntries) -> Floats:
    """Add up the panels from left to right: what has been passed is surely below."""
    count = entries.scale.size
    above, mass = np.zeros((count, count)), np.zeros(count)
    begun, passed = np.zeros(count, bool), np.zeros(count, bool)
    for panel in entries.panels(1.0):
        here = np.zeros(count, bool)
        here[panel.active] = True
        passed |= begun & ~here
        begun |= here
        above[np.ix_(panel.active, panel.active)] += panel.mass @ panel.below.T
        share = panel.mass.sum(1)
        mass[panel.active] += share
        above[np.ix_(panel.active, np.flatnonzero(passed))] += share[:, None]
    wide = np.flatnonzero(~entries.atom)
    above[wide] /= mass[wide, None]
    for j in np.flatnonzero(entries.atom).tolist():
        below, beyond = entries.probabilities_at(entries.centre[[j]], wide)
        above[wide, j], above[j, wide] = beyond[:, 0], below[:, 0]
        above[j, entries.atom] = np.sign(entries.centre[j] - entries.centre[entries.atom]) / 2 + 0.5
    above = (above + 1 - above.T) / 2
    above[entries.same[:, None] == entries.same] = 0.5
    return np.clip(above, 0.0, 1.0)
