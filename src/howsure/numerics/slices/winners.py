"""Who is best in which slice, of several classifiers on the same cases: shares of their patterns of right and wrong.

Cases that all have right, or all wrong, tell nothing. Of the others each slice s has patterns (who is right) with
shares

    theta_s ~ Dirichlet(m q),    q ~ Dirichlet(1/P, ..., 1/P),    1/(1 + m) ~ Beta(1, 3)

over P patterns: those that occur, and one for all others, in which each classifier is right in half of the cases. The
posterior is by Gibbs sampling: m given q and the counts on a grid, tables of the Chinese restaurant given m and q,
q given the tables, shares given m and q (Teh et al. 2006, section 5; West 1992 for the tables).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln

from howsure.numerics.arrays import Floats, Integers, bincount, repeat

__all__ = ["PatternShares"]

#: log m on a grid; sweeps that are left out at the beginning.
GRID, BURN = np.linspace(-4.0, 9.0, 40), 100


class PatternShares:
    """Draws of the shares of right answers among the cases that tell classifiers apart, by slice.

    Parameters
    ----------
    counts : ndarray, shape (S, P)
        Cases of each slice with each pattern that occurs and tells apart.
    hits : ndarray, shape (P, T)
        Who is right.

    Examples
    --------
    >>> made = PatternShares(np.array([[9, 1], [8, 2], [1, 9]]), np.array([[1, 0], [0, 1]]))
    >>> won = np.mean([draw[:, 0] > draw[:, 1] for draw in made.draw(400, 0)], axis=0)
    >>> [bool(p) for p in (won[0] > 0.9, won[1] > 0.8, won[2] < 0.1)]
    [True, True, True]
    """

    def __init__(self, counts: Integers, hits: Integers) -> None:
        self._counts: Floats = np.concatenate((counts, np.zeros((len(counts), 1))), axis=1)
        self._hits: Floats = np.concatenate((hits, np.full((1, hits.shape[1]), 0.5)))
        # one number for each case: which pattern, and how many of its slice and pattern came before it
        place = np.flatnonzero(self._counts)
        sizes = self._counts.ravel()[place].astype(np.int64)
        self._seen = place % self._counts.shape[1], self._counts.ravel()[place]
        self._sizes = np.unique(self._counts.sum(axis=1), return_counts=True)
        self._pattern = repeat(place % self._counts.shape[1], sizes)
        self._before = np.arange(len(self._pattern)) - repeat(np.cumsum(sizes) - sizes, sizes)

    def draw(self, n: int, seed: int, *, borrowing: bool = True) -> Iterator[Floats]:
        """Draws of the share of each classifier in each slice, shape (S, T) each; ``m = 1`` and q even where alone."""
        rng = np.random.default_rng(seed)
        patterns = self._counts.shape[1]
        q: Floats = np.full(patterns, 1 / patterns)
        m = 1.0
        for i in range(-BURN if borrowing else 0, n):
            if borrowing:
                m = self._mass(q, rng)
                opened = rng.random(len(self._pattern)) * (m * q[self._pattern] + self._before) < m * q[self._pattern]
                tables = bincount(self._pattern[opened], minlength=patterns)
                q = np.maximum(_shares(rng, tables + 1 / patterns), 1e-12)
            if i >= 0:
                yield np.einsum(
                    "sp,pt->st", _shares(rng, np.asarray(m * q + self._counts, dtype=np.float64)), self._hits
                )

    def _mass(self, q: Floats, rng: np.random.Generator) -> float:
        """Draw m given q, shares left out."""
        m: Floats = np.exp(GRID)
        log = 3 * GRID - 4 * np.log1p(m)  # 1/(1 + m) ~ Beta(1, 3), as a density of log m
        for size, many in zip(*self._sizes, strict=True):
            log += many * (gammaln(m) - gammaln(m + size))
        base: Floats = np.asarray(m * q[self._seen[0], None], dtype=np.float64)
        log += (gammaln(base + self._seen[1][:, None]) - gammaln(base)).sum(axis=0)
        weight = np.cumsum(np.exp(log - log.max()))
        return float(m[min(int(np.searchsorted(weight, rng.random() * weight[-1])), len(m) - 1)])


def _shares(rng: np.random.Generator, alpha: Floats) -> Floats:
    drawn = rng.standard_gamma(np.maximum(alpha, 1e-9))
    return np.asarray(drawn / np.maximum(drawn.sum(axis=-1, keepdims=True), 1e-300))
