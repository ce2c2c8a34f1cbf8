"""Rates of one class: what is found, what is believed, what is missed."""

from __future__ import annotations

import numpy as np

from howsure.laws import GroupMeans, Law, LearnedSum, Linear
from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, metric, rate, two_class
from howsure.numerics.arrays import Floats

BASIC = "Toetsch and Hoffmann 2021"


@rate(
    reference="Brodersen et al. 2010",
    aliases=["sensitivity", "tpr", "true_positive_rate", "hit_rate"],
    same_as={"macro": "balanced_accuracy", "micro": "accuracy", "weighted": "weighted_recall", "min": "worst_rate"},
    sklearn="recall_score",
    plain=("sensitivity", "specificity"),
)
def recall(m: Table) -> Tables:
    """Share of the cases of a class that are recognised, TP / (TP + FN)."""
    return hits(m) / actual(m)


@rate(reference=BASIC, aliases=["tnr", "true_negative_rate", "selectivity"], plain=("specificity", "sensitivity"))
def specificity(m: Table) -> Tables:
    """Share of the cases outside a class that are kept out of it, TN / (TN + FP)."""
    return np.maximum(1 - (called(m) - hits(m)) / (total(m) - actual(m)), 0.0)  # a rounding is no rate below 0


@rate(
    reference=BASIC,
    aliases=["ppv", "positive_predictive_value"],
    same_as={"micro": "accuracy"},
    sklearn="precision_score",
    plain=("PPV", "NPV"),
)
def precision(m: Table) -> Tables:
    """Share of the cases called a class that belong to it, TP / (TP + FP)."""
    return hits(m) / called(m)


@rate(reference=BASIC, aliases=["npv"], plain=("NPV", "PPV"))
def negative_predictive_value(m: Table) -> Tables:
    """Share of the cases not called a class that are outside it, TN / (TN + FN)."""
    return np.maximum(1 - (actual(m) - hits(m)) / (total(m) - called(m)), 0.0)


@rate(better="lower", reference=BASIC, aliases=["fnr", "miss_rate"])
def false_negative_rate(m: Table) -> Tables:
    """Share of the cases of a class that are missed, FN / (TP + FN)."""
    return (actual(m) - hits(m)) / actual(m)


@rate(better="lower", reference=BASIC, aliases=["fpr", "fall_out"])
def false_positive_rate(m: Table) -> Tables:
    """Share of the cases outside a class that are called it, FP / (FP + TN)."""
    return (called(m) - hits(m)) / (total(m) - actual(m))


@rate(better="lower", reference=BASIC, aliases=["fdr"])
def false_discovery_rate(m: Table) -> Tables:
    """Share of the cases called a class that do not belong to it, FP / (TP + FP)."""
    return (called(m) - hits(m)) / called(m)


@rate(better="lower", reference=BASIC, aliases=["for"])
def false_omission_rate(m: Table) -> Tables:
    """Share of the cases not called a class that belong to it, FN / (FN + TN)."""
    return (actual(m) - hits(m)) / (total(m) - called(m))


@rate(better="neither", reference=BASIC, aliases=["prev"])
def prevalence(m: Table) -> Tables:
    """Share of a true class among all cases."""
    return actual(m) / total(m)


@rate(better="neither", reference=BASIC, aliases=["predicted_prevalence", "detection_prevalence"])
def bias(m: Table) -> Tables:
    """Share of all cases that are called a class, (TP + FP) / n."""
    return called(m) / total(m)


@rate(
    reference="van Rijsbergen 1979; its @macro is F_mu of Carrillo et al. 2013, section 3.2",
    aliases=["f1_score", "dice"],
    same_as={"micro": "accuracy"},
    sklearn="f1_score",
    plain=("F1", ""),
)
def f1(m: Table) -> Tables:
    """Harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN)."""
    return 2 * hits(m) / (actual(m) + called(m))


@rate(
    reference="van Rijsbergen 1979",
    aliases=["fbeta_score"],
    parameters={"beta": 1.0},
    same_as={"micro": "accuracy"},
    sklearn="fbeta_score",
    plain=("F-beta", ""),
)
def fbeta(m: Table, beta: float = 1.0) -> Tables:
    """Weighted harmonic mean of precision and recall; beta > 1 favours recall."""
    return (1 + beta**2) * hits(m) / (beta**2 * actual(m) + called(m))


@rate(
    reference="Jaccard 1912",
    aliases=["jaccard_score", "iou", "critical_success_index", "threat_score"],
    sklearn="jaccard_score",
    plain=("Jaccard index", ""),
)
def jaccard(m: Table) -> Tables:
    """Overlap of the true and the called class, TP / (TP + FP + FN)."""
    return hits(m) / (actual(m) + called(m) - hits(m))


