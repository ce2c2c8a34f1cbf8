"""The density of a difference: what is worse, practically the same and better, each in its colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from howsure.text.svg.canvas import BLUE, LINE, NARROW, ORANGE, Canvas, Scale, folded, text_width, ticks

__all__ = ["difference"]

TOP, BASE = 30.0, 168.0


def difference(
    x: Sequence[float],
    heights: Sequence[float],
    *,
    mean: float,
    low: float,
    high: float,
    words: str,
    rope: float,
    sides: tuple[str, str],
    label: str,
    title: str,
    falling: bool = False,
    width: float = 680,
) -> str:
    """Density with its interval below, cut where a difference begins to matter.

    Parameters
    ----------
    x, heights : sequence of float
        The curve.
    mean, low, high : float
        The dot and the line below it.
    words : str
        The same numbers as text.
    rope : float
        Differences up to this size do not matter; 0 if all do.
    sides : (str, str)
        What the left and the right of zero mean.
    label, title : str
        What the axis is of, and a sentence that says the same as the picture.
    falling : bool
        Whether the left is the better side.
    width : float
        Pixels.

    Examples
    --------
    >>> curve = dict(mean=0.1, low=-0.5, high=0.9, words="0.1 (-0.5 to 0.9)", sides=("old", "new"))
    >>> difference([-1, 0, 1], [0, 1, 0], rope=0.2, label="gain", title="t", **curve).count("<path")
    4
    """
    low, high = (
        min(max(value, x[0]), x[-1]) for value in (low, high)
    )  # an interval without an end goes on to the edge
    peak = max(*heights, 0.0) or 1.0
    seen = [value for value, height in zip(x, heights, strict=True) if height > 0.002 * peak]
    ends = min(*seen, low, -rope), max(*seen, high, rope)
    pad = 0.01 * (ends[1] - ends[0]) or 0.5
    scale = Scale(ends[0] - pad, ends[1] + pad, 16, width - 16)
    names = [folded(side, width / 2 - 36, 13) for side in sides]
    under = folded(label, width - 32, 11)
    above = LINE * (max(map(len, names)) - 1)
    top, base = TOP + above, BASE + above
    rise = Scale(0, peak, base, top + 14)
    canvas = Canvas(width, base + 66 + LINE * (len(under) - 1))
    if rope > 0:
        canvas.box(scale(-rope), top, scale(rope) - scale(-rope), base - top, fill="currentColor", opacity=0.08)
    marks = [(value, f"{value:g}") for value in ticks(scale.low, scale.high, 5 if width < NARROW else 8)]
    canvas.axis(scale, base + 26, marks=marks)
    canvas.lines(width / 2, base + 58 + LINE * (len(under) - 1) / 2, under, anchor="middle", size=11)
    colours = (BLUE, ORANGE) if falling else (ORANGE, BLUE)
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
