"""A shortened coverage run: truths of the prior, cases of these truths, and how often the interval holds the truth.

Averaged over the prior, an interval of 95% holds the truth in exactly 95% of the runs, and a probability that is
stated is the share of times that it comes true; so nothing but the number of runs decides the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.laws.law import Kind
from howsure.posterior.posterior import infer
from howsure.verify.checks import Check, within_draws

__all__ = ["short_coverage"]

RUNS = 1500
SIZES = (12, 30)
METRICS: dict[str, Kind] = {"balanced_accuracy": "hdi", "recall@1": "hdi", "accuracy": "central"}


class _Answer(NamedTuple):
    """Intervals of the metrics of a table, and P(balanced accuracy > 0.6)."""

    intervals: dict[str, tuple[float, float]]
    above: float


def _of_table(first: int, second: int) -> _Answer:
    """Of so many right cases of each class; 1,500 runs have some 400 different tables, and a table has one answer."""
    known = infer(ConfusionMatrix([[first, SIZES[0] - first], [SIZES[1] - second, second]]), "flat")
    ends = {metric: known.of(metric).interval(0.95, METRICS[metric]) for metric in ("balanced_accuracy", "recall@1")}
    return _Answer(
        {metric: (low, high) for metric, (low, high) in ends.items()}, float(known.of("balanced_accuracy").sf(0.6))
    )


def _of_accuracy(hits: int) -> tuple[float, float]:
    """The interval of an accuracy, of so many right cases."""
    only = infer(ConfusionMatrix([[hits, 0], [sum(SIZES) - hits, 0]]), "flat")
    low, high = only.of("accuracy").interval(0.95, METRICS["accuracy"])
    return low, high


def short_coverage() -> Iterator[Check]:
    """Intervals and a probability beside what is true."""
    rng = np.random.default_rng(20_100)
    rates = rng.beta(1, 1, (RUNS, 2))
    right = rng.binomial(SIZES, rates)
    coin = rng.beta(1, 1, RUNS)
    of_table, of_accuracy = cache(_of_table), cache(_of_accuracy)
    held = dict.fromkeys(METRICS, 0)
    stated, came, spread = 0.0, 0, 0.0
    for row in range(RUNS):
        answer = of_table(*right[row].tolist())
        for metric in ("balanced_accuracy", "recall@1"):
            truth = float(rates[row].mean() if metric == "balanced_accuracy" else rates[row][1])
            low, high = answer.intervals[metric]
            held[metric] += low <= truth <= high
        p = answer.above
        stated, spread = stated + p, spread + p * (1 - p)
        came += float(rates[row].mean()) > 0.6
        low, high = of_accuracy(int(rng.binomial(sum(SIZES), coin[row])))
        held["accuracy"] += low <= float(coin[row]) <= high
    for metric, kind in METRICS.items():
        what = f"share of 95% intervals ({kind}) that hold the true {metric}"
        yield within_draws(what, held[metric] / RUNS, 0.95, sqrt(0.95 * 0.05), RUNS, "definition; truths of the prior")
    yield within_draws("P(balanced accuracy > 0.6) comes true", came / RUNS, stated / RUNS, sqrt(spread / RUNS), RUNS,
                       "mean of the stated P")  # fmt: skip
