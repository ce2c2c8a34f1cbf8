"""From scikit-learn's arguments to counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, InvalidLabels, excerpt

__all__ = ["counted", "whole_weights"]


def whole_weights(sample_weight: Any, n: int) -> NDArray[np.int64]:
    """Weights as numbers of cases.

    Raises
    ------
    InvalidArgument
        Fractional or negative weights: they are not numbers of cases, so no law of a count fits them.
    """
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != (n,):
        raise InvalidArgument(f"sample_weight needs one weight for each of {n} cases, not shape {weights.shape}")
    odd = np.flatnonzero(~(weights >= 0) | (weights != np.floor(weights)))
    if len(odd):
        raise InvalidArgument(
            f"sample_weight of case {odd[0] + 1} is {excerpt(weights[odd[0]].item())}; intervals need integers of "
            "cases, because the width comes from how many there are. Leave the weights out, or state the prevalence "
            "with Posterior.at_prevalence where they correct for a class mix"
        )
    return weights.astype(np.int64)


def counted(y_true: Any, y_pred: Any, classes: NDArray[Any], sample_weight: Any = None) -> NDArray[np.int64]:
    """Counts by true and predicted class, shape (K, K), for classes in sorted order (``unique_labels``).

    Raises
    ------
    InvalidLabels
        Fewer than two classes.
    """
    if len(classes) < 2:
        raise InvalidLabels(
            f"all answers are {excerpt(classes.tolist()[0])}; how well a classifier tells classes apart needs two"
        )
    true, pred = (np.searchsorted(classes, np.asarray(y).ravel()) for y in (y_true, y_pred))
    table = np.zeros((len(classes), len(classes)), dtype=np.int64)
    np.add.at(table, (true, pred), 1 if sample_weight is None else whole_weights(sample_weight, len(true)))
    return table
