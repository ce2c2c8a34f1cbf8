"""Cells with their counts, by codes: truth, answers, group, classifier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cells", "merged"]

Integers = NDArray[np.int64]

#: Places of a table in which cells are added up; more cells are sorted.
LARGEST_TABLE = 2**22


class Cells(NamedTuple):
    """Cells that are not empty, one a row.

    Parameters
    ----------
    truth : ndarray, shape (C,)
        Place of the true class among the labels.
    answers : ndarray, shape (C, M)
        Place of each answer; -1 where it is missing. One column where classifiers are counted apart.
    group, model : ndarray, shape (C,)
        Place of the group; of the classifier where they are counted apart, else -1.
    cases : ndarray, shape (C,)
    """

    truth: Integers
    answers: Integers
    group: Integers
    model: Integers
    cases: Integers

    @classmethod
    def of(cls, truth: Integers, answers: Integers, group: Integers, model: Integers, cases: Integers) -> Cells:
        """Cells that come again are added up; empty ones go."""
        keys, total = merged([truth, *answers.T, group, model], cases)
        return cls(keys[0], np.stack(keys[1:-2], axis=1), keys[-2], keys[-1], total)

    @classmethod
    def joined(cls, parts: Sequence[Cells]) -> Cells:
        """All cells of several parts."""
        return cls.of(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def moved(self, labels: Integers, groups: Integers) -> Cells:
        """Codes by another list of labels and of groups."""
        table = np.append(labels, -1)
        return self._replace(truth=table[self.truth], answers=table[self.answers], group=groups[self.group])


def merged(keys: Sequence[Integers], count: Integers) -> tuple[list[Integers], Integers]:
    """Add up the counts of rows with equal keys; rows in the order of the keys, without empty ones.

    Examples
    --------
    >>> keys, total = merged([np.array([1, 0, 1]), np.array([2, -1, 2])], np.array([3, 4, 5]))
    >>> [k.tolist() for k in keys], total.tolist()
    ([[0, 1], [-1, 2]], [4, 8])
    """
    full = count > 0
    keys, count = [key[full] for key in keys], count[full]
    if not len(count):
        return list(keys), count
    quick = _by_table(keys, count)
    if quick is not None:
        return quick
    order = np.lexsort(tuple(reversed(keys)))
    ordered = [key[order] for key in keys]
    new = np.ones(len(order), dtype=bool)
    if len(order) > 1:
        new[1:] = np.any([key[1:] != key[:-1] for key in ordered], axis=0)
    first = np.flatnonzero(new)
    return [key[first] for key in ordered], np.add.reduceat(count[order], first)


def _by_table(keys: Sequence[Integers], count: Integers) -> tuple[list[Integers], Integers] | None:
    """The same in a table with a place for every combination; None if it would be large."""
    sizes = [int(key.max()) + 2 for key in keys]
    if math.prod(sizes) > max(LARGEST_TABLE, len(count)):
        return None
    flat = np.zeros(len(count), dtype=np.int64)
    for key, size in zip(keys, sizes, strict=True):
        flat *= size
        flat += key + 1
    # doubles add whole numbers up to 2**53 - 1 exactly, and there are no more cases than that
    total = np.bincount(flat, weights=count).astype(np.int64)
    place = np.flatnonzero(total)
    found = []
    rest = place
    for size in reversed(sizes):
        rest, code = np.divmod(rest, size)
        found.append(code - 1)
    return found[::-1], total[place]
