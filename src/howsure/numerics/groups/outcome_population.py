"""A population of items with several outcomes: how often each comes, and how alike the runs of one item are.

    p_i ~ Dirichlet(kappa m),    c_i | p_i ~ Multinomial(n_i, p_i)
    m ~ Dirichlet(1, ..., 1),    rho = 1/(1 + kappa) ~ Beta(1, 3)

The shares p_i integrate out (Polya). With two outcomes this is `howsure.numerics.groups.population_mean`. At a fixed
kappa the law of m is near a Dirichlet with the expected number of distinct draws (tables) of each outcome added
(Antoniak 1974; Teh et al. 2006); values are drawn from that and weighted by what they leave out.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers

__all__ = ["OutcomePopulation"]

#: Range of log kappa, its nodes at first and where they matter, and the prior Beta(1, SPREAD) of rho.
LOW, HIGH, AT_FIRST, NODES, SPREAD = -6.0, 13.0, 39, 81, 3.0

#: Nodes less probable than this are left out.
NOTHING = 1e-7

#: Steps to the shares at one node; numbers that are spent on proposals, at most so many a draw and at least so many.
STEPS, BUDGET, FEWEST = 60, 60_000_000, 500

#: Items of a kind from which on their sum is taken for Normal.
MANY = 50


class OutcomePopulation:
    """Posterior of a population of items with several outcomes, by draws.

    Parameters
    ----------
    counts : ndarray, shape (I, L)
        How often each item had each outcome.

    Examples
    --------
    >>> made = OutcomePopulation(np.array([[1, 2, 2], [0, 1, 4], [3, 1, 1], [0, 0, 5]]))
    >>> share, kappa = made.draw(2000, np.random.default_rng(0))
    >>> share.mean(axis=0).round(1).tolist()
    [0.2, 0.3, 0.5]
    """

    def __init__(self, counts: Integers) -> None:
        patterns, place, copies = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
        self.counts, self.place, self.copies = patterns.astype(float), place.ravel(), copies.astype(float)
        self.items, self.size = counts.shape

    def log_likelihood(self, concentration: Floats) -> Floats:
        """Log probability of all counts at concentrations kappa m (N, L), without binomial coefficients, (N,)."""
        total = np.zeros(len(concentration))
        for outcome in range(-1, self.size):
            alpha = concentration.sum(axis=1) if outcome < 0 else concentration[:, outcome]
            for count, times in self._distinct(outcome):
                rising = special.gammaln(alpha + count) - special.gammaln(alpha)
                total += (-times if outcome < 0 else times) * rising
        return total

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Log kappa (Y,), its probability, parameters of the Dirichlet of m there (Y, L), log evidence (Y,)."""
        y = np.linspace(LOW, HIGH, AT_FIRST)
        while True:
            weight, around, evidence = self._at(y)
            seen = np.flatnonzero(weight > NOTHING)
            low, high = y[max(seen[0] - 1, 0)], y[min(seen[-1] + 1, len(y) - 1)]
            if len(y) == NODES and (high - low) > 0.3 * float(np.ptp(y)):
                return y, weight, around, evidence
            y = np.linspace(low, high, NODES)

    def _at(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        kappa = np.exp(y)
        around = np.ones((len(kappa), self.size))
        pooled = self.copies @ self.counts + 0.5
        shares = np.tile(pooled / pooled.sum(), (len(kappa), 1))
        for _ in range(STEPS):
            alpha = kappa[:, None] * shares
            tables = np.zeros_like(alpha)
            for outcome in range(self.size):
                a = alpha[:, outcome]
                for count, times in self._distinct(outcome):
                    tables[:, outcome] += times * a * (special.digamma(a + count) - special.digamma(a))
            around = 1 + tables
            shares = around / around.sum(axis=1, keepdims=True)
        log = self.log_likelihood(kappa[:, None] * shares)
        evidence = log + special.gammaln(self.size) - _log_dirichlet(shares, around)
        height = evidence + _log_prior(y)
        weight = np.exp(height - height.max())
        return weight / weight.sum(), around, evidence

    def _distinct(self, outcome: int) -> list[tuple[float, float]]:
        """Counts above 0 of one outcome, and of how many items; -1: of all outcomes together."""
        column = self.counts.sum(axis=1) if outcome < 0 else self.counts[:, outcome]
        return [(c, float(self.copies[column == c].sum())) for c in np.unique(column[column > 0]).tolist()]

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Shares m (n, L) and kappa (n,), jointly."""
        y, weight, around, evidence = self._nodes
        many = int(np.clip(BUDGET // max(1, self.counts.size), FEWEST, n))
        node = rng.choice(len(weight), many, p=weight)
        gamma = rng.standard_gamma(around[node])
        shares = np.maximum(gamma / gamma.sum(axis=1, keepdims=True), 1e-300)
        # anywhere between the nodes; what that changes is in the weights
        log_kappa = y[node] + (y[1] - y[0]) * (rng.random(many) - 0.5)
        kappa = np.exp(log_kappa)
        log = self.log_likelihood(kappa[:, None] * shares) + special.gammaln(self.size)
        log -= _log_dirichlet(shares, around[node]) + evidence[node]
        log += _log_prior(log_kappa) - _log_prior(y[node])
        left_out = np.exp(log - log.max())
        # systematic resampling: as few repeats as the weights allow
        edges = np.cumsum(left_out) / left_out.sum()
        chosen = np.minimum(np.searchsorted(edges, (np.arange(n) + rng.random()) / n), many - 1)
        chosen = rng.permutation(chosen)
        return shares[chosen], kappa[chosen]

    def draw_means(self, scores: Floats, concentration: Floats, rng: np.random.Generator) -> Floats:
        """Mean over these items of their expected scores given concentrations kappa m (n, L), shape (n,).

        Of very many items of one kind the sum is Normal around its exact moments.
        """
        total = np.zeros(len(concentration))
        for counts, copies in zip(self.counts, self.copies.astype(int).tolist(), strict=True):
            alpha = concentration + counts
            if copies <= MANY:
                for _ in range(copies):
                    gamma = rng.standard_gamma(alpha)
                    total += gamma @ scores / gamma.sum(axis=1)
                continue
            whole = alpha.sum(axis=1)
            mean = alpha @ scores / whole
            variance = (alpha @ scores**2 / whole - mean**2) / (whole + 1)
            total += copies * mean + np.sqrt(copies * np.maximum(variance, 0.0)) * rng.standard_normal(len(mean))
        return np.asarray(total / self.items)


def _log_prior(y: Floats) -> Floats:
    """Log density of y = log kappa before the data."""
    return np.asarray(SPREAD * y - (SPREAD + 1) * np.logaddexp(0, y))


def _log_dirichlet(shares: Floats, around: Floats) -> Floats:
    """Log density of Dirichlet(around) at shares, (N, L) each, up to nothing."""
    constant = special.gammaln(around.sum(axis=1)) - special.gammaln(around).sum(axis=1)
    return np.asarray(constant + ((around - 1) * np.log(shares)).sum(axis=1))
