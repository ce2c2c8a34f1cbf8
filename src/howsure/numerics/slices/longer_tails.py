"""Which slices are unlike the rest if the rest has longer tails than a Beta: rates whose logits are normal.

    logit theta_s ~ Normal(a + b t_s, tau) with probability 1 - e,    theta_s ~ Beta(1/2, 1/2) with probability e
    tau ~ half-Normal(1),    expit(a) ~ Beta(1, 1),    e ~ Beta(1, 9),    b fixed

A slice in the lower tail of such a population looks broken beside a Beta. The Beta and the normal are one half likely
each beforehand, and are weighed by their evidence.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, steady_product
from howsure.numerics.learned.evidence import TWO_PARTS

__all__ = ["unlike_longer_tails"]

#: Logits of the rates, and how far apart.
REACH, STEP = 12.0, 0.03

#: A slice counts as so many cases at most, so that no likelihood falls between two of these logits.
MOST_CASES = 2_000.0

#: Spreads, shares of the broad part, and places of a.
SPREADS, SHARES = np.geomspace(0.03, 3.0, 13), np.geomspace(3e-4, 0.6, 14)
PLACES, TURNS = 15, 3

#: Tallies whose likelihoods are held at once.
TALLIES = 1_000


class _Shape(Protocol):
    """A shape of the main part."""

    def spreads(self, middle: float) -> tuple[Floats, Floats]:
        """Spreads and the logs of their prior masses."""

    def density(self, a: Floats, spread: Floats, logits: Floats) -> Floats:
        """Log density at the logits, shape (M, G), up to what makes them add up to 1."""


class _Normal:
    """Normal logits; the spread is tau."""

    def spreads(self, middle: float) -> tuple[Floats, Floats]:
        return SPREADS, 0.5 * np.log(2 / np.pi) - SPREADS**2 / 2 + np.log(SPREADS)

    def density(self, a: Floats, spread: Floats, logits: Floats) -> Floats:
        return np.asarray(-0.5 * ((logits[:, None] - a) / spread) ** 2)


class _Beta:
    """Beta; the spread is kappa, 1/(1 + kappa) ~ Beta(1, 3)."""

    def spreads(self, middle: float) -> tuple[Floats, Floats]:
        kappa = 1 / (special.expit(middle) * special.expit(-middle) * SPREADS**2)
        rho = 1 / (1 + kappa)
        return kappa, np.log(2 * 3 * rho) + 3 * np.log1p(-rho)  # log kappa takes steps twice as long

    def density(self, a: Floats, spread: Floats, logits: Floats) -> Floats:
        right, wrong = spread * special.expit(a), spread * special.expit(-a)
        log = -right * np.logaddexp(0, -logits[:, None]) - wrong * np.logaddexp(0, logits[:, None])
        return np.asarray(log - log.max(axis=0))


_normal, _beta = _Normal(), _Beta()


def unlike_longer_tails(k: Floats, n: Floats, shift: Floats, copies: Floats, asked: Floats) -> Floats:
    """P(broad part) of some tallies, by a population of either shape that is learned from the first ones.

    Parameters
    ----------
    k, n, shift, copies : ndarray, shape (U,)
        Right cases, cases, the shift of the logit by the size, and how often each comes.
    asked : ndarray, shape (4, V)
        The same of the tallies that are asked for; their copies are not used.

    Examples
    --------
    >>> right, cases = np.array([19.0, 18.0, 0.0]), np.full(3, 20.0)
    >>> copies = np.array([60.0, 39.0, 1.0])
    >>> unlike_longer_tails(right, cases, np.zeros(3), copies, np.stack([right, cases, 0 * cases, copies])).round(2)[2]
    1.0
    """
    logits = np.arange(-REACH, REACH + STEP / 2, STEP)
    middle = float(special.logit((k @ copies + 0.5) / (n @ copies + 1.0)))
    given, wanted = _likelihoods(k, n, shift, logits), _likelihoods(asked[0], asked[1], asked[2], logits)
    both = [_by_shape(shape, given, copies, wanted, middle, logits) for shape in (_normal, _beta)]
    likely = special.softmax([evidence for evidence, _ in both])
    return np.asarray(likely[0] * both[0][1] + likely[1] * both[1][1])


def _by_shape(
    shape: _Shape, given: tuple[Floats, Floats], copies: Floats, wanted: tuple[Floats, Floats], middle: float,
    logits: Floats,
) -> tuple[float, Floats]:  # fmt: skip
    """Log evidence of a shape of the main part, and P(broad) of the tallies that are wanted."""
    spread, prior = shape.spreads(middle)
    centre, width = np.full(len(spread), middle), np.full(len(spread), 2.0)
    every = np.repeat(spread, PLACES)
    for _ in range(TURNS):  # each turn nearer to where the mass of a is, for every spread by itself
        a = centre[:, None] + width[:, None] * np.linspace(-1, 1, PLACES)
        log_main = np.log(_main(given[0], shape.density(a.ravel(), every, logits)))
        height = _heights(log_main, given[1], copies, a.ravel())
        mass = special.logsumexp(height, axis=1).reshape(a.shape)
        share = np.exp(mass - mass.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        centre = (share * a).sum(axis=1)
        sd = np.sqrt((share * (a - centre[:, None]) ** 2).sum(axis=1) + (a[:, 1] - a[:, 0]) ** 2 / 12)
        used, width = width, np.minimum(4 * sd, width)
    height = (height.reshape(*a.shape, -1) + (prior + np.log(used))[:, None, None]).reshape(height.shape)
    evidence = float(special.logsumexp(height))
    weight = np.exp(height - evidence)
    kept = np.flatnonzero(weight.sum(axis=1) > 1e-5)
    log_main = np.log(_main(wanted[0], shape.density(a.ravel()[kept], every[kept], logits)))
    found = np.zeros(len(wanted[1]))
    for j, e in enumerate(SHARES):
        odds = special.logit(e) + wanted[1][:, None] - log_main
        found += (special.expit(odds) * weight[kept, j]).sum(axis=1)
    return evidence, np.asarray(found / weight[kept].sum())


def _likelihoods(k: Floats, n: Floats, shift: Floats, logits: Floats) -> tuple[Floats, Floats]:
    """Likelihoods at the logits, over their greatest, shape (U, M), and of the broad part in the same unit, its log."""
    scale = np.minimum(1.0, MOST_CASES / np.maximum(n, 1.0))
    right, wrong = k * scale, (n - k) * scale
    parts, logs = [], []
    for start in range(0, len(k), TALLIES):
        some = slice(start, start + TALLIES)
        eta = logits + shift[some, None]
        log = -right[some, None] * np.logaddexp(0, -eta) - wrong[some, None] * np.logaddexp(0, eta)
        greatest = log.max(axis=1)
        parts.append(np.exp(log - greatest[:, None]))
        logs.append(TWO_PARTS.log_broad(right[some], (right + wrong)[some]) - greatest)
    return np.concatenate(parts), np.concatenate(logs)


def _main(likelihood: Floats, log_density: Floats) -> Floats:
    """Probabilities of the tallies in the main part at nodes (G,), shape (U, G), in the unit of the likelihoods."""
    density = np.exp(log_density)
    density /= density.sum(axis=0)
    return np.asarray(np.maximum(steady_product(likelihood, density), 1e-300))


def _heights(log_main: Floats, broad: Floats, copies: Floats, a: Floats) -> Floats:
    """Log posterior of each node and share, shape (G, E), up to a constant."""
    first, second = TWO_PARTS.share
    made = []
    for e in SHARES:
        each = np.logaddexp(np.log1p(-e) + log_main, np.log(e) + broad[:, None])
        made.append((each * copies[:, None]).sum(axis=0) + first * np.log(e) + (second - 1) * np.log1p(-e))
    return np.asarray(np.stack(made, axis=1) + (a - 2 * np.logaddexp(0, a))[:, None])
