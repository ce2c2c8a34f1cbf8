"""Many classifiers at a glance: cases, the posterior of informedness, and the probability that each deceives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.laws.law import KIND, LEVEL
from howsure.plots.density_shape import shade, shape
from howsure.plots.style import BLUE, GREY, ORANGE, caption, fits, ink, name, new_axes, on, plain_text, width
from howsure.reporting.survey import SUSPECT, Survey
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["survey"]

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
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(rows)), [formats.probability(row.deceptive) for row in rows])
    right.set_ylabel("P(deceptive)", color=ORANGE)
    right.tick_params(length=0, labelsize="small")
    for label, row in zip(right.get_yticklabels(), rows, strict=True):
        if row.deceptive >= SUSPECT:
            label.set(color=ORANGE, weight="bold")
    right.spines["right"].set_visible(False)
    ax.tick_params(axis="y", length=0, labelsize="small")
    ax.grid(axis="x", color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("informedness (TPR + TNR - 1)")
    marks = f"dot: mean, dark: {formats.interval_name(KIND, LEVEL)}, dashes: guessing, orange: worse than guessing"
    more = f"; the first {len(rows)} of {len(x.rows)}" if len(rows) < len(x.rows) else ""
    caption(ax, f"{marks}; prior {x.prior}{more}", size=7, inches=0.8 * width(ax))
    return ax
