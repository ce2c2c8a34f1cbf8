"""The law of a ratio of two linear functionals of independent Dirichlet rows, ready to be asked."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.curved_law import TRUSTED, CurvedLaw
from howsure.numerics.ratio.probit_curve import ProbitCurve
from howsure.numerics.ratio.ratio_form import Fraction, fraction_of
from howsure.numerics.ratio.two_parts import TwoParts, two_parts_of

__all__ = ["FractionalEngine"]

TAIL = 1e-4  # below this probability inversion is tilted, for its relative accuracy
DEAR = 1.8e6  # logarithms from which one of the fifty probabilities of a general ratio costs 30 ms and more
MOST_CELLS = 1000  # of a general ratio: beyond, fifty inversions cost more than drawing


class FractionalEngine(CurvedLaw):
    """Law of ``(n0 + sum n_ij p_ij) / (d0 + sum d_ij p_ij)`` for independent Dirichlet rows ``p_i``.

    ``P(X <= x)`` is a probability of a linear functional, one for each ``x``; where the rows enter through two
    independent numbers all of them come from one integral. A curve through a few dozen of these gives everything else.

    Parameters
    ----------
    n, d, alphas : ndarray, shape (R, J)
        Coefficients of numerator and denominator, and concentrations (0: a cell that cannot occur).
    n0, d0 : float
        Constants.

    Raises
    ------
    ValueError
        A denominator that can be negative or is always 0, or a ratio without a bound.
    """

    def __init__(self, n: Floats, d: Floats, alphas: Floats, n0: float = 0.0, d0: float = 0.0) -> None:
        self._fraction: Fraction = fraction_of(n, d, alphas, n0, d0)
        least, most = self._fraction.denominator_range
        if not (most > 0 and least >= -1e-14 * most):
            raise ValueError("the denominator must be positive")
        low, high = self._fraction.extreme(False), self._fraction.extreme(True)
        if not np.isfinite(low + high):
            raise ValueError("the ratio must be bounded")
        self.is_point: bool = not high - low > 1e-14 * max(abs(low), abs(high), 1e-300)
        self.support: tuple[float, float] = (high, high) if self.is_point else (low, high)
        self._series_error = 0.0

    @property
    def cheap(self) -> bool:
        """Whether the law costs no more than drawing: not a general ratio of many cells, or of nearly empty ones."""
        if self.is_point or self._two_parts is not None:
            return True
        if sum(len(row.alpha) for row in self._fraction.rows) > MOST_CELLS:
            return False
        return self._fraction.functional(self._fraction.mean).price < DEAR

    @property
    def method(self) -> str:
        """How a probability is computed."""
        if self.is_point:
            return "point"
        return "inversion at every point" if self._two_parts is None else self._two_parts.method

    @property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        if self.is_point:
            return 0.0
        parts = 0.0 if self._two_parts is None else self._two_parts.residual
        fit = self._curve.error if self._curve.usable and self._curve.error <= TRUSTED else 0.0
        return max(self._series_error, parts) + fit

    @cached_property
    def _two_parts(self) -> TwoParts | None:
        return two_parts_of(self._fraction)

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._absolute, self._fraction.mean, self._fraction.sd, *self.support)

    # -- probabilities -------------------------------------------------------------------------------------------

    def _absolute(self, x: Floats) -> tuple[Floats, Floats]:
        """``F`` and ``1 - F``; from the integral over two numbers, or one by one and with absolute accuracy only."""
        if self._two_parts is not None:
            F, S, error = self._two_parts.evaluate(x)
            self._series_error = max(self._series_error, error)
            return F, S
        F = np.empty(len(x))
        for i, at in enumerate(x.tolist()):
            law = self._fraction.functional(at)
            low, high = law.support
            F[i] = float(high <= 0) if not low < 0 < high else law.evaluate(np.zeros(1))[0][0]
            self._series_error = max(self._series_error, law.residual)
        return F, 1 - F

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        """``F`` and ``1 - F``, with relative accuracy in the tails."""
        F, S = self._absolute(x)
        if self._two_parts is not None:  # a sum of positive terms
            return F, S
        for i in np.flatnonzero(np.minimum(F, S) < TAIL).tolist():
            law = self._fraction.functional(float(x[i]))
            F[i], S[i] = float(law.cdf(0.0)), float(law.sf(0.0))
        return F, S

    # -- moments ----------------------------------------------------------------------------------------------------

    @property
    def mean(self) -> float:
        """Mean."""
        return self.support[0] if self.is_point else self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return 0.0 if self.is_point else self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        if self._two_parts is not None:
            return self._two_parts.moments
        if self._curve.usable:
            return self._curve.moments
        x = self.quantile((np.arange(400) + 0.5) / 400)  # a law that is all at its ends
        return float(x.mean()), float(x.std())
