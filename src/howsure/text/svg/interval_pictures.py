"""Rows of intervals, and three parts of a probability."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, LINE, NARROW, ORANGE, Canvas, Scale, finite, folded, pixels, text_width

__all__ = [
    "IntervalRow",
    "forest",
    "three_parts",
]


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


def forest(rows: Sequence[IntervalRow], *, title: str, width: float = 720) -> str:
    """Rows from the top: interval, mean (dot), observed value (tick), chance (dashed), and the numbers in words.

    Parameters
    ----------
    rows : sequence of IntervalRow
        What to draw.
    title : str
        A sentence that says the same.
    width : float
        Pixels; names have a third of it, and go on in further lines. On a narrow picture the numbers are left out, for
        a table beside it to say.

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

    Parameters
    ----------
    parts : sequence of 3 numbers
        Probabilities of worse, the same and better.
    words, names : sequence of 3 texts
        The probabilities, and what they are of; without words a part is not named.
    title : str
        A sentence that says the same.
    width : float
        Pixels.

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
