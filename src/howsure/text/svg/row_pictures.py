"""Rows: intervals, densities above each other over which the page lays its thresholds, three parts of a bar."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, LINE, NARROW, ORANGE, Canvas, Scale, finite, folded, pixels, text_width, ticks

# -- Numbers with their intervals, in rows -----------------------------------------------------------------------------


#: Pixels of a row, and the share of the picture that names have.
STEP, NAMES = 22.0, 0.34


class IntervalRow(NamedTuple):
    """One number; without an interval only its words are shown.

    ``outer`` is a wider interval, drawn thin; a ``heading`` names the rows below it.
    """

    name: str
    words: str
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    observed: float | None = None
    chance: float | None = None
    colour: str = BLUE
    outer: tuple[float, float] | None = None
    heading: bool = False

    @classmethod
    def of(
        cls, name: str, numbers: tuple[float, float, float], observed: float | None = None, chance: float | None = None
    ) -> IntervalRow:
        """A mean with both ends, in words with the digits that these support."""
        return cls(name, formats.estimate(*numbers), *numbers, observed, chance)


def forest(rows: Sequence[IntervalRow], *, title: str, width: float = 720) -> str:
    """Rows from the top: interval, mean (dot), observed value (tick), chance (dashed), and the numbers in words.

    Examples
    --------
    >>> forest([IntervalRow("recall", "0.8 (0.7 to 0.9)", 0.8, 0.7, 0.9)], title="one").count("<circle")
    1
    """
    width = pixels(width)
    rows = [
        row._replace(
            mean=finite(row.mean),
            low=finite(row.low),
            high=finite(row.high),
            observed=finite(row.observed),
            chance=finite(row.chance),
        )
        for row in rows
    ]
    names = [folded(formats.plain(row.name), NAMES * width) for row in rows]
    if width < NARROW:
        rows = [row._replace(words="") for row in rows]
    left = 10 + max((text_width(line) for lines in names for line in lines), default=0)
    tall = [max(STEP, LINE * len(lines) + 6) for lines in names]
    right = 12 + max((text_width(row.words, 12) for row in rows), default=0)
    marks = [
        x for row in rows for x in (row.mean, row.low, row.high, row.observed, row.chance, *(row.outer or ()))
        if x is not None
    ]  # fmt: skip
    low, high = (min(marks), max(marks)) if marks else (0.0, 1.0)
    pad = 0.02 * (high - low) or 0.5
    scale = Scale(low - pad, high + pad, left, max(width - right, left + 120))
    canvas = Canvas(max(width, scale.end + right), sum(tall) + 28)
    canvas.axis(scale, sum(tall) + 4, top=2)
    for i, row in enumerate(rows):
        y = sum(tall[:i]) + tall[i] / 2
        canvas.lines(left - 8, y + 4, names[i], anchor="end", weight="bold" if row.heading else "")
        canvas.text(scale.end + 10, y + 4, row.words, size=12)
        if row.chance is not None:
            canvas.line(scale(row.chance), y - 9, scale(row.chance), y + 9, opacity=0.6, dash="3 2")
        if row.low is None:
            continue
        if row.outer is not None:
            canvas.line(scale(row.outer[0]), y, scale(row.outer[1]), y, colour=row.colour, width=1.2)
        end = scale.high if row.high is None else row.high  # an interval without an end goes on to the edge
        canvas.line(scale(row.low), y, scale(end), y, colour=row.colour, width=3)
        if row.mean is not None:
            canvas.dot(scale(row.mean), y, 4, row.colour)
        if row.observed is not None:
            canvas.line(scale(row.observed), y - 6, scale(row.observed), y + 6, width=1.6)
    return canvas.render(title)


# -- Worse, practically the same, better: three probabilities as parts of one bar --------------------------------------


HEIGHT, TOP = 26.0, 40.0


def three_parts(
    parts: Sequence[float], words: Sequence[str], names: Sequence[str], *, title: str, width: float = 680
) -> str:
    """Hatched, pale and full, so that the parts differ without colour; the words stand above in the same order.

    Examples
    --------
    >>> three_parts([0.1, 0.2, 0.7], ["0.1", "0.2", "0.7"], ["old", "same", "new"], title="t").count("<rect")
    4
    """
    size = 13 if width >= NARROW else 12
    low, high = 1.0, width - 1
    third = (high - low) / 3 - 8
    middle = min(third, text_width(names[1], size)) if words[1] else 0.0  # the outer ones have what it leaves
    rooms = ((high - low - middle) / 2 - 8, third, (high - low - middle) / 2 - 8)
    lines = [folded(name, room, size) for name, room in zip(names, rooms, strict=True)]
    above = LINE * (max(len(lines[i]) for i in range(3) if words[i]) - 1) if any(words) else 0.0
    top = TOP + above
    canvas = Canvas(width, top + HEIGHT + 2)
    looks = ((ORANGE, "start", low, 0.35), ("currentColor", "middle", width / 2, 0.22), (BLUE, "end", high, 0.9))
    cuts = [low + cut * (high - low) for cut in accumulate(parts, initial=0.0)]
    for i, (colour, anchor, x, opacity) in enumerate(looks):
        canvas.box(cuts[i], top, cuts[i + 1] - cuts[i], HEIGHT, fill=colour, opacity=opacity, name="part")
        if words[i]:
            middle = 13 + above - LINE * (len(lines[i]) - 1) / 2
            canvas.lines(x, middle, lines[i], anchor=anchor, size=size, colour=colour)
            canvas.text(x, 31 + above, words[i], anchor=anchor, size=13, weight="bold")
    canvas.hatch(cuts[0], top, cuts[1] - cuts[0], HEIGHT, colour=ORANGE)
    canvas.box(low, top, high - low, HEIGHT, fill="none", stroke="currentColor")
    return canvas.render(title)


#: Pixels of a density, of an axis, of the legend, and from one line of a name to the next.
RISE, AXIS, LEGEND, LEADING = 34.0, 24.0, 22.0, 15.0
#: Below this width names and numbers stand above the rows.
ABOVE = 560
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

    Examples
    --------
    >>> row = RidgeRow(IntervalRow("recall", "0.8 (0.7 to 0.9)", 0.8, 0.7, 0.9), [0.6, 0.8, 1.0], [0, 1, 0], (0, 1))
    >>> ridge([row, row], title="two").count("class='hand'")
    2
    """
    narrow = width < ABOVE
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
                canvas.stacked(left, top + 20 - more, name, step=LEADING, size=13)
                canvas.text(right, top + 20, row.number.words, anchor="end", size=13, weight="bold")
            else:
                mean, interval = _words(row)
                canvas.stacked(
                    left - 14, top + base - 4 - LEADING * (len(name) - 1), name, step=LEADING, size=13, anchor="end"
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
        return LEADING * max(0, len(name) - 3)
    beside = len(name) == 1 and text_width(name[0], 13) + 14 + text_width(row.number.words, 13) <= room
    return 0.0 if beside else LEADING * len(name)


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
    rise = Scale(0, max(*heights, 0.0) or 1.0, base, base - RISE)
    over = [(scale(at), rise(height)) for at, height in zip(x, heights, strict=True) if scale.low <= at <= scale.high]
    if over:
        canvas.path([(over[0][0], base), *over, (over[-1][0], base)], fill=BLUE, opacity=0.22)
        canvas.path(over, stroke=BLUE, width=2)
    low, high, mean, observed, chance = map(
        finite, (number.low, number.high, number.mean, number.observed, number.chance)
    )
    if chance is not None:
        canvas.line(scale(chance), base - RISE, scale(chance), base + 7, opacity=0.7, width=1.5, dash="4 3")
    if low is not None and high is not None:
        canvas.line(scale(low), base, scale(high), base, colour=BLUE, width=4)
    if observed is not None:
        canvas.line(scale(observed), base - 8, scale(observed), base + 8, width=2)
    if mean is not None:
        canvas.dot(scale(mean), base, 4.5, BLUE)
    canvas.hand(scale, base - RISE, base)


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
