"""The difference of two classifiers on the same cases."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument
from howsure.laws.linear import Linear

__all__ = ["PairedDifference"]


class PairedDifference(Linear):
    """Difference of balanced accuracy of two classifiers A - B on the same cases; exact.

    Parameters
    ----------
    cells : array_like, shape (K, 4)
        Dirichlet concentrations of each true class over: both right, only A, only B, neither. Positive (0 marks a cell
        that cannot occur).
    weights : array_like, shape (K,), optional
        Weight of each class; 1/K if left out.

    Raises
    ------
    InvalidArgument
        Other shapes, or concentrations below 0.

    Examples
    --------
    >>> gain = PairedDifference([[60.5, 12.5, 5.5, 23.5]])
    >>> round(gain.mean, 4), round(gain.prob(above=0), 4)
    (0.0686, 0.9567)
    """

    def __init__(self, cells: ArrayLike, weights: ArrayLike | None = None) -> None:
        table = np.atleast_2d(np.asarray(cells, dtype=float))
        if table.ndim != 2 or table.shape[1] != 4:
            raise InvalidArgument(f"cells are both right, only A, only B, neither, for each class; not {table.shape}")
        w = np.full(len(table), 1 / len(table)) if weights is None else np.atleast_1d(np.asarray(weights, dtype=float))
        if w.shape != (len(table),):
            raise InvalidArgument(f"{len(table)} classes need {len(table)} weights, not {w.shape}")
        super().__init__([(np.outer(w, [0.0, 1.0, -1.0, 0.0]), table)])
