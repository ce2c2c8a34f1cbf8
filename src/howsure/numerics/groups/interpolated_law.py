"""A law whose density on the logit scale is known at nodes that are even on a stretched scale."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.beta_mixture import NODES, UNRESOLVED, WEIGHTS, LogitLaw

#: Nodes that one interpolated value is made from.
POINTS = 8

#: Panels at first, and logarithm of the density, below its top, at which they end. Farther than the second number of
#: logits floats are 0 or 1.
PANELS, BEYOND, FARTHEST = 16, 26.0, 36.0


class LogDensity:
    """Log of a density of a logit: interpolated between nodes, straight outside of them, and scaled to mass 1.

    The nodes ``u`` (M,) are even, on the stretched scale ``t = centre + scale sinh(u)``; ``values`` (M,) are the log
    density of t there, up to a constant. The density falls like ``exp(-power |t|)`` below and above.
    """

    def __init__(self, centre: float, scale: float, u: Floats, values: Floats, powers: tuple[float, float]) -> None:
        self.centre, self.scale, self.powers = centre, scale, powers
        self._u, self._step = u, float(u[1] - u[0])
        self._values = values - values.max()
        self.ends = centre + scale * float(np.sinh(u[0])), centre + scale * float(np.sinh(u[-1]))

    def __call__(self, t: Floats) -> Floats:
        """Log density at logits (n,), up to a constant."""
        low, high = self.ends
        inside = np.clip(t, low, high)
        place = (np.arcsinh((inside - self.centre) / self.scale) - self._u[0]) / self._step
        points = min(POINTS, len(self._u))
        first = np.clip(place.astype(int) - points // 2 + 1, 0, len(self._u) - points)
        s = place - first
        # products of the distances to the nodes before and after each: no division by 0 at a node
        after = [np.ones(len(t))]
        for i in range(points - 1, 0, -1):
            after.append(after[-1] * (s - i))
        total, before = np.zeros(len(t)), np.ones(len(t))
        for j in range(points):
            own = (-1) ** (points - 1 - j) / (math.factorial(j) * math.factorial(points - 1 - j))
            total += own * before * after.pop() * self._values[first + j]
            before *= s - j
        return np.asarray(total - self.powers[0] * (inside - t).clip(0) - self.powers[1] * (t - inside).clip(0))

    def mirrored(self) -> LogDensity:
        """The density of -t."""
        return LogDensity(-self.centre, self.scale, -self._u[::-1], self._values[::-1], self.powers[::-1])

    def range(self) -> tuple[float, float]:
        """Logits that hold all but next to nothing of the mass."""
        far = self._values > -BEYOND
        first, last = int(np.argmax(far)), len(far) - 1 - int(np.argmax(far[::-1]))
        low, high = (
            self.centre + self.scale * float(np.sinh(self._u[i]))
            for i in (max(first - 1, 0), min(last + 1, len(far) - 1))
        )
        if first == 0:
            low -= (BEYOND + float(self._values[0])) / self.powers[0]
        if last == len(far) - 1:
            high += (BEYOND + float(self._values[-1])) / self.powers[1]
        return max(low, -20 * FARTHEST), min(high, FARTHEST)


class InterpolatedLaw(LogitLaw):
    """Law of ``shift + coefficient x``, where the logit of x has a `LogDensity`."""

    def __init__(self, density: LogDensity, *, coefficient: float = 1.0, shift: float = 0.0) -> None:
        # z is 0 at the end where there is more mass: floats are dense there
        turned = density.centre > 0
        super().__init__(*((shift + coefficient, -coefficient) if turned else (shift, coefficient)))
        self._log = density.mirrored() if turned else density
        self._scale = 0.0
        low, high = self._log.range()
        u = np.arcsinh((np.array([low, high]) - self._log.centre) / self._log.scale)
        edges = self._log.centre + self._log.scale * np.sinh(np.linspace(u[0], u[1], PANELS + 1))
        self._resolve(edges)
        half = np.diff(self._edges) / 2
        self._scale = -float(np.log(2 * (half * self._series[:, 0]).sum()))
        self._series = self._series * np.exp(self._scale)
        self.residual = self._integrate(0.0, 0.0) + 2 * UNRESOLVED
        x, weight = self.rule()
        z = (x - self._at_zero) / self._factor
        self._z_mean = float(weight @ z)
        self._z_sd = float(np.sqrt(weight @ (z - self._z_mean) ** 2))
        self.mean, self.sd = self._at_zero + self._factor * self._z_mean, abs(self._factor) * self._z_sd

    def _density(self, t: Floats) -> Floats:
        with np.errstate(under="ignore"):
            return np.exp(self._log(t) + self._scale)

    def rule(self, pieces: int = 1) -> tuple[Floats, Floats]:
        """Quadrature of any smooth function of the law, ``pieces`` a panel: places and probabilities, (Q,) each."""
        edges = self._edges[:-1, None] + np.diff(self._edges)[:, None] * np.arange(pieces) / pieces
        edges = np.append(edges.ravel(), self._edges[-1])
        half = np.diff(edges)[:, None] / 2
        t = (edges[:-1, None] + half + half * NODES).ravel()
        weight = (half * WEIGHTS).ravel() * self._density(t)
        kept = weight > 1e-14
        return self._at_zero + self._factor * special.expit(t[kept]), weight[kept] / weight[kept].sum()

    @property
    def _ends(self) -> tuple[float, float]:
        return self._end(-30.0, self._log.powers[0]), self._end(30.0, self._log.powers[1])

    def _end(self, t: float, power: float) -> float:
        """Limit of the density of z, which falls like z to this power less 1, from a logit far out."""
        beside = float(self._density(np.array([t]))[0]) * float(np.exp(30.0))
        return np.inf if power < 1 else beside if power == 1 else 0.0

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent values, shape (n,), by the distribution function at the edges of 1,000 cells."""
        low, high = self._log.range()
        u = np.arcsinh((np.array([low, high]) - self._log.centre) / self._log.scale)
        t = np.linspace(u[0], u[1], 1001)
        t = self._log.centre + self._log.scale * np.sinh(t)
        below = self._at(special.expit(t))[0]
        z = special.expit(np.interp(rng.random(n), below, t))
        return np.asarray(self._at_zero + self._factor * z)
