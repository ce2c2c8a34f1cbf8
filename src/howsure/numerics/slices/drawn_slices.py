"""Metrics of many slices that have no law in closed form: drawn, all slices of a block at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats, Integers

__all__ = ["DrawnSlices", "times_worst"]

#: Numbers that are held at once.
BLOCK = 4_000_000

Tables = Callable[[int, int], Integers]


class DrawnSlices:
    """Draws of a metric in S slices, and in the others together: tables of Dirichlet rows times a Dirichlet prevalence.

    Parameters
    ----------
    counts : callable
        Counts (some, K, K) of the slices from a first to before a last one.
    total : ndarray, shape (K, K)
        Of all slices.
    row, share : ndarray, shape (K, K), (K,)
        Pseudo-counts.
    formula : callable
        Of tables (..., K, K).
    draws, seed : int
        How many, and from where.

    Attributes
    ----------
    mean, gap_mean, below : ndarray, shape (S,)
        Mean of the metric, of its gap to the others, and P(gap < 0); undefined draws are left out.
    """

    def __init__(
        self, counts: Tables, total: Integers, row: Floats, share: Floats, formula: Callable[[Floats], Floats],
        slices: int, draws: int, seed: int,
    ) -> None:  # fmt: skip
        rng = np.random.default_rng(seed)
        self.slices, self.draws = slices, draws
        size = len(total)
        self._values, self._gaps = np.empty((slices, draws), np.float32), np.empty((slices, draws), np.float32)
        step = max(1, BLOCK // (draws * size * size))
        for start in range(0, slices, step):
            end = min(start + step, slices)
            seen = counts(start, end)
            own, others = (
                formula(_tables(rng, table + row, table.sum(axis=-1) + share, draws)) for table in (seen, total - seen)
            )
            self._values[start:end], self._gaps[start:end] = own, own - others
        known = ~np.isnan(self._gaps)
        with np.errstate(invalid="ignore"):
            self.mean, self.gap_mean = (
                np.where(np.isnan(x), 0, x).sum(axis=1, dtype=float) / (~np.isnan(x)).sum(axis=1)
                for x in (self._values, self._gaps)
            )
            self.below = ((self._gaps < 0) & known).sum(axis=1) / known.sum(axis=1)

    def interval(self, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
        """Ends of the intervals of the metric."""
        return _intervals(self._values, level, kind)

    def gap_interval(self, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
        """Ends of the intervals of the gaps."""
        return _intervals(self._gaps, level, kind)

    def extremes(self, *, lower: bool) -> tuple[Floats, Floats]:
        """How often each slice is the worst one, and the draws of the gap between the best and the worst."""
        values = self._values
        highest = np.where(np.isnan(values), -np.inf, values)
        lowest = np.where(np.isnan(values), np.inf, values)
        worst = times_worst(highest if lower else lowest, lower=lower) / self.draws
        return worst, np.asarray(highest.max(axis=0) - lowest.min(axis=0), float)


def times_worst(values: NDArray[np.floating], *, lower: bool) -> Floats:
    """In how many draws each slice is the worst one, of values of shape (slices, draws).

    Slices that tie share the draw: rates that round to 1 would otherwise all count for the slice that comes first.
    """
    tied = values == (values.max(axis=0) if lower else values.min(axis=0))
    return np.asarray(tied @ (1.0 / tied.sum(axis=0)), float)


def _tables(rng: np.random.Generator, rows: Floats, shares: Floats, draws: int) -> Floats:
    """Tables of some slices, shape (some, draws, K, K)."""
    cells = rng.standard_gamma(np.broadcast_to(rows[:, None], (len(rows), draws, *rows.shape[1:])))
    with np.errstate(invalid="ignore"):
        cells /= cells.sum(axis=-1, keepdims=True)
    phi = rng.standard_gamma(np.broadcast_to(shares[:, None], (len(rows), draws, shares.shape[1])))
    phi /= phi.sum(axis=-1, keepdims=True)
    return np.asarray(cells * phi[..., None])


def _intervals(values: NDArray[np.float32], level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
    ordered = np.sort(values, axis=1).astype(float)  # undefined ones come last
    if kind == "central" or np.isnan(ordered[:, -1]).any():
        low, high = np.nanquantile(ordered, [(1 - level) / 2, (1 + level) / 2], axis=1)
        return np.asarray(low), np.asarray(high)
    inside = int(np.ceil(level * ordered.shape[1]))
    width = ordered[:, inside - 1 :] - ordered[:, : ordered.shape[1] - inside + 1]
    at = width.argmin(axis=1)
    rows = np.arange(len(ordered))
    return ordered[rows, at], ordered[rows, at + inside - 1]
