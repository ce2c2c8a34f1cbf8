"""A mixture of hundreds of Betas, as the law of one rate of a learned population is, by one pass over its density."""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.logit_law import UNRESOLVED, LogitLaw

__all__ = ["RateLaw"]

#: Even panels at first, and edges beside the middle of the logits, in their standard deviations.
PANELS, MIDDLE = 4, np.array([-6.0, -3.0, -1.0, 1.0, 3.0, 6.0])

#: Where components are looked up, by the mass of all to their left, and edges beside these, in standard deviations, if
#: so many of these are narrower than their panel: a wider component is seen at its Gauss points.
LOOKED_AT, BESIDE = np.array([0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999]), np.array([-6.0, -2.0, 2.0, 6.0])
HIDDEN = 25.0

#: Mass that may lie beyond the first and the last panel, and the farthest logits: beyond, floats are 0 or 1.
BEYOND, FARTHEST = 1e-10, (-700.0, 37.0)


#: Terms of a mixture that stay in the cache, and the least logarithm of one: a number that underflows, as most of those
#: of needles would, takes four times as long.
AT_A_TIME, LEAST_LOG = 1 << 15, -690.0


class RateLaw(LogitLaw):
    """Law of ``shift + coefficient theta``, theta Beta(a_c, b_c) with probability ``mass_c``.

    Parameters
    ----------
    mass, a, b : ndarray, shape (C,)
        Probabilities, which add to 1, and parameters above 0.
    coefficient, shift : float
        Not 0, and any number.
    residual : float
        Error of the distribution function by what the mixture leaves out.
    moments : (float, float), optional
        Mean and sd of theta, where they are known better than by this mixture.
    """

    def __init__(
        self,
        mass: Floats,
        a: Floats,
        b: Floats,
        *,
        coefficient: float = 1.0,
        shift: float = 0.0,
        residual: float = 0.0,
        moments: tuple[float, float] | None = None,
    ) -> None:
        # X = at_zero + factor z, and z is 0 at the end where the density is steeper: floats are dense there
        turned = b.min() < a.min()
        super().__init__(*((shift + coefficient, -coefficient) if turned else (shift, coefficient)))
        self._a, self._b = (b, a) if turned else (a, b)
        mass = np.maximum(mass, 1e-300)
        self._log_mass = np.log(mass) - special.betaln(a, b)
        z = self._a / (a + b)
        mean = float(mass @ z)
        self._z_mean = mean
        self._z_sd = float(np.sqrt(max(float(mass @ (z * ((self._a + 1) / (a + b + 1)))) - mean**2, 0.0)))
        centre, sd = ((1 - mean) if turned else mean, self._z_sd) if moments is None else moments
        self.mean, self.sd = shift + coefficient * centre, abs(coefficient) * sd
        low, high = self._far(self._a), -self._far(self._b)
        self._resolve(self._first_edges(max(low, FARTHEST[0]), min(high, FARTHEST[1])))
        start, end = self._tail(self._edges[0], self._a), self._tail(-self._edges[-1], self._b)
        self.residual = residual + self._integrate(start, end) + UNRESOLVED

    def _tail(self, t: float, power: Floats) -> float:
        """Mass beyond a logit far out, where the density is a power."""
        with np.errstate(under="ignore"):
            return float(np.exp(self._log_mass + power * t - np.log(power)).sum()) if t < -30 else 0.0

    def _density(self, t: Floats) -> Floats:
        """Density on the logit scale, shape (n,)."""
        logs = np.stack([-np.logaddexp(0, -t), -np.logaddexp(0, t), np.ones_like(t)], axis=1)
        powers = np.stack([self._a, self._b, self._log_mass])
        some = max(1, AT_A_TIME // powers.shape[1])
        density = np.empty(len(t))
        for k in range(0, len(t), some):
            terms = logs[k : k + some] @ powers
            np.maximum(terms, LEAST_LOG, out=terms)
            np.exp(terms, out=terms).sum(axis=1, out=density[k : k + some])
        return density

    def _first_edges(self, low: float, high: float) -> Floats:
        """Some all over, and around needles, which may be hidden between two Gauss points; halving finds the rest."""
        mass = np.exp(self._log_mass + special.betaln(self._a, self._b))
        centre, sd = np.log(self._a / self._b), np.sqrt(1 / self._a + 1 / self._b)
        middle = mass @ centre
        around = middle + np.sqrt(mass @ (sd**2 + (centre - middle) ** 2)) * MIDDLE
        edges = np.sort(np.concatenate((np.linspace(low, high, PANELS + 1), around[(around > low) & (around < high)])))
        order = np.argsort(centre)
        some = order[np.minimum(np.searchsorted(np.cumsum(mass[order]) / mass.sum(), LOOKED_AT), len(order) - 1)]
        for place in some[np.argsort(sd[some], kind="stable")]:
            k = int(np.clip(np.searchsorted(edges, centre[place]), 1, len(edges) - 1))
            if HIDDEN * sd[place] < edges[k] - edges[k - 1]:
                beside = centre[place] + sd[place] * BESIDE
                edges = np.sort(np.concatenate((edges, beside[(beside > low) & (beside < high)])))
        return np.asarray(edges[np.append(True, np.diff(edges) > 0)])

    def _far(self, a: Floats) -> float:
        """Logit below which there is next to no mass: each density is at most ``exp(log mass + a t)`` there."""
        return float(((np.log(BEYOND / len(a)) - self._log_mass + np.log(a)) / a).min())

    @property
    def _ends(self) -> tuple[float, float]:
        """Limits of the density of z at 0 and 1."""
        return self._end(self._a), self._end(self._b)

    def _end(self, power: Floats) -> float:
        if power.min() < 1 - 1e-9:
            return np.inf
        flat = np.abs(power - 1) <= 1e-9
        return float(np.exp(self._log_mass[flat]).sum())
