"""Violin plot: laws side by side on an upright axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from howsure.laws.law import KIND, LEVEL
from howsure.plots.density_shape import shade, shape
from howsure.plots.estimate_rows import estimate, shared_metric
from howsure.plots.ridge_plot import ridge
from howsure.plots.style import BLUE, GREY, SHARE, caption, ink, name, new_axes, on, plain_text, width
from howsure.posterior.distribution import Distribution
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind

__all__ = ["violin"]

#: So many names have room below their violins.
MOST = 12
#: Inches of a letter below a violin.
LETTER = 0.068


def violin(x: Mapping[str, Distribution], *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND) -> Axes:
    """Densities side by side, each mirrored and of its own width; bar: interval, dot: mean, tick: observed value.

    More than twelve are drawn as ridges, whose names have room.

    Parameters
    ----------
    x : mapping of name to Distribution
        From the left.
    ax : Axes, optional
        Those of a new figure if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.

    Examples
    --------
    >>> import howsure as hs
    >>> new = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> old = hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))
    >>> drawn = violin({"new": new.of("recall"), "old": old.of("recall")})
    >>> [text.get_text().splitlines()[0] for text in drawn.get_xticklabels()]
    ['new', 'old']
    """
    if len(x) > MOST:
        return ridge(x, ax=ax, level=level, kind=kind)
    ax = new_axes(ax, max(3.2, 1.2 + 1.6 * len(x)), 3.8)
    for at, known in enumerate(x.values()):
        known_shape = shape(known.law, level, kind)
        half = 0.42 * known_shape.height
        shade(ax, known_shape, at - half, at + half, BLUE, upright=True)
        ax.plot([at, at], [known_shape.low, known_shape.high], color=BLUE, lw=3.5, solid_capstyle="butt")
        ax.plot([at], [known.mean], "o", ms=5.5, color=BLUE, mec=on(ax, BLUE, 0), zorder=4)
        if known.observed is not None:
            ax.plot([at], [known.observed], "_", ms=11, mew=1.6, color=ink(ax), zorder=5)
        if known.chance is not None:
            ax.plot([at - 0.45, at + 0.45], [known.chance] * 2, color=GREY, lw=1.2, ls=(0, (4, 3)), zorder=1)
    words = [estimate(title, known, level, kind).words for title, known in x.items()]
    _names(ax, list(x), words)
    ax.set_xlim(-0.6, len(x) - 0.4)
    ax.tick_params(axis="x", length=0)
    ax.grid(axis="y", color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    ax.set_ylabel(name(shared_metric(x.values()), 40))
    plain_text(ax.yaxis.label)
    priors = ", ".join(dict.fromkeys(known.prior for known in x.values()))
    marks = "dot: mean, tick: observed" + (", dashes: chance" if any(k.chance is not None for k in x.values()) else "")
    caption(ax, f"{formats.interval_name(kind, level)}, prior {priors}; {marks}")
    return ax


def _names(ax: Axes, titles: list[str], words: list[str]) -> None:
    """Name and numbers under each violin; turned where they would run into each other."""
    room = int(SHARE * width(ax) / (LETTER * max(len(titles), 1)))
    layouts = (words, [text.replace(" (", "\n(") for text in words])
    fitting = [lines for lines in layouts if all(len(line) <= room for text in lines for line in text.splitlines())]
    shown = (
        [f"{name(title, max(room, 8))}\n{text}" for title, text in zip(titles, fitting[0], strict=True)]
        if fitting
        else [f"{name(title, 16)}  {text}" for title, text in zip(titles, words, strict=True)]
    )
    ax.set_xticks(range(len(titles)), shown, fontsize=8)
    if not fitting:
        plt.setp(ax.get_xticklabels(), rotation=40, ha="right", rotation_mode="anchor")
    plain_text(*ax.get_xticklabels())
