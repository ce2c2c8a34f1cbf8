"""Weighted sums of recalls that were learned together: one law for each set of weights on the same recalls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from howsure.laws.dirichlet import DirichletRows
from howsure.laws.draw_settings import SEED, generator
from howsure.laws.draws import Draws
from howsure.laws.law import Law, Route
from howsure.laws.linear import Linear, real
from howsure.laws.mixture import Mixture
from howsure.numerics.arrays import Floats
from howsure.numerics.learned.node_sums import NodeSumLaw, TooDear
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.rate_law import RateLaw, one_rate

__all__ = ["LearnedSum", "Weighted"]


#: Error of a cdf from which on the digits of its far tails mean nothing.
NEGLIGIBLE = 1e-9

#: Error of a cdf up to which a law is called exact.
EXACT = 1e-4

#: Draws that stand in for Betas that fit worse than they do: at least, at most, and numbers that they may take.
FEWEST, MOST, NUMBERS = 20_000, 100_000, 20_000_000

#: Error of the cdf of n draws times the root of n: not exceeded anywhere in 95 of 100 (Kolmogorov).
KOLMOGOROV = 1.36

#: Coefficients, shape (K,), on the recalls of one test set.
Weighted = tuple[Population, Floats]


class LearnedSum(Law):
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
    (`howsure.numerics.learned.node_sums`): "exact". Where that would take long (hundreds of unlike classes, or every
    class all right or all wrong, so that the density is infinite somewhere), and where independent rows are added, the
    nodes' laws are replaced by Betas of right moments (`howsure.numerics.learned.recall_sums`), or by up to
    100,000 draws where these Betas err by more: "approximate". ``error`` is that of the cdf; mean and sd have closed
    forms.

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
    def _exact(self) -> NodeSumLaw | RateLaw | None:
        """The law by inversion, of one recall by its density; None where that is not to be had, or not needed."""
        if not self._parts or self._rest.blocks:
            return None
        shifts = [self._rest.mean] + [0.0] * (len(self._parts) - 1)
        terms = [recalls.sum_terms(w, shift) for (recalls, w), shift in zip(self._parts, shifts, strict=True)]
        if len(terms) == 1 and terms[0].copies.sum() == 1:
            return one_rate(terms[0])
        try:
            return NodeSumLaw(terms)
        except TooDear:
            return None

    @cached_property
    def _law(self) -> Law:
        """The law where it cannot be inverted: by Betas, or by draws where these are nearer."""
        many = self._draws
        if self._by_betas.error <= KOLMOGOROV / math.sqrt(many):
            return self._by_betas
        return Draws(self.sample(many), support=self.support)

    @property
    def _draws(self) -> int:
        """How many draws stand in for Betas."""
        recalls = sum(int(np.count_nonzero(weights)) for _, weights in self._parts)
        return int(np.clip(NUMBERS // max(recalls, 1), FEWEST, MOST))

    @cached_property
    def _by_betas(self) -> Law:
        """The law by Betas of moments that are right."""
        total: Mixture | None = None
        for recalls, weights in self._parts:
            fitted = recalls.mixture_of(weights)
            law = Mixture.of_fitted(fitted, source=recalls, error=fitted.error)
            total = law if total is None else total + law
        if total is None:
            return self._rest
        return total + self._rest if self._rest.blocks else total + self._rest.mean

    # -- the law --------------------------------------------------------------------------------------------

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """How it is known: "exact" where the error of the cdf is below 1e-4."""
        return "exact" if self.error <= EXACT else "approximate"

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        if self._exact is not None:
            return self._exact.residual
        return KOLMOGOROV / math.sqrt(self._draws) if isinstance(self._law, Draws) else self._law.error

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
        return self._by_betas.mean if self._exact is None else self._exact.mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._by_betas.sd if self._exact is None else self._exact.sd

    def _cdf(self, x: Floats) -> Floats:
        if self._exact is not None:
            return self._exact.cdf(x)
        return self._law._cdf(x) if self._closed else np.clip(self._below(x), 0.0, 1.0)

    def _sf(self, x: Floats) -> Floats:
        if self._exact is not None:
            return self._exact.sf(x)
        return self._law._sf(x) if self._closed else np.clip(1 - self._below(x), 0.0, 1.0)

    @cached_property
    def _closed(self) -> bool:
        """Whether relative accuracy in the tails is cheap, as for Betas, or of use, as for what is exact."""
        law = self._law
        return not isinstance(law, Mixture) or law._betas is not None or law.error < NEGLIGIBLE

    def _below(self, x: Floats) -> Floats:
        """Distribution function with absolute accuracy: the rest, a thousand times as dear, is lost in the error."""
        return self._law._evaluate(x.ravel())[0].reshape(x.shape)

    def _pdf(self, x: Floats) -> Floats:
        if self._exact is not None:
            return self._exact.pdf(x)
        return (
            self._law._pdf(x) if self._closed else np.maximum(self._law._evaluate(x.ravel())[1].reshape(x.shape), 0.0)
        )

    def _quantile(self, p: Floats) -> Floats:
        low, high = self.support
        inner = self._law._quantile(p) if self._exact is None else self._exact.quantile(p)
        return np.where(p <= 0, low, np.where(p >= 1, high, np.clip(inner, low, high)))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        return self._law._hdi(level) if self._exact is None else self._exact.highest_density(level)

    @property
    def mode(self) -> float:
        """Most probable value."""
        return self._law.mode if self._exact is None else self._exact.mode()

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
