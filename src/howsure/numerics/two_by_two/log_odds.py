"""The metrics of a 2 x 2 table as log odds, each with its slope along sensitivity and specificity.

With prevalence phi, psi = 1 - phi, TPR s, TNR c and their complements e = 1 - s, v = 1 - c, every metric here is an
increasing function of s and of c, and is written as L = log(N / D) with N and D sums of positive terms (of one
difference where the metric has a sign). So L keeps all digits of 1 - metric, covers the real line, and is close to
linear in logit s and logit c, which is what a Newton step wants. Slopes are taken in these two logits; their
differences have been multiplied out into sums of positive terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit

from howsure.numerics.arrays import Floats

Odds = tuple[Floats, ...]  # L, dL / d logit s, dL / d logit c, and dL / d logit phi where it has one sign, or that of J


@dataclass(frozen=True, slots=True)
class BinaryRates:
    """Prevalence and rates with their complements, each computed without cancellation."""

    phi: Floats
    psi: Floats
    s: Floats
    e: Floats
    c: Floats
    v: Floats


def precision(x: BinaryRates) -> Odds:
    """Odds phi s : psi v."""
    return np.log(x.phi * x.s) - np.log(x.psi * x.v), x.e, x.c, np.ones_like(x.phi)


def positive_likelihood_ratio(x: BinaryRates) -> Odds:
    """Odds s : v."""
    return np.log(x.s) - np.log(x.v), x.e, x.c


def diagnostic_odds_ratio(x: BinaryRates) -> Odds:
    """Odds s c : e v."""
    return np.log(x.s * x.c) - np.log(x.e * x.v), np.ones_like(x.s), np.ones_like(x.s)


def fbeta(x: BinaryRates, beta_squared: float) -> Odds:
    """Odds (1 + beta^2) TP : beta^2 FN + FP."""
    missed, false = beta_squared * x.phi * x.e, x.psi * x.v
    wrong = missed + false
    false_share = false / wrong
    return (
        np.log((1 + beta_squared) * x.phi * x.s / wrong),
        x.e + x.s * missed / wrong,
        x.c * false_share,
        false_share,
    )


def root_positive_likelihood_ratio(x: BinaryRates) -> Odds:
    """Odds sqrt(s) : sqrt(v)."""
    odds, along_s, along_c = positive_likelihood_ratio(x)
    return odds / 2, along_s / 2, along_c / 2


def g_mean(x: BinaryRates) -> Odds:
    """Odds G : 1 - G with G = sqrt(s c) and 1 - G^2 = e + s v."""
    mean = np.sqrt(x.s * x.c)
    rest = (x.e + x.s * x.v) / (1 + mean)
    return np.log(mean / rest), x.e / (2 * rest), x.v / (2 * rest)


def fowlkes_mallows(x: BinaryRates) -> Odds:
    """Odds G : 1 - G with G = s sqrt(phi / B), B = TP + FP, and 1 - G^2 = (phi s e + psi v) / B."""
    hit, false = x.phi * x.s, x.psi * x.v
    called = hit + false
    mean = np.sqrt(hit * x.s / called)
    rest = (hit * x.e + false) / called / (1 + mean)
    return (
        np.log(mean / rest),
        x.e * (hit / 2 + false) / (called * rest),
        x.c * false / (2 * called * rest),
        false / (2 * called * rest),
    )


def p4(x: BinaryRates) -> Odds:
    """Odds 4 TP TN : (TP + TN)(FP + FN)."""
    hit, kept = x.phi * x.s, x.psi * x.c
    right, wrong = hit + kept, x.phi * x.e + x.psi * x.v
    return (
        np.log(4 * hit / right * kept / wrong),
        x.e * (kept / right + hit / wrong),
        x.v * (hit / right + kept / wrong),
    )


def accuracy(x: BinaryRates) -> Odds:
    """Odds TP + TN : FN + FP."""
    right, wrong = x.phi * x.s + x.psi * x.c, x.phi * x.e + x.psi * x.v
    scale = 1 / (right * wrong)
    return np.log(right / wrong), x.phi * x.s * x.e * scale, x.psi * x.c * x.v * scale


def informedness(x: BinaryRates) -> Odds:
    """Odds 1 + J : 1 - J = s + c : e + v, with J = s + c - 1."""
    right, wrong = x.s + x.c, x.e + x.v
    scale = 2 / (right * wrong)
    return np.log(right / wrong), x.s * x.e * scale, x.c * x.v * scale


def markedness(x: BinaryRates) -> Odds:
    """Odds 1 + M : 1 - M = PPV + NPV : FDR + FOR; dM/ds = phi psi ((phi J)^2 + v c) / (B (1-B))^2, B = TP + FP."""
    positive, negative = x.phi * x.s + x.psi * x.v, x.phi * x.e + x.psi * x.c
    right = x.phi * x.s / positive + x.psi * x.c / negative
    wrong = x.psi * x.v / positive + x.phi * x.e / negative
    j2 = (x.s - x.v) ** 2
    se, vc = x.s * x.e, x.v * x.c
    scale = 2 * x.phi * x.psi / (right * wrong * (positive * negative) ** 2)
    return (
        _log_ratio(right, wrong, 2 * x.phi * x.psi * (x.s - x.v) / (positive * negative)),
        scale * se * (x.phi**2 * j2 + vc),
        scale * vc * (x.psi**2 * j2 + se),
    )


def mcc(x: BinaryRates) -> Odds:
    """Odds 1 + M : 1 - M by L = 2 asinh(J sqrt(phi psi / W)): 1 - M^2 = W / (B (1 - B)), W = phi s e + psi v c."""
    positive, negative = x.phi * x.s + x.psi * x.v, x.phi * x.e + x.psi * x.c
    se, vc = x.s * x.e, x.v * x.c
    within = x.phi * se + x.psi * vc
    scale = np.sqrt(x.phi * x.psi / (positive * negative)) / within
    value = 2 * np.arcsinh((x.s - x.v) * np.sqrt(x.phi * x.psi / within))
    return (
        value,
        scale * se * (positive * x.c + negative * x.v),
        scale * vc * (negative * x.s + positive * x.e),
        scale * (x.s - x.v) * (x.psi**2 * vc - x.phi**2 * se),
    )


def kappa(x: BinaryRates) -> Odds:
    """Odds 1 + K : 1 - K = phi e + psi v + 4 phi psi J : phi e + psi v, the numerator as a form in s, e times c, v."""
    wrong = x.phi * x.e + x.psi * x.v
    four = 4 * x.phi * x.psi
    right = (four * x.s + x.phi * x.e) * x.c + (x.psi * x.s + (x.phi - x.psi) ** 2 * x.e) * x.v
    scale = four / (right * wrong)
    return (
        _log_ratio(right, wrong, four * (x.s - x.v)),
        scale * x.s * x.e * (x.phi * x.c + x.psi * x.v),
        scale * x.c * x.v * (x.psi * x.s + x.phi * x.e),
        scale * (x.s - x.v) * (x.psi**2 * x.v - x.phi**2 * x.e),
    )


def _log_ratio(right: Floats, wrong: Floats, difference: Floats) -> Floats:
    """log(right / wrong) to the last digit of itself, also where the two hardly differ."""
    share = difference / wrong
    return np.where(np.abs(share) < 0.5, np.log1p(np.maximum(share, -0.5)), np.log(right / wrong))


def weighted_markedness(x: BinaryRates, w: float) -> Odds:
    """Odds 1 + M : 1 - M = w PPV + (1 - w) NPV : w FDR + (1 - w) FOR."""
    positive, negative = x.phi * x.s + x.psi * x.v, x.phi * x.e + x.psi * x.c
    ppv, fdr = x.phi * x.s / positive, x.psi * x.v / positive
    npv, omitted = x.psi * x.c / negative, x.phi * x.e / negative
    right, wrong = w * ppv + (1 - w) * npv, w * fdr + (1 - w) * omitted
    of_ppv, of_npv = w * ppv * fdr / (right * wrong), (1 - w) * npv * omitted / (right * wrong)
    return np.log(right / wrong), of_ppv * x.e + of_npv * x.s, of_ppv * x.c + of_npv * x.v


def scott_pi(x: BinaryRates) -> Odds:
    """Odds 1 + P : 1 - P = 4 TP TN + (TP + TN) D : D with D = FN + FP."""
    hit, kept, wrong = x.phi * x.s, x.psi * x.c, x.phi * x.e + x.psi * x.v
    above = 4 * hit * kept + (hit + kept) * wrong
    scale = 1 / (above * wrong)
    both = 4 * hit * kept + wrong * wrong
    return (
        np.log(above / wrong),
        hit * x.e * (both + 4 * kept * wrong) * scale,
        kept * x.v * (both + 4 * hit * wrong) * scale,
    )


def gwet_ac1(x: BinaryRates) -> Odds:
    """Odds 1 + A : 1 - A = (TP - TN)^2 + TP + TN : FN + FP."""
    hit, kept, wrong = x.phi * x.s, x.psi * x.c, x.phi * x.e + x.psi * x.v
    gap = hit - kept
    above = gap * gap + hit + kept
    scale = 1 / (above * wrong)
    return (
        np.log(above / wrong),
        hit * x.e * (1 + gap * gap + 2 * gap * wrong) * scale,
        kept * x.v * (1 + gap * gap - 2 * gap * wrong) * scale,
    )


def lift(x: BinaryRates) -> Odds:
    """L = log(s / (phi s + psi v)), below -log phi."""
    positive = x.phi * x.s + x.psi * x.v
    false_share = x.psi * x.v / positive
    return np.log(x.s) - np.log(positive), x.e * false_share, x.c * false_share


def overdiagnosis(x: BinaryRates) -> Odds:
    """Odds 1 + M : 1 - M with M = FP - FN, of exchanged classes and s the false-positive rate: M = phi s - psi v."""
    above, below = x.phi + x.phi * x.s + x.psi * x.c, x.psi + x.phi * x.e + x.psi * x.v
    scale = 2 / (above * below)
    return (
        np.log(above / below),
        scale * x.phi * x.s * x.e,
        scale * x.psi * x.c * x.v,
        scale * x.phi * x.psi * (x.s + x.v),
    )


def worth(x: BinaryRates, hit: float, missed: float, kept: float, false: float) -> Odds:
    """Odds W : 1 - W of the mean W of a number from 0 to 1 in each cell, where right is worth no less than wrong."""
    right = x.phi * (hit * x.s + missed * x.e) + x.psi * (kept * x.c + false * x.v)
    left = x.phi * ((1 - hit) * x.s + (1 - missed) * x.e) + x.psi * ((1 - kept) * x.c + (1 - false) * x.v)
    scale = 1 / (right * left)
    return (
        np.log(right / left),
        (hit - missed) * x.phi * x.s * x.e * scale,
        (kept - false) * x.psi * x.c * x.v * scale,
        ((hit - missed) * x.s + (missed - kept) + (kept - false) * x.v) * x.phi * x.psi * scale,
    )


def fbeta_gain(x: BinaryRates, beta_squared: float) -> Odds:
    """L = -log(1 - G) = log((1 + beta^2) TP psi : (beta^2 FN + FP) phi), of exchanged classes: it falls with phi."""
    found, missed, false = x.phi * x.c, beta_squared * x.psi * x.v, x.phi * x.e
    wrong = missed + false
    return (
        np.log((1 + beta_squared) * found / wrong),
        x.s * false / wrong,
        x.v + x.c * missed / wrong,
        missed / wrong,
    )


@dataclass(frozen=True, slots=True)
class Formula:
    """A metric as its log odds L and the way back to its own scale, after an exchange of roles where it needs one."""

    odds: Callable[[BinaryRates], Odds]
    scale: Literal["fraction", "signed", "ratio", "log", "gain"]  # expit(L), tanh(L / 2), exp(L), L, 1 - exp(-L)
    swapped: bool = False  # exchange the classes: phi with psi, TPR with TNR
    false_positives: bool = False  # put the false positive rate in the place of TNR
    bounded: bool = False  # given the prevalence, rates of 0 and 1 do not bring it to the ends of its range
    misses: bool = False  # put the false negative rate in the place of TPR
    reflected: bool = False  # the metric has the log odds -L
    shift: float = 0.0  # the metric has the log odds L + shift
    random_prevalence: bool = True
    grows_with_prevalence: bool = False
    recall_weight: float = 0.0  # beta^2 of a gain: what FN counts beside FP
    vanishing: bool = False  # it goes to 0 with the prevalence, and with its complement

    def metric(self, odds: Floats) -> Floats:
        """Return the metric from L."""
        odds = (-odds if self.reflected else odds) + self.shift
        if self.scale == "fraction":
            return np.asarray(expit(odds))
        if self.scale == "log":
            return odds
        if self.scale == "gain":
            return np.asarray(-np.expm1(-odds))
        return np.asarray(np.tanh(odds / 2) if self.scale == "signed" else np.exp(odds))

    def log_odds(self, x: Floats) -> Floats:
        """Return L from the metric."""
        if self.scale == "fraction":
            odds = np.log(x) - np.log1p(-x)
        elif self.scale == "log":
            odds = x
        elif self.scale == "gain":
            odds = -np.log1p(-x)
        else:
            odds = np.log1p(x) - np.log1p(-x) if self.scale == "signed" else np.log(x)
        odds = odds - self.shift
        return -odds if self.reflected else odds

    def log_odds_slope(self, odds: Floats) -> Floats:
        """Return log |dL / dx| from L."""
        odds = (-odds if self.reflected else odds) + self.shift
        if self.scale == "ratio":
            return -odds
        if self.scale == "log":
            return np.zeros_like(odds)
        if self.scale == "gain":
            return odds
        steep = np.logaddexp(0.0, odds) + np.logaddexp(0.0, -odds)  # -log(p (1 - p)), p = expit(L)
        return np.asarray(steep if self.scale == "fraction" else steep - np.log(2))


def formula(metric: str, **parameters: float) -> Formula:
    """Return the formula of a metric by its name, with its parameters if it has any (`PARAMETRIC`)."""
    if parameters and metric in PARAMETRIC:
        return PARAMETRIC[metric](**parameters)
    if metric not in NAMES:
        raise ValueError(f"no binary metric named {metric!r}; there are {', '.join(sorted(NAMES))}")
    return NAMES[metric]


def of_fbeta(beta: float) -> Formula:
    """F beta; beta above 0."""
    square = _positive(beta)
    return Formula(lambda x: fbeta(x, square), "fraction", grows_with_prevalence=True)


def of_gain(beta: float) -> Formula:
    """Gain of F beta."""
    square = _positive(beta)
    return Formula(
        lambda x: fbeta_gain(x, square), "gain", swapped=True, grows_with_prevalence=True, recall_weight=square
    )


def of_markedness(w: float) -> Formula:
    """Markedness with weight w on precision, from 0 to 1."""
    if not 0 <= w <= 1:
        raise ValueError(f"w must lie between 0 and 1; it is {w}")
    return Formula(lambda x: weighted_markedness(x, w), "signed")


def of_worth(hit: float, missed: float, kept: float, false: float) -> Formula:
    """Mean worth of a case, each cell from 0 to 1; a rate whose growth is worth less is put in by its complement.

    Where any case of one class is worth as much as any of the other, as in a net benefit, it grows with its share.
    """
    swapped = max(hit, missed) <= min(kept, false)
    if swapped:
        hit, missed, kept, false = kept, false, hit, missed
    misses, false_positives = hit < missed, kept < false
    first = (missed, hit) if misses else (hit, missed)
    second = (false, kept) if false_positives else (kept, false)
    grows = first[1] >= second[0]
    return Formula(
        lambda x: worth(x, *first, *second),
        "fraction",
        swapped=swapped,
        bounded=not grows,
        misses=misses,
        false_positives=false_positives,
        grows_with_prevalence=grows,
    )


def _positive(beta: float) -> float:
    if not 0 < beta < np.inf:
        raise ValueError(f"beta must be positive and finite; it is {beta}")
    return beta * beta


#: Formulas with parameters.
PARAMETRIC: dict[str, Callable[..., Formula]] = {
    "fbeta": of_fbeta,
    "fbeta_gain": of_gain,
    "weighted_markedness": of_markedness,
    "worth": of_worth,
}

RATIO_AND_LOG: dict[str, Literal["ratio", "log"]] = {"": "ratio", "log_": "log"}

NAMES = {
    "f1": Formula(lambda x: fbeta(x, 1.0), "fraction", grows_with_prevalence=True),
    "fbeta": of_fbeta(1.0),
    "jaccard": Formula(
        lambda x: fbeta(x, 1.0), "fraction", grows_with_prevalence=True, shift=-float(np.log(2))
    ),  # odds TP : FN + FP
    "mcc": Formula(mcc, "signed", vanishing=True),
    "precision": Formula(precision, "fraction", grows_with_prevalence=True),
    "negative_predictive_value": Formula(precision, "fraction", grows_with_prevalence=True, swapped=True),
    "false_discovery_rate": Formula(precision, "fraction", grows_with_prevalence=True, reflected=True),
    "false_omission_rate": Formula(precision, "fraction", grows_with_prevalence=True, swapped=True, reflected=True),
    "markedness": Formula(markedness, "signed", vanishing=True),
    "weighted_markedness": of_markedness(0.5),
    "scott_pi": Formula(scott_pi, "signed"),
    "gwet_ac1": Formula(gwet_ac1, "signed"),
    "kappa": Formula(kappa, "signed", vanishing=True),
    "informedness": Formula(informedness, "signed", random_prevalence=False),
    "accuracy": Formula(accuracy, "fraction"),
    "error_rate": Formula(accuracy, "fraction", reflected=True),
    "precision_gain": Formula(positive_likelihood_ratio, "gain", random_prevalence=False),
    "odds_gain": Formula(diagnostic_odds_ratio, "gain", random_prevalence=False),
    "f1_gain": of_gain(1.0),
    "fbeta_gain": of_gain(1.0),
    "lift": Formula(lift, "ratio", bounded=True),
    "overdiagnosis": Formula(overdiagnosis, "signed", swapped=True, misses=True, grows_with_prevalence=True),
    "bias": Formula(accuracy, "fraction", false_positives=True),
    "fowlkes_mallows": Formula(fowlkes_mallows, "fraction", grows_with_prevalence=True),
    "p4": Formula(p4, "fraction"),
    "g_mean": Formula(g_mean, "fraction", random_prevalence=False),
    "yule_q": Formula(diagnostic_odds_ratio, "signed", random_prevalence=False),
    "prevalence_threshold": Formula(
        root_positive_likelihood_ratio, "fraction", reflected=True, random_prevalence=False
    ),
    **{
        prefix + name: Formula(odds, scale, swapped=reflected, reflected=reflected, random_prevalence=False)
        for prefix, scale in RATIO_AND_LOG.items()
        for name, odds, reflected in (
            ("positive_likelihood_ratio", positive_likelihood_ratio, False),
            ("negative_likelihood_ratio", positive_likelihood_ratio, True),
            ("diagnostic_odds_ratio", diagnostic_odds_ratio, False),
        )
    },
}
