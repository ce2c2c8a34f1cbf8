"""A number against a threshold: a line with its band, and lines to compare it with."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.text.svg.canvas import BLUE, ORANGE, Canvas, Scale, ticks

__all__ = ["threshold_band"]

WIDTH, HEIGHT, LEFT, RIGHT = 640.0, 270.0, 60.0, 14.0


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
    canvas = Canvas(WIDTH, HEIGHT)
    bottom = min(low) if floor is None else max(floor, min(low))
    top = max(high)
    room = 0.05 * (top - bottom) or 0.5
    rise = Scale(bottom - room, top + room, HEIGHT - 46, 26)
    across = Scale(x[0], x[-1], LEFT, WIDTH - RIGHT)

    def height(value: float) -> float:
        return rise(min(max(value, rise.low), rise.high))

    canvas.axis(across, rise.start, marks=[(mark, f"{mark:g}") for mark in ticks(x[0], x[-1])], top=rise.end)
    for mark in ticks(rise.low, rise.high, 5):
        canvas.line(across.start, rise(mark), across.end, rise(mark), opacity=0.12)
        canvas.text(across.start - 6, rise(mark) + 4, f"{mark:g}", anchor="end", size=11)
    canvas.text(across.start, 14, ylabel)
    canvas.text((across.start + across.end) / 2, HEIGHT - 8, xlabel, anchor="middle")
    xs = [across(value) for value in x]
    for least, most in [(low, high), *([inner] if inner else [])]:
        edge = [*zip(xs, map(height, least), strict=True), *reversed(list(zip(xs, map(height, most), strict=True)))]
        canvas.path(edge, fill=BLUE, opacity=0.25)
    canvas.path(zip(xs, map(height, middle), strict=True), stroke=BLUE, width=2)
    for name, values in others:
        inside = [(at, height(value)) for at, value in zip(xs, values, strict=True) if rise.low <= value <= rise.high]
        if len(inside) > 1:
            canvas.path(inside, stroke=ORANGE, width=1.5, dash="6 3")
            canvas.text(inside[0][0] + 4, inside[0][1] - 4, name, colour=ORANGE, size=11)
    if here is not None and x[0] <= here <= x[-1]:
        canvas.line(across(here), rise.start, across(here), rise.end, width=1.5, dash="2 3", name="here")
    return canvas.render(title)
