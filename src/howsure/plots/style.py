"""How every plot looks: colours that everybody can tell apart, on light and on dark, and text that is text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb

from howsure import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

__all__ = [
    "BLUE",
    "GREY",
    "ORANGE",
    "closed",
    "figure_of",
    "ink",
    "name",
    "new_axes",
    "on",
    "paper",
    "plain_text",
    "theme",
]

#: Blue, orange and grey of middling lightness: told apart by all kinds of colour vision, seen on white and on black.
BLUE, ORANGE, GREY = "#3182bd", "#e08214", "#8c8c8c"

#: Longest name that is written out.
LONGEST = 28

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


def name(text: str, longest: int = LONGEST) -> str:
    """A name from outside: one line, cut, no control characters."""
    return formats.plain(text, longest)


def plain_text(*texts: Text) -> None:
    """Text from outside is not mathematics: a dollar is a dollar."""
    for text in texts:
        text.set_parse_math(False)
