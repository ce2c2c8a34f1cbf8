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

__all__ = ["ItemShare", "NewItemTries", "TheseItemTries", "UnitScores"]

#: Error of the cdf up to which the law is called exact.
EXACT = 1e-4


class NewItemTries(ComputedLaw):
    """Law of the share of new items of which k runs are all right (or not all wrong).

    Parameters
    ----------
    population : PopulationMean
        Of the items.
    k : int
        Runs of an item, 1 or more.
    any_right : bool
        At least one of the runs instead of all of them.

    Examples
    --------
    >>> law = NewItemTries(PopulationMean([3, 5, 0, 4, 5, 2, 5, 1], [5] * 8), 2)
    >>> round(law.mean, 3), law.route
    (0.484, 'exact')
    """

    def __init__(self, population: PopulationMean, k: int, *, any_right: bool = False) -> None:
        self._population, self._k, self._any = population, k, any_right

    @cached_property
    def _numbers(self) -> InterpolatedLaw:
        if self._any:
            return population_power(self._population, self._k, wrong=True, coefficient=-1.0, shift=1.0)
        return population_power(self._population, self._k)


class TheseItemTries(ComputedLaw):
    """Law of the mean over these items of the probability that k runs are all right (or not all wrong).

    Parameters
    ----------
    rates : ItemRates
        Of the items.
    k : int
        Runs of an item, 1 or more.
    any_right : bool
        At least one of the runs instead of all of them.

    Notes
    -----
    ``mean`` and ``sd`` are exact whatever the route.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.ones(1)
    >>> law = TheseItemTries(ItemRates(np.arange(6), 5 - np.arange(6), one, one, one), 2)
    >>> round(law.mean, 4), law.route
    (0.3333, 'exact')
    """

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
    """Law of the share of the variance of right and wrong runs that lies between items: their correlation.

    Parameters
    ----------
    population : PopulationMean
        Of the items.

    Examples
    --------
    >>> law = ItemShare(PopulationMean([3, 5, 0, 4, 5, 2, 5, 1], [5] * 8))
    >>> round(law.mean, 2), law.route
    (0.39, 'exact')
    """

    def __init__(self, population: PopulationMean) -> None:
        self._population = population

    @cached_property
    def _numbers(self) -> InterpolatedLaw:
        return self._population.correlation


class UnitScores(ComputedLaw):
    """Law of a mean, a ratio of sums or a quantile of new items like those that were seen.

    Parameters
    ----------
    numbers : UnitRatio or OrderLaw
        What computes it.

    Examples
    --------
    >>> from howsure.numerics.unit_weights import unit_mean
    >>> law = UnitScores(unit_mean([5, 5, 5, 4, 5, 3, 5, 5, 4, 5], (1, 5)))
    >>> round(law.mean, 3), [round(end, 3) for end in law.interval(kind="central")]
    (4.405, [3.501, 4.916])
    """

    def __init__(self, numbers: UnitRatio | OrderLaw) -> None:
        self._computed = numbers

    @property
    def _numbers(self) -> UnitRatio | OrderLaw:
        return self._computed

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the weights."""
        return self._computed.draw(n, generator(n, seed))
