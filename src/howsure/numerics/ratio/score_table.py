"""A bounded random number as a smooth function of a standard Normal score, tabulated.

With ``T = low + width expit(u)`` the function ``u(z)``, for which ``T`` has the law of interest when ``z`` is standard
Normal, is smooth however rough the law is at its ends: a power law there is a parabola in ``z``.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.ratio.normal_scores import logit_quantile
from howsure.numerics.solve.sketch import quintics

__all__ = ["ScoreTable", "matched_beta"]

REACH, CELL = 5.6, 0.1  # 2e-8 of the mass lies beyond; the quintic errs by 3e-11 in u within
WIDEST = 0.16  # of a cell whose knots are where a matched Beta would have them
BEYOND = 1.5  # how far the outermost parabola is followed, before it becomes a straight line
LOG_ROOT_TWO_PI = 0.5 * float(np.log(2 * np.pi))


def matched_beta(mean: float, sd: float, low: float, high: float) -> tuple[float, float]:
    """Parameters of the Beta on [low, high] with this mean and standard deviation."""
    p, q = (mean - low) / (high - low), (high - mean) / (high - low)
    total = max(p * q * ((high - low) / sd) ** 2 - 1, 1e-2)
    return max(p * total, 1e-3), max(q * total, 1e-3)


class ScoreTable:
    """``u(z)`` and its slope for the law of a linear functional."""

    def __init__(self, law: LinearEngine) -> None:
        self.low, high = law.support
        self.width = high - self.low
        self.residual = law.residual
        z = np.linspace(-REACH, REACH, round(2 * REACH / CELL) + 1)
        u = logit_quantile(*matched_beta(law.mean, law.sd, *law.support), z)
        self._tabulate(law, u)
        for _ in range(3):
            if self._complete(z):
                break
            self._tabulate(law, self(z)[0])
        self.usable = self._complete(z)

    def _complete(self, z: Floats) -> bool:
        """Whether the knots are as close as they should be, and reach as far."""
        knots = self._z
        return len(knots) > 3 and bool(
            np.diff(knots).max() <= WIDEST and knots[0] < 0.9 * z[0] and knots[-1] > 0.9 * z[-1]
        )

    def _tabulate(self, law: LinearEngine, u: Floats) -> None:
        share = special.expit(u)
        rate = self.width * share * special.expit(-u)
        x = np.where(u < 0, self.low + self.width * share, law.support[1] - self.width * special.expit(-u))
        F, f, slope = law.evaluate(x)
        z = np.where(F < 0.5, special.ndtri(np.clip(F, 0, 1)), -special.ndtri(np.clip(1 - F, 0, 1)))
        with np.errstate(all="ignore"):
            first = np.exp(-0.5 * z * z - LOG_ROOT_TWO_PI) / (f * rate)
            second = -first * (z + first * (slope / f * rate + 1 - 2 * share))
        good = (np.abs(z) <= REACH + CELL) & (f > 0) & np.isfinite(first) & np.isfinite(second)
        good[1:] &= z[1:] > z[:-1]
        self._z, self._u, self._first, self._second = z[good], u[good], first[good], second[good]
        if len(self._z) > 1:
            self._coefficients = quintics(self._z, self._u, self._first, self._second)

    def __call__(self, z: Floats) -> tuple[Floats, Floats]:
        """Return u and du/dz at ``z`` of any shape."""
        inner = np.clip(z, self._z[0], self._z[-1])
        k = np.clip(np.searchsorted(self._z, inner) - 1, 0, len(self._z) - 2)
        width = self._z[k + 1] - self._z[k]
        t = (inner - self._z[k]) / width
        c = self._coefficients[:, k]
        u = ((((c[5] * t + c[4]) * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0]
        slope = ((((5 * c[5] * t + 4 * c[4]) * t + 3 * c[3]) * t + 2 * c[2]) * t + c[1]) / width
        outer = z - inner
        if outer.any():
            bend = np.where(outer < 0, self._second[0], self._second[-1])
            near = np.clip(outer, -BEYOND, BEYOND)
            # a parabola that turned would not be a quantile function
            bend = np.where(bend * outer < 0, np.sign(bend) * np.minimum(np.abs(bend), 0.5 * slope / BEYOND), bend)
            u = u + slope * outer + bend * near * (outer - 0.5 * near)
            slope = slope + bend * near
        return u, slope
