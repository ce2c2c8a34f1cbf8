"""Metrics that are a mean of rates of cases, each of which a classifier has right or wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, listing
from howsure.metrics import Measure
from howsure.numerics.arrays import Booleans

__all__ = ["who_is_right"]

#: The metrics, and what they leave of 1.
RATES = ("accuracy", "balanced_accuracy", "recall", "specificity")
LEFT = {"error_rate": "accuracy", "false_negative_rate": "recall", "false_positive_rate": "specificity"}


def who_is_right(
    predictions: Predictions, names: Sequence[str], measure: Measure
) -> tuple[list[tuple[Booleans, Booleans]], float]:
    """Which cases each rate of a metric is about, and which classifiers have them right.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    names : sequence of str
        T of its classifiers.
    measure : Measure
        Accuracy, recall, specificity, balanced accuracy, or what these leave of 1.

    Returns
    -------
    list of (ndarray of shape (n,), ndarray of shape (T, n))
        For each rate of the mean.
    float
        -1 where the metric is what is left of 1.

    Raises
    ------
    InvalidArgument
        Another metric.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> both = Predictions([0, 1, 1], {"a": [0, 1, 0], "b": [1, 1, 1]})
    >>> [(asked, right)], sign = who_is_right(both, ["a", "b"], parse("recall@1", both.labels))
    >>> asked.tolist(), right.tolist(), sign
    ([False, True, True], [[True, True, False], [False, True, True]], 1.0)
    """
    twin = measure.twin
    kind = LEFT.get(twin.metric.name, twin.metric.name)
    if kind not in RATES or twin.average is not None or twin.parameters:
        raise InvalidArgument(
            f"by slice classifiers are compared in {listing((*RATES, *LEFT))}, whose differences can be learned from "
            f"the other slices; not in {measure.name}"
        )
    truth = predictions.truth
    answers = np.stack([predictions.answers(name) for name in names])
    place = None if twin.label is None else predictions.labels.index(twin.label)
    sign = -1.0 if twin.metric.name in LEFT else 1.0
    if kind == "specificity":
        return [(truth != place, answers != place)], sign
    right = answers == truth
    if kind == "accuracy":
        return [(np.ones(len(truth), dtype=bool), right)], sign
    classes = range(len(predictions.labels)) if kind == "balanced_accuracy" else [place]
    return [(truth == i, right) for i in classes], sign
