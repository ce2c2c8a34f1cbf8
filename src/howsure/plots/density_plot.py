"""Densities: posteriors, ridges and violins, a difference, a second test, a survey."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D

from howsure.answers.fields import interval_cells
from howsure.errors import InvalidArgument
from howsure.laws import Draws
from howsure.laws.draws import CountShare
from howsure.laws.law import KIND, LEVEL, outline
from howsure.numerics.arrays import Floats
from howsure.plots.row_plot import estimate, shared_metric
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
from howsure.posterior.knowledge import knowledge_of
from howsure.reporting.survey import SUSPECT, Survey
from howsure.text import formats
from howsure.text.svg import IntervalRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from howsure.laws import Kind, Law
    from howsure.posterior.questions import Prediction
    from howsure.questions.comparison import Comparison


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
    ends = f"{formats.interval_name(kind, level)} {interval_cells(known.law, level, kind)[1]}"
    handles = [Line2D([], [], color=BLUE, lw=4, label=ends)]
    middles = {"mean": (known.mean, "-"), "median": (known.median, (0, (4, 2))), "mode": (known.mode, (0, (1, 1.5)))}
    for word, (value, style) in middles.items():
        if np.isfinite(value):
            height = float(np.interp(value, grid, density))
            ax.plot([value, value], [0, height], color=ink(ax), lw=1.2, ls=style, zorder=1)
            label = f"{word} {formats.number(value, places)}"
            handles.append(Line2D([], [], color=ink(ax), lw=1.2, ls=style, label=label))
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


def difference(x: Comparison, *, ax: Axes | None = None) -> Axes:
    """Density of A minus B: blue where A is better, orange where B is, grey where the difference is negligible.

    Parameters
    ----------
    x : Comparison
        From `howsure.compare`.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> one, two = (hs.infer(hs.ConfusionMatrix(m)) for m in ([[45, 5], [8, 42]], [[40, 10], [9, 41]]))
    >>> difference(hs.compare(one, two, metric="accuracy", rope=0.01)).get_xlabel()
    'accuracy: A minus B'
    """
    ax = new_axes(ax, 6.4, 3.2)
    known, rope = x.difference, x.rope or 0.0
    grid, density = outline(known.law, 401)
    top = float(np.max(density))
    better, worse = (BLUE, ORANGE) if x.higher_is_better else (ORANGE, BLUE)
    if len(grid) > 1:
        grid, density = _with(grid, density, (-rope, rope))
        for keep, colour in ((grid >= rope, better), (np.abs(grid) <= rope, GREY), (grid <= -rope, worse)):
            ax.fill_between(grid, density, where=keep.tolist(), color=on(ax, colour, 0.45), lw=0)
        ax.plot(grid, density, color=ink(ax), lw=1.3)
    if rope:
        ax.axvspan(-rope, rope, color=on(ax, GREY, 0.2), zorder=0, lw=0)
    ax.axvline(0, color=GREY, lw=1)
    row, (low, high) = estimate("", known, x.level, x.kind), known.interval(x.level, x.kind)
    y = -0.07 * top
    ax.plot([low, high], [y, y], color=ink(ax), lw=3.5, solid_capstyle="butt")
    ax.plot([known.mean], [y], "o", ms=6, color=ink(ax), mec=on(ax, BLUE, 0), zorder=4)
    if x.observed is not None:
        ax.plot([x.observed], [y], "|", ms=11, mew=1.6, color=GREY, zorder=5)
    ax.set_ylim(-0.16 * top, (1.32 if width(ax) > NARROW else 1.7) * top)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    _chances(ax, x)
    a, b = (name(each, round(0.7 * fits(ax))) for each in x.names)
    gap = ": " if width(ax) > NARROW else ":\n"
    labelled(ax, f"{name(x.metric, fits(ax))}{gap}{a} minus {b}")
    pairing = "paired" if x.paired else "separate test sets"
    caption(ax, f"{row.words} {formats.interval_name(x.kind, x.level)}, {pairing}, prior {x.prior}", "right")
    return ax


def _with(grid: Floats, density: Floats, cuts: tuple[float, float]) -> tuple[Floats, Floats]:
    """The grid with the cuts among its points, so that colours meet there."""
    inside = [cut for cut in cuts if grid[0] < cut < grid[-1]]
    full = np.unique(np.concatenate([grid, inside]))
    return full, np.interp(full, grid, density)


def _chances(ax: Axes, x: Comparison) -> None:
    """The probabilities, each on its own side; A is blue."""
    draws = x.difference.law.n if isinstance(x.difference.law, Draws) else None
    gap = " " if width(ax) > NARROW else "\n"
    a, b = (name(each, round(0.65 * fits(ax))) for each in x.names)
    sides = [(x.p_worse, f"{b}{gap}better", ORANGE), (x.p_better, f"{a}{gap}better", BLUE)]
    if not x.higher_is_better:
        sides.reverse()
    captions = [("left", 0.0, *sides[0]), ("right", 1.0, *sides[1])]
    if x.rope:
        captions.append(("center", 0.5, x.p_equal, f"practically equal{gap}(within {x.rope:g})", GREY))
    for side, at, p, words, colour in captions:
        look: dict[str, Any] = {"ha": side, "va": "top", "color": colour, "weight": "bold"}
        look["fontsize"] = 9 if gap == " " else 7.5
        note(ax, f"{words}\n{formats.probability(p, draws)}", (at, 0.99), **look)


# -- What is known about a metric, beside what a new test would show ---------------------------------------------------


#: Up to so many cases every value that a new test can give has a bar of its own.
MOST_BARS = 60


def replication(x: Prediction, metric: str, *, ax: Axes | None = None) -> Axes:
    """What is known of a metric (above) and the values that a new test will give (below), on one axis.

    Each to its own height; what lies in the interval is darker.

    Parameters
    ----------
    x : Prediction
        From ``posterior.predict()``.
    metric : str
        In the grammar of metrics.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> replication(post.predict([50, 50]), "recall@ill").get_xlabel()
    'recall@ill'
    """
    ax = new_axes(ax, 6.2, 3.2)
    known = knowledge_of(x.asked).of(metric, draws=x.draws, seed=x.seed)
    new, cases = x.of(metric), formats.integer(x.n)
    seen, before = _bars(new), shape(known.law, x.level, x.kind)
    shade(ax, before, before.height, 0, BLUE)
    low, high = new.interval(x.level, x.kind)
    inside = (seen.middle >= low) & (seen.middle <= high)
    colours = [on(ax, ORANGE, 0.75 if dark else 0.3) for dark in inside]
    ax.bar(seen.left, -seen.height / seen.height.max(), seen.width, align="edge", color=colours, lw=0)
    left, right = min(before.at[0], seen.left[0]), max(before.at[-1], seen.left[-1] + seen.width)
    at_right = known.mean < (left + right) / 2
    room = 0.35 * (right - left)
    first, last = known.law.support
    ax.set_xlim(max(first, left - (0 if at_right else room)), min(last, right + (room if at_right else 0)))
    for side, law, colour, words in (
        (1, known.law, BLUE, "what is known"),
        (-1, new, ORANGE, f"seen in {cases} new case{'s' if x.n != 1 else ''}"),
    ):
        numbers = formats.estimate(law.mean, *law.interval(x.level, x.kind))
        place, shift = (1 if at_right else 0, 0.5 + 0.48 * side), (-2 if at_right else 2, 0)
        aligned = {"ha": "right" if at_right else "left", "va": "top" if side > 0 else "bottom"}
        note(ax, f"{words}\n{numbers}", place, shift, color=colour, weight="bold", fontsize=9, **aligned)
    ax.axhline(0, color=GREY, lw=0.8)
    ax.set_ylim(-1.12, 1.12)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    labelled(ax, name(known.title, 2 * fits(ax)))
    caption(ax, formats.interval_name(x.kind, x.level), "right")
    return ax


class Bars(NamedTuple):
    """Where the values of a new test lie: bars of one width, each as high as it is probable."""

    left: Floats
    middle: Floats
    height: Floats
    width: float


def _bars(law: Law) -> Bars:
    """A bar for each value of a share of so many cases, where they are few, or for a stretch of values; all inside."""
    first, last = law.support
    if isinstance(law, CountShare) and law.n <= MOST_BARS:
        shown = np.flatnonzero(law.pmf > 1e-4 * law.pmf.max())
        shown = np.arange(shown[0], shown[-1] + 1)
        middle, width = shown / law.n, min(0.6 / law.n, 0.04)
        return Bars(np.clip(middle - width / 2, first, last - width), middle, law.pmf[shown], width)
    low, high = (float(x) for x in law.quantile([1e-3, 1 - 1e-3]))
    low, high = (low, high) if high > low else (low - 0.5, high + 0.5)
    edges = np.linspace(low, high, MOST_BARS // 2 + 1)
    # an atom on an edge belongs to one bar: that on its left, and the first edge to the first bar
    cdf = np.asarray(law.cdf(edges))
    cdf[0] = 0.0
    return Bars(edges[:-1], (edges[:-1] + edges[1:]) / 2, np.diff(cdf), float(edges[1] - edges[0]))


# -- Many classifiers at a glance: cases, the posterior of informedness, and the probability that each deceives --------


#: Rows that are legible on one figure.
MOST_ROWS = 60


def survey(x: Survey, *, ax: Axes | None = None) -> Axes:
    """Cases (left), posterior of informedness (its part below chance orange) and P(deceptive) (right), in rows.

    Parameters
    ----------
    x : Survey
        From `howsure.survey`.
    ax : Axes, optional
        Those of a new figure if left out.

    Notes
    -----
    The main figure of Toetsch and Hoffmann 2021 (3 C), turned so that names stand upright.

    Examples
    --------
    >>> import howsure as hs
    >>> published = {"a": hs.ConfusionMatrix.from_counts(tp=28, fn=9, fp=4, tn=3)}
    >>> survey(hs.survey(published)).get_yticklabels()[0].get_text()
    'a  n = 44'
    """
    rows = x.rows[:MOST_ROWS]
    ax = new_axes(ax, 6.4, 1.2 + 0.3 * len(rows))
    for y, row in enumerate(rows):
        drawn, order = shape(row.informedness, LEVEL, KIND), 2 * y
        edge = y - 0.84 * drawn.height
        shade(ax, drawn, edge, y, BLUE, zorder=order)
        below = drawn.at <= -x.margin
        if below.any() and len(drawn.at) > 1:
            ax.fill_between(
                drawn.at, edge, y, where=below.tolist(), color=on(ax, ORANGE, 0.75), lw=0, zorder=order + 0.5
            )
        ax.plot([row.informedness.mean], [y], "o", ms=4, color=ink(ax), zorder=order + 1)
    ax.axvline(-x.margin, color=GREY, lw=1.2, ls=(0, (4, 3)), zorder=0)
    ax.set_ylim(len(rows) - 0.7, -1.0)
    ax.set_yticks(range(len(rows)), [f"{name(row.name, fits(ax))}  n = {formats.integer(row.n)}" for row in rows])
    plain_text(*ax.get_yticklabels())
    right = at_right(ax, range(len(rows)), [formats.probability(row.deceptive) for row in rows])
    right.set_ylabel("P(deceptive)", color=ORANGE)
    for label, row in zip(right.get_yticklabels(), rows, strict=True):
        if row.deceptive >= SUSPECT:
            label.set(color=ORANGE, weight="bold")
    ax.tick_params(axis="y", length=0, labelsize="small")
    squared(ax, "x")
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("informedness (TPR + TNR - 1)")
    marks = f"dot: mean, dark: {formats.interval_name(KIND, LEVEL)}, dashes: guessing, orange: worse than guessing"
    more = f"; the first {len(rows)} of {len(x.rows)}" if len(rows) < len(x.rows) else ""
    caption(ax, f"{marks}; prior {x.prior}{more}", size=7, inches=0.8 * width(ax))
    return ax
