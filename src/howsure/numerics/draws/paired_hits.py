"""Drawing how often each of several classifiers is right on the same cases, from patterns of right and wrong alone.

The model is that of `howsure.numerics.draws.paired_tables` with two answers, right and wrong: a Dirichlet process of
mass a + b whose base is one independent coin of mean a / (a + b) a classifier. What a draw costs is the number of
distinct patterns, whatever the number of classes; a draw is never held longer than its block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.draws.paired_tables import BLOCK, broken, sticks_of

__all__ = ["HitPatterns"]


@dataclass(frozen=True, eq=False)
class HitPatterns:
    """Cases that have one law: those of a true class, or all of them.

    Parameters
    ----------
    right : ndarray, shape (P, T)
        Distinct patterns, 1 where a classifier is right and 0 where it is wrong.
    counts : ndarray, shape (P,)
        Cases with each pattern, above 0.
    a, b : float
        Prior of the rate of right answers, Beta(a, b), above 0.
    """

    right: Floats
    counts: Floats
    a: float
    b: float

    def rates(self, n: int, seed: Sequence[int]) -> Floats:
        """Draw the rate of right answers of each classifier, jointly, shape (T, n)."""
        made = np.empty((self.right.shape[1], n))
        for start, seen, base, atoms in self._blocks(n, seed):
            total = seen.sum(1) + base.sum(1)
            hits = seen @ self.right + (base[:, None, :] @ atoms)[:, 0]
            made[:, start : start + len(seen)] = (hits / total[:, None]).T
        return made

    def replays(self, n: int, cases: int, seed: Sequence[int]) -> Floats:
        """Draw the share of right answers of each classifier on ``cases`` new cases, the same for all, shape (T, n)."""
        made = np.empty((self.right.shape[1], n))
        patterns = len(self.counts)
        rng = np.random.default_rng([*seed, 4])
        for start, seen, base, atoms in self._blocks(n, seed):
            shares = np.concatenate((seen, base), axis=1)
            new = rng.multinomial(cases, shares / shares.sum(1, keepdims=True)).astype(float)
            hits = new[:, :patterns] @ self.right + (new[:, None, patterns:] @ atoms)[:, 0]
            made[:, start : start + len(seen)] = hits.T / cases
        return made

    def _blocks(self, n: int, seed: Sequence[int]) -> Iterator[tuple[int, Floats, Floats, Floats]]:
        """First draw, masses of the seen patterns (m, P), masses (m, S) and patterns (m, S, T) of atoms of the base."""
        mass, models = self.a + self.b, self.right.shape[1]
        sticks = sticks_of(mass)
        # one stream for each kind of number, so that the size of the blocks does not matter
        streams = [np.random.default_rng([*seed, kind]) for kind in range(4)]
        step = max(1, min(n, BLOCK // (len(self.counts) + (2 + models) * sticks)))
        for start in range(0, n, step):
            many = min(step, n - start)
            seen = streams[0].standard_gamma(self.counts, (many, len(self.counts)))
            unseen = streams[1].standard_gamma(mass, many)
            base = unseen[:, None] * broken(streams[2].random((many, sticks)), mass)
            atoms = (streams[3].random((many, sticks, models)) < self.a / mass).astype(float)
            yield start, seen, base, atoms
