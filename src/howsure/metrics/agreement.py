"""Agreement between truth and prediction beyond what habit alone would give."""

from __future__ import annotations

import numpy as np

from howsure.laws import Law
from howsure.metrics.margins import Table, Tables, actual, called, right, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, skill, two_class
from howsure.metrics.overall import none
from howsure.metrics.rates import (
    negative_predictive_value,
    precision,
    recall,
    recall_and_specificity,
    specificity,
)
from howsure.numerics.arrays import short_sum


@skill(
    per="class",
    reference='Youden 1950; Powers 2011; its @macro is Y_s of the blog post "The problem with accuracy"',
    aliases=["bm", "youden", "youden_j", "bookmaker_informedness"],
    chance=none,
)
def informedness(m: Table) -> Tables:
    """How informed the call of a class is, recall + specificity - 1."""
    return recall(m) + specificity(m) - 1


@skill(
    per="class",
    reference='Powers 2011; its @macro is Y_c of the blog post "The problem with accuracy"',
    aliases=["mk", "delta_p"],
    chance=none,
)
def markedness(m: Table) -> Tables:
    """How reliable the call of a class is, precision + negative predictive value - 1."""
    return precision(m) + negative_predictive_value(m) - 1


@skill(
    reference="Matthews 1975; Gorodkin 2004 for more than two classes",
    aliases=["matthews_corrcoef", "phi_coefficient"],
    chance=none,
    sklearn="matthews_corrcoef",
    plain=("MCC", "MCC"),
    undefined=0.0,
)
def mcc(m: Table) -> Tables:
    """Correlation of truth and prediction, cov(t, c) / sqrt(cov(t, t) cov(c, c)); 0 where either has one class only."""
    cases = total(m)
    rows, columns = actual(m) / cases, called(m) / cases
    agreement = right(m) / cases[..., 0] - short_sum(rows * columns)
    # 1 - sum p^2 as sum p (1 - p): no cancellation when one class is nearly all
    spread = short_sum(rows * (1 - rows)) * short_sum(columns * (1 - columns))
    return np.asarray(agreement / np.sqrt(spread))


@skill(
    reference="Cohen 1960 (Carrillo et al. 2013, equations 1 and 2, with the number of cases for the misprinted l)",
    aliases=["cohen_kappa", "cohen_kappa_score", "cohens_kappa"],
    chance=none,
    sklearn="cohen_kappa_score",
    plain=("Cohen's kappa", "Cohen's kappa"),
)
def kappa(m: Table) -> Tables:
    """Agreement beyond that expected from the margins (Cohen), (p_o - p_e) / (1 - p_e)."""
    cases = total(m)
    rows, columns = actual(m) / cases, called(m) / cases
    by_chance = short_sum(rows * columns)
    return np.asarray((right(m) / cases[..., 0] - by_chance) / short_sum(rows * (1 - columns)))


@skill(reference="Scott 1955; Krippendorff 1970", aliases=["krippendorff_alpha"], plain=("Scott's pi", "Scott's pi"))
def scott_pi(m: Table) -> Tables:
    """Agreement beyond that expected from the pooled margins (Scott); nominal alpha (Krippendorff) of many cases."""
    cases = total(m)
    pooled = (actual(m) + called(m)) / (2 * cases)
    by_chance = (pooled**2).sum(-1)
    return np.asarray((right(m) / cases[..., 0] - by_chance) / (pooled * (1 - pooled)).sum(-1))


@skill(reference="Gwet 2008", aliases=["ac1"], plain=("Gwet's AC1", "Gwet's AC1"))
def gwet_ac1(m: Table) -> Tables:
    """Agreement beyond that of guesses on hard cases, (p_o - p_e) / (1 - p_e), with p_e = sum pi (1 - pi) / (K - 1)."""
    cases = total(m)
    pooled = (actual(m) + called(m)) / (2 * cases)
    by_chance = (pooled * (1 - pooled)).sum(-1) / (pooled.shape[-1] - 1)
    return np.asarray((right(m) / cases[..., 0] - by_chance) / (1 - by_chance))


@skill(
    per="class",
    reference='blog post "The problem with accuracy", weighted Y_s; a w for each class: class_weighted_informedness',
    parameters={"w": 0.5},
    limits={"w": (0, 1)},
)
def weighted_informedness(m: Table, w: float = 0.5) -> Tables:
    """Informedness with weight w on recall, 2 w recall + 2 (1 - w) specificity - 1."""
    return 2 * w * recall(m) + 2 * (1 - w) * specificity(m) - 1


@skill(
    per="class",
    reference='blog post "The problem with accuracy", weighted Y_c; a w for each class: class_weighted_markedness',
    parameters={"w": 0.5},
    limits={"w": (0, 1)},
)
def weighted_markedness(m: Table, w: float = 0.5) -> Tables:
    """Markedness with weight w on precision, 2 w precision + 2 (1 - w) negative predictive value - 1."""
    return 2 * w * precision(m) + 2 * (1 - w) * negative_predictive_value(m) - 1


for _each in (markedness, weighted_markedness, mcc, scott_pi, gwet_ac1):
    _each.exact(two_class)


@kappa.exact
def _kappa(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return known.two_class("kappa", 1)


def informed(known: MatrixKnowledge, index: int | None, w: float) -> Law | None:
    """Law of ``2 w recall + 2 (1 - w) specificity - 1`` where the specificity is linear in the rows."""
    mean = recall_and_specificity(known, index, w)
    return None if mean is None else 2 * mean - 1


def mean_informed(known: MatrixKnowledge, w: Tables) -> Law | None:
    """Law of the mean over classes of ``2 w_i recall_i + 2 (1 - w_i) specificity_i - 1``, w of shape (K,)."""
    if known.size == 2:  # the specificity of one class is the recall of the other
        return informed(known, 0, float(1 + w[0] - w[1]) / 2)
    shares = known.known_prevalence
    if shares is None or shares.min() == 0:  # a class that never comes is left out of the mean
        return None
    kept_out = 2 * (1 - w) / known.size
    table = -np.outer(shares, kept_out / (1 - shares))
    np.fill_diagonal(table, 2 * w / known.size)
    return known.linear(table, float(kept_out.sum()) - 1)


def _informed(known: MatrixKnowledge, measure: Measure, w: float) -> Law | None:
    if measure.average == "macro":
        return mean_informed(known, np.full(known.size, w))
    return informed(known, measure.index, w)


@informedness.exact
def _informedness(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """Recall less the false-positive rate; with two classes, the sum of both recalls less one."""
    return _informed(known, measure, 0.5)


@weighted_informedness.exact
def _weighted_informedness(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return _informed(known, measure, dict(measure.parameters).get("w", 0.5))
