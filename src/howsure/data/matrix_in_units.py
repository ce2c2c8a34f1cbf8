"""A confusion matrix that was counted elsewhere, with its counts by group, or of several passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.folds import Folds
from howsure.data.groups import Groups, counted_groups
from howsure.data.refusals import say
from howsure.errors import InvalidCounts, excerpt


def in_groups(confusion: ConfusionMatrix, cells: Sequence[tuple[str, str, str, int]]) -> ConfusionMatrix:
    """The same matrix, whose cases come in groups.

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
    return of_groups(confusion, counted_groups(list(groups), rows, columns, len(place), count))


def of_groups(confusion: ConfusionMatrix, groups: Groups) -> ConfusionMatrix:
    """The same matrix with its cases by group."""
    return ConfusionMatrix._of(confusion._held._replace(groups=groups), confusion.positive)


def in_folds(confusion: ConfusionMatrix, folds: Folds) -> ConfusionMatrix:
    """The same matrix of the tests of all passes, divided by these.

    Examples
    --------
    >>> in_folds(ConfusionMatrix([[7, 3], [0, 10]], ["ill", "well"]), Folds(10, 2)).counts.tolist()
    [[3.5, 1.5], [0.0, 5.0]]
    """
    odd = np.flatnonzero(confusion.class_sizes % folds.passes)
    if len(odd):
        name, tests = excerpt(confusion.labels[odd[0]]), int(confusion.class_sizes[odd[0]])
        raise InvalidCounts(say("uneven_tests", name, tests, folds.passes))
    held = confusion._held
    divided = held._replace(cells=held.cells.divided(folds.passes), folds=folds)
    return ConfusionMatrix._of(divided, confusion.positive)
