"""Words and cells of slices in time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from howsure.answers.sheet import Sheet
from howsure.data.slices import Slices
from howsure.laws.law import Kind
from howsure.text import formats

__all__ = ["sheet_in_time", "shown_moment"]

#: Slices in a table, the last ones; P(lower) from which one is counted.
SHOWN, COUNTED = 20, 0.975


class InTime(Protocol):
    """Slices in time, as far as they are put into words."""

    @property
    def slices(self) -> Slices: ...
    @property
    def metric(self) -> str: ...
    @property
    def rows(self) -> Sequence[ToldMoment]: ...
    @property
    def prior(self) -> str: ...
    @property
    def level(self) -> float: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...


class ToldMoment(Protocol):
    """One slice."""

    @property
    def name(self) -> str: ...
    @property
    def cases(self) -> int: ...
    @property
    def observed(self) -> float | None: ...
    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def expected(self) -> tuple[float, float, float] | None: ...
    @property
    def p_lower(self) -> float | None: ...
    @property
    def p_below_previous(self) -> float | None: ...


def shown_moment(mean: float, low: float, high: float) -> str:
    """Mean and interval with the digits that it supports.

    Examples
    --------
    >>> shown_moment(0.8123, 0.71, 0.91)
    '0.81 (0.71 to 0.91)'
    """
    places = formats.decimals(low, high)
    return f"{formats.number(mean, places)} ({formats.interval(low, high, places)})"


def sheet_in_time(made: InTime) -> Sheet:
    """The last slices as cells of text, and sentences."""
    ends = formats.interval_name(made.kind, made.level)
    more = len(made.rows) - SHOWN
    return Sheet(
        _headline(made),
        ("slice", "cases", "observed", "mean", ends, "expected", "P(lower)", "P(below the one before)"),
        tuple(_cells(row, made.draws) for row in made.rows[-SHOWN:]),
        (
            f"mean: the slice's own cases, prior {made.prior}, exact. expected: a new slice like most of those before, "
            f"whose spread is in it. P(lower): that the slice is lower than that; {formats.integer(made.draws)} draws, "
            f"seed {made.seed}. P(below the one before): exact.",
        ),
        left_out=f"and {formats.several(more, 'slice')} before these; CSV and JSON have all." if more > 0 else "",
        below=_looks(made),
    )


def _headline(made: InTime) -> str:
    last = made.rows[-1]
    name, by = formats.plain(last.name, 30), formats.plain(made.slices.by[0], 30) if made.slices.by else "slices"
    level = shown_moment(last.mean, last.low, last.high)
    now = f"{made.metric} by {by}: {name}, the last of {len(made.rows)}, is {level}"
    if last.p_lower is None or last.expected is None:
        return f"{now}; below three slices before it, nothing says how much they vary."
    lower = last.p_lower >= 0.5
    chance = formats.probability(last.p_lower if lower else 1 - last.p_lower, made.draws)
    side = "lower" if lower else "higher"
    return f"{now}, {side} than those before with probability {chance}; expected {shown_moment(*last.expected)}."


def _looks(made: InTime) -> tuple[str, ...]:
    """How often an alarm is to be expected of slices that are all alike."""
    looked = [row for row in made.rows if row.p_lower is not None]
    if len(looked) < 2:
        return ()
    low = [row for row in looked if row.p_lower is not None and row.p_lower >= COUNTED]
    high = [row for row in looked if row.p_lower is not None and 1 - row.p_lower >= COUNTED]
    by_luck = formats.number((1 - COUNTED) * len(looked), 1)
    found = [
        f"{len(rows)} {side} ({', '.join(formats.plain(row.name, 30) for row in rows[-3:])})"
        for side, rows in (("lower", low), ("higher", high))
        if rows
    ]
    said = " and ".join(found) if found else "none is lower or higher"
    return (
        f"Of {formats.several(len(looked), 'slice')} held against those before: {said} with probability {COUNTED:g} or "
        f"more; by luck alone about {by_luck} on each side would be.",
    )


def _cells(row: ToldMoment, draws: int) -> tuple[str, ...]:
    places = formats.decimals(row.low, row.high)
    return (
        formats.plain(row.name, 30),
        formats.integer(row.cases),
        "undefined" if row.observed is None else formats.number(row.observed, 3),
        formats.number(row.mean, places),
        formats.interval(row.low, row.high, places),
        "" if row.expected is None else shown_moment(*row.expected),
        "" if row.p_lower is None else formats.probability(row.p_lower, draws),
        "" if row.p_below_previous is None else formats.probability(row.p_below_previous),
    )
