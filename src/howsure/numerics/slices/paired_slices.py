"""Two classifiers in many slices of the same cases: their differences jointly, borrowing between slices, and alone.

A difference of recalls is d (2 s - 1), with d how often exactly one of the two is right and s how often that is the
first. Borrowing, d and s are populations over the slices (`howsure.numerics.learned.paired_factors`); alone, they are
Beta(1, 1) and Beta(1/2, 1/2), which is Dirichlet(1/2, 1/2, 1/2, 1/2) of the four cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.paired_factors import PairedFactors

#: From so many slices on they borrow from each other.
FEWEST_BORROWING = 3

#: Numbers drawn at a time.
BLOCK = 1_000_000


class PairedSlices:
    """Joint posterior of the differences of two classifiers in S slices, each the mean of J differences of rates.

    ``cells``, shape (J, S, 4), are cases that both have right, only the first, only the second, neither. The counts
    decide who comes first inside, so that swapped classifiers have the same answer with the opposite sign.
    """

    def __init__(self, cells: Integers, *, borrowing: bool) -> None:
        first, second = cells[..., 1].ravel(), cells[..., 2].ravel()
        unlike = np.flatnonzero(first != second)
        self._sign = -1.0 if len(unlike) and first[unlike[0]] < second[unlike[0]] else 1.0
        self._cells = cells if self._sign > 0 else cells[..., [0, 2, 1, 3]]
        self._families = [PairedFactors(each) for each in self._cells] if borrowing else None

    @property
    def mean(self) -> Floats:
        """Mean of every difference, shape (S,), in closed form."""
        made = np.zeros(self._cells.shape[1])
        if self._families is None:
            first, second = self._cells[..., 1], self._cells[..., 2]
            together = first + second
            each = (together + 1) / (self._cells.sum(axis=-1) + 2) * (first - second) / (together + 1)
            made += each.mean(axis=0)
        else:
            for family in self._families:
                made += family.discordance.moments[0] * (2 * family.direction.moments[0] - 1) / len(self._families)
        return self._sign * made

    def draw(self, n: int, seed: int) -> Iterator[Floats]:
        """Joint draws of all differences, in blocks (some, S) that are together ``n``."""
        count, slices = self._cells.shape[:2]
        streams = [[np.random.default_rng([seed, j, kind]) for kind in range(2)] for j in range(count)]
        step = max(1, BLOCK // slices)
        for start in range(0, n, step):
            many = min(step, n - start)
            made = np.zeros((many, slices))
            for j, rngs in enumerate(streams):
                d, s = self._factors(j, many, rngs)
                made += d * (2 * s - 1) / count
            yield self._sign * made

    def _factors(self, j: int, n: int, rngs: Sequence[np.random.Generator]) -> tuple[Floats, Floats]:
        if self._families is not None:
            family = self._families[j]
            return family.discordance.draw(n, rngs[0]), family.direction.draw(n, rngs[1])
        both, first, second, neither = self._cells[j].T
        shape = (n, len(both))
        return (
            rngs[0].beta(1.0 + first + second, 1.0 + both + neither, shape),
            rngs[1].beta(0.5 + first, 0.5 + second, shape),
        )


def ends_of_draws(values: Floats, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
    """Ends of the intervals of columns of draws, shape (n, S) to (S,) each."""
    return ends_in_order(np.sort(values, axis=0), level, kind)


def ends_in_order(ordered: Floats, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
    """The same of columns in increasing order; undefined draws come last and are left out."""
    if kind == "central" or np.isnan(ordered[-1]).any():
        low, high = np.nanquantile(ordered, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return np.asarray(low), np.asarray(high)
    inside = int(np.ceil(level * len(ordered)))
    at = (ordered[inside - 1 :] - ordered[: len(ordered) - inside + 1]).argmin(axis=0)
    columns = np.arange(ordered.shape[1])
    return ordered[at, columns], ordered[at + inside - 1, columns]


# -- Metrics of many slices that have no law in closed form: drawn, all slices of a block at once ----------------------


#: Numbers that are held at once.
BLOCK_OF_DRAWN_SLICES = 4_000_000

Tables = Callable[[int, int], Integers]


class DrawnSlices:
    """Draws of a metric in S slices, and in the others together: tables of Dirichlet rows times a Dirichlet prevalence.

    ``counts`` gives the tables (some, K, K) of the slices from a first to before a last one, ``total`` (K, K) is of
    all; ``row`` (K, K) and ``share`` (K,) are pseudo-counts. ``mean``, ``gap_mean`` and ``below`` (S,) are means of the
    metric and of its gap to the others, and P(gap < 0), of defined draws.
    """

    def __init__(
        self, counts: Tables, total: Integers, row: Floats, share: Floats, formula: Callable[[Floats], Floats],
        slices: int, draws: int, seed: int,
    ) -> None:  # fmt: skip
        rng = np.random.default_rng(seed)
        self.slices, self.draws = slices, draws
        size = len(total)
        self._values, self._gaps = np.empty((slices, draws), np.float32), np.empty((slices, draws), np.float32)
        step = max(1, BLOCK_OF_DRAWN_SLICES // (draws * size * size))
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
        return ends_in_order(np.sort(self._values, axis=1).astype(float).T, level, kind)

    def gap_interval(self, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
        """Ends of the intervals of the gaps."""
        return ends_in_order(np.sort(self._gaps, axis=1).astype(float).T, level, kind)

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
    cells = rng.standard_gamma(np.broadcast_to(rows[:, None], (len(rows), draws, *rows.shape[1:])))
    with np.errstate(invalid="ignore"):
        cells /= cells.sum(axis=-1, keepdims=True)
    phi = rng.standard_gamma(np.broadcast_to(shares[:, None], (len(rows), draws, shares.shape[1])))
    phi /= phi.sum(axis=-1, keepdims=True)
    return np.asarray(cells * phi[..., None])
