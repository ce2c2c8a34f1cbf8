"""Shares in a table, as shades: a confusion matrix, or the probabilities of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, ORANGE, Canvas, text_width

__all__ = ["grid"]

#: Up to this many rows a cell has room for its words.
MOST_WITH_WORDS = 20
LONGEST = 22
SHADES = 8
#: Pixels between names that are turned.
TURNED = 16


def grid(
    shares: Sequence[Sequence[float]],
    words: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    down: str,
    across: str,
    title: str,
    diagonal: bool = True,
) -> str:
    """Cells shaded by their share, with their words where there is room.

    Parameters
    ----------
    shares : (T, K) numbers in [0, 1]
        What shades a cell.
    words : (T, K) texts
        What is written in it.
    rows, columns : sequences of T and K names
        At the left and on top.
    down, across : str
        What rows and columns are.
    title : str
        A sentence that says the same.
    diagonal : bool
        Whether cells off the diagonal are errors, which are orange.

    Examples
    --------
    >>> drawn = grid([[1, 0], [0, 1]], [["9", ""], ["", "9"]], "ab", "ab", down="true", across="called", title="t")
    >>> drawn.count("<rect")
    2
    """
    size, wide = len(rows), len(columns)
    roomy = max(size, wide) <= MOST_WITH_WORDS
    cell = 46.0 if max(size, wide) <= 8 else 30.0 if roomy else max(3.0, 420.0 / max(size, wide))
    height = cell * 0.8 if roomy else cell
    names = [formats.plain(name, LONGEST) for name in rows]
    heads = [formats.plain(name, LONGEST) for name in columns]
    step = 1 if roomy else max(1, -(-size // 30))
    left = 32 + max((text_width(name, 11) for name in names[::step]), default=0)
    flat = max((text_width(head, 11) for head in heads), default=0) <= cell - 4
    top = 40.0 if flat else 28 + 0.72 * max((text_width(head, 11) for head in heads[::step]), default=0)
    slope = 0.0 if flat else top
    across_width = 1.1 * text_width(across, 11)  # bold is wider
    canvas = Canvas(left + max(cell * wide + slope, across_width) + 8, top + height * size + 8)
    canvas.text(left, 14, across, size=11, weight="bold")
    canvas.text(11, top + height * size / 2, down, size=11, weight="bold", anchor="middle", turn=-90)
    for i in range(0, size, step):
        canvas.text(left - 6, top + height * (i + 0.5) + 4, names[i], anchor="end", size=11)
    for j in range(0, wide, step if flat else max(step, math.ceil(TURNED / cell))):
        x = left + cell * (j + 0.5)
        if flat:
            canvas.text(x, top - 8, heads[j], anchor="middle", size=11)
        else:
            canvas.text(x, top - 6, heads[j], size=11, turn=-45)
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            colour = ORANGE if diagonal and i != j else BLUE
            shade = round(share * SHADES) / SHADES if not roomy else share
            if shade > 0.004:
                canvas.box(left + cell * j, top + height * i, cell - 1, height - 1, fill=colour, opacity=0.8 * shade)
            if roomy and words[i][j]:
                canvas.text(left + cell * (j + 0.5), top + height * (i + 0.5) + 4, words[i][j], anchor="middle",
                            size=13 if cell > 40 else 10, weight="bold" if diagonal and i == j else "")  # fmt: skip
    canvas.line(left, top, left + cell * wide, top, opacity=0.3)
    canvas.line(left, top, left, top + height * size, opacity=0.3)
    return canvas.render(title)
