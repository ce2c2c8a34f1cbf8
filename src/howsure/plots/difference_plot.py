"""The difference of two classifiers, cut at the region of practical equivalence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.laws import Draws
from howsure.laws.law import outline
from howsure.numerics.arrays import Floats
from howsure.plots.forest_plot import estimate
from howsure.plots.style import BLUE, GREY, ORANGE, caption, fits, ink, labelled, name, new_axes, note, on, width
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.questions.comparison import Comparison

__all__ = ["difference"]


#: Axes with less room than this, in inches, have their words in more lines.
NARROW = 5.0


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
