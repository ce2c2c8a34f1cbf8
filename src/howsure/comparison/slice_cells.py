"""Two classifiers by slice as counts: who is right on each case that a metric is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.data.predictions import Predictions
from howsure.data.slice_places import slice_places
from howsure.errors import InvalidArgument, excerpt
from howsure.metrics import Measure, Metric, parse
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.posterior.who_is_right import who_is_right

__all__ = ["PairedCells", "paired_cells"]


@dataclass(frozen=True, eq=False)
class PairedCells:
    """A metric of two classifiers by slice.

    Attributes
    ----------
    names : tuple of str
        The S slices.
    by : tuple of str
        Names of the columns.
    measure : Measure
        The metric.
    sign : float
        -1 where the metric is what is left of 1, as of an error rate.
    counts : ndarray, shape (J, S, 4)
        Cases of each of its rates that both have right, only the first, only the second, neither.
    n : int
        Cases in all.
    """

    names: tuple[str, ...]
    by: tuple[str, ...]
    measure: Measure
    sign: float
    counts: Integers
    n: int

    @property
    def cases(self) -> Integers:
        """Cases of each slice that the metric is about, shape (S,)."""
        return np.asarray(self.counts.sum(axis=(0, 2)))

    @property
    def observed(self) -> Floats:
        """Difference on the raw counts, shape (S,); NaN where a rate has no case."""
        with np.errstate(invalid="ignore", divide="ignore"):
            each = (self.counts[..., 1] - self.counts[..., 2]) / self.counts.sum(axis=-1)
        return np.asarray(self.sign * each.mean(axis=0))


def paired_cells(
    predictions: Predictions, a: str, b: str, by: Any, metric: str | Metric | Measure | None, call: str
) -> PairedCells:
    """Count who is right, by slice.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    a, b : str
        The classifiers.
    by : array_like, shape (n,), or mapping of str to such
        The slice of each case.
    metric : str, Metric or Measure, optional
        The accuracy if left out.
    call : str
        For sentences.

    Raises
    ------
    InvalidArgument
        No predictions, one classifier twice, a metric that is no mean of rates.
    InvalidLabels, UnknownClassifier, UnknownMetric, UnknownLabel
        Another number of values than cases; a name that is not there.

    Examples
    --------
    >>> both = Predictions([0, 1, 1, 1], {"a": [0, 1, 0, 1], "b": [0, 0, 0, 0]})
    >>> paired_cells(both, "a", "b", ["x", "x", "y", "y"], None, "compare_slices").counts.tolist()
    [[[1, 1, 0, 0], [0, 1, 0, 1]]]
    """
    if not isinstance(predictions, Predictions):
        raise InvalidArgument(
            f"{call}() is about classifiers on the same cases and takes Predictions, not {excerpt(predictions)}"
        )
    for name in (a, b):
        predictions.index(name)
    if a == b:
        raise InvalidArgument(f"a classifier is as good as itself; name two, not {excerpt(a)} twice")
    found = slice_places(by, predictions.n)
    measure = parse("accuracy" if metric is None else metric, predictions.labels, predictions.confusion(a).positive)
    parts, sign = who_is_right(predictions, (a, b), measure)
    counts = [
        bincount(
            found.place[asked] * 4 + 3 - 2 * right[0][asked] - right[1][asked], minlength=4 * len(found.names)
        ).reshape(-1, 4)
        for asked, right in parts
    ]
    return PairedCells(found.names, found.by, measure, sign, np.stack(counts), predictions.n)
