"""A column of any values as its distinct texts and, for each row, which of them it is: each text is looked at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.labels import distinct_answers, label_text, unmasked
from howsure.data.refusals import say
from howsure.errors import InvalidLabels
from howsure.numerics.arrays import Integers, bincount

#: Distinct texts, and for each row which of them it is; -1 where the value is missing.
Coded = tuple[list[str], Integers]

#: Whole numbers within this range are counted in a table instead of sorted; those below the second are their own codes.
WIDEST_RANGE, WIDEST_SPAN = 2**22, 2**12
#: Rows whose objects are looked at first, and rows of one step: its columns stay in the cache.
BLOCK = 2**16
#: Different objects or texts up to which they are told apart by a number.
MOST_NUMBERS = 1500
_ODD = np.uint64(0x9E3779B97F4A7C15)


def coded(values: Any, what: str, text: Callable[[Any], str | None] = label_text) -> Coded:
    """Distinct texts of a column and the code of each row; -1 where the value is missing.

    Parameters
    ----------
    values : array_like, shape (n,)
        A list, an array, or a Series of pandas or of what is like it.
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
    distinct, codes = _distinct(values, what)
    texts = [text(value) for value in distinct]
    place = {t: i for i, t in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    if list(place) == texts:
        return texts, codes  # type: ignore[return-value]  # none is None
    return list(place), np.array([-1 if t is None else place[t] for t in [*texts, None]], dtype=np.int64)[codes]


def _distinct(values: Any, what: str) -> tuple[Sequence[Any], Integers]:
    """Different values, told apart by type and value, and the number of each row's; some may not occur."""
    if isinstance(values, tuple) and len(values) == 2 and isinstance(values[1], np.ndarray):
        return values  # numbered already
    kind = getattr(values, "dtype", None)
    if hasattr(type(values), "factorize") and not (isinstance(kind, np.dtype) and kind.kind in "iuO"):
        codes, distinct = values.factorize()
        return distinct.tolist(), codes
    array = np.asarray(unmasked(values)) if hasattr(values, "__array__") else None
    if array is not None and array.ndim != 1:
        distinct_answers(values, what)  # says what was expected
    if array is None:
        array = np.fromiter(values, dtype=object, count=len(values))
    if array.dtype.kind in "iub" and len(array):
        low, high = int(array.min()), int(array.max())
        if low >= 0 and high < WIDEST_SPAN and array.dtype.kind != "b":
            return range(high + 1), array if array.dtype.itemsize < 8 else array.astype(np.int64, copy=False)
        if high - low < WIDEST_RANGE and high < 2**62:
            shifted = array.astype(np.int64) - low
            there = bincount(shifted) > 0
            found = (np.flatnonzero(there) + low).astype(array.dtype)
            return found.tolist(), (np.cumsum(there) - 1)[shifted]
    if array.dtype.kind in "iufb":
        sorted_, codes = np.unique(array, return_inverse=True)
        return sorted_.tolist(), codes
    few = None
    if array.dtype == object and len(array):  # objects are told apart by their addresses
        few = _few(np.frombuffer(np.ascontiguousarray(array), dtype=np.uintp).astype(np.uint64, copy=False))
    if few is not None:  # in the order of their rows: that of addresses is another in every run
        order = np.argsort(few[0], kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        first, codes = few[0][order], place[few[1]]
        distinct, number = _by_key(array[first].tolist(), what)
        return distinct, codes if len(distinct) == len(number) else number[codes]
    return _by_key(array, what)


def _few(word: NDArray[np.uint64]) -> tuple[Integers, Integers] | None:
    """A row of each different number, and which of them each row has; None where they are many.

    A column of few classes mostly shares its texts, and then none of them has to be compared.
    """
    codes: Any = np.empty(len(word), dtype=np.int16)
    found: dict[int, int] = {}
    distinct, table, odd = np.empty(0, np.uint64), np.empty(0, np.int16), _ODD
    start = 0
    while start < len(word):
        some = word[start : start + BLOCK]
        if found:
            at = codes[start : start + BLOCK]
            np.take(table, _slots(some, odd), out=at, mode="wrap")
            if (distinct.take(at) == some).all():
                start += BLOCK
                continue
        # the first rows, or an object that comes later: all are numbered anew, so that no two have one slot
        for one, row in zip(*(part.tolist() for part in np.unique(some, return_index=True)), strict=True):
            found.setdefault(one, start + row)
        if len(found) > MOST_NUMBERS:
            return None
        distinct = np.fromiter(found, np.uint64, len(found))
        factors = (_ODD + np.uint64(2 * i) for i in range(10**4))
        odd = next(x for x in factors if len(np.unique(_slots(distinct, x))) == len(found))
        table = np.zeros(2**20, dtype=np.int16)
        table[_slots(distinct, odd)] = np.arange(len(found))
    return np.fromiter(found.values(), np.int64, len(found)), codes


def _slots(words: NDArray[np.uint64], factor: np.uint64) -> Integers:
    return ((words * factor) >> np.uint64(44)).view(np.int64)


def _by_key(values: Any, what: str) -> tuple[Sequence[Any], Integers]:
    """By a dictionary, some rows at a time."""
    place: defaultdict[Any, int] = defaultdict()
    place.default_factory = place.__len__  # a new key gets the next number
    kinds: set[type] = set()
    parts = []
    try:
        for start in range(0, len(values), BLOCK):
            some = values[start : start + BLOCK]
            some = some.tolist() if isinstance(some, np.ndarray) else list(some)
            kinds.update(map(type, some))
            parts.append(np.fromiter(map(place.__getitem__, some), np.int64, len(some)))
        if len(kinds - {type(None)}) > 1 or float in kinds:  # 1, 1.0 and True are one key, and no NaN is another
            typed: dict[tuple[type, Any], int] = {}
            all_ = (None if type(v) is float and v != v else v for v in list(values))
            codes = np.fromiter((typed.setdefault((type(v), v), len(typed)) for v in all_), np.int64, len(values))
            return [value for _, value in typed], codes
    except TypeError:  # a list is no key
        raise InvalidLabels(f"{what}: {say('nested', 'a list')}") from None
    return list(place), np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
