"""Columns of a frame in memory, numbered by the dictionary of the frame's own engine.

Grouping texts costs an engine the more, the more different pairs there are; numbering each column costs a look-up a
row, and the pairs of numbers are then counted like any others.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from howsure.io.engines.coding import Loose, Narrow, Text, coded, recoded, spanned
from howsure.io.engines.numbering import numbered_words
from howsure.io.engines.short_texts import short_words

__all__ = ["numbered"]

#: Of 32 bits; read with a sign it is -1.
_MISSING = 2**32 - 1


def numbered(series: Any, what: str, text: Text) -> Loose | None:
    """Distinct texts of a column and the code of each row; None where its engine or type is of another kind.

    Parameters
    ----------
    series : narwhals Series
        Of pandas, polars or pyarrow.
    what : str
        Name of the column, for messages.
    text : callable
        From a value to its text.
    """
    import narwhals.stable.v2 as nw

    engine, kind = series.implementation, series.dtype
    native = nw.to_native(series)
    if kind.is_integer() and not series.null_count():
        whole = series.to_numpy()
        return spanned(whole) or coded(whole, what, text)
    if engine.is_pandas() and native.dtype == object:
        return coded(native.to_numpy(), what, text)
    found = _of_short_texts(series) if kind == nw.String else None
    if found is None and kind in (nw.String, nw.Categorical, nw.Enum):
        if engine.is_pandas():
            found = _of_pandas(native)
        elif engine.is_polars():
            found = _of_polars(native)
        elif engine.is_pyarrow():
            found = _of_pyarrow(native)
    return None if found is None else recoded(*found, text)


def _of_short_texts(series: Any) -> tuple[list[Any], Narrow] | None:
    """Texts of up to eight bytes; None where they are longer, or not held by Arrow."""
    column = _held_by_arrow(series)
    words = None if column is None else short_words(column)
    found = None if words is None else numbered_words(words)
    return None if found is None else (series[found[0].tolist()].to_list(), found[1])


def _held_by_arrow(series: Any) -> Any | None:
    """The texts as Arrow has them, if they need not be copied for that."""
    import narwhals.stable.v2 as nw

    engine, native = series.implementation, nw.to_native(series)
    if engine.is_pyarrow():
        return native
    try:
        pa: Any = import_module("pyarrow")  # it has no types
    except ImportError:
        return None
    if engine.is_polars() and hasattr(native, "__arrow_c_stream__"):
        return pa.chunked_array(native)
    # pandas has texts of Python as well
    if engine.is_pandas() and getattr(native.dtype, "storage", "pyarrow") == "pyarrow":
        held = pa.array(native.array)
        return held if isinstance(held, pa.ChunkedArray) else pa.chunked_array([held])
    return None


def _of_pandas(series: Any) -> tuple[list[Any], Narrow]:
    codes, values = series.factorize()
    return values.tolist(), codes


def _of_polars(series: Any) -> tuple[list[Any], Narrow]:
    import polars as pl

    categories = series if series.dtype in (pl.Categorical, pl.Enum) else series.cast(pl.Categorical)
    numbers = categories.to_physical().cast(pl.UInt32).fill_null(_MISSING).to_numpy()
    rows = len(numbers)
    # the numbers are those of all categories of the process, and ours only some of them
    first = np.full(int(categories.to_physical().max() or 0) + 2, rows, dtype=np.int64)
    first[numbers[::-1].view(np.int32)] = np.arange(rows - 1, -1, -1)
    first[-1] = rows  # the place of -1, missing
    order = np.argsort(first, kind="stable")[: int((first < rows).sum())]
    codes = numbers.view(np.int32)
    if not np.array_equal(order, np.arange(len(order))):
        place = np.full(len(first), -1, dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        codes = place[codes]
    return series.gather(first[order]).cast(pl.String).to_list(), codes


def _of_pyarrow(column: Any) -> tuple[list[Any], Narrow] | None:
    if str(column.type) == "string_view":
        column = column.cast("large_string")
    encoded = column if str(column.type).startswith("dictionary") else column.dictionary_encode()
    parts = encoded.unify_dictionaries().chunks
    if not parts:
        return None
    codes = [_signed(part.indices).fill_null(-1).to_numpy() for part in parts]
    return parts[0].dictionary.to_pylist(), np.concatenate(codes) if len(codes) > 1 else codes[0]


def _signed(indices: Any) -> Any:
    """Indices of a type that holds -1 as well."""
    return indices.cast("int64") if str(indices.type).startswith("u") else indices
