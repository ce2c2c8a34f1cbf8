"""The shape of a law, for pictures: where it lies and how dense it is there."""

from __future__ import annotations

import numpy as np

from howsure.laws.binary import BinaryLaw
from howsure.laws.dirichlet import CountShare
from howsure.laws.law import Law
from howsure.numerics.arrays import Floats, repeat

#: A picture leaves out this much of either tail.
TAIL = 2e-4


def outline(law: Law, points: int = 201) -> tuple[Floats, Floats]:
    """Points and density of a law, (points,) each, on a grid that holds all but four of ten thousand parts of it.

    Counts are spread over bins of the width between two possible values; what is known exactly is one point with
    density 1. The grid never leaves the support, and is uneven where the curve goes through a few known points of an
    exact law. A density without bound at an end (a Beta below one) is cut at the last finite point.
    """
    if law.sd == 0 and np.isfinite(law.mean):
        return np.array([law.mean]), np.array([1.0])
    if isinstance(law, BinaryLaw) and (sketched := law.outline(points)) is not None:
        return sketched
    low, high = _ends(law)
    if not high > low:
        return np.array([low]), np.array([1.0])
    if isinstance(law, CountShare):
        first, last = round(low * law.n), round(high * law.n)
        centres = np.arange(first, last + 1)
        edges = repeat(np.concatenate([centres - 0.5, [last + 0.5]]), 2)[1:-1] / law.n
        return edges, repeat(np.asarray(law.pmf)[first : last + 1] * law.n, 2)
    margin = 0.03 * (high - low)
    ends = law.support
    x = np.linspace(max(ends[0], low - margin), min(ends[1], high + margin), points)
    density = np.array(law.pdf(x), dtype=float)
    density[~np.isfinite(density)] = np.max(density[np.isfinite(density)], initial=0.0)
    return x, density


def _ends(law: Law) -> tuple[float, float]:
    """Quantiles that leave little out; more where a law has some of its mass at infinity."""
    for tail in (TAIL, 0.01, 0.05, 0.1, 0.2, 0.4):
        low, high = (float(x) for x in np.asarray(law.quantile([tail, 1 - tail])))
        if np.isfinite([low, high]).all():
            return low, high
    middle = law.median if np.isfinite(law.median) else 0.0
    return middle, middle
