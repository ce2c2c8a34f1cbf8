"""Counting in memory: NumPy arrays and lists, one or a mapping of columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.folds import REPEATED_ROW
from howsure.data.labels import group_text
from howsure.errors import InvalidLabels, excerpt, listing
from howsure.io.cells import NotACount, count_of, unasked
from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.result import SetAside
from howsure.io.counting.tally_to_counts import Tally, Weighed
from howsure.io.engines.coding import Coded, Loose, coded, each, occurring, spanned
from howsure.io.engines.numbering import BLOCK
from howsure.numerics.arrays import Integers, bincount

__all__ = ["counts_of", "refuse_weights", "tally_arrays", "tally_coded"]

Narrow = NDArray[np.signedinteger[Any]]

#: Cells of a table that is counted whole; beyond it rows are sorted.
LARGEST_TABLE = 2**24


def tally_arrays(columns: Mapping[str, Any], ask: CountColumns) -> tuple[CountColumns, Tally]:
    """Count columns that are in memory.

    Parameters
    ----------
    columns : mapping of str to array_like, shape (n,)
    ask : CountColumns

    Raises
    ------
    InvalidLabels
        Columns of different lengths, or an id that comes twice.
    """
    ask.check(columns)
    _check_lengths({name: columns[name] for name in ask.columns})
    if ask.id is not None and ask.model is not None:
        return _joined(columns, ask)
    if ask.id is not None:
        _refuse_doubles(coded(columns[ask.id], ask.id, group_text))

    def number(column: str) -> Loose:
        return spanned(columns[column]) or coded(columns[column], column, ask.text_of(column))

    parts = each(number, ask.told_apart, len(columns[ask.truth]))
    if ask.ones is not None:
        refuse_weights(ask.ones, coded(columns[ask.ones], ask.ones, group_text))
    weights = None if ask.weight is None else _weights(columns[ask.weight], ask.weight)
    return ask, tally_coded(parts, weights, ask)


def tally_coded(parts: Mapping[str, Loose], weights: NDArray[np.float64] | None, ask: CountColumns) -> Tally:
    """Count columns whose values are numbered.

    Parameters
    ----------
    parts : mapping of str to Loose
        Truth, answers, groups and classifier by the names of their columns; texts that do not occur are left out.
    weights : ndarray, shape (n,), optional
        NaN where a row has none.
    ask : CountColumns
    """
    keys, rows, inverse = _grouped(list(parts.values()), None if weights is None else np.isnan(weights))
    cells = {c: occurring((texts, key)) for (c, (texts, _)), key in zip(parts.items(), keys, strict=True)}
    weighed: Weighed | None = None
    aside: list[SetAside] = []
    if weights is not None and inverse is not None:
        weighed, aside = _weighed(weights, inverse, len(rows))
    return Tally(
        cells[ask.truth],
        [cells[c] for c in ask.answers.values()],
        [cells[c] for c in ask.by],
        rows if ask.count is None else rows * counts_of(cells[ask.count], ask.count),
        model=None if ask.model is None else cells[ask.model],
        weight=weighed,
        aside=aside,
        where=_RowsWithoutValue({c: parts[c][1] for c in ask.labels}),
    )


def counts_of(column: Coded, name: str) -> Integers:
    """Counts in the cells of a column; raises `InvalidLabels` where one is none."""
    texts, codes = column
    if (codes < 0).any():
        raise InvalidLabels(f"the count (column {excerpt(name)}) is missing in a row; write 0 where there were none")
    try:
        numbers = [count_of(text) for text in texts]
    except NotACount as reason:
        raise InvalidLabels(f"the count (column {excerpt(name)}) {reason}") from None
    return np.array([*numbers, 0], dtype=np.int64)[codes]


def refuse_weights(name: str, column: Coded) -> None:
    """Refuse weights that nobody asked for, unless all are 1."""
    texts, codes = column
    odd = next((text for text in texts if text != "1"), None)
    if odd is None and not (codes < 0).any():
        return
    raise InvalidLabels(unasked(name, "blank" if odd is None else odd))


class _RowsWithoutValue:
    """Rows, counted from 1, in which a column has no value; the first three."""

    def __init__(self, codes: Mapping[str, Narrow]) -> None:
        self._codes = codes

    def __call__(self, column: str) -> list[str]:
        return [f"row {i + 1}" for i in np.flatnonzero(self._codes[column] < 0)[:3]]


def _check_lengths(columns: Mapping[str, Any]) -> None:
    lengths = {}
    for name, values in columns.items():
        if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
            raise InvalidLabels(f"{excerpt(name)} must be one value a row, not {excerpt(values)}")
        lengths[name] = len(values)
    if len(set(lengths.values())) > 1:
        shown = listing(f"{k} has {v}" for k, v in lengths.items())
        raise InvalidLabels(f"columns of different lengths: {shown}; each row needs one of each")


def _weights(values: Any, name: str) -> NDArray[np.float64]:
    try:
        return np.asarray(values if hasattr(values, "__array__") else list(values), dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidLabels(f"the weight (column {excerpt(name)}) is not a number in every row") from None


def _refuse_doubles(ids: Coded) -> None:
    texts, codes = ids
    times = bincount(codes[codes >= 0], minlength=1)
    if times.max() > 1:
        name = texts[int(np.argmax(times))]
        raise InvalidLabels(f"the id {excerpt(name)} comes {times.max()} times; {REPEATED_ROW}")


def _weighed(weights: NDArray[np.float64], inverse: Integers, cells: int) -> tuple[Weighed, list[SetAside]]:
    """Sums of the weights in each cell, and the rows that have none."""
    none = np.isnan(weights)
    good = weights[~none]
    sums = bincount(inverse, weights=good, minlength=cells).astype(np.float64)
    fractions = float((good % 1).sum()) if np.isfinite(good).all() else 0.0
    first = tuple(f"row {i + 1}" for i in np.flatnonzero(none)[:3])
    aside = [SetAside("no weight", int(none.sum()), first)] if len(first) else []
    return Weighed(sums, float((good * good).sum()), fractions, float(good.min(initial=0.0))), aside


def _joined(columns: Mapping[str, Any], ask: CountColumns) -> tuple[CountColumns, Tally]:
    """One row a case and classifier: rows of one case put side by side by its id."""
    from howsure.io.engines.pivoting import joined

    (answer,) = ask.answers.values()
    truth, answers = (coded(columns[c], c, ask.text) for c in (ask.truth, answer))
    groups = [coded(columns[c], c, group_text) for c in ask.by]
    case, model = (coded(columns[c], c, group_text) for c in (ask.id, ask.model) if c is not None)
    return joined(case, model, truth, answers, groups, ask)


# -- combinations of codes ----------------------------------------------------------------------------------


def _grouped(
    columns: Sequence[Loose], left_out: NDArray[np.bool_] | None
) -> tuple[list[Integers], Integers, Integers | None]:
    """Distinct combinations of codes, how many rows have each, and which of them each row has (if some are left out).

    Parameters
    ----------
    columns : sequence of Loose
    left_out : ndarray of bool, shape (n,), optional
        Rows that are not counted; None where all are and nobody asks which row is where.
    """
    codes = [codes if left_out is None else codes[~left_out] for _, codes in columns]
    sizes = [len(texts) + 1 for texts, _ in columns]
    if math.prod(sizes) > 2**62:  # more combinations than a number can hold: number those that occur
        return _numbered(codes)
    if left_out is None and math.prod(sizes) <= LARGEST_TABLE:
        table = _table(codes, sizes)
        distinct = np.flatnonzero(table)
        return _split(distinct, sizes), table[distinct], None
    key = _key(codes, sizes)
    if math.prod(sizes) <= LARGEST_TABLE:
        table = bincount(key, minlength=1)
        distinct = np.flatnonzero(table)
        rows = table[distinct]
    else:
        distinct, rows = np.unique(key, return_counts=True)
    return _split(distinct, sizes), rows, None if left_out is None else np.searchsorted(distinct, key)


def _key(codes: Sequence[Narrow], sizes: Sequence[int], out: Integers | None = None) -> Integers:
    """One number for each combination; the code -1 counts as the first of its column."""
    key: Integers = np.add(codes[0], 1, dtype=np.int64, out=out)
    for code, size in zip(codes[1:], sizes[1:], strict=True):
        key *= size
        key += code
        key += 1
    return key


def _split(key: Integers, sizes: Sequence[int]) -> list[Integers]:
    """Codes of each column from the numbers of `_key`."""
    found = []
    for size in reversed(sizes[1:]):
        rest = key // size
        found.append(key - rest * size - 1)
        key = rest
    return [key - 1, *reversed(found)]


def _table(codes: Sequence[Narrow], sizes: Sequence[int]) -> Integers:
    """Rows of each combination, block by block, so that each column is read from memory once."""
    cells = math.prod(sizes)
    table = np.zeros(cells, dtype=np.int64)
    # the larger the table, the more rows have to be worth one pass over it
    gathered = np.empty(min(LARGEST_TABLE, BLOCK * math.ceil(max(BLOCK, 2 * cells) / BLOCK)), dtype=np.int64)
    rows = len(codes[0])
    for begin in range(0, rows, len(gathered)):
        end = min(rows, begin + len(gathered))
        for start in range(begin, end, BLOCK):
            block = slice(start, min(end, start + BLOCK))
            _key([code[block] for code in codes], sizes, gathered[start - begin : block.stop - begin])
        table += bincount(gathered[: end - begin], minlength=cells)
    return table


def _numbered(codes: Sequence[Narrow]) -> tuple[list[Integers], Integers, Integers]:
    """Combinations that occur, whatever their number."""
    stacked = np.stack(codes, axis=1).astype(np.int64)
    distinct, inverse, rows = np.unique(stacked, axis=0, return_inverse=True, return_counts=True)
    return list(distinct.T), rows, inverse.reshape(-1)
