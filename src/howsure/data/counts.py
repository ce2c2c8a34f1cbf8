"""Counts of a square table: what may stand in it, checked, and the cells of a large one that are not empty."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.refusals import say
from howsure.data.words import is_total, role
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, excerpt, listing
from howsure.numerics.arrays import Integers, bincount

#: Whole numbers; of several passes of a cross-validation tests divided by the passes, which need not be.
Counted = NDArray[Any]

#: Cells of the largest table that is ever written out whole (800 MB).
MOST_CELLS = 10**8


#: Combinations of codes up to which they are counted in a table, and rows of one step: they stay in the cache.
LARGEST_TABLE, BLOCK = 2**24, 2**16


def summed(
    keys: Sequence[Integers], count: NDArray[Any] | None, texts: Sequence[int] | None = None
) -> tuple[list[Integers], NDArray[Any]]:
    """Add up the counts of rows with equal keys (1 a row if None); rows in the order of the keys, without empty ones.

    ``texts`` is how many texts each key numbers, where that is known; -1 stands for none.

    Examples
    --------
    >>> keys, total = summed([np.array([1, 0, 1]), np.array([2, -1, 2])], np.array([3, 4, 5]))
    >>> [k.tolist() for k in keys], total.tolist()
    ([[0, 1], [-1, 2]], [4, 8])
    """
    rows = len(keys[0])
    if not rows:
        return list(keys), np.empty(0, dtype=np.int64)
    lows = [int(key.min()) if texts is None else -1 for key in keys]
    tops = [int(key.max()) for key in keys] if texts is None else [size - 1 for size in texts]
    sizes = [top - low + 1 for top, low in zip(tops, lows, strict=True)]
    size = math.prod(sizes)
    if size >= 2**62:  # more combinations than a number can hold
        stacked, place = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
        total = bincount(place.reshape(-1), count).astype(np.int64 if count is None else count.dtype)
        return [key[total != 0] for key in stacked.T], total[total != 0]
    if size <= max(BLOCK, min(LARGEST_TABLE, 2 * rows)):
        table = np.zeros(size, dtype=np.int64 if count is None else count.dtype)
        step = BLOCK * math.ceil(4 * size / BLOCK)  # the larger it is, the more rows have to be worth a pass over it
        for start in range(0, rows, step):
            flat = _flat([key[start : start + step] for key in keys], lows, sizes)
            weights = None if count is None else count[start : start + step]
            table += bincount(flat, weights, size).astype(table.dtype, copy=False)
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
        rest = distinct if one == 1 else distinct // one
        found.append(distinct - rest * one + low)
        distinct = rest
    return found[::-1], total


def _flat(keys: Sequence[Integers], lows: Sequence[int], sizes: Sequence[int]) -> Integers:
    """One number for each combination of codes, some rows at a time."""
    flat = np.empty(len(keys[0]), dtype=np.int64)
    for start in range(0, len(flat), BLOCK):
        some = slice(start, start + BLOCK)
        part = flat[some]
        np.subtract(keys[0][some], lows[0], out=part)
        for key, low, size in zip(keys[1:], lows[1:], sizes[1:], strict=True):
            part *= size
            part += key[some]
            part -= low
    return flat


class ReadOnly:
    """A dataclass whose arrays nobody can change, wherever it is sent."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), tuple(vars(self).values()))

    def key(self) -> tuple[object, ...]:
        """What tells records apart, for equality and for a hash."""
        return tuple(it.tobytes() if isinstance(it, np.ndarray) else it for it in vars(self).values())


