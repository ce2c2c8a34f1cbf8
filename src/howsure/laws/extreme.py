"""The smallest or the largest of several rates: a product of their survival or distribution functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument
from howsure.laws.law import Law
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.least_beta import LeastBeta

__all__ = ["Extreme"]


class Extreme(Law):
    """Law of the smallest (or ``largest``) of independent rates theta_k ~ Beta(a_k, b_k); exact.

    Parameters
    ----------
    a, b : array_like, shape (K,)
        Above 0.
    largest : bool
        The largest instead.

    Raises
    ------
    InvalidArgument
        Parameters that are not positive, or shapes that differ.

    Notes
    -----
    P(min > x) = prod P(theta_k > x), and max theta = 1 - min(1 - theta).

    Examples
    --------
    >>> law = Extreme([31, 4, 9], [3, 2, 3])
    >>> round(law.cdf(0.5), 4), round((1 - Extreme([4], [2]).sf(0.5)), 4)
    (0.2141, 0.1875)
    """

    def __init__(self, a: ArrayLike, b: ArrayLike, *, largest: bool = False) -> None:
        first, second = (np.atleast_1d(np.array(x, dtype=float)) for x in (a, b))
        if first.ndim != 1 or first.shape != second.shape or not len(first):
            raise InvalidArgument(f"a and b must be of one length; got {first.shape}, {second.shape}")
        if not np.all((first > 0) & (second > 0) & np.isfinite(first + second)):
            raise InvalidArgument("the parameters a and b of a Beta must be above 0")
        self._a, self._b, self._largest = first, second, largest

    @cached_property
    def _least(self) -> LeastBeta:
        return LeastBeta.of(self._b, self._a) if self._largest else LeastBeta.of(self._a, self._b)

    @property
    def error(self) -> float:
        """Bound on the error of the cdf: the rounding of a product of incomplete Beta functions."""
        return 1e-15 * len(self._a)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return 0.0, 1.0

    @property
    def mean(self) -> float:
        """Expected value."""
        mean = self._least.moments[0]
        return 1 - mean if self._largest else mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._least.moments[1]

    def _cdf(self, x: Floats) -> Floats:
        return self._least.sf(1 - x) if self._largest else self._least.cdf(x)

    def _sf(self, x: Floats) -> Floats:
        return self._least.cdf(1 - x) if self._largest else self._least.sf(x)

    def _pdf(self, x: Floats) -> Floats:
        return self._least.pdf(1 - x if self._largest else x)

    def _quantile(self, p: Floats) -> Floats:
        return 1 - self._least.quantile(1 - p) if self._largest else self._least.quantile(p)

    @cached_property
    def _found(self) -> dict[float, tuple[float, float] | None]:
        return {}

    def _hdi(self, level: float) -> tuple[float, float] | None:
        if level not in self._found:
            ends = self._least.shape.highest(level)
            self._found[level] = (1 - ends[1], 1 - ends[0]) if self._largest and ends else ends
        return self._found[level]

    @property
    def mode(self) -> float:
        """Most probable value."""
        mode = self._least.shape.mode()
        return 1 - mode if self._largest else mode

    def sample(self, n: int, *, seed: int | Sequence[int] = 0) -> Floats:
        """Draw ``n`` independent values by drawing the rates."""
        rates = np.random.default_rng(seed).beta(self._a, self._b, (n, len(self._a)))
        return np.asarray(rates.max(1) if self._largest else rates.min(1))

    def __repr__(self) -> str:
        return f"<Extreme: {'largest' if self._largest else 'smallest'} of {len(self._a)} rates, mean {self.mean:.4g}>"
