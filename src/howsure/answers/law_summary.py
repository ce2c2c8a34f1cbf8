"""One law as the parts of an answer: cells of a table, a row of a picture, plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.laws import Draws, Interval, Kind, Law
from howsure.text import formats
from howsure.text.svg import BLUE, IntervalRow

__all__ = ["finite", "interval_cells", "law_row", "route_words", "summary"]

#: Possible values inside an interval, up to which its ends are points of a lattice that the draws know.
FEW_POINTS = 50
#: Two draws that are nearer are the same value, off by rounding.
ROUNDING = 1e-9


def interval_cells(law: Law, level: float, kind: Kind) -> tuple[str, str]:
    """Mean and interval, cut to the digits that the interval (and the Monte Carlo error) supports."""
    ends = law.interval(level, kind)
    odd = "" if ends.kind == kind else f" ({ends.kind})"
    if isinstance(law, Draws) and _few_points(law, ends):
        # an end is one of few values: its error is a whole step or none, and says nothing about the digits of either
        places = formats.decimals(*ends)
        of_mean = min(places, max(0, math.floor(-math.log10(law.mean_error)))) if law.mean_error else places
        return formats.number(law.mean, of_mean), _narrow(law, ends, places if ends.width > 0 else of_mean) + odd
    places = formats.decimals(*ends, error=law.error if law.route == "simulated" else 0.0)
    return formats.number(law.mean, places), _narrow(law, ends, places) + odd


def route_words(law: Law) -> str:
    """How a law is known: exact, or simulated with the Monte Carlo error of an end."""
    if not isinstance(law, Draws):
        return law.route
    return f"simulated ±{law.error:.0f}" if law.error >= 9.5 else f"simulated ±{law.error:.1g}"


def _few_points(law: Draws, ends: Interval) -> bool:
    """Whether the draws inside an interval take few values, as those of a metric of few new cases do."""
    values, _ = law.in_order
    inside = values[np.searchsorted(values, ends.low) : np.searchsorted(values, ends.high, "right")]
    return len(inside) > FEW_POINTS and int(np.count_nonzero(np.diff(inside) > ROUNDING)) < FEW_POINTS


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
    if ends.width > 0:
        return formats.interval(*ends, places)
    return formats.number(ends.low if ends.width == 0 else law.mean, places)


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
        "method": law.route,
        "law": law.route,
        "error": finite(law.error),
    }


def finite(number: float | None) -> float | None:
    """The number, or None (null) where it is infinite or undefined, for which JSON has no word."""
    return number if number is not None and math.isfinite(number) else None
