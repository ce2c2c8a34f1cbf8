"""Rows that two classifiers on the same cases share: Dirichlet, so that linear functionals of both are exact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from howsure.data.predictions import Predictions
from howsure.frozen import Frozen
from howsure.laws import DirichletRows, Linear, Part
from howsure.numerics.arrays import Floats, Integers, repeat
from howsure.posterior.hit_weights import hit_weights
from howsure.posterior.priors import Prior

__all__ = ["PairedRows", "two_coins"]


#: Up to this many classes, linear functionals of all answers of a pair are exact; its class rows have K x K cells.
MOST_CLASSES_EXACT = 12

#: Coefficients of "A is right" and "B is right" on: both, only A, only B, neither.
RIGHT = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])


class PairedRows(Frozen):
    """Rows of a pair under a prior of pseudo-counts.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    names : (str, str)
        The classifiers.
    prior : Prior
        Of a class row.
    cells : ndarray, shape (K, 4)
        Cases of each class that both have right, only the first, only the second, neither.
    """

    def __init__(self, predictions: Predictions, names: Sequence[str], prior: Prior, cells: Integers) -> None:
        self._predictions, self._names, self._prior, self._cells = predictions, tuple(names), prior, cells

    def linear(
        self, member: int, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | None:
        """Law of ``shift + sum c_ij p_ij`` of one of the two, on rows that both share; None where drawn."""
        size = len(self._cells)
        index = np.arange(size) if rows is None else np.asarray(rows)
        found = hit_weights(coefficients, index)
        if found is not None:
            hit, base = found
            return self.of_recalls(member, hit, shift + base, rows=rows)
        if size > MOST_CLASSES_EXACT:
            return None
        spread = repeat(coefficients, size, axis=1) if member == 0 else np.tile(coefficients, size)
        return Linear.of_parts([Part(self.answers, index, spread)], shift)

    def of_recalls(
        self, member: int, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear:
        """Law of ``shift + sum w_i recall_i`` of one of the two, on rows that both share."""
        index = np.arange(len(self._cells)) if rows is None else np.asarray(rows)
        return Linear.of_parts([Part(self._right_or_wrong, index, np.outer(weights, RIGHT[member]))], shift)

    def coin(self, member: int) -> Linear:
        """Law of the accuracy of one of the two, one pair of coins a case."""
        return Linear.of_parts([Part(self._coins, np.arange(1), RIGHT[member][None])])

    @cached_property
    def _right_or_wrong(self) -> DirichletRows:
        return DirichletRows(self._cells + two_coins(self._prior.a, self._prior.b))

    @cached_property
    def _coins(self) -> DirichletRows:
        return DirichletRows(self._cells.sum(axis=0) + two_coins(*self._prior.coin))

    @cached_property
    def answers(self) -> DirichletRows:
        """Both answers, first times K plus second, of each class."""
        size = len(self._cells)
        rows = self._prior.row(size)
        mass = rows.sum(axis=1)
        cells = (rows[:, :, None] * rows[:, None, :] / mass[:, None, None]).reshape(size, size * size)
        truth, answers, counts = self._predictions.patterns(*self._names)
        cells[truth, answers[:, 0].astype(np.int64) * size + answers[:, 1]] += counts
        return DirichletRows(cells)


def two_coins(a: float, b: float) -> Floats:
    """Pseudo-counts of both right, only A, only B, neither: mass a + b on two independent coins of mean a / (a + b)."""
    p = a / (a + b)
    return (a + b) * np.array([p * p, p * (1 - p), (1 - p) * p, (1 - p) ** 2])
