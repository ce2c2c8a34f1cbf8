"""Tables that a few wrong reference labels could have hidden, and the range of a number over them.

A wrong label moves a case within its column. Of two classes all such tables are tried, of more the best next move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats, repeat

#: Tables of two classes that are all tried (a second or two); beyond it a lattice of fewer, with its border.
MOST_TABLES = 8_100_000
#: Side of that lattice, and tables on its border at each number of wrong labels.
LATTICE, MOST_BORDER = 500, 20_000
#: Tables that are tried at once.
BLOCK = 200_000
#: Numbers of wrong labels at which the range is kept; all of them up to this many.
MOST_STEPS = 50

#: Values of tables (m, K, K), shape (m,); NaN where undefined.
Value = Callable[[Floats], Floats]
#: Net moves.
Moves = NDArray[np.int64]


class MovedLabels(NamedTuple):
    """Range of a number over moved labels: at each number of wrong ones, and the tables at its ends."""

    at: tuple[int, ...]
    low: Floats  # as ``at``, NaN where no table defines the number
    high: Floats
    lowest: Floats  # (K, K)
    highest: Floats  # (K, K)
    undefined: bool  # whether some table leaves the number undefined
    exhaustive: bool  # whether all tables were tried


def steps(most: int) -> tuple[int, ...]:
    """Numbers of wrong labels from 0 to the most at which a range is kept."""
    return tuple(np.unique(np.linspace(0, most, min(most, MOST_STEPS) + 1).round().astype(int)).tolist())


class _Ends:
    """Lowest and highest value so far, by the number of wrong labels that they take."""

    def __init__(self, at: tuple[int, ...], table: Floats) -> None:
        self.at = np.array(at)
        self.low, self.high = np.full(len(at), np.inf), np.full(len(at), -np.inf)
        self.tables, self.undefined = [table, table], False

    def take(self, values: Floats, tables: Floats, moved: Moves) -> None:
        """Values (m,) of tables (m, K, K) that take so many moves each."""
        defined = ~np.isnan(values)
        self.undefined |= not defined.all()
        if not defined.any():
            return
        values, tables, moved = values[defined], tables[defined], moved[defined]
        for end, best, pick in ((0, self.low, np.argmin), (1, self.high, np.argmax)):
            place = int(pick(values))
            if (values[place] < best.min()) if end == 0 else (values[place] > best.max()):
                self.tables[end] = tables[place].copy()
        group = np.searchsorted(self.at, moved)  # the first kept number that allows the table
        np.minimum.at(self.low, group, values)
        np.maximum.at(self.high, group, values)

    def made(self, exhaustive: bool) -> MovedLabels:
        """What was found, more wrong labels allowing what fewer do."""
        low, high = np.minimum.accumulate(self.low), np.maximum.accumulate(self.high)
        none = low > high
        low, high = np.where(none, np.nan, low), np.where(none, np.nan, high)
        lowest, highest = self.tables
        return MovedLabels(tuple(self.at.tolist()), low, high, lowest, highest, self.undefined, exhaustive)


def over_all_moves(table: Floats, most: int, value: Value) -> MovedLabels:
    """Range of a number over every table (2, 2) with at most so many wrong labels: net moves |i| + |j| <= most.

    Moves there and back within a column cancel, so net moves suffice. Above `MOST_TABLES` tables only the border, which
    holds the ends of every number that is monotone in both moves, and a lattice inside are tried.
    """
    ends = _Ends(steps(most), table)
    (a, b), (c, d) = table.astype(int)
    whole = _count(a, b, c, d, most) <= MOST_TABLES
    for i, j in _blocks(a, b, c, d, most, whole):
        moved = np.empty((len(i), 2, 2))
        moved[:, 0, 0], moved[:, 0, 1], moved[:, 1, 0], moved[:, 1, 1] = a + j, b + i, c - j, d - i
        ends.take(value(moved), moved, np.abs(i) + np.abs(j))
    return ends.made(whole)


def _count(a: int, b: int, c: int, d: int, most: int) -> int:
    """Number of tables, at most: a diamond within a rectangle."""
    return min(2 * most * (most + 1) + 1, (min(a, most) + min(c, most) + 1) * (min(b, most) + min(d, most) + 1))


def _blocks(a: int, b: int, c: int, d: int, most: int, whole: bool) -> Iterator[tuple[Moves, Moves]]:
    """Net moves out of row 1 in column 1 and in column 0, many at once."""
    held: list[tuple[Moves, Moves]] = []
    size = 0
    for k in () if whole else steps(most):  # the border of each kept step
        border = _some(min(k, b), min(k, d), MOST_BORDER)
        for side in (k - np.abs(border), np.abs(border) - k):
            yield border, np.clip(side, -a, c)
    for here in _some(min(most, b), min(most, d), None if whole else LATTICE):
        left = most - abs(int(here))
        j = _some(min(left, a), min(left, c), None if whole else LATTICE)
        held.append((np.full(len(j), here), j))
        size += len(j)
        if size >= BLOCK:
            yield _joined(held)
            held, size = [], 0
    if held:
        yield _joined(held)


def _some(back: int, there: int, most: int | None) -> Moves:
    """Whole numbers from -back to there: all, or about so many with both ends and 0."""
    if most is None or back + there < most:
        return np.arange(-back, there + 1)
    return np.unique(np.r_[np.linspace(-back, there, most).round(), 0]).astype(np.int64)


def _joined(held: list[tuple[Moves, Moves]]) -> tuple[Moves, Moves]:
    return np.concatenate([i for i, _ in held]), np.concatenate([j for _, j in held])


def over_best_moves(table: Floats, most: int, value: Value) -> MovedLabels:
    """Range of a number over tables (K, K), by the best next move again and again: the true one is at least as wide."""
    start = float(value(table[None].astype(float))[0])
    ends, undefined = [], np.isnan(start)
    for sign in (1.0, -1.0):
        now, best, values = table.astype(float), start, [start]
        for _ in range(most):
            moved = _neighbours(now)
            found = value(moved)
            undefined |= bool(np.isnan(found).any())
            found = np.where(np.isnan(found), np.inf, sign * found)
            if not len(found) or not found.min() < (np.inf if np.isnan(best) else sign * best):
                break
            now, best = moved[int(found.argmin())], sign * float(found.min())
            values.append(best)
        ends.append((now, np.array(values + [best] * (most + 1 - len(values)))))
    at = steps(most)
    (lowest, low), (highest, high) = ends
    return MovedLabels(at, low[list(at)], high[list(at)], lowest, highest, bool(undefined), False)


def _neighbours(table: Floats) -> Floats:
    """Tables with one case moved to another row of its column, shape (moves, K, K)."""
    size = len(table)
    row, column = np.nonzero(table)
    row, column, new = repeat(row, size), repeat(column, size), np.tile(np.arange(size), len(row))
    other = row != new
    row, column, new = row[other], column[other], new[other]
    moved = repeat(table[None], len(row), axis=0)
    each = np.arange(len(row))
    moved[each, row, column] -= 1
    moved[each, new, column] += 1
    return moved
