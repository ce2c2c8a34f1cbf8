"""Two classifiers: closed sums, a paired law that is one Beta, classical tests as printed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, sqrt

import numpy as np
from scipy import special

from howsure.comparison.comparing import compare
from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.laws import PairedDifference
from howsure.posterior.posterior import Posterior, infer
from howsure.reporting.frequentist import clopper_pearson, mcnemar, wilson
from howsure.verify.checks import Check, Checker, close, within_draws

__all__ = ["CHECKS", "beats"]

RUNS = 40_000
NEWCOMBE = "Newcombe 1998, Statistics in Medicine 17, 857"


def beats(one: tuple[int, int], two: tuple[int, int]) -> float:
    """P(s > t) of independent Betas with whole parameters, as a finite sum."""
    i = np.arange(one[0])
    logs = special.betaln(two[0] + i, one[1] + two[1]) - np.log(one[1] + i)
    return float(np.exp(logs - special.betaln(1 + i, one[1]) - special.betaln(*two)).sum())


def _separate() -> Iterator[Check]:
    for right, other in ((90, 80), (85, 80), (60, 75)):
        new, old = (Posterior.from_accuracy(correct=k, n=100, prior="flat") for k in (right, other))
        expected = beats((right + 1, 101 - right), (other + 1, 101 - other))
        what = f"P(accuracy of {right} of 100 > of {other} of 100)"
        yield close(what, compare(new, old, metric="accuracy").p_better, expected, 1e-10, "finite sum of Betas")
    one, two = (infer(ConfusionMatrix(m), "flat") for m in ([[45, 5], [8, 42]], [[40, 10], [9, 41]]))
    made = compare(one, two, metric="balanced_accuracy")
    rng = np.random.default_rng(3)
    first = rng.beta([46, 43], [6, 9], (RUNS, 2)).mean(1)
    second = rng.beta([41, 42], [11, 10], (RUNS, 2)).mean(1)
    p = made.p_better
    share = float((first > second).mean())
    source = "exact against NumPy's draws"
    yield within_draws("P(balanced accuracy is higher), separate", share, p, sqrt(p * (1 - p)), RUNS, source)
    itself = compare(one, one, metric="balanced_accuracy")
    yield close("P(better) of two equal tables of separate cases", itself.p_better, 0.5, 1e-9, "symmetry")


def _paired() -> Iterator[Check]:
    law = PairedDifference([61, 13, 6, 24])
    yield close("paired: P(difference < 0), cells 61, 13, 6, 24", law.cdf(0.0), special.betainc(13, 6, 0.5), 1e-10,
                "the share of the discordant is Beta(13, 6)")  # fmt: skip
    yield close("mean of the paired difference", law.mean, 7 / 104, 1e-13, "(13 - 6) / 104")
    sd = sqrt((19 / 104 - (7 / 104) ** 2) / 105)
    yield close("sd of the paired difference", law.sd, sd, 1e-12, "moments of the Dirichlet")
    cells = np.random.default_rng(4).dirichlet([61, 13, 6, 24], RUNS)
    below = float(law.cdf(0.02))
    share = float((cells[:, 1] - cells[:, 2] <= 0.02).mean())
    yield within_draws(
        "paired difference below 0.02", share, below, sqrt(below * (1 - below)), RUNS, "distribution against draws"
    )
    truth = ["a"] * 50 + ["b"] * 50
    one = ["a"] * 45 + ["b"] * 5 + ["b"] * 40 + ["a"] * 10
    two = ["a"] * 41 + ["b"] * 9 + ["b"] * 36 + ["a"] * 14
    both = Predictions(truth, {"A": one, "B": two, "again": one}, labels=["a", "b"], positive="b")
    made = compare(both, "A", "B", metric="accuracy", prior="flat")
    yield close("mean difference, 8 of 100 cases only A right", made.difference.mean, 8 / 102, 1e-12, "8 / (100 + 2)")
    turned = compare(both, "B", "A", metric="accuracy", prior="flat")
    yield close("P(B better than A) + P(A better than B)", made.p_better + turned.p_better + made.p_equal, 1.0, 1e-9,
                "complement")  # fmt: skip
    equal = compare(both, "A", "again", metric="accuracy").difference.mean
    yield close("mean difference of equal answers to the same cases", equal, 0.0, 1e-12, "symmetry")


def _classical() -> Iterator[Check]:
    half = 5.1e-5
    for right, cases, score, exact in (
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ):
        for side in (0, 1):
            end = ("low", "high")[side]
            yield close(f"Wilson, {right} of {cases}, {end}", wilson(right, cases)[side], score[side], half, NEWCOMBE)
            got = clopper_pearson(right, cases)[side]
            yield close(f"Clopper-Pearson, {right} of {cases}, {end}", got, exact[side], half, NEWCOMBE)
    p = 2 * sum(comb(12, k) for k in range(3)) / 2**12
    yield close("McNemar, exact, 10 against 2", mcnemar(10, 2).p, p, 1e-12, "binomial tails")


CHECKS: tuple[Checker, ...] = (_separate, _paired, _classical)
