"""The least and the greatest of several rates, and the probability that one is the best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument
from howsure.laws.law import SEED, Law
from howsure.laws.linear import Beta
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.beta_laws import LeastBeta
from howsure.numerics.populations.ranks import Ranks, beta_ranks, law_ranks

# -- Ranks of independent laws: who is first, with what probability ----------------------------------------------------


def rank_probabilities(laws: Sequence[Law]) -> Floats:
    """P(entry i has rank r) of independent laws; rank 1 is the largest value.

    Parameters
    ----------
    laws : sequence of Law
        At least one; exact laws. Equal laws share their ranks equally, two of them exactly one half each.

    Returns
    -------
    ndarray, shape (T, T)
        Entry by rank; rows and columns add to 1 within 1e-10.

    Raises
    ------
    InvalidArgument
        No law, something that is no law, or a drawn law.

    Examples
    --------
    >>> rank_probabilities([Beta(9, 2), Beta(9, 2)]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    entries = list(laws)
    if not entries or not all(isinstance(law, Law) for law in entries):
        raise InvalidArgument("ranks need a sequence of laws, at least one")
    drawn = [i for i, law in enumerate(entries) if law.route == "simulated"]
    if drawn:
        raise InvalidArgument(
            f"entry {drawn[0] + 1} is simulated; the ranks of simulated entries are counted from joint draws"
        )
    return ranks_of(entries).matrix


def ranks_of(laws: Sequence[Law]) -> Ranks:
    """Ranks of independent laws that are not drawn."""
    if all(isinstance(law, Beta) for law in laws):
        return beta_ranks(*(np.array([getattr(law, name) for law in laws]) for name in ("a", "b")))
    return law_ranks(laws)


# -- The smallest or the largest of several rates: a product of their survival or distribution functions ---------------


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

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        ends = self._least.shape.highest(level)
        return (1 - ends[1], 1 - ends[0]) if self._largest and ends else ends

    @property
    def mode(self) -> float:
        """Most probable value."""
        mode = self._least.shape.mode()
        return 1 - mode if self._largest else mode

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the rates."""
        rates = np.random.default_rng(seed).beta(self._a, self._b, (n, len(self._a)))
        return np.asarray(rates.max(1) if self._largest else rates.min(1))

    def __repr__(self) -> str:
        return f"<Extreme: {'largest' if self._largest else 'smallest'} of {len(self._a)} rates, mean {self.mean:.4g}>"
