"""The confusion matrix: counts, shares of the true class, and how uncertain each share is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from howsure import formats
from howsure.confusions import commonest
from howsure.plots.cells import share_laws
from howsure.plots.rows import Estimate, draw_rows
from howsure.plots.style import BLUE, ORANGE, caption, figure_of, fits, name, new_axes, on, plain_text, width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind, Law
    from howsure.posterior import Posterior

__all__ = ["confusion", "worst_confusions"]

#: Above this many classes cells are too small for numbers.
MOST_CLASSES = 20
#: Up to this many classes a cell has room for its share and its interval, if it has so many inches.
ROOMY, SMALLEST = 8, 0.62


def confusion(x: Posterior, *, ax: Axes | None = None, level: float = 0.95, kind: Kind = "hdi") -> Axes:
    """Counts in their table, rows truth; the colour is the share of the true class, blue right and orange wrong.

    In a cell: the count, its share of the true class, and a bar from 0 to 1 that shows the interval of that share.
    Above 20 classes a heat map, with the ten commonest confusions beside it if the figure is a new one.

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
    size = x.size
    large = size > MOST_CLASSES
    if ax is None and large:
        _, (ax, beside) = plt.subplots(1, 2, figsize=(11.5, 5.2), layout="constrained", width_ratios=[1.15, 1])
        worst_confusions(x, ax=beside, level=level, kind=kind)
        caption(beside, "the commonest confusions; dot: mean, tick: observed")
    ax = new_axes(ax, 1.6 + 1.05 * min(size, 9), 1.2 + 0.9 * min(size, 9))
    inches = min(width(ax), 1.3 * figure_of(ax).get_figheight()) / size
    roomy = size <= ROOMY and inches >= SMALLEST
    counts = x.confusion.counts.astype(float)
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(counts / counts.sum(axis=1, keepdims=True))
    signed = np.where(np.eye(size, dtype=bool), shares, -shares)
    colours = LinearSegmentedColormap.from_list("cells", [on(ax, ORANGE, 0.85), on(ax, ORANGE, 0), on(ax, BLUE, 0.85)])
    ax.imshow(signed, cmap=colours, vmin=-1, vmax=1, aspect="auto")
    for side in ax.spines.values():
        side.set_visible(False)
    if large:
        step = max(1, size // 15)
        ticks = list(range(0, size, step))
        ax.tick_params(labelsize=7)
    else:
        ticks = list(range(size))
        cells = [(i, j) for i in range(size) for j in range(size)]
        laws = share_laws(x, cells) if roomy else [None] * len(cells)
        for (i, j), law in zip(cells, laws, strict=True):
            _cell(ax, x, i, j, share=shares[i, j], law=law, level=level, kind=kind)
    sizes = x.confusion.class_sizes
    cramped = large or inches < SMALLEST
    longest = fits(ax) if size <= 6 and not cramped else 14
    ax.set_yticks(ticks, [name(x.labels[i], longest) + ("" if cramped else f"\nn = {sizes[i]:,d}") for i in ticks])
    turned = max(len(name(x.labels[i], longest)) for i in ticks) > (11 if size <= 4 else 6)
    ax.set_xticks(ticks, [name(x.labels[i], longest) for i in ticks])
    if turned:
        plt.setp(ax.get_xticklabels(), rotation=40, ha="right", rotation_mode="anchor")
    plain_text(*ax.get_xticklabels(), *ax.get_yticklabels())
    ax.tick_params(length=0)
    ax.set_xlabel("predicted class")
    ax.set_ylabel("true class")
    note = "counts and shares of the true class"
    if roomy:
        note += f"; bars: {formats.interval_name(kind, level)} of the share, prior {x.prior_name}"
    caption(ax, note, room=0.7)
    return ax


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
    ax.text(j, i + 0.1, f"{100 * share:.0f} %", ha="center", va="center", color=dark, fontsize=8)
    low, high = law.interval(level, kind)
    left, width, y = j - 0.38, 0.76, i + 0.31
    ax.add_patch(Rectangle((left, y), width, 0.06, fc="none", ec=dark, lw=0.6))
    ax.add_patch(Rectangle((left + width * low, y), max(width * (high - low), 0.008), 0.06, fc=dark, lw=0))


def worst_confusions(
    x: Posterior, *, ax: Axes | None = None, most: int = 10, level: float = 0.95, kind: Kind = "hdi"
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
    rows = []
    for (i, j, count), law in zip(worst, share_laws(x, [(i, j) for i, j, _ in worst]), strict=True):
        low, high = law.interval(level, kind)
        title = f"{formats.plain(x.labels[i], 12)} called {formats.plain(x.labels[j], 12)}"
        rows.append(Estimate(title, law.mean, low, high, count / int(x.confusion.class_sizes[i])))
    return draw_rows(
        rows, ax, f"share of the true class, {formats.interval_name(kind, level)}", colours=[ORANGE] * len(rows)
    )
