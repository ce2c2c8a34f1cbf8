"""Words, cells and lines of differences by slice."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.comparison.slice_differences import SliceDifference, Triple
from howsure.laws.law import Kind
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest

__all__ = ["NAMED_FROM", "cells_of", "header_of", "named", "of_slices", "picture_of", "shown", "small_print"]

#: P(better) and P(worse) from which a slice is named. Of two equal classifiers, at 0.99, some slice is named in
#: one to five of a hundred tables; at 0.95 in some twenty (docs/slices.md).
NAMED_FROM = 0.99

#: Names in a sentence.
NAMED = 5


def named(names: Sequence[str]) -> str:
    """Some names and how many more.

    Examples
    --------
    >>> named(["a", "b"]), named(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(formats.plain(name, 30) for name in names[:NAMED]) + more


def of_slices(count: int, by: Sequence[str]) -> str:
    """How many slices, and by what.

    Examples
    --------
    >>> of_slices(3, ["os"])
    '3 slices by os'
    """
    columns = f" by {', '.join(formats.plain(name, 30) for name in by)}" if by else ""
    return f"{formats.several(count, 'slice')}{columns}"


def shown(triple: Triple) -> str:
    """Mean and interval with the digits that it supports.

    Examples
    --------
    >>> shown((0.0123, -0.011, 0.034))
    '0.012 (-0.011 to 0.034)'
    """
    mean, low, high = triple
    places = formats.decimals(low, high)
    return f"{formats.number(mean, places)} ({formats.interval(low, high, places)})"


def header_of(name: str, kind: Kind, level: float, *, borrowed: bool) -> tuple[str, ...]:
    """Names of the columns."""
    better = f"P({formats.plain(name, 20)} better)"
    alone = ("alone", f"{better} alone") if borrowed else ()
    return ("slice", "cases", "observed", "mean", formats.interval_name(kind, level), better, *alone, "P(worst)")


def cells_of(row: SliceDifference, draws: int, *, borrowed: bool) -> tuple[str, ...]:
    """A slice as text."""
    places = formats.decimals(row.low, row.high)
    alone = (shown(row.alone), formats.probability(row.p_better_alone)) if borrowed else ()
    return (
        formats.plain(row.name, 30),
        formats.integer(row.cases),
        "undefined" if row.observed is None else formats.number(row.observed, 3),
        formats.number(row.mean, places),
        formats.interval(row.low, row.high, places),
        formats.probability(row.p_better, draws if borrowed else None),
        *alone,
        formats.probability(row.p_worst, draws),
    )


def small_print(borrowed: bool, draws: int, seed: int) -> tuple[str, ...]:
    """What the numbers rest on."""
    drawn = f"{formats.integer(draws)} joint draws, seed {seed}"
    if not borrowed:
        return (
            f"Below three slices each is known by its own cases, exact. P(worst) and all slices together: {drawn}.",
        )
    return (
        "mean: borrowing from the other slices: how often the two disagree, and in whose favour, is learned over the "
        f"slices; {drawn}. alone: the slice's own cases, exact. P(worst): that no slice is worse. Cases are taken as "
        "independent.",
    )


def picture_of(rows: Sequence[SliceDifference], title: str) -> str:
    """Differences as SVG, dashes at 0."""
    made = [
        IntervalRow(row.name, shown((row.mean, row.low, row.high)), row.mean, row.low, row.high, row.observed, 0.0)
        for row in rows
    ]
    return forest(made, title=title)
