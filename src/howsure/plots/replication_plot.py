"""What is known about a metric, beside what a new test would show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.laws.beta_binomial import CountShare
from howsure.numerics.arrays import Floats
from howsure.plots.density_shape import shade, shape
from howsure.plots.style import BLUE, GREY, ORANGE, caption, fits, name, new_axes, on, plain_text
from howsure.posterior.knowledge import knowledge_of
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Law
    from howsure.posterior.questions import Prediction

__all__ = ["replication"]

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
        ends = law.interval(x.level, x.kind)
        places = formats.decimals(ends.low, ends.high)
        numbers = f"{formats.number(law.mean, places)} ({formats.interval(ends.low, ends.high, places)})"
        text = ax.annotate(
            f"{words}\n{numbers}",
            (1 if at_right else 0, 0.5 + 0.48 * side),
            (-2 if at_right else 2, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colour,
            weight="bold",
            fontsize=9,
            ha="right" if at_right else "left",
            va="top" if side > 0 else "bottom",
        )
        plain_text(text)
    ax.axhline(0, color=GREY, lw=0.8)
    ax.set_ylim(-1.12, 1.12)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(name(known.title, 2 * fits(ax)))
    plain_text(ax.xaxis.label)
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
