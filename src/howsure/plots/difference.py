"""The difference of two classifiers, cut at the region of practical equivalence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from howsure import formats
from howsure.laws import Draws
from howsure.laws.outline import outline
from howsure.plots.rows import estimate
from howsure.plots.style import BLUE, GREY, ORANGE, ink, name, new_axes, on, plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.compare import Comparison

__all__ = ["difference"]

Floats = NDArray[np.float64]


def difference(x: Comparison, *, ax: Axes | None = None) -> Axes:
    """Density of A minus B: blue where A is better, orange where B is, grey where the difference is practically nil.

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
    ax.set_ylim(-0.16 * top, 1.32 * top)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    _chances(ax, x)
    a, b = (name(each, 20) for each in x.names)
    ax.set_xlabel(f"{name(x.metric)}: {a} minus {b}")
    pairing = "paired" if x.paired else "separate test sets"
    ax.set_title(
        f"{row.words} {formats.interval_name(x.kind, x.level)}, {pairing}, prior {x.prior}",
        fontsize=8,
        color=GREY,
        loc="right",
    )
    plain_text(ax.xaxis.label)
    return ax


def _with(grid: Floats, density: Floats, cuts: tuple[float, float]) -> tuple[Floats, Floats]:
    """The grid with the cuts among its points, so that colours meet there."""
    inside = [cut for cut in cuts if grid[0] < cut < grid[-1]]
    full = np.unique(np.concatenate([grid, inside]))
    return full, np.interp(full, grid, density)


def _chances(ax: Axes, x: Comparison) -> None:
    """The probabilities, each on its own side; A is blue."""
    draws = x.difference.law.n if isinstance(x.difference.law, Draws) else None
    a, b = (name(each, 18) for each in x.names)
    sides = [(x.p_worse, f"{b} better", ORANGE), (x.p_better, f"{a} better", BLUE)]
    if not x.higher_is_better:
        sides.reverse()
    for place, (p, words, colour) in zip(("left", "right"), sides, strict=True):
        text = ax.annotate(
            f"{words}\n{formats.probability(p, draws)}",
            (0.0 if place == "left" else 1.0, 0.99),
            xycoords="axes fraction",
            ha=place,
            va="top",
            color=colour,
            weight="bold",
            fontsize=9,
        )
        plain_text(text)
    if x.rope:
        ax.annotate(
            f"practically equal (within {x.rope:g})\n{formats.probability(x.p_equal, draws)}",
            (0.5, 0.99),
            xycoords="axes fraction",
            ha="center",
            va="top",
            color=GREY,
            weight="bold",
            fontsize=9,
        )
