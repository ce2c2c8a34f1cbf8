"""A shortened coverage run: truths of the prior, cases of these truths, and how often the interval holds the truth.

Averaged over the prior, an interval of 95 % holds the truth in exactly 95 % of the runs, and a probability that is
stated is the share of times that it comes true; so nothing but the number of runs decides the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.laws.law import Kind
from howsure.posterior.posterior import infer
from howsure.verify.checks import Check, Checker, within_draws

__all__ = ["CHECKS"]

RUNS = 1500
SIZES = (12, 30)
METRICS: dict[str, Kind] = {"balanced_accuracy": "hdi", "recall@1": "hdi", "accuracy": "central"}


def _intervals() -> Iterator[Check]:
    rng = np.random.default_rng(20_100)
    rates = rng.beta(1, 1, (RUNS, 2))
    right = rng.binomial(SIZES, rates)
    coin = rng.beta(1, 1, RUNS)
    held = dict.fromkeys(METRICS, 0)
    stated, came, spread = 0.0, 0, 0.0
    for row in range(RUNS):
        first, second = right[row].tolist()
        known = infer(ConfusionMatrix([[first, SIZES[0] - first], [SIZES[1] - second, second]]), "flat")
        for metric in ("balanced_accuracy", "recall@1"):
            truth = float(rates[row].mean() if metric == "balanced_accuracy" else rates[row][1])
            low, high = known.of(metric).interval(0.95, METRICS[metric])
            held[metric] += low <= truth <= high
        p = float(known.of("balanced_accuracy").sf(0.6))
        stated, spread = stated + p, spread + p * (1 - p)
        came += float(rates[row].mean()) > 0.6
        total = sum(SIZES)
        hits = int(rng.binomial(total, coin[row]))
        only = infer(ConfusionMatrix([[hits, 0], [total - hits, 0]]), "flat")
        low, high = only.of("accuracy").interval(0.95, "central")
        held["accuracy"] += low <= float(coin[row]) <= high
    for metric, kind in METRICS.items():
        what = f"share of 95 % intervals ({kind}) that hold the true {metric}"
        yield within_draws(what, held[metric] / RUNS, 0.95, sqrt(0.95 * 0.05), RUNS, "definition; truths of the prior")
    yield within_draws("P(balanced accuracy > 0.6) comes true", came / RUNS, stated / RUNS, sqrt(spread / RUNS), RUNS,
                       "mean of the stated P")  # fmt: skip


CHECKS: tuple[Checker, ...] = (_intervals,)
