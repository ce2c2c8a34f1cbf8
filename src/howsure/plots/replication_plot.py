"""What is known about a metric, beside what a new test would show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.plots.density_shape import shade, shape
from howsure.plots.style import BLUE, GREY, ORANGE, caption, fits, name, new_axes, plain_text
from howsure.posterior.knowledge import knowledge_of
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.posterior.questions import Prediction

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
    known = knowledge_of(x.asked).of(metric, draws=x.draws, seed=x.seed)
    cases = formats.integer(x.n)
    laws = ((known.law, 1, BLUE, "what is known"), (x.of(metric), -1, ORANGE, f"seen in {cases} new cases"))
    shapes = [shape(law, x.level, x.kind) for law, *_ in laws]
    top = max(float(np.max(each.density)) for each in shapes)
    for (law, side, colour, words), drawn in zip(laws, shapes, strict=True):
        shade(ax, drawn, side * drawn.density / top, 0, colour)
        places = formats.decimals(drawn.low, drawn.high)
        numbers = f"{formats.number(law.mean, places)} ({formats.interval(drawn.low, drawn.high, places)})"
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
    left, right = min(each.at[0] for each in shapes), max(each.at[-1] for each in shapes)
    ax.set_xlim(left - 0.35 * (right - left), right + 0.03 * (right - left))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(name(known.title, 2 * fits(ax)))
    plain_text(ax.xaxis.label)
    caption(ax, formats.interval_name(x.kind, x.level), "right")
    return ax
