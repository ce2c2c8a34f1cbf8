"""The chance that a sum of Gamma variables with random, signed factors is positive.

With ``q = G / sum G`` and ``G_v ~ Gamma(A_v)`` independent, ``sum_v q_v Y_v`` is above 0 exactly where
``D = sum_v G_v Y_v`` is: a sum of independent terms, with the moment generating function

    phi(z) = prod_v E (1 - z Y_v)^-A_v,      P(D > 0) = 1/(2 pi i) int phi(z) dz / z

along a vertical line to the right of 0. Here ``Y_v = c_v r_v + d_v`` with ``r_v ~ Beta(a_v, b_v)``. The line passes
near the saddle of ``phi(z)/z``, which gives the smaller of both tails its relative accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Complexes, Floats

__all__ = ["GammaFactors"]

#: Weights of the Beta below e^-DROPPED are left out.
DROPPED = 38.0
#: Widest steps: of the nodes of a Beta in its standard deviations and in logits; of the line, in logarithms.
STEP_IN_SD, STEP_IN_LOGITS, STEP_OF_LINE = 0.36, 0.27, 0.17
BEND = 2.5  # logits from the middle at which the nodes of a Beta begin to lie apart
PERIOD = 33.0  # e^-PERIOD of the mass lies outside the period of the line
ENOUGH = 1e-17  # relative size of the last terms
BLOCK = 32
MOST_TERMS = 20_000


@dataclass(frozen=True, eq=False)
class GammaFactors:
    """Shapes ``A`` of the Gammas and parameters ``a, b`` of the Betas, shape (V,), all above 0."""

    masses: Floats
    a: Floats
    b: Floats

    def tails(self, slope: Floats, shift: Floats) -> tuple[float, float, float]:
        """``P(D <= 0)``, ``P(D > 0)`` and the estimated error of the smaller, relative, for one pair (c, d)."""
        low, high = np.minimum(shift, shift + slope), np.maximum(shift, shift + slope)
        least, most = float(low.min()), float(high.max())
        if most <= 0:
            return 1.0, 0.0, 0.0
        if least >= 0:
            return 0.0, 1.0, 0.0
        mean, sd = self._moments(slope, shift)
        side = 1.0 if mean < 0 else -1.0
        if side < 0:  # P(D <= 0) = P(-D >= 0)
            slope, shift, least, most, mean = -slope, -shift, -most, -least, -mean
        tail, error = self._above(slope, shift, least, most, mean, sd)
        tail = min(max(tail, 0.0), 1.0)
        return (1 - tail, tail, error) if side > 0 else (tail, 1 - tail, error)

    def _moments(self, slope: Floats, shift: Floats) -> tuple[float, float]:
        rate = self.a / (self.a + self.b)
        variance = rate * (1 - rate) / (self.a + self.b + 1) * slope**2
        middle = slope * rate + shift
        A = self.masses
        return float(A @ middle), float(np.sqrt(A @ (middle**2 + variance) + A**2 @ variance))

    def _above(
        self, slope: Floats, shift: Floats, least: float, most: float, mean: float, sd: float
    ) -> tuple[float, float]:
        """``P(D > 0)`` for a D with negative mean, and its estimated relative error."""
        c = self._crossing(slope, shift, most, mean, sd)
        mass = float(self.masses.sum())
        widest = (mass + 9 * np.sqrt(mass) + 40) * (most - least)
        period = max(min(PERIOD * sd, widest), PERIOD / c, PERIOD / (1 / most - c), PERIOD / (c - 1 / least))
        unit = 1 / max(most, -least)
        step = min(STEP_OF_LINE, 2 * np.pi / (period * unit))
        top = self._log_transform(np.array([complex(c)]), slope, shift).real[0]
        total = even = 0.0
        start = 0
        while True:
            k = np.arange(start, start + BLOCK)
            tau = step * k
            z = c + 1j * unit * np.sinh(tau)
            terms = np.exp(self._log_transform(z, slope, shift) - top) / z * (unit * np.cosh(tau))
            real = terms.real
            if start == 0:
                real[0] /= 2
            total += float(real.sum())
            even += float(real[::2].sum())
            start += BLOCK
            if np.abs(terms[-6:]).max() * max(1.0, step) < ENOUGH * abs(total) * step or start > MOST_TERMS:
                break
        gap = abs(2 * even - total) / abs(total)
        error = gap**2 + (1e-15 if start <= MOST_TERMS else float(np.abs(terms[-1])) / abs(total))
        return float(np.exp(top)) * total * step / np.pi, error

    def _crossing(self, slope: Floats, shift: Floats, most: float, mean: float, sd: float) -> float:
        """Where the line crosses the axis: about the least of ``phi(c)/c``."""
        first = (-mean + np.hypot(mean, 2 * sd)) / (2 * sd * sd)
        tried = first * np.geomspace(0.05, 20, 25)
        tried = tried / (1 + tried * most)  # stay below 1 / most
        size = self._log_transform(tried.astype(complex), slope, shift).real - np.log(tried)
        return float(tried[int(np.nanargmin(size))])

    def _log_transform(self, z: Complexes, slope: Floats, shift: Floats) -> Complexes:
        """``log phi(z)`` for z (n,) with a real part at which phi is finite and an imaginary part from 0 up."""
        total = np.zeros(z.shape, complex)
        for v in range(len(self.masses)):
            if slope[v] == 0:
                total -= self.masses[v] * np.log1p(-z * shift[v])
            else:
                total += self._one(v, z, float(slope[v]), float(shift[v]))
        return total

    def _one(self, v: int, z: Complexes, slope: float, shift: float) -> Complexes:
        A, a, b = float(self.masses[v]), float(self.a[v]), float(self.b[v])
        n, s = a + b, float(np.sqrt(1 / a + 1 / b))
        mean = a / n
        q = mean * (b / n)
        speed = np.abs(z.imag * slope)
        force = A * speed / np.maximum(np.abs(1 - z * (slope * mean + shift)), speed * q * s)
        lift = np.arctan(s * s * q * force + s * np.minimum(2.5, 2.5 * speed * q * s))
        y, weight = _nodes(a, b, s, float(force.max(initial=0.0)))
        turn = np.exp(1j * np.sign(slope) * lift)[:, None]
        left = y < 0
        e = np.exp(-np.abs(y)) * np.where(left, turn, 1 / turn)  # r/(1-r) or its inverse, whichever is small
        log_one = np.log1p(e)
        rate = np.where(left, e, 1.0) / (1 + e)
        # a log r + b log(1 - r): (a y - n log(1 + e)) to the left, (-b y - n log(1 + e)) to the right
        angle = 1j * np.sign(slope) * lift[:, None]
        log = np.where(left, a * (y + angle), -b * (y + angle)) - n * log_one
        log = log - A * np.log(1 - z[:, None] * (slope * rate + shift))
        most = log.real.max(axis=1)
        return most + np.log(np.exp(log - most[:, None]) @ weight) - _log_mass(a, b, s)


def _nodes(a: float, b: float, s: float, force: float) -> tuple[Floats, Floats]:
    """Logits and trapezoid weights for the density of a Beta, in a scale that grows outwards."""
    middle = np.log(a / b)
    left, right = (max(DROPPED / x + 2, 9.2 * s) if x < 30 else 9.2 * s for x in (a, b))
    bend = min(BEND + np.log1p(force), 12 * s)
    step = min(STEP_IN_SD * s, STEP_IN_LOGITS) / bend
    k = np.arange(-int(np.ceil(np.arcsinh(left / bend) / step)), int(np.ceil(np.arcsinh(right / bend) / step)) + 1)
    return middle + bend * np.sinh(step * k), bend * step * np.cosh(step * k)


def _log_mass(a: float, b: float, s: float) -> float:
    y, weight = _nodes(a, b, s, 0.0)
    log = a * y - (a + b) * np.logaddexp(0, y)
    most = log.max()
    return float(most + np.log(np.exp(log - most) @ weight))
