"""One law as the parts of an answer: cells of a table, a row of a picture, plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from howsure.laws import Interval, Kind, Law
from howsure.text import formats
from howsure.text.svg import BLUE, IntervalRow

__all__ = ["finite", "interval_cells", "law_row", "summary"]


def interval_cells(law: Law, level: float, kind: Kind) -> tuple[str, str]:
    """Mean and interval, cut to the digits that the interval (and the Monte Carlo error) supports."""
    ends = law.interval(level, kind)
    places = formats.decimals(*ends, error=law.error if law.route == "drawn" else 0.0)
    odd = "" if ends.kind == kind else f" ({ends.kind})"
    return formats.number(law.mean, places), _narrow(law, ends, places) + odd


def law_row(
    name: str,
    law: Law,
    level: float,
    kind: Kind,
    *,
    observed: float | None = None,
    chance: float | None = None,
    colour: str = BLUE,
) -> IntervalRow:
    """One law as a row of a picture."""
    mean, ends = interval_cells(law, level, kind)
    low, high = law.interval(level, kind)
    return IntervalRow(name, f"{mean} ({ends})", law.mean, low, high, observed, chance, colour)


def _narrow(law: Law, ends: Interval, places: int) -> str:
    return formats.interval(*ends, places) if ends.width > 0 else formats.number(law.mean, places)


def summary(law: Law, level: float, kind: Kind) -> Mapping[str, Any]:
    """The numbers of one law as plain data."""
    ends = law.interval(level, kind)
    return {
        "mean": finite(law.mean),
        "median": finite(law.median),
        "sd": finite(law.sd),
        "low": finite(ends.low),
        "high": finite(ends.high),
        "interval": ends.kind,
        "law": law.route,
        "error": finite(law.error),
    }


def finite(number: float | None) -> float | None:
    """The number, or None (null) where it is infinite or undefined, for which JSON has no word."""
    return number if number is not None and math.isfinite(number) else None
