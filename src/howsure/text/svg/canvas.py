"""A canvas for SVG: marks in, text out; everything from outside is escaped here and nowhere else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import pairwise
from typing import Any, TypedDict, Unpack
from unicodedata import east_asian_width

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.text import formats

#: Of middling lightness: told apart by all kinds of colour vision, seen on white and on black.
BLUE, ORANGE = "#3182bd", "#e08214"

#: Below this width (a phone) names have a third of a picture, and what also stands in a table is left out.
NARROW = 480

#: From one line of a text to the next.
LINE = 14.0

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def text_width(text: str, size: float = 12) -> float:
    """Pixels that a text needs at most; fonts differ, so it is on the large side.

    Examples
    --------
    >>> text_width("ill") < text_width("healthy")
    True
    """
    return size * sum(1.05 if east_asian_width(c) in "WF" else 0.62 for c in text)


#: Where a name may go on in the next line: after a space, and after a hyphen inside of a word.
_BREAKS = re.compile(r"(?<= )|(?<=\w[-_/])(?=\w)")


def folded(text: str, room: float, size: float = 12) -> list[str]:
    """A text in lines of at most so many pixels, broken after spaces and hyphens; in a word only where it is wider.

    Examples
    --------
    >>> folded("balanced accuracy", 200), folded("balanced accuracy", 90), folded("healthy", 30)
    (['balanced accuracy'], ['balanced', 'accuracy'], ['heal', 'thy'])
    >>> folded("falcon-180B-chat", 100)
    ['falcon-180B-', 'chat']
    """
    lines = [""]
    for word in _BREAKS.split(text):
        if lines[-1] and text_width((lines[-1] + word).rstrip(), size) > room:
            lines.append("")
        for sign in word:
            if lines[-1] and text_width((lines[-1] + sign).rstrip(), size) > room:
                lines.append(sign)
            else:
                lines[-1] += sign
    return [line.rstrip() for line in lines]


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers inside a range, at most so many.

    Examples
    --------
    >>> ticks(0.12, 0.98), ticks(-0.03, 0.07)
    ([0.2, 0.4, 0.6, 0.8], [-0.02, 0.0, 0.02, 0.04, 0.06])
    """
    if not high > low:
        return [low]
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) + 0.0 for k in range(first, last + 1)]


#: Pixels that a picture may be wide.
NARROWEST, WIDEST = 100, 10_000


def pixels(width: object) -> float:
    """The width of a picture, checked.

    Examples
    --------
    >>> pixels(720)
    720.0
    """
    made = number(width)
    if not NARROWEST <= made <= WIDEST:
        raise InvalidArgument(f"width is a number of pixels from {NARROWEST} to {WIDEST:,d}, not {excerpt(width)}")
    return made


def finite(value: float | None) -> float | None:
    """The value, or None where no axis can show it."""
    return value if value is not None and math.isfinite(value) else None


def _short(pixels: float) -> str:
    """Pixels with one decimal, if they have one."""
    return f"{pixels:.1f}".removesuffix(".0")


def _course(points: Iterable[tuple[float, float]]) -> str:
    """A line from its first point on, step by step: shorter, and packed half as long."""
    # in tenths of a pixel, so that rounded steps end where the line does
    places = [(round(10 * x), round(10 * y)) for x, y in points]
    moves = [(x - x0, y - y0) for (x0, y0), (x, y) in pairwise(places)]
    return "l".join(f"{_short(x / 10)} {_short(y / 10)}" for x, y in [*places[:1], *moves])


class Scale:
    """A linear map of values to pixels."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        """Pixel of a value."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.start + share * (self.end - self.start)


class Letters(TypedDict, total=False):
    """How a text looks."""

    size: float
    weight: str
    colour: str
    opacity: float
    turn: float
    name: str


class Stroke(TypedDict, total=False):
    """How a line looks."""

    colour: str
    width: float
    opacity: float
    dash: str
    name: str


