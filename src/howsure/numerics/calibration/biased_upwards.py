"""What is known of a number that noise can only raise: a calibration error, a miscalibration, a discrimination.

Its value on a sample is above 0 although the truth is 0. So tests are simulated in which the truth lies between "none"
and more than was seen, and the values of the sample are looked up among theirs: a confidence distribution (Schweder and
Hjort 2002; Xie and Singh 2013), with a mass at 0 where the sample is what no error at all would show.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats, Integers, dot, repeat

__all__ = ["Statistic", "confidence_draws", "least_error", "least_rise", "shrunken_gaps", "simulated_counts"]

#: Simulated tests at each strength of the error, while looking for it and then, and strengths at which they are made.
FIRST, LAST, STRENGTHS = 100, 600, 9

#: Turns in which the strengths close in on those that the sample does not decide, and how many of these are enough.
MOST_TURNS, ENOUGH = 8, 4

#: Parts of its own noise below which an error that was seen has no shape: luck has left nearly none.
LITTLE = 0.3

#: Most mass at 0: a sample that looks better than perfect forecasts do is no proof of perfect ones.
MOST_AT_ZERO = 0.5

#: Strengths that are looked at first, in parts of the error that was seen.
COARSE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 9.0)

Statistic = Callable[[Floats, Floats], Floats]


def simulated_counts(cases: Integers, chance: Floats, size: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Cases and events of simulated tests, shape (M, B) each: cells are drawn as they were seen, events by chance."""
    drawn = rng.multinomial(int(cases.sum()), cases / cases.sum(), size=size)
    return drawn, rng.binomial(drawn, np.clip(chance, 0.0, 1.0))


def shrunken_gaps(cases: Integers, events: Integers, expected: Floats) -> Floats:
    """Gaps between shares and forecasts of bins, drawn to their mean as far as noise goes; shape (bins,).

    They are the shape of the error whose strength is asked for: with the gaps as they were seen intervals held the
    truth a little less often. The mean of their sizes is as it was seen (DerSimonian and Laird 1986).

    Examples
    --------
    >>> shrunken_gaps(np.array([50, 50]), np.array([10, 35]), np.array([5.0, 30.0])).round(3).tolist()
    [0.1, 0.1]
    """
    gap = (events - expected) / cases
    rate = (events + 0.5) / (cases + 1.0)
    noise = rate * (1 - rate) / cases
    weight = 1 / noise
    middle = dot(weight, gap) / weight.sum()
    spare = weight.sum() - dot(weight, weight) / weight.sum()
    spread = max(0.0, (dot(weight, (gap - middle) ** 2) - (len(gap) - 1)) / spare) if len(gap) > 1 else 0.0
    made = middle + (gap - middle) * spread / (spread + noise)
    size = dot(cases.astype(float), np.abs(made))
    return np.asarray(made * (dot(cases.astype(float), np.abs(gap)) / size) if size > 0 else gap)


def least_error(base: Floats, towards: Floats, cases: Integers, events: Integers, starts: Integers) -> Floats:
    """Chances of events where the error is as it was seen or, where that is nearly nothing, as large as its noise.

    Multiples of no error are none: of forecasts of one half of which one half came true no strength would be another.

    Parameters
    ----------
    base, towards : ndarray, shape (B,)
        Chances where the error is 0, and where it is as it was seen.
    cases, events : ndarray of int, shape (B,)
    starts : ndarray of int
        First cell of each bin.

    Examples
    --------
    >>> half = np.array([0.5])
    >>> least_error(half, half, np.array([100]), np.array([50]), np.array([0])).round(3).tolist()
    [0.55]
    """
    n, k = np.add.reduceat(cases, starts), np.add.reduceat(events, starts)
    rate = (k + 0.5) / (n + 1.0)
    noise = np.sqrt(rate * (1 - rate) / n)
    if dot(cases.astype(float), np.abs(towards - base)) >= LITTLE * dot(n.astype(float), noise):
        return towards
    sizes = np.diff(np.append(starts, len(base)))
    up = np.add.reduceat(cases * (towards - base), starts) >= 0
    # no chance lies beyond 0 and 1: an error leads away from the nearer end
    middle = np.add.reduceat(cases * base, starts) / n
    up = np.where(middle + noise > 1, False, up | (middle - noise < 0))
    return np.asarray(np.clip(base + repeat(np.where(up, noise, -noise), sizes), 0.0, 1.0), dtype=np.float64)


