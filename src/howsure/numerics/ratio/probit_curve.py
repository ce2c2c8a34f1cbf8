"""A law as a smooth curve of its probit, and what it can be asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.polynomial import chebyshev
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.normal_scores import logit_density, logit_quantile, matched_beta
from howsure.numerics.solve.highest_density.of_law import (
    is_densest_on_grid,
    of_probed_law,
    run_of,
    share_by_halving,
    shortest_interval,
)
from howsure.numerics.solve.roots import by_newton, vertex

__all__ = ["TRUSTED", "CurvedLaw", "Probabilities", "ProbitCurve"]


# -- A distribution function as a smooth curve, fitted to few values of it ---------------------------------------------

# With ``g`` the Normal score of ``x`` under a Beta with about the right mean and spread, and ``z`` its score under the
# law itself, ``z(g)`` is close to a straight line; three Chebyshev series, for the middle and both tails, are right to
# 1e-10 or better after fifty evaluations, and quantiles, densities and moments follow from them for almost nothing.


Probabilities: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]

MIDDLE, OUTER = 4.2, 6.0  # Normal scores to which the middle series and the tails reach: 1e-5 and 1e-9 lie beyond
SIZE, TAIL_SIZE = 17, 7  # nodes of a series; one of the middle that needs more has twice as many
MOST_NODES = 200
SETTLED = 3e-10  # estimated error of a probability at which no more nodes are taken
HOPELESS = 1e-4  # and at which halving the interval is better than doubling the nodes
NEAREST = 1e-10  # to an end of the support, in units of its width, that a node may come
FARTHEST = 30.0  # Normal scores
STEPS, CLOSE = 60, 1e-8  # a Newton step that is close leaves its square
LOG_ROOT_TWO_PI = 0.5 * float(np.log(2 * np.pi))
LEGENDRE = np.polynomial.legendre.leggauss(24)


def scores(F: Floats, S: Floats) -> Floats:
    """Normal scores from both tails."""
    return np.where(F < 0.5, special.ndtri(np.clip(F, 0.0, 1.0)), -special.ndtri(np.clip(S, 0.0, 1.0)))


def normal_density(z: Floats) -> Floats:
    """Standard Normal density."""
    return np.asarray(np.exp(-0.5 * z * z - LOG_ROOT_TWO_PI))


def increasing(values: Floats) -> bool:
    """Whether finite values increase."""
    return bool(np.isfinite(values).all() and (np.diff(values) > 0).all())


class BetaScore:
    """The Normal score ``g`` of ``x`` under a Beta on the support, and back."""

    def __init__(self, mean: float, sd: float, low: float, high: float) -> None:
        self.low, self.high, self.width = low, high, high - low
        self.a, self.b = matched_beta(mean, sd, low, high)

    def at(self, g: Floats) -> Floats:
        """``x`` of a score."""
        u = logit_quantile(self.a, self.b, g)
        return np.where(u < 0, self.low + self.width * special.expit(u), self.high - self.width * special.expit(-u))

    def of(self, x: Floats) -> Floats:
        """Score of ``x``."""
        up, down = np.clip((x - self.low) / self.width, 0, 1), np.clip((self.high - x) / self.width, 0, 1)
        F = np.where(up < 0.5, special.betainc(self.a, self.b, up), special.betaincc(self.b, self.a, down))
        S = np.where(up < 0.5, special.betaincc(self.a, self.b, up), special.betainc(self.b, self.a, down))
        return scores(F, S)

    def log_slope(self, x: Floats, g: Floats) -> Floats:
        """``log dg/dx``."""
        up, down = (x - self.low) / self.width, (self.high - x) / self.width
        with np.errstate(divide="ignore"):
            u, rate = np.log(up) - np.log(down), np.log(up) + np.log(down) + np.log(self.width)
        return np.asarray(logit_density(self.a, self.b, u) - rate + 0.5 * g * g + LOG_ROOT_TWO_PI)

    def tilt(self, x: Floats) -> Floats:
        """Slope of the Beta's log density in ``x``."""
        return (self.a - 1) / (x - self.low) - (self.b - 1) / (self.high - x)


