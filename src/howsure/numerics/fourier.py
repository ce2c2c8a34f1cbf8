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
from howsure.numerics.phases import unit_phase

__all__ = ["FourierSeries"]

PHASES_AT_A_TIME = 1 << 20


@dataclass(frozen=True)
class FourierSeries:
    """Coefficients ``2 phi(t_m)/(t_m L)`` of the series of one law."""

    period: float
    phi: Complexes

    def __post_init__(self) -> None:
        t = 2 * np.pi / self.period * np.arange(1, len(self.phi) + 1)
        first = self.phi * (2 / (t * self.period))
        object.__setattr__(self, "_t", t)
        # columns: the terms of F, f and f' up to a factor i
        object.__setattr__(self, "_columns", np.stack((first, first * t, first * t * t), axis=1))

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative at distances ``z`` (1-D) from the mean."""
        t: Floats = self._t  # type: ignore[attr-defined]
        columns: Complexes = self._columns  # type: ignore[attr-defined]
        block = max(1, PHASES_AT_A_TIME // max(len(t), 1))
        if len(z) <= block:
            sums = unit_phase(np.multiply.outer(-z, t)) @ columns
        else:
            parts = [z[k : k + block] for k in range(0, len(z), block)]
            sums = np.concatenate([unit_phase(np.multiply.outer(-part, t)) @ columns for part in parts])
        return 0.5 + z / self.period - sums[:, 0].imag, 1 / self.period + sums[:, 1].real, sums[:, 2].imag
