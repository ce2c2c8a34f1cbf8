"""A confusion matrix and its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from howsure.answers.law_summary import law_row
from howsure.data.confusion import commonest
from howsure.laws import Draws, Law
from howsure.laws.law import KIND, LEVEL
from howsure.plots.forest_plot import draw_rows
from howsure.plots.style import BLUE, ORANGE, caption, drawn, figure_of, fits, name, new_axes, on, plain_text, width
from howsure.posterior.knowledge import knowledge_of
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind, Law
    from howsure.posterior.posterior import Posterior

__all__ = [
    "confusion",
    "share_laws",
    "worst_confusions",
]


# -- What is known about single cells of a confusion matrix ------------------------------------------------------------


#: Tables for cells whose law does not close.
TABLES = 4_000


def share_laws(posterior: Posterior, cells: Sequence[tuple[int, int]]) -> list[Law]:
    """Law of the share of true class i that is called j, for each cell (i, j).

    Exact where a row of the posterior is a Dirichlet; from joint tables where it is a mixture of them.
    """
    knowledge = knowledge_of(posterior)
    exact: list[Law | None] = [knowledge.linear(np.eye(knowledge.size)[[j]], rows=[i]) for i, j in cells]
    known = [law for law in exact if law is not None]
    if len(known) == len(cells):
        return known
    index = np.array(cells).reshape(-1, 2)
    parts = []
    for tables in knowledge.tables(TABLES):
        with np.errstate(invalid="ignore"):
            parts.append(tables[:, index[:, 0], index[:, 1]] / tables.sum(axis=2)[:, index[:, 0]])
    shares = np.concatenate(parts)
    return [Draws(column, support=(0.0, 1.0)) for column in shares.T]


# -- The confusion matrix: counts, shares of the true class, and how uncertain each share is ---------------------------


#: Above this many classes cells are too small for numbers.
MOST_CLASSES = 20
#: Up to this many classes a cell has room for its share and its interval, if it is so many inches wide and high.
ROOMY, WIDE_CELL, TALL_CELL = 8, 0.45, 0.5
#: Inches of a class below which its name is cut, and its size left out.
SMALLEST = 0.62
#: Letters of either name of a confusion.
LONGEST_PART, SHORTEST_PART = 12, 6


def confusion(x: Posterior, *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND) -> Axes:
    """Counts in their table, rows truth; the colour is the share of the true class, blue right and orange wrong.

    In a cell: the count, its share of the true class, and a bar from 0 to 1 that shows the interval of that share.
    Above 20 classes a heat map, with the ten commonest confusions next to it if the figure is a new one.

    Parameters
    ----------
    x : Posterior
        From `howsure.infer`.
    ax : Axes, optional
        Those of a new figure if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> confusion(post).get_ylabel()
    'true class'
    """
    size = len(x.labels)
    large = size > MOST_CLASSES
    if ax is None and large:
        _, (ax, beside) = plt.subplots(1, 2, figsize=(11.5, 5.2), layout="constrained", width_ratios=[1.15, 1])
        worst_confusions(x, ax=beside, level=level, kind=kind)
        caption(beside, "the commonest confusions; dot: mean, tick: observed")
    ax = new_axes(ax, 1.6 + 1.05 * min(size, 9), 1.2 + 0.9 * min(size, 9))
    counts = x.confusion.counts.astype(float)
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(counts / counts.sum(axis=1, keepdims=True))
    signed = np.where(np.eye(size, dtype=bool), shares, -shares)
    colours = LinearSegmentedColormap.from_list("cells", [on(ax, ORANGE, 0.85), on(ax, ORANGE, 0), on(ax, BLUE, 0.85)])
    ax.imshow(signed, cmap=colours, vmin=-1, vmax=1, aspect="auto")
    for side in ax.spines.values():
        side.set_visible(False)
    _class_names(ax, x)
    wide, _ = drawn(ax)
    note = "counts and shares of the true class"
    bars = f"{note}; bars: {formats.interval_name(kind, level)} of the share, prior {knowledge_of(x).prior_name}"
    caption(ax, bars, inches=wide)
    wide, high = drawn(ax)
    roomy = size <= ROOMY and wide > WIDE_CELL * size and high > TALL_CELL * size
    if not roomy:
        caption(ax, note, inches=wide)
    if not large:
        cells = [(i, j) for i in range(size) for j in range(size)]
        laws = share_laws(x, cells) if roomy else [None] * len(cells)
        for (i, j), law in zip(cells, laws, strict=True):
            _cell(ax, x, i, j, share=shares[i, j], law=law, level=level, kind=kind)
    return ax


def _class_names(ax: Axes, x: Posterior) -> None:
    """Names of the classes on both axes, with the sizes of the true ones where there is room."""
    size, sizes = len(x.labels), x.confusion.class_sizes
    large = size > MOST_CLASSES
    ticks = list(range(0, size, max(1, size // 15) if large else 1))
    cramped = large or min(width(ax), 1.3 * figure_of(ax).get_figheight()) < SMALLEST * size
    longest = fits(ax) if size <= 6 and not cramped else 14
    names = [name(x.labels[i], longest) for i in ticks]
    ax.set_yticks(
        ticks, names if cramped else [f"{each}\nn = {sizes[i]:,d}" for each, i in zip(names, ticks, strict=True)]
    )
    ax.set_xticks(ticks, names)
    if max(map(len, names)) > (11 if size <= 4 else 6):
        plt.setp(ax.get_xticklabels(), rotation=40, ha="right", rotation_mode="anchor")
    plain_text(*ax.get_xticklabels(), *ax.get_yticklabels())
    ax.tick_params(length=0, labelsize=7 if large else "medium")
    ax.set_xlabel("predicted class")
    ax.set_ylabel("true class")


def _cell(ax: Axes, x: Posterior, i: int, j: int, *, share: float, law: Law | None, level: float, kind: Kind) -> None:
    """Count and, where there is room, share and interval of one cell."""
    count = int(x.confusion.counts[i, j])
    # the cell's colour, not the page's, decides what can be read on it
    dark = "#222222" if sum(on(ax, BLUE if i == j else ORANGE, 0.85 * share)) > 1.35 else "#ffffff"
    roomy = law is not None
    ax.text(
        j,
        i - (0.17 if roomy else 0),
        formats.integer(count),
        ha="center",
        va="center",
        color=dark,
        weight="bold" if i == j else "normal",
        fontsize=11 if roomy else 7,
    )
    if law is None:
        return
    ax.text(j, i + 0.1, f"{100 * share:.0f}%", ha="center", va="center", color=dark, fontsize=8)
    low, high = law.interval(level, kind)
    left, width, y = j - 0.38, 0.76, i + 0.31
    ax.add_patch(Rectangle((left, y), width, 0.06, fc="none", ec=dark, lw=0.6))
    ax.add_patch(Rectangle((left + width * low, y), max(width * (high - low), 0.008), 0.06, fc=dark, lw=0))


def worst_confusions(
    x: Posterior, *, ax: Axes | None = None, most: int = 10, level: float = LEVEL, kind: Kind = KIND
) -> Axes:
    """The commonest confusions, as shares of their true class with intervals.

    Parameters
    ----------
    x : Posterior
        From `howsure.infer`.
    ax : Axes, optional
        Those of a new figure if left out.
    most : int
        How many.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    """
    worst = commonest(x.confusion, most)
    part = LONGEST_PART if ax is None else max(SHORTEST_PART, (fits(ax) - 8) // 2)
    rows = []
    for (i, j, count), law in zip(worst, share_laws(x, [(i, j) for i, j, _ in worst]), strict=True):
        title = f"{formats.plain(x.labels[i], part)} predicted {formats.plain(x.labels[j], part)}"
        rows.append(law_row(title, law, level, kind, observed=count / int(x.confusion.class_sizes[i]), colour=ORANGE))
    about = f"share of the true class, {formats.interval_name(kind, level)}"
    return draw_rows(rows, ax, about, longest=2 * LONGEST_PART + 8)
