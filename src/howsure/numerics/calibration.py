"""Probabilities held against outcomes: losses and recalibration, isotonic curves, bands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import betainc, betaincinv, expit, ndtr, ndtri, xlogy

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, dot, repeat
from howsure.numerics.curves.curve_weights import LEAST_SHAPE, PSEUDO_CASES, TAKEN, class_cells

# -- Forecasts of one event put together where they are equal, or next to each other -----------------------------------


@dataclass(frozen=True, eq=False)
class ForecastCells:
    """Cells of equal or neighbouring forecasts, from low to high."""

    mean: Floats  # (B,), mean forecast of each cell
    low: Floats  # (B,), the least
    high: Floats  # (B,), the largest
    cases: Integers  # (B,)
    events: Integers  # (B,), cases in which the event was
    place: Integers  # (n,), cell of each case

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def rate(self) -> Floats:
        """Share of events in each."""
        return self.events / self.cases


def forecast_cells(event: Booleans, p: Floats, most: int | None = None, bins: Integers | None = None) -> ForecastCells:
    """Sort n forecasts, and join neighbours where more than ``most`` of them differ; no cell lies in two ``bins``."""
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    new = np.empty(len(p), dtype=bool)
    new[0] = True
    new[1:] = ordered[1:] != ordered[:-1]
    if most is not None and int(new.sum()) > most:
        first = np.flatnonzero(new)
        # a forecast that many cases share is a cell of its own: cells are told by the middle of each forecast
        middle = (first + np.append(first[1:], len(p))) / 2
        step = np.floor(middle * (most / len(p)))
        if bins is not None:
            step = step + bins[order][first] * (most + 1.0)
        kept = np.ones(len(first), dtype=bool)
        kept[1:] = step[1:] != step[:-1]
        starts = first[kept]
    else:
        starts = np.flatnonzero(new)
    cases = np.diff(np.append(starts, len(p)))
    events = np.add.reduceat(event[order].astype(np.int64), starts)
    low, high = ordered[starts], ordered[starts + cases - 1]
    mean = np.clip(np.add.reduceat(ordered, starts) / cases, low, high)
    place = np.empty(len(p), dtype=np.int64)
    place[order] = repeat(np.arange(len(starts)), cases)
    return ForecastCells(mean, low, high, cases, events, place)


def bins_of(p: Floats, bins: int, strategy: str) -> Integers:
    """Bin of each forecast, bins being equally full or equally wide, as in `sklearn.calibration.calibration_curve`."""
    steps = np.linspace(0.0, 1.0, bins + 1)
    edges = steps if strategy == "uniform" else np.percentile(p, 100 * steps)
    return np.searchsorted(edges[1:-1], p).astype(np.int64)


# -- Logistic recalibration: intercept and slope of the outcome on the logit of the forecast, for many weights at once -


TURNS, CLOSE, LONGEST = 60, 1e-10, 3.0


def fitted(x: Floats, cases: Floats, events: Floats) -> tuple[Floats, Floats]:
    """Intercept and slope of greatest weighted likelihood, (M,) each, of logits (B,) and weights (M, B); Newton."""
    # from no slope on, in units of the spread of the logits, Newton's steps do not run away
    share = events.sum(axis=1) / cases.sum(axis=1)
    middle, spread = float(x.mean()), float(x.std()) or 1.0
    x = (x - middle) / spread
    a, b = np.log(share / (1 - share)), np.zeros(len(cases))
    for _ in range(TURNS):
        p = expit(a[:, None] + b[:, None] * x)
        rest, weight = events - cases * p, cases * p * (1 - p)
        g0, g1 = rest.sum(axis=1), np.einsum("mb,b->m", rest, x)
        h0, h1, h2 = weight.sum(axis=1), np.einsum("mb,b->m", weight, x), np.einsum("mb,b->m", weight, x * x)
        det = np.maximum(h0 * h2 - h1 * h1, 1e-300)
        da, db = (h2 * g0 - h1 * g1) / det, (h0 * g1 - h1 * g0) / det
        # a step is never longer than a few units of the logit
        size = np.minimum(1.0, LONGEST / np.maximum(np.maximum(np.abs(da), np.abs(db)), 1e-300))
        a, b = a + size * da, b + size * db
        if max(np.abs(da).max(), np.abs(db).max()) < CLOSE:
            break
    return a - b * middle / spread, b / spread


def intercepts(x: Floats, cases: Floats, events: Floats) -> Floats:
    """Intercept with the slope fixed at 1, shape (M,)."""
    a = np.zeros(len(cases))
    for _ in range(TURNS):
        p = expit(a[:, None] + x)
        step = (events - cases * p).sum(axis=1) / np.maximum((cases * p * (1 - p)).sum(axis=1), 1e-300)
        a = a + np.clip(step, -LONGEST, LONGEST)
        if np.abs(step).max() < CLOSE:
            break
    return a


# -- Random means of losses: the Bayesian bootstrap with two pseudo-cases ----------------------------------------------


#: Blocks of neighbouring losses that share a weight.
MOST_BLOCKS = 1000

#: Numbers that are held at a time.
AT_A_TIME = 2_000_000


def random_means(
    losses: Floats,
    imagined: Callable[[int, np.random.Generator], Floats],
    draws: int,
    seed: list[int],
    group: Integers | None = None,
    place: Integers | None = None,
) -> Floats:
    """Means of losses (n,) with random weights, of groups where cases come in some, shape (M,).

    ``imagined`` gives the losses of as many random pseudo-cases as it is asked for; one stands for both of a draw.
    Weights have a stream of their own, the same for every loss of the same cases in groups.
    ``place`` is which weight each separate case has, the same for every loss; by the size of the loss if left out.
    """
    rng, other = np.random.default_rng([*seed, 0]), np.random.default_rng([*seed, 1])
    totals: Floats
    counts: Floats
    if group is None:
        totals, counts = _blocks(losses) if place is None else (bincount(place, losses), bincount(place).astype(float))
        units = float(len(losses))
        each = counts
    else:
        totals = np.asarray(bincount(group, losses), dtype=np.float64)
        counts = np.asarray(bincount(group), dtype=np.float64)
        units = float(len(counts))
        each = np.ones(len(counts))
    shape = max(1 - TAKEN / units, LEAST_SHAPE)
    means = totals / np.maximum(counts, 1)
    made = np.empty(draws)
    step = max(1, AT_A_TIME // len(counts))
    for start in range(0, draws, step):
        some = min(step, draws - start)
        weights = rng.standard_gamma(each * shape, (some, len(counts))) * (counts / each)
        extra = other.standard_gamma(PSEUDO_CASES, some) * (len(losses) / units)
        total = np.einsum("mb,b->m", weights, means) + extra * imagined(some, other)
        made[start : start + some] = total / (weights.sum(axis=1) + extra)
    return made


def _blocks(losses: Floats) -> tuple[Floats, Floats]:
    """Sums and sizes of blocks of neighbouring losses, shorter at the ends."""
    ordered = np.sort(losses)
    if len(losses) <= MOST_BLOCKS:
        return ordered, np.ones(len(losses))
    middle = (np.arange(len(losses)) + 0.5) / len(losses)
    step = np.floor(np.arcsin(np.sqrt(middle)) * (2 / np.pi) * MOST_BLOCKS)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(step)) + 1))
    return np.add.reduceat(ordered, starts), np.diff(np.append(starts, len(losses))).astype(float)


def weighed_cells(
    cells: ForecastCells, draws: int, seed: list[int], event: Integers, group: Integers | None = None
) -> tuple[Floats, Floats]:
    """Random weights of cases and of events of each cell, (M, B) each, two calibrated pseudo-cases among them."""
    rng = np.random.default_rng([*seed, 0])
    units = float(len(event) if group is None else int(group.max()) + 1)
    shape = max(1 - TAKEN / units, LEAST_SHAPE)
    if group is None:
        up = rng.standard_gamma(cells.events * shape, (draws, len(cells)))
        down = rng.standard_gamma((cells.cases - cells.events) * shape, (draws, len(cells)))
    else:
        weights = rng.standard_gamma(shape, (draws, int(units)))
        up, down = (
            class_cells(cells.place[event == x], group[event == x], int(units)).summed(weights, len(cells))
            for x in (1, 0)
        )
    few = PSEUDO_CASES * cells.cases / cells.cases.sum() * (len(event) / units)
    return up + down + few, up + few * cells.mean


# -- Isotonic curves, and what their scores say: miscalibration, discrimination and uncertainty (CORP) -----------------


#: The two scores that are taken apart.
Loss = Literal["brier", "log"]


def isotonic(rate: Floats, weight: Floats | Integers) -> Floats:
    """Rising curve nearest to the rates, by pooling adjacent violators; shape (B,)."""
    from scipy.optimize import isotonic_regression  # a second to load, so where it is needed

    return np.asarray(isotonic_regression(rate, weights=np.asarray(weight, dtype=float)).x, dtype=float)


def score(forecast: Floats, rate: Floats, share: Floats, loss: Loss) -> float:
    """Mean loss of forecasts of cells with these rates and shares of the cases; infinite where a 0 was wrong."""
    if loss == "brier":
        return dot(share, np.asarray(forecast**2 + rate * (1 - 2 * forecast)))
    return -dot(share, np.asarray(xlogy(rate, forecast) + xlogy(1 - rate, 1 - forecast), dtype=np.float64))


def parts(forecast: Floats, rate: Floats, cases: Floats | Integers, loss: Loss) -> tuple[float, float, float]:
    """Miscalibration, discrimination and uncertainty: the first less the second plus the third is the score.

    >>> [round(x, 4) for x in parts(np.array([0.2, 0.8]), np.array([0.5, 1.0]), np.array([2, 2]), "brier")]
    [0.065, 0.0625, 0.1875]
    """
    share = np.asarray(cases, dtype=float) / cases.sum()
    said = forecast, isotonic(rate, share), np.full(len(rate), dot(share, rate))
    seen, recalibrated, whole = (score(each, rate, share, loss) for each in said)
    return seen - recalibrated, whole - recalibrated, whole


def part_of_many(forecast: Floats, cases: Floats, events: Floats, loss: Loss, part: int) -> Floats:
    """One of the `parts`, of many tests, shape (M,): cases and events of shape (M, B); cells may be without a case."""
    share = cases / cases.sum(axis=1, keepdims=True)
    rate = np.divide(events, cases, out=np.zeros_like(events), where=cases > 0)
    weight = np.maximum(cases, 1e-9)  # a cell without a case has none to speak of
    best = np.array([isotonic(row, w) for row, w in zip(rate, weight, strict=True)])

    def mean(said: Floats) -> Floats:
        if loss == "brier":
            return np.asarray(np.einsum("mb,mb->m", share, said**2 + rate * (1 - 2 * said)))
        terms = xlogy(rate, said) + xlogy(1 - rate, 1 - said)
        return -np.asarray(np.einsum("mb,mb->m", share, np.where(cases > 0, terms, 0.0)))

    if part == 0:
        return mean(np.broadcast_to(forecast, rate.shape)) - mean(best)
    base = np.einsum("mb,mb->m", share, rate)[:, None]
    return mean(np.broadcast_to(base, rate.shape)) - mean(best)


# -- Bands of a calibration curve: where that of calibrated forecasts lies, and where the true one lies ----------------


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
    """Where a rising curve of true shares lies at points (G,), by binomial tests of all runs of neighbouring groups.

    The upper end at x is the least upper limit of the runs that begin at x or above, the lower end the largest lower
    limit of those that end at x or below (Dimitriadis, Duembgen, Henzi, Puke and Ziegel 2023). Their level is that at
    which simulated tests of the isotonic curve hold it, in place of Bonferroni's.
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
    total = np.zeros((len(counts), counts.shape[1] + 1))
    np.cumsum(counts, axis=1, out=total[:, 1:])
    return np.asarray(total[:, last + 1] - total[:, first])


