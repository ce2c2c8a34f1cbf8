"""Where two classifiers differ: the recall of each class, and how probable better, the same and worse are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from howsure.errors import NoInformation
from howsure.laws import Draws, Kind, Law, LearnedSum
from howsure.metrics import of_class
from howsure.posterior.knowledge import knowledge_of
from howsure.questions.contenders import Contender, class_sizes
from howsure.questions.differences import Chances, chances, short_names
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest, three_parts

__all__ = ["ClassDifference", "chances_picture", "class_cells", "class_differences", "class_words", "classes_picture"]


@dataclass(frozen=True)
class ClassDifference:
    """Recall of one class, A minus B; numbers are None where there is no information.

    ``law`` is "exact", or "simulated" under the prior `learned`; ``error`` is that of the distribution function, or the
    Monte Carlo error of the interval's ends.
    """

    label: str
    n_a: int
    n_b: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    p_better: float | None = None
    law: str | None = None
    error: float | None = None

    @property
    def p_worse(self) -> float | None:
        """Probability that the recall of A is the lower one."""
        return None if self.p_better is None else 1 - self.p_better

    @property
    def reverse(self) -> ClassDifference:
        """B minus A."""
        low, high = (None if end is None else -end for end in (self.high, self.low))
        mean = None if self.mean is None else -self.mean
        return replace(self, n_a=self.n_b, n_b=self.n_a, mean=mean, low=low, high=high, p_better=self.p_worse)


def class_differences(
    posteriors: tuple[Contender, Contender], level: float, kind: Kind, draws: int, seed: int
) -> tuple[ClassDifference, ...]:
    """Difference of the recall of every class that both have."""
    sizes = [class_sizes(p) for p in posteriors]
    found = [{label: i for i, label in enumerate(p.labels)} for p in posteriors]
    return tuple(
        _difference(label, posteriors, (found[0][label], found[1][label]), (sizes[0][label], sizes[1][label]),
                    (level, kind, draws, seed))
        for label in posteriors[0].labels
        if label in found[1]
    )  # fmt: skip


def _difference(
    label: str,
    posteriors: tuple[Contender, Contender],
    places: tuple[int, int],
    sizes: tuple[int, int],
    options: tuple[float, Kind, int, int],
) -> ClassDifference:
    level, kind, draws, seed = options
    try:
        a, b = (
            knowledge_of(p).of(of_class("recall", p.labels, i), draws=draws, seed=seed)
            for p, i in zip(posteriors, places, strict=True)
        )
    except NoInformation:
        return ClassDifference(label, *sizes)
    law = (a - b).law
    if isinstance(law, LearnedSum):
        # learned recalls: drawing two of them is right, and a hundred times as quick as their mixtures
        over, under = (
            x.law.sample(draws, seed=[seed, side, place])
            for side, (x, place) in enumerate(zip((a, b), places, strict=True))
        )
        law = Draws(over - under, support=(-1.0, 1.0))
    ends = law.interval(level, kind)
    better = chances(law, None, higher=True).better
    error = law.interval_error(level, ends.kind) if isinstance(law, Draws) else law.error
    return ClassDifference(label, *sizes, law.mean, ends.low, ends.high, ends.kind, better, law.route, error)


def class_cells(it: ClassDifference, kind: Kind, draws: int) -> tuple[str, ...]:
    """A row of the table of a comparison."""
    assert it.low is not None
    assert it.high is not None
    assert it.p_better is not None
    drawn = it.law == "simulated"
    digits = formats.decimals(it.low, it.high, error=(it.error or 0.0) if drawn else 0.0, near=0.0)
    unlike = "" if it.interval == kind else f" ({it.interval})"
    shown = [formats.number(it.mean, digits), formats.interval(it.low, it.high, digits) + unlike]
    chance = formats.probability(it.p_better, draws if drawn else None)
    law = f"simulated ±{it.error:.1g}" if drawn else it.law or ""
    return (f"  recall of {formats.plain(it.label, 30)}", "", *shown, chance, law)


def chances_picture(
    law: Law, said: Chances, names: tuple[str, str], rope: float, *, turned: bool = False, width: float = 680
) -> str:
    """Probabilities that A is worse, practically the same and better, as SVG; with B at the right if ``turned``."""
    if turned:
        names, said = names[::-1], Chances(*said[::-1])
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
    error = (row.error or 0.0) if row.law == "simulated" else 0.0
    digits = formats.decimals(row.low, row.high, error, near=0.0)
    ends = formats.interval(row.low, row.high, digits)
    return formats.number(row.mean, digits), ends if row.interval == kind else f"{ends} ({row.interval})"
