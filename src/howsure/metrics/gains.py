"""Precision, recall and F on the scale from 0 (always predicting the class) to 1 (perfect) (Flach and Kull)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.laws import Law, Linear, Monotone, Transformed
from howsure.laws.linear import single_beta
from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, metric, two_class
from howsure.metrics.rates import recall_of
from howsure.numerics.two_by_two.table_laws import odds_moments

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
    _each.exact(two_class)


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
