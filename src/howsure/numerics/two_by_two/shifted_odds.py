"""The law of a probability at many prior odds at once: its log odds have one law, moved by those of the prior.

Bayes' theorem in odds (Fagan 1975, "Nomogram for Bayes's theorem"): the odds after a result are those before it times
a likelihood ratio. So one law of log odds serves every prevalence: its quantiles are moved along, and what is no
quantile, the mean and the interval of highest density, is found from them for all prevalences together.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import expit, log_expit, ndtr, ndtri

from howsure.numerics.arrays import LEAST, MOST, Booleans, Floats, dot
from howsure.numerics.draws.weighted_draws import quantiles
from howsure.numerics.solve.highest_density.of_draws import densest
from howsure.numerics.solve.highest_density.of_law import runs_of
from howsure.numerics.solve.roots import EvenCubic

__all__ = ["DrawnOdds", "Moved", "SmoothOdds", "log_odds"]

# Normal scores between which the log odds are known, of intervals up to the level .99 and of others: further out
# quantiles are dear, and the law's own error is no longer small beside the tail
REACH, STEP = (4.25, 6.0), 0.25
FINE = np.linspace(-6.5, 6.5, 209)  # the trapezoid rule of the mean
WEIGHTS = np.exp(-0.5 * FINE**2) / np.exp(-0.5 * FINE**2).sum()
PROBES = np.linspace(-3.6, 3.6, 9)  # at which the shape of a density is judged
LOGITS = np.linspace(-16.0, 16.0, 65)  # of the share of the lower tail in the mass outside an interval
PARTS, ROUNDS = np.linspace(0.0, 1.0, 9), 3  # a bracket is cut into eight, three times


def log_odds(probabilities: Floats) -> Floats:
    """Log odds, of 0 and 1 those of the nearest probabilities where they are finite."""
    inside = np.clip(probabilities, LEAST, MOST)
    return np.asarray(np.log(inside) - np.log1p(-inside))


class Moved(NamedTuple):
    """Low ends, means and high ends, shape (n,) each, and where the interval is the one of highest density."""

    low: Floats
    mean: Floats
    high: Floats
    densest: Booleans


class SmoothOdds:
    """Log odds of a probability whose quantiles and density are known.

    Parameters
    ----------
    quantile_with_density : callable
        Of the probability itself, a number between 0 and 1: its quantiles of given shares, and the densities there.
    level : float
        Of the intervals that will be asked for, at most.
    """

    def __init__(self, quantile_with_density: Callable[[Floats], tuple[Floats, Floats]], level: float) -> None:
        self._reach = REACH[level > 0.99]
        scores = np.linspace(-self._reach, self._reach, round(2 * self._reach / STEP) + 1)
        x, density = quantile_with_density(ndtr(scores))
        x = np.clip(x, LEAST, MOST)
        # smooth curves, beyond their ends parabolas, as the tails of a Beta in log odds
        self._odds = EvenCubic(log_odds(x))
        # density of the log odds, by the Jacobian x (1 - x)
        self._log_density = EvenCubic(np.log(np.maximum(density, LEAST)) + np.log(x) + np.log1p(-x))

    def at(self, shifts: Floats, level: float, kind: Literal["hdi", "central"]) -> Moved:
        """Mean and interval of the probability whose log odds are greater by each of ``shifts``, shape (n,).

        Of highest density where that is one interval and ``kind`` asks for it, else central.
        """
        mean = np.einsum("ij,j->i", expit(self._fine + shifts[:, None]), WEIGHTS)  # whatever the number of threads
        tail = np.full(len(shifts), (1 - level) / 2)
        low, high = self._ends(tail, shifts, level)
        found = np.zeros(len(shifts), dtype=bool)
        if kind == "hdi":
            runs = np.array(runs_of(self._density(PROBES, shifts)))
            found, one = runs != "many", runs == "one"
            if one.any():
                low[one], high[one] = self._ends(self._tails(shifts[one], level), shifts[one], level)
            for run, shares in (("rising", 1 - level), ("falling", level)):
                of = runs == run
                cut = expit(self._through(self._odds, ndtri(np.full(np.count_nonzero(of), shares))) + shifts[of])
                low[of], high[of] = (cut, 1.0) if run == "rising" else (0.0, cut)
        return Moved(low, np.asarray(mean), high, found)

    @cached_property
    def _fine(self) -> Floats:
        return self._through(self._odds, FINE)

    def _ends(self, tail: Floats, shifts: Floats, level: float) -> tuple[Floats, Floats]:
        """Quantiles of a lower tail for each shift, and of the same tail and ``level`` more."""
        scores = ndtri(tail), -ndtri(np.maximum(1 - level - tail, 0.0))
        low, high = (expit(self._through(self._odds, score) + shifts) for score in scores)
        return low, high

    def _density(self, scores: Floats, shifts: Floats) -> Floats:
        """Log density of the probability at Normal scores (m,), for each shift: shape (n, m)."""
        moved = self._through(self._odds, scores) + shifts[:, None]
        return np.asarray(self._through(self._log_density, scores) - log_expit(moved) - log_expit(-moved))

    def _excess(self, logits: Floats, shifts: Floats, level: float) -> Floats:
        """Log density at the upper end less that at the lower one; both broadcast to one shape."""
        outside = 1 - level
        scores = ndtri(outside * expit(logits)), -ndtri(outside * expit(-logits))
        lower, upper = (self._through(self._odds, score) for score in scores)
        difference = self._through(self._log_density, scores[1]) - self._through(self._log_density, scores[0])
        low, high = lower + shifts, upper + shifts
        return np.asarray(difference - log_expit(high) - log_expit(-high) + log_expit(low) + log_expit(-low))

    def _tails(self, shifts: Floats, level: float) -> Floats:
        """The tail below the interval whose ends have one density: a root in a bracket, for all shifts at once."""
        above = self._excess(LOGITS, shifts[:, None], level) > 0  # at first, and no more later
        # from the middle on, because far out densities are noise
        half = len(LOGITS) // 2
        after = half + np.cumprod(above[:, half:], axis=1).sum(axis=1)
        before = half - np.cumprod(~above[:, half::-1], axis=1).sum(axis=1)
        k = np.clip(np.where(above[:, half], after, before + 1), 1, len(LOGITS) - 1)
        left, right = LOGITS[k - 1], LOGITS[k]
        rows = np.arange(len(shifts))
        for _ in range(ROUNDS):
            parts = left[:, None] + (right - left)[:, None] * PARTS
            gap = self._excess(parts, shifts[:, None], level)
            k = np.clip(np.cumprod(gap > 0, axis=1).sum(axis=1), 1, len(PARTS) - 1)
            left, right, high, low = parts[rows, k - 1], parts[rows, k], gap[rows, k - 1], gap[rows, k]
        crossed = (high > 0) & (low <= 0)
        share = np.where(crossed, high, 1.0) / np.where(crossed, high - low, 2.0)
        return np.asarray((1 - level) * expit(left + share * (right - left)))

    def _through(self, curve: EvenCubic, scores: Floats) -> Floats:
        """A curve at the scores."""
        return curve((scores + self._reach) / STEP)


class DrawnOdds:
    """Log odds of a probability that was drawn.

    Parameters
    ----------
    values : ndarray, shape (N,)
        Draws of the probability, sorted.
    cumulative : ndarray, shape (N,), optional
        Running sum of their weights, ending in 1.
    """

    def __init__(self, values: Floats, cumulative: Floats | None = None) -> None:
        self._odds = log_odds(values)
        self._cumulative = cumulative
        n = len(values)
        self._shares = np.full(n, 1 / n) if cumulative is None else np.diff(cumulative, prepend=0.0)

    def at(self, shifts: Floats, level: float, kind: Literal["hdi", "central"]) -> Moved:
        """Mean and interval as those of `SmoothOdds`, of the draws; the shortest window is the densest interval."""
        made = np.empty((3, len(shifts)))
        found = np.zeros(len(shifts), dtype=bool)
        tails = np.array([(1 - level) / 2, (1 + level) / 2])
        for i, shift in enumerate(shifts.tolist()):
            moved = expit(self._odds + shift)
            window = densest(moved, level, self._cumulative) if kind == "hdi" else None
            found[i] = window is not None
            low, high = window.ends if window is not None else quantiles(moved, tails, self._cumulative)
            made[:, i] = low, dot(self._shares, moved), high
        return Moved(made[0], made[1], made[2], found)
