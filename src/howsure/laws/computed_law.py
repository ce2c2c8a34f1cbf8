"""Laws whose answers one object of `howsure.numerics` computes: what is asked of it, handed on once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from howsure.errors import OutOfReach
from howsure.laws.law import Law, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.logit_nodes import TooManyNodes

__all__ = ["EXACT", "ComputedLaw", "EstimatedLaw", "in_words"]

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
