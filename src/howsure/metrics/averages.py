"""From one value per class to one number: macro, micro, weighted."""

from __future__ import annotations

import numpy as np

from howsure.metrics.margins import Table, Tables, actual, hits, right, total
from howsure.metrics.metric import Metric

__all__ = ["AVERAGES", "average", "one_vs_rest"]

#: The averages, with what each one means.
AVERAGES: dict[str, str] = {
    "macro": "mean over classes, each class counting the same",
    "micro": "the formula on the sum of all one-against-rest tables",
    "weighted": "mean over classes, each class weighted by its share of the cases",
}


def one_vs_rest(m: Table) -> Tables:
    """Sum of the K two-class tables, shape (..., 2, 2), rows (rest, class)."""
    tp, cases, size = right(m), total(m)[..., 0], hits(m).shape[-1]
    wrong = cases - tp
    tn = (size - 1) * cases - wrong
    return np.stack([np.stack([tn, wrong], -1), np.stack([wrong, tp], -1)], -2)


def average(metric: Metric, how: str, m: Table, **parameters: float) -> Tables:
    """Average of a class-wise metric; classes where it is undefined are left out, as in the macro of the papers.

    Returns
    -------
    ndarray, shape (...)
        NaN where no class defines it.
    """
    if how == "micro":
        return metric(one_vs_rest(m), **parameters)[..., 1]
    values = metric(m, **parameters)
    defined = ~np.isnan(values)
    weights = defined * (1.0 if how == "macro" else actual(m))
    with np.errstate(invalid="ignore"):
        return np.asarray((np.where(defined, values, 0.0) * weights).sum(-1) / weights.sum(-1))
