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
from howsure.numerics.draws.weighted_draws import densest, quantiles
from howsure.numerics.solve import runs_of, scores_of_equal_density
from howsure.numerics.two_by_two.lines import ScoreCurve

# Normal scores between which the log odds are known, of intervals up to the level .99 and of others: further out
# quantiles are dear, and the law's own error is no longer small beside the tail
REACH, STEP = (4.25, 6.0), 0.25
FINE = np.linspace(-6.5, 6.5, 209)  # the trapezoid rule of the mean
WEIGHTS = np.exp(-0.5 * FINE**2) / np.exp(-0.5 * FINE**2).sum()
PROBES = np.linspace(-3.6, 3.6, 9)  # at which the shape of a density is judged


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
        reach = REACH[level > 0.99]
        scores = np.linspace(-reach, reach, round(2 * reach / STEP) + 1)
        x, density = quantile_with_density(ndtr(scores))
        x = np.clip(x, LEAST, MOST)
        # the density of the log odds by the Jacobian x (1 - x), that of the score by phi(score)
        slope = np.maximum(density, LEAST) * x * (1 - x) * np.exp(0.5 * scores**2) * np.sqrt(2 * np.pi)
        self._odds = ScoreCurve(log_odds(x), scores, slope)

    def at(self, shifts: Floats, level: float, kind: Literal["hdi", "central"]) -> Moved:
        """Mean and interval of the probability whose log odds are greater by each of ``shifts``, shape (n,).

        Of highest density where that is one interval and ``kind`` asks for it, else central.
        """
        mean = np.einsum("ij,j->i", expit(self._fine + shifts[:, None]), WEIGHTS)  # whatever the number of threads
        end = np.full(len(shifts), -ndtri((1 - level) / 2))
        low, high = self._moved(-end, shifts)[0], self._moved(end, shifts)[0]
        found = np.zeros(len(shifts), dtype=bool)
        if kind == "hdi":
            runs = np.array(runs_of(self._moved(PROBES, shifts[:, None])[1]))
            found, one = runs != "many", runs == "one"
            if one.any():
                some = shifts[one]

                def excess(lower: Floats, upper: Floats) -> Floats:
                    return self._moved(upper, some[:, None])[1] - self._moved(lower, some[:, None])[1]

                ends = scores_of_equal_density(excess, level, len(some))
                low[one], high[one] = (self._moved(scores, some)[0] for scores in ends)
            for run, shares in (("rising", 1 - level), ("falling", level)):
                of = runs == run
                cut = self._moved(np.full(np.count_nonzero(of), ndtri(shares)), shifts[of])[0]
                low[of], high[of] = (cut, 1.0) if run == "rising" else (0.0, cut)
        return Moved(low, np.asarray(mean), high, found)

    @cached_property
    def _fine(self) -> Floats:
        return self._odds(FINE)[0]

    def _moved(self, scores: Floats, shifts: Floats) -> tuple[Floats, Floats]:
        """The probability and its log density, less a constant, at scores and for shifts that broadcast with them."""
        odds, slope = self._odds(scores)
        moved = odds + shifts
        return expit(moved), -0.5 * scores * scores - np.log(slope) - log_expit(moved) - log_expit(-moved)


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
