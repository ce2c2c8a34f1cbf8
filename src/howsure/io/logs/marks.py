"""One mark: from what a scorer wrote to right or wrong."""

from __future__ import annotations

from typing import Any

from howsure.errors import excerpt

__all__ = ["NoMark", "mark"]

#: Letters and words of scorers; "P" (partly right) and "N" (no answer) are neither.
_WORDS = {"C": True, "I": False, "true": True, "false": False, "True": True, "False": False, "1": True, "0": False}


class NoMark(Exception):
    """Half a sentence on a value that is neither right nor wrong; never leaves this package."""


def mark(value: Any, threshold: float | None = None) -> bool | None:
    """Right, wrong, or None where nothing was scored.

    Parameters
    ----------
    value : object
        A boolean, 0 or 1, "C" or "I"; with ``threshold`` any number.
    threshold : float, optional
        Scores from here on are right.

    Raises
    ------
    NoMark
        Partial credit, or no score at all.

    Examples
    --------
    >>> mark("C"), mark(0), mark(None), mark(0.7, threshold=0.5), mark("N")
    (True, False, None, True, False)
    """
    if value is None or value != value:
        return None
    if isinstance(value, str) and value in _WORDS:
        return _WORDS[value]
    if value == "N":  # Inspect: no answer, which it scores as 0
        return False
    if value == "P":
        value = 0.5
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if threshold is not None:
            return value >= threshold
        if value in (0, 1):
            return bool(value)
        advice = "say --threshold from which on it is right"
        raise NoMark(f"holds the score {value:g}, which is neither right (1) nor wrong (0); {advice}")
    raise NoMark(f"holds {excerpt(value, 40)}, and right or wrong (true, false, 1, 0, C, I) is expected")
