"""That all of k runs of a new item are right, or all wrong: E[theta^k] over a population of items.

Given mean and correlation of the population, theta is Beta(mu kappa, (1 - mu) kappa) and

    E[theta^k] = prod_{j < k} (mu kappa + j) / (kappa + j),

which rises with mu. So its law is that of mu at every kappa, moved along this curve, and added up over kappa.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.groups.interpolated_law import InterpolatedLaw, LogDensity
from howsure.numerics.groups.population_mean import PopulationMean

__all__ = ["drawn_population", "expected_power", "population_power"]

#: Nodes of the law, and how many of its standard deviations out the farthest lie; nodes that a curve is turned
#: around with, how far out, and steps of Newton's method after that.
NODES, REACH, TURNED, FAR, STEPS = 121, 40.0, 301, 200.0, 6

#: Logarithm of kappa that stands for items whose runs all come out alike.
COPIED = -40.0

#: Cells on each side of the grid that is drawn from, which leaves out nodes of less probability than this.
CELLS, UNSEEN = 150, 1e-9


def expected_power(a: Floats, y: Floats, power: int) -> tuple[Floats, Floats]:
    """Logit of ``E[theta^power]`` at logits a of mu and y = log kappa, and its derivative by a; shapes broadcast."""
    a, y = np.broadcast_arrays(a, y)
    p, q, kappa = special.expit(a), special.expit(-a), np.exp(y)
    log = -np.logaddexp(0, -a)
    slope = q.copy()
    for j in range(1, power):
        # near 1 the factor is 1 less a little, near 0 it is j/(kappa + j) and more
        log = log + np.where(q < 0.5, np.log1p(-q * kappa / (kappa + j)), np.log((p * kappa + j) / (kappa + j)))
        slope = slope + p * q * kappa / (p * kappa + j)
    rest = -np.expm1(log)
    return log - np.log(rest), slope / rest


def population_power(
    population: PopulationMean, power: int, *, wrong: bool = False, coefficient: float = 1.0, shift: float = 0.0
) -> InterpolatedLaw:
    """Law of ``shift + coefficient E[theta^power]``, or of 1 - theta instead.

    Parameters
    ----------
    population : PopulationMean
        Of the items.
    power : int
        1 or more.
    wrong : bool
        Whether the runs are all wrong instead of all right.

    Notes
    -----
    The density of the logit is a sum over the nodes of kappa at nodes of its own; the error is that of interpolating
    between them.

    Examples
    --------
    >>> made = PopulationMean([3, 5, 0, 4, 5, 2, 5, 1], [5] * 8)
    >>> [round(population_power(made, k).mean, 3) for k in (1, 2, 5)]
    [0.619, 0.484, 0.325]
    """
    y, a, mass = population.nodes
    rows, heights = population.densities
    if wrong:
        rows, a = [row.mirrored() for row in rows], -a
    t = expected_power(a[None, :], y[:, None], power)[0]
    centre = float((mass * t).sum())
    scale = float(np.sqrt((mass * (t - centre) ** 2).sum()))
    u = np.linspace(-1, 1, NODES) * float(np.arcsinh(REACH))
    wanted = centre + scale * np.sinh(u)
    stretched = np.sinh(np.linspace(-1, 1, TURNED) * float(np.arcsinh(FAR))) / FAR
    known = float((mass * a).sum()) + max(FAR, float(np.ptp(wanted))) * stretched
    total = np.full(NODES, -np.inf)
    for row, height, log_kappa in zip(rows, heights.tolist(), y.tolist(), strict=True):
        at = np.interp(wanted, expected_power(known, np.array(log_kappa), power)[0], known)
        for _ in range(STEPS):
            here, slope = expected_power(at, np.array(log_kappa), power)
            at = at - (here - wanted) / slope
        total = np.logaddexp(total, row(at) + height - np.log(expected_power(at, np.array(log_kappa), power)[1]))
    if population.copies is not None:  # all runs of an item come out alike: any number of them is one
        row, height, _ = population.copies
        total = np.logaddexp(total, (row.mirrored() if wrong else row)(wanted) + height)
    law = LogDensity(centre, scale, u, total, rows[0].powers)
    return InterpolatedLaw(law, coefficient=coefficient, shift=shift)


def drawn_population(population: PopulationMean, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Joint draws of the logit of mu and of log kappa, shape (n,) each: anywhere in the cells of a fine grid."""
    y, a, mass = population.nodes
    sides = []
    for nodes, weight in ((y, mass.sum(axis=1)), (a, mass.sum(axis=0))):
        seen = np.flatnonzero(weight > UNSEEN)
        low, high = nodes[max(seen[0] - 1, 0)], nodes[min(seen[-1] + 1, len(nodes) - 1)]
        sides.append(np.linspace(low, high, CELLS + 1))
    y, a = ((side[1:] + side[:-1]) / 2 for side in sides)
    log = population.log_density(a, y)
    cells = np.exp(log - log.max())
    cell = rng.choice(cells.size, n, p=(cells / cells.sum()).ravel())
    row, column = np.unravel_index(cell, cells.shape)
    wide, tall = (float(side[1] - side[0]) for side in sides[::-1])
    logits, log_kappa = a[column] + wide * (rng.random(n) - 0.5), y[row] + tall * (rng.random(n) - 0.5)
    if population.copies is not None:
        copied = rng.random(n) < population.copies[2]
        right = np.count_nonzero(population.k)
        (one, other), many = population.model.typical, int(copied.sum())
        rates = rng.beta(one + right, other + len(population) - right, many)
        logits[copied], log_kappa[copied] = special.logit(rates), COPIED
    return logits, log_kappa
