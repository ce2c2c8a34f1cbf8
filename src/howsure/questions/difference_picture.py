"""A difference as a picture: the density of A minus B, cut where it begins to matter."""

from __future__ import annotations

from howsure.laws import Kind, Law
from howsure.laws.outline import outline
from howsure.questions.comparison_sentence import places
from howsure.text import formats
from howsure.text.svg import difference

__all__ = ["difference_picture", "short_names"]

#: Points of the density.
POINTS = 121


def difference_picture(
    law: Law, names: tuple[str, str], metric: str, *, falling: bool, rope: float, level: float, kind: Kind, width: float
) -> str:
    """Density of A minus B as SVG, cut where a difference begins to matter; the dashed line is no difference."""
    a, b = short_names(names)
    x, heights = outline(law, POINTS)
    ends, digits = law.interval(level, kind), places(law, level, kind)
    words = f"{formats.number(law.mean, digits)} ({formats.interval(*ends, digits)})"
    sides = f"{b} is better", f"{a} is better"
    return difference(
        x.tolist(),
        heights.tolist(),
        mean=law.mean,
        low=ends.low,
        high=ends.high,
        words=words,
        rope=rope,
        sides=sides[::-1] if falling else sides,
        falling=falling,
        label=f"{formats.plain(metric)} of {a} - {b}",
        title=f"Density of {formats.plain(metric)}, {a} minus {b}, {words}, with the "
        f"{formats.interval_name(kind, level)}; dashes at 0",
        width=width,
    )


def short_names(names: tuple[str, str]) -> tuple[str, str]:
    """Names that a picture has room for."""
    return formats.plain(names[0], 30), formats.plain(names[1], 30)
