"""From one value per class to one number: macro, micro, weighted, and the means that a weak class pulls down."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.metrics.margins import Table, Tables, actual, called, hits, right, total
from howsure.metrics.metric import Metric

__all__ = ["AVERAGES", "Classes", "average", "averages_of", "lacking", "one_vs_rest"]

#: The averages, with what each one means.
AVERAGES: dict[str, str] = {
    "macro": "mean over classes, each class counting the same",
    "micro": "the formula on the sum of all one-against-rest tables",
    "weighted": "mean over classes, each class weighted by its share of the cases",
    "harmonic": "harmonic mean over classes; of numbers that are 0 or more",
    "geometric": "geometric mean over classes; of numbers that are 0 or more",
    "min": "the smallest over classes",
    "max": "the largest over classes",
}


class Classes(NamedTuple):
    """Rows of classes that an average treats in another way than the rest."""

    undefined: tuple[int, ...] = ()  # at 0/0 on the counts, never predicted or true: also in draws the declared value
    left_out: tuple[int, ...] = ()  # rows that are no class of the average, such as an answer that is never a truth


#: Nothing of the kind.
ALIKE = Classes()


def averages_of(metric: Metric) -> list[str]:
    """Averages that a metric has: all, or without those that need numbers of 0 or more; none for one of the table."""
    if metric.per == "table":
        return []
    return [how for how in AVERAGES if how not in SCALES or metric.range[0] >= 0]


def one_vs_rest(m: Table) -> Tables:
    """Sum of the K two-class tables, shape (..., 2, 2), rows (rest, class)."""
    tp, cases, size = right(m), total(m)[..., 0], hits(m).shape[-1]
    wrong = cases - tp
    tn = (size - 1) * cases - wrong
    return np.stack([np.stack([tn, wrong], -1), np.stack([wrong, tp], -1)], -2)


def average(metric: Metric, how: str, m: Table, *, classes: Classes = ALIKE, **parameters: float) -> Tables:
    """Average ``how`` of a class-wise metric, shape (...), of tables (..., K, K) or margins; NaN where no class has it.

    A class never predicted, or never true, counts as in scikit-learn. Where its metric is 0/0 it is the worst value, 0
    (or 1 of an error rate), if the metric lies in 0 to 1; of other metrics the class is left out.
    """
    if how == "micro":
        return metric(one_vs_rest(m), **parameters)[..., 1]
    values = metric(m, **parameters)
    if classes is ALIKE and how == "macro":
        with np.errstate(invalid="ignore"):  # infinite values of both signs
            sums = values.sum(-1)
        if not np.isnan(sums).any():  # every class defines it
            return np.asarray(sums / values.shape[-1])
    values = _counted(metric, values, m, classes)
    defined = ~np.isnan(values)
    if how in ("min", "max"):
        pick, rest = (np.min, np.inf) if how == "min" else (np.max, -np.inf)
        return np.where(defined.any(-1), pick(np.where(defined, values, rest), axis=-1), np.nan)
    weights = defined * (actual(m) if how == "weighted" else 1.0)
    there, back = SCALES.get(how, (_same, _same))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # 1 / 1e-320 is infinite, its mean 0
        # a class without weight is left out also where its value is infinite
        scaled = np.where(weights > 0, there(np.where(defined, values, 1.0)), 0.0)
        return np.asarray(back((scaled * weights).sum(-1) / weights.sum(-1)))


def lacking(m: Table) -> NDArray[np.bool_]:
    """Whether a class is never, or always, true or predicted, shape (..., K); not of tables without a case."""
    true, predicted, cases = actual(m), called(m), total(m)
    return np.asarray(((true == 0) | (predicted == 0) | (true == cases) | (predicted == cases)) & (cases > 0))


def _counted(metric: Metric, values: Tables, m: Table, classes: Classes) -> Tables:
    """Values of the classes, shape (..., K), with what an average counts for those that have none."""
    absent = np.isnan(values)
    if absent.any():
        absent &= lacking(m)
    absent[..., list(classes.undefined)] = True
    if absent.any():
        values = np.where(absent, metric.without_cases, values)
    if classes.left_out:
        values = values.copy()
        values[..., list(classes.left_out)] = np.nan
    return values


def _same(x: Tables) -> Tables:
    return x


def _inverse(x: Tables) -> Tables:
    """1 / x of numbers that are 0 or more; others have no harmonic mean."""
    return 1 / np.where(x < 0, np.nan, np.abs(x))


#: Where an average takes its mean, and the way back.
SCALES: dict[str, tuple[Callable[[Tables], Tables], Callable[[Tables], Tables]]] = {
    "harmonic": (_inverse, _inverse),
    "geometric": (np.log, np.exp),
}
