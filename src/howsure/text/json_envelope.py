"""What every answer as JSON begins with: the format, the kind of the answer, and the version that wrote it."""

from __future__ import annotations

import math
from typing import Any

from howsure._version import __version__

__all__ = ["FORMAT", "envelope", "with_finite_numbers"]

#: The one version there is; the number changes when an older reader would take a file wrongly.
FORMAT = "howsure/1"


def envelope(kind: str) -> dict[str, Any]:
    """The first three keys of an answer, before its own.

    Examples
    --------
    >>> list(envelope("report").items())[:2]
    [('format', 'howsure/1'), ('kind', 'report')]
    """
    return {"format": FORMAT, "kind": kind, "version": __version__}


def with_finite_numbers(data: Any) -> Any:
    """The same plain data; a number that is infinite or undefined is None, for JSON has neither.

    Examples
    --------
    >>> with_finite_numbers({"mean": float("inf"), "ends": [0.5, float("nan")]})
    {'mean': None, 'ends': [0.5, None]}
    """
    if isinstance(data, dict):
        return {key: with_finite_numbers(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [with_finite_numbers(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