@dataclass(frozen=True, eq=False)
class Cells(ReadOnly):
    """Cells of a (size, size) table that hold a count above 0, in the order of rows, then of columns; read-only.

    Parameters
    ----------
    size : int
        Rows, and columns, of the table.
    true, pred, count : ndarray, shape (cells,)
        Row, column and count of each; the sums of rows are whole numbers, whatever the counts are.
    entered : bool
        Whether they came as a whole table, typed or read, and were not counted from cases.
    """

    size: int
    true: Integers
    pred: Integers
    count: Counted
    entered: bool = False

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def of_table(cls, table: Counted) -> Cells:
        """Those of a whole table."""
        true, pred = np.nonzero(table)
        return cls(len(table), true, pred, table[true, pred], entered=True)

    @classmethod
    def of_cases(cls, true: Integers, pred: Integers, size: int) -> Cells:
        """Count cases, row and column of each; O(n log n)."""
        place, count = np.unique(true * size + pred, return_counts=True)
        return cls(size, place // size, place % size, count.astype(np.int64))

    @classmethod
    def added(cls, true: Integers, pred: Integers, count: Counted, size: int) -> Cells:
        """Put cells in order; those that come again add up, and empty ones go."""
        (true, pred), count = summed([true, pred], count)
        return cls(size, true, pred, count)

    # -- what they add up to --------------------------------------------------------------------------------

    @property
    def row_sums(self) -> Integers:
        """Sum of each row, shape (size,)."""
        return np.rint(self._sums(self.true)).astype(np.int64)

    @property
    def column_sums(self) -> Counted:
        """Sum of each column, shape (size,)."""
        return self._sums(self.pred)

    @property
    def diagonal(self) -> Counted:
        """Counts on the diagonal, shape (size,); never more than those of the row."""
        found = np.zeros(self.size, dtype=self.count.dtype)
        hit = self.true == self.pred
        found[self.true[hit]] = self.count[hit]
        return found if found.dtype.kind == "i" else np.minimum(found, self.row_sums)

    def _sums(self, place: Integers) -> Counted:
        # doubles add whole numbers up to 2**53 - 1 exactly, and a matrix has no more cases than that
        return bincount(place, weights=self.count, minlength=self.size).astype(self.count.dtype)

    # -- other tables ---------------------------------------------------------------------------------------

    def table(self) -> Counted:
        """The whole table, shape (size, size); raises `InvalidArgument` above 10**8 cells."""
        if self.size**2 > MOST_CELLS:
            raise InvalidArgument(say("whole_table", self.size, f"{self.size**2:.2g}", len(self.true)))
        whole = np.zeros((self.size, self.size), dtype=self.count.dtype)
        whole[self.true, self.pred] = self.count
        return whole

    def turned(self) -> Cells:
        """Exchange rows and columns."""
        return replace(Cells.added(self.pred, self.true, self.count, self.size), entered=self.entered)

    def moved(self, place: Sequence[int] | Integers, size: int) -> Cells:
        """Row and column i become ``place[i]``, those with -1 go; what lands in one place adds up."""
        target = np.asarray(place, dtype=np.int64)
        true, pred = target[self.true], target[self.pred]
        stay = (true >= 0) & (pred >= 0)
        return Cells.added(true[stay], pred[stay], self.count[stay], size)

    def divided(self, by: int) -> Cells:
        """Counts divided by a number of passes."""
        return self if by == 1 else replace(self, count=self.count / by)

    def times(self, by: int) -> Cells:
        """Counts of all passes: whole numbers again."""
        return self if by == 1 else replace(self, count=np.rint(self.count * by).astype(np.int64))

    def plus(self, other: Cells) -> Cells:
        """Add up two tables of one size."""
        return Cells.added(
            np.concatenate((self.true, other.true)),
            np.concatenate((self.pred, other.pred)),
            np.concatenate((self.count, other.count)),
            self.size,
        )

    def same(self, other: Cells) -> bool:
        """Whether all counts agree."""
        pairs = ((self.true, other.true), (self.pred, other.pred), (self.count, other.count))
        return self.size == other.size and all(np.array_equal(a, b) for a, b in pairs)

    def key(self) -> tuple[object, ...]:
        """What tells tables apart, for a hash; not where they came from."""
        return super().key()[1:4]


# -- what may stand in a confusion matrix --

#: The largest count that JSON, a spreadsheet and a double all keep exactly.
LARGEST_COUNT = 2**53 - 1


def framed(counts: Any, labels: Sequence[str] | None, *, turned: bool) -> tuple[Any, list[str] | None, bool]:
    """Counts of a pandas DataFrame by the names that it carries, its class names, and whether its rows are predicted.

    Rows and columns are matched by name. Index and columns may say which of them is the truth.
    """
    if not (hasattr(counts, "index") and hasattr(counts, "columns") and hasattr(counts, "iloc")):
        return counts, None, turned
    rows, columns = ([str(x) for x in axis] for axis in (counts.index, counts.columns))
    if sorted(rows) != sorted(columns) or len(set(rows)) < len(rows):
        if labels is not None:
            return counts, None, turned
        raise InvalidLabels(say("frame_unlike", rows, columns))
    names = [str(getattr(axis, "name", None) or "") for axis in (counts.index, counts.columns)]
    said = [role(name) for name in names]
    predicted = said[0] == "pred" or said[1] == "true"
    if (predicted and (said[0] == "true" or said[1] == "pred")) or (turned and said[0] == "true"):
        shown = listing(excerpt(name) if name else "nothing" for name in names)
        raise InvalidLabels(say("frame_contradicts", shown))
    order = list(labels) if labels is not None and sorted(labels) == sorted(rows) else rows
    at, across = [rows.index(name) for name in order], [columns.index(name) for name in order]
    return counts.iloc[at, across], order if labels is None else None, turned or predicted


def refuse_totals(names: Sequence[str], counts: NDArray[np.int64]) -> None:
    """Refuse a frame whose last row and column are the sums of the others by name and by number (``margins=True``).

    Examples
    --------
    >>> refuse_totals(["a", "b"], np.array([[1, 2], [3, 4]]))
    """
    inner = counts[:-1, :-1]
    if not (len(names) > 2 and is_total(names[-1]) and inner.any()):
        return
    if np.array_equal(inner.sum(axis=0), counts[-1, :-1]) and np.array_equal(inner.sum(axis=1), counts[:-1, -1]):
        raise InvalidCounts(say("sums_as_class", names[-1]))


def checked_counts(counts: Any, labels: Sequence[str] | None) -> NDArray[np.int64]:
    """Square array of whole numbers 0 to 2**53 - 1, or an error that names the first bad cell."""
    given = _array_of(counts)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        if not len(given if given.ndim else [1]):
            raise InvalidCounts("a confusion matrix needs two or more classes; this one has none")
        if not given.ndim or isinstance(counts, Mapping):
            raise InvalidCounts(f"counts must be a square table, a row for each true class; not {excerpt(counts)}")
        raise InvalidCounts(
            _ragged(counts) if given.ndim == 1 else f"counts must be square, not of shape {given.shape}"
        )
    return _whole_table(given, labels, labels)


def checked_table(
    counts: Any, rows: Sequence[str] | None, columns: Sequence[str] | None, *, turned: bool
) -> NDArray[np.int64]:
    """Array of whole numbers, true classes by verdicts (the other way round if ``turned``); or an error."""
    given = _array_of(counts)
    if given.ndim != 2 or not given.size:
        shape = f"an array of shape {given.shape}" if given.size else "nothing"
        raise InvalidCounts(f"counts are a table of true classes (rows) by verdicts (columns), not {shape}")
    return _whole_table(given.T if turned else given, rows, rows if columns is None else columns)


def _array_of(counts: Any) -> NDArray[Any]:
    if isinstance(counts, np.ma.MaskedArray) and np.ma.is_masked(counts):
        raise InvalidCounts("the counts are a masked array with masked cells; fill them in (0 where there were none)")
    try:
        # through object, because NumPy would turn 2**53 + 1 in a list with one float into a float
        rows = np.asarray(counts).tolist() if hasattr(counts, "__array__") else counts
        return counts if isinstance(counts, np.ndarray) else np.array(rows, dtype=object)
    except ValueError:
        raise InvalidCounts(_ragged(counts)) from None


def _whole_table(
    given: NDArray[Any], row_labels: Sequence[str] | None, column_labels: Sequence[str] | None
) -> NDArray[np.int64]:
    if len(given) < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; this one has one")
    rows, columns = (
        [str(i) for i in range(size)] if labels is None or len(labels) != size else list(labels)
        for labels, size in zip((row_labels, column_labels), given.shape, strict=True)
    )

    def cell(at: int) -> str:
        i, j = divmod(at, given.shape[1])
        return f"true {excerpt(rows[i])} predicted {excerpt(columns[j])}"

    return _whole_counts(given, cell)


def _whole_counts(given: NDArray[Any], cell: Callable[[int], str]) -> NDArray[np.int64]:
    if given.dtype.kind in "iu" and given.min(initial=0) >= 0 and given.max(initial=0) <= LARGEST_COUNT:
        whole = given.astype(np.int64)
    else:
        checked = [_whole(value, cell(at), given) for at, value in enumerate(given.ravel().tolist())]
        whole = np.array(checked, dtype=np.int64).reshape(given.shape)
    # a sum of doubles is close enough to say when the exact one must be made
    if whole.sum(dtype=float) > LARGEST_COUNT / 2 and int(whole.astype(object).sum()) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    return whole


def whole_number(value: Any, what: str) -> int:
    """A count of its own, or an error that says what it counts."""
    return _whole(value, what, np.empty((0, 0)))


def checked_cells(
    true: Any, pred: Any, counts: Any, labels: Sequence[str] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
    """Rows, columns and counts of single cells, and the number of classes; or an error that names the first bad one."""
    rows, columns = _codes(true, "y_true_codes"), _codes(pred, "y_pred_codes")
    given = np.asarray(counts if hasattr(counts, "__array__") else _objects(counts))
    if given.ndim != 1 or not len(rows) == len(columns) == len(given):
        raise InvalidCounts(say("unlike_cells", len(rows), len(columns), str(given.shape)))
    seen = int(max(rows.max(initial=-1), columns.max(initial=-1))) + 1
    size = seen if labels is None else len(labels)
    if size < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; name them with labels=")
    for codes, what in ((rows, "y_true_codes"), (columns, "y_pred_codes")):
        odd = np.flatnonzero((codes < 0) | (codes >= size))
        if len(odd):
            raise InvalidLabels(say("codes_outside", what, size - 1, size, odd[0] + 1, codes[odd[0]]))
    names = [str(i) for i in range(size)] if labels is None else labels
    whole = _whole_counts(given, lambda at: f"true {excerpt(names[rows[at]])} predicted {excerpt(names[columns[at]])}")
    return rows, columns, whole, size


def _codes(values: Any, what: str) -> NDArray[np.int64]:
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise InvalidLabels(say("no_codes", what, values))
    return array.astype(np.int64)


def _objects(values: Any) -> NDArray[Any]:
    """Values as they are, so that a bool or a text stays what it is."""
    if isinstance(values, str | bytes | set | frozenset) or not isinstance(values, Iterable):
        raise InvalidCounts(f"counts must be one integer for each cell, not {excerpt(values)}")
    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _whole(value: Any, cell: str, given: NDArray[Any]) -> int:
    """One cell as an int, or the sentence that says why not."""
    expected = "counts must be integers, 0 or more"
    if isinstance(value, bool | np.bool_ | np.timedelta64) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        if isinstance(value, str) and value.strip().endswith("%"):
            raise InvalidCounts(f"{expected}; {cell} holds the percentage {excerpt(value)}. Enter numbers of cases.")
        raise InvalidCounts(f"{expected}; {cell} holds {excerpt(value)}")
    if value != value:
        raise InvalidCounts(f"{expected}; {cell} is missing (NaN)")
    if value < 0:
        raise InvalidCounts(f"{expected}; {cell} holds {_shown(value)}")
    if value > LARGEST_COUNT:
        raise InvalidCounts(f"counts above 2**53 - 1 = {LARGEST_COUNT} are not exact; {cell} holds {_shown(value)}")
    if value != int(value):
        hint = ""
        rows = given.tolist() if given.ndim == 2 else [given.tolist()]
        sums = [float(sum(row)) for row in rows if all(isinstance(x, int | float) for x in row)]
        if sums and all(abs(s - t) < 0.02 * t for s in sums for t in [1.0 if sums[0] < 50 else 100.0]):
            hint = " These look like shares or percentages; enter numbers of cases (share times class size)."
        raise InvalidCounts(f"{expected}; {cell} holds {value}.{hint}")
    return int(value)


def _shown(value: Any) -> str:
    return excerpt(value.item() if isinstance(value, np.generic) else value)


def _ragged(counts: Any) -> str:
    try:
        lengths = [len(row) for row in counts]
    except TypeError:
        return f"counts must be a square table of numbers, not {excerpt(counts)}"
    return f"counts must be square; the {len(lengths)} rows hold {listing(map(str, lengths))} numbers"


def call(given: object, beside: object = None) -> str:
    """Call that makes a `ConfusionMatrix` of what was given in its place, for the sentence that refuses it.

    Examples
    --------
    >>> call([0, 1, 1], [0, 1, 0]), call([[45, 5], [8, 42]])
    ('ConfusionMatrix.from_predictions(y_true, y_pred)', 'ConfusionMatrix(counts)')
    """
    if hasattr(given, "cells"):
        return "confusion"
    cases = _is_column(given) and _is_column(beside)
    return "ConfusionMatrix.from_predictions(y_true, y_pred)" if cases else "ConfusionMatrix(counts)"


def _is_column(given: object) -> bool:
    """Whether it is one value a case: a list, an array or a series, and no table."""
    if isinstance(given, str | bytes) or not hasattr(given, "__len__") or not hasattr(given, "__iter__"):
        return False
    if hasattr(given, "shape"):
        return len(given.shape) == 1
    return not any(isinstance(value, list | tuple | np.ndarray) for value in given)
