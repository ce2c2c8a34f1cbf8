"""Means of several rates of one class, each in one number."""

from __future__ import annotations

import numpy as np

from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.metric import rate, two_class
from howsure.metrics.rates import recall, specificity


@rate(
    reference="Kubat and Matwin 1997; its kin over all recalls (Sun, Kamel, Wang 2006) is recall@geometric",
    aliases=["gmean"],
    plain=("G-mean", ""),
)
def g_mean(m: Table) -> Tables:
    """Geometric mean of recall and specificity, sqrt(TPR TNR)."""
    return np.sqrt(recall(m) * specificity(m))


@rate(
    reference="Fowlkes and Mallows 1983, of one class against the rest",
    aliases=["fm", "fowlkes_mallows_index", "cosine_similarity"],
    same_as={"micro": "accuracy"},
    plain=("Fowlkes-Mallows index", ""),
)
def fowlkes_mallows(m: Table) -> Tables:
    """Geometric mean of precision and recall, TP / sqrt((TP + FN)(TP + FP))."""
    return np.asarray(hits(m) / np.sqrt(actual(m) * called(m)))


@rate(reference="Sitarz 2022", aliases=["p4_metric"], plain=("P4", ""))
def p4(m: Table) -> Tables:
    """Harmonic mean of recall, specificity, precision and negative predictive value."""
    tp, wrong = hits(m), actual(m) + called(m) - 2 * hits(m)
    tn = total(m) - tp - wrong
    product = 4 * tp * tn
    return np.asarray(product / (product + (tp + tn) * wrong))


for _each in (fowlkes_mallows, g_mean, p4):
    _each.exact(two_class)
