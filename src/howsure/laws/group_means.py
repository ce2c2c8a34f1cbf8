"""Weighted sums of the means of populations of groups: accuracy, recalls and their averages of new groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from howsure.laws.computed_law import ComputedLaw
from howsure.laws.law import SEED, Route, generator
from howsure.laws.linear import Linear, real
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.item_powers import ItemPowers, ItemRates, population_power
from howsure.numerics.populations.logit_laws import InterpolatedLaw, MeanSum
from howsure.numerics.unit_metrics import OrderLaw
from howsure.numerics.unit_weights import UnitRatio

# -- Means of groups ---------------------------------------------------------------------------------------------------


#: Error of the cdf up to which the law is called exact.
EXACT = 1e-4


class GroupMeans(ComputedLaw):
    """Law of ``shift + sum_i w_i mu_i`` over means of populations of groups.

    Parameters
    ----------
    parts : iterable of (PopulationMean, float)
        Means have identity: weights on the same object add up, and different objects are independent.
    shift : float
        A constant.
    rows : object, optional
        Token of the posterior whose means these are.

    Notes
    -----
    Closed under addition, subtraction and scaling. The density of one mean is integrated over the correlation within
    groups; sums are inverted from their characteristic function. ``error`` is that of the cdf.

    Examples
    --------
    >>> ill, healthy = PopulationMean([9, 10, 6, 10, 8], [10] * 5), PopulationMean([4, 5, 5, 5, 3, 5], [5] * 6)
    >>> both = GroupMeans([(ill, 0.5), (healthy, 0.5)])
    >>> round(both.mean, 3), round(both.sd, 3), both.route
    (0.83, 0.061, 'exact')
    >>> (both - both).sd
    0.0
    """

    def __init__(
        self, parts: Iterable[tuple[PopulationMean, float]], shift: float = 0.0, rows: object | None = None
    ) -> None:
        sums: dict[PopulationMean, float] = {}
        for mean, weight in parts:
            sums[mean] = sums.get(mean, 0.0) + float(weight)
        self._parts = tuple((mean, weight) for mean, weight in sums.items() if weight)
        self._shift, self._rows = float(shift), rows

    @property
    def blocks(self) -> frozenset[object]:
        """What the law depends on: the rows of its posterior, or the means themselves."""
        if self._rows is not None and self._parts:
            return frozenset([self._rows])
        return frozenset(mean for mean, _ in self._parts)

    @cached_property
    def _numbers(self) -> InterpolatedLaw | MeanSum:
        if len(self._parts) == 1:
            mean, weight = self._parts[0]
            if (weight, self._shift) == (1.0, 0.0):
                return mean.law
            return InterpolatedLaw(mean.density, coefficient=weight, shift=self._shift)
        return MeanSum([mean.law for mean, _ in self._parts], np.array([w for _, w in self._parts]), self._shift)

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """How it is known: "exact" where the error of the cdf is below 1e-4."""
        return "exact" if not self._parts or self.error <= EXACT else "approximate"

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        return super().error + sum(mean.error for mean, _ in self._parts) if self._parts else 0.0

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        weights = np.array([w for _, w in self._parts])
        return self._shift + float(np.minimum(weights, 0).sum()), self._shift + float(np.maximum(weights, 0).sum())

    @property
    def mean(self) -> float:
        """Expected value."""
        return super().mean if self._parts else self._shift

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return super().sd if self._parts else 0.0

    def _cdf(self, x: Floats) -> Floats:
        return super()._cdf(x) if self._parts else np.where(x >= self._shift, 1.0, 0.0)

    def _sf(self, x: Floats) -> Floats:
        return super()._sf(x) if self._parts else np.where(x >= self._shift, 0.0, 1.0)

    def _pdf(self, x: Floats) -> Floats:
        return super()._pdf(x) if self._parts else np.where(x == self._shift, np.inf, 0.0)

    def _quantile(self, p: Floats) -> Floats:
        if not self._parts:
            return np.full(np.shape(p), self._shift)
        low, high = self.support
        return np.where(p <= 0, low, np.where(p >= 1, high, super()._quantile(p)))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        return super()._highest_density(level) if self._parts else (self._shift, self._shift)

    @property
    def mode(self) -> float:
        """Most probable value."""
        return super().mode if self._parts else self._shift

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the means."""
        rng = generator(n, seed)
        total = np.full(n, self._shift)
        for mean, weight in self._parts:
            total += weight * mean.law.draw(n, rng)
        return total

    # -- arithmetic -----------------------------------------------------------------------------------------

    def __mul__(self, factor: float) -> GroupMeans:
        if not real(factor):
            return NotImplemented
        return GroupMeans([(m, factor * w) for m, w in self._parts], factor * self._shift, self._rows)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> GroupMeans:
        return self * (1 / divisor) if real(divisor) else NotImplemented

    def __neg__(self) -> GroupMeans:
        return self * -1.0

    def __add__(self, other: GroupMeans | Linear | float) -> GroupMeans:
        if isinstance(other, GroupMeans):
            rows = self._rows if self._rows is other._rows else None
            return GroupMeans((*self._parts, *other._parts), self._shift + other._shift, rows)
        if isinstance(other, Linear):
            return NotImplemented if other.blocks else self + other.mean
        if real(other):
            return GroupMeans(self._parts, self._shift + float(other), self._rows)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: GroupMeans | Linear | float) -> GroupMeans:
        return self + (-other)

    def __rsub__(self, other: Linear | float) -> GroupMeans:
        return -self + other

    def __repr__(self) -> str:
        return f"<GroupMeans: {len(self._parts)} populations, mean {self.mean:.4g}, sd {self.sd:.2g}>"


# -- Items that are tried several times --------------------------------------------------------------------------------


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
