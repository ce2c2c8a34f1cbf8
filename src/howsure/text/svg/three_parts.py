"""Worse, practically the same, better: three probabilities as parts of one bar."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from howsure.text.svg.canvas import BLUE, LINE, NARROW, ORANGE, Canvas, folded, text_width

__all__ = ["three_parts"]

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
