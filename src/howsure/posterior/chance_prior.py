"""The prior under which a whole table is held against chance: every class has the errors of a guesser."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.numerics.arrays import repeat
from howsure.posterior.priors import Prior

__all__ = ["BySize", "perks_by_size"]


@dataclass(frozen=True)
class BySize(Prior):
    """Pseudo-counts of a row, evenly over its cells, that are in proportion to its cases; ``a`` and ``b`` the largest.

    Parameters
    ----------
    masses : tuple of K floats
        Pseudo-counts of each row, above 0 to 1.
    """

    masses: tuple[float, ...] = ()

    def row(self, size: int) -> NDArray[np.float64]:
        """Pseudo-counts of all rows, shape (K, K)."""
        return repeat(np.array(self.masses)[:, None] / size, size, axis=1)

    def recalls(self, size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pseudo-counts right and wrong of every class, shape (K,) each."""
        masses = np.array(self.masses)
        return masses / size, masses * (1 - 1 / size)


def perks_by_size(confusion: ConfusionMatrix, perks: Prior) -> Prior:
    """`perks` where a row's pseudo-case counts (n_i + 1) / (n_max + 1); `perks` itself where classes are of one size.

    One pseudo-case in every row moves the rare classes more than the common ones. To a guesser that mostly names a
    common class it makes rare classes look unlike common ones, which is what correlation of truth and answer means: MCC
    and kappa are then above 0 for certain. In proportion to the cases all rows move alike, and it stays where it was.

    Examples
    --------
    >>> perks = Prior(1 / 3, 2 / 3, 1, "perks")
    >>> made = perks_by_size(ConfusionMatrix([[8, 1, 0], [2, 2, 0], [0, 0, 4]]), perks)
    >>> made.name, made.row(3).sum(axis=1).tolist()
    ('perks by class size', [1.0, 0.5, 0.5])
    """
    sizes = confusion.class_sizes
    if np.all(sizes == sizes[0]):
        return perks
    masses = (sizes + 1) / (sizes.max() + 1)
    return BySize(perks.a, perks.b, perks.prevalence, f"{perks.name} by class size", masses=tuple(masses.tolist()))
