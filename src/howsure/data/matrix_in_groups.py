"""A confusion matrix that was counted elsewhere, with its counts by group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import counted_groups

__all__ = ["in_groups"]


def in_groups(confusion: ConfusionMatrix, cells: Sequence[tuple[str, str, str, int]]) -> ConfusionMatrix:
    """The same matrix, whose cases come in groups.

    Parameters
    ----------
    confusion : ConfusionMatrix
        Without groups.
    cells : sequence of (group, true, predicted, count)
        All of its cases; counts of 1 or more.

    Examples
    --------
    >>> cm = ConfusionMatrix([[5, 1], [0, 4]], ["ill", "well"])
    >>> made = in_groups(cm, [("p1", "ill", "ill", 5), ("p2", "ill", "well", 1), ("p2", "well", "well", 4)])
    >>> made.groups.names, made.groups.cases.tolist(), made.counts.tolist()
    (('p1', 'p2'), [5, 5], [[5, 1], [0, 4]])
    """
    place = {label: i for i, label in enumerate(confusion.labels)}
    groups, true, pred, count = zip(*cells, strict=True)
    rows, columns = (np.array([place[label] for label in labels], dtype=np.int64) for labels in (true, pred))
    made = counted_groups(list(groups), rows, columns, len(place), count)
    return ConfusionMatrix._of(confusion._held._replace(groups=made), confusion.positive)
