"""Ranks and wins counted from joint draws; what ties shares."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["drawn_exceedance", "drawn_ranks"]

#: Numbers sorted at once.
BLOCK = 2_000_000


def drawn_ranks(values: Floats) -> Floats:
    """Return the share of draws (columns) in which entry i holds rank r; entries that tie share their ranks equally.

    Shape (T, n) to (T, T); rank 1 is the largest value, rows and columns add to 1.
    """
    count, draws = values.shape
    held_by = np.zeros(count * count)
    for block in np.array_split(values, max(1, values.size // BLOCK), axis=1):
        rows = np.ascontiguousarray(block.T)
        order = np.argsort(-rows, axis=1, kind="stable")
        held = np.take_along_axis(rows, order, axis=1)
        equal = held[:, 1:] == held[:, :-1]
        tied = equal.any(1)
        held_by += np.bincount((order[~tied] * count + np.arange(count)).ravel(), minlength=count * count)
        for line, same in zip(order[tied], equal[tied], strict=True):
            # run of equal values at each place: its length, and its ranks shared
            run = np.concatenate(([0], np.cumsum(~same)))
            first = np.searchsorted(run, run, side="left")
            size = np.bincount(run)[run]
            within = np.arange(int(size.max()))
            for k in within.tolist():
                inside = size > k
                np.add.at(held_by, line[inside] * count + first[inside] + k, 1 / size[inside])
    return np.asarray(held_by.reshape(count, count) / draws)


def drawn_exceedance(values: Floats) -> Floats:
    """Return the share of draws (columns) in which row i exceeds row j; ties count one half.

    One entry against all that follow, so memory stays at T x draws.
    """
    count = len(values)
    above = np.full((count, count), 0.5)
    for i in range(count):
        won = (values[i] > values[i + 1 :]).mean(1) + 0.5 * (values[i] == values[i + 1 :]).mean(1)
        above[i, i + 1 :] = won
        above[i + 1 :, i] = 1 - won
    return above
