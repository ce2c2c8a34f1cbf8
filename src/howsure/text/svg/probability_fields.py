"""Probabilities in a table of fields: of every rank of every entry, or of one entry being ahead of another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, LINE, Canvas, folded, text_width

__all__ = ["fields"]

#: Pixels: a row with words, the least ones, a field without words, and one with.
ROW, SMALLEST, LOWEST, SQUARE, WIDE = 34.0, 6.0, 16.0, 40.0, 58.0
TOP = 40.0
#: Below this a field stays empty: it would say nothing but that it is small.
NOTHING = 0.0005
READ = "the higher the bar, the more probable"


def fields(
    values: Sequence[Sequence[float | None]],
    words: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    across: str,
    title: str,
    width: float = 680,
    sure: float = math.inf,
) -> str:
    """Words on fields that are tinted as deep; where they do not fit, bars as high. No colour has to be told.

    Parameters
    ----------
    values : (T, C) numbers in [0, 1] or None
        Probabilities; None is no field.
    words : (T, C) texts
        The same as text; empty where there is none.
    rows, columns : sequences of T and C names
        At the left and on top.
    across, title : str
        What the columns are, and a sentence that says the same as the picture.
    width : float
        Pixels; wider where so many columns need it.
    sure : float
        Fields from here on have an outline, or are darker.

    Examples
    --------
    >>> drawn = fields([[0.9, 0.1], [0.1, 0.9]], [["0.9", "0.1"], ["0.1", "0.9"]], "ab", "12", across="rank", title="t")
    >>> drawn.count("class='field'"), drawn.count(">0.9<")
    (4, 2)
    """
    labels = [folded(formats.plain(name), 0.34 * width - 12) for name in rows]
    left = 12 + max(text_width(line) for lines in labels for line in lines)
    room = max(SMALLEST, (width - left - 4) / len(columns))
    longest = max((text_width(text, 11) for line in words for text in line), default=0.0)
    written = 0 < longest <= room - 4
    wide = min(WIDE if written else SQUARE, room)
    down = ROW if written else max(LOWEST, wide)
    whole = across if written else f"{across}; {READ}"
    lines = [whole] if text_width(whole) <= width - 4 else [across, READ][: 1 if written else 2]
    top = TOP + LINE * (len(lines) - 1)
    tall = [max(down, LINE * len(lines) + 4) if len(lines) > 1 else down for lines in labels]
    canvas = Canvas(max(width, left + wide * len(columns)), top + sum(tall) + 6)
    for i, line in enumerate(lines):
        canvas.text(2, 13 + LINE * i, line, opacity=0.7)
    every = math.ceil(max(text_width(name, 11) + 6 for name in columns) / wide)
    for j in range(0, len(columns), every):
        canvas.text(left + (j + 0.5) * wide, top - 7, columns[j], anchor="middle", size=11, opacity=0.7)
    largest = max(NOTHING, *(p or 0.0 for line in values for p in line))
    for i, chances in enumerate(values):
        y, down = top + sum(tall[:i]), tall[i]
        known = [(j, p) for j, p in enumerate(chances) if p is not None]
        with canvas.group("row"):
            canvas.lines(left - 8, y + down / 2 + 4, labels[i], anchor="end")
            if written:
                _write(canvas, known, words[i], (left, y), (wide, down), sure)
            else:
                _bars(canvas, [(j, p, p / largest) for j, p in known], (left, y), (wide, down), sure)
    return canvas.render(title)


def _write(
    canvas: Canvas,
    known: Sequence[tuple[int, float]],
    words: Sequence[str],
    at: tuple[float, float],
    size: tuple[float, float],
    sure: float,
) -> None:
    (left, y), (wide, down) = at, size
    seen = [(left + j * wide, j, p) for j, p in known if p >= NOTHING]
    ground = ((left + j * wide + 1, y + 1, wide - 2, down - 2) for j, _ in known)
    canvas.boxes(ground, fill="currentColor", opacity=0.05, name="field")
    canvas.boxes(((x + 1, y + 1, wide - 2, down - 2, p) for x, _, p in seen), fill=BLUE, opacity=0.5)
    certain = ((x + 1.5, y + 1.5, wide - 3, down - 3) for x, _, p in seen if p >= sure)
    canvas.boxes(certain, stroke="currentColor", name="sure")
    canvas.words(((x + wide / 2, y + down / 2 + 4, words[j]) for x, j, _ in seen), size=11)


def _bars(
    canvas: Canvas,
    known: Sequence[tuple[int, float, float]],
    at: tuple[float, float],
    size: tuple[float, float],
    sure: float,
) -> None:
    if not known:
        return
    (left, y), (wide, down) = at, size
    gap = 1.0 if wide > 12 else 0.25
    high = down - 4 * gap
    first, last = known[0][0], known[-1][0] + 1
    canvas.box(left + first * wide, y + 1, (last - first) * wide, down - 2, fill="currentColor", opacity=0.05)
    for opacity, certain in ((0.4, False), (0.85, True)):
        bars = (
            (left + j * wide + gap, y + (down - high * share) / 2, wide - 2 * gap, high * share)
            for j, p, share in known
            if high * share >= 0.6 and (p >= sure or not math.isfinite(sure)) == certain
        )
        canvas.bars(bars, fill=BLUE, opacity=opacity)
