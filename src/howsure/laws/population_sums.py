"""Weighted sums over populations: recalls that were learned together, means of groups; and laws of items."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np

from howsure.laws.draws import Draws
from howsure.laws.law import SEED, Additive, ComputedLaw, Law, generator
from howsure.laws.linear import DirichletRows, Linear
from howsure.numerics.arrays import Floats
from howsure.numerics.figures import OrderLaw
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.item_powers import ItemPowers, ItemRates, population_power
from howsure.numerics.populations.logit_laws import InterpolatedLaw, MeanSum
from howsure.numerics.populations.node_sums import NodeSum, NodeSumLaw, TooDear
from howsure.numerics.populations.population import Population
from howsure.numerics.populations.rate_law import RateLaw, sum_law
from howsure.numerics.units import UnitRatio

# -- What both sums have in common ------------------------------------------------------------------------------------


#: Error of a cdf up to which a law is called exact.
EXACT = 1e-4

#: Draws of what has no law: at least, at most, and numbers that they may take.
FEWEST, MOST, NUMBERS = 20_000, 100_000, 20_000_000

#: Error of the cdf of n draws times the root of n: not exceeded anywhere in 95 of 100 (Kolmogorov).
KOLMOGOROV = 1.36


class PopulationSum(Additive[Any], ComputedLaw):
    """Weights on populations, and what else is added; closed under addition, subtraction and scaling."""

    exact_to = EXACT
    #: Whether independent rows may be added.
    _adds_rows = True

    def __init__(self, parts: Iterable[tuple[Any, Any]], rest: Linear) -> None:
        sums: dict[Any, Any] = {}
        for population, weights in parts:
            sums[population] = sums.get(population, 0.0) + np.asarray(weights, dtype=float)
        # what cancels is gone
        self._parts = tuple((population, weights) for population, weights in sums.items() if weights.any())
        self._rest = rest

    @abstractmethod
    def _again(self, parts: Iterable[tuple[Any, Any]], rest: Linear, other: Self | None = None) -> Self:
        """The same law of other parts, some of them of another one."""

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        numbers: Any = self._numbers
        if isinstance(numbers, Draws):
            return KOLMOGOROV / math.sqrt(len(numbers.values))
        return float(numbers.error if isinstance(numbers, Law) else numbers.residual)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        low, high = self._rest.support
        for _, weights in self._parts:
            low, high = low + float(np.minimum(weights, 0).sum()), high + float(np.maximum(weights, 0).sum())
        return low, high

    def _quantile(self, p: Floats) -> Floats:
        low, high = self.support
        inner = np.asarray(self._numbers.quantile(p))
        return np.where(p <= 0, low, np.where(p >= 1, high, np.clip(inner, low, high)))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        law: Any = self._numbers
        return law._hdi(level) if isinstance(law, Law) else law.highest_density(level)

    @property
    def mode(self) -> float:
        """Most probable value."""
        law: Any = self._numbers
        return float(law.mode if isinstance(law, Law) else law.mode())

    def _moved(self, factor: float, shift: float) -> Self:
        """Law of ``factor X + shift``."""
        return self._again([(population, factor * w) for population, w in self._parts], self._rest * factor + shift)

    def _plus(self, other: object) -> Self | None:
        if isinstance(other, type(self)):
            return self._again((*self._parts, *other._parts), self._rest + other._rest, other)
        if isinstance(other, Linear) and (self._adds_rows or not other.blocks):
            return self._again(self._parts, self._rest + other)
        return None


# -- Recalls under the learned prior: one law for each set of weights on the same recalls ------------------------------


class LearnedSum(PopulationSum):
    """Law of ``sum_i w_i theta_i`` over recalls under the learned prior, plus independent linear laws.

    Parameters
    ----------
    parts : iterable of (Population, ndarray of shape (K,))
        Recalls have identity: weights on the same object add up, different objects are separate test sets.
    rest : Linear, optional
        What else is added: independent rows, and a constant.

    Notes
    -----
    Closed under addition, subtraction and scaling. Given the hyperparameters the recalls are independent, so the
    characteristic function is a sum over their nodes of products over the classes, inverted once
    (`howsure.numerics.populations.node_sums`): "exact". Where every class is all right or all wrong, so that the
    density is infinite somewhere, each node's law is a Beta of its mean and variance: "approximate". So are up to
    100,000 draws, for the difference of two such sums and where independent rows are added. ``error`` is that of the
    cdf.

    Examples
    --------
    >>> recalls = Population([30, 3, 8], [32, 4, 10])
    >>> law = LearnedSum([(recalls, np.full(3, 1 / 3))])
    >>> round(law.mean, 3), law.route
    (0.807, 'exact')
    >>> (law - law).sd
    0.0
    """

    def __init__(self, parts: Iterable[tuple[Population, Floats]], rest: Linear | None = None) -> None:
        super().__init__(parts, Linear() if rest is None else rest)

    def _again(self, parts: Iterable[tuple[Any, Any]], rest: Linear, other: Self | None = None) -> Self:
        return type(self)(parts, rest)

    @property
    def blocks(self) -> frozenset[Population | DirichletRows]:
        """The random recalls and rows that this law depends on."""
        return frozenset(recalls for recalls, _ in self._parts) | self._rest.blocks

    @cached_property
    def _numbers(self) -> NodeSumLaw | RateLaw | Linear | Draws:  # type: ignore[override]  # of laws see above
        if not self._parts:
            return self._rest
        if not self._rest.blocks:
            try:
                return sum_law(self._terms)
            except TooDear:
                pass
        recalls = sum(int(np.count_nonzero(weights)) for _, weights in self._parts)
        draws = int(np.clip(NUMBERS // max(recalls, 1), FEWEST, MOST))
        return Draws(self.sample(draws), support=self.support)

    @cached_property
    def _terms(self) -> list[NodeSum]:
        shifts = [self._rest.mean, *[0.0] * len(self._parts)]
        return [recalls.sum_terms(w, shift) for (recalls, w), shift in zip(self._parts, shifts, strict=False)]

    @property
    def mean(self) -> float:
        """Expected value."""
        return sum(terms.moments[0] for terms in self._terms) if self._parts else self._rest.mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return math.hypot(*(terms.moments[1] for terms in self._terms), self._rest.sd)

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the recalls."""
        rng = generator(n, seed)
        total = self._rest.sample(n, seed=int(rng.integers(2**31)))
        for recalls, weights in self._parts:
            total = total + recalls.draw_sum(weights, n, rng)
        return total

    def __repr__(self) -> str:
        recalls = sum(int(np.count_nonzero(weights)) for _, weights in self._parts)
        return f"<LearnedSum: {recalls} recalls, mean {self.mean:.4g}, sd {self.sd:.2g}>"