class Canvas:
    """Marks in the order in which they are painted."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._marks: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, **look: Unpack[Stroke]) -> None:
        """A straight line."""
        colour, width, opacity = look.get("colour", "currentColor"), look.get("width", 1.0), look.get("opacity", 1.0)
        extra = f' stroke-dasharray="{look["dash"]}"' if look.get("dash") else ""
        extra += f' class="{look["name"]}"' if look.get("name") else ""
        self._marks.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width:g}" stroke-opacity="{opacity:g}"{extra}/>'
        )

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        """A filled circle."""
        self._marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>')

    @contextmanager
    def group(self, name: str) -> Iterator[None]:
        """What is drawn inside belongs together, under a name of ours."""
        self._marks.append(f'<g class="{name}">')
        yield
        self._marks.append("</g>")

    def box(self, x: float, y: float, width: float, height: float, *, fill: str, opacity: float = 1.0,
            stroke: str = "", name: str = "") -> None:  # fmt: skip
        """A filled rectangle."""
        extra = f' stroke="{stroke}"' if stroke else ""
        extra += f' class="{name}"' if name else ""
        self._marks.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" fill="{fill}" '
            f'fill-opacity="{opacity:.3g}"{extra}/>'
        )

    def boxes(self, places: Iterable[Sequence[float]], *, fill: str = "none", opacity: float = 1.0,
              stroke: str = "none", name: str = "") -> None:  # fmt: skip
        """Many rectangles of one look: (x, y, width, height) and perhaps a share of the opacity."""
        # single quotes, which JSON need not escape
        look = f" class='{name}'" if name else ""
        drawn = [
            f"<rect{look} x='{_short(x)}' y='{_short(y)}' width='{_short(wide)}' height='{_short(high)}'"
            + "".join(f" opacity='{share:.2g}'" for share in shares)
            + "/>"
            for x, y, wide, high, *shares in places
        ]
        if drawn:
            self._marks += [f'<g fill="{fill}" fill-opacity="{opacity:.3g}" stroke="{stroke}">', *drawn, "</g>"]

    def bars(self, places: Iterable[tuple[float, float, float, float]], *, fill: str, opacity: float) -> None:
        """Many rectangles (x, y, width, height) as one path, which is shorter still."""
        steps = (
            f"M{_short(x)} {_short(y)}h{_short(wide)}v{_short(high)}h{_short(-wide)}z" for x, y, wide, high in places
        )
        if d := "".join(steps):
            self._marks.append(f'<path d="{d}" fill="{fill}" fill-opacity="{opacity:.3g}"/>')

    def words(self, places: Iterable[tuple[float, float, str]], *, size: float) -> None:
        """Many texts of one look, each around its place."""
        shown = (f"<text x='{_short(x)}' y='{_short(y)}'>{escape(formats.plain(text))}</text>" for x, y, text in places)
        self._marks += [f'<g text-anchor="middle" font-size="{size:g}" fill="currentColor">', *shown, "</g>"]

    def hatch(self, x: float, y: float, width: float, height: float, *, colour: str) -> None:
        """Slanted lines in a rectangle, so that it is told from others without colour."""
        starts = (x + 7 * k for k in range(math.floor(-height / 7), math.ceil(width / 7)))
        ends = ((at, max(at, x), min(at + height, x + width)) for at in starts)
        low = y + height
        d = "".join(f"M{a:.1f} {low - a + at:.1f}L{b:.1f} {low - b + at:.1f}" for at, a, b in ends if b > a)
        self._marks.append(f'<path d="{d}" stroke="{colour}" stroke-width="1.5" fill="none"/>')

    def path(self, points: Iterable[tuple[float, float]], *, stroke: str = "none", fill: str = "none",
             width: float = 1.5, opacity: float = 1.0, dash: str = "", name: str = "") -> None:  # fmt: skip
        """A line through points, or the area inside it; one with a name is written point by point, for who reads it."""
        steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if name else _course(points)
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        extra += f' class="{name}"' if name else ""
        self._marks.append(
            f'<path d="M{steps}{"Z" if fill != "none" else ""}" stroke="{stroke}" stroke-width="{width:g}" '
            f'fill="{fill}" fill-opacity="{opacity:g}" stroke-linejoin="round"{extra}/>'
        )

    def text(self, x: float, y: float, text: str, *, anchor: str = "start", **look: Unpack[Letters]) -> None:
        """Text from inside or outside; control and direction marks are made visible."""
        shown = escape(formats.plain(text, 200))
        size, colour = look.get("size", 12), look.get("colour", "currentColor")
        extra = f' font-weight="{look["weight"]}"' if look.get("weight") else ""
        extra += f' fill-opacity="{look["opacity"]:g}"' if look.get("opacity", 1.0) < 1 else ""
        extra += f' class="{look["name"]}"' if look.get("name") else ""
        extra += f' transform="rotate({look["turn"]:g} {x:.1f} {y:.1f})"' if look.get("turn") else ""
        self._marks.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="{colour}"{extra}>'
            f"{shown}</text>"
        )

    def lines(self, x: float, y: float, lines: Sequence[str], **look: Any) -> None:
        """Lines of one text below each other, the middle of them at ``y``."""
        self.stacked(x, y - LINE * (len(lines) - 1) / 2, lines, **look)

    def stacked(self, x: float, y: float, lines: Sequence[str], *, step: float = LINE, **look: Any) -> None:
        """Lines of one text below each other, the first of them at ``y``."""
        for i, line in enumerate(lines):
            self.text(x, y + step * i, line, **look)

    def hand(self, across: Scale, top: float, bottom: float) -> None:
        """A place over which the page moves a mark: its left end and its right end have these values."""
        self._marks.append(
            f"<rect class='hand' data-ends='{across.low:.9g} {across.high:.9g}' x='{across.start:.1f}' y='{top:.1f}' "
            f"width='{across.end - across.start:.1f}' height='{bottom - top:.1f}' fill='none'/>"
        )

    def shape(self, d: str, *, fill: str = "none", stroke: str = "none", opacity: float = 1.0, name: str = "") -> None:
        """A path that is written out, of lines of 1.5 pixels."""
        look = f' class="{name}"' if name else ""
        self._marks.append(
            f'<path d="{d}" fill="{fill}" fill-opacity="{opacity:.3g}" stroke="{stroke}" stroke-width="1.5"{look}/>'
        )

    def axis(
        self, scale: Scale, y: float, *, marks: Sequence[tuple[float, str]] | None = None, top: float | None = None
    ) -> None:
        """A horizontal axis with its numbers, and faint lines up to ``top``."""
        self.line(scale.start, y, scale.end, y, opacity=0.6)
        places = marks or [(value, f"{value:g}") for value in ticks(scale.low, scale.high)]
        for value, words in places:
            x = scale(value)
            self.line(x, y, x, y + 4, opacity=0.6)
            if top is not None:
                self.line(x, y, x, top, opacity=0.12)
            self.text(x, y + 16, words, anchor="middle", size=12)

    def rungs(self, across: Scale, rise: Scale, marks: Iterable[tuple[float, str]]) -> None:
        """Faint lines across at some heights, with their numbers at the left."""
        for value, words in marks:
            self.line(across.start, rise(value), across.end, rise(value), opacity=0.12)
            self.text(across.start - 6, rise(value) + 4, words, anchor="end", size=12)

    def band(
        self, xs: Sequence[float], low: Iterable[float], high: Iterable[float], *, fill: str, opacity: float
    ) -> None:
        """The area between two lines."""
        below, above = zip(xs, low, strict=True), list(zip(xs, high, strict=True))
        self.path([*below, *reversed(above)], fill=fill, opacity=opacity)

    def render(self, title: str) -> str:
        """The picture as an ``<svg>`` element, with a sentence for those who cannot see it."""
        said = escape(formats.plain(title, 300))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{said}" width="{self.width:.0f}" '
            f'height="{self.height:.0f}" viewBox="0 0 {self.width:.0f} {self.height:.0f}" font-family="{FONT}" '
            f'color="currentColor"><title>{said}</title>{"".join(self._marks)}</svg>'
        )
