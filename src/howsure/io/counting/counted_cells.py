"""Cells with their counts, by codes: truth, answers, group, classifier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Integers, bincount

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


#: Combinations of codes up to which they are counted in a table, and rows of one step: they stay in the cache.
LARGEST_TABLE, BLOCK = 2**24, 2**16


def merged(keys: Sequence[Integers], count: NDArray[Any] | None) -> tuple[list[Integers], NDArray[Any]]:
    """Add up the counts of rows with equal keys (1 a row if None); rows in the order of the keys, without empty ones.

    Examples
    --------
    >>> keys, total = merged([np.array([1, 0, 1]), np.array([2, -1, 2])], np.array([3, 4, 5]))
    >>> [k.tolist() for k in keys], total.tolist()
    ([[0, 1], [-1, 2]], [4, 8])
    """
    rows = len(keys[0])
    if not rows:
        return list(keys), np.empty(0, dtype=np.int64)
    lows = [int(key.min()) for key in keys]
    sizes = [int(key.max()) - low + 1 for key, low in zip(keys, lows, strict=True)]
    size = math.prod(sizes)
    if size >= 2**62:  # more combinations than a number can hold
        stacked, place = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
        total = bincount(place.reshape(-1), count).astype(np.int64 if count is None else count.dtype)
        return [key[total != 0] for key in stacked.T], total[total != 0]
    if size <= max(BLOCK, min(LARGEST_TABLE, 2 * rows)):
        table = np.zeros(size, dtype=np.int64 if count is None else count.dtype)
        step = max(BLOCK, size)
        for start in range(0, rows, step):
            some = slice(start, start + step)
            flat = _flat([key[some] for key in keys], lows, sizes)
            table += bincount(flat, None if count is None else count[some], size).astype(table.dtype, copy=False)
        distinct = np.flatnonzero(table)
        total = table[distinct]
    else:
        flat = _flat(keys, lows, sizes)
        order = np.argsort(flat, kind="stable")
        flat = flat[order]
        first = np.flatnonzero(np.concatenate(([True], flat[1:] > flat[:-1])))
        total = np.diff(first, append=rows) if count is None else np.add.reduceat(count[order], first)
        distinct, total = flat[first][total != 0], total[total != 0]
    found = []
    for low, one in zip(reversed(lows), reversed(sizes), strict=True):
        distinct, code = np.divmod(distinct, one)
        found.append(code + low)
    return found[::-1], total


def _flat(keys: Sequence[Integers], lows: Sequence[int], sizes: Sequence[int]) -> Integers:
    """One number for each combination of codes."""
    flat: Integers = np.subtract(keys[0], lows[0], dtype=np.int64)
    for key, low, size in zip(keys[1:], lows[1:], sizes[1:], strict=True):
        flat *= size
        flat += key
        flat -= low
    return flat
