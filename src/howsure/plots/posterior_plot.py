"""Posteriors: densities, ridges and violins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D

from howsure.answers.law_summary import interval_cells
from howsure.errors import InvalidArgument
from howsure.laws.law import KIND, LEVEL, outline
from howsure.numerics.arrays import Floats
from howsure.plots.forest_plot import estimate, shared_metric
from howsure.plots.style import (
    BLUE,
    GREY,
    ORANGE,
    SHARE,
    at_right,
    caption,
    drawn,
    fits,
    ink,
    labelled,
    name,
    new_axes,
    note,
    on,
    plain_text,
    squared,
    width,
)
from howsure.posterior.distribution import Distribution
from howsure.text import formats
from howsure.text.svg import IntervalRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from howsure.laws import Kind, Law

__all__ = [
    "DensityShape",
    "posterior",
    "ridge",
    "shade",
    "shape",
    "violin",
]


# -- A density as ridges, violins and replications draw it: the part inside the interval darker ------------------------


class DensityShape(NamedTuple):
    """Where a density is, how high, and its interval."""

    at: Floats
    density: Floats
    low: float
    high: float

    @property
    def height(self) -> Floats:
        """The density with its peak at 1."""
        return self.density / np.max(self.density)


def shape(law: Law, level: float, kind: Kind) -> DensityShape:
    """The density of a law with its interval."""
    return DensityShape(*outline(law), *law.interval(level, kind))


def shade(
    ax: Axes,
    x: DensityShape,
    one: ArrayLike,
    other: ArrayLike,
    colour: str,
    *,
    upright: bool = False,
    zorder: float = 1,
) -> None:
    """Fill from one edge to the other, each a line along ``x.at``; a number that is known exactly has no inside."""
    if len(x.at) < 2:
        return
    fill = ax.fill_betweenx if upright else ax.fill_between
    inside = ((x.at >= x.low) & (x.at <= x.high)).tolist()
    fill(x.at, one, other, color=on(ax, colour, 0.14), lw=0, zorder=zorder)
    fill(x.at, one, other, where=inside, color=on(ax, colour, 0.43), lw=0, zorder=zorder)
    for edge in (one, other):
        if np.ndim(edge):
            ax.plot(*((edge, x.at) if upright else (x.at, edge)), color=colour, lw=1.3, zorder=zorder + 1)


# -- The law of one metric, or of a few: density, interval, mean, what was observed, and chance ------------------------


COLOURS = (BLUE, ORANGE, "#35978f", "#c51b7d")
#: Axes with less room than this, in inches, have a legend of two columns.
NARROW = 5.0
CHANCE = (0, (4, 3))
STYLES = ("-", (0, (5, 1.5)), (0, (2, 1)), (0, (5, 1, 1, 1)))


def posterior(
    x: Distribution | Mapping[str, Distribution], *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND
) -> Axes:
    """Density of one distribution, or of up to four together; `ridge` draws more.

    The thick line below is the interval, its dot the mean, the tick the observed value; the grey dashed line is a
    classifier without skill. Of one, mean, median and mode are lines in the density, and a legend has the numbers.

    Parameters
    ----------
    x : Distribution, or mapping of name to Distribution
        What to draw.
    ax : Axes, optional
        Those of a new figure if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.

    Raises
    ------
    InvalidArgument
        None, or more than four.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> posterior(post.of("balanced_accuracy")).get_xlabel()
    'balanced_accuracy'
    """
    known = {x.title: x} if isinstance(x, Distribution) else dict(x)
    if not 1 <= len(known) <= len(COLOURS):
        raise InvalidArgument(f"posterior() draws one to {len(COLOURS)} distributions, not {len(known)}; see ridge()")
    ax = new_axes(ax)
    alone = len(known) == 1
    outlines = [outline(each.law) for each in known.values()]
    top = max(float(np.max(density)) for _, density in outlines)
    step = 0.1 * top
    for i, ((grid, density), each) in enumerate(zip(outlines, known.values(), strict=True)):
        colour = COLOURS[i]
        low, high = each.interval(level, kind)
        if len(grid) > 1:
            ax.plot(grid, density, color=colour, lw=1.8, ls=STYLES[i])
            inside = (grid >= low) & (grid <= high)
            ax.fill_between(
                grid, density, where=inside.tolist(), color=on(ax, colour, 0.3 if alone else 0.18), lw=0, zorder=0
            )
        y = -step * (i + 0.6)
        ax.plot([low, high], [y, y], color=colour, lw=4, solid_capstyle="butt", ls="-")
        ax.plot([each.mean], [y], "o", ms=6, color=colour, mec=on(ax, colour, 0), zorder=4)
        if each.observed is not None:
            ax.plot([each.observed], [y], "|", ms=11, mew=1.6, color=ink(ax), zorder=5)
    _chance_line(ax, known, top, named=not alone)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    first = next(iter(known.values()))
    labelled(ax, name(first.title if alone else shared_metric(known.values()), 2 * fits(ax)))
    prior = f"prior {', '.join(dict.fromkeys(each.prior for each in known.values()))}"
    if alone:
        caption(ax, prior, "right")
        room = _legend(ax, first, *outlines[0], level, kind)
    else:
        caption(ax, f"{formats.interval_name(kind, level)}, {prior}; dot: mean, tick: observed", "right")
        room = _names(ax, [estimate(title, each, level, kind) for title, each in known.items()])
    ax.set_ylim(-step * (len(known) + 0.3), top * 1.06 / (1 - room))
    return ax


def _legend(ax: Axes, known: Distribution, grid: Floats, density: Floats, level: float, kind: Kind) -> float:
    """Mean, median and mode as lines in the density, and what each mark means; gives the share of the height taken."""
    error = 0.0 if known.route == "exact" else known.error
    places = formats.decimals(*known.interval(level, kind), error=error)
    handles = [
        Line2D(
            [],
            [],
            color=BLUE,
            lw=4,
            label=f"{formats.interval_name(kind, level)} {interval_cells(known.law, level, kind)[1]}",
        )
    ]
    middles = {"mean": (known.mean, "-"), "median": (known.median, (0, (4, 2))), "mode": (known.mode, (0, (1, 1.5)))}
    for word, (value, style) in middles.items():
        if np.isfinite(value):
            height = float(np.interp(value, grid, density))
            ax.plot([value, value], [0, height], color=ink(ax), lw=1.2, ls=style, zorder=1)
            handles.append(
                Line2D([], [], color=ink(ax), lw=1.2, ls=style, label=f"{word} {formats.number(value, places)}")
            )
    if known.observed is not None:
        seen = formats.number(known.observed, max(places, 3))
        handles.append(Line2D([], [], color=ink(ax), marker="|", ls="", ms=9, mew=1.6, label=f"observed {seen}"))
    if known.chance is not None:
        words = f"chance {formats.number(known.chance, max(places, 2))}"
        handles.append(Line2D([], [], color=GREY, lw=1.2, ls=CHANCE, label=words))
    columns = 3 if width(ax) > NARROW else 2
    ax.legend(handles=handles, loc="upper left", ncols=columns, frameon=False, fontsize=8, borderaxespad=0.2)
    return min(0.6, (0.1 + 0.17 * -(-len(handles) // columns)) / drawn(ax)[1])


def _names(ax: Axes, rows: list[IntervalRow]) -> float:
    """Names and numbers in the colours of the densities; gives the share of the height taken."""
    for i, row in enumerate(rows):
        words = f"{name(row.name, fits(ax))}: {row.words}"
        note(ax, words, (0, 1), (0, -4 - 13 * i), color=COLOURS[i], va="top", weight="bold", fontsize=9)
    return min(0.6, (0.1 + 13 / 72 * len(rows)) / drawn(ax)[1])


def _chance_line(ax: Axes, known: Mapping[str, Distribution], top: float, *, named: bool) -> None:
    """A line for each different value of chance that is near enough to be seen with the densities."""
    low = min(each.quantile(0.001) for each in known.values())
    high = max(each.quantile(0.999) for each in known.values())
    reach = 1.5 * (high - low)
    for value in dict.fromkeys(each.chance for each in known.values()):
        if value is not None and low - reach <= value <= high + reach:
            ax.plot([value, value], [0, top], color=GREY, lw=1.2, ls=CHANCE, zorder=0)
            if named:
                look = {"color": GREY, "fontsize": 8, "rotation": 90, "va": "top", "ha": "right"}
                note(ax, "chance", (value, top * 0.97), (-3, 0), coords="data", **look)


# -- Ridge plot: the densities of many metrics above each other on one axis --------------------------------------------


def ridge(x: Mapping[str, Distribution], *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND) -> Axes:
    """Densities in rows, each to its own height; the shaded part is the interval, the tick the observed value.

    Parameters
    ----------
    x : mapping of name to Distribution
        From the top.
    ax : Axes, optional
        Those of a new figure if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> drawn = ridge({name: post.of(name) for name in ("accuracy", "recall", "precision")})
    >>> [text.get_text() for text in drawn.get_yticklabels()]
    ['accuracy', 'recall', 'precision']
    """
    ax = new_axes(ax, 6.4, 0.9 + 0.46 * len(x))
    words = []
    for y, (title, known) in enumerate(x.items()):
        words.append(estimate(title, known, level, kind).words)
        known_shape, order = shape(known.law, level, kind), 2 * y
        shade(ax, known_shape, y - 0.86 * known_shape.height, y, BLUE, zorder=order)
        ax.plot([known.mean], [y], "o", ms=4.5, color=BLUE, zorder=order + 1)
        if known.observed is not None:
            ax.plot([known.observed], [y - 0.07], "|", ms=8, mew=1.3, color=ink(ax), zorder=order + 1)
        if known.chance is not None:
            ax.plot([known.chance] * 2, [y, y - 0.8], color=GREY, lw=1.2, ls=(0, (2, 1.5)), zorder=order + 1)
    ax.set_ylim(len(x) - 0.75, -1.0)
    ax.set_yticks(range(len(x)), [name(title, fits(ax)) for title in x])
    plain_text(*ax.get_yticklabels())
    at_right(ax, range(len(x)), words)
    ax.tick_params(axis="y", length=0)
    squared(ax)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(f"density, mean and {formats.interval_name(kind, level)}")
    return ax


# -- Violin plot: laws side by side on an upright axis -----------------------------------------------------------------


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
    _names_violin_plot(ax, list(x), words)
    ax.set_xlim(-0.6, len(x) - 0.4)
    ax.tick_params(axis="x", length=0)
    squared(ax, "y")
    labelled(ax, "", name(shared_metric(x.values()), 40))
    priors = ", ".join(dict.fromkeys(known.prior for known in x.values()))
    marks = "dot: mean, tick: observed" + (", dashes: chance" if any(k.chance is not None for k in x.values()) else "")
    caption(ax, f"{formats.interval_name(kind, level)}, prior {priors}; {marks}")
    return ax


def _names_violin_plot(ax: Axes, titles: list[str], words: list[str]) -> None:
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