def least_rise(base: Floats, towards: Floats, cases: Integers) -> Floats:
    """Chances of events that rise as they were seen to or, where they hardly did, by the noise of two halves.

    Parameters
    ----------
    base, towards : ndarray, shape (B,)
        The share of events in each cell, and chances that rise as was seen.
    cases : ndarray of int, shape (B,)

    Examples
    --------
    >>> flat = np.array([0.5, 0.5])
    >>> least_rise(flat, flat, np.array([50, 50])).round(3).tolist()
    [0.45, 0.55]
    """
    total = int(cases.sum())
    if len(base) < 2:  # equal forecasts tell nothing apart, for certain
        return towards
    below = np.cumsum(cases)[:-1]
    half = int(np.argmin(np.abs(2 * below - total)))
    first = int(below[half])
    rate = (total * base[0] + 0.5) / (total + 1.0)
    gap = float(np.sqrt(rate * (1 - rate) * total / (first * (total - first))))
    unit = 2 * gap * first * (total - first) / total
    if dot(cases.astype(float), np.abs(towards - base)) >= LITTLE * unit:
        return towards
    steps = np.where(np.arange(len(base)) <= half, gap * (first - total) / total, gap * first / total)
    return np.asarray(np.clip(base + steps, 0.0, 1.0), dtype=np.float64)


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
        Cases and events of cells, shape (M, B) each, to the number of each sample, shape (M,).
    seen : float
    draws : int
    seed : list of int
    """

    def above(strengths: Floats, size: int, turn: int) -> Floats:
        return np.array([
            _above(cases, base + c * (towards - base), statistic, seen, size, [*seed, turn, i], same=c == 0)
            for i, c in enumerate(strengths.tolist())
        ])  # fmt: skip

    strengths, unsure = np.array(COARSE), 0.5 / FIRST
    for turn in range(MOST_TURNS):
        known = above(strengths, FIRST, turn)
        under = np.flatnonzero(known < unsure)
        first = int(under[-1]) if len(under) else 0
        over = np.flatnonzero(known[first + 1 :] > 1 - unsure)
        last = first + 1 + int(over[0]) if len(over) else len(strengths) - 1
        enough = last - first > ENOUGH
        strengths = np.linspace(strengths[first], strengths[last], STRENGTHS)
        if enough:
            break
    known = above(strengths, LAST, MOST_TURNS)
    chances = np.clip(base + strengths[:, None] * (towards - base), 0.0, 1.0)
    many = np.broadcast_to(cases.astype(float), chances.shape)
    truths = statistic(many, many * chances)
    least = 0.5 / LAST
    z = np.maximum.accumulate(ndtri(np.clip(known, least, 1 - least)))
    truths = np.maximum.accumulate(truths)
    return _inverted(z, truths, draws, zero=float(strengths[0]) == 0.0)


def _above(
    cases: Integers, chance: Floats, statistic: Statistic, seen: float, size: int, seed: list[int], *, same: bool
) -> float:
    """Share of simulated tests that show as much as was seen, ties half; of the same cases, or of cases like them."""
    rng = np.random.default_rng(seed)
    if same:
        # whether there is an error at all is a test of these forecasts: some drawn twice, others not at all, a bin of
        # one or two cases would have less noise than it has
        n, k = (
            np.broadcast_to(cases, (size, len(cases))),
            rng.binomial(cases, np.clip(chance, 0, 1), (size, len(cases))),
        )
    else:
        n, k = simulated_counts(cases, chance, size, rng)
    values = statistic(n.astype(float), k.astype(float))
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
    # where no strength is refuted, for chances end at 0 and 1, what is left lies at the largest error there is
    most = truths[-1] if z[-1] < ndtri(1 - 0.5 / LAST) else truths[rising][-1]
    values = np.interp(ndtri(np.clip(rest, 1e-12, 1 - 1e-12)), z[rising], truths[rising], right=most)
    return np.where(u <= mass, 0.0, values)
