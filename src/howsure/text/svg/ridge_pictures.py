"""Densities above each other, over which the page lays its thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, Canvas, Scale, finite, folded, text_width, ticks
from howsure.text.svg.interval_pictures import IntervalRow

__all__ = ["RidgeRow", "ridge"]

#: Pixels of a density, of an axis, of the legend, and from one line of a name to the next.
HEIGHT, AXIS, LEGEND, LINE = 34.0, 24.0, 22.0, 15.0
#: Below this width names and numbers stand above the rows.
NARROW = 560
#: Parts of the highest density below which a curve is not looked at.
SEEN = 0.004


class RidgeRow(NamedTuple):
    """A number with its density: over a grid, and the ends of what is possible."""

    number: IntervalRow
    x: Sequence[float]
    heights: Sequence[float]
    ends: tuple[float | None, float | None] = (None, None)


def ridge(rows: Sequence[RidgeRow], *, title: str, width: float = 720) -> str:
    """Density, interval, mean (dot), observed value (tick) and chance (dashes) of each row, and its numbers in words.

    Neighbours with the same two ends share an axis. Over each row there is a place for a hand, from end to end of its
    axis.

    Parameters
    ----------
    rows : sequence of RidgeRow
        Words are those of a mean, and in brackets of its interval.
    title : str
        A sentence that says the same.
    width : float
        Pixels.

    Examples
    --------
    >>> row = RidgeRow(IntervalRow("recall", "0.8 (0.7 to 0.9)", 0.8, 0.7, 0.9), [0.6, 0.8, 1.0], [0, 1, 0], (0, 1))
    >>> ridge([row, row], title="two").count("class='hand'")
    2
    """
    narrow = width < NARROW
    step, base = (74.0, 66.0) if narrow else (56.0, 46.0)
    left, right = 14.0, width - 14
    if not narrow:
        left = 20 + min(0.3 * width, max(60.0, *(text_width(row.number.name, 13) for row in rows)))
        right = width - 20 - max(80.0, *(text_width(_words(row)[1], 12) for row in rows))
    canvas = Canvas(width, 0)
    _legend(canvas, left, 29 if narrow else 38)
    y = LEGEND
    for _, shared in groupby(enumerate(rows), lambda each: each[1].ends if None not in each[1].ends else each[0]):
        group = [row for _, row in shared]
        names = [_named(row, narrow, left, right) for row in group]
        above = [_above(row, name, narrow, right - left) for row, name in zip(group, names, strict=True)]
        scale = Scale(*_span(group), left, right)
        bottom = y + sum(step + more for more in above)
        canvas.axis(scale, bottom, top=y + 4)
        for row, name, more in zip(group, names, above, strict=True):
            top = y + more
            _drawn(canvas, row, scale, top + base)
            if narrow:
                canvas.stacked(left, top + 20 - more, name, step=LINE, size=13)
                canvas.text(right, top + 20, row.number.words, anchor="end", size=13, weight="bold")
            else:
                mean, interval = _words(row)
                canvas.stacked(
                    left - 14, top + base - 4 - LINE * (len(name) - 1), name, step=LINE, size=13, anchor="end"
                )
                canvas.text(right + 14, top + base - 12, mean, size=13, weight="bold")
                canvas.text(right + 14, top + base + 4, interval, opacity=0.7)
            y = top + step
        y = bottom + AXIS + 6
    canvas.height = y
    return canvas.render(title)


def _words(row: RidgeRow) -> tuple[str, str]:
    """Mean and interval."""
    mean, _, interval = row.number.words.partition(" (")
    return mean, interval.removesuffix(")")


def _named(row: RidgeRow, narrow: bool, left: float, right: float) -> list[str]:
    return folded(formats.plain(row.number.name, 200), right - left if narrow else left - 20, 13)


def _above(row: RidgeRow, name: list[str], narrow: bool, room: float) -> float:
    """Pixels that a name needs above its row: where it has no room beside the numbers, or more lines than the row."""
    if not narrow:
        return LINE * max(0, len(name) - 3)
    beside = len(name) == 1 and text_width(name[0], 13) + 14 + text_width(row.number.words, 13) <= room
    return 0.0 if beside else LINE * len(name)


def _span(group: Sequence[RidgeRow]) -> tuple[float, float]:
    """What an axis spans: all that is drawn, to round ends inside what is possible."""
    seen: list[float] = []
    for number, x, heights, _ in group:
        peak = max(*heights, 0.0)
        seen += [at for at, height in zip(x, heights, strict=True) if height > SEEN * peak]
        marks = map(finite, (number.low, number.high, number.mean, number.observed, number.chance))
        seen += [value for value in marks if value is not None]
    low, high = min(seen), max(seen)
    if not high > low:
        low, high = low - 0.5, high + 0.5
    marks_inside = ticks(low, high, 8)
    unit = marks_inside[1] - marks_inside[0] if len(marks_inside) > 1 else high - low
    first, last = (value for value in (unit * (low / unit // 1), unit * -(-high / unit // 1)))
    least, most = group[0].ends
    return (first if least is None else max(first, least)), (last if most is None else min(last, most))


def _drawn(canvas: Canvas, row: RidgeRow, scale: Scale, base: float) -> None:
    number, x, heights, _ = row
    rise = Scale(0, max(*heights, 0.0) or 1.0, base, base - HEIGHT)
    over = [(scale(at), rise(height)) for at, height in zip(x, heights, strict=True) if scale.low <= at <= scale.high]
    if over:
        canvas.path([(over[0][0], base), *over, (over[-1][0], base)], fill=BLUE, opacity=0.22)
        canvas.path(over, stroke=BLUE, width=2)
    low, high, mean, observed, chance = map(
        finite, (number.low, number.high, number.mean, number.observed, number.chance)
    )
    if chance is not None:
        canvas.line(scale(chance), base - HEIGHT, scale(chance), base + 7, opacity=0.7, width=1.5, dash="4 3")
    if low is not None and high is not None:
        canvas.line(scale(low), base, scale(high), base, colour=BLUE, width=4)
    if observed is not None:
        canvas.line(scale(observed), base - 8, scale(observed), base + 8, width=2)
    if mean is not None:
        canvas.dot(scale(mean), base, 4.5, BLUE)
    canvas.hand(scale, base - HEIGHT, base)


def _legend(canvas: Canvas, x: float, gap: float) -> None:
    """What the marks mean."""
    y = 12.0
    for name in ("mean, interval", "observed", "chance"):
        if name == "observed":
            canvas.line(x + 12, y - 10, x + 12, y + 2, width=2)
        elif name == "chance":
            canvas.line(x + 12, y - 11, x + 12, y + 3, opacity=0.7, width=1.5, dash="4 3")
        else:
            canvas.line(x, y - 4, x + 18, y - 4, colour=BLUE, width=4)
            canvas.dot(x + 9, y - 4, 4, BLUE)
        canvas.text(x + 24, y, name, opacity=0.7)
        x += gap + text_width(name, 12)
