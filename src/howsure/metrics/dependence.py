"""Which measures change when the classes come in other shares, found out by trying."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from howsure.metrics.measure import Measure
from howsure.numerics.arrays import Floats

__all__ = ["depends_on_prevalence", "linear_weights"]


def depends_on_prevalence(measure: Measure, size: int) -> bool:
    """Whether a measure changes when the same class rows meet other shares: specificity does from three classes on."""
    # neither the other classes nor which one is asked for make a difference, so one small table serves all
    return _tried(measure if measure.index is None else replace(measure, label="0", index=0), min(size, 3))


@lru_cache(maxsize=512)
def _tried(measure: Measure, size: int) -> bool:
    table = np.array([[13.0, 2.0, 1.0], [3.0, 17.0, 4.0], [1.0, 2.0, 19.0]])[:size, :size]
    weighted = table * np.array([[7.0], [0.5], [2.0]])[:size]
    try:
        return not np.allclose(measure(table), measure(weighted), rtol=1e-9, atol=0, equal_nan=True)
    except (IndexError, TypeError, ValueError):  # a metric of other tables than this one: better said once too often
        return True


# -- Which measures are sums over the cells of a table of shares -------------------------------------------------------


#: Tables of more labels are not tried: 40^4 numbers.
MOST_TRIED = 40


def linear_weights(measure: Measure, size: int, truths: int) -> Floats | None:
    """Numbers w_ij (truths, size) with measure ``sum_ij w_ij p_ij``, by trying; None where it is not linear."""
    if size > MOST_TRIED:
        return None
    units = np.zeros((truths, size, size, size))
    i, j = np.indices((truths, size))
    units[i, j, i, j] = 1.0
    some = np.zeros((5, size, size))
    some[:, :truths] = np.random.default_rng(0).dirichlet(np.ones(truths * size), 5).reshape(5, truths, size)
    with np.errstate(all="ignore"):
        weights, values = np.asarray(measure(units)), np.asarray(measure(some))
        same = np.isfinite(weights).all() and np.allclose((weights * some[:, :truths]).sum((1, 2)), values, atol=1e-12)
    return weights if same else None
