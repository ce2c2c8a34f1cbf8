"""Laws of sums over verdicts: the share of a class, an accuracy, the judge's own rates."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.curved_law import TRUSTED, CurvedLaw
from howsure.numerics.ratio.probit_curve import ProbitCurve
from howsure.numerics.verdicts.gamma_sum import GammaFactors, InversionLine
from howsure.numerics.verdicts.log_ratio import LogRatio, Verdict

__all__ = ["RatioNumbers", "ShareNumbers", "VerdictNumbers"]

#: How far from its centre a line serves, in e-folds of a tail; the error with which it does; the largest tail it tells.
FARTHEST, SERVED, MOST_TAIL = 6.0, 1e-11, 0.97


class VerdictNumbers(CurvedLaw):
    """A law that one sum of Gammas with random factors tells at every point."""

    def __init__(self, factors: GammaFactors) -> None:
        self._factors = factors
        self._error = 0.0

    @abstractmethod
    def _coefficients(self, x: float) -> tuple[Floats, Floats]:
        """Slopes and shifts, shape (V,), of the factors whose sum is above 0 where the number is above ``x``."""

    @property
    @abstractmethod
    def sd(self) -> float:
        """Standard deviation."""

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, self.mean, self.sd, *self.support)

    @property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        if self.is_point:
            return 0.0
        curve = self._curve
        return self._error + (curve.error if curve.usable and curve.error <= TRUSTED else 0.0)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        F, S = np.empty(len(x)), np.empty(len(x))
        for i, at in enumerate(x.tolist()):
            F[i], S[i], error = self._factors.tails(*self._coefficients(at))
            self._error = max(self._error, error * min(F[i], S[i]))
        return F, S


class ShareNumbers(VerdictNumbers):
    """Law of ``sum_v q_v (w_v0 r_v + w_v1 (1 - r_v))``.

    Parameters
    ----------
    factors : GammaFactors
        Masses of the Dirichlet of q, parameters of the Betas of r.
    weights : ndarray, shape (V, 2)
        Values of a case of the class and of one that is not, for each verdict.
    """

    def __init__(self, factors: GammaFactors, weights: Floats) -> None:
        super().__init__(factors)
        self._slope, self._base = weights[:, 0] - weights[:, 1], weights[:, 1]
        self.support = float(weights.min()), float(weights.max())
        self.is_point = self.support[0] == self.support[1]
        self._lines: list[tuple[float, bool, InversionLine]] = []

    def _coefficients(self, x: float) -> tuple[Floats, Floats]:
        return self._slope, self._base - x

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        """A Beta for one verdict; else from lines that serve whole neighbourhoods, a new one where none does."""
        if len(self._slope) == 1:
            a, b = self._factors.a[0], self._factors.b[0]
            r = (x - self._base[0]) / self._slope[0]
            below, above = special.betainc(a, b, r), special.betaincc(a, b, r)
            return (below, above) if self._slope[0] > 0 else (above, below)
        F, S = np.full(len(x), np.nan), np.full(len(x), np.nan)
        while np.isnan(F).any():
            for line in self._lines:
                self._fill(line, x, F, S)
            left = np.flatnonzero(np.isnan(F))
            if not len(left):
                break
            # the middle one of those that are left: it serves the most
            self._lines.append(self._line(float(x[left[len(left) // 2]])))
            if len(left) == 1 or not self._fill(self._lines[-1], x, F, S):
                k = left[len(left) // 2]
                F[k], S[k], error = self._factors.tails(*self._coefficients(float(x[k])))
                self._error = max(self._error, error * min(F[k], S[k]))
        return F, S

    def _line(self, x: float) -> tuple[float, bool, InversionLine]:
        slope, shift = self._coefficients(x)
        upper = x > self.mean
        return (
            x,
            upper,
            self._factors.line(slope, shift, more=1) if upper else self._factors.line(-slope, -shift, more=1),
        )

    def _fill(self, line: tuple[float, bool, InversionLine], x: Floats, F: Floats, S: Floats) -> int:
        """Fill in what a line serves with full accuracy; how many these are."""
        centre, upper, points = line
        mass = float(self._factors.masses.sum())
        step = x - centre if upper else centre - x
        reach = min(FARTHEST / float(points.z[0].real), points.period / 8) / mass
        near = np.flatnonzero(np.isnan(F) & (np.abs(step) < reach))
        if not len(near):
            return 0
        tail, error = points.beyond(step[near], mass)
        good = (error < SERVED) & (tail > 0) & (tail < MOST_TAIL)
        k, tail = near[good], tail[good]
        F[k], S[k] = (1 - tail, tail) if upper else (tail, 1 - tail)
        self._error = max(self._error, float((tail * (error[good] + points.error)).max(initial=0.0)))
        return len(k)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        a, b, A = self._factors.a, self._factors.b, self._factors.masses
        total = A.sum()
        q, rate = A / total, a / (a + b)
        middle = self._base + self._slope * rate
        mean = float(q @ middle)
        within = self._slope**2 * rate * (b / (a + b)) / (a + b + 1)
        # E q_v^2 = q_v (A_v + 1) / (A + 1)
        variance = q @ (middle - mean) ** 2 / (total + 1) + (q * (A + 1) / (total + 1)) @ within
        return mean, float(np.sqrt(variance))

    @property
    def mean(self) -> float:
        """Mean."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]


class RatioNumbers(VerdictNumbers):
    """Law of ``sum_v part_v q_v r_v / sum_v q_v r_v``.

    Parameters
    ----------
    factors : GammaFactors
        Masses of the Dirichlet of q, parameters of the Betas of r.
    part : ndarray, shape (V,)
        Numbers from 0 to 1.
    """

    def __init__(self, factors: GammaFactors, part: Floats) -> None:
        super().__init__(factors)
        self._part = part
        self.support = float(part.min()), float(part.max())
        self.is_point = self.support[0] == self.support[1]

    def _coefficients(self, x: float) -> tuple[Floats, Floats]:
        return self._part - x, np.zeros(len(self._part))

    @cached_property
    def _log_ratio(self) -> LogRatio | None:
        """The ratio by its logarithm, where one verdict stands above and one below; 0 and 1 are their parts."""
        if len(self._part) != 2 or set(self._part.tolist()) != {0.0, 1.0}:
            return None
        factors = zip(self._factors.masses.tolist(), self._factors.a.tolist(), self._factors.b.tolist(), strict=True)
        first, second = (Verdict(*each) for each in factors)
        return LogRatio(first, second) if self._part[0] == 1 else LogRatio(second, first)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        return super()._direct(x) if self._log_ratio is None else self._log_ratio.tails(x)

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, *self._guess, *self.support)

    @cached_property
    def _guess(self) -> tuple[float, float]:
        """Mean and sd to first order: they only place the points of the curve."""
        a, b, A = self._factors.a, self._factors.b, self._factors.masses
        rate = a / (a + b)
        size = A * rate
        mean = float(size @ self._part / size.sum())
        spread = A * rate * (a + 1) / (a + b + 1) * (A + 1) - size**2  # of G_v r_v
        low, high = self.support
        variance = float((self._part - mean) ** 2 @ spread) / size.sum() ** 2
        return mean, float(np.sqrt(min(variance, 0.5 * (mean - low) * (high - mean))))

    @property
    def mean(self) -> float:
        """Mean."""
        return self.support[0] if self.is_point else self._curve.moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return 0.0 if self.is_point else self._curve.moments[1]
