"""Whether a slice is like those before it: its own rate beside that of a new slice of their population."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.population import Population

__all__ = ["AfterOthers", "after_others"]


class AfterOthers(NamedTuple):
    """Draws of the mean rate that a new slice was expected to have, and of that of the slice that came; shape (n,)."""

    expected: Floats
    seen: Floats

    @property
    def lower(self) -> float:
        """Probability that the slice that came is lower."""
        return float((self.seen < self.expected).mean())


def after_others(k: ArrayLike, n: ArrayLike, a: float, b: float, draws: int, rng: np.random.Generator) -> AfterOthers:
    """Draw what is expected after some slices, and what is known of the next one.

    Parameters
    ----------
    k, n : array_like, shape (J, S)
        Right cases and cases of J rates in slices in the order of time, the last of which is the one that came; the
        metric is their mean.
    a, b : float
        Beta of a rate of the last slice alone.
    draws : int
        How many.
    rng : numpy.random.Generator
        Their source.

    Notes
    -----
    The slices before are a population (`Population`, without a slope on their sizes: the last slice may be small
    because its time is not over), and the new one is expected from its main part: like most of those before, whatever
    a few odd ones of them were. If the slice that came is one of these, ``lower`` is 0.975 or more in about one of
    forty.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> fallen = after_others([[90, 92, 89, 91, 90, 70]], [[100] * 6], 1.0, 1.0, 4_000, rng)
    >>> fallen.lower > 0.98, bool(0.87 < fallen.expected.mean() < 0.92)
    (True, True)
    """
    right, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    expected, seen = np.zeros(draws), np.zeros(draws)
    for hits, sizes in zip(right, cases, strict=True):
        before = Population(np.append(hits[:-1], 0.0), np.append(sizes[:-1], 0.0), t=np.zeros(len(hits)))
        at = before._hyperparameters(draws, rng)
        new = before.main_part(at.a, at.b, at.y, before.tallies.place[-1:])
        expected += rng.beta(*(x[:, 0] for x in new)) / len(right)
        seen += rng.beta(a + hits[-1], b + sizes[-1] - hits[-1], draws) / len(right)
    return AfterOthers(expected, seen)
