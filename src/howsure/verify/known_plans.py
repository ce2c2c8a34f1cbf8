"""How many cases: sums over all outcomes, written here."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from scipy import special

from howsure.planning.digits import rule_of_thumb
from howsure.planning.next_labels import stopping_rule
from howsure.planning.sample_size import plan
from howsure.verify.checks import Check, Checker, close, same

__all__ = ["CHECKS"]


def _binomial(n: int, p: float) -> np.ndarray:
    k = np.arange(n + 1)
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(logs + special.xlogy(k, p) + special.xlog1py(n - k, -p)))


def _narrow_enough(n: int, p: float, width: float) -> float:
    """Probability that the shortest 95% interval of k of n is no wider, of all the ways to leave out 5%."""
    left = np.linspace(0, 0.05, 1001)[:, None]
    k = np.arange(n + 1)[None, :]
    low = special.betaincinv(k + 1, n - k + 1, left)
    high = special.betaincinv(k + 1, n - k + 1, np.minimum(left + 0.95, 1.0))
    return float(_binomial(n, p)[(high - low).min(0) <= width].sum())


def _widths() -> Iterator[Check]:
    made = plan("recall", width=0.2, guess=0.9, assurance=0.8, classes=2, prior="flat")
    n = made.n or 0
    missed = [size for size in range(38, 52) if _narrow_enough(size, 0.9, 0.2) < 0.8]
    yield same("cases for an interval no wider than 0.2, recall .9", n, max(missed) + 1, "sum over all outcomes")
    yield close("its assurance", made.assurance, _narrow_enough(n, 0.9, 0.2), 1e-9, "sum over all outcomes")


def _rule() -> Iterator[Check]:
    row = rule_of_thumb("accuracy", sizes=(100,), prior="flat")[0]
    yield close("rule of thumb at 100 cases", row.rule, 2 / sqrt(100), 1e-12, "2 / sqrt(n), Toetsch and Hoffmann 2021")
    yield close("width at 100 cases, 95% of truths", row.upper, 0.19, 5.1e-3, "Toetsch and Hoffmann 2021, 19 points")


def _stops() -> Iterator[Check]:
    looks, threshold = (10, 20), 0.7
    rule = stopping_rule(looks, threshold)
    first, more = _binomial(10, threshold), _binomial(10, threshold)
    sure = [1 - special.betainc(np.arange(n + 1) + 1, n - np.arange(n + 1) + 1, threshold) for n in looks]
    crossed = sure[0] >= rule.certainty
    wrong = float(first[crossed].sum())
    ends = np.convolve(np.where(crossed, 0.0, first), more)
    wrong += float(ends[sure[1] >= rule.certainty].sum())
    yield close("wrong stops of two looks at the threshold", rule.wrong, wrong, 1e-10, "sum over all paths")
    yield same("they are at most 5%", rule.wrong <= 0.05, True, "what was asked")


CHECKS: tuple[Checker, ...] = (_widths, _rule, _stops)
