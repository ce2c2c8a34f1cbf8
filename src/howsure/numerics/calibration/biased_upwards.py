"""What is known of a number that noise can only raise: a calibration error, a miscalibration, a discrimination.

Its value on a sample is above 0 although the truth is 0. So tests are simulated in which the truth lies between "none"
and more than was seen, and the values of the sample are looked up among theirs: a confidence distribution (Schweder and
Hjort 2002; Xie and Singh 2013), with a mass at 0 where the sample is what no error at all would show.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats, Integers

__all__ = ["confidence_draws", "simulated_counts"]

#: Simulated tests at each strength of the error, first and last, and strengths at which they are made.
FIRST, LAST, STRENGTHS = 100, 600, 9

#: Most mass at 0: a sample that looks better than perfect forecasts do is no proof of perfect ones.
MOST_AT_ZERO = 0.5

#: Strengths that are looked at first, in parts of the error that was seen.
COARSE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 9.0)

Statistic = Callable[[Floats, Floats], float]


def simulated_counts(
    cases: Integers, chance: Floats, size: int, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Cases and events of simulated tests, shape (M, B) each: cells are drawn as they were seen, events by chance."""
    drawn = rng.multinomial(int(cases.sum()), cases / cases.sum(), size=size)
    return drawn, rng.binomial(drawn, np.clip(chance, 0.0, 1.0))


def confidence_draws(
    cases: Integers,
    base: Floats,
    towards: Floats,
    statistic: Statistic,
    seen: float,
    draws: int,
    seed: list[int],
) -> Floats:
    """Values of the number with equal confidence in each, shape (M,), from the least on.

    Parameters
    ----------
    cases : ndarray of int, shape (B,)
    base : ndarray, shape (B,)
        Chances of events where the number is 0.
    towards : ndarray, shape (B,)
        Chances where it is as large as it was seen.
    statistic : callable
        Cases and events of cells to the number of the sample.
    seen : float
    draws : int
    seed : list of int
    """
    low, high = 0.0, COARSE[-1]
    strengths = np.array(COARSE)
    known: Floats = np.empty(0)
    for turn, size in enumerate((FIRST, FIRST, LAST)):
        known = np.array(
            [
                _above(cases, base + c * (towards - base), statistic, seen, size, [*seed, turn, i])
                for i, c in enumerate(strengths.tolist())
            ]
        )
        if turn == 2:
            break
        unsure = 1 / len(strengths) / FIRST
        under, over = np.flatnonzero(known <= unsure), np.flatnonzero(known >= 1 - unsure)
        low = float(strengths[under[-1]]) if len(under) else 0.0
        later = over[over > (under[-1] if len(under) else -1)]
        high = float(strengths[later[0]]) if len(later) and strengths[later[0]] > low else float(strengths[-1])
        if len(later) and later[0] == 0:  # all that is simulated without any error shows more than was seen
            high = float(strengths[1])
        strengths = np.linspace(low, high, STRENGTHS)
    truths = np.array(
        [statistic(cases.astype(float), cases * np.clip(base + c * (towards - base), 0, 1)) for c in strengths.tolist()]
    )
    least = 0.5 / LAST
    z = np.maximum.accumulate(ndtri(np.clip(known, least, 1 - least)))
    truths = np.maximum.accumulate(truths)
    return _inverted(z, truths, draws, zero=low == 0.0)


def _above(
    cases: Integers, chance: Floats, statistic: Statistic, seen: float, size: int, seed: list[int]
) -> float:
    """Share of simulated tests that show as much as was seen, ties half."""
    n, k = simulated_counts(cases, chance, size, np.random.default_rng(seed))
    values = np.array([statistic(a, b) for a, b in zip(n.astype(float), k.astype(float), strict=True)])
    near = np.abs(values - seen) <= 1e-12
    return float(((values > seen) & ~near).mean() + near.mean() / 2)


def _inverted(z: Floats, truths: Floats, draws: int, *, zero: bool) -> Floats:
    """Quantiles of the confidence distribution whose normal scores at ``truths`` are ``z``."""
    u = (np.arange(draws) + 0.5) / draws
    at_zero = float(ndtr(z[0])) if zero else 0.0
    mass = min(at_zero, MOST_AT_ZERO)
    # beyond the mass at 0 the rest is spread as it was, given that it is above 0
    rest = at_zero + (u - mass) / (1 - mass) * (1 - at_zero)
    rising = np.concatenate(([True], np.diff(z) > 1e-9))
    values = np.interp(ndtri(np.clip(rest, 1e-12, 1 - 1e-12)), z[rising], truths[rising])
    return np.where(u <= mass, 0.0, values)
