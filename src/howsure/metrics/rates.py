"""Rates of one class: what is found, what is believed, what is missed."""

from __future__ import annotations

import numpy as np

from howsure.laws import Law, Linear
from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import Knowledge, Metric, metric

__all__ = [
    "bias",
    "detection_rate",
    "f1",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "fbeta",
    "fowlkes_mallows",
    "g_mean",
    "jaccard",
    "lift",
    "negative_predictive_value",
    "p4",
    "precision",
    "prevalence",
    "recall",
    "specificity",
]

BASIC = "Toetsch and Hoffmann 2021, Table 2"


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="Brodersen et al. 2010",
    aliases=["sensitivity", "tpr", "true_positive_rate", "hit_rate"],
    same_as={"macro": "balanced_accuracy", "micro": "accuracy", "weighted": "weighted_recall"},
    sklearn="recall_score",
)
def recall(m: Table) -> Tables:
    """Share of the cases of a class that are recognised, TP / (TP + FN)."""
    return hits(m) / actual(m)


@metric(
    per="class", range=(0, 1), better="higher", reference=BASIC, aliases=["tnr", "true_negative_rate", "selectivity"]
)
def specificity(m: Table) -> Tables:
    """Share of the cases outside a class that are kept out of it, TN / (TN + FP)."""
    return 1 - (called(m) - hits(m)) / (total(m) - actual(m))


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference=BASIC,
    aliases=["ppv", "positive_predictive_value"],
    same_as={"micro": "accuracy"},
    sklearn="precision_score",
)
def precision(m: Table) -> Tables:
    """Share of the cases called a class that belong to it, TP / (TP + FP)."""
    return hits(m) / called(m)


@metric(per="class", range=(0, 1), better="higher", reference=BASIC, aliases=["npv"])
def negative_predictive_value(m: Table) -> Tables:
    """Share of the cases not called a class that are outside it, TN / (TN + FN)."""
    return 1 - (actual(m) - hits(m)) / (total(m) - called(m))


@metric(per="class", range=(0, 1), better="lower", reference=BASIC, aliases=["fnr", "miss_rate"])
def false_negative_rate(m: Table) -> Tables:
    """Share of the cases of a class that are missed, FN / (TP + FN)."""
    return (actual(m) - hits(m)) / actual(m)


@metric(per="class", range=(0, 1), better="lower", reference=BASIC, aliases=["fpr", "fall_out"])
def false_positive_rate(m: Table) -> Tables:
    """Share of the cases outside a class that are called it, FP / (FP + TN)."""
    return (called(m) - hits(m)) / (total(m) - actual(m))


@metric(per="class", range=(0, 1), better="lower", reference=BASIC, aliases=["fdr"])
def false_discovery_rate(m: Table) -> Tables:
    """Share of the cases called a class that do not belong to it, FP / (TP + FP)."""
    return (called(m) - hits(m)) / called(m)


@metric(per="class", range=(0, 1), better="lower", reference=BASIC, aliases=["for"])
def false_omission_rate(m: Table) -> Tables:
    """Share of the cases not called a class that belong to it, FN / (FN + TN)."""
    return (actual(m) - hits(m)) / (total(m) - called(m))


@metric(per="class", range=(0, 1), better="neither", reference=BASIC, aliases=["prev"])
def prevalence(m: Table) -> Tables:
    """Share of a true class among all cases."""
    return actual(m) / total(m)


@metric(
    per="class",
    range=(0, 1),
    better="neither",
    reference=BASIC,
    aliases=["predicted_prevalence", "detection_prevalence"],
)
def bias(m: Table) -> Tables:
    """Share of all cases that are called a class, (TP + FP) / n."""
    return called(m) / total(m)


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="van Rijsbergen 1979; Carrillo et al. 2013, equation 1",
    aliases=["f1_score", "dice"],
    same_as={"micro": "accuracy"},
    sklearn="f1_score",
)
def f1(m: Table) -> Tables:
    """Harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN)."""
    return 2 * hits(m) / (actual(m) + called(m))


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="van Rijsbergen 1979",
    aliases=["fbeta_score"],
    parameters={"beta": 1.0},
    same_as={"micro": "accuracy"},
    sklearn="fbeta_score",
)
def fbeta(m: Table, beta: float = 1.0) -> Tables:
    """Weighted harmonic mean of precision and recall; beta > 1 favours recall."""
    return (1 + beta**2) * hits(m) / (beta**2 * actual(m) + called(m))


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="Jaccard 1912",
    aliases=["jaccard_score", "iou", "critical_success_index", "threat_score"],
    sklearn="jaccard_score",
)
def jaccard(m: Table) -> Tables:
    """Overlap of the true and the called class, TP / (TP + FP + FN)."""
    return hits(m) / (actual(m) + called(m) - hits(m))


