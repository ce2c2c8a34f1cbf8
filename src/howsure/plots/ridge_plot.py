"""Ridge plot: the densities of many metrics above each other on one axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from howsure.laws.law import KIND, LEVEL
from howsure.plots.density_shape import shade, shape
from howsure.plots.estimate_rows import estimate
from howsure.plots.style import BLUE, GREY, fits, ink, name, new_axes, plain_text
from howsure.posterior.distribution import Distribution
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind

__all__ = ["ridge"]


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
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(x)), words)
    right.tick_params(length=0, labelsize="small")
    right.spines["right"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="both", color=GREY, alpha=0.25, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel(f"density, mean and {formats.interval_name(kind, level)}")
    return ax
