"""Bands of a calibration curve: where that of calibrated forecasts lies, and where the true one lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincinv

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.calibration.forecast_cells import ForecastCells
from howsure.numerics.calibration.isotonic import isotonic

__all__ = ["MOST_GROUPS", "Band", "consistency_curves", "rising_band"]

#: Groups of neighbouring forecasts behind a band of the true curve; every run of them is a binomial test.
MOST_GROUPS = 48

#: What is left of the chance to miss at each point: the curve that is simulated is as rough as the sample, and at the
#: full one the intervals held 81 to 96% of smooth curves.
AT_A_POINT = 0.25


@dataclass(frozen=True, eq=False)
class Band:
    """Ends at points, shape (G,) each: at each point by itself, and of all of the curve."""

    low: Floats
    high: Floats
    band_low: Floats
    band_high: Floats


def consistency_curves(cells: ForecastCells, draws: int, rng: np.random.Generator) -> Floats:
    """Isotonic curves that calibrated forecasts would show, shape (M, B): events by the forecasts themselves."""
    events = rng.binomial(cells.cases, cells.mean, size=(draws, len(cells)))
    return np.array([isotonic(row / cells.cases, cells.cases) for row in events])


def rising_band(groups: ForecastCells, x: Floats, level: float, draws: int, rng: np.random.Generator) -> Band:
    """Where a rising curve of true shares lies, by binomial tests of all runs of neighbouring groups.

    The mean of a run is at least the curve where the run begins, and at most the curve where it ends. So the upper end
    at x is the least upper limit of the runs that begin at x or above, and the lower end the largest lower limit of
    those that end at x or below (Dimitriadis, Duembgen, Henzi, Puke and Ziegel 2023). Their level is that at which
    simulated tests of the isotonic curve hold it, in place of Bonferroni's.

    Parameters
    ----------
    groups : ForecastCells
    x : ndarray, shape (G,)
        Points, not falling.
    level : float
    draws : int
        Simulated tests.
    rng : Generator
    """
    size = len(groups)
    first, last = np.triu_indices(size)
    n = _runs(groups.cases[None, :], first, last)[0]
    k = _runs(groups.events[None, :], first, last)[0]
    # the curve that is simulated stays inside (0, 1): where no event was seen some may come
    chance = isotonic((groups.events + 0.5) / (groups.cases + 1.0), groups.cases)
    events = rng.binomial(groups.cases, chance, size=(draws, size))
    few, many = np.ones((draws, size)), np.ones((draws, size))
    step = max(1, 2_000_000 // len(first))
    for start in range(0, draws, step):
        those = _runs(events[start : start + step], first, last).astype(float)
        # how improbable so few events are at the curve where a run begins, or so many where it ends
        low_tail = betainc(np.maximum(n - those, 1e-300), those + 1, 1 - chance[first])
        low_tail[those >= n] = 1.0
        high_tail = betainc(np.maximum(those, 1e-300), n - those + 1, chance[last])
        high_tail[those <= 0] = 1.0
        for g in range(size):
            few[start : start + step, g] = low_tail[:, first == g].min(axis=1)
            many[start : start + step, g] = high_tail[:, last == g].min(axis=1)
    whole = np.quantile(np.minimum(few.min(axis=1), many.min(axis=1)), 1 - level)
    above, below = (np.quantile(part, AT_A_POINT * (1 - level) / 2, axis=0) for part in (few, many))
    begins, ends = np.searchsorted(groups.low, x, "left"), np.searchsorted(groups.high, x, "right") - 1
    made = []
    for upper, lower in ((above, below), (np.full(size, whole), np.full(size, whole))):
        high, low = np.ones(size + 1), np.zeros(size + 1)
        for g in range(size):
            high[g] = _upper(k, n, upper[g])[first >= g].min()
            low[g + 1] = _lower(k, n, lower[g])[last <= g].max()
        made += [low[ends + 1], high[begins]]
    return Band(np.maximum.accumulate(made[0]), np.minimum.accumulate(made[1][::-1])[::-1], made[2], made[3])


def _runs(counts: Integers | Floats, first: Integers, last: Integers) -> Floats:
    """Sums of runs of groups, shape (M, runs)."""
    total = np.zeros((len(counts), counts.shape[1] + 1))
    np.cumsum(counts, axis=1, out=total[:, 1:])
    return np.asarray(total[:, last + 1] - total[:, first])


def _upper(k: Floats, n: Floats, tail: float) -> Floats:
    """Upper limits of Clopper and Pearson."""
    return np.where(k >= n, 1.0, betaincinv(k + 1, np.maximum(n - k, 1e-300), 1 - tail))


def _lower(k: Floats, n: Floats, tail: float) -> Floats:
    return np.where(k <= 0, 0.0, betaincinv(np.maximum(k, 1e-300), n - k + 1, tail))
