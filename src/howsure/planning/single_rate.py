"""Which metrics are one rate: they ask a posterior for a single Beta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.laws import Beta, DirichletRows, Law, Linear, Part
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.posterior.priors import Prior

__all__ = ["Rate", "rate_of", "recall_weights"]


@dataclass(frozen=True)
class Rate:
    """One rate and its prior, in the direction of the metric.

    Parameters
    ----------
    prior : (float, float)
        Beta of the metric before any case.
    index : int or None
        Class whose cases are its denominator; None for all cases.
    """

    prior: tuple[float, float]
    index: int | None


class _Asked:
    """Stands in for a posterior and notes what a metric asks for."""

    known_prevalence = None

    def __init__(self, size: int, prior: Prior) -> None:
        self.size, self._prior = size, prior
        self.found: list[tuple[tuple[float, float], int | None]] = []
        self.weights: Floats | None = None
        self._block = DirichletRows(np.ones((size, 2)))  # only its identity matters
        self._coin = Beta(3, 1)  # any law whose mirror image differs from it

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        """A rate where one cell of one row is asked for."""
        if rows is not None and len(rows) == 1:
            index, row = rows[0], coefficients[0]
            if abs(row[index]) == 1 and np.count_nonzero(row) == 1 and shift in (0.0, 1.0):
                self.found.append(((self._prior.a, self._prior.b), index))
                return self._coin * float(row[index]) + shift
        if rows is None and np.count_nonzero(coefficients - np.diag(np.diagonal(coefficients))) == 0:
            self.weights = np.diagonal(coefficients).copy()
        return Linear(shift=0.5)

    def of_recalls(self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        """A rate where one recall is asked for."""
        if rows is not None and len(rows) == 1 and abs(weights[0]) == 1 and shift in (0.0, 1.0):
            self.found.append(((self._prior.a, self._prior.b), rows[0]))
            return self._coin * float(weights[0]) + shift
        index = np.arange(self.size) if rows is None else np.asarray(rows)
        table = np.stack([np.asarray(weights, dtype=float), np.zeros(len(index))], axis=1)
        return Linear.of_parts([Part(self._block, index, table, lumped=True)], shift)

    def extreme_of_recalls(self, *, largest: bool = False, wrong: bool = False) -> Law | None:
        """Not a rate."""
        return None

    def two_class(self, name: str, positive: int, **parameters: float) -> Law | None:
        """Not a rate."""
        return None

    def coin(self) -> Linear:
        """The accuracy."""
        self.found.append((self._prior.coin, None))
        return self._coin

    def prevalence_of(self, index: int) -> Linear:
        """The share of a class."""
        share = self._prior.prevalence / self.size
        self.found.append(((share, self._prior.prevalence - share), None))
        return self._coin


def rate_of(measure: Measure, size: int, prior: Prior) -> Rate | None:
    """The single Beta that a measure is, or None.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> from howsure.posterior.named_priors import resolve_prior
    >>> rate_of(parse("specificity", ["no", "yes"], "yes"), 2, resolve_prior("flat", 2))
    Rate(prior=(1, 1), index=0)
    >>> rate_of(parse("f1", ["no", "yes"], "yes"), 2, resolve_prior("flat", 2)) is None
    True
    """
    asked = _Asked(size, prior)
    law = measure.exact_law(asked)
    if law is None or len(asked.found) != 1:
        return None
    (a, b), index = asked.found[0]
    if abs(law.mean - 0.75) < 1e-9:
        return Rate((a, b), index)
    return Rate((b, a), index) if abs(law.mean - 0.25) < 1e-9 else None


def recall_weights(measure: Measure, size: int, prior: Prior) -> Floats | None:
    """Weights of the recalls where the measure is a weighted sum of them, shape (K,); else None.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> from howsure.posterior.named_priors import resolve_prior
    >>> recall_weights(parse("balanced_accuracy", ["a", "b"]), 2, resolve_prior("flat", 2)).tolist()
    [0.5, 0.5]
    """
    asked = _Asked(size, prior)
    law = measure.exact_law(asked)
    if isinstance(law, Linear) and len(law.parts) == 1 and law.parts[0].lumped:
        part, weights = law.parts[0], np.zeros(size)
        weights[part.index] = part.table[:, 0] - part.table[:, 1]
        return weights
    return asked.weights
