"""One column of values as distinct texts and codes, as fast as its type allows."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from howsure.data.labels import distinct_answers, label_text
from howsure.errors import InvalidLabels
from howsure.io.engines.numbering import Numbered, numbered_objects, numbered_texts
from howsure.numerics.arrays import bincount

__all__ = ["Coded", "Loose", "coded", "each", "occurring", "recoded", "spanned"]

Codes = NDArray[np.int64]
Narrow = NDArray[np.signedinteger[Any]]
Text = Callable[[Any], str | None]

#: Distinct texts, and for each row which of them it is; -1 where the value is missing.
Coded = tuple[list[str], Codes]
#: The same, where some of the texts may not occur, and the codes may be narrow.
Loose = tuple[list[str], Narrow]

#: Whole numbers within this range are counted in a table instead of sorted.
WIDEST_RANGE = 2**22
#: Whole numbers below this are codes as they are.
WIDEST_SPAN = 2**12
#: Rows from which columns are worth a thread each.
MANY_ROWS = 2**20

T = TypeVar("T")


def each(number: Callable[[str], T], columns: Sequence[str], rows: int) -> dict[str, T]:
    """Number each column, several at a time where they are long: NumPy and the engines work without Python's lock."""
    if rows < MANY_ROWS or len(columns) < 2:
        return {column: number(column) for column in columns}
    with ThreadPoolExecutor(min(len(columns), os.cpu_count() or 1)) as pool:
        return dict(zip(columns, pool.map(number, columns), strict=True))


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
    found: tuple[Sequence[Any], Codes] | None = None
    if array is not None and array.dtype.kind in "iub" and len(array):
        found = _whole_numbers(array)
    elif array is not None and array.dtype.kind == "U" and array.dtype.itemsize and len(array):
        found = _listed(array, numbered_texts(array))
    elif isinstance(values, list | tuple) or (array is not None and array.dtype == object):
        found = _objects(values if array is None else array)
    if found is None:
        found = _any(values, what)
    texts, codes = recoded(*found, text)
    return texts, codes.astype(np.int64, copy=False)


def recoded(distinct: Sequence[Any], codes: Narrow, text: Text) -> Loose:
    """Codes of values as codes of texts: values of one text become one; -1 stays missing."""
    texts = [text(value) for value in distinct]
    place = {t: i for i, t in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    if list(place) == texts:
        return list(place), codes
    move = np.array([-1 if t is None else place[t] for t in [*texts, None]], dtype=np.int64)
    return list(place), move[codes]


def occurring(loose: Loose) -> Coded:
    """Only the texts that some row has."""
    texts, codes = loose
    there = np.zeros(len(texts) + 1, dtype=bool)
    there[codes] = True
    there[-1] = True  # the place of -1, missing
    if there.all():
        return texts, codes.astype(np.int64, copy=False)
    place = np.cumsum(there) - 1
    place[-1] = -1
    return [text for text, one in zip(texts, there[:-1].tolist(), strict=True) if one], place[codes]


def spanned(values: Any) -> Loose | None:
    """Small whole numbers as codes as they are, with a text for each up to the largest; None for anything else.

    Nothing is copied, and the column is read once.
    """
    if not isinstance(values, np.ndarray) or values.ndim != 1 or values.dtype.kind not in "iu" or not len(values):
        return None
    wide = values.astype(np.int16) if values.dtype.itemsize == 1 else _native(values)
    # negative numbers are huge when read without their sign
    top = int(wide.view(f"u{wide.itemsize}").max())
    return None if top >= WIDEST_SPAN else ([str(i) for i in range(top + 1)], wide.view(f"i{wide.itemsize}"))


def _native(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _whole_numbers(array: NDArray[Any]) -> tuple[list[Any], Codes] | None:
    """Whole numbers within a narrow range, by a table of those that occur; None if the range is wide."""
    if array.dtype.kind == "b":
        return [False, True], array.astype(np.int64)
    low, high = int(array.min()), int(array.max())
    if high - low >= WIDEST_RANGE or high > 2**62:
        return None
    shifted = array.astype(np.int64) - low
    there = bincount(shifted) > 0
    table = np.cumsum(there) - 1
    return (np.flatnonzero(there) + low).tolist(), table[shifted]


def _listed(array: NDArray[Any], found: Numbered | None) -> tuple[list[Any], Codes] | None:
    return None if found is None else (array[found[0]].tolist(), found[1])


def _objects(values: Sequence[Any] | NDArray[np.object_]) -> tuple[list[Any], Codes] | None:
    """Objects by identity where they are shared, else texts by a dictionary; None where neither fits."""
    array = values if isinstance(values, np.ndarray) else np.fromiter(values, dtype=object, count=len(values))
    found = _listed(array, numbered_objects(array))
    if found is None:
        return _plain_texts(values if isinstance(values, list) else array.tolist())
    return None if any(isinstance(v, list | tuple | dict | set | np.ndarray) for v in found[0]) else found


def _plain_texts(values: list[Any]) -> tuple[list[Any], Codes] | None:
    """Texts by a dictionary; None where other types are among them (1 and True are one key)."""
    place: defaultdict[Any, int] = defaultdict()
    place.default_factory = place.__len__  # a new key gets the next number
    try:
        codes = np.fromiter(map(place.__getitem__, values), np.int64, len(values))
    except TypeError:  # a list is no key
        return None
    return (list(place), codes) if all(v is None or isinstance(v, str) for v in place) else None


def _any(values: Any, what: str) -> tuple[Sequence[Any], Codes]:
    """Values of any types, told apart by type and value."""
    if isinstance(values, list) and len(values) and not any(isinstance(v, list | tuple | np.ndarray) for v in values):
        numbers: dict[tuple[type, Any], int] = {}
        try:
            codes = np.fromiter((numbers.setdefault((type(v), v), len(numbers)) for v in values), np.int64, len(values))
        except TypeError:
            raise InvalidLabels(f"{what} holds answers that are not single values") from None
        return [value for _, value in numbers], codes
    return distinct_answers(values, what)
