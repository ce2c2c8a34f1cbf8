"""A number whose law is one of several, with known weights: pooled test sets, reconstructed matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import Floats, Law, Route
from howsure.laws.linear import Linear
from howsure.numerics.bisection import bisect_increasing

__all__ = ["Mixture"]

#: Components a sum or difference of mixtures may have before neighbours are joined by their moments.
MOST_COMPONENTS = 256


class Mixture(Law):
    """Law that is ``laws[k]`` with probability ``weights[k]``; exact if its components are.

    Parameters
    ----------
    laws : sequence of Law
        At least one.
    weights : array_like, shape (K,), optional
        0 or more, adding to 1; equal if left out.

    Raises
    ------
    InvalidArgument
        No law, weights that are negative or do not add to 1.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> law = Mixture([Beta(9, 2), Beta(2, 9)], [0.75, 0.25])
    >>> round(law.mean, 4), round(law.cdf(0.5), 4)
    (0.6591, 0.2554)
    """

    def __init__(self, laws: Sequence[Law], weights: ArrayLike | None = None) -> None:
        if not len(laws) or not all(isinstance(law, Law) for law in laws):
            raise InvalidArgument("a mixture needs at least one law")
        shares = np.full(len(laws), 1 / len(laws)) if weights is None else np.array(weights, dtype=float)
        if shares.shape != (len(laws),) or not np.all(shares >= 0) or not abs(float(shares.sum()) - 1) < 1e-9:
            raise InvalidArgument(f"weights of a mixture are 0 or more and add to 1, one a law; not {excerpt(weights)}")
        kept = shares > 0
        self._laws = tuple(law for law, keep in zip(laws, kept.tolist(), strict=True) if keep)
        self._weights: Floats = shares[kept] / shares.sum()

    @property
    def laws(self) -> tuple[Law, ...]:
        """Components with a weight above 0."""
        return self._laws

    @property
    def weights(self) -> Floats:
        """Their weights, adding to 1."""
        return self._weights.copy()

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """As exact as the least exact component."""
        routes = {law.route for law in self._laws}
        return "drawn" if "drawn" in routes else "approximate" if "approximate" in routes else "exact"

    @property
    def error(self) -> float:
        """Weighted sum of the components' errors."""
        return float(self._weights @ np.array([law.error for law in self._laws]))

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest value of any component."""
        return min(law.support[0] for law in self._laws), max(law.support[1] for law in self._laws)

    @property
    def mean(self) -> float:
        """Weighted mean of the components' means."""
        return float(self._weights @ np.array([law.mean for law in self._laws]))

    @property
    def sd(self) -> float:
        """From the total variance: mean of the variances plus variance of the means."""
        means, sds = (np.array([getattr(law, what) for law in self._laws]) for what in ("mean", "sd"))
        return math.sqrt(float(self._weights @ (sds**2 + (means - self.mean) ** 2)))

    def _cdf(self, x: Floats) -> Floats:
        return self._sum("_cdf", x)

    def _sf(self, x: Floats) -> Floats:
        return self._sum("_sf", x)

    def _pdf(self, x: Floats) -> Floats:
        return self._sum("_pdf", x)

    def _sum(self, what: str, x: Floats) -> Floats:
        total = np.zeros(np.shape(x))
        for weight, law in zip(self._weights.tolist(), self._laws, strict=True):
            total += weight * getattr(law, what)(x)
        return total

    def _prob_below(self, x: float) -> float:
        return float(self._weights @ np.array([law._prob_below(x) for law in self._laws]))

    def _quantile(self, p: Floats) -> Floats:
        # every quantile lies between the least and the greatest of the components' own
        each = np.array([law._quantile(p) for law in self._laws])
        low, high = float(each.min()), float(each.max())
        inner = bisect_increasing(self._cdf, p, low, high) if high > low else np.full(np.shape(p), low)
        return np.where(p <= 0, self.support[0], np.where(p >= 1, self.support[1], inner))

    def sample(self, n: int, *, seed: int | Sequence[int] = 0) -> Floats:
        """Draw ``n`` independent values: first which law, then a value of it."""
        rng = np.random.default_rng(seed)
        which = rng.choice(len(self._laws), size=n, p=self._weights)
        values = np.empty(n)
        for k, law in enumerate(self._laws):
            chosen = which == k
            values[chosen] = law.sample(int(chosen.sum()), seed=int(rng.integers(2**31)))
        return values

    def __mul__(self, factor: float) -> Mixture:
        return Mixture([_scaled(law, factor) for law in self._laws], self._weights)

    __rmul__ = __mul__

    def __neg__(self) -> Mixture:
        return self * -1.0

    def __add__(self, other: Mixture | Law | float) -> Mixture:
        """Shift by a number, or add an independent law or mixture: every pair of components, joined above a bound."""
        if not isinstance(other, Law):
            return Mixture([_shifted(law, float(other)) for law in self._laws], self._weights)
        others = other if isinstance(other, Mixture) else Mixture([other])
        pairs = [_added(a, b) for a in self._laws for b in others._laws]
        weights = np.outer(self._weights, others._weights).ravel()
        if len(pairs) > MOST_COMPONENTS:
            raise InvalidArgument(f"a sum of mixtures would have {len(pairs)} components, more than {MOST_COMPONENTS}")
        return Mixture(pairs, weights)

    __radd__ = __add__

    def __sub__(self, other: Mixture | Law | float) -> Mixture:
        if isinstance(other, Law):
            return self + (-(other if isinstance(other, Mixture) else Mixture([other])))
        return self + (-float(other))

    def __repr__(self) -> str:
        return f"<Mixture of {len(self._laws)} laws, mean {self.mean:.4g}, sd {self.sd:.2g}>"


def _scaled(law: Law, factor: float) -> Law:
    if not isinstance(law, Linear | Mixture):
        raise InvalidArgument(f"{type(law).__name__} is not closed under scaling")
    return law * factor


def _shifted(law: Law, by: float) -> Law:
    if not isinstance(law, Linear | Mixture):
        raise InvalidArgument(f"{type(law).__name__} is not closed under shifting")
    return law + by


def _added(a: Law, b: Law) -> Law:
    if not isinstance(a, Linear) or not isinstance(b, Linear):
        raise InvalidArgument(f"{type(a).__name__} and {type(b).__name__} have no exact sum")
    return a + b
