"""Rates of many slices that borrow from each other: the two-part population with slices as its members.

    theta_s ~ Beta(mu_s kappa, (1 - mu_s) kappa),    logit mu_s = a + b t_s     the main part
    theta_s ~ Beta(1/2, 1/2)                                                   the broad part

with the hyperprior of `howsure.numerics.learned.evidence`; t_s is the log of the slice's cases, centred. Given the
nodes of the hyperparameters a rate is one of two Betas. All nodes of one kappa are taken together as one Beta of their
mean and variance, so that a rate is a mixture of some ten Betas.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.learned.evidence import TWO_PARTS, Tallies, log_main, size_scores
from howsure.numerics.learned.population import Population, PopulationNodes
from howsure.numerics.slices.rate_mixtures import RateMixtures

__all__ = ["BorrowedRates"]

#: Distinct tallies that the population is learned from at most; of more, so many that are even in size and rate.
MOST_TALLIES = 4_000

#: Numbers that are held at once.
BLOCK = 2_000_000

#: Few tallies: the nodes of one kappa are parted by their a, into so many groups of about one mass.
FEW, PARTS = 60, 3


class BorrowedRates:
    """Posterior of the rates of S slices under a population that is learned from them.

    Parameters
    ----------
    k, n : array_like, shape (S,)
        Right cases and cases of each slice; slices without cases get the population.

    Attributes
    ----------
    rates : RateMixtures
        Of the U distinct tallies; ``place`` (S,) says which of them each slice has.
    typical, spread, slope, broad : float
        Posterior means of the typical rate, of rho = 1/(1 + kappa), of the slope on the log of the size, and of the
        share of the broad part.
    population : Population or None
        For joint draws; None where it was learned from some of the tallies.

    Examples
    --------
    >>> made = BorrowedRates([19] * 99 + [0], [20] * 100)
    >>> round(float(made.rates.mean[made.place[-1]]), 3)
    0.024
    """

    def __init__(self, k: ArrayLike, n: ArrayLike) -> None:
        k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
        t = size_scores(n)
        distinct, place = np.unique(np.stack([k, n, t]), axis=1, return_inverse=True)
        self.place: Integers = place.ravel()
        self.population: Population | None = None
        if distinct.shape[1] <= MOST_TALLIES:
            self.population = learned = Population(k, n, t=t)
        else:
            # in the order of sizes, then of rates: every so manyth is a fair part of all
            order = np.lexsort((k / np.maximum(n, 1), n))
            some = order[np.linspace(0, len(order) - 1, MOST_TALLIES).astype(int)]
            learned = Population(k[some], n[some], t=t[some])
        nodes, summary = learned.nodes, learned.summary()
        self.typical, self.spread = summary.recall, summary.correlation
        self.slope, self.broad = summary.slope, summary.broad
        groups = _groups(nodes, PARTS if distinct.shape[1] <= FEW else 1)
        step = max(1, BLOCK // nodes.weight.size)
        parts = [
            _mixture(nodes, groups, *distinct[:, start : start + step]) for start in range(0, distinct.shape[1], step)
        ]
        mass, a, b = (np.concatenate(column) for column in zip(*parts, strict=True))
        self.rates = RateMixtures(a, b, mass)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all rates, shape (n, S); independent ones where the population was learned from a part."""
        if self.population is not None:
            return self.population.draw(n, rng)
        return self.rates.taken(self.place).draw(n, rng)


def _groups(nodes: PopulationNodes, parts: int) -> Integers:
    """Group of each node: its kappa, and which part of the masses of that kappa it lies in by its a."""
    _, sheet = np.unique(nodes.y, return_inverse=True)
    sheet = sheet.ravel()
    if parts == 1:
        return np.asarray(sheet, dtype=np.int64)
    weight = nodes.weight.sum(axis=0)
    order = np.lexsort((nodes.a, sheet))
    reached = np.cumsum(weight[order])
    first = np.concatenate(([0.0], reached))[np.searchsorted(sheet[order], sheet[order])]
    total = bincount(sheet, weight)[sheet[order]]
    part = np.minimum(((reached - weight[order] / 2 - first) / total * parts).astype(int), parts - 1)
    made = np.empty(len(order), dtype=np.int64)
    made[order] = sheet[order] * parts + part
    return np.asarray(np.unique(made, return_inverse=True)[1].ravel(), dtype=np.int64)


def _mixture(nodes: PopulationNodes, group: Integers, k: Floats, n: Floats, t: Floats) -> tuple[Floats, Floats, Floats]:
    """Masses and parameters of the Betas of some tallies, shapes (U, C); the last one is the broad part."""
    log_broad = TWO_PARTS.log_broad(k, n)
    tallies = Tallies(k, n, t, np.zeros(len(k)), log_broad, np.arange(len(k)))
    odds = log_broad - log_main(nodes.a, nodes.b, nodes.y, tallies)
    broad = np.zeros(odds.shape)
    for share, weight in zip(nodes.share, nodes.weight, strict=True):
        logit = (np.log(share) - np.log1p(-share))[:, None] + odds
        broad += weight[:, None] / (1 + np.exp(np.minimum(-logit, 700.0)))
    main = np.maximum(nodes.weight.sum(axis=0)[:, None] - broad, 0.0)
    eta, kappa = nodes.a[:, None] + nodes.b[:, None] * t, np.exp(nodes.y)[:, None]
    size = kappa + n
    # shares of right and of wrong cases by themselves: near an end only one of them has digits
    p = (kappa / (1 + np.exp(-eta)) + k) / size
    q = (kappa / (1 + np.exp(eta)) + n - k) / size
    together = np.zeros((int(group.max()) + 1, len(group)))
    together[group, np.arange(len(group))] = 1.0
    mass = together @ main
    least = np.maximum(mass, 1e-300)
    one, other = (together @ (main * x) / least for x in (p, q))
    apart = np.where(p < q, p - one[group], q - other[group])
    variance = together @ (main * (p * q / (size + 1) + apart**2)) / least
    empty = mass <= 0
    spread = np.where(empty, 1.0, np.maximum(one * other / np.maximum(variance, 1e-300) - 1, 1e-9))
    a, b = (np.where(empty, 1.0, np.maximum(x * spread, 1e-30)) for x in (one, other))
    first, second = TWO_PARTS.broad or (1.0, 1.0)
    mass = np.concatenate((mass, broad.sum(axis=0)[None]))
    return tuple(  # type: ignore[return-value]
        np.ascontiguousarray(x.T)
        for x in (
            mass / mass.sum(axis=0),
            np.concatenate((a, first + k[None])),
            np.concatenate((b, second + (n - k)[None])),
        )
    )
