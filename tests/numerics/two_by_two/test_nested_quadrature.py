"""Ends and probabilities against nested quadrature of the joint density, split where the inner integral has kinks.

The other route: P(L <= l) is a mean over the prevalence of a mean over sensitivity of the distribution function of
specificity, at the one specificity where L = l. Means are integrals over probabilities from 0 to 1 by the
double-exponential rule (Takahasi and Mori 1974); the specificity where L = l is found by bisection.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import betainc, betaincc, betainccinv, betaincinv, expit
from tests.conftest import tries

from howsure.numerics.two_by_two.log_odds import NAMES, BinaryRates
from howsure.numerics.two_by_two.table_laws import BinaryMetric, resolvable

FARTHEST = 690.0  # logit of a rate that is called 0 or 1
STEPS = 0.25 / 2.0 ** np.arange(5)


def double_exponential(low, high, step):
    """Nodes of [low, high], their distances from both ends, and weights; the last axis is that of the nodes."""
    t = np.arange(-3.6, 3.6001, step)
    share = expit(np.pi * np.sinh(t))
    weight = step * np.pi * np.cosh(t) * share * expit(-np.pi * np.sinh(t))
    width = np.asarray(high - low)[..., None]
    return width * share, width * expit(-np.pi * np.sinh(t)), width * weight


def logit_of(beta, below, above):
    """Logit of the quantile with so much probability below and above, by the smaller of both."""
    a, b = beta
    x = np.where(below < above, betaincinv(a, b, below), betainccinv(a, b, above))
    y = np.where(below < above, betainccinv(b, a, below), betaincinv(b, a, above))
    with np.errstate(divide="ignore"):
        return np.clip(np.log(x) - np.log(y), -FARTHEST, FARTHEST)


def odds_at(odds, u, s, c):
    """L at logits of prevalence, sensitivity and specificity."""
    with np.errstate(all="ignore"):
        value = odds(BinaryRates(expit(u), expit(-u), expit(s), expit(-s), expit(c), expit(-c)))[0]
    return np.nan_to_num(value, nan=0.0, posinf=1e4, neginf=-1e4)


def bisected(rises, shape):
    """Where a function of a logit that rises reaches 0."""
    low, high = np.full(shape, -FARTHEST), np.full(shape, FARTHEST)
    for _ in range(62):
        middle = 0.5 * (low + high)
        short = rises(middle) < 0
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return 0.5 * (low + high)


def given_prevalence(odds, level, u, tpr, tnr, step):
    """P(L <= l) for each logit u of the prevalence, shape (n,)."""
    # below the first sensitivity every specificity has less than l, above the second none
    first = bisected(lambda s: odds_at(odds, u, s, FARTHEST) - level, u.shape)
    second = bisected(lambda s: odds_at(odds, u, s, -FARTHEST) - level, u.shape)
    at = [(betainc(*tpr, expit(s)), betaincc(*tpr, expit(s))) for s in (first, second)]
    past_first, before_second, weight = double_exponential(at[0][0], np.maximum(at[1][0], at[0][0]), step)
    s = logit_of(tpr, at[0][0][:, None] + past_first, at[1][1][:, None] + before_second)
    c = bisected(lambda c: odds_at(odds, u[:, None], s, c) - level, s.shape)
    a, b = tnr
    below = np.where(c < 0, betainc(a, b, expit(c)), betaincc(b, a, expit(-c)))
    return at[0][0] + (weight * below).sum(axis=-1)


def _marks(formula, level, prevalence):
    """Probabilities of the prevalences at which L = l with both rates at an end: the mean over the rates has kinks."""
    scan, marks = np.linspace(-40, 40, 4001), {0.0, 1.0}
    for s, c in itertools.product((-FARTHEST, FARTHEST), repeat=2):

        def over(u, s=s, c=c):
            return odds_at(formula.odds, u, np.full(u.shape, s), np.full(u.shape, c)) > level

        above = over(scan)
        for k in np.flatnonzero(above[1:] != above[:-1]):
            low, high = scan[k], scan[k + 1]
            for _ in range(60):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if over(np.array([middle]))[0] == above[k] else (low, middle)
            marks.add(float(betainc(*prevalence, expit(low))))
    return sorted(marks)


def nested(law, x):
    """P(metric <= x) of a law, and how much the last halving of the step changed."""
    prevalence, formula = law._model[0], law._formula
    level = float(formula.log_odds(np.asarray(x)))
    random = isinstance(prevalence, tuple) and formula.random_prevalence
    marks = _marks(formula, level, prevalence) if random else []
    before, error = None, 1.0
    for h in STEPS:
        value = _mean(formula, level, marks, law._model, h)
        if before is not None and (error := abs(value - before)) < 1e-6:  # squared from step to step
            break
        before = value
    return (1 - value if formula.reflected else value), error


def _mean(formula, level, marks, model, h):
    """Mean over the prevalence, piece by piece."""
    prevalence, tpr, tnr = model
    if not marks:
        fixed = 0.5 if isinstance(prevalence, tuple) else prevalence
        u = np.array([np.log(fixed) - np.log1p(-fixed)])
        return float(given_prevalence(formula.odds, level, u, tpr, tnr, h)[0])
    total = 0.0
    for low, high in itertools.pairwise(marks):
        if high - low > 1e-13:
            past, before, weight = double_exponential(np.array([low]), np.array([high]), h)
            u = logit_of(prevalence, low + past[0], (1 - high) + before[0])
            total += float(weight[0] @ given_prevalence(formula.odds, level, u, tpr, tnr, h))
    return total


TAILS = np.array([0.025, 0.5, 0.975])
SEEN = [
    ("f1", ((36.0, 14.0), (27.0, 9.0), (12.0, 2.0))),
    ("mcc", ((11.0, 4.0), (11.0, 1.0), (4.0, 1.0))),  # all right
    ("kappa", ((4.5, 20.5), (4.5, 0.5), (18.5, 2.5))),
    ("scott_pi", ((17.5, 5.5), (17.5, 0.5), (5.5, 0.5))),  # the ends were 1e-4 sd off
    ("overdiagnosis", ((26.5, 8.5), (26.5, 0.5), (8.5, 0.5))),
    ("precision", ((99_001.0, 1_001.0), (98_001.0, 1_001.0), (1_000.0, 1.0))),
    ("weighted_markedness", ((3.0, 4.0), (3.0, 1.0), (2.0, 3.0))),
]


def table_of(rng):
    """Beta parameters of a table of 2 to 100,000 cases, some of them with empty cells."""
    cases = int(10 ** rng.uniform(0.5, 5))
    positives = rng.binomial(cases, rng.uniform(0.02, 0.98))
    hits, kept = (rng.binomial(n, rng.choice([0.5, 0.7, 0.9, 0.97, 1.0])) for n in (positives, cases - positives))
    a = rng.choice([0.5, 2 / 3, 1.0])
    pairs = (positives, cases - positives), (hits, positives - hits), (kept, cases - positives - kept)
    return tuple((float(x + a), float(y + a)) for x, y in pairs)


def check(metric, model):
    law = BinaryMetric(metric, *model)
    x = law.quantile(TAILS)
    for end, tail in zip(x.tolist(), TAILS.tolist(), strict=True):
        expected, uncertain = nested(law, end)
        if uncertain < 1e-6:
            # 5e-9 of a probability is 1e-7 sd of an end
            assert expected == pytest.approx(tail, abs=5e-9 + 2 * law.residual * (law.residual > 5e-9)), metric
    np.testing.assert_allclose(law.cdf(x), TAILS, atol=1e-11)


@pytest.mark.sweep(3, full=len(SEEN))
@pytest.mark.parametrize(("metric", "model"), SEEN)
def test_ends_of_tables_that_were_hard(metric, model):
    check(metric, model)
    assert BinaryMetric(metric, *model).residual < 1e-6


@pytest.mark.full
def test_ends_of_any_table():
    rng = np.random.default_rng(0)
    for _ in range(tries(40)):
        metric, model = str(rng.choice(sorted(NAMES))), table_of(rng)
        if resolvable(metric, *model):
            check(metric, model)


@pytest.mark.full
@pytest.mark.parametrize(("metric", "model"), SEEN[:4])
def test_highest_density_ends_are_equally_dense_by_quadrature(metric, model):
    """An end is as wrong as its density, divided by how much faster than at the other end that grows."""
    law = BinaryMetric(metric, *model)
    low, high = law.highest_density(0.95)
    if high == 1.0:
        return
    step = 1e-3 * law.sd
    densities = [(nested(law, x + step)[0] - nested(law, x - step)[0]) / (2 * step) for x in (low, high)]
    assert densities[0] == pytest.approx(densities[1], rel=1e-5)
    assert nested(law, high)[0] - nested(law, low)[0] == pytest.approx(0.95, abs=1e-8)
