"""Every table of whole numbers within limits: rows by themselves first, then put together while their columns fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, log10

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, listing
from howsure.metrics.measure import Measure
from howsure.numerics.arrays import Floats, Integers, repeat
from howsure.reconstruction.ranges import Published
from howsure.text.formats import integer, plain

#: Tables that are kept.
MOST_KEPT = 10_000
#: Tables, and parts of them, that are tried.
MOST_TRIED = 20_000_000
#: Rows of counts that one true class may have.
MOST_ROWS = 500_000
#: Tables that are put together at once.
BLOCK = 200_000
#: Tables that are followed to foresee how many all will be.
SAMPLE = 400
#: How far beyond the budget a foreseen search must be to be refused at once.
CERTAIN = 3.0
SLACK = 1e-9
#: Relative error of a share in binary; far below the 1e-11 by which an open end is moved in.
TIGHT = 1e-12


@dataclass(frozen=True)
class TableLimits:
    """What figures say about single cells, columns and the diagonal; each figure is also held to its own formula."""

    #: Least and largest share of its true class that a cell may have, shape (2, K, K).
    cells: Floats
    #: Least and largest precision of a class, shape (2, K).
    columns: Floats
    #: Least and largest accuracy, shape (2,).
    right: Floats

    @classmethod
    def of(
        cls,
        size: int,
        figures: Iterable[tuple[Published, Measure]],
        shares: Sequence[Sequence[Published]] | None = None,
    ) -> TableLimits:
        """Limits that figures set for K classes."""
        free = np.array([0.0, 1.0])
        cells = np.broadcast_to(free[:, None, None], (2, size, size)).copy()
        columns, right = np.broadcast_to(free[:, None], (2, size)).copy(), free.copy()
        for i, row in enumerate(shares or ()):
            for j, figure in enumerate(row):
                cells[:, i, j] = figure.low, figure.high
        for figure, measure in figures:
            ends = np.array([figure.low, figure.high])
            at, name = measure.index, measure.metric.name
            # of two classes, what is right about one class is said by the names of the other too
            if at is not None and size == 2 and name in ("specificity", "negative_predictive_value"):
                at, name = 1 - at, "recall" if name == "specificity" else "precision"
            if name == "accuracy" and measure.average is None:
                right = _narrowed(right, ends)
            elif name == "recall" and at is not None:
                cells[:, at, at] = _narrowed(cells[:, at, at], ends)
            elif name == "precision" and at is not None:
                columns[:, at] = _narrowed(columns[:, at], ends)
        return cls(cells, columns, right)

    def counts(self, sizes: Integers) -> tuple[Integers, Integers]:
        """Least and largest counts of each cell, shapes (..., K, K), for sizes of shape (..., K)."""
        cases = sizes[..., None]
        slack = TIGHT * cases.clip(1)
        low = np.ceil(self.cells[0] * cases - slack).astype(np.int64).clip(0)
        return low, np.minimum(np.floor(self.cells[1] * cases + slack).astype(np.int64), cases)

    def possible(self, splits: Integers) -> Integers:
        """Those sizes, of shape (splits, K), for which each class has a row of counts that its cells allow."""
        low, high = self.counts(splits)
        there = (low <= high).all(axis=2) & (low.sum(axis=2) <= splits) & (splits <= high.sum(axis=2))
        left: Integers = splits[there.all(axis=1)]
        return left

    def rows(self, sizes: Sequence[int]) -> list[Integers]:
        """For each true class all rows of counts that its cells allow."""
        low, high = self.counts(np.array(sizes, dtype=np.int64))
        return [compositions(n, low[i], high[i]) for i, n in enumerate(sizes)]


class TooManyTables(Exception):
    """The figures leave too much open."""


class Budget:
    """So many tables may be tried; beyond it `TooManyTables`."""

    def __init__(self, most: int = MOST_TRIED) -> None:
        self._left = most

    def spend(self, tables: int) -> None:
        """Count tables that are about to be tried."""
        self._left -= tables
        if self._left < 0:
            raise TooManyTables

    def foresee(self, tables: float) -> None:
        """Give up at once what would end so far beyond the budget that an estimate is enough."""
        if tables > CERTAIN * self._left:
            raise TooManyTables


def fitting(
    splits: Integers,
    limits: TableLimits,
    figures: Sequence[tuple[Published, Measure]],
    *,
    enough: int | None = None,
) -> tuple[Integers, int]:
    """Tables that fit, shape (found, K, K), at most `MOST_KEPT` of them, and how many there are."""
    budget = Budget()
    kept: list[Integers] = []
    count = 0
    size = limits.columns.shape[1]
    for sizes in limits.possible(splits).tolist():
        for tables in _grown(limits.rows(sizes), sum(sizes), limits, budget, foresee=enough is None):
            fits = tables[_hold(tables, figures)]
            if len(fits) and count < MOST_KEPT:
                kept.append(fits)
            count += len(fits)
            if enough is not None and count >= enough:
                return np.concatenate(kept)[:MOST_KEPT], count
    return (np.concatenate(kept)[:MOST_KEPT] if kept else np.empty((0, size, size), dtype=np.int64)), count


def compositions(size: int, low: Integers, high: Integers) -> Integers:
    """All rows of whole numbers within limits that add up to ``size``, shape (rows, K).

    Examples
    --------
    >>> compositions(3, np.array([2, 0, 0]), np.array([3, 3, 1])).tolist()
    [[2, 0, 1], [2, 1, 0], [3, 0, 0]]
    """
    made, rest = np.empty((1, 0), dtype=np.int64), np.array([size])
    for j in range(len(low)):
        least = np.maximum(low[j], rest - high[j + 1 :].sum())
        most = np.minimum(high[j], rest - low[j + 1 :].sum())
        times = (most - least + 1).clip(0)
        if times.sum() > MOST_ROWS:
            raise TooManyTables
        which = repeat(np.arange(len(rest)), times)
        steps = np.arange(len(which)) - repeat(np.cumsum(times) - times, times)
        value = least[which] + steps
        made, rest = np.column_stack([made[which], value]), rest[which] - value
    return made


def _narrowed(one: Floats, other: Floats) -> Floats:
    return np.array([max(one[0], other[0]), min(one[1], other[1])])


def _hold(tables: Integers, figures: Sequence[tuple[Published, Measure]]) -> NDArray[np.bool_]:
    """Which tables have every figure as it was printed."""
    fits = np.ones(len(tables), dtype=bool)
    values = tables.astype(np.float64)
    with np.errstate(all="ignore"):
        for figure, measure in figures:
            found = np.asarray(measure(values), dtype=np.float64)
            slack = TIGHT * max(1.0, abs(figure.high))
            fits &= (found >= figure.low - slack) & (found <= figure.high + slack)
    return fits


def _grown(
    rows: Sequence[Integers], n: int, limits: TableLimits, budget: Budget, *, foresee: bool
) -> Iterator[Integers]:
    """Whole tables, row put under row as long as the columns and the diagonal can still fit."""
    if not all(map(len, rows)):
        return
    size = len(rows)
    none = np.zeros((1, size), dtype=np.int64)
    least, most = (np.array([f(row[:, i]) for i, row in enumerate(rows)]) for f in (np.min, np.max))
    to_come = [np.concatenate([none, *(r.max(axis=0)[None] for r in rows[i + 1 :])]).sum(axis=0) for i in range(size)]

    def possible(tables: Integers) -> NDArray[np.bool_]:
        there = tables.shape[1]
        columns = tables.sum(axis=1)
        right = np.diagonal(tables, axis1=1, axis2=2)
        fewest = np.column_stack([right, np.broadcast_to(least[there:], (len(tables), size - there))])
        largest = np.column_stack([right, np.broadcast_to(most[there:], (len(tables), size - there))])
        # precision = right / column, so low <= precision bounds the column from above and high from below
        fits = np.all(columns * limits.columns[0] <= largest + SLACK, axis=1)
        fits &= np.all((columns + to_come[there - 1]) * limits.columns[1] >= fewest - SLACK, axis=1)
        fits &= largest.sum(axis=1) >= limits.right[0] * n - SLACK
        fits &= fewest.sum(axis=1) <= limits.right[1] * n + SLACK
        return np.asarray(fits)

    def under(tables: Integers, fresh: Integers) -> Integers:
        below = np.tile(fresh, (len(tables), 1))[:, None, :]
        wider = np.concatenate([repeat(tables, len(fresh), axis=0), below], axis=1)
        return wider[possible(wider)]

    def grow(tables: Integers) -> Iterator[Integers]:
        there = tables.shape[1]
        if there == size:
            yield tables
            return
        fresh = rows[there]
        step = max(1, BLOCK // len(fresh))
        for start in range(0, len(tables), step):
            part = tables[start : start + step]
            budget.spend(len(part) * len(fresh) * size // 2)
            yield from grow(under(part, fresh))

    start = np.empty((1, 0, size), dtype=np.int64)
    if foresee and size > 2:
        budget.foresee(_foreseen(start, rows, under))
    yield from grow(start)


def _foreseen(tables: Integers, rows: Sequence[Integers], under: Callable[[Integers, Integers], Integers]) -> float:
    """About how many tables will be tried: a sample is grown, and each stage stands for all (Knuth 1975)."""
    random = np.random.default_rng(0)
    tried, each = 0.0, 1.0
    for fresh in rows:
        tried += each * len(tables) * len(fresh) * len(rows) / 2
        some = _some(fresh, SAMPLE, random)
        wider = under(tables, some)
        tables = _some(wider, SAMPLE, random)
        if not len(tables):
            break
        each *= len(fresh) / len(some) * len(wider) / len(tables)
    return tried


def _some(array: Integers, most: int, random: np.random.Generator) -> Integers:
    return array if len(array) <= most else array[random.choice(len(array), most, replace=False)]


# -- How much figures leave open, and which further ones would narrow it -----------------------------------------------


#: Width of what a figure of two decimals may have been rounded from.
WIDTH = 0.01
#: Numbers up to which the rows of large tables are counted.
MOST_COUNTED = 10_000_000


def left_open(limits: TableLimits, sizes: Integers) -> float:
    """Tables that are to be tried: over all sizes, the product over the classes of the rows that their cells allow.

    Examples
    --------
    >>> left_open(TableLimits.of(2, []), np.array([[3, 4]])), left_open(TableLimits.of(3, []), np.array([[1, 2, 3]]))
    (20.0, 180.0)
    """
    low, high = limits.counts(sizes)
    if sizes.shape[1] > 2:
        return float(np.prod([_compositions(n, low[0, i], high[0, i]) for i, n in enumerate(sizes[0])]))
    # of two cells that add up to n, each says what the other may be
    least = np.maximum(low[..., 0], sizes - high[..., 1])
    most = np.minimum(high[..., 0], sizes - low[..., 1])
    return float((most - least + 1.0).clip(0).prod(axis=1).sum())


def _compositions(size: int, low: Integers, high: Integers) -> float:
    """How many rows of whole numbers within limits add up to ``size``: cell after cell, by sums of what came before."""
    ways, total = np.zeros(size + 1), np.arange(size + 1)
    ways[0] = 1.0
    for least, most in zip(low, high, strict=True):
        # with least to most in this cell, the cells before hold total - most to total - least
        sums = np.concatenate([np.zeros(1), np.cumsum(ways)])
        ways = sums[(total - least + 1).clip(0)] - sums[(total - most).clip(0)]
    return float(ways[size])


def refusal(limits: TableLimits, sizes: Integers, labels: Sequence[str]) -> InvalidArgument:
    """The sentence where too much is open, with the figures that would narrow it."""
    size, said = len(labels), ""
    if size == 2 or size**3 * int(sizes[0].max()) <= MOST_COUNTED:
        said = f" (about {_rounded(left_open(limits, sizes))})"
    named = ["specificity", "recall"] if size == 2 else [f"recall@{plain(label, 40)}" for label in labels]
    open_ = [name for i, name in enumerate(named) if limits.cells[1, i, i] - limits.cells[0, i, i] > WIDTH]
    advice = ["the cases of each class (sizes=)"] if len(sizes) > 1 else []
    advice += [f"{listing(open_, 4)} to two decimals"] if open_ and said else []
    advice += ["the matrix in shares or per cent (shares=)"] if size > 2 else []
    return InvalidArgument(
        f"the figures leave more tables to be tried{said} than the {integer(MOST_TRIED)} that can be; "
        f"{' or '.join(advice) or 'figures with more decimals'} would narrow them"
    )


def _rounded(many: float) -> str:
    """A number to two digits.

    Examples
    --------
    >>> _rounded(1_337_337_000.0), _rounded(3.1e21)
    ('1,300,000,000', '10^21')
    """
    if not isfinite(many) or many >= 1e15:
        return f"10^{int(log10(many))}" if isfinite(many) else "10^300 and more"
    return integer(int(float(f"{many:.1e}")))
