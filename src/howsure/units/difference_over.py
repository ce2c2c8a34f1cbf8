"""What is known of the difference of two classifiers over many data sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from howsure.errors import NoInformation, UnknownName
from howsure.errors.arguments import one_of
from howsure.laws.law import Kind
from howsure.numerics.arrays import Floats
from howsure.numerics.sites.site_gain import GainOverSites, apart, gain_over_sites, together
from howsure.numerics.sites.site_population import SitePopulation
from howsure.units.pooled_number import PooledNumber
from howsure.units.site_knowledge import FEWEST_SITES
from howsure.units.two_at_sites import TwoAtSites

__all__ = ["ChancesOver", "DifferenceOver"]

About = Literal["mean", "new"]


class ChancesOver(NamedTuple):
    """Probability that A is better, that both are practically equal (0 without a rope), and that A is worse."""

    better: float
    equal: float
    worse: float


@dataclass(frozen=True, repr=False, eq=False)
class DifferenceOver:
    """What `ComparedOver` can be asked; its fields are explained there."""

    counts: TwoAtSites
    population: SitePopulation
    rope: float | None
    level: float
    kind: Kind
    draws: int
    seed: int

    @property
    def names(self) -> tuple[str, str]:
        """The classifiers A and B."""
        return self.counts.a, self.counts.b

    @property
    def data_sets(self) -> tuple[str, ...]:
        """Names of the data sets."""
        return self.counts.names

    @property
    def metric(self) -> str:
        """The share of right answers that is compared."""
        return self.counts.metric

    @property
    def paired(self) -> bool:
        """Whether both answered the same cases of each data set."""
        return self.counts.paired

    @property
    def tells_of_others(self) -> bool:
        """Whether there are data sets enough to say anything of others."""
        return len(self.data_sets) >= FEWEST_SITES

    def of(self, about: About = "mean", *, data_set: str | None = None) -> PooledNumber:
        """What is known about the difference, A less B.

        Parameters
        ----------
        about : "mean" or "new"
            The mean over the population of data sets, or a new data set of it (its true difference).
        data_set : str, optional
            Instead: one of those that were seen, pulled towards the rest by how little it shows.

        Raises
        ------
        InvalidArgument, UnknownName
            Another word, a data set that is none of them.
        NoInformation
            Fewer than three data sets say nothing of others.

        Examples
        --------
        >>> from howsure.units.comparing_over import compare_over
        >>> made = compare_over({name: {"A": (90, 100), "B": (80, 100)} for name in "uvwxyz"}, draws=2000)
        >>> made.of("new").about
        'new data set'
        """
        if data_set is not None:
            if not isinstance(data_set, str) or data_set not in self.data_sets:
                raise UnknownName(data_set, self.data_sets)
            logits, weight = self._at_data_sets[self.data_sets.index(data_set)]
            return self._number(self._gain(logits), weight, f"data set {data_set}")
        self._need_data_sets()
        if one_of(about, get_args(About), "about") == "new":
            logits, weight = self.population.new
            return self._number(self._gain(logits), weight, "new data set")
        return self._number(self._over.mean, self.population.weight, "mean of data sets")

    @property
    def spread(self) -> PooledNumber:
        """Standard deviation of the difference between data sets."""
        self._need_data_sets()
        values, weight = self._over.sd, self.population.weight
        return PooledNumber(values, weight, support=(0.0, 1.0), metric="spread of the difference", about="data sets")

    def chances(self, about: About = "mean", *, data_set: str | None = None) -> ChancesOver:
        """Probabilities that A is better, practically equal and worse, as of `of`; never 0 or 1, for they are drawn.

        Examples
        --------
        >>> from howsure.units.comparing_over import compare_over
        >>> sets = {name: {"A": (90, 100), "B": (90, 100)} for name in "uvwxyz"}
        >>> chances = compare_over(sets, rope=0.05, draws=2000).chances("new")
        >>> chances.equal > max(chances.better, chances.worse)
        True
        """
        law = self.of(about, data_set=data_set)
        width = self.rope or 0.0
        above, below = float(law.prob(above=width)), float(law.prob(below=-width))
        least = 1 / max(self.population.worth, 2.0)
        better, worse = (min(max(p, least), 1 - least) for p in (above, below))
        if not width:
            total = better + worse
            return ChancesOver(better / total, 0.0, worse / total)
        equal = max(1 - above - below, least)
        total = better + equal + worse
        return ChancesOver(better / total, equal / total, worse / total)

    # -- inside ---------------------------------------------------------------------------------------------

    @cached_property
    def _over(self) -> GainOverSites:
        made = self.population
        return gain_over_sites(made.mean, made.sd, made.rho, paired=self.paired)

    @cached_property
    def _at_data_sets(self) -> list[tuple[Floats, Floats]]:
        return [self.population.site(i) for i in range(len(self.data_sets))]

    def _gain(self, logits: Floats) -> Floats:
        return together(logits) if self.paired else apart(logits)

    def _number(self, values: Floats, weight: Floats, about: str) -> PooledNumber:
        name = f"difference of {self.metric}"
        return PooledNumber(np.asarray(values), weight, support=(-1.0, 1.0), metric=name, about=about)

    def _need_data_sets(self) -> None:
        if not self.tells_of_others:
            raise NoInformation(
                f"{len(self.data_sets)} data sets say nothing of others: how much they differ would be the prior's. "
                "Ask "
                f"about one of them (data_set=), or give {FEWEST_SITES} or more"
            )
