"""Draws that are weighted one by one, in the form that `howsure.laws.Draws` takes weights in."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.draws.weighted_draws import Strata

__all__ = ["ImportanceWeights"]

#: Runs of neighbouring draws whose means tell the error of the mean of all.
BATCHES = 25


class ImportanceWeights(Strata):
    """Every draw is a stratum of its own, and its share is its weight.

    Errors are those of batch means (Owen 2013, Monte Carlo theory, 17.3): neighbours in a lattice are a lattice of
    their own, so that the evenness of the draws is counted in part, and independent draws get their own error.

    Parameters
    ----------
    weight : ndarray, shape (n,)
        Adding to 1; in the order in which they were drawn.
    """

    def __init__(self, weight: Floats) -> None:
        super().__init__(np.arange(len(weight), dtype=np.int32), weight)

    @cached_property
    def weights(self) -> Floats:
        """Weight of each draw, adding to 1."""
        return self.shares

    def variance(self, of: NDArray[np.int32], *numbers: Floats) -> list[float]:
        """Variance of the weighted mean of each of some ``numbers`` of the draws ``of``, all others being 0."""
        found = []
        for x in numbers:
            sums = bincount(self._batch[of], self.shares[of] * x, minlength=BATCHES)
            off = sums - sums.sum() * self._held
            found.append(float(off @ off) * BATCHES / (BATCHES - 1))
        return found

    @cached_property
    def _batch(self) -> NDArray[np.int64]:
        return np.arange(len(self.shares)) * BATCHES // len(self.shares)

    @cached_property
    def _held(self) -> Floats:
        """Weight of each batch."""
        return bincount(self._batch, self.shares, minlength=BATCHES).astype(float)
