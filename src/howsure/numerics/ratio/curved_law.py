"""A law that one curve through a few dozen of its probabilities answers for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.probit_curve import ProbitCurve, scores
from howsure.numerics.solve.highest_density.of_law import (
    by_newton,
    is_densest_on_grid,
    of_probed_law,
    run_of,
    share_by_halving,
    shortest_interval,
)
from howsure.numerics.solve.roots import vertex

__all__ = ["TRUSTED", "CurvedLaw"]

TRUSTED = 1e-9  # estimated error up to which the curve stands for the distribution function
PROBES = np.linspace(-3.9, 3.9, 27)  # Normal scores at which the shape of the density is judged
SHARES = np.linspace(-4.0, 4.0, 33)  # logits of the lower tail's share in what is outside an interval, for a guess
FLAT = 1e-6
EDGE = 4.0  # Normal score beyond which an end of an interval lies where the middle of the curve ends
STEPS = 100


class CurvedLaw(ABC):
    """Probabilities, quantiles, densities and intervals from a curve, and from single probabilities where it ends."""

    support: tuple[float, float]
    is_point: bool = False  # all at the lower end of the support

    @property
    @abstractmethod
    def mean(self) -> float:
        """Mean."""

    @property
    @abstractmethod
    def _curve(self) -> ProbitCurve:
        """The curve."""

    @abstractmethod
    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        """``F`` and ``1 - F`` at points inside the support, with relative accuracy in the tails."""

    # -- probabilities -------------------------------------------------------------------------------------------

    def _probabilities(self, x: Floats) -> tuple[Floats, Floats]:
        flat = x.ravel()
        low, high = self.support
        F, S = np.where(flat >= high, 1.0, 0.0), np.where(flat >= high, 0.0, 1.0)
        F[np.isnan(flat)] = S[np.isnan(flat)] = np.nan
        inside = (flat > low) & (flat < high)
        if self._curve.usable and self._curve.error <= TRUSTED and inside.any():
            F[inside], S[inside] = self._curve.cdf(flat[inside])
            inside &= np.isnan(F)
        if inside.any():
            F[inside], S[inside] = self._direct(flat[inside])
        return F.reshape(x.shape), S.reshape(x.shape)

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        return (x >= self.support[0]).astype(float) if self.is_point else self._probabilities(x)[0]

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return (x < self.support[0]).astype(float) if self.is_point else self._probabilities(x)[1]

    def pdf(self, x: Floats) -> Floats:
        """Density inside the support; 0 outside and where less than 1e-9 of the probability lies beyond."""
        if self.is_point:
            return np.where(x == self.support[0], np.inf, 0.0)
        result = np.zeros(x.shape)
        inside = (x > self.support[0]) & (x < self.support[1])
        if self._curve.usable and inside.any():
            z = self._curve.score_of(x[inside])
            reached = np.isfinite(z)
            values = np.zeros(len(z))
            if reached.any():
                values[reached] = np.exp(self._curve.log_density(z[reached])[1])
            result[inside] = values
        return result

    # -- quantiles -----------------------------------------------------------------------------------------------

    def quantile(self, p: Floats) -> Floats:
        """Smallest ``x`` with ``P(X <= x) >= p``; the ends of the support at 0 and 1."""
        flat = p.ravel()
        result = np.where(flat < 0.5, self.support[0], self.support[1])
        inner = np.flatnonzero((flat > 0) & (flat < 1))
        if len(inner) and not self.is_point:
            result[inner] = self._at_scores(scores(flat[inner], 1 - flat[inner]))
        return result.reshape(p.shape)

    def _at_scores(self, z: Floats) -> Floats:
        """``x`` at Normal scores: from the curve where it is good, else by a bracketed solver."""
        curve, x = self._curve, np.empty(len(z))
        easy = np.zeros(len(z), bool)
        if curve.usable:
            easy = (z >= curve.reach[0]) & (z <= curve.reach[1])
            if easy.any():
                x[easy] = curve.log_density(z[easy])[0]
            easy &= curve.error <= TRUSTED
        for i in np.flatnonzero(~easy).tolist():
            x[i] = self._solve(float(z[i]))
        return x

    def _solve(self, z: float) -> float:
        """Root of ``z(x) = z`` in the score of a Beta, by false position (Illinois) with bisection."""
        score, (low, high) = self._curve.score, self.support
        left, right = -40.0, 40.0
        at, side = z, 0
        miss_left, miss_right = -np.inf, np.inf
        x = 0.5 * (low + high)
        for step in range(STEPS):
            x = float(score.at(np.array([at]))[0])
            F, S = (np.array([0.0]), np.array([1.0])) if x <= low else (np.array([1.0]), np.array([0.0]))
            if low < x < high:
                F, S = self._direct(np.array([x]))
            miss = float(scores(F, S)[0]) - z
            if abs(miss) < 1e-11 or right - left < 1e-14 * max(1.0, abs(at)):
                break
            if miss < 0:
                left, miss_left = at, miss
                miss_right = 0.5 * miss_right if side < 0 else miss_right
            else:
                right, miss_right = at, miss
                miss_left = 0.5 * miss_left if side > 0 else miss_left
            side = -1 if miss < 0 else 1
            if np.isfinite(miss_left) and np.isfinite(miss_right) and step % 8 != 7:
                at = right - miss_right * (right - left) / (miss_right - miss_left)
            else:
                near = at - (miss if np.isfinite(miss) else 0.0)
                at = near if step < 4 and left < near < right and near != at else 0.5 * (left + right)
        return x

    # -- intervals, mode, moments --------------------------------------------------------------------------------

    @cached_property
    def _probes(self) -> tuple[Floats, Floats, Floats]:
        """Normal scores all over the law, ``x`` there and the log density."""
        low, high = self._curve.reach
        z = np.clip(PROBES, low, high)
        z = np.unique(z)
        return (z, *self._curve.log_density(z))

    def highest_density(self, level: float) -> tuple[float, float] | None:
        """Highest-density interval; None where that set is not one interval."""
        if self.is_point:
            return self.support
        if not self._curve.usable:
            return None
        log_density = self._probes[2]
        if np.ptp(log_density) < FLAT:
            return None
        run = run_of(log_density)
        if run == "many":
            return self._over_dips(level)
        return of_probed_law(run, level, self.quantile, self.support, self._equal_densities)

    def _over_dips(self, level: float) -> tuple[float, float] | None:
        """Interval of a density with dips, if these lie inside and are no deeper than the ends."""
        found = shortest_interval(self._within_reach, level, points=33)
        if found is None:
            return None
        _, x, log_density = self._probes
        inner = [end for end, limit in zip(found, self.support, strict=True) if end != limit]
        cut = min(float(self.pdf(np.array([end]))[0]) for end in inner)
        if not is_densest_on_grid(x, np.exp(log_density), found, cut, level):
            return None
        sides = (found[0] == self.support[0], found[1] == self.support[1])
        return (
            of_probed_law("falling" if sides[0] else "rising", level, self.quantile, self.support, lambda _: found)
            if any(sides)
            else found
        )

    def _within_reach(self, p: Floats) -> Floats:
        """Quantiles of the curve, and ends of the support beyond it."""
        z = scores(p, 1 - p)
        x = self._curve.log_density(np.clip(z, *self._curve.reach))[0]
        return np.where(p <= 0, self.support[0], np.where(p >= 1, self.support[1], x))

    def _equal_densities(self, level: float) -> tuple[float, float]:
        """Ends with one density; the tails of the curve are fitted only if an end lies there."""
        if self._curve.error <= TRUSTED:
            found, x = (
                by_newton(self._curve.evaluate, level, self._densest_guess(level), *self.support),
                self._probes[1],
            )
            if found is not None and x[0] <= found[0] and found[1] <= x[-1]:
                return found
        share = self._equal_share(level, self._curve.reach)
        if min(share, 1 - level - share) < special.ndtr(-EDGE):
            # a density that is finite at an end of the support, and there above that at the other end of the interval
            ends = np.array([special.ndtri(level), special.ndtri(1 - level)])
            first, other_first, last, other_last = self._curve.log_density(
                np.array([self._curve.ends[0], ends[0], self._curve.ends[1], ends[1]])
            )[1].tolist()
            if first >= other_first:
                return self.support[0], float(self.quantile(np.array([level]))[0])
            if last >= other_last:
                return float(self.quantile(np.array([1 - level]))[0]), self.support[1]
            share = self._equal_share(level, self._curve.ends)
        low, high = self.quantile(np.array([share, share + level]))
        return float(low), float(high)

    def _densest_guess(self, level: float) -> tuple[float, float]:
        """About the ends with one density, on straight lines between the probes."""
        z, x, log_density = self._probes
        p = (1 - level) * special.expit(SHARES)
        gap = np.interp(special.ndtri(p), z, log_density) - np.interp(special.ndtri(p + level), z, log_density)
        share = float(np.interp(0.0, gap, p)) if (np.diff(gap) > 0).all() else 0.5 * (1 - level)
        low, high = np.interp(special.ndtri(np.array([share, share + level])), z, x).tolist()
        return low, high

    def _equal_share(self, level: float, reach: tuple[float, float]) -> float:
        """Root in ``p`` of ``log f(Q(p)) - log f(Q(p + level))``, which increases; scores stay within ``reach``."""

        def gap(logit: Floats) -> Floats:
            below, above = (1 - level) * special.expit(logit), (1 - level) * special.expit(-logit)
            z = np.concatenate((special.ndtri(below), -special.ndtri(above)))
            log_density = self._curve.log_density(np.clip(z, *reach))[1]
            return np.asarray(log_density[: len(logit)] - log_density[len(logit) :])

        return share_by_halving(gap, level)

    def mode(self) -> float:
        """Place of the highest density; an end of the support to which it rises."""
        if self.is_point or not self._curve.usable:
            return self.mean
        z, x, log_density = self._probes
        best = int(np.argmax(log_density))
        if best in (0, len(z) - 1):
            return self.support[0 if best == 0 else 1]
        for _ in range(3):
            z = np.linspace(z[best - 1], z[best + 1], 9)
            x, log_density = self._curve.log_density(z)
            best = int(np.clip(np.argmax(log_density), 1, len(z) - 2))
        return vertex(x, log_density, best)
