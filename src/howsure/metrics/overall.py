"""Metrics of the whole table: how often right, and how right on average over classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from howsure.laws import GroupMeans, Law, LearnedSum, Linear
from howsure.metrics.margins import Table, Tables, actual, hits, right, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, share, skill
from howsure.metrics.rates import recall


def largest_class(sizes: NDArray[np.float64]) -> float:
    """Share of the largest class: the no-information rate, reached by always naming it."""
    return float(sizes.max() / sizes.sum())


def all_but_the_largest(sizes: NDArray[np.float64]) -> float:
    """Share of the other classes: the error rate of always naming the largest."""
    return 1 - largest_class(sizes)


def none(sizes: NDArray[np.float64]) -> float:
    """Zero: what a guess that ignores the case would get."""
    return 0.0


def one_in_k(sizes: NDArray[np.float64]) -> float:
    """1 / K, whatever the classifier's habit."""
    return 1.0 / len(sizes)


@share(
    reference="Brodersen et al. 2010, equations 1 and 2; Toetsch and Hoffmann 2021, equation 5",
    aliases=["acc", "accuracy_score"],
    chance=largest_class,
    sklearn="accuracy_score",
)
def accuracy(m: Table) -> Tables:
    """Share of the cases that are right."""
    return right(m) / total(m)[..., 0]


@share(
    better="lower",
    reference="complement of accuracy",
    aliases=["err", "zero_one_loss", "hamming_loss", "misclassification_rate"],
    chance=all_but_the_largest,
    sklearn="zero_one_loss",
)
def error_rate(m: Table) -> Tables:
    """Share of the cases that are wrong."""
    cases = total(m)[..., 0]
    return np.asarray((cases - right(m)) / cases)


@share(
    reference="Brodersen et al. 2010, equation 7; Carrillo et al. 2013, equations 3 and 12, its posterior equation 13",
    aliases=["ba", "bac", "bacc", "balanced_accuracy_score"],
    chance=one_in_k,
    sklearn="balanced_accuracy_score",
)
def balanced_accuracy(m: Table) -> Tables:
    """Mean over classes of the recall; without cases it is the prior's in the posterior, none in what was observed."""
    rates = recall(m)
    defined = ~np.isnan(rates)
    return np.asarray(np.where(defined, rates, 0.0).sum(-1) / defined.sum(-1))


@share(
    reference="Toetsch and Hoffmann 2021 (two classes: accuracy of the model with three independent rates)",
    chance=largest_class,
)
def weighted_recall(m: Table) -> Tables:
    """Accuracy put together from recalls and an uncertain prevalence, sum of prevalence times recall."""
    return accuracy(m)


@skill(
    reference="scikit-learn user guide, balanced_accuracy_score(adjusted=True); Guyon et al. 2015",
    aliases=["adjusted_bac"],
    chance=none,
    sklearn="balanced_accuracy_score(adjusted=True)",
)
def adjusted_balanced_accuracy(m: Table) -> Tables:
    """Balanced accuracy with 0 for chance and 1 for perfect, (BA - 1/K) / (1 - 1/K); observed, of tested classes."""
    rates = recall(m)
    classes = (~np.isnan(rates)).sum(-1)
    return np.where(classes > 1, (np.nan_to_num(rates).sum(-1) - 1) / (classes - 1), np.nan)


@skill(
    reference="Bennett, Alpert, Goldstein 1954",
    aliases=["s_score", "randolph_kappa", "pabak"],
    plain=("Bennett's S", "Bennett's S"),
)
def bennett_s(m: Table) -> Tables:
    """Accuracy beyond that of calling all K classes equally often, (K accuracy - 1) / (K - 1)."""
    classes = hits(m).shape[-1]
    return np.asarray((classes * accuracy(m) - 1) / (classes - 1))


@share(better="neither", reference="Kuhn 2008 (caret)", aliases=["nir", "majority_share"])
def no_information_rate(m: Table) -> Tables:
    """Accuracy of always calling the largest class, which is its share of the cases."""
    return np.asarray(actual(m).max(-1) / total(m)[..., 0])


@share(
    reference='blog post "The problem with accuracy", T: no specificity is below the smallest recall',
    aliases=["worst_case_rate"],
)
def worst_rate(m: Table) -> Tables:
    """Smallest recall: the least accuracy over all mixes of the classes, and of telling one class from the rest."""
    rates = recall(m)
    defined = ~np.isnan(rates)
    return np.where(defined.any(-1), np.min(np.where(defined, rates, np.inf), axis=-1), np.nan)


def against_largest_class(measure: Measure) -> bool:
    """Whether chance, for this measure, is always naming the largest class."""
    return measure.twin.metric.chance in (largest_class, all_but_the_largest)


def accuracy_of(known: MatrixKnowledge) -> Linear | LearnedSum | GroupMeans | None:
    """One coin per case; at another prevalence, the mean of the recalls weighted by it."""
    weights = known.known_prevalence
    return known.coin() if weights is None else known.of_recalls(weights)


@accuracy.exact
def _accuracy(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return accuracy_of(known) or known.two_class("accuracy", 1)


@error_rate.exact
def _error_rate(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """The mirror of accuracy, where that is a linear law."""
    right = accuracy_of(known)
    return None if right is None else 1 - right


@balanced_accuracy.exact
def _balanced_accuracy(known: MatrixKnowledge, measure: Measure) -> Law:
    return known.of_recalls(np.full(known.size, 1 / known.size))


@weighted_recall.exact
def _weighted_recall(known: MatrixKnowledge, measure: Measure) -> Law | None:
    weights = known.known_prevalence
    return known.two_class("accuracy", 1) if weights is None else known.of_recalls(weights)


@worst_rate.exact
def _worst_rate(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return known.extreme_of_recalls()


@adjusted_balanced_accuracy.exact
def _adjusted_balanced_accuracy(known: MatrixKnowledge, measure: Measure) -> Law:
    others = known.size - 1
    return known.of_recalls(np.full(known.size, 1 / others), -1 / others)


@bennett_s.exact
def _bennett_s(known: MatrixKnowledge, measure: Measure) -> Law | None:
    right = accuracy_of(known)
    return None if right is None else (right * known.size - 1) / (known.size - 1)


@no_information_rate.exact
def _no_information_rate(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """Not random where the prevalence is stated."""
    weights = known.known_prevalence
    return None if weights is None else Linear(shift=float(weights.max()))
