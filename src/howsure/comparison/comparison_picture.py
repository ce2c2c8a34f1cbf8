"""A comparison as a small picture: the density of the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.posterior.density_picture import density_of
from howsure.text.formats import interval_name, plain

if TYPE_CHECKING:
    from howsure.comparison.comparison import Comparison

__all__ = ["picture"]


def picture(c: Comparison, *, width: float = 460, height: float = 130) -> str:
    """Density of A minus B as SVG; the dashed line is no difference."""
    a, b = (plain(name, 30) for name in c.names)
    return density_of(
        c.difference.law,
        c.level,
        c.kind,
        observed=c.observed,
        chance=0.0,
        title=f"Density of {plain(c.metric)}, {a} minus {b}, with the {interval_name(c.kind, c.level)}; dashes at 0",
        width=width,
        height=height,
    )
