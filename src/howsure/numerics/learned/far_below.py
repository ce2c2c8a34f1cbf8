"""Members of a family whose rate lies far below the others': by how far, not by which part of a mixture they are.

A rate is far below if it is lower than the typical one of the other members by more than `MARGIN` (by more than half
of the typical one's distance to chance, if that is less), and lower than the least of so many members like the others
would be; or lower than half the rate of a guesser, where most of the others are above that. What is known of the others
leaves the member out:

    theta_i ~ Beta(mu kappa, (1 - mu) kappa)    most of them: no number of the Beta is below 1/2, so that no family is
                                                explained by members that are nearly all 1 or 0
    theta_i ~ Beta(1/2, 1/2)                    a share of e, so that several odd members do not hide each other

mu and kappa are integrated over cells, e is the mean of its posterior. Tails of a Beta end soon; the limit allows for
logits with those of Student's t with `TAILS` degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats

__all__ = ["MARGIN", "FarBelow", "far_below"]

#: A rate that is lower by less than this is not far below.
MARGIN = 0.1

#: Expected number of members like the others that are below the limit, of as many as there are; degrees of freedom.
BELOW, TAILS = 0.12, 4.0

#: Nodes of e, and its prior Beta(1, SHARE).
SHARES, SHARE = np.array([0.0005, 0.002, 0.005, 0.012, 0.03, 0.06, 0.1, 0.16, 0.25]), 9.0

#: Both numbers of the main part's Beta are ENDS at least; cells of rho as shares of the largest such rho.
ENDS = 0.5
RHO = np.concatenate(([0.0, 0.001, 0.004, 0.01], np.linspace(0.03, 1.0, 11)))

#: Cells of mu in the angle arcsin(sqrt(mu)); the range is narrowed so often, to so many nats of the best.
CELLS, TIMES, NATS = 24, 4, 12.0

#: Places where the rates of the others are looked at.
PLACES = np.sin(np.linspace(0, np.pi / 2, 129)[1:-1]) ** 2

#: Tallies that the range is narrowed by.
FEW = 500


@dataclass(frozen=True, eq=False)
class FarBelow:
    """For each member: the probability of being far below, the limit for that, and the others' typical rate."""

    probability: Floats
    limit: Floats
    typical: Floats


def far_below(k: ArrayLike, n: ArrayLike, chance: float, *, families: int = 1) -> FarBelow:
    """Whether each of several members is far below the others.

    Parameters
    ----------
    k, n : array_like, shape (S,)
        Right cases and cases of each member; one without cases is never far below.
    chance : float
        Rate of a guesser.
    families : int
        So many families are looked at.

    Examples
    --------
    >>> made = far_below([0] + [20] * 9, [20] * 10, 0.1)
    >>> round(float(made.probability[0]), 2), round(float(made.limit[0]), 2), round(float(made.probability[1]), 2)
    (1.0, 0.83, 0.0)
    """
    pairs = np.stack([np.asarray(k, dtype=float), np.asarray(n, dtype=float)])
    tallies, place, times = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
    below = BELOW / (max(1, int((pairs[1] > 0).sum())) * families)
    made = _far_below(tallies[0], tallies[1], np.where(tallies[1] > 0, times, 0.0), chance, below)
    return FarBelow(*(x[place.ravel()] for x in made))


def _far_below(k: Floats, n: Floats, copies: Floats, chance: float, below: float) -> tuple[Floats, Floats, Floats]:
    """Probabilities, limits and typical rates of distinct tallies."""
    a, b, log = _nodes(k, n, copies)
    main, broad = _log_beta_binomial(a, b, k, n), special.betaln(0.5 + k, 0.5 + n - k) - np.log(np.pi)
    share = _share(log, main, broad, copies)
    odd = np.log(share) + broad
    each = np.logaddexp(np.log1p(-share) + main, odd)
    total = log + each @ copies
    without = total[:, None] - np.where(copies > 0, each, 0.0)
    reached = _weights(without).T @ special.betainc(a[:, None], b[:, None], PLACES)
    typical, fourth, tenth, least = (
        np.array([np.interp(p, row, PLACES) for row in reached]) for p in (0.5, 0.25, 0.1, below)
    )
    far = special.stdtrit(TAILS, below) / special.stdtrit(TAILS, 0.1) if below < 0.1 else 1.0
    middle = special.logit(typical)
    tail = special.expit(middle - far * np.maximum(middle - special.logit(tenth), 0.0))
    margin = np.clip((typical - chance) / 2, 0.0, MARGIN)
    # two others say too little of the least; half as often right as by guessing is no member of those above that
    worse = np.where(fourth > chance / 2, np.minimum(chance / 2, typical - margin), 0.0)
    limit = np.maximum(np.minimum(np.minimum(typical - margin, least), tail), worse)
    weight, rest = _weights(total), np.exp(odd - each)
    inside = special.betainc(a[:, None] + k, b[:, None] + n - k, limit)
    own = special.betainc(0.5 + k, 0.5 + n - k, limit)
    probability = weight @ ((1 - rest) * inside + rest * own)
    return np.where(n > 0, probability, 0.0), limit, typical


def _nodes(k: Floats, n: Floats, copies: Floats) -> tuple[Floats, Floats, Floats]:
    """Numbers of the Betas of the main part where they matter, and the log of their prior, shape (G,) each."""
    order = np.lexsort((k / np.maximum(n, 1), n))
    some = order[np.linspace(0, len(order) - 1, min(FEW, len(order))).astype(int)]
    k, n, copies = k[some], n[some], copies[some]
    broad = np.log(0.03) + special.betaln(0.5 + k, 0.5 + n - k) - np.log(np.pi)
    low, high = 0.0, np.pi / 2
    for turn in range(TIMES):
        step = (high - low) / CELLS
        angle = low + (np.arange(CELLS) + 0.5) * step
        mu, spread = (x.ravel() for x in np.meshgrid(np.sin(angle) ** 2, (RHO[1:] + RHO[:-1]) / 2, indexing="ij"))
        near = np.minimum(mu, 1 - mu)
        kappa = (near + ENDS) / (spread * near) - 1
        a, b = mu * kappa, (1 - mu) * kappa
        log = np.log(np.outer(np.sin(2 * angle), np.diff(RHO))).ravel()
        seen = log + np.logaddexp(_log_beta_binomial(a, b, k, n), broad) @ copies
        kept = seen > seen.max() - NATS
        there = np.flatnonzero(kept.reshape(CELLS, -1).any(axis=1))
        if turn == TIMES - 1 or len(there) > CELLS // 2:
            break
        low, high = max(0.0, low + (there[0] - 1) * step), min(np.pi / 2, low + (there[-1] + 2) * step)
    return a[kept], b[kept], log[kept]


def _share(log: Floats, main: Floats, broad: Floats, copies: Floats) -> float:
    """Posterior mean of the share of members that are unlike the others."""
    cell = np.gradient(SHARES) * (1 - SHARES) ** (SHARE - 1)
    seen = [special.logsumexp(log + np.logaddexp(np.log1p(-e) + main, np.log(e) + broad) @ copies) for e in SHARES]
    return float(_weights(np.array(seen) + np.log(cell)) @ SHARES)


def _log_beta_binomial(a: Floats, b: Floats, k: Floats, n: Floats) -> Floats:
    return np.asarray(special.betaln(a[:, None] + k, b[:, None] + n - k) - special.betaln(a, b)[:, None])


def _weights(log: Floats) -> Floats:
    made = np.exp(log - log.max(axis=0))
    return np.asarray(made / made.sum(axis=0))
