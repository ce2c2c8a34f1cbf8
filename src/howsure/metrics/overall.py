"""Metrics of the whole table: how often right, and how right on average over classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from howsure.laws import Law
from howsure.metrics.margins import Table, Tables, right, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import Knowledge, metric
from howsure.metrics.rates import recall

__all__ = ["accuracy", "balanced_accuracy", "error_rate", "weighted_recall"]


def largest_class(sizes: NDArray[np.float64]) -> float:
    """Share of the largest class: the no-information rate, reached by always naming it."""
    return float(sizes.max() / sizes.sum())


def one_in_k(sizes: NDArray[np.float64]) -> float:
    """1 / K, whatever the classifier's habit."""
    return 1.0 / len(sizes)


@metric(
    range=(0, 1),
    better="higher",
    reference="Brodersen et al. 2010, equations 1 and 2; Toetsch and Hoffmann 2021, equation 5",
    aliases=["acc", "accuracy_score"],
    chance=largest_class,
    sklearn="accuracy_score",
)
def accuracy(m: Table) -> Tables:
    """Share of the cases that are right."""
    return right(m) / total(m)[..., 0]


@metric(
    range=(0, 1),
    better="lower",
    reference="complement of accuracy",
    aliases=["err", "zero_one_loss", "misclassification_rate"],
    chance=lambda sizes: 1 - largest_class(sizes),
    sklearn="zero_one_loss",
)
def error_rate(m: Table) -> Tables:
    """Share of the cases that are wrong."""
    cases = total(m)[..., 0]
    return np.asarray((cases - right(m)) / cases)


@metric(
    range=(0, 1),
    better="higher",
    reference="Brodersen et al. 2010, equation 7; Carrillo et al. 2013, equation 9",
    aliases=["ba", "bac", "bacc", "balanced_accuracy_score"],
    chance=one_in_k,
    sklearn="balanced_accuracy_score",
)
def balanced_accuracy(m: Table) -> Tables:
    """Mean over classes of the recall; empty classes have none and are left out."""
    rates = recall(m)
    defined = ~np.isnan(rates)
    return np.asarray(np.where(defined, rates, 0.0).sum(-1) / defined.sum(-1))


@metric(
    range=(0, 1),
    better="higher",
    reference="Toetsch and Hoffmann 2021 (two classes: accuracy of the model with three independent rates)",
    chance=largest_class,
)
def weighted_recall(m: Table) -> Tables:
    """Accuracy put together from recalls and an uncertain prevalence, sum of prevalence times recall."""
    return accuracy(m)


@accuracy.exact
def _accuracy(known: Knowledge, measure: Measure) -> Law | None:
    """One coin per case; at another prevalence, the mean of the recalls weighted by it."""
    if known.known_prevalence is not None:
        return known.of_recalls(known.known_prevalence)
    return known.coin() or known.two_class("accuracy", 1)


@error_rate.exact
def _error_rate(known: Knowledge, measure: Measure) -> Law | None:
    """The mirror of accuracy, where that is a linear law."""
    weights = known.known_prevalence
    right = known.coin() if weights is None else known.of_recalls(weights)
    return None if right is None else 1 - right


@balanced_accuracy.exact
def _balanced_accuracy(known: Knowledge, measure: Measure) -> Law:
    return known.of_recalls(np.full(known.size, 1 / known.size))


@weighted_recall.exact
def _weighted_recall(known: Knowledge, measure: Measure) -> Law | None:
    weights = known.known_prevalence
    return known.two_class("accuracy", 1) if weights is None else known.of_recalls(weights)
