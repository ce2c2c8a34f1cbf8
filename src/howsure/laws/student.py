"""Student's t, moved and scaled."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import Law
from howsure.numerics.arrays import Floats

__all__ = ["Student"]


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
