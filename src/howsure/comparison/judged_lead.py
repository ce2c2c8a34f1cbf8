"""What is said of two models under one judge beside their difference: labels, the judge's own lead, where it tips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from howsure.laws import Draws
from howsure.posterior.distribution import Distribution
from howsure.posterior.paired_verdicts import PairedVerdicts
from howsure.posterior.tipping_point import tipping_points, tipping_sentence
from howsure.text.formats import integer, plain, several

__all__ = ["JudgedLead"]

MARGINS = (
    "The difference uses the pairs of verdicts, the rates of each model only its own verdicts; so the difference of "
    "the "
    "two means is not exactly the mean difference."
)
APART = (
    "No item is labelled for both models, so what is right of the one given a verdict is taken as independent of the "
    "other: the items are the same, the labels are not paired."
)
ASSUMED = "Assumes that the labelled items were chosen at random given the verdicts, and that people are right."


@dataclass(frozen=True, eq=False)
class JudgedLead:
    """The pair, and what the judge alone says of it; field of a `Comparison` of judged models.

    Attributes
    ----------
    pair : PairedVerdicts
        What is known.
    names, label, good
        The models A and B, the class that is counted, and whether it says that an answer is right.
    called : ((int, int), (int, int))
        Answers of A, and of B, that the judge calls that class, and all that it judged.
    rate : float
        About how often both are right: the average of the two means.
    """

    pair: PairedVerdicts
    names: tuple[str, str]
    label: str
    good: bool
    called: tuple[tuple[int, int], tuple[int, int]]
    rate: float

    def difference(self, draws: int, seed: int) -> Distribution:
        """A minus B."""
        return self.pair.difference(draws, seed)

    def ratio(self, draws: int, seed: int) -> Draws:
        """A divided by B."""
        return self.pair.ratio(draws, seed)

    @property
    def shares(self) -> tuple[float, float]:
        """Share of the answers of A, and of B, that the judge calls the class."""
        (a, n), (b, m) = self.called
        return a / n, b / m

    @property
    def items(self) -> int:
        """Items with verdicts on both."""
        return int(self.pair.counts.totals.sum())

    @property
    def tips(self) -> tuple[float, float]:
        """Preference among wrong answers, and among right ones, at which the judge's lead is nothing but preference."""
        a, b = self.shares
        return tipping_points(a - b, self.rate)

    @property
    def about(self) -> str:
        """Items and labels, in a clause."""
        counts = self.pair.counts
        both, a, b = int(counts.both.sum()), int(counts.only_a.sum()), int(counts.only_b.sum())
        one, other = (plain(name, 40) for name in self.names)
        parts = [f"{integer(both)} labelled for both"] if both else []
        parts += [f"{integer(k)} only for {name}" if both else f"{integer(k)} labelled for {name}"
                  for k, name in ((a, one), (b, other)) if k]  # fmt: skip
        return f"Paired: {several(self.items, 'item')} judged for both, {', '.join(parts)}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The judge's own lead, and where it tips; what the pair is."""
        return (self.tipping_point, *((APART,) if self.pair.apart else ()), MARGINS, ASSUMED)

    @property
    def tipping_point(self) -> str:
        """How much the judge would have to prefer the one for its lead to be nothing."""
        return tipping_sentence(self.names, self.shares, self.label, self.rate, good=self.good)

    def to_dict(self) -> Mapping[str, Any]:
        """Plain data."""
        counts, (wrong, right) = self.pair.counts, self.tips
        return {
            "label": self.label,
            "items": self.items,
            "labelled_both": int(counts.both.sum()),
            "labelled_only_a": int(counts.only_a.sum()),
            "labelled_only_b": int(counts.only_b.sum()),
            "judged": list(self.shares),
            "rate": self.rate,
            "tips_at_other": wrong if wrong <= 1 else None,
            "tips_at_label": right if right <= 1 else None,
        }
