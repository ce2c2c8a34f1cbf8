"""A value with a type as the text that a CSV would hold: what Parquet, data frames and JSON have in their cells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from howsure.data.words import cleaned, is_missing
from howsure.errors import InvalidLabels, excerpt
from howsure.io.table import Nested

__all__ = ["SCORE", "class_text", "is_fraction", "json_text", "value_text"]

_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]*[1-9][0-9]*([eE][+-]?[0-9]+)?|[+-]?[0-9]+(\.[0-9]*)?[eE]-[0-9]+")
SCORE = "a score and not a class; apply the decision threshold first (if it is a class, name all classes with --labels)"


def value_text(value: Any) -> str:
    """Text of one value; "" where it is missing (None, NaN, NaT), and a `Nested` where it is no single value.

    Examples
    --------
    >>> [value_text(x) for x in ("ill", 1, 2.0, 0.5, True, None, float("nan"))]
    ['ill', '1', '2', '0.5', 'true', '', '']
    """
    if isinstance(value, str):
        return value
    # by their names first: pandas' NA is neither equal nor unequal to anything
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating | Decimal):
        if value != value:
            return ""
        return str(int(value)) if np.isfinite(float(value)) and value % 1 == 0 else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, list | tuple | set | np.ndarray | Mapping):
        return Nested(json.dumps(value, default=str))
    return str(value)


def json_text(value: Any) -> str:
    """Text of one value that an engine gives as JSON.

    Examples
    --------
    >>> json_text('"ill"'), json_text("1.0"), json_text("null")
    ('ill', '1', '')
    """
    return value_text(json.loads(value)) if isinstance(value, str) else ""


def is_fraction(text: str) -> bool:
    """Whether a label is a number between two whole ones.

    Examples
    --------
    >>> is_fraction("0.7"), is_fraction("1.0"), is_fraction("v0.7")
    (True, False, False)
    """
    return _FRACTION.fullmatch(text) is not None


def class_text(
    labels: Iterable[str] | None, *, clean: Callable[[str], str] = cleaned, text: Callable[[Any], str] = value_text
) -> Callable[[Any], str | None]:
    """The rule from a cell of any table to its class, None where it is missing.

    Parameters
    ----------
    labels : iterable of str or None
        All classes, where the caller names them: then "NA" or "0.5" may be among them.
    clean : callable
        `cleaned` for text, `bare` for values with types.
    text : callable
        From what an engine gives to the text of the value.

    Raises
    ------
    InvalidLabels
        From the rule: a fraction, or what is no single value.

    Examples
    --------
    >>> rule = class_text(None)
    >>> rule(" ill "), rule(1.0), rule("1.0"), rule("NA"), rule(None)
    ('ill', '1', '1', None, None)
    """
    given = frozenset(labels or ())

    def rule(value: Any) -> str | None:
        found = value if type(value) is str and text is value_text else text(value)
        if isinstance(found, Nested):
            raise InvalidLabels(f"{excerpt(found)} is no class; one value a case is expected")
        label = clean(found)
        if label in given:
            return label
        if is_missing(label):
            return None
        if not given and is_fraction(label):
            raise InvalidLabels(f"{excerpt(label)} is a fraction, so {SCORE}")
        return label

    return rule
