"""What many data sets say of two classifiers, as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.answers.law_summary import summary
from howsure.answers.sheet import Record, Sheet
from howsure.text.json_envelope import envelope
from howsure.units import compared_over_words
from howsure.units.difference_over import ChancesOver, DifferenceOver
from howsure.units.pooled_number import PooledNumber

__all__ = ["ComparedOver"]


@dataclass(frozen=True, repr=False, eq=False)
class ComparedOver(DifferenceOver, Record):
    """Difference of two classifiers over many data sets, A less B; made by `compare_over`.

    Attributes
    ----------
    counts : TwoAtSites
        What each data set showed.
    population : SitePopulation
        Weighted draws of the population of data sets.
    rope : float or None
        Differences up to this size are practically nil.
    level, kind : float, "hdi" or "central"
        Of the intervals that are shown.
    draws, seed : int

    Examples
    --------
    >>> from howsure.units.comparing_over import compare_over
    >>> made = compare_over({name: {"A": (90 + i, 100), "B": (80, 100)} for i, name in enumerate("uvwxyz")}, draws=2000)
    >>> made.chances().better > 0.99, made.chances("new").better > 0.9
    (True, True)
    >>> made.names, made.data_sets[:2], made.paired
    (('A', 'B'), ('u', 'v'), False)
    """

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return compared_over_words.sentence(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return compared_over_words.warnings(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        return compared_over_words.notes(self)

    def sheet(self) -> Sheet:
        """The mean, a new data set, and a row for each data set."""
        return compared_over_words.sheet(self)

    def picture(self) -> str:
        """Data sets, their mean and a new one as SVG."""
        return compared_over_words.picture(self)

    def to_csv(self) -> str:
        """CSV with a row for each data set and for the population (``about``), every number in full."""
        return compared_over_words.csv_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``compare_over``."""

        def told(law: PooledNumber, chances: ChancesOver) -> dict[str, Any]:
            return {**summary(law, self.level, self.kind), **{f"p_{k}": v for k, v in chances._asdict().items()}}

        others = self.tells_of_others
        (n, m), (k, j) = self.counts.cases, self.counts.right
        return {
            **envelope("compare_over"),
            "a": self.counts.a,
            "b": self.counts.b,
            "metric": self.metric,
            "paired": self.paired,
            "rope": self.rope,
            "level": self.level,
            "interval": self.kind,
            "mean_difference": told(self.of(), self.chances()) if others else None,
            "new_data_set": told(self.of("new"), self.chances("new")) if others else None,
            "spread": summary(self.spread, self.level, self.kind) if others else None,
            "data_sets": [
                {
                    "name": name,
                    "a_right": int(k[i]),
                    "a_n": int(n[i]),
                    "b_right": int(j[i]),
                    "b_n": int(m[i]),
                    "only_a": int(self.counts.cells[i, 1]) if self.paired else None,
                    "only_b": int(self.counts.cells[i, 2]) if self.paired else None,
                    "observed": float(self.counts.observed[i]),
                    **told(self.of(data_set=name), self.chances(data_set=name)),
                }
                for i, name in enumerate(self.data_sets)
            ],
            "draws": self.draws,
            "seed": self.seed,
            "draws_are_worth": self.population.worth,
            "verdict": self.sentence,
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }
