"""A curve over the unit square with bands around it."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.text.svg.canvas import BLUE, Canvas, Scale

__all__ = ["rising", "spot"]

SIDE = 300.0
LEFT, TOP, RIGHT, BELOW = 56.0, 12.0, 16.0, 44.0
Band = tuple[Sequence[float], Sequence[float]]


def rising(
    x: Sequence[float],
    y: Sequence[float],
    bands: Sequence[Band],
    *,
    chance: tuple[tuple[float, float], tuple[float, float]],
    xlabel: str,
    ylabel: str,
    title: str,
    under: Band | None = None,
    points: Sequence[tuple[float, float, float, float]] = (),
) -> str:
    """One curve in the unit square, its bands from the widest to the narrowest, and the line of chance.

    Parameters
    ----------
    x, y : sequence of n numbers from 0 to 1
    bands : sequence of (low, high)
        Each of n numbers.
    chance : pair of points
    xlabel, ylabel, title : str
    under : (low, high), optional
        A grey band below the others.
    points : sequence of (x, low, y, high)
        Dots with intervals.
    """
    canvas = Canvas(LEFT + SIDE + RIGHT, TOP + SIDE + BELOW)
    across, rise = Scale(0, 1, LEFT, LEFT + SIDE), Scale(0, 1, TOP + SIDE, TOP)
    marks = [(value, f"{value:g}") for value in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    canvas.axis(across, rise(0), marks=marks, top=rise(1))
    for value, words in marks:
        canvas.line(across(0), rise(value), across(1), rise(value), opacity=0.12)
        canvas.text(LEFT - 6, rise(value) + 4, words, anchor="end", size=11)
    (x1, y1), (x2, y2) = chance
    canvas.line(across(x1), rise(y1), across(x2), rise(y2), opacity=0.5, dash="4 4")
    xs = [across(value) for value in x]
    for i, (low, high) in enumerate([*([under] if under else []), *bands]):
        edge = [*zip(xs, map(rise, low), strict=True), *reversed(list(zip(xs, map(rise, high), strict=True)))]
        grey = under is not None and i == 0
        canvas.path(edge, fill="currentColor" if grey else BLUE, opacity=0.13 if grey else 0.2)
    canvas.path(zip(xs, map(rise, y), strict=True), stroke=BLUE, width=2)
    for place, least, middle, most in points:
        canvas.line(across(place), rise(least), across(place), rise(most), opacity=0.7)
        canvas.dot(across(place), rise(middle), 2.5, "currentColor")
    canvas.text((across(0) + across(1)) / 2, TOP + SIDE + BELOW - 8, xlabel, anchor="middle")
    canvas.text(14, (rise(0) + rise(1)) / 2, ylabel, anchor="middle", turn=-90)
    return canvas.render(title)


def spot(x: float, y: float) -> tuple[float, float]:
    """Where a point of the unit square lies in that picture, in pixels.

    Examples
    --------
    >>> spot(0.0, 0.0), spot(1.0, 1.0)
    ((56.0, 312.0), (356.0, 12.0))
    """
    return LEFT + SIDE * x, TOP + SIDE * (1 - y)
