"""What the cases themselves say: the value of a metric on the counts, perhaps weighted to other shares."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.metrics import Measure, lacking
from howsure.metrics.margins import Margins
from howsure.metrics.own import OwnFormula
from howsure.numerics.arrays import Floats, bincount

__all__ = ["Observed"]


class Observed:
    """The counts as a table of floats, and what metrics are on it.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    shares : ndarray of shape (K,), optional
        The classes' shares to weight the counts to; those of the counts themselves if left out.
    """

    def __init__(self, confusion: ConfusionMatrix, shares: Floats | None = None) -> None:
        self._confusion, self._shares = confusion, shares
        self._counted: dict[object, Floats] = {}

    def value(self, measure: Measure) -> float | None:
        """Value of a measure; None where it is undefined."""
        if isinstance(measure.metric.formula, OwnFormula):
            return measure.observed(self.table_of_shares)
        return measure.observed(self.margins if measure.metric.by_margins else self.table, self._counted)

    def undefined(self, measure: Measure) -> tuple[int, ...]:
        """Rows of the classes of an average that these counts leave without a value: never predicted, or never true."""
        return tuple(i for i, value in self._of_lacking(measure).items() if np.isnan(value))

    def absent(self, measure: Measure) -> dict[int, float]:
        """The same rows and those of the worst value for the same reason, with what each counts; NaN: left out."""
        worst = measure.metric.without_cases
        values = self._of_lacking(measure)
        return {i: worst for i, value in values.items() if np.isnan(value) or value == worst}

    def _of_lacking(self, measure: Measure) -> dict[int, float]:
        """Value of the metric for each class of an average that is never, or always, true or predicted."""
        lack = lacking(self.margins)
        if measure.average in (None, "micro") or not lack.any():
            return {}
        if measure.average == "weighted":  # a class that is never true has no weight
            lack = np.logical_and(lack, self.margins.actual > 0)
        each = replace(measure, average=None)
        values = each(self.margins if measure.metric.by_margins else self.table, self._counted)
        return {i: float(values[i]) for i in np.flatnonzero(lack).tolist()}

    @property
    def sizes(self) -> Floats:
        """Cases, or the share, of each class, shape (K,)."""
        return self._confusion.class_sizes.astype(float) if self._shares is None else self._shares

    @cached_property
    def weights(self) -> Floats:
        """What a case of each class weighs: 1, or the share of its class over its cases."""
        if self._shares is None:
            return np.ones(len(self._confusion.labels))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self._shares == 0, 0.0, self._shares / self._confusion.class_sizes)

    @cached_property
    def table(self) -> Floats:
        """All cells, shape (K, K)."""
        with np.errstate(invalid="ignore"):  # a class without cases is undefined at a share of its own
            return np.asarray(self.weights[:, None] * self._confusion.counts)

    @property
    def table_of_shares(self) -> Floats:
        """All cells as shares of the cases, shape (K, K): what a function from outside is given of draws, too."""
        with np.errstate(invalid="ignore"):  # no cases have no shares
            return np.asarray(self.table / self.table.sum())

    @cached_property
    def margins(self) -> Margins:
        """Diagonal, row and column sums, from the cells that are not empty."""
        confusion, weights = self._confusion, self.weights
        true, pred, counts = confusion.cells
        with np.errstate(invalid="ignore"):
            hits, actual = weights * confusion.correct, weights * confusion.class_sizes
        called = bincount(pred, weights=weights[true] * counts, minlength=len(confusion.labels))
        return Margins(hits, actual, np.where(np.isnan(actual).any(), np.nan, called))
