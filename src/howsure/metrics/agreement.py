"""Agreement between truth and prediction beyond what habit alone would give; 0 is chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from howsure.laws import Law, Linear
from howsure.metrics.margins import Table, Tables, actual, called, right, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import Knowledge, metric
from howsure.metrics.rates import (
    false_positive_rate_of,
    negative_predictive_value,
    precision,
    ratio_of,
    recall,
    recall_of,
    specificity,
)

__all__ = ["informedness", "kappa", "markedness", "mcc"]


def none(sizes: NDArray[np.float64]) -> float:
    """Zero: what a guess that ignores the case would get."""
    return 0.0


@metric(
    per="class",
    range=(-1, 1),
    better="higher",
    reference="Youden 1950; Powers 2011",
    aliases=["bm", "youden", "youden_j", "bookmaker_informedness"],
    chance=none,
)
def informedness(m: Table) -> Tables:
    """How informed the call of a class is, recall + specificity - 1."""
    return recall(m) + specificity(m) - 1


@metric(per="class", range=(-1, 1), better="higher", reference="Powers 2011", aliases=["mk", "delta_p"], chance=none)
def markedness(m: Table) -> Tables:
    """How reliable the call of a class is, precision + negative predictive value - 1."""
    return precision(m) + negative_predictive_value(m) - 1


@metric(
    range=(-1, 1),
    better="higher",
    reference="Matthews 1975; Gorodkin 2004 for more than two classes",
    aliases=["matthews_corrcoef", "phi_coefficient"],
    chance=none,
    sklearn="matthews_corrcoef",
    undefined=0.0,
)
def mcc(m: Table) -> Tables:
    """Correlation of truth and prediction (Matthews); 0 where either has one class only, as in scikit-learn."""
    cases = total(m)
    rows, columns = actual(m) / cases, called(m) / cases
    agreement = right(m) / cases[..., 0] - (rows * columns).sum(-1)
    # 1 - sum p^2 as sum p (1 - p): no cancellation when one class is nearly all
    spread = (rows * (1 - rows)).sum(-1) * (columns * (1 - columns)).sum(-1)
    return np.asarray(agreement / np.sqrt(spread))


@metric(
    range=(-1, 1),
    better="higher",
    reference="Cohen 1960 (Carrillo et al. 2013, equation 2, with 1/n for the misprinted 1/l)",
    aliases=["cohen_kappa", "cohen_kappa_score", "cohens_kappa"],
    chance=none,
    sklearn="cohen_kappa_score",
)
def kappa(m: Table) -> Tables:
    """Agreement beyond that expected from the margins (Cohen), (p_o - p_e) / (1 - p_e)."""
    cases = total(m)
    rows, columns = actual(m) / cases, called(m) / cases
    by_chance = (rows * columns).sum(-1)
    return np.asarray((right(m) / cases[..., 0] - by_chance) / (rows * (1 - columns)).sum(-1))


@markedness.exact
def _markedness(known: Knowledge, measure: Measure) -> Law | None:
    return None if measure.index is None else known.two_class("markedness", measure.index)


@mcc.exact
def _mcc(known: Knowledge, measure: Measure) -> Law | None:
    return known.two_class("mcc", 1)


@kappa.exact
def _kappa(known: Knowledge, measure: Measure) -> Law | None:
    """At a stated prevalence the ratio of sum phi_i (1{i=j} - phi_j) theta_ij to sum phi_i (1 - phi_j) theta_ij."""
    weights = known.known_prevalence
    law = known.two_class("kappa", 1)
    if law is not None or weights is None or weights.max() == 1:  # one class only: 0/0 unless it is missed
        return law
    return ratio_of(known, np.diag(weights) - np.outer(weights, weights), np.outer(weights, 1 - weights))


@informedness.exact
def _informedness(known: Knowledge, measure: Measure) -> Law | None:
    """Recall less the false-positive rate; with two classes, the sum of both recalls less one."""
    if measure.index is None:
        return None
    if known.size == 2:
        return known.of_recalls(np.ones(2), -1.0)
    false_positives = false_positive_rate_of(known, measure.index)
    return recall_of(known, measure.index) - false_positives if isinstance(false_positives, Linear) else None
