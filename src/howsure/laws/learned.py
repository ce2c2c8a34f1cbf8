"""Weighted sums of recalls that were learned together: one law for each set of weights on the same recalls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from howsure.laws.computed_law import ComputedLaw
from howsure.laws.dirichlet import DirichletRows
from howsure.laws.draws import Draws
from howsure.laws.law import SEED, Law, Route, generator
from howsure.laws.linear import Linear, real
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.node_sums import NodeSum, NodeSumLaw, TooDear
from howsure.numerics.populations.population import Population
from howsure.numerics.populations.rate_law import RateLaw, sum_law

#: Error of a cdf up to which a law is called exact.
EXACT = 1e-4

#: Draws of what has no law: at least, at most, and numbers that they may take.
FEWEST, MOST, NUMBERS = 20_000, 100_000, 20_000_000

#: Error of the cdf of n draws times the root of n: not exceeded anywhere in 95 of 100 (Kolmogorov).
KOLMOGOROV = 1.36

#: Coefficients, shape (K,), on the recalls of one test set.
Weighted = tuple[Population, Floats]


class LearnedSum(ComputedLaw):
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

    def __init__(self, parts: Iterable[Weighted], rest: Linear | None = None) -> None:
        self._parts = merged(parts)
        self._rest = Linear() if rest is None else rest

    @property
    def blocks(self) -> frozenset[Population | DirichletRows]:
        """The random recalls and rows that this law depends on."""
        return frozenset(recalls for recalls, _ in self._parts) | self._rest.blocks

    @cached_property
    def _numbers(self) -> NodeSumLaw | RateLaw | Linear | Draws:  # type: ignore[override]  # of laws see below
        if not self._parts:
            return self._rest
        if not self._rest.blocks:
            try:
                return sum_law(self._terms)
            except TooDear:
                pass
        return Draws(self.sample(self._draws), support=self.support)

    @cached_property
    def _terms(self) -> list[NodeSum]:
        shifts = [self._rest.mean, *[0.0] * len(self._parts)]
        return [recalls.sum_terms(w, shift) for (recalls, w), shift in zip(self._parts, shifts, strict=False)]

    @property
    def _draws(self) -> int:
        """How many draws stand in for a law."""
        recalls = sum(int(np.count_nonzero(weights)) for _, weights in self._parts)
        return int(np.clip(NUMBERS // max(recalls, 1), FEWEST, MOST))

    # -- the law --------------------------------------------------------------------------------------------

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """How it is known: "exact" where the error of the cdf is below 1e-4."""
        return "exact" if self.error <= EXACT else "approximate"

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        if isinstance(self._numbers, Draws):
            return KOLMOGOROV / math.sqrt(self._draws)
        return self._numbers.error if isinstance(self._numbers, Law) else self._numbers.residual

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        low, high = self._rest.support
        for _, weights in self._parts:
            low, high = low + float(np.minimum(weights, 0).sum()), high + float(np.maximum(weights, 0).sum())
        return low, high

    @property
    def mean(self) -> float:
        """Expected value."""
        return sum(terms.moments[0] for terms in self._terms) if self._parts else self._rest.mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return math.hypot(*(terms.moments[1] for terms in self._terms), self._rest.sd)

    def _quantile(self, p: Floats) -> Floats:
        low, high = self.support
        inner = np.asarray(self._numbers.quantile(p))
        return np.where(p <= 0, low, np.where(p >= 1, high, np.clip(inner, low, high)))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        law = self._numbers
        return law._hdi(level) if isinstance(law, Law) else law.highest_density(level)

    @property
    def mode(self) -> float:
        """Most probable value."""
        return self._numbers.mode if isinstance(self._numbers, Law) else self._numbers.mode()

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the recalls."""
        rng = generator(n, seed)
        total = self._rest.sample(n, seed=int(rng.integers(2**31)))
        for recalls, weights in self._parts:
            total = total + recalls.draw_sum(weights, n, rng)
        return total

    # -- arithmetic -----------------------------------------------------------------------------------------

    def __mul__(self, factor: float) -> LearnedSum:
        if not real(factor):
            return NotImplemented
        return LearnedSum([(recalls, factor * weights) for recalls, weights in self._parts], self._rest * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> LearnedSum:
        return self * (1 / divisor) if real(divisor) else NotImplemented

    def __neg__(self) -> LearnedSum:
        return self * -1.0

    def __add__(self, other: LearnedSum | Linear | float) -> LearnedSum:
        if isinstance(other, LearnedSum):
            return LearnedSum((*self._parts, *other._parts), self._rest + other._rest)
        if isinstance(other, Linear) or real(other):
            return LearnedSum(self._parts, self._rest + other)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: LearnedSum | Linear | float) -> LearnedSum:
        return self + (-other)

    def __rsub__(self, other: Linear | float) -> LearnedSum:
        return -self + other

    def __repr__(self) -> str:
        recalls = sum(int(np.count_nonzero(weights)) for _, weights in self._parts)
        return f"<LearnedSum: {recalls} recalls, mean {self.mean:.4g}, sd {self.sd:.2g}>"


def merged(parts: Iterable[Weighted]) -> tuple[Weighted, ...]:
    """Add up the weights on the same recalls, so that what cancels is gone."""
    sums: dict[Population, Floats] = {}
    for recalls, weights in parts:
        sums[recalls] = sums.get(recalls, 0.0) + np.asarray(weights, dtype=float)
    return tuple((recalls, weights) for recalls, weights in sums.items() if weights.any())
