"""Ranks of entries that come from one learned population: all its nodes on the same panels, in one pass.

The columns of a panel are pairs of a node of the population and a point of the axis logit(x), the mass has the node's
weight: sums over columns are means over nodes. Distribution functions are integrals of the densities over panels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre
from scipy.special import expit, ndtr

from howsure.numerics.arrays import Booleans, Floats, Integers, repeat
from howsure.numerics.ranks.entry_population import EntryPopulation
from howsure.numerics.ranks.rank_laws import (
    NODES,
    SPAN_OF_A_DENSITY,
    SPAN_OF_A_RANK,
    WEIGHTS,
    RankPanel,
    longest_in_logit,
    tail_in_logit,
)
from howsure.numerics.ranks.rank_matrix import CROWD, Ranks, add_crowd, add_shares, number_above
from howsure.numerics.solve import log_peaks

#: A part of an entry that weighs less is left out.
NO_PART = 1e-9

#: An entry's part is active between its quantiles TAIL and 1 - TAIL; the answer is good to 0.005.
TAIL = 1e-9

#: The panels are shortened until every rank is held by one entry within this; where entries crowd, within the other.
COLUMN_ERROR, ERROR_OF_A_CROWD = 1e-6, 2e-3

#: Rows and columns are balanced until both add to 1 within this, or so many times.
ROUNDING, SWEEPS = 1e-12, 50

#: Nodes are split here by s = sd of the population in sampling errors: spikes and wide laws share no panels.
SPLITS = (0.0, 0.3, 1.0, np.inf)

#: Groups of nodes that weigh less are left out.
LIGHTEST_GROUP = 1e-6


def _integrals() -> Floats:
    """Matrix that takes values at the Gauss points of (-1, 1) to the integrals from -1 to each of them."""
    degrees = np.arange(len(NODES))
    basis = legendre.legvander(NODES, len(NODES))
    # the integral of P_j from -1 is (P_{j+1} - P_{j-1})/(2 j + 1); that of P_0 is x + 1
    grown = np.empty((len(NODES), len(NODES)))
    grown[:, 0] = NODES + 1
    grown[:, 1:] = (basis[:, 2:] - basis[:, : len(NODES) - 1]) / (2 * degrees[1:] + 1)
    return np.asarray(grown @ ((2 * degrees + 1)[:, None] / 2 * basis[:, : len(NODES)].T * WEIGHTS))


INTEGRALS = _integrals()


def population_ranks(population: EntryPopulation) -> Ranks:
    """P(rank), rank 1 the largest, and P(one exceeds another), one row for each tally; means over the nodes."""
    place, copies = population.place, population.copies
    total = len(place)
    if len(copies) == 1:  # nothing tells them apart
        return Ranks.of(np.full((1, total), 1 / total), np.full((1, 1), 0.5), place)
    matrix, above, weight = np.zeros((len(copies), total)), np.zeros((len(copies), len(copies))), 0.0
    s = np.sqrt(population.n0 / population.kappa)
    for low, high in pairwise(SPLITS):
        on = (s >= low) & (s < high)
        if population.weight[on].sum() > LIGHTEST_GROUP:
            ranks, over = _of_nodes(_Parts.of(population, on))
            matrix += ranks * population.weight[on].sum()
            above += over * population.weight[on].sum()
            weight += float(population.weight[on].sum())
    matrix, above = matrix / weight, above / weight
    for _ in range(SWEEPS):
        matrix /= matrix.sum(1, keepdims=True)
        columns = copies @ matrix
        matrix /= columns
        if np.abs(columns - 1).max() < ROUNDING:
            break
    np.fill_diagonal(above, 0.5)
    return Ranks.of(matrix, above, place)


def _of_nodes(parts: _Parts) -> tuple[Floats, Floats]:
    """Rank probabilities (U, T) and P(row exceeds column) (U, U) of tallies, at the mean of some nodes."""
    copies = parts.copies
    fineness, previous = 1.0, np.inf
    while True:
        matrix, above = np.zeros((len(copies), int(copies.sum()))), np.zeros((len(copies), len(copies)))
        mass = np.zeros(len(copies))
        allowed = COLUMN_ERROR
        for panel, passed in parts.panels(fineness):
            members = copies[panel.active]
            if (members @ (panel.below * panel.above)).min() > CROWD:
                allowed = ERROR_OF_A_CROWD
                add_crowd(panel, members, matrix)
            else:
                law = number_above(repeat(panel.below, members, axis=0), repeat(panel.above, members, axis=0))
                add_shares(panel, law, matrix)
            above[np.ix_(panel.active, panel.active)] += panel.mass @ panel.below.T
            share = panel.mass.sum(1)
            mass[panel.active] += share
            above[np.ix_(panel.active, passed)] += share[:, None]
        matrix /= matrix.sum(1, keepdims=True)
        error = float(np.abs(copies @ matrix - 1).max())
        if error < allowed or error > 0.5 * previous:
            break
        fineness, previous = 0.7 * fineness, error
    above /= mass[:, None]
    return matrix, np.clip((above + 1 - above.T) / 2, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class _Parts:
    """Both parts of every tally at some nodes, as Betas in the logit; arrays of shape (2, U, G)."""

    copies: Integers
    weight: Floats  # (G,)
    share: Floats
    a: Floats
    b: Floats
    centre: Floats
    scale: Floats
    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, population: EntryPopulation, on: Booleans) -> _Parts:
        """Take the nodes ``on``."""
        mu, kappa = population.mu[on], population.kappa[on]
        k, n = population.k[:, None], population.n[:, None]
        second = [x[on].T for x in population.second]
        a = np.stack([mu * kappa + k, second[0]])
        b = np.stack([(1 - mu) * kappa + n - k, second[1]])
        main = population.main[on].T
        share = np.stack([main, 1 - main])
        share = np.where(share < NO_PART, 0.0, share)
        weight = population.weight[on] / population.weight[on].sum()
        used = share > 0
        lower, upper = np.full(a.shape, np.inf), np.full(a.shape, -np.inf)
        lower[used], upper[used] = tail_in_logit(a[used], b[used], TAIL), -tail_in_logit(b[used], a[used], TAIL)
        return cls(
            population.copies, weight, share / share.sum(0), a, b,
            np.log(a) - np.log(b), np.sqrt(1 / a + 1 / b), lower, upper,
        )  # fmt: skip

    def edges(self, fineness: float) -> Iterator[tuple[float, float]]:
        """Walk the axis: `panel_edges` for every node by itself, of which the shortest step counts."""
        position, end = float(self.lower.min()), float(self.upper.max())
        many = self.share * self.copies[:, None]
        while position < end:
            active = (self.lower <= position) & (self.upper > position)
            if not active.any():
                position = float(self.lower[self.lower > position].min())
                continue
            z = (position - self.centre) / self.scale
            part = np.where(active, many, 0.0)
            below = ndtr(z)
            crowding = (part * np.exp(-0.5 * z * z) / self.scale).sum((0, 1)) / np.sqrt(2 * np.pi)
            spread = (part * below * (1 - below)).sum((0, 1))
            width = float((np.sqrt(spread + 0.1) / np.maximum(crowding, 1e-300)).min())
            narrow = SPAN_OF_A_DENSITY * float(self.scale[active].min())
            step = fineness * min(narrow, SPAN_OF_A_RANK * width, longest_in_logit(position))
            newcomers = (self.lower > position) & (self.lower < position + step)
            if newcomers.any():  # stop where a narrow one begins, unless the panel is short enough for it anyway
                short = fineness * SPAN_OF_A_DENSITY * float(self.scale[newcomers].min())
                step = min(step, max(float(self.lower[newcomers].min()) - position, short))
            right = max(min(position + step, end), float(np.nextafter(position, np.inf)))
            yield position, right
            position = right

    def panels(self, fineness: float) -> Iterator[tuple[RankPanel, Integers]]:
        """Hand out the panels from left to right, and the tallies passed; F at a left end is what was integrated."""
        nodes = self.a.shape[2]
        so_far = np.zeros(self.a.shape)
        lowest = np.where(self.share > 0, self.lower, np.inf).min((0, 2))
        highest = np.where(self.share > 0, self.upper, -np.inf).max((0, 2))
        mean = self.a / (self.a + self.b)
        top = log_peaks(self.a, self.b)
        for left, right in self.edges(fineness):
            rows = np.flatnonzero((lowest < right) & (highest > left))
            if not rows.size:
                continue
            half, middle = (right - left) / 2, (left + right) / 2
            ups, downs = _logs_beside(middle, half * NODES)
            share = self.share[:, rows]
            known = np.where(self.upper[:, rows] <= left, 1.0, so_far[:, rows])
            below = repeat((share * known).sum(0)[..., None], len(NODES), axis=2)
            mass = np.zeros_like(below)
            inside = (share > 0) & (self.lower[:, rows] < right) & (self.upper[:, rows] > left)
            for part in (0, 1):
                e, g = np.nonzero(inside[part])
                i = part, rows[e], g
                a, b = self.a[i], self.b[i]
                there = _log_density(a, b, mean[i], middle - self.centre[i]) + top[i]
                density = np.exp(a[:, None] * ups + b[:, None] * downs + there[:, None])
                weighed = density * share[part, e, g][:, None]
                below[e, g] += half * (weighed @ INTEGRALS.T)
                mass[e, g] += weighed
                so_far[i] += half * (density @ WEIGHTS)
            below = np.clip(below, 0.0, 1.0)
            mass *= self.weight[:, None] * (half * WEIGHTS)
            shape = len(rows), nodes * len(NODES)
            panel = RankPanel(
                active=rows,
                certain=int(self.copies[lowest >= right].sum()),
                below=below.reshape(shape),
                above=(1 - below).reshape(shape),
                mass=mass.reshape(shape),
            )
            yield panel, np.flatnonzero(highest <= left)


def _logs_beside(middle: float, shift: Floats) -> tuple[Floats, Floats]:
    """Log x and log(1 - x) at logits ``middle + shift``, less those at the middle; nothing cancels at small shifts."""
    x, little = float(expit(middle)), np.clip(shift, -1, 1)
    near = -np.log1p(float(expit(-middle)) * np.expm1(-little)), -np.log1p(x * np.expm1(little))
    u = middle + shift
    far = np.logaddexp(0, -middle) - np.logaddexp(0, -u), np.logaddexp(0, middle) - np.logaddexp(0, u)
    close = np.abs(shift) < 1
    return np.where(close, near[0], far[0]), np.where(close, near[1], far[1])


def _log_density(a: Floats, b: Floats, mean: Floats, d: Floats) -> Floats:
    """Log density in the logit at a distance ``d`` from logit(mean), less that at the mean itself."""
    with np.errstate(over="ignore"):
        lift = np.where(d < 500, np.log1p(mean * np.expm1(np.minimum(d, 500))), d + np.log(mean))
    return np.asarray(a * (d - lift) - b * lift)
