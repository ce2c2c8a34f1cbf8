"""Counting in memory: NumPy arrays and lists, one or a mapping of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.counting.asking import Asked
from howsure.counting.columns import BLOCK, Coded, coded, group_text
from howsure.counting.result import SetAside
from howsure.counting.settling import Tally, Weighed
from howsure.errors import InvalidLabels, excerpt, listing

__all__ = ["tally_arrays"]

Integers = NDArray[np.int64]

#: Cells of a table that is counted whole; beyond it rows are sorted.
LARGEST_TABLE = 2**24


def tally_arrays(columns: Mapping[str, Any], ask: Asked) -> tuple[Asked, Tally]:
    """Count columns that are in memory.

    Parameters
    ----------
    columns : mapping of str to array_like, shape (n,)
    ask : Asked

    Raises
    ------
    InvalidLabels
        Columns of different lengths, or an id that comes twice.
    """
    ask.check(columns)
    _check_lengths({name: columns[name] for name in ask.columns})
    quick = _whole_pair(columns, ask)
    if quick is not None:
        return ask, quick
    answers = [coded(columns[c], c) for c in (ask.truth, *ask.answers.values())]
    groups = [coded(columns[c], c, group_text) for c in ask.by]
    model = None if ask.model is None else coded(columns[ask.model], ask.model, group_text)
    if ask.id is not None:
        if model is not None:
            return _joined(columns[ask.id], model, answers, groups, ask)
        _refuse_doubles(coded(columns[ask.id], ask.id, group_text))
    parts = [*answers, *groups, *([] if model is None else [model])]
    weights = None if ask.weight is None else _weights(columns[ask.weight], ask.weight)
    bad = None if weights is None else np.isnan(weights)
    keys, rows, inverse = _grouped(parts, bad)
    where = _Where({c: codes for c, (_, codes) in zip((ask.truth, *ask.answers.values()), answers, strict=True)})
    weighed = None
    aside = []
    if weights is not None and bad is not None:
        if bad.any():
            first = tuple(f"row {i + 1}" for i in np.flatnonzero(bad)[:3])
            aside.append(SetAside("no weight", int(bad.sum()), first))
        good = weights[~bad]
        assert inverse is not None  # weights leave rows out
        sums = np.bincount(inverse, weights=good, minlength=len(rows)).astype(np.float64)
        fractions = float((good % 1).sum()) if np.isfinite(good).all() else 0.0
        weighed = Weighed(sums, float((good * good).sum()), fractions, float(good.min(initial=0.0)))
    coded_cells = [(texts, key) for (texts, _), key in zip(parts, keys, strict=True)]
    split = len(answers)
    return ask, Tally(
        coded_cells[0],
        coded_cells[1:split],
        coded_cells[split : split + len(groups)],
        rows,
        model=coded_cells[-1] if model is not None else None,
        weight=weighed,
        aside=aside,
        where=where,
    )


class _Where:
    """Rows, counted from 1, in which a column has no value; the first three."""

    def __init__(self, codes: Mapping[str, Integers]) -> None:
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
    times = np.bincount(codes[codes >= 0], minlength=1)
    if times.max() > 1:
        name = texts[int(np.argmax(times))]
        raise InvalidLabels(f"the id {excerpt(name)} comes {times.max()} times; each case is one row")


# -- two columns of whole numbers ---------------------------------------------------------------------------


def _whole_pair(columns: Mapping[str, Any], ask: Asked) -> Tally | None:
    """Two arrays of whole numbers from 0 to some thousands, counted in one pass; None where that does not fit."""
    if ask.by or ask.weight or ask.model or ask.id or len(ask.answers) > 1:
        return None
    true, pred = (columns[c] for c in (ask.truth, *ask.answers.values()))
    if not all(isinstance(a, np.ndarray) and a.ndim == 1 and a.dtype.kind in "iu" and len(a) for a in (true, pred)):
        return None
    table = _pair_table(true, pred)
    if table is None:
        return None
    used = np.flatnonzero(table.any(axis=0) | table.any(axis=1))
    names = [str(i) for i in used]
    if len(used) < len(table):
        table = table[np.ix_(used, used)]
    cells = np.flatnonzero(table)
    rows, found = np.divmod(cells, len(table))
    return Tally((names, rows), [(names, found)], [], table.reshape(-1)[cells])


def _pair_table(true: NDArray[Any], pred: NDArray[Any]) -> Integers | None:
    """Table of two columns of codes, block by block, so that each column is read from memory once."""
    size = 0
    table = np.zeros(0, dtype=np.int64)
    # the larger the table, the more rows have to be worth one pass over it
    gathered = np.empty(2**20, dtype=np.int64)
    filled = 0
    for start in range(0, len(true), BLOCK):
        rows = true[start : start + BLOCK].astype(np.int64, copy=False)
        columns = pred[start : start + BLOCK].astype(np.int64, copy=False)
        # negative numbers are huge when read without their sign
        top = int(max(rows.view(np.uint64).max(), columns.view(np.uint64).max()))
        if top >= size:
            if (top + 1) ** 2 > LARGEST_TABLE:
                return None
            table += np.bincount(gathered[:filled], minlength=size * size)
            filled = 0
            wider = np.zeros((top + 1, top + 1), dtype=np.int64)
            wider[:size, :size] = table.reshape(size, size)
            size, table = top + 1, wider.reshape(-1)
        flat = gathered[filled : filled + len(rows)]
        np.multiply(rows, size, out=flat)
        flat += columns
        filled += len(rows)
        if filled >= min(len(gathered), max(BLOCK, size * size)):
            table += np.bincount(gathered[:filled], minlength=size * size)
            filled = 0
    table += np.bincount(gathered[:filled], minlength=size * size)
    return table.reshape(size, size)


# -- any columns --------------------------------------------------------------------------------------------


def _grouped(
    columns: Sequence[Coded], left_out: NDArray[np.bool_] | None
) -> tuple[list[Integers], Integers, Integers | None]:
    """Distinct combinations of codes, how many rows have each, and which of them each row has (if some are left out).

    Parameters
    ----------
    columns : sequence of Coded
    left_out : ndarray of bool, shape (n,), optional
        Rows that are not counted; None where all are and nobody asks which row is where.
    """
    key = columns[0][1] + 1
    values = len(columns[0][0]) + 1
    renumbered = False
    for texts, codes in columns[1:]:
        size = len(texts) + 1
        if values > 2**62 // size:  # more combinations than a number can hold: number those that occur
            key, values = np.unique(key, return_inverse=True)[1].reshape(-1), len(key)
            renumbered = True
        key *= size
        key += codes
        key += 1
        values *= size
    kept = [codes if left_out is None else codes[~left_out] for _, codes in columns]
    if left_out is not None:
        key = key[~left_out]
    if values <= LARGEST_TABLE:
        table = np.bincount(key, minlength=1)
        distinct = np.flatnonzero(table)
        rows = table[distinct]
    else:
        distinct, rows = np.unique(key, return_counts=True)
    inverse = None if left_out is None and not renumbered else np.searchsorted(distinct, key)
    if renumbered:
        first = np.zeros(len(distinct), dtype=np.int64)
        first[inverse] = np.arange(len(key))
        return [codes[first] for codes in kept], rows, inverse
    found = []
    for texts, _ in reversed(columns):
        distinct, code = np.divmod(distinct, len(texts) + 1)
        found.append(code - 1)
    return found[::-1], rows, inverse


# -- one row a case and classifier --------------------------------------------------------------------------


def _joined(ids: Any, model: Coded, answers: list[Coded], groups: list[Coded], ask: Asked) -> tuple[Asked, Tally]:
    """Rows of one case put side by side by its id."""
    from howsure.counting.joining import joined

    case = coded(ids, ask.id or "id", group_text)
    return joined(case, model, answers[0], answers[1], groups, ask)
