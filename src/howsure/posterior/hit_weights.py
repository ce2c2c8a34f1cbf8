"""Metrics that ask only who is right: the weights that they give to the recalls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from howsure.laws import Law, Linear
from howsure.numerics.arrays import Floats

__all__ = ["COINS", "hit_weights", "weighted_recalls"]

#: Metrics of one coin a case, which no recall enters.
COINS = ("accuracy", "error_rate")


def hit_weights(coefficients: Floats, index: NDArray[np.int64]) -> tuple[Floats, float] | None:
    """Weight of being right in each class row, and a constant, where all wrong answers of a class count alike."""
    own = np.arange(len(index)), index
    wrong = coefficients.copy()
    wrong[own] = np.nan
    low, high = np.nanmin(wrong, axis=1), np.nanmax(wrong, axis=1)
    return (coefficients[own] - low, float(low.sum())) if np.array_equal(low, high) else None


def weighted_recalls(law: Law | None, size: int) -> tuple[Floats, float] | None:
    """Weights of the recalls, shape (K,), and a constant, read from the law of their sum under independent rows.

    None of a law of anything else.
    """
    if not isinstance(law, Linear) or len(law.parts) != 1:
        return None
    part = law.parts[0]
    found: tuple[Floats, float] | None = None
    if part.lumped:  # right against the rest, as recalls are
        found = part.table[:, 0] - part.table[:, 1], float(part.table[:, 1].sum())
    elif part.table.shape[1] == size:
        found = hit_weights(part.table, part.index)
    if found is None:
        return None
    weights = np.zeros(size)
    weights[part.index] = found[0]
    return weights, law.shift + found[1]
