"""Mean and standard deviation of a binary metric under independent Betas."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import expit, polygamma, psi

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.normal_scores import logit_quantile, normal_rule
from howsure.numerics.two_by_two.log_odds import BinaryRates, Formula, diagnostic_odds_ratio, lift

__all__ = ["moments", "odds_moments"]

Pair = tuple[float, float]

STEPS = (0.7, 0.5, 0.35, 0.25)
ENOUGH = 1e-9  # error of mean and sd, in sd


def moments(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> Pair:
    """Return (mean, sd) of the metric: of a ratio or its log in closed form, else by a rule in three scores.

    The integrand is analytic in the three Normal scores, so that the product of trapezoid rules converges
    exponentially, with an error of e^{-c / step}; it is refined until what every second node gives, or the step before,
    tells an error below `ENOUGH` sd, or to a step of 1/4.
    """
    if formula.scale == "ratio" and formula.odds is not lift:
        return _of_ratio(formula, tpr, tnr)
    if formula.scale == "log":
        return _of_log_ratio(formula, tpr, tnr)
    if formula.scale == "gain":
        return _of_gain(formula, prevalence, tpr, tnr)
    result, last = (np.inf, np.inf), 1.0
    for step in STEPS:
        z, weight = normal_rule(step)
        if isinstance(prevalence, tuple):
            u, along = _logits(prevalence, step), weight
        else:
            u, along = np.array([np.log(prevalence) - np.log1p(-prevalence)]), np.ones(1)
        u = u[:, None, None]
        s, c = _logits(tpr, step)[:, None], _logits(tnr, step)
        odds = formula.odds(BinaryRates(expit(u), expit(-u), expit(s), expit(-s), expit(c), expit(-c)))[0]
        value = formula.metric(odds)
        value = np.broadcast_to(value, (along.size, z.size, z.size))
        before, result = result, _mean_and_sd(value, along, weight)
        if _moved(before, result) ** (last / step) < ENOUGH:
            break
        last = step
        if _moved(_mean_and_sd(value[::2, ::2, ::2], along[::2], weight[::2]), result) ** 1.5 < ENOUGH:
            break
    return result


@lru_cache(64)
def _logits(beta: Pair, step: float) -> Floats:
    """Of a Beta at the nodes of a rule; kept, for the metrics of a report share their rates."""
    logits = logit_quantile(*beta, normal_rule(step)[0])
    logits.flags.writeable = False
    return logits


def _moved(before: Pair, after: Pair) -> float:
    """By how many sd mean or sd moved."""
    return max(abs(after[0] - before[0]), abs(after[1] - before[1])) / max(after[1], 1e-300)


def _mean_and_sd(value: Floats, along: Floats, weight: Floats) -> Pair:
    """Moments of values on the nodes of the product rule, about the mean so that a small sd keeps its digits."""
    along, weight = along / along.sum(), weight / weight.sum()
    mean = float(along @ (value @ weight @ weight))
    deviation = value - mean
    variance = float(along @ ((deviation * deviation) @ weight @ weight))
    return mean, variance**0.5


def _of_ratio(formula: Formula, tpr: Pair, tnr: Pair) -> Pair:
    """Moments of a product of two independent factors: of s / v or v / s, or of the odds s / e times c / v."""
    false = tnr[1], tnr[0]
    if formula.odds is diagnostic_odds_ratio:
        first, second = odds_moments(*tpr), odds_moments(*tnr)
    elif formula.reflected:
        first, second = _beta_moments(*false), _inverse_moments(*tpr)
    else:
        first, second = _beta_moments(*tpr), _inverse_moments(*false)
    (m, v), (n, w) = first, second
    if not np.isfinite(m * n):
        return np.inf, np.inf
    return m * n, float(np.sqrt(v * w + m * m * w + n * n * v))


def _of_gain(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> Pair:
    """Moments of 1 - X, where X is (e / s)(v / c) or (b o q + v (1 + q)) / (1 + b), q = e / s, o = phi / psi."""
    if formula.odds is diagnostic_odds_ratio:
        (m, v), (n, w) = odds_moments(*tpr[::-1]), odds_moments(*tnr[::-1])
        return -_finite(m * n - 1), _root(v * w + m * m * w + n * n * v)
    if formula.swapped:  # the classes were exchanged to make it grow with the prevalence
        tpr, tnr = tnr, tpr
        prevalence = prevalence[::-1] if isinstance(prevalence, tuple) else 1 - prevalence
    (q, vq), (f, vf), (o, vo) = odds_moments(*tpr[::-1]), _beta_moments(*tnr[::-1]), (0.0, 0.0)
    weight = formula.recall_weight
    if weight:
        o, vo = odds_moments(*prevalence) if isinstance(prevalence, tuple) else (prevalence / (1 - prevalence), 0.0)
        o, vo = weight * o, weight * weight * vo
    if not np.isfinite(o * q):
        return -np.inf, np.inf
    # X = f + q (o + f), with f, q and o independent
    mean, square = f + q * (o + f), (vq + q * q) * (vo + o * o + 2 * o * f + vf + f * f)
    square += vf + f * f + 2 * q * (f * o + vf + f * f)
    return 1 - mean / (1 + weight), _root(square - mean * mean) / (1 + weight)


def _finite(x: float) -> float:
    return x if np.isfinite(x) else np.inf


def _root(x: float) -> float:
    return float(np.sqrt(max(x, 0.0))) if np.isfinite(x) else np.inf


def _of_log_ratio(formula: Formula, tpr: Pair, tnr: Pair) -> Pair:
    """Moments of log s - log v, or of logit s + logit c; logs of independent Betas add up."""
    (a, b), (c, d) = tpr, tnr
    if formula.odds is diagnostic_odds_ratio:
        mean = psi(a) - psi(b) + psi(c) - psi(d)
        variance = polygamma(1, [a, b, c, d]).sum()
    else:
        mean = psi(a) - psi(a + b) - psi(d) + psi(c + d)
        variance = polygamma(1, [a, d]).sum() - polygamma(1, [a + b, c + d]).sum()
    return float(-mean if formula.reflected else mean), float(np.sqrt(variance))


def _beta_moments(a: float, b: float) -> Pair:
    """Mean and variance of theta."""
    return a / (a + b), a / (a + b) * b / (a + b) / (a + b + 1)


def odds_moments(a: float, b: float) -> Pair:
    """Mean and variance of theta / (1 - theta), infinite for b <= 1 and b <= 2."""
    mean = a / (b - 1) if b > 1 else np.inf
    return mean, mean * (a + b - 1) / (b - 1) / (b - 2) if b > 2 else np.inf


def _inverse_moments(a: float, b: float) -> Pair:
    """Mean and variance of 1 / theta = 1 + (1 - theta) / theta."""
    mean, variance = odds_moments(b, a)
    return 1 + mean, variance
