"""The law of one metric, or of a few: density, interval, mean, what was observed, and chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import InvalidArgument
from howsure.laws.law import KIND, LEVEL
from howsure.laws.outline import outline
from howsure.plots.estimate_rows import estimate, shared_metric
from howsure.plots.style import BLUE, GREY, ORANGE, caption, fits, ink, name, new_axes, on, plain_text
from howsure.posterior.distribution import Distribution
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind

__all__ = ["posterior"]

COLOURS = (BLUE, ORANGE, "#35978f", "#c51b7d")
STYLES = ("-", (0, (5, 1.5)), (0, (2, 1)), (0, (5, 1, 1, 1)))


def posterior(
    x: Distribution | Mapping[str, Distribution], *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND
) -> Axes:
    """Density of one distribution, or of up to four together; `ridge` draws more.

    The thick line below is the interval, its dot the mean, the tick the observed value; the dashed line is a
    classifier without skill.

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
    top = max(np.max(outline(each.law)[1]) for each in known.values())
    step = 0.1 * top
    for i, (title, each) in enumerate(known.items()):
        colour = COLOURS[i]
        row, (low, high) = estimate(title, each, level, kind), each.interval(level, kind)
        grid, density = outline(each.law)
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
        text = ax.annotate(
            f"{name(title, fits(ax))}: {row.words}",
            (0, 1),
            (0, -4 - 13 * i),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colour if not alone else ink(ax),
            va="top",
            weight="bold",
            fontsize=9,
        )
        plain_text(text)
    _chance_line(ax, known, top)
    ax.set_ylim(-step * (len(known) + 0.3), top * (1.08 + 0.13 * len(known)))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    shared = next(iter(known.values())).title if alone else shared_metric(known.values())
    ax.set_xlabel(name(shared, 2 * fits(ax)))
    plain_text(ax.xaxis.label)
    priors = ", ".join(dict.fromkeys(each.prior for each in known.values()))
    caption(ax, f"{formats.interval_name(kind, level)}, prior {priors}", "right")
    return ax


def _chance_line(ax: Axes, known: Mapping[str, Distribution], top: float) -> None:
    """A line for each different value of chance that is near enough to be seen with the densities."""
    low = min(each.quantile(0.001) for each in known.values())
    high = max(each.quantile(0.999) for each in known.values())
    reach = 1.5 * (high - low)
    for value in dict.fromkeys(each.chance for each in known.values()):
        if value is not None and low - reach <= value <= high + reach:
            ax.plot([value, value], [0, top], color=GREY, lw=1.2, ls=(0, (4, 3)), zorder=0)
            ax.annotate(
                "chance",
                (value, top * 0.97),
                (-3, 0),
                textcoords="offset points",
                color=GREY,
                fontsize=8,
                rotation=90,
                va="top",
                ha="right",
            )
