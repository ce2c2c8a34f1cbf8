"""How likely the tallies of all members are, if their rates come from one population of two parts.

    theta_i ~ Beta(mu_i kappa, (1 - mu_i) kappa) with probability 1 - e,    logit mu_i = a + b t_i     the main part
    theta_i ~ Beta(1/2, 1/2)                     with probability e                                   the broad part
    expit(a) ~ Beta(1, 1),    b ~ Normal(0, 1),    rho = 1/(1 + kappa) ~ Beta(1, 3),    e ~ Beta(1, 9)

``t_i`` is the log of the size, centred; ``rho`` is the correlation of two answers of one member; y = log kappa. The
rates integrate out: ``k_i`` right of ``n_i`` is beta-binomial in either part (Gelman et al., Bayesian Data Analysis,
chapters 5 and 22).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount

__all__ = ["ONE_PART", "TWO_PARTS", "PopulationModel", "Tallies", "log_main", "log_rising_excess", "size_scores"]

#: From here on four terms of Stirling's series are right to the last digit.
STIRLING = 12.0

#: The share of a broad part that is not there; its logarithm is a number.
NOTHING = 1e-300


@dataclass(frozen=True)
class PopulationModel:
    """Prior of a population.

    Attributes
    ----------
    broad : (float, float) or None
        Beta of the rates in the broad part; None: there is none.
    share : (float, float)
        Beta of the share e of the broad part.
    spread : float
        rho = 1/(1 + kappa) is Beta(1, spread).
    typical : (float, float)
        Beta of expit(a), the typical rate at the average log size.
    """

    broad: tuple[float, float] | None = (0.5, 0.5)
    share: tuple[float, float] = (1.0, 9.0)
    spread: float = 3.0
    typical: tuple[float, float] = (1.0, 1.0)

    def log_prior(self, a: Floats, b: Floats, y: Floats) -> Floats:
        """Log density of ``(a, b, y)`` up to a constant; the Jacobians of logit and ``y = log kappa`` are in it."""
        right, wrong = self.typical
        typical = right * a - (right + wrong) * np.logaddexp(0, a)
        return np.asarray(typical - b * b / 2 + self.spread * y - (self.spread + 1) * np.logaddexp(0, y))

    def log_broad(self, k: Floats, n: Floats) -> Floats:
        """Log probability of tallies in the broad part, without binomial coefficients."""
        if self.broad is None:
            return np.full(len(k), -np.inf)
        a, b = self.broad
        return np.asarray(special.betaln(a + k, b + n - k) - special.betaln(a, b))

    def likely_share(self, expected: Floats, members: float) -> Floats:
        """Mean of e if ``expected`` of so many members are from the broad part."""
        if self.broad is None:
            return np.full_like(expected, NOTHING)
        return np.asarray((self.share[0] + expected) / (sum(self.share) + members))


#: What classes, entries and sites are taken for: most alike, a few from a broad part.
TWO_PARTS = PopulationModel()

#: All alike, more or less.
ONE_PART = PopulationModel(broad=None)


@dataclass(frozen=True, eq=False)
class Tallies:
    """Distinct tallies ``k`` right of ``n`` with size score ``t`` and number of ``copies``, shape (U,) each.

    ``copies`` of an untested tally are 0: it says nothing. ``log_broad`` is its log probability in the broad part;
    ``place`` (K,) says which tally each member has.
    """

    k: Floats
    n: Floats
    t: Floats
    copies: Floats
    log_broad: Floats
    place: Integers

    @classmethod
    def of(cls, k: Floats, n: Floats, t: Floats, model: PopulationModel) -> Tallies:
        """Group members with the same tally."""
        rows, place, copies = np.unique(np.stack([k, n, t]), axis=1, return_inverse=True, return_counts=True)
        said = np.where(rows[1] > 0, copies, 0).astype(float)
        return cls(rows[0], rows[1], rows[2], said, model.log_broad(rows[0], rows[1]), place.ravel())

    @property
    def sized(self) -> bool:
        """Whether members differ in size."""
        return bool(np.ptp(self.t) > 0)

    @cached_property
    def sizes(self) -> tuple[Floats, Integers]:
        """Distinct numbers of cases, and which of them each tally has, shape (U,); asked for at every node."""
        sizes, of_size = np.unique(self.n, return_inverse=True)
        return sizes, of_size.ravel()

    def parts(self, log_main: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Log evidence of all tallies (G,) and P(broad) of each (G, U), from log M (G, U) and e (G,)."""
        odds = (np.log(share) - np.log1p(-share))[:, None] + self.log_broad - log_main
        either = np.logaddexp(0, odds)
        return (log_main + np.log1p(-share)[:, None] + either) @ self.copies, np.exp(odds - either)

    def binned(self, most: int, model: PopulationModel) -> Tallies:
        """At most some ``most`` tallies: near sizes (12%) and near shares (0.04) become their mean."""
        if len(self.k) <= most:
            return self
        keys = np.round(
            [np.log(np.maximum(self.n, 0.5)) / 0.12, self.k / np.maximum(self.n, 1) / 0.04, 1.0 * (self.n > 0)]
        )
        cell: Integers = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        weight = np.maximum(self.copies, 1e-12)
        total = bincount(cell, weight)
        k, n, t = (bincount(cell, weight * column) / total for column in (self.k, self.n, self.t))
        return Tallies(k, n, t, np.asarray(bincount(cell, self.copies)), model.log_broad(k, n), cell[self.place])


