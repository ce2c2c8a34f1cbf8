"""Which measures are sums over the cells of a table of shares, found out by trying."""

from __future__ import annotations

import numpy as np

from howsure.metrics.measure import Measure
from howsure.numerics.arrays import Floats

__all__ = ["linear_weights"]

#: Tables of more labels are not tried: 40^4 numbers.
MOST_TRIED = 40


def linear_weights(measure: Measure, size: int, truths: int) -> Floats | None:
    """Numbers w_ij with which a measure is ``sum_ij w_ij p_ij`` of every table of shares; None where it is not linear.

    Found out by trying: the measure of the tables with one case, and of some others.

    Parameters
    ----------
    measure : Measure
        With its class, if it has one.
    size, truths : int
        Number of labels, and of those that are true classes.

    Returns
    -------
    ndarray, shape (truths, size), or None

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> linear_weights(parse("accuracy", ["fail", "pass"]), 2, 2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> linear_weights(parse("f1@pass", ["fail", "pass"]), 2, 2) is None
    True
    """
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
