"""A law as a small picture."""

from __future__ import annotations

from howsure.laws import Kind, Law
from howsure.laws.outline import outline
from howsure.text.svg import density

__all__ = ["MOST_ROWS", "density_of"]

#: Rows of a picture that is still looked at.
MOST_ROWS = 40


def density_of(
    law: Law,
    level: float,
    kind: Kind,
    *,
    title: str,
    observed: float | None = None,
    chance: float | None = None,
    width: float = 360,
    height: float = 110,
) -> str:
    """Density with its interval (shaded), mean (dot), observed value (tick) and chance (dashes), as SVG.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> density_of(Beta(46, 6), 0.95, "hdi", title="recall", chance=0.5).count("<path")
    2
    """
    x, heights = outline(law)
    low, high = law.interval(level, kind)
    return density(
        x.tolist(),
        heights.tolist(),
        mean=law.mean,
        low=low,
        high=high,
        observed=observed,
        chance=chance,
        title=title,
        width=width,
        height=height,
    )
