"""Which classes are taken for which, most often."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.data.confusion import ConfusionMatrix

__all__ = ["Confused", "commonest"]


class Confused(NamedTuple):
    """Cases of one class that were called another, by row and column."""

    true: int
    called: int
    cases: int


def commonest(confusion: ConfusionMatrix, most: int) -> list[Confused]:
    """The most frequent errors, the most frequent one first.

    Examples
    --------
    >>> commonest(ConfusionMatrix([[9, 1, 0], [3, 7, 0], [0, 0, 10]]), 10)
    [Confused(true=1, called=0, cases=3), Confused(true=0, called=1, cases=1)]
    """
    true, called, count = confusion.cells
    wrong = np.flatnonzero((true != called) & (count > 0))
    first = wrong[np.argsort(-count[wrong], kind="stable")[:most]]
    return [Confused(int(i), int(j), int(n)) for i, j, n in zip(true[first], called[first], count[first], strict=True)]
