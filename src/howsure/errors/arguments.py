"""Arguments that are wrong in the same way everywhere: a word of a list, a number, numbers, a sequence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, excerpt


def one_of(value: Any, choices: Iterable[str], what: str) -> str:
    """A word of a list, or the sentence that lists them.

    Examples
    --------
    >>> one_of("hdi", ("hdi", "central"), "kind")
    'hdi'
    """
    known = list(choices)
    # an array compares element by element, so a text is asked for first
    if not isinstance(value, str) or value not in known:
        first, last = ", ".join(map(repr, known[:-1])), repr(known[-1])
        raise InvalidArgument(f"{what} is {first} or {last}, not {excerpt(value)}")
    return value


def flag(value: Any, what: str) -> bool:
    """True or False.

    Raises
    ------
    InvalidArgument
        Anything else, which `if` would take for one of them.

    Examples
    --------
    >>> flag(True, "clusters")
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise InvalidArgument(f"{what} is True or False, not {excerpt(value)}")
    return bool(value)


def number(value: object) -> float:
    """A number as a float; NaN for what is none (also True), so that no comparison with it holds.

    Examples
    --------
    >>> number(1), number("1"), number(True), number(10**400)
    (1.0, nan, nan, inf)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def written(text: str) -> float:
    """A number as people write it; refuses what only Python reads as one, as ``1_0`` and digits of other scripts.

    Raises
    ------
    ValueError
        What is no number.

    Examples
    --------
    >>> written(" 1e3 ")
    1000.0
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"could not convert {text!r}")
    return float(text)


def numbers(values: Any, what: str) -> NDArray[np.float64]:
    """Numbers of any shape as floats; refuses text, None and rows of different lengths.

    Examples
    --------
    >>> numbers([0, 1], "x").tolist()
    [0.0, 1.0]
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O" and all(hasattr(x, "__float__") for x in array.ravel().tolist()):
            array = array.astype(float)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise InvalidArgument(f"{what} is a number or an array of numbers, not {excerpt(values)}")
    return array.astype(float, copy=False)


def items(values: Any, what: str, expected: str) -> list[Any]:
    """What a sequence holds, in its order; refuses a text, a set (which has no order) and what holds nothing.

    Examples
    --------
    >>> items(("a", "b"), "labels", "a list of class names")
    ['a', 'b']
    """
    ordered = not isinstance(values, str | bytes | Mapping | set | frozenset | type)
    try:
        listed = list(values) if ordered else None
    except TypeError:
        listed = None
    if listed is None:
        raise InvalidArgument(f"{what} is {expected}, not {excerpt(values)}")
    return listed


def mapping(values: Any, what: str, expected: str) -> Mapping[Any, Any]:
    """Values under their names; refuses what has no names.

    Examples
    --------
    >>> mapping({"a": 1}, "groups", "a mapping")
    {'a': 1}
    """
    if not isinstance(values, Mapping):
        raise InvalidArgument(f"{what} is {expected}, not {excerpt(values)}")
    return values


def sentences(notes: Any) -> tuple[str, ...]:
    """Sentences to carry along; refuses one text instead of a list of them."""
    listed = items(notes, "notes", "a list of sentences")
    if not all(isinstance(note, str) for note in listed):
        raise InvalidArgument(f"notes is a list of sentences, not {excerpt(notes)}")
    return tuple(listed)


def column_name(value: Any, what: str) -> str:
    """Name of a column of a table or frame."""
    if not isinstance(value, str) or not value:
        raise InvalidArgument(f"{what} names a column by its text, not {excerpt(value)}")
    return value
