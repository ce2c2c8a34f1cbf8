"""Laws of items that are tried several times: that k runs of one are right, of these items or of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from howsure.laws.computed_law import ComputedLaw
from howsure.laws.draw_settings import SEED, generator
from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.numerics.groups.interpolated_law import InterpolatedLaw
from howsure.numerics.groups.item_powers import ItemPowers, ItemRates
from howsure.numerics.groups.population_mean import PopulationMean, population_power
from howsure.numerics.unit_metrics import OrderLaw
from howsure.numerics.unit_weights import UnitRatio

#: Error of the cdf up to which the law is called exact.
EXACT = 1e-4


class NewItemTries(ComputedLaw):
    """Law of the share of new items of a population of which k runs are all right (``any_right``: not all wrong)."""

    def __init__(self, population: PopulationMean, k: int, *, any_right: bool = False) -> None:
        self._population, self._k, self._any = population, k, any_right

    @cached_property
    def _numbers(self) -> InterpolatedLaw:
        if self._any:
            return population_power(self._population, self._k, wrong=True, coefficient=-1.0, shift=1.0)
        return population_power(self._population, self._k)


class TheseItemTries(ComputedLaw):
    """Law of the mean over these items of P(k runs are all right), or (``any_right``) not all wrong."""

    def __init__(self, rates: ItemRates, k: int, *, any_right: bool = False) -> None:
        self._rates, self._k, self._any = rates, k, any_right

    @cached_property
    def _numbers(self) -> ItemPowers:
        if self._any:
            return ItemPowers(self._rates.turned(), self._k, coefficient=-1.0, shift=1.0)
        return ItemPowers(self._rates, self._k)

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """How it is known: "exact" where the error of the cdf is below 1e-4."""
        return "exact" if self.error <= EXACT else "approximate"


class ItemShare(ComputedLaw):
    """Law of the share of the variance of right and wrong runs that lies between items: their correlation."""

    def __init__(self, population: PopulationMean) -> None:
        self._population = population

    @cached_property
    def _numbers(self) -> InterpolatedLaw:
        return self._population.correlation


class UnitScores(ComputedLaw):
    """Law of a mean, a ratio of sums or a quantile of new items like those that were seen."""

    def __init__(self, numbers: UnitRatio | OrderLaw) -> None:
        self._computed = numbers

    @property
    def _numbers(self) -> UnitRatio | OrderLaw:
        return self._computed

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the weights."""
        return self._computed.draw(n, generator(n, seed))
