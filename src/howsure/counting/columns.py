"""One column of values as distinct texts and codes, as fast as its type allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidLabels
from howsure.labels import distinct_answers, label_text

__all__ = ["Coded", "coded", "group_text", "recoded"]

Codes = NDArray[np.int64]
Text = Callable[[Any], str | None]

#: Distinct texts, and for each row which of them it is; -1 where the value is missing.
Coded = tuple[list[str], Codes]

#: Whole numbers within this range are counted in a table instead of sorted.
WIDEST_RANGE = 2**22
#: Rows of one block: its columns stay in the cache.
BLOCK = 2**16


def group_text(value: object) -> str | None:
    """Text of a group: that of a label, except that a fraction is allowed.

    Examples
    --------
    >>> group_text(2024.0), group_text(0.5), group_text(None)
    ('2024', '0.5', None)
    """
    if isinstance(value, float | np.floating | Decimal) and np.isfinite(float(value)) and value % 1 != 0:
        return str(value)
    return label_text(value)


def coded(values: Any, what: str, text: Text = label_text) -> Coded:
    """Distinct texts of a column and the code of each row; -1 where the value is missing.

    Parameters
    ----------
    values : array_like, shape (n,)
    what : str
        Name of the column, for messages.
    text : callable
        From a value to its text, or None if it is missing.

    Raises
    ------
    InvalidLabels
        Not one single value a row, or (with the default) fractional numbers.

    Examples
    --------
    >>> texts, codes = coded(["ill", None, "well", "ill"], "y_pred")
    >>> texts, codes.tolist()
    (['ill', 'well'], [0, -1, 1, 0])
    """
    array = values if isinstance(values, np.ndarray) and values.ndim == 1 else None
    found: tuple[list[Any], Codes] | None = None
    if array is not None and array.dtype.kind in "iub" and len(array):
        found = _whole_numbers(array)
    elif array is not None and array.dtype.kind == "U" and array.dtype.itemsize and len(array):
        found = _fixed_texts(array)
    elif isinstance(values, list | tuple) or (array is not None and array.dtype == object):
        found = _plain_texts(values if array is None else array.tolist())
    if found is None:
        found = _any(values, what)
    return recoded(found[0], found[1], text)


def recoded(distinct: Sequence[Any], codes: Codes, text: Text) -> Coded:
    """Codes of values as codes of texts: values of one text become one."""
    texts = [text(value) for value in distinct]
    place = {t: i for i, t in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    if list(place) == texts:
        return texts, codes  # type: ignore[return-value]  # none of them is None
    move = np.array([-1 if t is None else place[t] for t in texts], dtype=np.int64)
    return list(place), move[codes] if len(move) else codes


def _whole_numbers(array: NDArray[Any]) -> tuple[list[Any], Codes] | None:
    """Whole numbers within a narrow range, by a table of those that occur; None if the range is wide."""
    if array.dtype.kind == "b":
        return [False, True], array.astype(np.int64)
    low, high = int(array.min()), int(array.max())
    if high - low >= WIDEST_RANGE or high > 2**62:
        return None
    shifted = array.astype(np.int64) - low
    there = np.bincount(shifted) > 0
    table = np.cumsum(there) - 1
    return (np.flatnonzero(there) + low).tolist(), table[shifted]


def _plain_texts(values: Sequence[Any]) -> tuple[list[Any], Codes] | None:
    """Texts by a dictionary; None where other types are among them (1 and True are one key)."""
    if not set(map(type, values)) <= {str, type(None)}:
        return None
    distinct = list(dict.fromkeys(values))
    place = {value: i for i, value in enumerate(distinct)}
    return distinct, np.fromiter(map(place.__getitem__, values), np.int64, len(values))


def _any(values: Any, what: str) -> tuple[list[Any], Codes]:
    """Values of any types, told apart by type and value."""
    if isinstance(values, list) and len(values) and not any(isinstance(v, list | tuple | np.ndarray) for v in values):
        numbers: dict[tuple[type, Any], int] = {}
        try:
            codes = np.fromiter((numbers.setdefault((type(v), v), len(numbers)) for v in values), np.int64, len(values))
        except TypeError:
            raise InvalidLabels(f"{what} holds answers that are not single values") from None
        return [value for _, value in numbers], codes
    texts, codes = distinct_answers(values, what)
    return [*texts, None], codes  # -1 is the last


def _fixed_texts(array: NDArray[Any]) -> tuple[list[Any], Codes] | None:
    """Texts of fixed width, by a hash without collisions among those that occur; None if none is found soon."""
    wide = np.uint64 if array.dtype.itemsize % 8 == 0 else np.uint32
    words = np.ascontiguousarray(array).view(wide).reshape(len(array), -1)
    for seed in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93):
        found = _hashed(array, words, seed)
        if found is not None:
            return found
    return None


def _hashed(array: NDArray[Any], words: NDArray[Any], seed: int) -> tuple[list[Any], Codes] | None:
    """Slots of a table for the texts; None if two different texts share one."""
    bits = 20
    slots = np.empty(len(array), dtype=np.int32)
    example = np.full(2**bits, -1, dtype=np.int64)
    factor = np.uint64(seed | 1)
    for start in range(0, len(array), BLOCK):
        block = words[start : start + BLOCK]
        mixed = np.full(len(block), seed, dtype=np.uint64)
        for column in range(block.shape[1]):
            mixed ^= block[:, column]
            mixed *= factor
        slot = (mixed >> np.uint64(64 - bits)).astype(np.int32)
        slots[start : start + BLOCK] = slot
        fresh = np.flatnonzero(example[slot] < 0)
        example[slot[fresh]] = fresh + start
        if not np.array_equal(block, words[example[slot]]):
            return None
    used = np.flatnonzero(example >= 0)
    if len(used) > 2**15:
        return None
    place = np.zeros(2**bits, dtype=np.int32)
    place[used] = np.arange(len(used))
    return array[example[used]].tolist(), place[slots].astype(np.int64)
