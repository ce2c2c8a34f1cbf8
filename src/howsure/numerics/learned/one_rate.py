"""The law of one rate of a learned population: a plain mixture of Betas over the nodes, near ones taken together."""

from __future__ import annotations

import numpy as np

from howsure.numerics.learned.node_sums import NodeSum
from howsure.numerics.learned.node_transforms import beta_cumulants
from howsure.numerics.learned.recall_sums import FittedMixture

__all__ = ["one_rate"]

#: Components are joined within cells of this size, in their standard deviation and in its logarithm.
CELL = 0.1

#: Mass of the components that are left out.
LEFT_OUT = 1e-5

#: Error of the distribution function by what is joined; the tests hold it to that.
ERROR = 8e-5


def one_rate(terms: NodeSum) -> FittedMixture:
    """Law of ``shift + coefficient theta`` for a sum of one term.

    Betas of nearly one mean, standard deviation and power at an end become one of their mean and variance, which is
    nothing new where they were alone. ``error`` is what that does to the distribution function.
    """
    odd = terms.broad[:, :, 0]
    mass = np.append((terms.weight * (1 - odd)).sum(axis=0), (terms.weight * odd).sum()) / terms.weight.sum()
    a, b = np.append(terms.alpha[:, 0], terms.broad_alpha), np.append(terms.beta[:, 0], terms.broad_beta)
    order = np.argsort(mass)
    kept = order[int(np.searchsorted(np.cumsum(mass[order]), LEFT_OUT)) :]
    mass, a, b = mass[kept] / mass[kept].sum(), a[kept], b[kept]
    m, v = beta_cumulants(a, b, 3)[:2]
    level = np.round(0.5 * np.log(v) / CELL)
    place = np.round(m / (CELL * np.exp(CELL * level)))
    steep = np.round(np.log(np.minimum(np.minimum(a, b), 1.5)) / CELL)  # the power at an end, where it counts
    cell = np.unique(np.stack([level, place, steep]), axis=1, return_inverse=True)[1].ravel()
    total, first, second = (np.bincount(cell, mass * x).astype(float) for x in (np.ones_like(m), m, v + m * m))
    mean = first / total
    size = np.maximum(mean * (1 - mean) / np.maximum(second / total - mean**2, 1e-300) - 1, 1e-12)
    alone = np.bincount(cell) == 1
    first_a, first_b = (np.bincount(cell, x) for x in (a, b))
    a, b = np.where(alone, first_a, mean * size), np.where(alone, first_b, (1 - mean) * size)
    c = float(terms.coefficient[0])
    if c < 0:
        a, b = b, a
    low, width = np.full(len(a), terms.shift + min(c, 0.0)), np.full(len(a), abs(c))
    return FittedMixture(total, a, b, low, width, ERROR + LEFT_OUT)
