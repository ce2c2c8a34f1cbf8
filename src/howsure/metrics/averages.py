"""From one value per class to one number: macro, micro, weighted, and the means that a weak class pulls down."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.metrics.margins import Table, Tables, actual, hits, right, total
from howsure.metrics.metric import Metric

__all__ = ["AVERAGES", "average", "averages_of", "one_vs_rest"]

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


def average(metric: Metric, how: str, m: Table, *, tested: bool = False, **parameters: float) -> Tables:
    """Average of a class-wise metric; classes where it is undefined are left out, as in the macro of the papers.

    Parameters
    ----------
    metric : Metric
        Of each class.
    how : str
        A name in `AVERAGES`.
    m : tables
        Shape (..., K, K), or their margins.
    tested : bool
        Whether classes without a case are left out, too, although a class that nobody belongs to has a precision (0).
    **parameters : float
        Of the metric.

    Returns
    -------
    ndarray, shape (...)
        NaN where no class defines it.
    """
    if how == "micro":
        return metric(one_vs_rest(m), **parameters)[..., 1]
    values = metric(m, **parameters)
    if tested and not np.all(actual(m) > 0):
        values = np.where(actual(m) > 0, values, np.nan)
    if how == "macro":
        with np.errstate(invalid="ignore"):  # infinite values of both signs
            sums = values.sum(-1)
        if not np.isnan(sums).any():  # every class defines it
            return np.asarray(sums / values.shape[-1])
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
