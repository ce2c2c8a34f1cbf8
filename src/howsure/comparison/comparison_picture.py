"""A comparison in pictures: how probable better, the same and worse are, the difference, and that of each class."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.comparison.class_differences import ClassDifference
from howsure.laws import Draws, Kind, Law
from howsure.questions.chances import Chances
from howsure.questions.difference_picture import short_names
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest, three_parts

__all__ = ["chances_picture", "class_words", "classes_picture"]


def chances_picture(law: Law, said: Chances, names: tuple[str, str], rope: float, *, width: float = 680) -> str:
    """Probabilities that A is worse, practically the same and better, as SVG; ``law`` is that of A minus B."""
    a, b = short_names(names)
    draws = law.n if isinstance(law, Draws) else None
    parts = (said.worse, said.equal, said.better)
    sides = (f"{b} is better", f"within {rope:g}", f"{a} is better")
    words = [formats.probability(p, draws) if rope or i != 1 else "" for i, p in enumerate(parts)]
    told = ". ".join(f"{name}: {word}" for name, word in zip(sides, words, strict=True) if word)
    return three_parts(parts, words, sides, title=f"{told}.", width=width)


def classes_picture(rows: Sequence[ClassDifference], names: tuple[str, str], kind: Kind, *, width: float = 680) -> str:
    """Difference of the recall of each class as SVG; without those of which nothing is known."""
    a, b = short_names(names)
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
    digits = formats.decimals(row.low, row.high, error=(row.error or 0.0) if row.law == "simulated" else 0.0)
    ends = formats.interval(row.low, row.high, digits)
    return formats.number(row.mean, digits), ends if row.interval == kind else f"{ends} ({row.interval})"
