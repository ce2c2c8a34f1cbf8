"""Shares of several kinds whose Dirichlet prior has a learned mass: columns of errors, classes of a test set.

    q ~ Dirichlet(A/K, ..., A/K) + totals,    A/(A + K) ~ Uniform(0, 1)

``A`` on a grid in the log, by its Dirichlet-multinomial evidence (Minka 2000, Estimating a Dirichlet distribution).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats, repeat

__all__ = ["NODES", "DirichletShares", "LearnedShares", "drawn_on", "log_grid", "log_rising", "weights_on", "within"]

#: Nodes of the grid, and how far it reaches to both sides of K in the log.
NODES, REACH = 49, 12.0

#: Least concentration that is drawn.
FLOOR = 1e-200


class DirichletShares:
    """Shares of K kinds that are Dirichlet(alphas): those of a survey, with the mass of a prior that was named.

    Parameters
    ----------
    alphas : ndarray, shape (K,)
        Above 0.
    """

    def __init__(self, alphas: Floats) -> None:
        self.alphas = alphas

    @property
    def means(self) -> Floats:
        """Mean of every share, shape (K,)."""
        return np.asarray(self.alphas / self.alphas.sum())

    def betas_of(self, index: int) -> tuple[Floats, Floats, Floats]:
        """One share as a mixture of one Beta: its parameters and weight, shape (1,) each."""
        own = self.alphas[index : index + 1]
        return own, self.alphas.sum() - own, np.ones(1)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the shares, shape (n, K)."""
        gammas = rng.standard_gamma(self.alphas, (n, len(self.alphas)))
        gammas /= gammas.sum(axis=1, keepdims=True)
        return gammas


class LearnedShares:
    """Posterior of the shares of K kinds and of the mass of their prior.

    Parameters
    ----------
    totals : array_like, shape (K,)
        Cases of each kind, 0 or more; they need not be whole.

    Examples
    --------
    >>> shares = LearnedShares([90, 9, 1])
    >>> shares.means.round(3).tolist()
    [0.892, 0.094, 0.015]
    >>> shares.draw(4, np.random.default_rng(0)).sum(axis=1).round(9).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """

    def __init__(self, totals: ArrayLike) -> None:
        self.totals: Floats = np.asarray(totals, dtype=float)
        self.log_mass = log_grid(len(self.totals))
        #: Probability of each node, shape (49,).
        self.mass_weight = weights_on(self.log_mass, len(self.totals), self._evidence())

    def _evidence(self) -> Floats:
        """Dirichlet-multinomial log probability of the totals at each A."""
        mass = np.exp(self.log_mass)
        totals, copies = np.unique(self.totals, return_counts=True)
        whole = log_rising(mass, self.totals.sum(keepdims=True))
        return np.asarray(log_rising(mass[:, None] / len(self.totals), totals) @ copies - whole)

    @property
    def means(self) -> Floats:
        """Posterior mean of every share, shape (K,)."""
        mass = np.exp(self.log_mass)[:, None]
        return np.asarray(self.mass_weight @ ((mass / len(self.totals) + self.totals) / (mass + self.totals.sum())))

    def betas_of(self, index: int) -> tuple[Floats, Floats, Floats]:
        """One share as a mixture of Betas, one a node: their parameters and weights, shape (49,) each."""
        mass = np.exp(self.log_mass)
        own = mass / len(self.totals) + self.totals[index]
        rest = mass * (1 - 1 / len(self.totals)) + (self.totals.sum() - self.totals[index])
        return own, rest, self.mass_weight

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the shares, shape (n, K); each draw has its own mass."""
        mass = drawn_on(self.log_mass, self.mass_weight, n, rng)
        gammas = rng.standard_gamma(np.maximum(mass[:, None] / len(self.totals) + self.totals, FLOOR))
        gammas = np.maximum(gammas, 1e-300)
        return np.asarray(gammas / gammas.sum(axis=1, keepdims=True))


def log_grid(size: int) -> Floats:
    """Nodes of the log of a mass around K."""
    return np.asarray(np.log(size) + np.linspace(-REACH, REACH, NODES))


def log_rising(x: Floats, count: Floats) -> Floats:
    """``log Gamma(x + count)/Gamma(x)``."""
    return np.asarray(special.gammaln(x + count) - special.gammaln(x))


def weights_on(log_mass: Floats, size: int, log_evidence: Floats) -> Floats:
    """Posterior on the grid: x/(x + K) uniform has the logistic density in ``log x``."""
    z = log_mass - np.log(size)
    log_density = log_evidence + z - 2 * np.logaddexp(0, z)
    weight = np.exp(log_density - log_density.max())
    return np.asarray(weight / weight.sum())


def within(log_mass: Floats, weight: Floats, parts: int = 5) -> tuple[Floats, Floats]:
    """Nodes and weights of a midpoint rule over the cells that `drawn_on` moves its nodes in."""
    step = float(log_mass[1] - log_mass[0])
    moved = log_mass[:, None] + step * ((np.arange(parts) + 0.5) / parts - 0.5)
    return np.exp(moved).ravel(), repeat(weight / parts, parts)


def drawn_on(log_mass: Floats, weight: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Nodes by weight, moved evenly within their cells."""
    step = float(log_mass[1] - log_mass[0])
    return np.exp(rng.choice(log_mass, n, p=weight) + step * (rng.random(n) - 0.5))
