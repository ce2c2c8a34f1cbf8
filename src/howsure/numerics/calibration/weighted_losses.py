"""Random means of losses: the Bayesian bootstrap with two pseudo-cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.calibration.forecast_cells import ForecastCells
from howsure.numerics.curves.curve_weights import LEAST_SHAPE, PSEUDO_CASES, TAKEN, class_cells

__all__ = ["random_means", "weighed_cells"]

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
) -> Floats:
    """Means of losses with random weights, shape (M,).

    Parameters
    ----------
    losses : ndarray, shape (n,)
    imagined : callable
        Losses of as many random pseudo-cases as it is asked for; one stands for both of a draw.
    draws : int
    seed : list of int
        Weights have a stream of their own, the same for every loss of the same cases in groups.
    group : ndarray of int, shape (n,), optional
        Weights are those of groups where cases come in some.
    """
    rng, other = np.random.default_rng([*seed, 0]), np.random.default_rng([*seed, 1])
    totals: Floats
    counts: Floats
    if group is None:
        totals, counts = _blocks(losses)
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
    """Random weights of all cases and of the events of each cell, shape (M, B) each.

    Two calibrated pseudo-cases are spread over the cells as the cases are, so that every slope is finite.

    Parameters
    ----------
    cells : ForecastCells
    draws : int
    seed : list of int
    event : ndarray of int, shape (n,)
        1 where the event was.
    group : ndarray of int, shape (n,), optional
    """
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
