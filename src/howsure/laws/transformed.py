"""Laws that are moved and stretched: a monotone function of a number, and Student's t."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import SEED, Law, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.solve import shortest_interval
from howsure.numerics.two_by_two.lines import normal_rule

# -- A monotone function of a number whose law is known: 1 / J, a square root, a gain ----------------------------------


#: Step in Normal scores of the rule for moments; its nodes leave out 7e-9 of the mass.
STEP = 0.2


@dataclass(frozen=True)
class Monotone:
    """A function that never falls or, with ``rises=False``, never rises."""

    there: Callable[[Floats], Floats]  # the function, on arrays; of the module level, so that laws can be pickled
    back: Callable[[Floats], Floats]  # its inverse
    slope: Callable[[Floats], Floats]  # size of the derivative of ``back``
    support: tuple[float, float]  # where its values lie
    rises: bool = True
    straight: bool = False  # under a straight line what is densest stays so


class Transformed(Law):
    """Law of ``g(X)`` for a monotone ``g``; as exact as that of X.

    Parameters
    ----------
    law : Law
        Of X, without atoms.
    curve : Monotone
        The function.
    moments : (float, float), optional
        Mean and standard deviation where they are closed. Without them the values at the quantiles of X are
        averaged by the trapezoid rule in Normal scores, which leaves out 7e-9 of the mass: where g is infinite on
        more of it than that, the mean is infinite.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> root = Transformed(Beta(4, 9), Monotone(np.sqrt, np.square, lambda y: 2 * y, (0, 1)))
    >>> abs(root.median**2 - Beta(4, 9).median) < 1e-12, round(root.mean, 4)
    (True, 0.5429)
    """

    def __init__(self, law: Law, curve: Monotone, *, moments: tuple[float, float] | None = None) -> None:
        self._of, self._curve = law, curve
        if moments is not None:
            self.__dict__["_moments"] = moments

    @property
    def route(self) -> Route:  # type: ignore[override]  # a property here, a constant elsewhere
        """That of the law of X."""
        return self._of.route

    @property
    def error(self) -> float:
        """Error of the cdf: that of the law of X."""
        return self._of.error

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self._curve.support

    @property
    def mean(self) -> float:
        """Expected value."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        z, weight = normal_rule(STEP)
        values = self._quantile(np.asarray(special.ndtr(z)))
        if not np.isfinite(values).all():
            return float(weight @ np.where(weight > 0, values, 0.0)), np.inf
        mean = float(weight @ values)
        return mean, float(np.sqrt(weight @ (values - mean) ** 2))

    def _cdf(self, x: Floats) -> Floats:
        return self._tail(x, lower=True)

    def _sf(self, x: Floats) -> Floats:
        return self._tail(x, lower=False)

    def _tail(self, x: Floats, *, lower: bool) -> Floats:
        low, high = self.support
        at = self._curve.back(np.clip(x, low, high))
        inside = self._of._cdf(at) if lower == self._curve.rises else self._of._sf(at)
        return np.where(x < low, float(not lower), np.where(x >= high, float(lower), inside))

    def _pdf(self, x: Floats) -> Floats:
        low, high = self.support
        inside = (x >= low) & (x <= high) & np.isfinite(x)
        result = np.zeros(np.shape(x))
        with np.errstate(divide="ignore", invalid="ignore"):
            density = self._of._pdf(self._curve.back(x[inside])) * self._curve.slope(x[inside])
        result[inside] = np.nan_to_num(density, nan=0.0, posinf=np.inf)
        return result

    def _quantile(self, p: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return self._curve.there(self._of._quantile(p if self._curve.rises else 1 - p))

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        if not self._curve.straight:
            return shortest_interval(self._quantile, level, points=25)
        ends = self._of._hdi(level)
        if ends is None:
            return None
        first, last = self._curve.there(np.array(ends)).tolist()
        return (first, last) if self._curve.rises else (last, first)

    @property
    def mode(self) -> float:
        """Most probable value."""
        return float(self._curve.there(np.array(self._of.mode))) if self._curve.straight else super().mode

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing X."""
        with np.errstate(divide="ignore"):
            return self._curve.there(self._of.sample(n, seed=seed))

    def __repr__(self) -> str:
        return f"<Transformed: of {self._of!r}, mean {self.mean:.4g}>"


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
