"""How every plot looks: colours that everybody can tell apart, on light and on dark, and text that is text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import bidirectional

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb

from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axes._secondary_axes import SecondaryAxis
    from matplotlib.figure import Figure
    from matplotlib.text import Text


#: Blue, orange and grey of middling lightness: told apart by all kinds of colour vision, seen on white and on black.
BLUE, ORANGE, GREY = "#3182bd", "#e08214", "#8c8c8c"

#: Longest name that is written out in full on a figure of the usual width, and on the narrowest.
LONGEST, SHORTEST = 28, 18
#: Inches of a figure of the usual width, and the share of it that matplotlib gives to axes.
USUAL, SHARE = 6.4, 0.775

#: Letters of one point in an inch.
LETTERS = 131

#: Keeps names in right-to-left scripts from turning the numbers beside them around.
LEFT_TO_RIGHT = "\u200e"

DARK = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), "#e6e6e6"),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "#16181d"),
}


@contextmanager
def theme(*, dark: bool = False) -> Iterator[None]:
    """Settings for drawing and saving inside a ``with``: light or dark, and text kept as text in SVG and PDF.

    Examples
    --------
    >>> with theme(dark=True):
    ...     _ = plt.rcParams["text.color"]
    """
    settings: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "howsure"}
    if dark:
        settings |= DARK
    with mpl.rc_context(settings):
        yield


@contextmanager
def closed() -> Iterator[None]:
    """Closes the figures that are made inside, and needs no display for them."""
    before = set(plt.get_fignums())
    backend = mpl.get_backend()
    plt.switch_backend("agg")
    try:
        yield
    finally:
        for number in set(plt.get_fignums()) - before:
            plt.close(number)
        plt.switch_backend(backend)


def new_axes(ax: Axes | None, width: float = 6.0, height: float = 3.4) -> Axes:
    """The axes given, or those of a new figure whose layout leaves no text outside."""
    if ax is None:
        _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def figure_of(ax: Axes) -> Figure:
    """The figure that holds the axes."""
    found = ax.get_figure(root=True)
    assert found is not None
    return found


def ink(ax: Axes) -> str:
    """Colour of text on these axes."""
    return "#222222" if sum(to_rgb(paper(ax))) > 1.5 else "#e6e6e6"


def paper(ax: Axes) -> str:
    """Colour behind the axes; white where it is transparent."""
    colour = ax.get_facecolor()
    return mpl.colors.to_hex(colour) if mpl.colors.to_rgba(colour)[3] > 0 else "#ffffff"


def on(ax: Axes, colour: str, share: float) -> tuple[float, float, float]:
    """A colour thinned with that of the paper; opaque, so that it looks the same in every format."""
    full, under = to_rgb(colour), to_rgb(paper(ax))
    r, g, b = (share * x + (1 - share) * y for x, y in zip(full, under, strict=True))
    return r, g, b


def width(ax: Axes) -> float:
    """Inches that the axes have with their labels; less than the figure where it holds several."""
    return figure_of(ax).get_figwidth() * ax.get_position(original=True).width / SHARE


def drawn(ax: Axes) -> tuple[float, float]:
    """Inches that are left for what is drawn, wide and high, beside the names and words that the axes have by now."""
    figure = figure_of(ax)
    figure.draw_without_rendering()
    box = ax.get_window_extent()
    return box.width / figure.dpi, box.height / figure.dpi


def fits(ax: Axes) -> int:
    """Characters of a name beside the axes that leave room for what is drawn."""
    return min(LONGEST, max(SHORTEST, round(LONGEST * width(ax) / USUAL)))


def caption(
    ax: Axes, text: str, side: Literal["left", "right"] = "left", *, size: float = 8, inches: float | None = None
) -> None:
    """Small print above the axes, in as many lines as it needs in so many inches."""
    room = 0.67 * width(ax) if inches is None else inches
    longest = max(20, round(LETTERS * room / size))
    ax.set_title(textwrap.fill(text, longest), fontsize=size, color=GREY, loc=side, parse_math=False)


def beside(ax: Axes, text: str, inches: float) -> str:
    """The name of an axis, in as many lines as it needs in so many inches."""
    return textwrap.fill(text, max(20, round(LETTERS * inches / mpl.rcParams["font.size"])))


def name(text: str, longest: int = LONGEST) -> str:
    """A name from outside: one line, cut, no control characters; what stands beside it stays in its order."""
    shown = formats.plain(text, longest)
    turns = any(bidirectional(letter) in ("R", "AL") for letter in shown)
    return f"{LEFT_TO_RIGHT}{shown}{LEFT_TO_RIGHT}" if turns else shown


def squared(ax: Axes, axis: Literal["both", "x", "y"] = "both") -> None:
    """Thin grey lines behind what is drawn."""
    ax.grid(axis=axis, color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)


def labelled(ax: Axes, across: str, up: str = "", **limits: tuple[float, float]) -> None:
    """Names of the axes, which may come from outside, and their ends."""
    ax.set(**({"xlabel": across} if across else {}), **({"ylabel": up} if up else {}), **limits)
    plain_text(ax.xaxis.label, ax.yaxis.label)


def in_unit_square(ax: Axes, across: str, up: str) -> None:
    """Both axes from 0 to 1, with lines behind."""
    labelled(ax, across, up, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    squared(ax)


def note(
    ax: Axes, text: str, at: tuple[float, float], shift: tuple[float, float] = (0, 0), *,
    coords: Any = "axes fraction", **look: Any,
) -> None:  # fmt: skip
    """Words beside a place, shifted by points."""
    plain_text(ax.annotate(text, at, shift, xycoords=coords, textcoords="offset points", **look))


def at_right(ax: Axes, places: Sequence[int], words: Sequence[str]) -> SecondaryAxis:
    """Words in rows at the right of the axes."""
    right = ax.secondary_yaxis("right")
    right.set_yticks(places, words)
    right.tick_params(length=0, labelsize="small")
    right.spines["right"].set_visible(False)
    return right


def plain_text(*texts: Text) -> None:
    """Text from outside is not mathematics: a dollar is a dollar."""
    for text in texts:
        text.set_parse_math(False)
