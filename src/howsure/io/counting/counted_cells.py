"""Cells with their counts, by codes: truth, answers, group, classifier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from howsure.numerics.arrays import Integers

__all__ = ["CountedCells", "merged"]


class CountedCells(NamedTuple):
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
    def of(cls, truth: Integers, answers: Integers, group: Integers, model: Integers, cases: Integers) -> CountedCells:
        """Cells that come again are added up; empty ones go."""
        keys, total = merged([truth, *answers.T, group, model], cases)
        return cls(keys[0], np.stack(keys[1:-2], axis=1), keys[-2], keys[-1], total)

    @classmethod
    def joined(cls, parts: Sequence[CountedCells]) -> CountedCells:
        """All cells of several parts."""
        return cls.of(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def moved(self, labels: Integers, groups: Integers) -> CountedCells:
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
    if len(count) and not count.all():
        full = np.flatnonzero(count)
        keys, count = [key[full] for key in keys], count[full]
    if not len(count):
        return list(keys), count
    varied = [key for key in keys if key[0] != key[-1] or (key != key[0]).any()]
    sizes = [int(key.max()) + 2 for key in varied]
    if math.prod(sizes) >= 2**62:
        return _by_sorting(keys, count)
    flat = np.zeros(len(count), dtype=np.int64)
    for key, size in zip(varied, sizes, strict=True):
        flat *= size
        flat += key + 1  # nothing is -1
    if (flat[1:] > flat[:-1]).all():  # most engines' cells differ, and arrays' are in order as well
        return list(keys), count
    order = _order(flat, math.prod(sizes))
    flat = flat[order]
    new = np.concatenate(([True], flat[1:] > flat[:-1]))
    if new.all():  # engines group already, in an order of their own
        return [key[order] for key in keys], count[order]
    first = np.flatnonzero(new)
    return [key[order[first]] for key in keys], np.add.reduceat(count[order], first)


def _order(flat: Integers, size: int) -> Integers:
    """What puts numbers below ``size`` in order; by a table where they all differ and there are not far too few."""
    if size <= 16 * len(flat):
        place = np.full(size, -1, dtype=np.int32)
        place[flat] = np.arange(len(flat), dtype=np.int32)
        order = place[place >= 0]
        if len(order) == len(flat):
            return order.astype(np.int64)
    return np.argsort(flat, kind="stable")


def _by_sorting(keys: Sequence[Integers], count: Integers) -> tuple[list[Integers], Integers]:
    """The same where the combinations of all keys are too many to be numbered."""
    order = np.lexsort(tuple(reversed(keys)))
    ordered = [key[order] for key in keys]
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[1:] != key[:-1] for key in ordered], axis=0)
    first = np.flatnonzero(new)
    return [key[first] for key in ordered], np.add.reduceat(count[order], first)
