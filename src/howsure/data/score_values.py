"""Scores as numbers: true and false, numbers, and the texts of both."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.data.labels import label_text
from howsure.errors import InvalidLabels, excerpt
from howsure.numerics.arrays import Floats

__all__ = ["score_values"]

#: Words for right and wrong: those of files, and Inspect's letters.
WORDS = {
    **dict.fromkeys(("true", "right", "correct", "pass", "passed", "yes", "c"), 1.0),
    **dict.fromkeys(("false", "wrong", "incorrect", "fail", "failed", "no", "i"), 0.0),
}


def score_values(values: Any) -> Floats:
    """Scores as floats, shape (n,); NaN where there is none.

    Raises
    ------
    InvalidLabels
        A score that is no number, neither right nor wrong, or not finite.

    Examples
    --------
    >>> score_values([True, "false", 0.5, "1", None, "", float("nan")]).tolist()
    [1.0, 0.0, 0.5, 1.0, nan, nan, nan]
    """
    array = values if isinstance(values, np.ndarray) else None
    if array is not None and array.ndim == 1 and array.dtype.kind in "biuf":
        made = array.astype(float)
    else:
        if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
            raise InvalidLabels(f"score is one number a run, not {excerpt(values)}")
        listed = values.tolist() if hasattr(values, "tolist") else list(values)
        known: dict[tuple[type, Any], float] = {}
        made = np.empty(len(listed))
        for i, value in enumerate(listed):
            try:
                key = (type(value), value)
                if key not in known:
                    known[key] = _one(value, i)
                made[i] = known[key]
            except TypeError:  # a list cannot be a key
                raise InvalidLabels(f"score of row {i + 1} is {excerpt(value)}; give one number") from None
    endless = np.flatnonzero(np.isinf(made))
    if len(endless):
        raise InvalidLabels(f"score of row {endless[0] + 1} is infinite")
    return made


def _one(value: Any, row: int) -> float:
    if isinstance(value, bool | np.bool_):
        return float(value)
    if isinstance(value, int | float | np.integer | np.floating):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    text = label_text(value)
    if text is None:
        return math.nan
    word = text.strip().casefold()
    if word in WORDS:
        return WORDS[word]
    try:
        return float(word)
    except ValueError:
        raise InvalidLabels(
            f"score of row {row + 1} is {excerpt(value)}; a number was expected, or right and wrong as true and false"
        ) from None
