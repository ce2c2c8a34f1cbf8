"""Metrics of the whole table, and gains over guessing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from howsure.laws import GroupMeans, Law, LearnedSum, Linear, Monotone, Transformed
from howsure.laws.linear import single_beta
from howsure.metrics.margins import Table, Tables, actual, called, hits, right, total
from howsure.metrics.means import two_class_law
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, metric
from howsure.metrics.rates import recall, recall_of
from howsure.numerics.two_by_two.table_laws import odds_moments

__all__ = [
    "accuracy",
    "adjusted_balanced_accuracy",
    "against_largest_class",
    "balanced_accuracy",
    "bennett_s",
    "error_rate",
    "f1_gain",
    "fbeta_gain",
    "no_information_rate",
    "precision_gain",
    "recall_gain",
    "weighted_recall",
    "worst_rate",
]


# -- Metrics of the whole table: how often right, and how right on average over classes --------------------------------


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
    aliases=["err", "zero_one_loss", "hamming_loss", "misclassification_rate"],
    chance=all_but_the_largest,
    sklearn="zero_one_loss",
)
def error_rate(m: Table) -> Tables:
    """Share of the cases that are wrong."""
    cases = total(m)[..., 0]
    return np.asarray((cases - right(m)) / cases)


@metric(
    range=(0, 1),
    better="higher",
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


@metric(
    range=(0, 1),
    better="higher",
    reference="Toetsch and Hoffmann 2021 (two classes: accuracy of the model with three independent rates)",
    chance=largest_class,
)
def weighted_recall(m: Table) -> Tables:
    """Accuracy put together from recalls and an uncertain prevalence, sum of prevalence times recall."""
    return accuracy(m)


@metric(
    range=(-1, 1),
    better="higher",
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


@metric(
    range=(-1, 1),
    better="higher",
    reference="Bennett, Alpert, Goldstein 1954",
    aliases=["s_score", "randolph_kappa", "pabak"],
    plain=("Bennett's S", "Bennett's S"),
)
def bennett_s(m: Table) -> Tables:
    """Accuracy beyond that of calling all K classes equally often, (K accuracy - 1) / (K - 1)."""
    classes = hits(m).shape[-1]
    return np.asarray((classes * accuracy(m) - 1) / (classes - 1))


@metric(
    range=(0, 1),
    better="neither",
    reference="Kuhn 2008 (caret)",
    aliases=["nir", "majority_share"],
)
def no_information_rate(m: Table) -> Tables:
    """Accuracy of always calling the largest class, which is its share of the cases."""
    return np.asarray(actual(m).max(-1) / total(m)[..., 0])


@metric(
    range=(0, 1),
    better="higher",
    reference='blog post "The problem with accuracy", T: no specificity is below the smallest recall',
    aliases=["worst_case_rate"],
)
def worst_rate(m: Table) -> Tables:
    """Smallest recall: the least accuracy over all mixes of the classes, and of telling one class from the rest."""
    rates = recall(m)
    defined = ~np.isnan(rates)
    return np.where(defined.any(-1), np.min(np.where(defined, rates, np.inf), axis=-1), np.nan)


def against_largest_class(measure: Measure) -> bool:
    """Whether chance, for this measure, is always naming the largest class.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> [against_largest_class(parse(name, ["a", "b"])) for name in ("f1@micro", "error_rate", "mcc", "f1@macro")]
    [True, True, False, False]
    """
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


# -- Precision, recall and F on the scale from 0 (always predicting the class) to 1 (perfect) (Flach and Kull) ---------


FLACH = "Flach and Kull 2015"


def lost(m: Table, wrong: Tables) -> Tables:
    """Odds of the class times wrong / TP: what a gain lacks of 1."""
    return np.asarray(actual(m) / (total(m) - actual(m)) * (wrong / hits(m)))


@metric(per="class", range=(-np.inf, 1), better="higher", reference=FLACH, aliases=["pg"])
def precision_gain(m: Table) -> Tables:
    """Precision between the prevalence (0) and one (1) on the harmonic scale, (PPV - p) / ((1 - p) PPV)."""
    return 1 - lost(m, called(m) - hits(m))


@metric(per="class", range=(-np.inf, 1), better="higher", reference=FLACH, aliases=["rg"])
def recall_gain(m: Table) -> Tables:
    """Recall between the prevalence (0) and one (1) on the harmonic scale, (TPR - p) / ((1 - p) TPR)."""
    return 1 - lost(m, actual(m) - hits(m))


@metric(per="class", range=(-np.inf, 1), better="higher", reference=FLACH, aliases=["fg1"], plain=("F1 gain", ""))
def f1_gain(m: Table) -> Tables:
    """Mean of precision gain and recall gain, (F1 - p) / ((1 - p) F1)."""
    return 1 - lost(m, (actual(m) + called(m)) / 2 - hits(m))


@metric(
    per="class",
    range=(-np.inf, 1),
    better="higher",
    reference=FLACH,
    parameters={"beta": 1.0},
    plain=("F-beta gain", ""),
)
def fbeta_gain(m: Table, beta: float = 1.0) -> Tables:
    """Weighted mean of precision gain and recall gain, (F - p) / ((1 - p) F); beta > 1 favours recall."""
    missed, false = actual(m) - hits(m), called(m) - hits(m)
    return 1 - lost(m, (beta**2 * missed + false) / (1 + beta**2))


for _each in (precision_gain, f1_gain, fbeta_gain):
    two_class_law(_each)


@dataclass(frozen=True)
class Odds:
    """1 - odds (1 / x - 1) of the recall x, where the odds of the class are known, and the way back."""

    odds: float

    def gain(self, x: Tables) -> Tables:
        """From recall to gain."""
        with np.errstate(divide="ignore"):
            return np.asarray(1 - self.odds * (1 / x - 1))

    def recall(self, y: Tables) -> Tables:
        """From gain to recall."""
        return np.asarray(self.odds / (self.odds + 1 - y))

    def slope(self, y: Tables) -> Tables:
        """Derivative of the recall."""
        return np.asarray(self.odds / (self.odds + 1 - y) ** 2)


@recall_gain.exact
def _recall_gain(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """At a stated prevalence a function of the recall; of two classes the odds of the prevalence over its odds."""
    index, weights = measure.index, known.known_prevalence
    if index is None:
        return None
    if weights is None:
        return known.two_class("recall_gain", index)
    law = recall_of(known, index)
    rate = single_beta(law) if isinstance(law, Linear) else None
    if rate is None or not 0 < weights[index] < 1:
        return None
    odds = Odds(float(weights[index] / (1 - weights[index])))
    mean, variance = odds_moments(rate[1], rate[0])
    curve = Monotone(odds.gain, odds.recall, odds.slope, (-np.inf, 1.0))
    return Transformed(law, curve, moments=(1 - odds.odds * mean, odds.odds * float(np.sqrt(variance))))
