"""Losses of forecasts under weights of the cases, and what recalibration would save."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
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
