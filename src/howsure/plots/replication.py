"""What is known about a metric, beside what a new test would show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure import formats
from howsure.laws.outline import outline
from howsure.plots.style import BLUE, GREY, ORANGE, caption, fits, name, new_axes, on, plain_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.questions import Prediction

__all__ = ["replication"]


def replication(x: Prediction, metric: str, *, ax: Axes | None = None) -> Axes:
    """The law of a metric (above) and of the value that a new test will give (below), on one axis.

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
    known = x.asked.quietly(metric, draws=x.draws, seed=x.seed)
    cases = formats.integer(x.n)
    laws = ((known.law, 1, BLUE, "what is known"), (x.of(metric), -1, ORANGE, f"seen in {cases} new cases"))
    grids = [outline(law) for law, *_ in laws]
    for (law, side, colour, words), (grid, density) in zip(laws, grids, strict=True):
        height = side * density / max(float(np.max(each)) for _, each in grids)
        low, high = law.interval(x.level, x.kind)
        inside = (grid >= low) & (grid <= high)
        ax.fill_between(grid, height, color=on(ax, colour, 0.15), lw=0)
        ax.fill_between(grid, height, where=inside.tolist(), color=on(ax, colour, 0.45), lw=0)
        ax.plot(grid, height, color=colour, lw=1.3)
        places = formats.decimals(low, high)
        numbers = f"{formats.number(law.mean, places)} ({formats.interval(low, high, places)})"
        text = ax.annotate(
            f"{words}\n{numbers}",
            (0, 0.5),
            (2, 14 * side),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colour,
            weight="bold",
            fontsize=9,
            va="bottom" if side > 0 else "top",
        )
        plain_text(text)
    ax.axhline(0, color=GREY, lw=0.8)
    ax.set_ylim(-1.08, 1.08)
    left, right = min(grid[0] for grid, _ in grids), max(grid[-1] for grid, _ in grids)
    ax.set_xlim(left - 0.35 * (right - left), right + 0.03 * (right - left))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(name(known.title, 2 * fits(ax)))
    plain_text(ax.xaxis.label)
    caption(ax, formats.interval_name(x.kind, x.level), "right")
    return ax
