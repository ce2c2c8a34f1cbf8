"""Every metric of a 2 x 2 table in the formulas of the textbooks."""

import numpy as np


def more_formulas(phi, s, c, tp, fn, fp, tn, beta):
    """What has no name in the textbooks of diagnosis."""
    pooled, positive = (phi + tp + fp) / 2, tp + fp
    f1, f = 2 * tp / (2 * tp + fn + fp), (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)
    expected, guessed = pooled**2 + (1 - pooled) ** 2, 2 * pooled * (1 - pooled)
    precision = tp / positive
    return {
        "error_rate": fn + fp,
        "scott_pi": (tp + tn - expected) / (1 - expected),
        "gwet_ac1": (tp + tn - guessed) / (1 - guessed),
        "weighted_markedness": precision + tn / (1 - positive) - 1,
        "lift": precision / phi,
        "overdiagnosis": positive - phi,
        "precision_gain": (precision - phi) / ((1 - phi) * precision),
        "odds_gain": 1 - (1 - s) * (1 - c) / (s * c),
        "f1_gain": (f1 - phi) / ((1 - phi) * f1),
        "fbeta_gain": (f - phi) / ((1 - phi) * f),
    }


def textbook(phi, s, c, beta):
    """Every metric from the four cells, in the formulas of the textbooks."""
    tp, fn, fp, tn = phi * s, phi * (1 - s), (1 - phi) * (1 - c), (1 - phi) * c
    positive = tp + fp
    chance = phi * positive + (1 - phi) * (1 - positive)
    plr, nlr = s / (1 - c), (1 - s) / c
    return {
        "log_positive_likelihood_ratio": np.log(plr),
        "log_negative_likelihood_ratio": np.log(nlr),
        "log_diagnostic_odds_ratio": np.log(plr / nlr),
        "prevalence_threshold": (np.sqrt(s * (1 - c)) - (1 - c)) / (s - (1 - c)),
        "yule_q": (tp * tn - fp * fn) / (tp * tn + fp * fn),
        "g_mean": np.sqrt(s * c),
        "fowlkes_mallows": np.sqrt(tp / positive * s),
        "p4": 4 / (positive / tp + 1 / s + (1 - positive) / tn + 1 / c),
        "f1": 2 * tp / (2 * tp + fn + fp),
        "fbeta": (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp),
        "jaccard": tp / (tp + fn + fp),
        "mcc": (tp * tn - fp * fn) / np.sqrt(phi * (1 - phi) * positive * (1 - positive)),
        "precision": tp / positive,
        "negative_predictive_value": tn / (1 - positive),
        "false_discovery_rate": fp / positive,
        "false_omission_rate": fn / (1 - positive),
        "markedness": tp / positive + tn / (1 - positive) - 1,
        "kappa": (tp + tn - chance) / (1 - chance),
        "informedness": s + c - 1,
        "accuracy": tp + tn,
        "bias": positive,
        "positive_likelihood_ratio": s / (1 - c),
        "negative_likelihood_ratio": (1 - s) / c,
        "diagnostic_odds_ratio": s * c / ((1 - s) * (1 - c)),
        **more_formulas(phi, s, c, tp, fn, fp, tn, beta),
    }