class ScoreSeries:
    """A Chebyshev series of ``z`` on an interval of ``g``, increasing."""

    def __init__(self, left: float, right: float, coefficients: Floats) -> None:
        self.left, self.right, self.c = left, right, coefficients
        self.error = float(np.abs(coefficients[-3:]).max())
        self.slope_c = chebyshev.chebder(coefficients) * (2 / (right - left))
        self.z_left, self.z_right = (float(v) for v in self.at(np.array([left, right])))

    def _basis(self, g: Floats) -> Floats:
        """Chebyshev polynomials at ``g``: cosines and a product are quicker than Clenshaw's recurrence in Python."""
        place = np.clip((2 * g - self.left - self.right) / (self.right - self.left), -1.0, 1.0)
        return np.asarray(np.cos(np.multiply.outer(np.arccos(place), np.arange(len(self.c)))))

    def at(self, g: Floats) -> Floats:
        """``z`` at ``g``."""
        return np.asarray(self._basis(g) @ self.c)

    def slope(self, g: Floats) -> Floats:
        """``dz/dg``."""
        return np.asarray(self._basis(g)[..., :-1] @ self.slope_c)

    def derivatives(self, g: Floats) -> tuple[Floats, Floats, Floats]:
        """``z`` and its first two derivatives."""
        basis = self._basis(g)
        bend_c = chebyshev.chebder(self.slope_c) * (2 / (self.right - self.left))
        return basis @ self.c, basis[..., :-1] @ self.slope_c, basis[..., :-2] @ bend_c

    def inverse(self, z: Floats) -> Floats:
        """``g`` at ``z``, by Newton's method in a bracket."""
        low, high = np.full(z.shape, self.left), np.full(z.shape, self.right)
        g = self.left + (z - self.z_left) / (self.z_right - self.z_left) * (self.right - self.left)
        for _ in range(STEPS):
            basis = self._basis(g)
            miss = basis @ self.c - z
            low, high = np.where(miss < 0, g, low), np.where(miss > 0, g, high)
            with np.errstate(divide="ignore", invalid="ignore"):
                new = g - miss / (basis[:, :-1] @ self.slope_c)
            new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
            moved = float(np.abs(new - g).max(initial=0.0))
            g = new
            if moved < CLOSE:
                break
        return g


def nodes(left: float, right: float, count: int) -> Floats:
    """Extrema of a Chebyshev polynomial, increasing; every second one belongs to half the degree."""
    return 0.5 * (left + right) - 0.5 * (right - left) * np.cos(np.pi * np.arange(count) / (count - 1))


def series(values: Floats) -> Floats:
    """Chebyshev coefficients of the interpolant through values at `nodes`."""
    size = len(values) - 1
    k = np.arange(size + 1)
    weight = np.where((k == 0) | (k == size), 0.5, 1.0)
    table = np.cos(np.pi * np.outer(k, size - k) / size)
    return np.asarray((table * weight) @ values * weight * 2 / size)