def size_scores(n: Floats) -> Floats:
    """``t_i = log n_i - mean_j log n_j`` over tested members; an untested one counts as the smallest tested."""
    tested = n > 0
    if not tested.any():
        return np.zeros(len(n))
    logs = np.log(n, where=tested, out=np.full(len(n), np.inf))
    spread = np.where(tested, logs, logs.min()) - logs[tested].mean()
    return spread if np.ptp(logs[tested]) > 0 else np.zeros(len(n))


def log_rising_excess(x: Floats, log_x: Floats, k: Floats) -> Floats:
    """``log Gamma(x + k)/Gamma(x) - k log x``: what a rising factorial is above a power; 0 for ``x`` far above ``k``.

    By the difference of two Stirling series, so nothing cancels where ``x`` is large.
    """
    with np.errstate(over="ignore", divide="ignore"):
        grown = np.log1p(k / x)
    excess = (x + k - 0.5) * grown - k + _stirling(x + k) - _stirling(x)
    small = x < STIRLING
    if small.any():
        x, k, log_x = x[small], np.broadcast_to(k, small.shape)[small], log_x[small]
        excess[small] = special.gammaln(x + k) - special.gammaln(x) - k * log_x
    return np.asarray(excess)


def _stirling(z: Floats) -> Floats:
    r = 1 / np.maximum(z, 1.0)
    s = r * r
    return np.asarray(r * (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))))


def log_main(a: Floats, b: Floats, y: Floats, tallies: Tallies) -> Floats:
    """Log beta-binomial probability log M of every tally in the main part at nodes (G,), shape (G, U).

    ``log B(mu kappa + k, (1 - mu) kappa + n - k) - log B(mu kappa, (1 - mu) kappa)``, written as
    ``k log mu + (n - k) log(1 - mu)`` plus three excesses, which keeps its digits up to counts of 1e9 and any kappa.
    """
    k, wrong = tallies.k, tallies.n - tallies.k
    eta = a[:, None] + b[:, None] * tallies.t
    log_q = -np.logaddexp(0, eta)
    log_p = eta + log_q
    total = k * log_p + wrong * log_q
    for log_share, count in ((log_p, k), (log_q, wrong)):
        log_x = np.maximum(log_share + y[:, None], -600.0)
        total += log_rising_excess(np.exp(log_x), log_x, count)
    spread, at_spread = np.unique(y, return_inverse=True)
    sizes, of_size = tallies.sizes
    whole = log_rising_excess(np.exp(spread)[:, None] + 0 * sizes, spread[:, None] + 0 * sizes, sizes)
    return np.asarray(total - whole[at_spread.ravel()][:, of_size])