# -- Means of groups ---------------------------------------------------------------------------------------------------


class GroupMeans(PopulationSum):
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

    _adds_rows = False

    def __init__(
        self, parts: Iterable[tuple[PopulationMean, float]], shift: float = 0.0, rows: object | None = None
    ) -> None:
        super().__init__(parts, Linear(shift=float(shift)))
        self._rows = rows

    def _again(self, parts: Iterable[tuple[Any, Any]], rest: Linear, other: Self | None = None) -> Self:
        return type(self)(parts, rest.mean, self._rows if other is None or other._rows is self._rows else None)

    @property
    def blocks(self) -> frozenset[object]:
        """What the law depends on: the rows of its posterior, or the means themselves."""
        if self._rows is not None and self._parts:
            return frozenset([self._rows])
        return frozenset(mean for mean, _ in self._parts)

    @cached_property
    def _numbers(self) -> InterpolatedLaw | MeanSum | Linear:  # type: ignore[override]  # of laws see above
        if not self._parts:
            return self._rest
        shift = self._rest.mean
        if len(self._parts) == 1:
            mean, weight = self._parts[0]
            if (weight, shift) == (1.0, 0.0):
                law: InterpolatedLaw = mean.law
                return law
            return InterpolatedLaw(mean.density, coefficient=float(weight), shift=shift)
        return MeanSum([mean.law for mean, _ in self._parts], np.array([w for _, w in self._parts]), shift)

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        return super().error + float(sum(mean.error for mean, _ in self._parts))

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the means."""
        rng = generator(n, seed)
        total = np.full(n, self._rest.mean)
        for mean, weight in self._parts:
            total += weight * mean.law.draw(n, rng)
        return total

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

    exact_to = EXACT

    def __init__(self, rates: ItemRates, k: int, *, any_right: bool = False) -> None:
        self._rates, self._k, self._any = rates, k, any_right

    @cached_property
    def _numbers(self) -> ItemPowers:
        if self._any:
            return ItemPowers(self._rates.turned(), self._k, coefficient=-1.0, shift=1.0)
        return ItemPowers(self._rates, self._k)


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
