"""Estimates in rows: what the forest, tiers and sensitivity plots have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from howsure.plots.style import (
    BLUE,
    GREY,
    at_right,
    beside,
    caption,
    fits,
    ink,
    labelled,
    name,
    new_axes,
    plain_text,
    squared,
    width,
)
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.laws import Kind
    from howsure.posterior.distribution import Distribution

__all__ = ["EstimateRow", "draw_rows", "estimate", "shared_metric"]


class EstimateRow(NamedTuple):
    """One row; the numbers are None where there is no information."""

    name: str
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    observed: float | None = None
    chance: float | None = None
    error: float = 0.0

    @property
    def words(self) -> str:
        """The numbers, with the digits that they support."""
        if self.mean is None or self.low is None or self.high is None:
            return "no information"
        places = formats.decimals(self.low, self.high, error=self.error)
        return f"{formats.number(self.mean, places)} ({self.ends})"

    @property
    def ends(self) -> str:
        """The interval, with the digits that it supports."""
        if self.low is None or self.high is None:
            return ""
        return formats.interval(self.low, self.high, formats.decimals(self.low, self.high, error=self.error))


def estimate(title: str, known: Distribution, level: float, kind: Kind) -> EstimateRow:
    """A distribution as a row."""
    low, high = known.interval(level, kind)
    error = 0.0 if known.route == "exact" else known.error
    return EstimateRow(title, known.mean, low, high, known.observed, known.chance, error)


def shared_metric(known: Iterable[Distribution]) -> str:
    """Name of the axis of several distributions: their metric, if they share one."""
    found = {each.metric for each in known}
    return (found.pop() if len(found) == 1 else None) or "value"


def draw_rows(
    rows: Sequence[EstimateRow],
    ax: Axes | None,
    xlabel: str,
    *,
    colours: Sequence[str] | None = None,
    longest: int | None = None,
    words: Sequence[str] | None = None,
) -> Axes:
    """A line for each row, from the top: interval, mean, observed value, chance, and the numbers at the right."""
    ax = new_axes(ax, 6.4, 0.9 + 0.29 * len(rows))
    for y, row in enumerate(rows):
        colour = BLUE if colours is None else colours[y]
        if row.chance is not None:
            ax.plot([row.chance] * 2, [y - 0.38, y + 0.38], color=GREY, lw=1.3, ls=(0, (2, 1.5)), zorder=1)
        if row.mean is None or row.low is None or row.high is None:
            continue
        ax.plot([row.low, row.high], [y, y], color=colour, lw=2.6, solid_capstyle="butt", zorder=2)
        ax.plot(row.mean, y, "o", color=colour, ms=5.5, zorder=4)
        if row.observed is not None:
            ax.plot(row.observed, y, "|", color=ink(ax), ms=9, mew=1.4, zorder=5)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_yticks(range(len(rows)), [name(row.name, longest or fits(ax)) for row in rows])
    ax.tick_params(axis="y", length=0)
    plain_text(*ax.get_yticklabels())
    at_right(ax, range(len(rows)), words or [row.words for row in rows])
    marks = ["dot: mean"]
    marks += ["tick: observed"] if any(row.observed is not None for row in rows) else []
    marks += ["dashes: chance"] if any(row.chance is not None for row in rows) else []
    caption(ax, ", ".join(marks), size=7, inches=0.4 * width(ax))
    squared(ax, "x")
    labelled(ax, beside(ax, xlabel, 0.9 * width(ax)))
    return ax