@rate(reference="Kuhn 2008 (caret)", aliases=["true_positive_share"])
def detection_rate(m: Table) -> Tables:
    """Share of all cases that belong to a class and are recognised, TP / n."""
    return hits(m) / total(m)


@metric(
    per="class",
    range=(0, np.inf),
    better="higher",
    reference="Brin, Motwani, Ullman, Tsur 1997 (as interest)",
    aliases=["lift_score"],
)
def lift(m: Table) -> Tables:
    """How much more often a class is right among those called it than among all, precision / prevalence."""
    return hits(m) / called(m) * (total(m) / actual(m))


# -- laws where they close --------------------------------------------------------------------------------------


def recall_of(known: MatrixKnowledge, index: int, sign: float = 1.0) -> Linear | LearnedSum | GroupMeans:
    """Law of the recall of one class, or (sign -1) of its complement."""
    return known.of_recalls(np.array([sign]), 0.0 if sign > 0 else 1.0, rows=[index])


@recall.exact
def _recall(known: MatrixKnowledge, measure: Measure) -> Law | None:
    if measure.average == "max":
        return known.extreme_of_recalls(largest=True)
    if measure.average == "macro":  # with a class that counts 0
        return known.of_recalls(np.where(np.isin(np.arange(known.size), measure.classes.undefined), 0, 1 / known.size))
    return None if measure.index is None else recall_of(known, measure.index)


@false_negative_rate.exact
def _false_negative_rate(known: MatrixKnowledge, measure: Measure) -> Law | None:
    if measure.average in ("min", "max"):
        return known.extreme_of_recalls(largest=measure.average == "max", wrong=True)
    return None if measure.index is None else recall_of(known, measure.index, -1.0)


def _alone(known: MatrixKnowledge, index: int | None) -> tuple[int, Floats] | None:
    """A class and the stated prevalence, if there is one and it leaves cases outside the class."""
    weights = known.known_prevalence
    return None if weights is None or index is None or not weights[index] < 1 else (index, weights)


def false_positive_rate_of(known: MatrixKnowledge, index: int | None, sign: float = 1.0) -> Law | None:
    """Law of the false-positive rate of a class, or (sign -1) of the specificity.

    With two classes it is a rate of the other one; with more it depends on their mix, sum phi_i theta_ik / (1 - phi_k)
    over the other classes i.
    """
    shift = 0.0 if sign > 0 else 1.0
    if known.size == 2 and index is not None:
        return recall_of(known, 1 - index, -sign)
    asked = _alone(known, index)
    if asked is None:
        return None
    k, weights = asked
    table = np.zeros((known.size, known.size))
    table[:, k] = sign * weights / (1 - weights[k])
    table[k, k] = 0.0
    return known.linear(table, shift)


def recall_and_specificity(
    known: MatrixKnowledge, index: int | None, w: float
) -> Linear | LearnedSum | GroupMeans | None:
    """Law of ``w recall + (1 - w) specificity`` of a class: of two classes both are recalls."""
    if index is None:
        return None
    if known.size == 2:
        return known.of_recalls(np.where(np.arange(2) == index, w, 1 - w))
    found, kept_out = recall_of(known, index), false_positive_rate_of(known, index, -1.0)
    if not isinstance(found, Linear) or not isinstance(kept_out, Linear):
        return None
    return found * w + kept_out * (1 - w)


@specificity.exact
def _specificity(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return false_positive_rate_of(known, measure.index, -1.0)


@false_positive_rate.exact
def _false_positive_rate(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return false_positive_rate_of(known, measure.index)


@bias.exact
def _bias(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """At a stated prevalence sum phi_i theta_ik, for any number of classes."""
    weights = known.known_prevalence
    if measure.index is None or weights is None:
        return None if measure.index is None else known.two_class("bias", measure.index)
    return known.linear(np.outer(weights, np.arange(known.size) == measure.index))


@detection_rate.exact
def _detection_rate(known: MatrixKnowledge, measure: Measure) -> Law | None:
    weights = known.known_prevalence
    if weights is None or measure.index is None:
        return None
    return recall_of(known, measure.index) * float(weights[measure.index])


#: Error of a law of lift up to which it says more than draws do, whose probabilities err by 3e-3.
NEAR_ENOUGH = 1e-4


@lift.exact
def _lift(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """Precision over the prevalence."""
    index = measure.index
    if index is None:
        return None
    law = known.two_class("lift", index)
    return law if law is not None and law.error <= NEAR_ENOUGH else None


for _each in (
    precision,
    negative_predictive_value,
    false_discovery_rate,
    false_omission_rate,
    f1,
    fbeta,
    jaccard,
):
    _each.exact(two_class)


@prevalence.exact
def _prevalence(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else known.prevalence_of(measure.index)
