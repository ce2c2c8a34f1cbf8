"""Means of several rates of one class, each in one number."""

from __future__ import annotations

import numpy as np

from howsure.laws import Law
from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, Metric, metric
from howsure.metrics.rates import recall, specificity

__all__ = ["fowlkes_mallows", "g_mean", "p4", "two_class_law"]


@metric(
    per="class",
    range=(0, 1),
    better="higher",
    reference="Kubat and Matwin 1997; its kin over all recalls (Sun, Kamel, Wang 2006) is recall@geometric",
    aliases=["gmean"],
    plain=("G-mean", ""),
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
    plain=("Fowlkes-Mallows index", ""),
)
def fowlkes_mallows(m: Table) -> Tables:
    """Geometric mean of precision and recall, TP / sqrt((TP + FN)(TP + FP))."""
    return np.asarray(hits(m) / np.sqrt(actual(m) * called(m)))


@metric(per="class", range=(0, 1), better="higher", reference="Sitarz 2022", aliases=["p4_metric"], plain=("P4", ""))
def p4(m: Table) -> Tables:
    """Harmonic mean of recall, specificity, precision and negative predictive value."""
    tp, wrong = hits(m), actual(m) + called(m) - 2 * hits(m)
    tn = total(m) - tp - wrong
    product = 4 * tp * tn
    return np.asarray(product / (product + (tp + tn) * wrong))


def two_class_law(metric: Metric) -> None:
    """Declare the law of a two-class table only: three independent Betas."""

    @metric.exact
    def _(known: MatrixKnowledge, measure: Measure) -> Law | None:
        index = 1 if metric.per == "table" else measure.index
        return None if index is None else known.two_class(metric.name, index, **dict(measure.parameters))


for _each in (fowlkes_mallows, g_mean, p4):
    two_class_law(_each)
