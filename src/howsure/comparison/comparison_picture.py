"""A comparison in pictures: how probable better, the same and worse are, the difference, and that of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.comparison.comparison_sentence import places
from howsure.laws import Draws
from howsure.laws.outline import outline
from howsure.text import formats
from howsure.text.svg import Row, difference, forest, three_parts

if TYPE_CHECKING:
    from howsure.comparison.comparison import ClassDifference, Comparison

__all__ = ["chances_picture", "class_words", "classes_picture", "picture"]

#: Points of the density.
POINTS = 121


def picture(c: Comparison, *, width: float = 460) -> str:
    """Density of A minus B as SVG, cut where a difference begins to matter; the dashed line is no difference."""
    a, b = _names(c)
    x, heights = outline(c.difference.law, POINTS)
    ends, digits = c.difference.interval(c.level, c.kind), places(c)
    words = f"{formats.number(c.difference.mean, digits)} ({formats.interval(*ends, digits)})"
    falling = c.measures[0].metric.better == "lower"
    sides = f"{b} is better", f"{a} is better"
    return difference(
        x.tolist(),
        heights.tolist(),
        mean=c.difference.mean,
        low=ends.low,
        high=ends.high,
        words=words,
        rope=c.rope or 0.0,
        sides=sides[::-1] if falling else sides,
        falling=falling,
        label=f"{formats.plain(c.metric)} of {a} - {b}",
        title=f"Density of {formats.plain(c.metric)}, {a} minus {b}, {words}, with the "
        f"{formats.interval_name(c.kind, c.level)}; dashes at 0",
        width=width,
    )


def chances_picture(c: Comparison, *, width: float = 680) -> str:
    """Probabilities that A is worse, practically the same and better, as SVG."""
    a, b = _names(c)
    draws = c.difference.law.n if isinstance(c.difference.law, Draws) else None
    parts = (c.p_worse, c.p_equal, c.p_better)
    names = (f"{b} is better", f"within {c.rope or 0.0:g}", f"{a} is better")
    words = [formats.probability(p, draws) if c.rope or i != 1 else "" for i, p in enumerate(parts)]
    said = ". ".join(f"{name}: {word}" for name, word in zip(names, words, strict=True) if word)
    return three_parts(parts, words, names, title=f"{said}.", width=width)


def classes_picture(c: Comparison, *, width: float = 680) -> str:
    """Difference of the recall of each class as SVG; without those of which nothing is known."""
    a, b = _names(c)
    rows = [
        Row(row.label, "{} ({})".format(*class_words(row, c)), row.mean, row.low, row.high, chance=0.0)
        for row in c.per_class
        if row.low is not None
    ]
    return forest(rows, title=f"Difference of the recall of each class, {a} minus {b}", width=width)


def class_words(row: ClassDifference, c: Comparison) -> tuple[str, str]:
    """Mean and interval of one class in words."""
    if row.low is None or row.high is None:
        return "no information", ""
    digits = formats.decimals(row.low, row.high)
    ends = formats.interval(row.low, row.high, digits)
    return formats.number(row.mean, digits), ends if row.interval == c.kind else f"{ends} ({row.interval})"


def _names(c: Comparison) -> tuple[str, str]:
    return formats.plain(c.names[0], 30), formats.plain(c.names[1], 30)