def _upper(k: Floats, n: Floats, tail: float) -> Floats:
    return np.where(k >= n, 1.0, betaincinv(k + 1, np.maximum(n - k, 1e-300), 1 - tail))


def _lower(k: Floats, n: Floats, tail: float) -> Floats:
    return np.where(k <= 0, 0.0, betaincinv(np.maximum(k, 1e-300), n - k + 1, tail))


# -- What is known of a number that noise can only raise: a calibration error, a miscalibration, a discrimination ------

# Its value on a sample is above 0 although the truth is 0. So tests are simulated in which the truth lies between
# "none" and more than was seen, and the values of the sample are looked up among theirs: a confidence distribution
# (Schweder and Hjort 2002; Xie and Singh 2013), with a mass at 0 where the sample is what no error at all would show.


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
    """Chances (B,) of events where the error is as it was seen or, where that is nearly nothing, as large as its noise.

    Multiples of no error are none: of forecasts of one half of which one half came true no strength would be another.
    ``base`` (B,) are chances without an error, ``towards`` (B,) with that seen; ``starts`` are first cells of bins.
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
    """Chances (B,) of events that rise as they were seen to or, where they hardly did, by the noise of two halves."""
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

    Chances of events are ``base`` (B,) where the number is 0, ``towards`` (B,) where it is as large as it was seen.
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
