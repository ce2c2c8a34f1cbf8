"""Laws that numerics compute, and Student's."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from scipy import special

from howsure.errors import InvalidArgument, OutOfReach, excerpt
from howsure.laws.law import Law, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.transforms import TooManyNodes

# -- Laws whose answers one object of `howsure.numerics` computes: what is asked of it, handed on once -----------------


#: A law whose cdf is known to this is called exact; where parameters near 0 meet, it is "approximate".
EXACT = 1e-6


@contextmanager
def in_words() -> Iterator[None]:
    """Say in a sentence what no number of nodes can do; also a decorator."""
    try:
        yield
    except TooManyNodes as error:
        raise OutOfReach(str(error)) from None


class _Numbers(Protocol):
    """What computes a law."""

    @property
    def support(self) -> tuple[float, float]: ...
    @property
    def mean(self) -> float: ...
    @property
    def sd(self) -> float: ...
    @property
    def residual(self) -> float: ...
    def cdf(self, x: Floats, /) -> Floats: ...
    def sf(self, x: Floats, /) -> Floats: ...
    def pdf(self, x: Floats, /) -> Floats: ...
    def quantile(self, p: Floats, /) -> Floats: ...
    def highest_density(self, level: float, /) -> tuple[float, float] | None: ...
    def mode(self) -> float: ...


class ComputedLaw(Law):
    """A law with one object that computes it."""

    @property
    @abstractmethod
    def _numbers(self) -> _Numbers:
        """The object that computes the law."""

    @property
    def error(self) -> float:
        """Estimated error of the cdf."""
        return float(self._numbers.residual)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self._numbers.support

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self._numbers.mean)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return float(self._numbers.sd)

    @property
    @in_words()
    def mode(self) -> float:
        """Most probable value."""
        return float(self._numbers.mode())

    @in_words()
    def _cdf(self, x: Floats) -> Floats:
        return self._numbers.cdf(x)

    @in_words()
    def _sf(self, x: Floats) -> Floats:
        return self._numbers.sf(x)

    @in_words()
    def _pdf(self, x: Floats) -> Floats:
        return self._numbers.pdf(x)

    @in_words()
    def _quantile(self, p: Floats) -> Floats:
        return self._numbers.quantile(p)

    @in_words()
    def _highest_density(self, level: float) -> tuple[float, float] | None:
        return self._numbers.highest_density(level)


class EstimatedLaw(ComputedLaw):
    """A computed law whose estimated error decides what it is called."""

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """How it is known: "exact", or "approximate" where the estimated error is above 1e-6."""
        return "exact" if self.error <= EXACT else "approximate"


# -- Student's t, moved and scaled -------------------------------------------------------------------------------------


class Student(Law):
    """Law of ``centre + scale T``, T Student's t with ``df`` degrees of freedom; exact.

    Parameters
    ----------
    df, scale : float
        Above 0.
    centre : float
        The median.

    Raises
    ------
    InvalidArgument
        Parameters that are not finite, or not above 0.

    Examples
    --------
    >>> law = Student(9, 0.02, 0.01)
    >>> round(law.prob(above=0), 4), [round(x, 4) for x in law.interval()]
    (0.9617, [-0.0026, 0.0426])
    """

    def __init__(self, df: float, centre: float, scale: float) -> None:
        if not (0 < df < math.inf and 0 < scale < math.inf and math.isfinite(centre)):
            raise InvalidArgument(f"Student(df, centre, scale) needs df and scale above 0, not {excerpt((df, scale))}")
        self._df, self._centre, self._scale = float(df), float(centre), float(scale)

    @property
    def support(self) -> tuple[float, float]:
        """All numbers."""
        return -math.inf, math.inf

    @property
    def mean(self) -> float:
        """The centre; NaN where there is no mean (one degree of freedom or less)."""
        return self._centre if self._df > 1 else math.nan

    @property
    def sd(self) -> float:
        """Standard deviation; infinite with two degrees of freedom or less."""
        return self._scale * math.sqrt(self._df / (self._df - 2)) if self._df > 2 else math.inf

    def _standard(self, x: Floats) -> Floats:
        return np.asarray((x - self._centre) / self._scale)

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(special.stdtr(self._df, self._standard(x)))

    def _sf(self, x: Floats) -> Floats:
        return np.asarray(special.stdtr(self._df, -self._standard(x)))

    def _pdf(self, x: Floats) -> Floats:
        half = 0.5 * (self._df + 1)
        height = special.gammaln(half) - special.gammaln(0.5 * self._df) - 0.5 * math.log(self._df * math.pi)
        return np.asarray(np.exp(height - half * np.log1p(self._standard(x) ** 2 / self._df)) / self._scale)

    def _quantile(self, p: Floats) -> Floats:
        return np.asarray(self._centre + self._scale * special.stdtrit(self._df, p))

    def _highest_density(self, level: float) -> tuple[float, float]:
        """Of one top and alike on both sides, so the central interval is the shortest."""
        low, high = self._quantile(np.array([(1 - level) / 2, (1 + level) / 2]))
        return float(low), float(high)

    def __repr__(self) -> str:
        return f"<Student: {self._df:g} degrees of freedom, centre {self._centre:.4g}, scale {self._scale:.2g}>"
