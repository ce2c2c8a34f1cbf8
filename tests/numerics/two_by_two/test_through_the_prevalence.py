"""Kappa and MCC by lines of the rates, and by another route.

The other route: given both rates, |metric| > |x| is one interval of prevalences between the roots of a quadratic
equation, whose probability is a difference of two incomplete Beta functions; its mean over the rates is taken by a fine
rule of equal steps in their Normal scores.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc, expit

from howsure.numerics.two_by_two.lines import NormalScores, normal_rule
from howsure.numerics.two_by_two.log_odds import BinaryRates, formula
from howsure.numerics.two_by_two.table_laws import BinaryMetric

X = np.array([-0.1, -0.01, 0.002, 0.03, 0.3])
MODELS = [((3.0, 62.0), (3.0, 1.0), (55.0, 8.0)), ((2.5, 60.5), (1.5, 1.5), (45.5, 15.5))]


def through_the_prevalence(metric, x, prevalence, tpr, tnr, nodes=600):
    """P(metric <= x), from the prevalences between which |metric| > |x|, of which the metric's sign is that of J."""
    z, w = normal_rule(2 * 5.8 / nodes)
    u, _ = NormalScores(tpr, tnr)(np.stack((z, z)))
    s, c, v = expit(u[0])[:, None], expit(u[1])[None], expit(-u[1])[None]
    j = s - v
    if metric == "kappa":  # 2 phi psi J = x (phi + B - 2 phi B), B = v + phi J
        second, first, none = 2 * j * (1 - x), x * (1 + j - 2 * v) - 2 * j, x * v
    else:  # J^2 phi psi = x^2 B (1 - B)
        second, first, none = j * j * (1 - x * x), x * x * j * (c - v) - j * j, x * x * v * c
    square = first * first - 4 * second * none
    reached = (square > 0) & (np.sign(j) == np.sign(x))
    half = -0.5 * (first + np.where(first < 0, -1, 1) * np.sqrt(np.where(reached, square, 0)))
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.sort(np.clip(np.nan_to_num(np.array([half / second, none / half])), 0, 1), axis=0)
    between = np.zeros(reached.shape)
    low, high = roots[:, reached]
    between[reached] = betainc(*prevalence, high) - betainc(*prevalence, low)
    beyond = w @ between @ w
    return beyond if x < 0 else 1 - beyond


@pytest.mark.full
@pytest.mark.parametrize(("metric", "model"), [("kappa", MODELS[0]), ("mcc", MODELS[0]), ("kappa", MODELS[1])])
def test_the_law_is_that_of_prevalences_between_two_roots(metric, model):
    law = BinaryMetric(metric, *model)
    other = [through_the_prevalence(metric, x, *model) for x in X]
    # kinks in J = 0 leave some 1e-7 to the other route where |x| is small
    assert law.cdf(X) == pytest.approx(other, abs=1e-6 + 3 * law.residual)
    assert law.residual < 1e-4


def test_a_tiny_kappa_keeps_its_digits():
    rates = BinaryRates(*(np.array([x]) for x in (1e-20, 1.0, 0.7, 0.3, 0.9, 0.1)))
    for metric in ("kappa", "markedness"):
        value = formula(metric).odds(rates)[0]
        assert 0 < value[0] < 1e-18


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(
    ("metric", "model"),
    [
        ("kappa", ((1.0, 20.0), (301.0, 701.0), (1000.0, 1.0))),  # nobody ill among 19, the rates from a study
        ("mcc", ((1.0, 30.0), (500.0, 9500.0), (99900.0, 100.0))),
    ],
)
def test_a_prevalence_that_is_known_less_than_the_rates_does_not_turn_where_the_metric_would_fall(metric, model):
    """Beyond phi : psi = sqrt(v : e) kappa falls; with rates that are known lines have two roots: P was off by 0.6."""
    law, rng = BinaryMetric(metric, *model), np.random.default_rng(1)
    phi, s, c = (rng.beta(*pair, 100_000) for pair in model)
    u = [each for x in (phi, s, c) for each in (x, 1 - x)]
    drawn = law._formula.metric(formula(metric).odds(BinaryRates(*u))[0])
    p = np.array([0.025, 0.3, 0.5, 0.7, 0.975])
    assert law.cdf(np.quantile(drawn, p)) == pytest.approx(p, abs=0.008)
    assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-6)


@pytest.mark.full
@pytest.mark.parametrize(
    ("metric", "model"),
    [
        ("kappa", ((0.5, 8.0), (29.9, 23.6), (666.3, 43.6))),  # a needle between the ends: it erred by 7e-4
        ("mcc", ((1.5, 16.6), (344.7, 282.2), (26.6, 3.8))),
    ],
)
def test_errors_between_the_ends_are_told(metric, model):
    law = BinaryMetric(metric, *model)
    assert _error(law, metric, model) < 1e-6 + 4 * law.residual


def _error(law, metric, model):
    x = law.quantile([0.025, 0.1, 0.2, 0.35, 0.5, 0.8, 0.975])
    return np.abs(law.cdf(x) - [through_the_prevalence(metric, each, *model) for each in x]).max()