class ProbitCurve:
    """``F`` between its scores -6 and 6, from ``probabilities(x) = (F, 1 - F)``.

    ``usable`` says whether the values increase; ``error`` is the estimated error of a probability in the middle. Where
    the law has a kink, the middle is split around it until the nodes are used up.
    """

    def __init__(self, probabilities: Probabilities, mean: float, sd: float, low: float, high: float) -> None:
        self._probabilities = probabilities
        self.score = BetaScore(mean, sd, low, high)
        room = self.score.of(np.array([low + NEAREST * (high - low), high - NEAREST * (high - low)]))
        self._least, self._most = (float(v) for v in np.clip(room, -FARTHEST, FARTHEST))
        self.error, self.size = np.inf, 0
        self.usable = self._least < self._most and self._fit_middle()

    def _scores(self, g: Floats) -> Floats:
        self.size += len(g)
        return scores(*self._probabilities(self.score.at(g)))

    def _fit_middle(self) -> bool:
        """Fit the middle; False if the values do not increase."""
        trial = np.clip(np.linspace(-2.5, 2.5, 5), self._least, self._most)
        z = self._scores(trial)
        if not increasing(z):
            return False
        left = trial[0] + (-MIDDLE - z[0]) * (trial[1] - trial[0]) / (z[1] - z[0])
        right = trial[-1] + (MIDDLE - z[-1]) * (trial[-1] - trial[-2]) / (z[-1] - z[-2])
        fitted = [self._fit(max(float(left), self._least), min(float(right), self._most))]
        while True:
            if any(panel is None for panel in fitted):
                return False
            middle = [panel for panel in fitted if panel is not None]
            worst = max(range(len(middle)), key=lambda k: middle[k].error)
            self.error = middle[worst].error
            if self.error < SETTLED or self.size > MOST_NODES:
                break
            panel = middle[worst]
            half = 0.5 * (panel.left + panel.right)
            fitted = [*middle[:worst], self._fit(panel.left, half), self._fit(half, panel.right), *middle[worst + 1 :]]
        self._middle = middle
        self.reach = middle[0].z_left, middle[-1].z_right
        return True

    def _fit(self, left: float, right: float) -> ScoreSeries | None:
        """Series on [left, right]; None if the values do not increase."""
        values = self._scores(nodes(left, right, SIZE))
        if not increasing(values):
            return None
        panel = ScoreSeries(left, right, series(values))
        if panel.error < SETTLED or panel.error > HOPELESS:
            return panel
        finer = np.empty(2 * SIZE - 1)
        finer[::2], finer[1::2] = values, self._scores(nodes(left, right, 2 * SIZE - 1)[1::2])
        return ScoreSeries(left, right, series(finer)) if increasing(finer) else None

    @cached_property
    def panels(self) -> list[ScoreSeries]:
        """The middle and both tails, from left to right."""
        made = list(self._middle)
        for side in (-1.0, 1.0):
            panel = made[0 if side < 0 else -1]
            inner, reached = (panel.left, panel.z_left) if side < 0 else (panel.right, panel.z_right)
            slope = float(panel.slope(np.array([inner]))[0])
            outer = float(np.clip(inner + (side * OUTER - reached) / slope, self._least, self._most))
            if side * (outer - inner) < 1e-6 or side * reached > OUTER:
                continue
            ends = (outer, inner) if side < 0 else (inner, outer)
            values = self._scores(nodes(*ends, TAIL_SIZE))
            if increasing(values):
                made.insert(0 if side < 0 else len(made), ScoreSeries(*ends, series(values)))
        return made

    def cdf(self, x: Floats) -> tuple[Floats, Floats]:
        """``F`` and ``1 - F``; NaN where the middle does not reach."""
        z = self._scores_of(x, self._middle)
        return special.ndtr(z), special.ndtr(-z)

    def score_of(self, x: Floats) -> Floats:
        """Normal scores of ``x`` under the law; NaN where the tails do not reach."""
        return self._scores_of(x, self.panels)

    def _scores_of(self, x: Floats, panels: list[ScoreSeries]) -> Floats:
        g = self.score.of(x)
        z = np.full(g.shape, np.nan)
        for panel in panels:
            here = (g >= panel.left) & (g <= panel.right)
            z[here] = panel.at(g[here])
        return z

    def log_density(self, z: Floats) -> tuple[Floats, Floats]:
        """``x`` at Normal scores that the curve reaches, and the log density there."""
        x, log_rate = np.empty(z.shape), np.empty(z.shape)
        panels = self._middle if z.min() >= self.reach[0] and z.max() <= self.reach[1] else self.panels
        place = np.searchsorted([panel.z_left for panel in panels[1:]], z)
        for k in np.unique(place).tolist():
            here = place == k
            g = panels[k].inverse(np.clip(z[here], panels[k].z_left, panels[k].z_right))
            x[here] = self.score.at(g)
            with np.errstate(invalid="ignore", divide="ignore"):
                log_rate[here] = np.log(panels[k].slope(g)) + self.score.log_slope(x[here], g)
        return x, np.asarray(log_rate - 0.5 * z * z - LOG_ROOT_TWO_PI)

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """``F``, ``f`` and ``f'``; NaN where the middle does not reach."""
        g = self.score.of(x)
        z, slope, bend = (np.full(g.shape, np.nan) for _ in range(3))
        for panel in self._middle:
            here = (g >= panel.left) & (g <= panel.right)
            if here.any():
                z[here], slope[here], bend[here] = panel.derivatives(g[here])
        with np.errstate(invalid="ignore", divide="ignore"):
            log_rate = self.score.log_slope(x, g)
            f = np.exp(log_rate - 0.5 * z * z - LOG_ROOT_TWO_PI) * slope
            return special.ndtr(z), f, f * (np.exp(log_rate) * (bend / slope - z * slope + g) + self.score.tilt(x))

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest Normal score that the curve reaches."""
        return self.panels[0].z_left, self.panels[-1].z_right

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation, by Gauss rules over ``g`` in every panel."""
        at, weight = [], []
        for panel in self.panels:
            half = 0.5 * (panel.right - panel.left)
            pieces = max(1, int(np.ceil(half / 1.5)))
            for k in range(pieces):
                g = panel.left + half / pieces * (2 * k + 1 + LEGENDRE[0])
                at.append(self.score.at(g))
                weight.append(normal_density(panel.at(g)) * panel.slope(g) * LEGENDRE[1] * half / pieces)
        # what lies beyond is put where a straight line has its mean: 1e-9 of the probability
        for panel, side in ((self.panels[0], -1.0), (self.panels[-1], 1.0)):
            end, z = (panel.left, -panel.z_left) if side < 0 else (panel.right, panel.z_right)
            slope = float(panel.slope(np.array([end]))[0])
            at.append(self.score.at(np.array([end + side / (max(z, 1.0) * slope)])))
            weight.append(np.array([float(special.ndtr(-z))]))
        x, w = np.concatenate(at), np.concatenate(weight)
        mean = float(x @ w / w.sum())
        return mean, float(np.sqrt((x - mean) ** 2 @ w / w.sum()))


# -- A law that one curve through a few dozen of its probabilities answers for -----------------------------------------


TRUSTED = 1e-9  # estimated error up to which the curve stands for the distribution function
PROBES = np.linspace(-3.9, 3.9, 27)  # Normal scores at which the shape of the density is judged
SHARES = np.linspace(-4.0, 4.0, 33)  # logits of the lower tail's share in what is outside an interval, for a guess
FLAT = 1e-6
EDGE = 4.0  # Normal score beyond which an end of an interval lies where the middle of the curve ends
STEPS_OF_CURVED_LAW = 100


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
        """``F`` and ``1 - F`` at points inside the support."""

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
        for step in range(STEPS_OF_CURVED_LAW):
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
