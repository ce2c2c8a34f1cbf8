"""Bands around a line, against a threshold, and of a belief."""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.text.svg.canvas import BLUE, NARROW, ORANGE, Canvas, Scale, text_width, ticks

__all__ = [
    "bands",
    "threshold_band",
]


# -- Curves with bands over a probability, on a logit axis -------------------------------------------------------------


MARKS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
WIDTH, HEIGHT = 640.0, 250.0
#: Pixels beside the axis; slider.js knows them too.
LEFT, RIGHT = 44.0, 20.0
#: Colour and dashes of the first curve and of the second.
STYLES = ((BLUE, ""), (ORANGE, "7 3"))


def bands(
    shares: Sequence[float],
    curves: Sequence[tuple[str, Sequence[Sequence[float]]]],
    *,
    here: float | None = None,
    xlabel: str,
    title: str,
    rule: tuple[str, Sequence[float]] | None = None,
    width: float = WIDTH,
) -> str:
    """One or two curves between 0 and 1, each with a band, over prevalences.

    Parameters
    ----------
    shares : sequence of n numbers in (0, 1)
        The axis, on the logit scale.
    curves : sequence of (name, (low, middle, high))
        Each of n numbers.
    here : float, optional
        Where the line stands that a slider may move (class ``here``); without it there is a place for a hand, which has
        log odds.
    xlabel, title : str
        Below, and a sentence that says the same.
    rule : (name, n numbers), optional
        A dashed line without a band.
    width : float
        Pixels.
    """
    moved = here is None
    named = [(name, colour, dash) for (name, _), (colour, dash) in zip(curves, STYLES, strict=False)]
    named += [] if rule is None else [(rule[0], "currentColor", "5 5")]
    # where a mark moves, the names of the curves stand above, below each other if there is little room
    lines = 0 if not moved else len(named) if width < NARROW else 1
    canvas = Canvas(width, HEIGHT + 18 * lines)
    across = Scale(_logit(shares[0]), _logit(shares[-1]), LEFT, width - RIGHT)
    rise = Scale(0, 1, canvas.height - 44, 10 + 18 * lines)
    inside = [m for m in MARKS if shares[0] <= m * 1.001 and m <= shares[-1] * 1.001]
    marks = [(_logit(m), f"{100 * m:g}%" if moved else f"{m:g}") for m in inside]
    # in per cent the first mark is as wide as to reach below the lowest number of the axis beside it
    canvas.axis(across, rise(0) + (4 if moved else 0), marks=marks, top=rise(1))
    canvas.rungs(across, rise, [(value, f"{value:g}") for value in (0.0, 0.25, 0.5, 0.75, 1.0)])
    canvas.text((across.start + across.end) / 2, canvas.height - 8, xlabel, anchor="middle")
    xs = [across(_logit(share)) for share in shares]
    for (colour, dash), (name, (low, middle, high)) in zip(STYLES, curves, strict=False):
        canvas.band(xs, map(rise, low), map(rise, high), fill=colour, opacity=0.25)
        canvas.path(
            zip(xs, map(rise, middle), strict=True), stroke=colour, width=2, dash=dash, name="curve" if moved else ""
        )
        if not moved:
            _label(canvas, name, xs, middle, high, rise, colour)
    if rule is not None:
        canvas.path(zip(xs, map(rise, rule[1]), strict=True), stroke="currentColor", width=1.5, dash="5 5")
    if here is None:
        x, y = LEFT, 8.0
        for name, colour, dash in named:
            canvas.line(x, y, x + 26, y, colour=colour, width=2, dash=dash)
            canvas.text(x + 34, y + 4, name, colour=colour, weight="bold")
            x, y = (x, y + 18) if lines > 1 else (x + 58 + text_width(name), y)
        canvas.hand(across, rise(1), rise(0))
    else:
        x = across(_logit(min(max(here, shares[0]), shares[-1])))
        canvas.line(x, rise(0), x, rise(1), width=1.5, dash="2 3", name="here")
    return canvas.render(title)


def _label(
    canvas: Canvas,
    name: str,
    xs: Sequence[float],
    middle: Sequence[float],
    high: Sequence[float],
    rise: Scale,
    colour: str,
) -> None:
    """Name of a curve at half its height, outside of its band; from the edge where that is too near."""
    at = min(range(len(middle)), key=lambda i: abs(middle[i] - 0.55))
    rising = middle[-1] > middle[0]
    edge, away = (xs[0], -10.0) if rising else (xs[-1], 10.0)
    roomy = abs(xs[at] - edge) > text_width(name) + 12
    anchor = "end" if rising == roomy else "start"
    canvas.text(xs[at] + away if roomy else edge, rise(high[at]) - 4, name, colour=colour, weight="bold", anchor=anchor)


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


# -- A number against a threshold: a line with its band, and lines to compare it with ----------------------------------


TALL, INDENT, MARGIN = 270.0, 60.0, 14.0


def threshold_band(
    x: Sequence[float],
    band: tuple[Sequence[float], Sequence[float], Sequence[float]],
    *,
    inner: tuple[Sequence[float], Sequence[float]] | None = None,
    others: Sequence[tuple[str, Sequence[float]]] = (),
    here: float | None = None,
    floor: float | None = None,
    xlabel: str,
    ylabel: str,
    title: str,
) -> str:
    """A curve with a band over thresholds.

    Parameters
    ----------
    x : sequence of T numbers
        Thresholds, increasing.
    band : (low, middle, high)
        Of T numbers each.
    inner : (low, high), optional
        A darker band inside the other.
    others : sequence of (name, T numbers)
        Dashed lines; what leaves the picture is cut off.
    here : float, optional
        Where a line stands upright.
    floor : float, optional
        The picture ends here below.
    xlabel, ylabel, title : str
        Below, above, and a sentence that says the same.
    """
    low, middle, high = band
    canvas = Canvas(WIDTH, TALL)
    bottom = min(low) if floor is None else max(floor, min(low))
    top = max(high)
    room = 0.05 * (top - bottom) or 0.5
    rise = Scale(bottom - room, top + room, TALL - 46, 26)
    across = Scale(x[0], x[-1], INDENT, WIDTH - MARGIN)

    def height(value: float) -> float:
        return rise(min(max(value, rise.low), rise.high))

    canvas.axis(across, rise.start, marks=[(mark, f"{mark:g}") for mark in ticks(x[0], x[-1])], top=rise.end)
    canvas.rungs(across, rise, [(mark, f"{mark:g}") for mark in ticks(rise.low, rise.high, 5)])
    canvas.text(across.start, 14, ylabel)
    canvas.text((across.start + across.end) / 2, TALL - 8, xlabel, anchor="middle")
    xs = [across(value) for value in x]
    for least, most in [(low, high), *([inner] if inner else [])]:
        canvas.band(xs, map(height, least), map(height, most), fill=BLUE, opacity=0.25)
    canvas.path(zip(xs, map(height, middle), strict=True), stroke=BLUE, width=2)
    for name, values in others:
        inside = [(at, height(value)) for at, value in zip(xs, values, strict=True) if rise.low <= value <= rise.high]
        if len(inside) > 1:
            canvas.path(inside, stroke=ORANGE, width=1.5, dash="6 3")
            canvas.text(inside[0][0] + 4, inside[0][1] - 4, name, colour=ORANGE, size=12)
    if here is not None and x[0] <= here <= x[-1]:
        canvas.line(across(here), rise.start, across(here), rise.end, width=1.5, dash="2 3", name="here")
    return canvas.render(title)
