"""Curves: rising ones, densities, against cases, a threshold or the prevalence, of a difference; with their bands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, LINE, NARROW, ORANGE, Canvas, Scale, finite, folded, text_width, ticks

# -- A curve with its band over the number of cases, on a logarithmic axis ---------------------------------------------


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
    left = 14 + max(text_width(words, 12) for _, words in marks)
    canvas = Canvas(width, HEIGHT)
    across = Scale(math.log(cases[0]), math.log(max(cases[-1], cases[0] + 1)), left, width - 16)
    base, most = rise(rise.low), MOST_MARKS if width >= NARROW else MOST_MARKS // 2
    canvas.axis(
        across, base, marks=[(math.log(n), formats.integer(n)) for n in _round(cases, most)], top=rise(rise.high)
    )
    canvas.rungs(across, rise, marks)
    xs = [across(math.log(n)) for n in cases]
    canvas.band(xs, map(rise, low), map(rise, high), fill=BLUE, opacity=0.25)
    canvas.path(zip(xs, map(rise, middle), strict=True), stroke=BLUE, width=2)
    if len(ruled) > 1:
        places = [(xs[i], rise(value)) for i, value in ruled]
        canvas.path(places, stroke=ORANGE, width=1.5, dash="7 4", name="rule-of-thumb")
        canvas.text(places[1][0] + 4, places[1][1] - 4, rule_name, colour=ORANGE, size=12, name="halo")
    canvas.line(across.start, rise(target), across.end, rise(target), width=1.2, dash="4 3")
    below = rise(target) < 40  # near the top the curve runs above the line
    canvas.text(across.end, rise(target) + (13 if below else -4), f"goal {target:.4g}", anchor="end", size=12)
    if cases[0] <= chosen <= cases[-1]:
        x = across(math.log(chosen))
        canvas.line(x, base, x, rise(rise.high), width=1.5)
        canvas.text(x, 16, formats.integer(chosen), anchor="middle", weight="bold")
    canvas.text(0, 12, ylabel, size=12)
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


# -- The density of a difference: what is worse, practically the same and better, each in its colour -------------------


TOP, BASE = 30.0, 168.0


class Marks(NamedTuple):
    """What is marked on a density: its mean, its interval, what was observed, and chance.

    A difference may be ``falling``: the left is then the better side.
    """

    mean: float
    low: float
    high: float
    observed: float | None = None
    chance: float | None = None
    falling: bool = False


def difference(
    x: Sequence[float],
    heights: Sequence[float],
    *,
    known: Marks,
    words: str,
    rope: float,
    sides: tuple[str, str],
    label: str,
    title: str,
    width: float = 680,
) -> str:
    """Density with its interval below, cut where a difference begins to matter.

    Examples
    --------
    >>> curve = dict(known=Marks(0.1, -0.5, 0.9), words="0.1 (-0.5 to 0.9)", sides=("old", "new"))
    >>> difference([-1, 0, 1], [0, 1, 0], rope=0.2, label="gain", title="t", **curve).count("<path")
    4
    """
    mean = known.mean
    # an interval without an end goes on to the edge
    low, high = (min(max(value, x[0]), x[-1]) for value in (known.low, known.high))
    peak = max(*heights, 0.0) or 1.0
    seen = [value for value, height in zip(x, heights, strict=True) if height > 0.002 * peak]
    ends = min(*seen, low, -rope), max(*seen, high, rope)
    pad = 0.01 * (ends[1] - ends[0]) or 0.5
    scale = Scale(ends[0] - pad, ends[1] + pad, 16, width - 16)
    names = [folded(side, width / 2 - 36, 13) for side in sides]
    under = folded(label, width - 32, 12)
    above = LINE * (max(map(len, names)) - 1)
    top, base = TOP + above, BASE + above
    rise = Scale(0, peak, base, top + 14)
    canvas = Canvas(width, base + 66 + LINE * (len(under) - 1))
    if rope > 0:
        canvas.box(scale(-rope), top, scale(rope) - scale(-rope), base - top, fill="currentColor", opacity=0.08)
    marks = [(value, f"{value:g}") for value in ticks(scale.low, scale.high, 5 if width < NARROW else 8)]
    canvas.axis(scale, base + 26, marks=marks)
    canvas.lines(width / 2, base + 58 + LINE * (len(under) - 1) / 2, under, anchor="middle", size=12)
    colours = (BLUE, ORANGE) if known.falling else (ORANGE, BLUE)
    parts = ((colours[0], -math.inf, -rope), ("currentColor", -rope, rope), (colours[1], rope, math.inf))
    for colour, start, end in parts:
        first, last = max(start, x[0], scale.low), min(end, x[-1], scale.high)
        if first < last:
            inside = [first, *(value for value in x if first < value < last), last]
            over = np.interp(inside, x, heights).tolist()
            beneath = [(scale(value), rise(height)) for value, height in zip(inside, over, strict=True)]
            canvas.path([(scale(first), base), *beneath, (scale(last), base)], fill=colour, opacity=0.22)
    outline = [(scale(a), rise(b)) for a, b in zip(x, heights, strict=True) if scale.low <= a <= scale.high]
    canvas.path(outline, stroke="currentColor", width=2)
    canvas.line(scale(0), top - 4, scale(0), base + 26, dash="4 3")
    names = [[f"← {names[0][0]}", *names[0][1:]], [*names[1][:-1], f"{names[1][-1]} →"]]
    for at, lines, colour, anchor in zip((16, width - 16), names, colours, ("start", "end"), strict=True):
        look = {"size": 13, "colour": colour, "anchor": anchor, "name": "side"}
        canvas.lines(at, 16 + LINE * (len(lines) - 1) / 2, lines, **look)
    canvas.line(scale(low), base + 8, scale(high), base + 8, width=4)
    middle = (low + high) / 2
    if scale.low <= mean <= scale.high:
        middle = mean
        canvas.dot(scale(mean), base + 8, 5, "currentColor")
    half = text_width(words, 13) / 2
    place = min(max(scale(middle), half + 6), width - half - 6)
    canvas.text(place, base - 6, words, anchor="middle", size=13, weight="bold", name="halo")
    return canvas.render(title)


# -- A curve over the unit square with bands around it -----------------------------------------------------------------


SIDE = 300.0
LEFT, TOP_OF_RISING_CURVE, RIGHT, BELOW = 56.0, 12.0, 16.0, 44.0
Band = tuple[Sequence[float], Sequence[float]]


def rising(
    x: Sequence[float],
    y: Sequence[float],
    bands: Sequence[Band],
    *,
    chance: tuple[tuple[float, float], tuple[float, float]],
    axes: tuple[str, str],
    title: str,
    under: Band | None = None,
    points: Sequence[tuple[float, float, float, float]] = (),
    width: float | None = None,
) -> str:
    """One curve in the unit square, its bands from the widest to the narrowest, and the line of chance."""
    side = SIDE if width is None else width - LEFT - RIGHT
    canvas = Canvas(LEFT + side + RIGHT, TOP_OF_RISING_CURVE + side + BELOW)
    across, rise = Scale(0, 1, LEFT, LEFT + side), Scale(0, 1, TOP_OF_RISING_CURVE + side, TOP_OF_RISING_CURVE)
    marks = [(value, f"{value:g}") for value in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    canvas.axis(across, rise(0), marks=marks, top=rise(1))
    canvas.rungs(across, rise, marks)
    (x1, y1), (x2, y2) = chance
    canvas.line(across(x1), rise(y1), across(x2), rise(y2), opacity=0.5, dash="4 4")
    xs = [across(value) for value in x]
    for i, (low, high) in enumerate([*([under] if under else []), *bands]):
        grey = under is not None and i == 0
        look: dict[str, Any] = {"fill": "currentColor" if grey else BLUE, "opacity": 0.13 if grey else 0.2}
        canvas.band(xs, map(rise, low), map(rise, high), **look)
    canvas.path(zip(xs, map(rise, y), strict=True), stroke=BLUE, width=2)
    for place, least, middle, most in points:
        canvas.line(across(place), rise(least), across(place), rise(most), opacity=0.7)
        canvas.dot(across(place), rise(middle), 2.5, "currentColor")
    canvas.text((across(0) + across(1)) / 2, canvas.height - 8, axes[0], anchor="middle")
    canvas.text(14, (rise(0) + rise(1)) / 2, axes[1], anchor="middle", turn=-90)
    if width is not None:
        canvas.hand(across, rise(1), rise(0))
    return canvas.render(title)


def spot(x: float, y: float) -> tuple[float, float]:
    """Where a point of the unit square lies in that picture, in pixels.

    Examples
    --------
    >>> spot(0.0, 0.0), spot(1.0, 1.0)
    ((56.0, 312.0), (356.0, 12.0))
    """
    return LEFT + SIDE * x, TOP_OF_RISING_CURVE + SIDE * (1 - y)


# -- One density with its interval -------------------------------------------------------------------------------------


def density(
    x: Sequence[float], heights: Sequence[float], *, known: Marks, title: str, width: float = 360, height: float = 110
) -> str:
    """Density over a grid; the interval is shaded, the dot is the mean, the tick the observed value.

    Examples
    --------
    >>> density([0, 1, 2], [0, 1, 0], known=Marks(1, 0.5, 1.5), title="one").startswith("<svg")
    True
    """
    canvas = Canvas(width, height)
    mean, low, high = known[:3]
    observed, chance = finite(known.observed), finite(known.chance)
    left, right = x[0], x[-1]
    if observed is not None:
        left, right = min(left, observed), max(right, observed)
    pad = 0.02 * (right - left) if right > left else 0.5
    scale = Scale(left - pad, right + pad, 12, width - 12)
    base, top = height - 32.0, 6.0
    rise = Scale(0, max(heights), base, top)
    canvas.axis(scale, height - 20)
    if len(x) > 1:
        curve = [(scale(a), rise(b)) for a, b in zip(x, heights, strict=True)]
        inside = [(scale(a), rise(b)) for a, b in zip(x, heights, strict=True) if low <= a <= high]
        if len(inside) > 1:
            canvas.path([(inside[0][0], base), *inside, (inside[-1][0], base)], fill=BLUE, opacity=0.35)
        canvas.path(curve, stroke=BLUE)
    if chance is not None and scale.low <= chance <= scale.high:
        canvas.line(scale(chance), base, scale(chance), top, opacity=0.6, dash="4 3")
    y = base + 5
    low, high = (min(max(end, scale.low), scale.high) for end in (low, high))
    canvas.line(scale(low), y, scale(high), y, colour=BLUE, width=4)
    if scale.low <= mean <= scale.high:
        canvas.dot(scale(mean), y, 4, BLUE)
    if observed is not None:
        canvas.line(scale(observed), y - 5, scale(observed), y + 5, width=1.8)
    return canvas.render(title)


# -- Curves with bands over a probability, on a logit axis -------------------------------------------------------------


MARKS = (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
BAND_HEIGHT = 250.0
#: Pixels beside the axis; slider.js knows them too.
BANDS_LEFT, BANDS_RIGHT = 44.0, 20.0
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
    """One or two curves between 0 and 1, each with a band, over prevalences."""
    moved = here is None
    named = [(name, colour, dash) for (name, _), (colour, dash) in zip(curves, STYLES, strict=False)]
    named += [] if rule is None else [(rule[0], "currentColor", "5 5")]
    # where a mark moves, the names of the curves stand above, below each other if there is little room
    lines = 0 if not moved else len(named) if width < NARROW else 1
    canvas = Canvas(width, BAND_HEIGHT + 18 * lines)
    across = Scale(_logit(shares[0]), _logit(shares[-1]), BANDS_LEFT, width - BANDS_RIGHT)
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
        x, y = BANDS_LEFT, 8.0
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
    others: Sequence[tuple[str, Sequence[float]]] = (),
    here: float | None = None,
    floor: float | None = None,
    xlabel: str,
    ylabel: str,
    title: str,
) -> str:
    """A curve with a band over thresholds."""
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
    canvas.band(xs, map(height, low), map(height, high), fill=BLUE, opacity=0.25)
    canvas.path(zip(xs, map(height, middle), strict=True), stroke=BLUE, width=2)
    for name, values in others:
        inside = [(at, height(value)) for at, value in zip(xs, values, strict=True) if rise.low <= value <= rise.high]
        if len(inside) > 1:
            canvas.path(inside, stroke=ORANGE, width=1.5, dash="6 3")
            canvas.text(inside[0][0] + 4, inside[0][1] - 4, name, colour=ORANGE, size=12)
    if here is not None and x[0] <= here <= x[-1]:
        canvas.line(across(here), rise.start, across(here), rise.end, width=1.5, dash="2 3", name="here")
    return canvas.render(title)
