"""What several sites say together, as an answer: a typical site, the mean of sites, a new one, and each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from howsure.answers.law_summary import summary
from howsure.answers.sheet import Record, Sheet
from howsure.text.json_envelope import envelope
from howsure.units import pooled_words
from howsure.units.pooled_number import PooledNumber
from howsure.units.site_knowledge import SiteKnowledge

__all__ = ["Pooled"]


@dataclass(frozen=True, repr=False, eq=False)
class Pooled(SiteKnowledge, Record):
    """Posterior of the rates of several sites and of the population they come from; made by `pool`.

    Attributes
    ----------
    counts : SiteCounts
        What each site showed.
    population : SitePopulation
        Weighted draws of the means, sds and correlation of the logits.
    level, kind : float, "hdi" or "central"
        Of the intervals that are shown.
    draws, seed : int
    unit : "site" or "study"
        What each of them is called.

    Examples
    --------
    >>> from howsure.units.pooling import pool
    >>> pooled = pool({"Oslo": (82, 100), "Bergen": (75, 100), "Narvik": (92, 100)})
    >>> pooled.sites, pooled.rates
    (('Oslo', 'Bergen', 'Narvik'), ('rate',))
    >>> pooled.warnings[0].partition(":")[0]
    '3 sites tell little of how unlike sites are'
    """

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return pooled_words.sentence(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return pooled_words.warnings(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        return pooled_words.notes(self)

    def sheet(self) -> Sheet:
        """The population, and a row for each site."""
        return pooled_words.sheet(self)

    def picture(self) -> str:
        """Sites, a typical one and the interval of a new one as SVG."""
        return pooled_words.picture(self)

    def to_csv(self) -> str:
        """CSV with a row for each site and rate, and those of the population (``about``), every number in full."""
        return pooled_words.csv_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``pool``."""

        def each(make: Callable[[str], PooledNumber]) -> dict[str, Any] | None:
            if not self.tells_of_others:
                return None
            return {rate: self._plain(make(rate)) for rate in self.rates}

        correlation = self.correlation if self.tells_of_others else None
        return {
            **envelope("pool"),
            "rates": list(self.rates),
            "labels": list(self.counts.labels) or None,
            "level": self.level,
            "interval": self.kind,
            "typical": each(self.of),
            "mean": each(lambda rate: self.of(rate, about="mean")),
            "new": each(lambda rate: self.of(rate, about="new")),
            "tau": each(self.tau),
            "i2": each(self.i2),
            "correlation": None if correlation is None else self._plain(correlation),
            "sites": [
                {
                    "name": name,
                    **{
                        rate: {
                            "k": int(self.counts.k[i, j]),
                            "n": int(self.counts.n[i, j]),
                            **self._plain(self.of(rate, site=name)),
                        }
                        for j, rate in enumerate(self.rates)
                    },
                }
                for i, name in enumerate(self.sites)
            ],
            "draws": self.draws,
            "seed": self.seed,
            "draws_are_worth": self.population.worth,
            "verdict": self.sentence,
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }

    def _plain(self, law: PooledNumber) -> Mapping[str, Any]:
        return summary(law, self.level, self.kind)
