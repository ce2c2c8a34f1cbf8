"""Precision, recall and F on the scale where the call of everything is worth 0 and perfection 1 (Flach and Kull)."""

from __future__ import annotations

import numpy as np

from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.metric import metric

__all__ = ["f1_gain", "fbeta_gain", "precision_gain", "recall_gain"]

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


@metric(per="class", range=(-np.inf, 1), better="higher", reference=FLACH, aliases=["fg1"])
def f1_gain(m: Table) -> Tables:
    """Mean of precision gain and recall gain, (F1 - p) / ((1 - p) F1)."""
    return 1 - lost(m, (actual(m) + called(m)) / 2 - hits(m))


@metric(per="class", range=(-np.inf, 1), better="higher", reference=FLACH, parameters={"beta": 1.0})
def fbeta_gain(m: Table, beta: float = 1.0) -> Tables:
    """Weighted mean of precision gain and recall gain, (F - p) / ((1 - p) F); beta > 1 favours recall."""
    missed, false = actual(m) - hits(m), called(m) - hits(m)
    return 1 - lost(m, (beta**2 * missed + false) / (1 + beta**2))
