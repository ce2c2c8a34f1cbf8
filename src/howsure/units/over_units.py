"""What answers over sites, studies or data sets share: draws of a population, and whether these tell of others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from howsure.answers.fields import interval_cells
from howsure.errors import InvalidArgument, NoInformation, OutOfReach
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws import Draws
from howsure.numerics.arrays import Floats
from howsure.numerics.sites import ImportanceWeights, SitePopulation
from howsure.text import formats


class PooledNumber(Draws):
    """What is known about one number of a pool, with the vocabulary of every law; made by `Pooled.of`.

    Its Monte Carlo errors are those of independent weighted draws; the draws are more even, so errors are smaller.

    Examples
    --------
    >>> import howsure as hs
    >>> hs.pool([(82, 100), (75, 100), (92, 100), (85, 100), (88, 100)]).of("rate")
    rate 0.84 (0.76 to 0.92) 95% HDI, typical site, simulated (Monte Carlo error 0.001)
    """

    _attributes = ("metric", "about")

    def __init__(
        self, values: Floats, weight: Floats, *, support: tuple[float, float], metric: str, about: str
    ) -> None:
        super().__init__(values, support=support, strata=ImportanceWeights(weight))
        self.metric, self.about = metric, about

    def __repr__(self) -> str:
        ends = self.interval()
        places = formats.decimals(*ends, error=self.error)
        kind = "HDI" if ends.kind == "hdi" else "central (not unimodal)"
        name = formats.isolated(formats.plain(self.metric))
        return (
            f"{name} {formats.number(self.mean, places)} ({formats.interval(*ends, places)}) 95% {kind}, "
            f"{formats.plain(self.about)}, simulated (Monte Carlo error {self.error:.1g})"
        )


@dataclass(frozen=True, eq=False)
class Hsroc:
    """Hierarchical summary ROC curve with pointwise intervals, over the range of what sites showed.

    Attributes
    ----------
    false_positive_rate, sensitivity, low, high : ndarray, shape (m,)
        Sensitivity is the median of the curve, low and high the ends of its central interval.
    """

    false_positive_rate: Floats
    sensitivity: Floats
    low: Floats
    high: Floats


#: With fewer sites nothing is said of others; with fewer than the second number that is mostly the prior's; their
#: draws are held at once.
FEWEST_SITES, FEW_SITES, MOST_SITES = 3, 5, 500

#: Sites in a table that is read; the rest is in JSON and CSV.
SHOWN = 60

#: Draws that are worth fewer independent ones than this are told of.
FEW_DRAWS = 1000


def few_units(many: int, units: str) -> tuple[str, ...]:
    """A warning where so few units tell little of others."""
    if not FEWEST_SITES <= many < FEW_SITES:
        return ()
    return (
        f"{many} {units} tell little of how much {units} differ: the spread, and with it what is said of a new one, is "
        "mostly the prior's.",
    )


def refuse_number_of_units(many: int, alone: str, beyond: str) -> None:
    """Refuse one unit, and more than are held at once."""
    if many < 2:
        raise InvalidArgument(alone)
    if many > MOST_SITES:
        raise OutOfReach(f"{beyond}, and these are {many}")


@dataclass(frozen=True, repr=False, eq=False)
class OverUnits(Answered):
    """Weighted draws of a population of units, and of each that was seen."""

    counts: Any
    population: SitePopulation
    ask: Ask

    #: What to ask where there are too few of them for others.
    _instead: ClassVar[str] = ""

    @property
    def _units(self) -> str:
        """What they are called where there are many."""
        return "data sets"

    @property
    def tells_of_others(self) -> bool:
        """Whether there are enough of them to say anything of others."""
        return len(self.counts.names) >= FEWEST_SITES

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        few = few_units(len(self.counts.names), self._units)
        if self.population.worth >= min(FEW_DRAWS, self.draws / 10):
            return few
        return (
            *few,
            f"the {formats.integer(self.draws)} weighted draws are worth {self.population.worth:.0f} independent "
            "ones; take more (draws=).",
        )

    @property
    def _weighted(self) -> str:
        """How many draws there are, and what they are worth."""
        worth = formats.integer(round(self.population.worth))
        return f"{formats.integer(self.draws)} weighted draws, equivalent to {worth} independent ones."

    @cached_property
    def _each(self) -> list[tuple[Floats, Floats]]:
        """Draws of the logits of each unit, and their weights."""
        return [self.population.site(i) for i in range(len(self.counts.names))]

    def _number(
        self, values: Floats, support: tuple[float, float], metric: str, about: str, weight: Floats | None = None
    ) -> PooledNumber:
        weight = self.population.weight if weight is None else weight
        return PooledNumber(np.asarray(values), weight, support=support, metric=metric, about=about)

    def _cells(self, law: PooledNumber) -> tuple[str, str]:
        return interval_cells(law, self.level, self.kind)

    def _need_others(self) -> None:
        if not self.tells_of_others:
            raise NoInformation(
                f"{len(self.counts.names)} {self._units} say nothing of others: how much they differ would be the "
                f"prior's. Ask about one of them ({self._instead} {FEWEST_SITES} or more"
            )
