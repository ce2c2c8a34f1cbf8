"""Which measures change when the classes come in other shares, found out by trying."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from howsure.metrics.measure import Measure

__all__ = ["depends_on_prevalence"]


def depends_on_prevalence(measure: Measure, size: int) -> bool:
    """Whether a measure changes when the same class rows meet other shares of the classes.

    Parameters
    ----------
    measure : Measure
        A metric with its class or average.
    size : int
        Number of classes: specificity does not depend on the prevalence of two classes, and does of more.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> labels = ["healthy", "ill"]
    >>> [depends_on_prevalence(parse(m, labels, "ill"), 2) for m in ("recall", "precision", "accuracy", "specificity")]
    [False, True, True, False]
    """
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
