"""Ranks of entries that come from one learned population: all its nodes on the same panels, in one call of the engine.

The columns of a `RankPanel` are pairs of a node of the population and a point of the axis, and the mass carries the
node's weight; `rank_matrix` and `exceedance`, which add up over columns, then give the mean over nodes, unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.evidence import STIRLING, stirling
from howsure.numerics.ranks.entry_population import EntryPopulation
from howsure.numerics.ranks.rank_matrix import exceedance, rank_matrix
from howsure.numerics.ranks.rank_panels import NODES, WEIGHTS, BetaEntries, RankPanel, longest_in_logit, panel_edges

__all__ = ["PopulationEntries", "population_ranks"]

#: A part of an entry that weighs less is left out; one that weighs less than the second has no window of its own.
NO_PART, NO_WINDOW = 1e-9, 1e-4

#: Nodes are split here by s = sd of the population in sampling errors: spikes and wide laws share no panels.
SPLITS = (0.0, 0.3, 1.0, np.inf)

#: Groups of nodes that weigh less are left out.
LIGHTEST_GROUP = 1e-6


def population_ranks(population: EntryPopulation) -> tuple[Floats, Floats]:
    """P(entry i has rank r), rank 1 the largest, and P(i exceeds j), shapes (T, T); means over the nodes."""
    entries = len(population.place)
    matrix, above, total = np.zeros((entries, entries)), np.zeros((entries, entries)), 0.0
    for group, weight in _groups(population):
        laid = PopulationEntries(group)
        matrix += weight * rank_matrix(laid)
        above += weight * exceedance(laid)
        total += weight
    return matrix / total, above / total


def _groups(population: EntryPopulation) -> Iterator[tuple[EntryPopulation, float]]:
    """Nodes of like spread, and their weight."""
    s = np.sqrt(population.n0 / population.kappa)
    for low, high in pairwise(SPLITS):
        on = (s >= low) & (s < high)
        weight = float(population.weight[on].sum())
        if weight > LIGHTEST_GROUP:
            a, b = population.second
            yield (
                replace(
                    population,
                    mu=population.mu[on],
                    kappa=population.kappa[on],
                    weight=population.weight[on] / weight,
                    main=population.main[on],
                    second=(a[on], b[on]),
                ),
                weight,
            )


class PopulationEntries:
    """Entries on the axis logit(x), at all nodes at once; a supplier of panels as `BetaEntries` is."""

    def __init__(self, population: EntryPopulation) -> None:
        place = population.place
        mu, kappa = population.mu[:, None], population.kappa[:, None]
        a = np.stack([mu * kappa + population.k, population.second[0]], 2)
        b = np.stack([(1 - mu) * kappa + population.n - population.k, population.second[1]], 2)
        share = np.stack([population.main, 1 - population.main], 2)
        share = np.where(share < NO_PART, 0.0, share)
        self._share = share / share.sum(2, keepdims=True)  # (nodes, tallies, parts), as all below
        self._weight = population.weight
        self._parts = BetaEntries(a.ravel(), b.ravel())
        self._mean, self._log_top = self._parts.a / (self._parts.a + self._parts.b), _log_top(self._parts)
        used = self._share > 0
        lower, upper, centre, scale = (
            getattr(self._parts, name).reshape(a.shape) for name in ("lower", "upper", "centre", "scale")
        )
        self._lower, self._upper = np.where(used, lower, np.inf), np.where(used, upper, -np.inf)
        self.same = place
        self.atom = np.zeros(len(place), bool)
        self.lower, self.upper = self._lower.min((0, 2))[place], self._upper.max((0, 2))[place]
        weight = self._share * self._weight[:, None, None]
        seen = self._share > NO_WINDOW
        middle = (centre * weight).sum(0) / np.maximum(weight.sum(0), 1e-300)  # (tallies, parts)
        narrowest = np.where(seen, scale, np.inf).min(0)
        self.centre = (centre * weight).sum((0, 2))[place]
        self.scale = narrowest.min(1)[place]
        first = np.where(seen, lower, np.inf).min(0), np.where(seen, upper, -np.inf).max(0), middle, narrowest
        columns = [column[place].T.ravel() for column in first]
        kept = np.isfinite(columns[3])
        low, high, middles, scales = (column[kept] for column in columns)
        ends = float(self.lower.min()), float(self.upper.max())
        if low.min() > ends[0] or high.max() < ends[1]:  # tails of parts too light for a window of their own
            low, high = np.append(low, ends[0]), np.append(high, ends[1])
            middles, scales = np.append(middles, np.median(middles)), np.append(scales, (ends[1] - ends[0]) / 8)
        self._windows = low, high, middles, scales

    def probabilities_at(self, points: Floats, entries: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """F and S of the entries at points of the axis, means over the nodes."""
        nodes, tallies, _ = self._share.shape
        found = np.zeros((2, len(entries), len(points)))
        for g in range(nodes):
            for part in (0, 1):
                index = (g * tallies + self.same[entries]) * 2 + part
                weight = self._weight[g] * self._share[g, self.same[entries], part]
                found += weight[:, None] * np.stack(self._parts.probabilities_at(points, index))
        return found[0], found[1]

    def panels(self, fineness: float) -> Iterator[RankPanel]:
        """Hand out the panels from left to right."""
        nodes, tallies, _ = self._share.shape
        for left, right in panel_edges(*self._windows, np.empty(0), fineness, longest_in_logit):
            active = np.flatnonzero((self.lower < right) & (self.upper > left))
            if not active.size:
                continue
            half = (right - left) / 2
            u = left + half * (1 + NODES)
            rows, twin = np.unique(self.same[active], return_inverse=True)
            share, lower, upper = self._share[:, rows], self._lower[:, rows], self._upper[:, rows]
            shape = nodes, len(rows), len(u)
            below = np.broadcast_to((share * (upper <= left)).sum(2)[..., None], shape).copy()
            above = np.broadcast_to((share * (lower >= right)).sum(2)[..., None], shape).copy()
            mass = np.zeros(shape)
            inside = (share > 0) & (lower < right) & (upper > left)
            for part in (0, 1):
                g, e = np.nonzero(inside[:, :, part])
                index = (g * tallies + rows[e]) * 2 + part
                weight = share[g, e, part][:, None]
                under, over = self._parts.probabilities_at(u, index)
                density = self._density(u, index)
                below[g, e] += weight * under
                above[g, e] += weight * over
                mass[g, e] += weight * density
            total = below + above
            mass *= self._weight[:, None, None] * (half * WEIGHTS)
            columns = (
                np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(len(rows), -1)[twin.ravel()]
                for x in (below / total, above / total, mass)
            )
            yield RankPanel(active, int(np.sum(self.lower >= right)), *columns)

    def _density(self, u: Floats, index: NDArray[np.intp]) -> Floats:
        """Density of parts in the logit; written around the mean, so that nothing cancels at counts of 1e9."""
        mean, d = self._mean[index, None], u - self._parts.centre[index, None]
        with np.errstate(over="ignore"):
            lift = np.where(d < 500, np.log1p(mean * np.expm1(d)), d + np.log(mean))
        a, b = self._parts.a[index, None], self._parts.b[index, None]
        return np.asarray(np.exp(a * (d - lift) - b * lift + self._log_top[index, None]))


def _log_top(parts: BetaEntries) -> Floats:
    """Log density in the logit at the mean, log of m^a (1-m)^b / B(a, b); by Stirling where both are large."""
    a, b = parts.a, parts.b
    small = np.minimum(a, b) < STIRLING
    made = 0.5 * (np.log(a) + np.log(b) - np.log(a + b) - np.log(2 * np.pi))
    made -= stirling(a) + stirling(b) - stirling(a + b)
    p, q = a[small], b[small]
    made[small] = -p * np.log1p(q / p) - q * np.log1p(p / q) - betaln(p, q)
    return np.asarray(made)