@metric(per="class", range=(0, 1), better="higher", reference="Kuhn 2008 (caret)", aliases=["true_positive_share"])
def detection_rate(m: Table) -> Tables:
    """Share of all cases that belong to a class and are recognised, TP / n."""
    return hits(m) / total(m)


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="Kubat and Matwin 1997; its kin over all recalls (Sun, Kamel, Wang 2006) is recall@geometric",
    aliases=["gmean"],
)
def g_mean(m: Table) -> Tables:
    """Geometric mean of recall and specificity, sqrt(TPR TNR)."""
    return np.sqrt(recall(m) * specificity(m))


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="Fowlkes and Mallows 1983, of one class against the rest",
    aliases=["fm", "fowlkes_mallows_index", "cosine_similarity"],
    same_as={"micro": "accuracy"},
)
def fowlkes_mallows(m: Table) -> Tables:
    """Geometric mean of precision and recall, TP / sqrt((TP + FN)(TP + FP))."""
    return np.asarray(hits(m) / np.sqrt(actual(m) * called(m)))


@metric(per="class", range=(0, 1), better="higher", reference="Sitarz 2022", aliases=["p4_metric"])
def p4(m: Table) -> Tables:
    """Harmonic mean of recall, specificity, precision and negative predictive value."""
    tp, wrong = hits(m), actual(m) + called(m) - 2 * hits(m)
    tn = total(m) - tp - wrong
    product = 4 * tp * tn
    return np.asarray(product / (product + (tp + tn) * wrong))


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


def recall_of(known: Knowledge, index: int, sign: float = 1.0) -> Linear:
    """Law of the recall of one class, or (sign -1) of its complement."""
    pick = np.zeros((1, known.size))
    pick[0, index] = sign
    return known.linear(pick, 0.0 if sign > 0 else 1.0, rows=[index])


@recall.exact
def _recall(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else recall_of(known, measure.index)


@false_negative_rate.exact
def _false_negative_rate(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else recall_of(known, measure.index, -1.0)


def false_positives_of(known: Knowledge, index: int) -> Tables | None:
    """Coefficients of the false positive rate of a class over all rows; None where they depend on the mix of others."""
    others = np.ones(2) if known.size == 2 else known.known_prevalence
    if others is None:
        return None
    others = np.where(np.arange(known.size) == index, 0.0, others)
    if not others.sum() > 0:
        return None
    return np.outer(others / others.sum(), np.arange(known.size) == index)


@specificity.exact
def _specificity(known: Knowledge, measure: Measure) -> Law | None:
    """With two classes it is the recall of the other one; with more it depends on their mix, which must be stated."""
    false = None if measure.index is None else false_positives_of(known, measure.index)
    return None if false is None else known.linear(-false, 1.0)


@false_positive_rate.exact
def _false_positive_rate(known: Knowledge, measure: Measure) -> Law | None:
    false = None if measure.index is None else false_positives_of(known, measure.index)
    return None if false is None else known.linear(false)


@detection_rate.exact
def _detection_rate(known: Knowledge, measure: Measure) -> Law | None:
    weights = known.known_prevalence
    if weights is None or measure.index is None:
        return None
    return recall_of(known, measure.index) * float(weights[measure.index])


@bias.exact
def _bias(known: Knowledge, measure: Measure) -> Law | None:
    weights = known.known_prevalence
    if measure.index is None:
        return None
    if weights is None:
        return known.two_class("bias", measure.index)
    return known.linear(np.outer(weights, np.arange(known.size) == measure.index))


def two_class_law(metric: Metric) -> None:
    """Declare the law of a two-class table: three independent Betas."""

    @metric.exact
    def _(known: Knowledge, measure: Measure) -> Law | None:
        return (
            None if measure.index is None else known.two_class(metric.name, measure.index, **dict(measure.parameters))
        )


for _each in (
    precision,
    negative_predictive_value,
    false_discovery_rate,
    false_omission_rate,
    f1,
    fbeta,
    fowlkes_mallows,
    g_mean,
    jaccard,
    p4,
):
    two_class_law(_each)


@prevalence.exact
def _prevalence(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else known.prevalence_of(measure.index)
