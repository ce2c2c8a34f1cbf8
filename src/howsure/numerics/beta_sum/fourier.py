"""The Fourier series of a law on a window that holds all but ``1e-17`` of its mass.

With period ``L`` and ``t_m = 2 pi m/L``, and ``z`` the distance from the mean,

    F(z) = 1/2 + z/L - Im sum_{m >= 1} 2 phi(t_m) e^{-i t_m z} / (t_m L),

where ``phi`` is the characteristic function of ``X - mean``. For an analytic density the coefficients decay
exponentially, and the series is a trapezoidal rule for the inversion integral (Abate and Whitt, 1992); its only errors
are the mass outside the window and the terms left out. Outside the window the series is periodic and meaningless.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.phases import unit_phase

__all__ = ["FourierSeries"]

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
        columns = np.stack((first, first * t, first * t * t), axis=1)
        babies = int(np.ceil(np.sqrt(terms))) if terms > LONG else terms
        giants = -(-terms // babies)
        filled = np.concatenate((columns, np.zeros((giants * babies - terms, 3))))
        object.__setattr__(self, "_babies", t[:babies])
        object.__setattr__(self, "_giants", step * babies * np.arange(giants))
        object.__setattr__(self, "_table", filled.reshape(giants, 3 * babies) if giants > 1 else columns)

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
