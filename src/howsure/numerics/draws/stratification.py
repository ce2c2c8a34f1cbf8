"""Post-stratification: draws are weighted so that a companion number, whose law is exact, has that law in the draws.

With strata of exact probability ``P_h`` that hold ``n_h`` of the draws, a draw in stratum h weighs ``P_h / n_h``. What
moves with the companion then varies only within strata (Cochran 1977, Sampling Techniques, section 5A.9).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats, Integers

__all__ = ["Strata", "strata_by"]

PER_STRATUM = 100  # draws expected in a stratum
LEAST = 10  # draws that a stratum holds; one with fewer joins its neighbour


@dataclass(frozen=True, eq=False)
class Strata:
    """Stratum of each draw, in the order they came, and the exact probability of each stratum."""

    of: NDArray[np.int32]
    shares: Floats

    @cached_property
    def counts(self) -> Integers:
        """Number of draws in each stratum."""
        return np.bincount(self.of, minlength=len(self.shares))

    @cached_property
    def weights(self) -> Floats:
        """Weight of each draw, adding to 1."""
        return (self.shares / self.counts)[self.of]

    def joined(self) -> Strata:
        """The same draws, in strata joined until each holds enough of them."""
        counts = self.counts
        label = np.empty(len(counts), dtype=np.int32)
        current = held = 0
        for h, count in enumerate(counts.tolist()):
            label[h] = current
            held += count
            if held >= LEAST:
                current, held = current + 1, 0
        if held and current:  # too few at the end: they join the one before
            label[label == current] = current - 1
        label = np.minimum(label, max(current - 1, 0))
        return Strata(label[self.of], np.bincount(label, self.shares).astype(float))

    def variance(self, of: NDArray[np.int32], *numbers: Floats) -> list[float]:
        """Variance of the weighted sum of each of some ``numbers`` of draws in the strata ``of``, all others being 0.

        ``sum_h P_h^2 s_h^2 / n_h`` with the variance ``s_h^2`` within stratum h.
        """
        n = self.counts
        scale = self.shares**2 / (n * np.maximum(n - 1, 1))
        found = []
        for x in numbers:
            first = np.bincount(of, x, minlength=len(n))
            second = np.bincount(of, x * x, minlength=len(n))
            found.append(float(scale @ np.maximum(second - first * first / n, 0.0)))
        return found


def strata_by(companion: Floats, quantile: Callable[[Floats], Floats]) -> Strata | None:
    """Strata between equally spaced exact quantiles of the companion; None where there would be fewer than two."""
    wanted = len(companion) // PER_STRATUM
    if wanted < 2:
        return None
    edges = quantile(np.arange(1, wanted) / wanted)
    of = np.searchsorted(edges, companion).astype(np.int32)
    made = Strata(of, np.full(wanted, 1 / wanted)).joined()
    return made if len(made.shares) > 1 else None
