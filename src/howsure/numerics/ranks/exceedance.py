"""Probability that one Beta exceeds another, for many pairs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, expit

from howsure.numerics.arrays import Floats

__all__ = ["exceedance", "logit_nodes"]

#: Nodes where the law in the logit is nearly a Normal one, and where it is not, or where the integrand has a kink.
FEW, MANY = 36, 160
#: Smallest parameter of a Beta for which few nodes are enough.
REGULAR = 10.0


def logit_nodes(a: Floats, b: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Values and normalised weights of Beta(a, b), shape (..., nodes): the trapezoidal rule in the logit.

    The range ends where the density in the logit is e^-36 of its top; each end by Newton from outside, where the log
    density is concave, so that it comes in monotonically.
    """
    a, b = a[..., None], b[..., None]
    centre = np.log(a / b)
    ends = []
    for side, slope in ((-1.0, a), (1.0, b)):
        u = centre + side * (9 * np.sqrt(1 / a + 1 / b) + 40 / slope)
        for _ in range(8):
            theta = expit(u)
            depth = a * (u - centre) - (a + b) * (np.logaddexp(0, u) - np.logaddexp(0, centre)) + 36
            u = u - depth / (a - (a + b) * theta)
        ends.append(u)
    u = ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, nodes)
    log = a * (u - centre) - (a + b) * (np.logaddexp(0, u) - np.logaddexp(0, centre))
    weight = np.exp(log)
    return expit(u), weight / weight.sum(axis=-1, keepdims=True)


def exceedance(first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike], margin: float = 0.0) -> Floats:
    """P(X > Y - margin) of independent Betas X and Y, each given by its (a, b), elementwise, shape (...).

    The nodes are those of the narrower law, in whose logit the distribution function of the other one is smooth:
    within 1e-9 for parameters from 0.5 on. A margin cuts the range where it meets 0 or 1; where a law with parameters
    below about 2 has mass there, 1e-4.
    """
    pairs = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (*first, *second)))
    a, b, c, d = (x.ravel() for x in pairs)
    found = np.empty(a.shape)
    narrow = 1 / a + 1 / b <= 1 / c + 1 / d
    regular = np.where(narrow, np.minimum(a, b), np.minimum(c, d)) >= REGULAR
    for by_first in (True, False):
        for few in (True, False):
            i = np.flatnonzero((narrow == by_first) & (regular == few))
            if not len(i):
                continue
            nodes = FEW if few and margin == 0 else MANY
            if by_first:
                x, weight = logit_nodes(a[i], b[i], nodes)
                inside = betainc(c[i, None], d[i, None], np.clip(x + margin, 0, 1))
            else:
                y, weight = logit_nodes(c[i], d[i], nodes)
                inside = betaincc(a[i, None], b[i, None], np.clip(y - margin, 0, 1))
            found[i] = (weight * inside).sum(axis=-1)
    return found.reshape(pairs[0].shape)
