"""Rates of groups that are of two kinds: each group has one of two rates, and nothing else is between them.

    theta_s = mu_1 with probability w, else mu_2        mu_1, mu_2 ~ Beta(1, 1), w ~ Beta(1, 1)

A population with one hump takes two clusters for a wide spread, whose extremes lie further apart than they do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats

__all__ = ["TwoKinds"]

#: Cells of each rate in the angle arcsin(sqrt(mu)), nodes of w; so often their range is narrowed, to so many nats.
CELLS, SHARES, TIMES, NATS = 20, (np.arange(8) + 0.5) / 8, 4, 12.0


class TwoKinds:
    """Posterior of the rates of S groups that are of two kinds.

    Parameters
    ----------
    k, n : array_like, shape (S,)
        Hits and cases of each group.

    Attributes
    ----------
    log_evidence : float
        Of the counts, without binomial coefficients.

    Examples
    --------
    >>> made = TwoKinds([75, 90] * 5, [100] * 10)
    >>> rates = made.draw(1000, np.random.default_rng(0))
    >>> round(float(np.ptp(rates, axis=1).mean()), 2)
    0.15
    """

    def __init__(self, k: ArrayLike, n: ArrayLike) -> None:
        k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
        tallies, place, copies = np.unique(np.stack([k, n]), axis=1, return_inverse=True, return_counts=True)
        self.place, self._k, self._n = place.ravel(), tallies[0], tallies[1]
        ends = [(0.0, np.pi / 2)] * 2
        for turn in range(TIMES):
            steps = [(high - low) / CELLS for low, high in ends]
            one, two = (
                np.asarray(low + (np.arange(CELLS) + 0.5) * step, dtype=np.float64)
                for (low, _), step in zip(ends, steps, strict=True)
            )
            first, second = self._log(one), self._log(two)
            log = np.stack(
                [
                    np.logaddexp(np.log1p(-w) + first[:, None], np.log(w) + second[None]) @ copies.astype(float)
                    for w in SHARES
                ]
            )
            log += np.log(np.sin(2 * one) * steps[0])[:, None] + np.log(np.sin(2 * two) * steps[1])
            # each pair once: the first rate is the lower one
            log = np.where(one[:, None] < two, log, -np.inf) + np.log(2 / len(SHARES))
            kept = (log > log.max() - NATS).any(axis=0)
            if turn == TIMES - 1:
                break
            ends = [
                _around(kept.any(axis=1 - axis), *end, step)
                for axis, (end, step) in enumerate(zip(ends, steps, strict=True))
            ]
        self.log_evidence = float(special.logsumexp(log))
        self._one, self._two, self._steps = one, two, steps
        self._weight = np.exp(log - log.max()).ravel()
        self._weight /= self._weight.sum()

    def _log(self, angle: Floats) -> Floats:
        """Log probability of each tally at a rate, shape (G, U)."""
        return np.asarray(
            2 * special.xlogy(self._k, np.sin(angle)[:, None])
            + 2 * special.xlogy(self._n - self._k, np.cos(angle)[:, None])
        )

    def draw(self, many: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all rates, shape (many, S)."""
        share, i, j = np.unravel_index(rng.choice(len(self._weight), many, p=self._weight), (len(SHARES), CELLS, CELLS))
        one = self._one[i] + (rng.random(many) - 0.5) * self._steps[0]
        two = self._two[j] + (rng.random(many) - 0.5) * self._steps[1]
        w = SHARES[share][:, None]
        odds = self._log(two) - self._log(one) + np.log(w) - np.log1p(-w)
        second = rng.random((many, len(self.place))) < special.expit(odds)[:, self.place]
        return np.asarray(np.sin(np.where(second, two[:, None], one[:, None])) ** 2)


def _around(kept: Floats, low: float, high: float, step: float) -> tuple[float, float]:
    """The range of the cells that matter, and one more on each side."""
    there = np.flatnonzero(kept)
    return max(0.0, low + (there[0] - 1) * step), min(np.pi / 2, low + (there[-1] + 2) * step)
