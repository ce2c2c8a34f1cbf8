"""Fields of probabilities, in shades."""

from __future__ import annotations

import math
from collections.abc import Sequence

from howsure.text import formats
from howsure.text.svg.canvas import BLUE, LINE, ORANGE, Canvas, folded, text_width

# -- Probabilities in a table of fields: of every rank of every entry, or of one entry being ahead of another ----------


#: Pixels: a row with words, the least ones, a field without words, and one with.
ROW, SMALLEST, LOWEST, SQUARE, WIDE = 34.0, 6.0, 16.0, 40.0, 58.0
TOP = 40.0
#: Below this a field stays empty: it would say nothing but that it is small.
NOTHING = 0.0005
#: Where a field begins, its probability, and its words.
Known = tuple[float, float, str]
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

    Examples
    --------
    >>> drawn = fields([[0.9, 0.1], [0.1, 0.9]], [["0.9", "0.1"], ["0.1", "0.9"]], "ab", "12", across="rank", title="t")
    >>> drawn.count("class='field'"), drawn.count(">0.9<")
    (4, 2)
    """
    labels = [folded(formats.plain(name), 0.34 * width - 12) for name in rows]
    left = 12 + max(text_width(line) for lines in labels for line in lines)
    room = max(SMALLEST, (width - left - 4) / len(columns))
    longest = max((text_width(text, 12) for line in words for text in line), default=0.0)
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
    every = math.ceil(max(text_width(name, 12) + 6 for name in columns) / wide)
    for j in range(0, len(columns), every):
        canvas.text(left + (j + 0.5) * wide, top - 7, columns[j], anchor="middle", size=12, opacity=0.7)
    largest = max(NOTHING, *(p or 0.0 for line in values for p in line))
    for i, chances in enumerate(values):
        y, down = top + sum(tall[:i]), tall[i]
        known = [(left + j * wide, p, words[i][j]) for j, p in enumerate(chances) if p is not None]
        with canvas.group("row"):
            canvas.lines(left - 8, y + down / 2 + 4, labels[i], anchor="end")
            if written:
                _write(canvas, known, y, (wide, down), sure)
            elif known:
                canvas.box(
                    known[0][0], y + 1, known[-1][0] + wide - known[0][0], down - 2, fill="currentColor", opacity=0.05
                )
                _bars(canvas, known, y, (wide, down), (sure, largest))
    return canvas.render(title)


def _write(canvas: Canvas, known: Sequence[Known], y: float, size: tuple[float, float], sure: float) -> None:
    wide, down = size
    seen = [(x, p, words) for x, p, words in known if p >= NOTHING]
    ground = ((x + 1, y + 1, wide - 2, down - 2) for x, _, _ in known)
    canvas.boxes(ground, fill="currentColor", opacity=0.05, name="field")
    canvas.boxes(((x + 1, y + 1, wide - 2, down - 2, p) for x, p, _ in seen), fill=BLUE, opacity=0.5)
    certain = ((x + 1.5, y + 1.5, wide - 3, down - 3) for x, p, _ in seen if p >= sure)
    canvas.boxes(certain, stroke="currentColor", name="sure")
    canvas.words(((x + wide / 2, y + down / 2 + 4, words) for x, _, words in seen), size=12)


def _bars(
    canvas: Canvas, known: Sequence[Known], y: float, size: tuple[float, float], ends: tuple[float, float]
) -> None:
    (wide, down), (sure, largest) = size, ends
    gap = 1.0 if wide > 12 else 0.25
    tall = [(x + gap, p, (down - 4 * gap) * (p / largest)) for x, p, _ in known]
    for opacity, certain in ((0.4, False), (0.85, True)):
        bars = (
            (x, y + (down - high) / 2, wide - 2 * gap, high)
            for x, p, high in tall
            if high >= 0.6 and (p >= sure or not math.isfinite(sure)) == certain
        )
        canvas.bars(bars, fill=BLUE, opacity=opacity)


# -- Shares in a table, as shades: a confusion matrix, or the probabilities of ranks -----------------------------------


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
    left = 32 + max((text_width(name, 12) for name in names[::step]), default=0)
    flat = max((text_width(head, 12) for head in heads), default=0) <= cell - 4
    top = 40.0 if flat else 28 + 0.72 * max((text_width(head, 12) for head in heads[::step]), default=0)
    slope = 0.0 if flat else top
    across_width = 1.1 * text_width(across, 12)  # bold is wider
    canvas = Canvas(left + max(cell * wide + slope, across_width) + 8, top + height * size + 8)
    canvas.text(left, 14, across, size=12, weight="bold")
    canvas.text(11, top + height * size / 2, down, size=12, weight="bold", anchor="middle", turn=-90)
    for i in range(0, size, step):
        canvas.text(left - 6, top + height * (i + 0.5) + 4, names[i], anchor="end", size=12)
    for j in range(0, wide, step if flat else max(step, math.ceil(TURNED / cell))):
        x = left + cell * (j + 0.5)
        if flat:
            canvas.text(x, top - 8, heads[j], anchor="middle", size=12)
        else:
            canvas.text(x, top - 6, heads[j], size=12, turn=-45)
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


# -- People, or cases, as small signs ----------------------------------------------------------------------------------


#: Pixels from one sign to the next, and from one line of a text to the next.
PITCH, LEADING = (5.0, 22.0), 15.0


def people(counts: Sequence[int], words: Sequence[str], *, note: str, title: str, width: float = 720) -> str:
    """Signs in the order of four kinds, each with a shape of its own: found, missed, called by mistake, neither.

    Examples
    --------
    >>> drawn = people([3, 1, 2, 9], ["found", "missed", "alarms", "rest"], note="", title="t")
    >>> drawn.count('class="icon"')
    8
    """
    total = sum(counts)
    # about twice as wide as high, no sign smaller than can be told
    columns = max(10, min(int(width / PITCH[0]), math.ceil(math.sqrt(2.5 * total))))
    pitch = min(PITCH[1], width / columns)
    lines = [folded(formats.plain(text, 200), width - 24, 13) for text in words]
    tops = [sum(7 + LEADING * len(each) for each in lines[:i]) for i in range(len(lines) + 1)]
    legend = tops[-1] + (26 if note else 10)
    canvas = Canvas(width, legend + pitch * math.ceil(total / columns) + 4)
    canvas.line(0, legend - 4, width, legend - 4, opacity=0.6)
    if note:
        canvas.text(0, legend - 10, note, opacity=0.7)
    start = 0
    for kind, count in enumerate(counts):
        places = [
            (pitch * (at % columns + 0.5), legend + pitch * (at // columns + 0.5)) for at in range(start, start + count)
        ]
        _signs(canvas, kind, places, 0.36 * pitch)
        _signs(canvas, kind, [(9.0, 10.0 + tops[kind])], 6.0)
        canvas.stacked(24, 15 + tops[kind], lines[kind], step=LEADING, size=13)
        start += count
    return canvas.render(title)


def _signs(canvas: Canvas, kind: int, places: Sequence[tuple[float, float]], r: float) -> None:
    """A square, one with a hole, a triangle that is not filled, a small square."""
    r *= 0.35 if kind == 3 else 1
    square, hole = f"h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}z", f"m{r / 2:.1f} {r / 2:.1f}v{r:.1f}h{r:.1f}v{-r:.1f}z"
    # the hole goes the other way round, and back to where it began
    sign = (square, f"{square}{hole}m{-r / 2:.1f} {-r / 2:.1f}", f"l{-r:.1f} {2 * r:.1f}h{2 * r:.1f}z", square)[kind]
    d, before = "", (0.0, 0.0)
    for x, y in places:
        at = (x if kind == 2 else x - r, y - r)
        # from one sign to the next one beside it, which is the same step for all of them
        d += f"m{at[0] - before[0]:.2f} 0{sign}" if d and at[1] == before[1] else f"M{at[0]:.1f} {at[1]:.1f}{sign}"
        before = at
    fill, stroke = ((BLUE, "none"), (ORANGE, "none"), ("none", ORANGE), ("currentColor", "none"))[kind]
    canvas.shape(d, fill=fill, stroke=stroke, opacity=0.7 if kind == 3 else 1, name="icon")
