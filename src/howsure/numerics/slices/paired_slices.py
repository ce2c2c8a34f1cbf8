"""Two classifiers in many slices of the same cases: their differences jointly, borrowing between slices, and alone.

A difference of recalls is d (2 s - 1), with d how often exactly one of the two is right and s how often that is the
first. Borrowing, d and s are populations over the slices (`howsure.numerics.learned.paired_factors`); alone, they are
Beta(1, 1) and Beta(1/2, 1/2), which is Dirichlet(1/2, 1/2, 1/2, 1/2) of the four cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.paired_factors import PairedFactors

__all__ = ["PairedSlices", "ends_of_draws"]

#: Numbers drawn at a time.
BLOCK = 1_000_000


class PairedSlices:
    """Joint posterior of the differences of two classifiers in S slices, each the mean of J differences of rates.

    The answer about the second and the first is that about the first and the second with the opposite sign: who comes
    first inside is decided by the counts.

    Parameters
    ----------
    cells : ndarray, shape (J, S, 4)
        Cases of each rate in each slice that both have right, only the first, only the second, neither.
    borrowing : bool
        Whether slices borrow from each other.

    Examples
    --------
    >>> made = PairedSlices(np.array([[[40, 6, 2, 2], [30, 4, 1, 5], [12, 1, 1, 1]]]), borrowing=True)
    >>> drawn = np.concatenate(list(made.draw(4_000, 0)))
    >>> drawn.shape, bool(abs(drawn.mean(axis=0) - made.mean).max() < 0.01)
    ((4000, 3), True)
    """

    def __init__(self, cells: Integers, *, borrowing: bool) -> None:
        first, second = cells[..., 1].ravel(), cells[..., 2].ravel()
        unlike = np.flatnonzero(first != second)
        self._sign = -1.0 if len(unlike) and first[unlike[0]] < second[unlike[0]] else 1.0
        self._cells = cells if self._sign > 0 else cells[..., [0, 2, 1, 3]]
        self._families = [PairedFactors(each) for each in self._cells] if borrowing else None

    @property
    def mean(self) -> Floats:
        """Mean of every difference, shape (S,), in closed form."""
        made = np.zeros(self._cells.shape[1])
        if self._families is None:
            first, second = self._cells[..., 1], self._cells[..., 2]
            together = first + second
            each = (together + 1) / (self._cells.sum(axis=-1) + 2) * (first - second) / (together + 1)
            made += each.mean(axis=0)
        else:
            for family in self._families:
                made += family.discordance.moments[0] * (2 * family.direction.moments[0] - 1) / len(self._families)
        return self._sign * made

    def draw(self, n: int, seed: int) -> Iterator[Floats]:
        """Joint draws of all differences, in blocks (some, S) that are together ``n``."""
        count, slices = self._cells.shape[:2]
        streams = [[np.random.default_rng([seed, j, kind]) for kind in range(2)] for j in range(count)]
        step = max(1, BLOCK // slices)
        for start in range(0, n, step):
            many = min(step, n - start)
            made = np.zeros((many, slices))
            for j, rngs in enumerate(streams):
                d, s = self._factors(j, many, rngs)
                made += d * (2 * s - 1) / count
            yield self._sign * made

    def _factors(self, j: int, n: int, rngs: Sequence[np.random.Generator]) -> tuple[Floats, Floats]:
        if self._families is not None:
            family = self._families[j]
            return family.discordance.draw(n, rngs[0]), family.direction.draw(n, rngs[1])
        both, first, second, neither = self._cells[j].T
        shape = (n, len(both))
        return (
            rngs[0].beta(1.0 + first + second, 1.0 + both + neither, shape),
            rngs[1].beta(0.5 + first, 0.5 + second, shape),
        )


def ends_of_draws(values: Floats, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
    """Ends of the intervals of columns of draws, shape (n, S) to (S,) each.

    Examples
    --------
    >>> [end.tolist() for end in ends_of_draws(np.linspace(0, 1, 101)[:, None] ** 2, 0.9, "hdi")]
    [[0.0], [0.81]]
    """
    ordered = np.sort(values, axis=0)
    if kind == "central":
        low, high = np.quantile(ordered, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return np.asarray(low), np.asarray(high)
    inside = int(np.ceil(level * len(ordered)))
    at = (ordered[inside - 1 :] - ordered[: len(ordered) - inside + 1]).argmin(axis=0)
    columns = np.arange(ordered.shape[1])
    return ordered[at, columns], ordered[at + inside - 1, columns]
