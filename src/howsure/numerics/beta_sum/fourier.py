"""Fourier series of a law on a window, and what a law can be asked whose series is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from howsure.numerics.arrays import Complexes, Floats, Integers
from howsure.numerics.solve.peaks import Peaks, grid_of_parts

# -- Phases, their powers, and the Fourier series of a law on a window that holds all but ``1e-17`` of its mass --------

# With period ``L`` and ``t_m = 2 pi m/L``, and ``z`` the distance from the mean,
#
#     F(z) = 1/2 + z/L - Im sum_{m >= 1} 2 phi(t_m) e^{-i t_m z} / (t_m L),
#
# where ``phi`` is the characteristic function of ``X - mean``. For an analytic density the coefficients decay
# exponentially, and the series is a trapezoidal rule for the inversion integral (Abate and Whitt, 1992); its only
# errors are the mass outside the window and the terms left out. Outside the window the series is periodic and
# meaningless.


POWERS_AT_A_TIME = 1 << 17  # stay in the cache


def power_ladder(z: Complexes, count: int) -> Complexes:
    """``z^0 .. z^(count-1)`` along a new first axis, by doubling: every power is at most ``log2`` products deep."""
    ladder = np.empty((count, *z.shape), complex)
    ladder[0] = 1.0
    filled = 1
    while filled < count:
        more = min(filled, count - filled)
        np.multiply(ladder[:more], z, out=ladder[filled : filled + more])
        filled += more
        if filled < count:
            z = z * z
    return ladder


def unit_phase(angle: Floats) -> Complexes:
    """``e^{i angle}``; the real sine and cosine are several times faster than the complex exponential."""
    phase = np.empty(angle.shape, complex)
    phase.real = np.cos(angle)
    phase.imag = np.sin(angle)
    return phase


def equispaced_transform(deviation: Floats, weight: Floats, t0: float, dt: float, count: int) -> Complexes:
    """``sum_j weight_j e^{i t_m deviation_j}`` at ``t_m = t0 + m dt``, ``m < count``, for every class.

    With ``m = Q p + q`` the sum is a product of a matrix of giant steps ``e^{i Q p dt d}`` and one of baby steps
    ``weight e^{i (t0 + q dt) d}``: three exponentials per node instead of ``count``.
    """
    babies = int(np.ceil(np.sqrt(count)))
    giants = -(-count // babies)
    most = max(1, POWERS_AT_A_TIME // (len(deviation) * (babies + giants)))
    if deviation.shape[1] > 2 * most:
        parts = (slice(k, k + most) for k in range(0, deviation.shape[1], most))
        total = np.zeros((len(deviation), count), complex)
        for part in parts:
            total += equispaced_transform(deviation[:, part], weight[:, part], t0, dt, count)
        return total
    small = power_ladder(unit_phase(dt * deviation), babies)
    small *= weight * unit_phase(t0 * deviation)
    large = power_ladder(unit_phase(babies * dt * deviation), giants)
    product = large.transpose(1, 0, 2) @ small.transpose(1, 2, 0)
    return product.reshape(len(deviation), giants * babies)[:, :count]


def integer_power(base: Complexes, exponent: Integers) -> Complexes:
    """``base_k ^ exponent_k`` by binary powering, the exponent along the first axis."""
    if (exponent == 1).all():
        return base
    result = np.ones_like(base)
    remaining = exponent.copy()
    while True:
        odd = (remaining & 1).astype(bool)
        result[odd] *= base[odd]
        remaining >>= 1
        if not remaining.any():
            return result
        base = base * base


PHASES_AT_A_TIME = 1 << 20
LONG = 128  # terms from which sines and cosines cost more than a matrix product


@dataclass(frozen=True)
class FourierSeries:
    """Coefficients ``2 phi(t_m)/(t_m L)`` of the series of one law."""

    period: float
    phi: Complexes

    def __post_init__(self) -> None:
        step, terms = 2 * np.pi / self.period, len(self.phi)
        t = step * np.arange(1, terms + 1)
        first = self.phi * (2 / (t * self.period))
        # columns: the terms of F, f and f' up to a factor i
        columns = np.empty((terms, 3), complex)
        columns[:, 0] = first
        np.multiply(first, t, out=columns[:, 1])
        np.multiply(columns[:, 1], t, out=columns[:, 2])
        babies = int(np.ceil(np.sqrt(terms))) if terms > LONG else terms
        giants = -(-terms // babies)
        table = columns
        if giants > 1:
            table = np.concatenate((columns, np.zeros((giants * babies - terms, 3)))).reshape(giants, 3 * babies)
        object.__setattr__(self, "_babies", t[:babies])
        object.__setattr__(self, "_giants", step * babies * np.arange(giants))
        object.__setattr__(self, "_table", table)

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative at distances ``z`` (1-D) from the mean."""
        babies: Floats = self._babies  # type: ignore[attr-defined]
        block = max(1, PHASES_AT_A_TIME // (3 * len(babies)))
        if len(z) <= block:
            sums = self._sums(z)
        else:
            sums = np.concatenate([self._sums(z[k : k + block]) for k in range(0, len(z), block)])
        return 0.5 + z / self.period - sums[:, 0].imag, 1 / self.period + sums[:, 1].real, sums[:, 2].imag

    def _sums(self, z: Floats) -> Complexes:
        """Sum the three columns; a long series in giant and baby steps, as in `equispaced_transform`."""
        babies: Floats = self._babies  # type: ignore[attr-defined]
        giants: Floats = self._giants  # type: ignore[attr-defined]
        table: Complexes = self._table  # type: ignore[attr-defined]
        small = unit_phase(np.multiply.outer(-z, babies))
        if len(giants) == 1:
            return small @ table
        large = unit_phase(np.multiply.outer(-z, giants)) @ table
        return (small[:, None, :] @ large.reshape(len(z), len(babies), 3))[:, 0]


# -- What a law can be asked whose Fourier series on a window is known -------------------------------------------------


class WindowedLaw:
    """A law whose Fourier series on a window a subclass makes; its cdf has the absolute error ``residual`` at most."""

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
