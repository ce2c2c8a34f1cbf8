"""What a call is worth as a diagnosis: ratios of rates, and what follows from them."""

from __future__ import annotations

import numpy as np

from howsure.laws import Law, Monotone, Transformed
from howsure.metrics.agreement import informed
from howsure.metrics.margins import Table, Tables, actual, called, hits, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, metric, rate, skill, two_class
from howsure.metrics.rates import false_negative_rate, false_positive_rate, recall, specificity

DEEKS = "Deeks and Altman 2004"
#: Probability of a call that informs, below which the number needed has no law to speak of.
LEAST_INFORMED = 1e-4

GLAS = "Glas et al. 2003"


@metric(
    per="class",
    range=(0, np.inf),
    better="higher",
    reference=DEEKS,
    aliases=["plr", "lr+", "lr_plus"],
    sklearn="class_likelihood_ratios, its first number, of two classes",
    plain=("LR+", ""),
)
def positive_likelihood_ratio(m: Table) -> Tables:
    """How much a call of the class raises its odds, TPR / FPR; infinite without false positives."""
    return recall(m) / false_positive_rate(m)


@metric(
    per="class",
    range=(0, np.inf),
    better="lower",
    reference=DEEKS,
    aliases=["nlr", "lr-", "lr_minus"],
    sklearn="class_likelihood_ratios, its second number, of two classes",
    plain=("LR-", ""),
)
def negative_likelihood_ratio(m: Table) -> Tables:
    """What is left of the odds of a class where it is not called, FNR / TNR."""
    return false_negative_rate(m) / specificity(m)


@metric(per="class", range=(0, np.inf), better="higher", reference=GLAS, aliases=["dor"])
def diagnostic_odds_ratio(m: Table) -> Tables:
    """Odds of a call inside the class over those outside it, TP TN / (FP FN)."""
    tp, missed, false = hits(m), actual(m) - hits(m), called(m) - hits(m)
    return np.asarray(tp * (total(m) - tp - missed - false) / (missed * false))


@metric(
    per="class",
    range=(-np.inf, np.inf),
    better="higher",
    reference=f"logarithm of positive_likelihood_ratio; {DEEKS}",
    aliases=["log_plr", "weight_of_evidence"],
)
def log_positive_likelihood_ratio(m: Table) -> Tables:
    """Natural logarithm of TPR / FPR."""
    return np.log(positive_likelihood_ratio(m))


@metric(
    per="class",
    range=(-np.inf, np.inf),
    better="lower",
    reference=f"logarithm of negative_likelihood_ratio; {DEEKS}",
    aliases=["log_nlr"],
)
def log_negative_likelihood_ratio(m: Table) -> Tables:
    """Natural logarithm of FNR / TNR."""
    return np.log(negative_likelihood_ratio(m))


@metric(
    per="class",
    range=(-np.inf, np.inf),
    better="higher",
    reference=f"logarithm of diagnostic_odds_ratio; {GLAS}",
    aliases=["log_dor"],
)
def log_diagnostic_odds_ratio(m: Table) -> Tables:
    """Natural logarithm of TP TN / (FP FN)."""
    return np.log(diagnostic_odds_ratio(m))


@skill(per="class", reference="Yule 1900", aliases=["q_score"], plain=("Yule's Q", ""))
def yule_q(m: Table) -> Tables:
    """Odds ratio on a scale from -1 to 1, (TP TN - FP FN) / (TP TN + FP FN)."""
    tp, missed, false = hits(m), actual(m) - hits(m), called(m) - hits(m)
    right, wrong = tp * (total(m) - tp - missed - false), missed * false
    return np.asarray((right - wrong) / (right + wrong))


@metric(per="class", range=(1, np.inf), better="lower", reference="Linn and Grunau 2006", aliases=["nnd"])
def number_needed_to_diagnose(m: Table) -> Tables:
    """Tests for one correct call of the class, 1 / informedness; infinite where the call does not inform."""
    gain = recall(m) + specificity(m) - 1
    return np.where(gain > 0, 1 / np.abs(gain), np.where(np.isnan(gain), np.nan, np.inf))


@rate(better="lower", reference="Balayla 2020", aliases=["pt"])
def prevalence_threshold(m: Table) -> Tables:
    """Prevalence below which precision falls steeply, where its curve bends most, 1 / (1 + sqrt(TPR / FPR))."""
    false = np.sqrt(false_positive_rate(m))
    return np.asarray(false / (np.sqrt(recall(m)) + false))


@skill(
    per="class",
    better="neither",
    reference='blog post "The problem with accuracy", m(p), p the prevalence of the table or the stated one; '
    "at every prevalence at most 1 - worst_rate in size",
    aliases=["over_diagnosis"],
)
def overdiagnosis(m: Table) -> Tables:
    """Share called a class less the share that has it, p TPR + (1 - p) FPR - p; below 0 it is called too rarely."""
    return (called(m) - actual(m)) / total(m)


for _each in (
    positive_likelihood_ratio,
    negative_likelihood_ratio,
    diagnostic_odds_ratio,
    log_positive_likelihood_ratio,
    log_negative_likelihood_ratio,
    log_diagnostic_odds_ratio,
    yule_q,
    prevalence_threshold,
):
    _each.exact(two_class)


@overdiagnosis.exact
def _overdiagnosis(known: MatrixKnowledge, measure: Measure) -> Law | None:
    weights, index = known.known_prevalence, measure.index
    if index is None:
        return None
    if weights is None:
        return known.two_class("overdiagnosis", index)
    return known.linear(np.outer(weights, np.arange(known.size) == index), -float(weights[index]))


def inverse(x: Tables) -> Tables:
    """1 / x, infinite at 0 and below."""
    with np.errstate(divide="ignore"):
        return np.asarray(1 / np.maximum(x, 0.0))


def inverse_slope(y: Tables) -> Tables:
    """Size of the derivative of 1 / y."""
    return np.asarray(1 / (y * y))


@number_needed_to_diagnose.exact
def _number_needed_to_diagnose(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """1 / J falls in J, to infinity; where that is nearly all, draws say so."""
    gain = informed(known, measure.index, 0.5)
    if gain is None or gain.prob(above=0) < LEAST_INFORMED:
        return None
    return Transformed(gain, Monotone(inverse, inverse, inverse_slope, (1.0, np.inf), rises=False))
