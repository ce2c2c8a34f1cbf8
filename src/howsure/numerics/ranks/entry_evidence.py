"""How likely the tallies of a board are, if its entries are a sample from a population with a second group.

    k_e | theta_e ~ Binomial(n_e, theta_e)
    theta_e ~ (1 - eps) Beta(mu kappa, (1 - mu) kappa) + eps G2,    independent given mu, kappa, eps and G2
    mu ~ Uniform(0, 1),   eps ~ Beta(1, 9),   s = sqrt(n0 / kappa) ~ half-Cauchy(1), kappa >= 1

with n0 the harmonic mean of n_e.

The second group G2 is what a board has besides: entries that stand out, broken ones, a second cluster. It is one item
of a menu: the main part's centre with a wider spread (1/4), Beta(1, 1) (3/8), or a Beta around a quantile of the
board, narrow or wide (3/8 in all). Coordinates of a node: z = log(kappa / n0) = -2 log s and a = logit mu.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, expit, gammaln, logit

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat

__all__ = ["Centres", "EntryEvidence", "sample_sizes_alike"]

#: Nodes of eps; with their weights eps (1 - eps)^9 they stand for Beta(1, 9), being nearly even in logit eps.
EPS = np.array([0.004, 0.02, 0.06, 0.15, 0.35, 0.6, 0.85])
LOG_EPS = np.log(EPS) + 9 * np.log1p(-EPS)
LOG_EPS -= np.log(np.exp(LOG_EPS).sum())

#: Prior shares of the menu: same centre, anywhere, around a quantile of the board.
SAME_CENTRE, ANYWHERE, AROUND = 0.25, 0.375, 0.375

#: Quantiles of the board that a second group may lie around, and its sizes as multiples of n0.
QUANTILES, SIZES = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95), (4.0, 0.25)

#: Quantiles from which a centre of the main part is looked for.
STARTS = (0.5, 0.15, 0.85)

#: Steps towards a centre, the share of the second group meanwhile, and the distance in sd that makes two centres one.
STEPS, SHARE, APART = 10, 0.2, 1.5

#: How much smaller kappa is in the group of the same centre, and where it stops.
WIDER, WIDEST = 16.0, 2.0

#: Numbers that one block of nodes may hold.
BLOCK = 1_000_000


@dataclass(frozen=True)
class Centres:
    """Modes of a = logit mu for each z: ``a`` and information ``h``, shape (Z, starts), and which are no copies."""

    a: Floats
    h: Floats
    new: Booleans


def sample_sizes_alike(n: Floats) -> float:
    """Harmonic mean of the sample sizes; entries without cases say nothing about it."""
    return float(1 / np.mean(1 / n[n > 0]))


class EntryEvidence:
    """Density of the population's nodes given a board.

    Parameters
    ----------
    k, n : ndarray, shape (T,)
        Right answers and all answers of each entry; pseudo-counts need not be whole. At least one ``n`` above 0.
    """

    def __init__(self, k: Floats, n: Floats) -> None:
        tallies, place, copies = np.unique(np.stack([k, n]), axis=1, return_inverse=True, return_counts=True)
        self.k, self.n = tallies
        self.copies: Floats = copies.astype(float)
        #: Distinct tally of each entry.
        self.place: Integers = np.asarray(place.reshape(-1), np.int64)
        self.n0 = sample_sizes_alike(n)
        self._smooth = (self.k + 0.5) / (self.n + 1)
        self._tested = np.flatnonzero(self.n > 0)
        self._tested = self._tested[np.argsort(self._smooth[self._tested], kind="stable")]
        self._choose = gammaln(self.n + 1) - gammaln(self.k + 1) - gammaln(self.n - self.k + 1)
        around = np.unique([self._quantile(share) for share in QUANTILES])
        self._means = np.concatenate(([0.5], repeat(around, 2)))
        self._sizes = np.concatenate(([2.0], np.tile(np.array(SIZES) * self.n0, len(around))))
        self._fixed = np.stack([self.log_probability(m, c) for m, c in zip(self._means, self._sizes, strict=True)])
        each = np.full(2 * len(around), AROUND / (2 * len(around)))
        self._log_menu = np.log(np.concatenate(([SAME_CENTRE, ANYWHERE], each)))

    def _quantile(self, share: float) -> float:
        """Smoothed score below which a share of the entries lies."""
        reached = np.cumsum(self.copies[self._tested])
        index = int(np.searchsorted(reached, share * reached[-1] - 1e-9))
        return float(self._smooth[self._tested[min(index, len(reached) - 1)]])

    def log_probability(self, mu: Floats | float, kappa: Floats | float) -> Floats:
        """Log beta-binomial probability of every distinct tally under Beta(mu kappa, (1 - mu) kappa)."""
        a, b = np.multiply(mu, kappa), np.multiply(np.subtract(1, mu), kappa)
        return np.asarray(self._choose + betaln(a + self.k, b + self.n - self.k) - betaln(a, b))

    def menu(self, mu: Floats, kappa: Floats) -> tuple[Floats, Floats]:
        """Means and sizes of the second group's parts at nodes, shape (G, menu)."""
        means = np.concatenate([mu[:, None], np.broadcast_to(self._means, (len(mu), len(self._means)))], 1)
        sizes = np.concatenate([_wider(kappa)[:, None], np.broadcast_to(self._sizes, (len(mu), len(self._sizes)))], 1)
        return means, sizes

    def centres(self, z: Floats) -> Centres:
        """Up to three modes of a for each z, each a fixed point in which every entry has the weight of the main part.

        An entry weighs ``copies / (1 + (n - 1)/(1 + kappa)) P(main)``; two pseudo-cases, one right and one wrong, are
        the prior of mu. Only a guide for the nodes; their weights are exact.
        """
        kappa = (np.exp(z) * self.n0)[:, None]
        plain = self.copies / (1 + np.maximum(self.n - 1, 0) / (1 + kappa))
        # stand-in for the second group: half anywhere, half around the same centre
        anywhere = -np.log(self.n + 1)
        found: list[tuple[Floats, Floats, Booleans]] = []
        for start in STARTS:
            mu = np.full((len(z), 1), self._quantile(start))
            for _ in range(STEPS):
                beside = np.logaddexp(anywhere, self.log_probability(mu, _wider(kappa))) + np.log(0.5)
                odds = np.log((1 - SHARE) / SHARE)
                weight = plain * expit(self.log_probability(mu, kappa) - beside + odds)
                cases = weight @ self.n + 2
                mu = ((weight @ self.k + 1) / cases)[:, None]
            a, h = logit(mu[:, 0]), cases * (mu * (1 - mu))[:, 0]
            new = np.ones(len(z), bool)
            for other, precision, taken in found:
                new &= ~(taken & (np.abs(a - other) < APART / np.sqrt(np.minimum(h, precision))))
            found.append((a, h, new))
        return Centres(*(np.array(column).T for column in zip(*found, strict=True)))

    def log_density(self, z: Floats, a: Floats) -> Floats:
        """Log posterior density of the nodes with respect to dz da, up to a constant, shape (G,)."""
        found = np.empty(len(z))
        for part in self._blocks(len(z)):
            found[part] = self._weighed(z[part], a[part])[0]
        return found

    def shares(self, z: Floats, a: Floats) -> tuple[Floats, Floats]:
        """P(main part) of every distinct tally, shape (G, U), and P(part of the menu), shape (G, menu, U)."""
        main, second = [], []
        for part in self._blocks(len(z)):
            _, weight, mixed, plain, beside = self._weighed(z[part], a[part])
            share = (weight / weight.sum((1, 2), keepdims=True))[..., None] / mixed
            main.append((share * (1 - EPS)[:, None, None] * plain[:, None]).sum((1, 2)))
            second.append((share * EPS[:, None, None] * beside[:, None]).sum(1))
        return np.concatenate(main), np.concatenate(second)

    def _blocks(self, nodes: int) -> list[slice]:
        step = max(1, BLOCK // (len(EPS) * len(self._log_menu) * len(self.k)))
        return [slice(start, start + step) for start in range(0, nodes, step)]

    def _weighed(self, z: Floats, a: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Log density (G,), weights of eps and menu (G, E, menu), and probabilities of every tally.

        Those are relative to the larger of both groups' (an entry may lie a thousand sd from one of them): of the
        mixture (G, E, menu, U), of the main part and of the second group (G, menu, U).
        """
        mu, kappa = expit(a)[:, None], (np.exp(z) * self.n0)[:, None]
        main = self.log_probability(mu, kappa)[:, None]
        wider = self.log_probability(mu, _wider(kappa))
        beside = np.concatenate([wider[:, None], np.broadcast_to(self._fixed, (len(z), *self._fixed.shape))], 1)
        larger = np.maximum(main, beside)
        main, beside = np.exp(main - larger), np.exp(beside - larger)
        mixed = (1 - EPS)[:, None, None] * main[:, None] + EPS[:, None, None] * beside[:, None]
        log = np.log(mixed) @ self.copies + (larger @ self.copies)[:, None] + LOG_EPS[:, None] + self._log_menu
        top = log.max((1, 2), keepdims=True)
        weight = np.exp(log - top)
        # half-Cauchy s and flat mu, in z and a
        prior = 0.5 * z - np.logaddexp(0, z) + a - 2 * np.logaddexp(0, a)
        return prior + top[:, 0, 0] + np.log(weight.sum((1, 2))), weight, mixed, main, beside


def _wider(kappa: Floats) -> Floats:
    """Size of the group that shares the main part's centre: sixteen times less, but no U-shape that kappa has not."""
    return np.asarray(np.maximum(kappa / WIDER, np.minimum(kappa, WIDEST)))
