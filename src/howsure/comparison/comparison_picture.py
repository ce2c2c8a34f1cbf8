"""A comparison in pictures: how probable better, the same and worse are, the difference, and that of each class."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.comparison.chances import Chances
from howsure.comparison.class_differences import ClassDifference
from howsure.comparison.comparison_sentence import places
from howsure.laws import Draws, Kind, Law
from howsure.laws.outline import outline
from howsure.text import formats
from howsure.text.svg import IntervalRow, difference, forest, three_parts

__all__ = ["chances_picture", "class_words", "classes_picture", "difference_picture"]

#: Points of the density.
POINTS = 121


def difference_picture(
    law: Law, names: tuple[str, str], metric: str, *, falling: bool, rope: float, level: float, kind: Kind, width: float
) -> str:
    """Density of A minus B as SVG, cut where a difference begins to matter; the dashed line is no difference."""
    a, b = _short(names)
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


def chances_picture(law: Law, said: Chances, names: tuple[str, str], rope: float, *, width: float = 680) -> str:
    """Probabilities that A is worse, practically the same and better, as SVG; ``law`` is that of A minus B."""
    a, b = _short(names)
    draws = law.n if isinstance(law, Draws) else None
    parts = (said.worse, said.equal, said.better)
    sides = (f"{b} is better", f"within {rope:g}", f"{a} is better")
    words = [formats.probability(p, draws) if rope or i != 1 else "" for i, p in enumerate(parts)]
    told = ". ".join(f"{name}: {word}" for name, word in zip(sides, words, strict=True) if word)
    return three_parts(parts, words, sides, title=f"{told}.", width=width)


def classes_picture(rows: Sequence[ClassDifference], names: tuple[str, str], kind: Kind, *, width: float = 680) -> str:
    """Difference of the recall of each class as SVG; without those of which nothing is known."""
    a, b = _short(names)
    known = [
        IntervalRow(row.label, "{} ({})".format(*class_words(row, kind)), row.mean, row.low, row.high, chance=0.0)
        for row in rows
        if row.low is not None
    ]
    return forest(known, title=f"Difference of the recall of each class, {a} minus {b}", width=width)


def class_words(row: ClassDifference, kind: Kind) -> tuple[str, str]:
    """Mean and interval of one class in words."""
    if row.low is None or row.high is None:
        return "no information", ""
    digits = formats.decimals(row.low, row.high, error=(row.error or 0.0) if row.law == "drawn" else 0.0)
    ends = formats.interval(row.low, row.high, digits)
    return formats.number(row.mean, digits), ends if row.interval == kind else f"{ends} ({row.interval})"


def _short(names: tuple[str, str]) -> tuple[str, str]:
    return formats.plain(names[0], 30), formats.plain(names[1], 30)
