"""What a law can be asked whose Fourier series on a window is known."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.fourier import FourierSeries
from howsure.numerics.solve.peaks import Peaks, grid_of_parts

__all__ = ["WindowedLaw"]


class WindowedLaw:
    """A law whose Fourier series on a window is known; a subclass makes the series.

    Attributes
    ----------
    mean, sd : float
        Moments.
    support : (float, float)
        Smallest and largest possible value.
    residual : float
        Bound on the error of the distribution function, which is absolute.
    """

    mean: float
    sd: float
    support: tuple[float, float]
    residual: float
    _series: FourierSeries
    _low: float
    _high: float

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative at ``x`` (1-D), with absolute accuracy."""
        F, f, slope = self._series.evaluate(np.clip(x, self._low, self._high) - self.mean)
        below, above = x < self._low, x > self._high
        F = np.where(below, 0.0, np.where(above, 1.0, np.clip(F, 0.0, 1.0)))
        return F, np.where(below | above, 0.0, np.maximum(f, 0.0)), np.where(below | above, 0.0, slope)

    def _shaped(self, x: Floats, which: int) -> Floats:
        return self.evaluate(np.ravel(x))[which].reshape(np.shape(x))

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        low, high = self.support
        return np.where(x <= low, 0.0, np.where(x >= high, 1.0, self._shaped(x, 0)))

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return np.asarray(1 - self.cdf(x))

    def pdf(self, x: Floats) -> Floats:
        """Density."""
        return self._shaped(x, 1)

    def _density(self, x: Floats) -> tuple[Floats, Floats]:
        return self.evaluate(x)[1:]

    @cached_property
    def _shape(self) -> Peaks:
        ends = self.pdf(np.array(self.support))
        grid = partial(grid_of_parts, self._density, np.array([self.mean]), np.array([self.sd]), self.support)
        return Peaks(
            self.evaluate, self._density, self.cdf, grid, self.support, (float(ends[0]), float(ends[1])), self.sd
        )

    def quantile(self, p: Floats) -> Floats:
        """Inverse distribution function."""
        return self._shape.quantile(p)

    def highest_density(self, level: float) -> tuple[float, float] | None:
        """Highest-density interval; None where the densest set is not one interval."""
        return self._shape.highest(level)

    def mode(self) -> float:
        """Most probable value."""
        return self._shape.mode()
