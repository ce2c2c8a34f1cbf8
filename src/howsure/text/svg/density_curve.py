"""One density with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.text.svg.canvas import BLUE, Canvas, Scale, finite

__all__ = ["density"]


def density(
    x: Sequence[float],
    heights: Sequence[float],
    *,
    mean: float,
    low: float,
    high: float,
    observed: float | None = None,
    chance: float | None = None,
    title: str,
    width: float = 360,
    height: float = 110,
) -> str:
    """Density over a grid; the interval is shaded, the dot is the mean, the tick the observed value.

    Parameters
    ----------
    x, heights : sequence of float
        The curve; one point for a number without width.
    mean, low, high, observed, chance : float
        Marks; chance, a dashed line, is drawn where it falls on the axis.
    title : str
        A sentence that says the same.
    width, height : float
        Pixels.

    Examples
    --------
    >>> density([0, 1, 2], [0, 1, 0], mean=1, low=0.5, high=1.5, title="one").startswith("<svg")
    True
    """
    canvas = Canvas(width, height)
    observed, chance = finite(observed), finite(chance)
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
