"""Rates of one class: what is found, what is believed, what is missed."""

from __future__ import annotations

import numpy as np

from howsure.laws import Law
from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import Knowledge, Metric, metric

__all__ = [
    "bias",
    "f1",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "fbeta",
    "jaccard",
    "negative_predictive_value",
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


@metric(per="class", range=(0, 1), better="neither", reference=BASIC, aliases=["predicted_prevalence"])
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


# -- laws where they close --------------------------------------------------------------------------------------


def recall_of(known: Knowledge, index: int, sign: float = 1.0) -> Law:
    """Law of the recall of one class, or (sign -1) of its complement."""
    return known.of_recalls(np.array([sign]), 0.0 if sign > 0 else 1.0, rows=[index])


@recall.exact
def _recall(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else recall_of(known, measure.index)


@false_negative_rate.exact
def _false_negative_rate(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else recall_of(known, measure.index, -1.0)


@specificity.exact
def _specificity(known: Knowledge, measure: Measure) -> Law | None:
    """With two classes it is the recall of the other one; with more it depends on their mix."""
    return recall_of(known, 1 - measure.index) if known.size == 2 and measure.index is not None else None


@false_positive_rate.exact
def _false_positive_rate(known: Knowledge, measure: Measure) -> Law | None:
    return recall_of(known, 1 - measure.index, -1.0) if known.size == 2 and measure.index is not None else None


def _two_class(metric: Metric) -> None:
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
    bias,
    f1,
    fbeta,
    jaccard,
):
    _two_class(_each)


@prevalence.exact
def _prevalence(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else known.prevalence_of(measure.index)
