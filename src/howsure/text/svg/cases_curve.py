"""A curve with its band over the number of cases, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, NARROW, ORANGE, Canvas, Scale, text_width, ticks

__all__ = ["sizes"]

WIDTH, HEIGHT = 640.0, 260.0
#: Marks on the axis, at most.
MOST_MARKS = 8


def sizes(
    cases: Sequence[int],
    curve: Sequence[Sequence[float]],
    *,
    target: float,
    chosen: int,
    ylabel: str,
    title: str,
    rule: Sequence[float | None] = (),
    rule_name: str = "",
    width: float = WIDTH,
) -> str:
    """What a test gives, against its number of cases.

    Parameters
    ----------
    cases : sequence of n int
        Increasing.
    curve : (low, middle, high)
        Each of n numbers; the outer ones bound the band.
    target, chosen : float, int
        A line across, and one down.
    ylabel, title : str
        What the numbers are, and a sentence that says the same as the picture.
    rule, rule_name : sequence of n numbers or None, str
        A dashed curve with its name, if any; None where it does not hold.
    width : float
        Pixels.

    Examples
    --------
    >>> drawn = sizes([10, 100], [[0.2, 0.1], [0.4, 0.2], [0.5, 0.3]], target=0.25, chosen=80, ylabel="w", title="t")
    >>> drawn.count("<path")
    2
    """
    low, middle, high = curve
    ruled = [(i, value) for i, value in enumerate(rule) if value is not None]
    values = [*low, *high, *(value for _, value in ruled), target]
    bottom, top = min(0.0, *values) if min(values) < 0.3 else min(values), max(values)
    rise = Scale(bottom, top if top > bottom else bottom + 1, HEIGHT - 46, 24)
    marks = [(value, f"{value:g}") for value in ticks(rise.low, rise.high)]
    left = 14 + max(text_width(words, 11) for _, words in marks)
    canvas = Canvas(width, HEIGHT)
    across = Scale(math.log(cases[0]), math.log(max(cases[-1], cases[0] + 1)), left, width - 16)
    base, most = rise(rise.low), MOST_MARKS if width >= NARROW else MOST_MARKS // 2
    canvas.axis(
        across, base, marks=[(math.log(n), formats.integer(n)) for n in _round(cases, most)], top=rise(rise.high)
    )
    for value, words in marks:
        canvas.line(across.start, rise(value), across.end, rise(value), opacity=0.12)
        canvas.text(across.start - 6, rise(value) + 4, words, anchor="end", size=11)
    xs = [across(math.log(n)) for n in cases]
    edge = [*zip(xs, map(rise, low), strict=True), *reversed(list(zip(xs, map(rise, high), strict=True)))]
    canvas.path(edge, fill=BLUE, opacity=0.25)
    canvas.path(zip(xs, map(rise, middle), strict=True), stroke=BLUE, width=2)
    if len(ruled) > 1:
        places = [(xs[i], rise(value)) for i, value in ruled]
        canvas.path(places, stroke=ORANGE, width=1.5, dash="7 4", name="rule-of-thumb")
        canvas.text(places[1][0] + 4, places[1][1] - 4, rule_name, colour=ORANGE, size=11, name="halo")
    canvas.line(across.start, rise(target), across.end, rise(target), width=1.2, dash="4 3")
    below = rise(target) < 40  # near the top the curve runs above the line
    canvas.text(across.end, rise(target) + (13 if below else -4), f"goal {target:.4g}", anchor="end", size=11)
    if cases[0] <= chosen <= cases[-1]:
        x = across(math.log(chosen))
        canvas.line(x, base, x, rise(rise.high), width=1.5)
        canvas.text(x, 16, formats.integer(chosen), anchor="middle", weight="bold")
    canvas.text(0, 12, ylabel, size=11)
    canvas.text((across.start + across.end) / 2, HEIGHT - 8, "cases", anchor="middle")
    return canvas.render(title)


def _round(cases: Sequence[int], most: int) -> list[int]:
    """Round numbers of cases, evenly enough apart: 1, 2, 5 in every decade, or only powers of ten."""
    first, last = math.floor(math.log10(max(1, cases[0]))), math.ceil(math.log10(cases[-1]))
    for steps in ((1, 2, 5), (1,)):
        found = [m * 10**k for k in range(first, last + 1) for m in steps if cases[0] <= m * 10**k <= cases[-1]]
        if len(found) <= most:
            break
    return found or [cases[0]]
