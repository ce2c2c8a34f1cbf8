"""A density as ridges, violins and replications draw it: the part inside the interval darker."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.laws.outline import outline
from howsure.numerics.arrays import Floats
from howsure.plots.style import on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from howsure.laws import Kind, Law

__all__ = ["DensityShape", "shade", "shape"]


class DensityShape(NamedTuple):
    """Where a density is, how high, and its interval."""

    at: Floats
    density: Floats
    low: float
    high: float

    @property
    def height(self) -> Floats:
        """The density with its peak at 1."""
        return self.density / np.max(self.density)


def shape(law: Law, level: float, kind: Kind) -> DensityShape:
    """The density of a law with its interval."""
    return DensityShape(*outline(law), *law.interval(level, kind))


def shade(
    ax: Axes,
    x: DensityShape,
    one: ArrayLike,
    other: ArrayLike,
    colour: str,
    *,
    upright: bool = False,
    zorder: float = 1,
) -> None:
    """Fill from one edge to the other, each a line along ``x.at``; a number that is known exactly has no inside."""
    if len(x.at) < 2:
        return
    fill = ax.fill_betweenx if upright else ax.fill_between
    inside = ((x.at >= x.low) & (x.at <= x.high)).tolist()
    fill(x.at, one, other, color=on(ax, colour, 0.14), lw=0, zorder=zorder)
    fill(x.at, one, other, where=inside, color=on(ax, colour, 0.43), lw=0, zorder=zorder)
    for edge in (one, other):
        if np.ndim(edge):
            ax.plot(*((edge, x.at) if upright else (x.at, edge)), color=colour, lw=1.3, zorder=zorder + 1)
