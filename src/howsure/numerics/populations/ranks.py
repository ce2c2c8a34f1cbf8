"""P(entry i has rank r) and P(i exceeds j), of independent laws or counted from joint draws; rank 1 is the largest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtr

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.populations.beta_laws import log_peaks
from howsure.numerics.populations.entries import EntryPopulation
from howsure.numerics.populations.rank_panels import (
    NODES,
    SPAN_OF_A_DENSITY,
    SPAN_OF_A_RANK,
    WEIGHTS,
    BetaEntries,
    LawEntries,
    RankedLaw,
    RankPanel,
    longest_in_logit,
    tail_in_logit,
)
from howsure.numerics.solve.densest import fewest_atoms

NEGLIGIBLE = 1e-13  # ranks less probable than this at every node of a panel are dropped from the recursion
COLUMN_ERROR = 1e-10  # the panels are shortened until every rank is held by one entry within this
USELESS = 1e-5  # no ranks are returned that add up no better
CROWD = 100.0  # variance of the number above a node from which on that number is a Normal one with a skewness


@dataclass(frozen=True, eq=False)
class Ranks:
    """Who holds which rank, and who exceeds whom; entries that nothing tells apart share a row."""

    rows: Floats  # (U, T), P(an entry of that kind has rank r), rank 1 the largest
    pairs: Floats  # (U, U), P(an entry of the row's kind exceeds one of the column's); ties count one half
    place: NDArray[np.intp]  # (T,), the row of each entry
    expected: Floats  # (T,), expected rank of each entry

    @classmethod
    def of(
        cls, rows: Floats, pairs: Floats, place: NDArray[np.intp] | None = None, expected: Floats | None = None
    ) -> Ranks:
        """Ranks of which each entry has a row, or the one at its ``place``; means are summed up where not given."""
        place = np.arange(len(rows)) if place is None else place
        return cls(
            rows, pairs, place, (rows @ np.arange(1.0, rows.shape[1] + 1))[place] if expected is None else expected
        )

    @property
    def matrix(self) -> Floats:
        """P(entry has rank r), shape (T, T)."""
        return self.rows[self.place]

    @property
    def above(self) -> Floats:
        """P(row entry exceeds column entry), shape (T, T)."""
        return self.pairs[self.place[:, None], self.place]

    def ordered(self, order: NDArray[np.intp]) -> Ranks:
        """The same of the entries in another order."""
        return Ranks(self.rows, self.pairs, self.place[order], self.expected[order])

    def interval(self, level: float = 0.95) -> NDArray[np.intp]:
        """(best, worst) rank of each entry: the shortest run of ranks of ``level``, the more probable of two."""
        if not 0 < level <= 1:
            raise ValueError(f"level must lie above 0 and at most at 1; it is {level}")
        runs = [fewest_atoms(probabilities, level) for probabilities in self.rows]
        return np.array(runs, np.intp).reshape(-1, 2)[self.place] + 1

    def top(self, k: int) -> Floats:
        """P(rank of each entry is k or better), sum over r <= k of P_i(r)."""
        if not 0 <= k <= self.rows.shape[1]:
            raise ValueError(f"k must lie between 0 and the number of entries {self.rows.shape[1]}; it is {k}")
        return np.asarray(np.minimum(self.rows[:, :k].sum(1), 1.0)[self.place])

    def reward(self, prizes: ArrayLike) -> Floats:
        """Mean prize of each entry, sum over r of prize_r P_i(r); ranks without a prize earn 0."""
        prizes = np.atleast_1d(np.asarray(prizes, float))[: self.rows.shape[1]]
        return np.asarray((self.rows[:, : prizes.size] @ prizes)[self.place])

    def wins(self, even: float) -> NDArray[np.intp]:
        """How many others each entry exceeds with a probability above ``even``."""
        return np.asarray(((self.pairs > even) @ bincount(self.place, minlength=len(self.rows)))[self.place])

    def tiers(self, level: float) -> list[int]:
        """Number of each entry's tier; a tier ends where its first member is better with probability ``level``."""
        numbers, first = [1], self.place[0]
        for place in self.place[1:].tolist():
            begins = bool(self.pairs[first, place] >= level)
            numbers.append(numbers[-1] + begins)
            first = place if begins else first
        return numbers


def rank_probabilities_beta(a: ArrayLike, b: ArrayLike) -> Floats:
    """Matrix of P(entry i has rank r) of independent Beta(a_i, b_i); rows and columns sum to 1 to rounding.

    P_i(r) = int f_i(x) P(exactly r - 1 of the others exceed x) dx, within 1e-10 plus eps / sd. Equal entries get equal
    rows; point masses a = 0 (at 0) and b = 0 (at 1) share their ranks equally when they tie. The recursion: Barlow and
    Heidtmann (1984), IEEE Trans. Reliability 33, 322.
    """
    a, b = np.broadcast_arrays(np.atleast_1d(np.asarray(a, float)), np.atleast_1d(np.asarray(b, float)))
    valid = np.isfinite(a) & np.isfinite(b) & (a >= 0) & (b >= 0) & (a + b > 0)
    if a.ndim != 1 or not valid.all():
        raise ValueError("Beta parameters must be finite, 0 or more, and not both 0, in one row")
    return rank_matrix(BetaEntries(a, b))


def rank_probabilities(laws: Sequence[RankedLaw]) -> Floats:
    """Matrix of P(entry i has rank r) of independent laws on the real line.

    The formula and the bound are those of `rank_probabilities_beta`. Each law offers cdf, sf, pdf and quantile of an
    array, and sd; one with sd = 0 is a point mass at its median.
    """
    return rank_matrix(LawEntries(laws)) if len(laws) else np.empty((0, 0))


def best_probabilities_beta(a: Floats, b: Floats) -> Floats:
    """P(entry i is the largest) of independent Beta(a_i, b_i), a, b > 0: the first column of the matrix, to 1e-8.

    P_i(1) = int f_i(x) prod_{j != i} F_j(x) dx, on the panels where no entry is surely above; no recursion is needed.
    """
    distinct, place, copies = np.unique(np.stack([a, b], 1), axis=0, return_inverse=True, return_counts=True)
    entries = BetaEntries(*np.ascontiguousarray(distinct.T))
    fineness, previous = 1.0, np.inf
    while True:
        best, mass = np.zeros(len(copies)), np.zeros(len(copies))
        for panel in entries.panels(fineness):
            mass[panel.active] += panel.mass.sum(1)
            if not panel.certain:
                log_below = np.log(np.maximum(panel.below, 1e-300))
                best[panel.active] += (panel.mass * np.exp(copies[panel.active] @ log_below - log_below)).sum(1)
        best /= mass
        error = abs(float(copies @ best) - 1)
        if error < 1e-8 or error > 0.5 * previous:
            return np.asarray((best / (copies @ best))[place.reshape(-1)])
        fineness, previous = 0.6 * fineness, error


def rank_matrix(entries: BetaEntries | LawEntries) -> Floats:
    """Return P(entry i has rank r): panels added up, shortened if a rank is held by more or less than one, balanced."""
    count = entries.scale.size
    wide = ~entries.atom
    fineness, previous = 1.0, np.inf
    while True:
        matrix = np.zeros((count, count))
        for panel in entries.panels(fineness):
            _add_panel(panel, matrix)
        matrix[wide] /= matrix[wide].sum(1, keepdims=True)
        _add_point_masses(entries, matrix)
        error = np.abs(matrix.sum(0) - 1).max(initial=0.0)
        if error < COLUMN_ERROR or error > 0.5 * previous:  # good, or as good as the F and f supplied
            break
        fineness, previous = 0.6 * fineness, error
    if error > USELESS:
        raise ArithmeticError(f"the ranks add up only within {error:.1e}: is each pdf the derivative of its cdf?")
    members = bincount(entries.same)
    if members.max(initial=0) > 1:
        shared = np.zeros((members.size, count))
        np.add.at(shared, entries.same, matrix)
        matrix = (shared / np.maximum(members, 1)[:, None])[entries.same]
    # What is left is rounding. Columns come last: two equal entries p, p become p / (p + p), exactly one half.
    for axis in (1, 0, 1, 0):
        matrix /= matrix.sum(axis, keepdims=True)
    return matrix


def _add_panel(panel: RankPanel, matrix: Floats) -> None:
    """Add to the matrix, for every active entry, its mass times the law of the number of others above it."""
    add_shares(panel, number_above(panel.below, panel.above), matrix)


def add_shares(panel: RankPanel, number: tuple[int, Floats], matrix: Floats) -> None:
    """The same where the law of the number above is known; of equal entries one row is enough."""
    first, law = number
    for divisor, other, forward in ((panel.below, panel.above, True), (panel.above, panel.below, False)):
        stable = divisor >= 0.5 if forward else divisor > 0.5
        rows = np.flatnonzero(stable.any(1))
        if rows.size:
            mass = np.where(stable[rows], panel.mass[rows], 0.0)
            ratio = np.where(stable[rows], other[rows], 0.0) / np.maximum(divisor[rows], 0.5)
            shares = _divide_out(law, mass / np.maximum(divisor[rows], 0.5), ratio, forward)
            ranks = panel.certain + first + np.arange(len(law)) - (not forward)
            inside = (ranks >= 0) & (ranks < matrix.shape[1])
            matrix[np.ix_(panel.active[rows], ranks[inside])] += shares[inside].T


def add_crowd(panel: RankPanel, members: NDArray[np.intp], matrix: Floats) -> None:
    """The same where so many entries are near that their number above a node is nearly Normal.

    The first Edgeworth term of the Poisson-binomial law carries the skewness; what is left is of the order of one over
    the variance. Without an entry itself the number is F_i p_r + S_i p_(r+1), to the same order.
    """
    variance = panel.below * panel.above
    mean, second = members @ panel.above, members @ variance
    third = members @ (variance * (panel.below - panel.above))
    sd = np.sqrt(second)
    first, last = int((mean - 8 * sd).min()), int((mean + 8 * sd).max()) + 2
    numbers = np.arange(max(first, 0), min(last, int(members.sum()) + 1))
    z = (numbers - mean[:, None]) / sd[:, None]
    law = np.maximum(np.exp(-z * z / 2) * (1 + (third / sd**3)[:, None] * (z**3 - 3 * z) / 6), 0.0)
    law /= law.sum(1, keepdims=True)
    ranks = panel.certain + numbers
    shares = (panel.mass * panel.below) @ law
    shares[:, :-1] += ((panel.mass * panel.above) @ law)[:, 1:]
    matrix[np.ix_(panel.active, ranks)] += shares


def number_above(below: Floats, above: Floats) -> tuple[int, Floats]:
    """Law of the number of entries above each node: (smallest number kept, its probabilities (numbers, nodes)).

    The Poisson-binomial recursion p_r <- F_j p_r + S_j p_{r-1}, one entry j at a time, on a moving window of numbers
    that leaves out those less probable than `NEGLIGIBLE`.
    """
    count, nodes = below.shape
    p = np.zeros((count + 1, nodes))
    p[0] = 1.0
    carry = np.empty_like(p)
    low = high = 0
    for j in range(count):
        moved = np.multiply(p[low : high + 1], above[j], out=carry[: high + 1 - low])
        p[low : high + 1] *= below[j]
        high += 1
        p[low + 1 : high + 1] += moved
        if j % 8 == 7:
            likely = np.flatnonzero(p[low : high + 1].max(1) > NEGLIGIBLE)
            p[low : low + likely[0]] = 0.0
            p[low + likely[-1] + 1 : high + 1] = 0.0
            low, high = low + int(likely[0]), low + int(likely[-1])
    return low, p[low : high + 1]


def _divide_out(law: Floats, mass: Floats, ratio: Floats, forward: bool) -> Floats:
    """Integrate against each entry's mass the law of the others: shares[r, i] = sum over nodes of mass q_r.

    With the factor F + S z of entry i divided out of the generating function, q_r = (p_r - S q_{r-1}) / F runs upwards
    and q_{r-1} = (p_r - F q_r) / S downwards; each is stable where its divisor is at least one half. `mass` and `ratio`
    have that divisor in them; all entries move together.
    """
    shares = np.empty((len(law), len(mass)))
    ones = np.ones(law.shape[1])
    state, fresh = np.zeros_like(mass), np.empty_like(mass)
    for r in range(len(law)) if forward else range(len(law) - 1, -1, -1):
        state *= ratio
        np.multiply(mass, law[r], out=fresh)
        np.subtract(fresh, state, out=state)
        np.matmul(state, ones, out=shares[r])
    return shares


def _add_point_masses(entries: BetaEntries | LawEntries, matrix: Floats) -> None:
    """Fill the rows of the point masses; m of them in one place share the m ranks they hold together."""
    for place in np.unique(entries.centre[entries.atom]):
        tied = np.flatnonzero(entries.atom & (entries.centre == place))
        active = np.flatnonzero(~entries.atom & (entries.lower < place) & (entries.upper > place))
        certain = int(np.sum((entries.lower >= place) & ~(entries.atom & (entries.centre == place))))
        first, law = number_above(*entries.probabilities_at(np.array([place]), active))
        spread = np.convolve(law[:, 0] / law[:, 0].sum(), np.full(tied.size, 1 / tied.size))
        start = certain + first
        matrix[tied, start : start + spread.size] = spread


def exceedance_beta(a: ArrayLike, b: ArrayLike) -> Floats:
    """Matrix of P(X_i > X_j) of independent Beta(a_i, b_i); equal entries get one half.

    P(X_i > X_j) = int f_i(x) F_j(x) dx, by the Gauss rule of each panel, within about 1e-10; both halves add to 1.
    """
    pairs = np.stack([np.atleast_1d(np.asarray(x, float)) for x in (a, b)], axis=1)
    # a long board has few different rates
    distinct, place = np.unique(pairs, axis=0, return_inverse=True)
    place = place.reshape(-1)
    return _exceedance(BetaEntries(*np.ascontiguousarray(distinct.T)))[place[:, None], place]


def exceedance(entries: LawEntries) -> Floats:
    """Return the matrix of P(X_i > X_j) of independent laws; ties count one half."""
    return _exceedance(entries)


def _exceedance(entries: BetaEntries | LawEntries) -> Floats:
    """Add up the panels from left to right: what has been passed is surely below."""
    count = entries.scale.size
    above, mass = np.zeros((count, count)), np.zeros(count)
    begun, passed = np.zeros(count, bool), np.zeros(count, bool)
    for panel in entries.panels(1.0):
        here = np.zeros(count, bool)
        here[panel.active] = True
        passed |= begun & ~here
        begun |= here
        above[np.ix_(panel.active, panel.active)] += panel.mass @ panel.below.T
        share = panel.mass.sum(1)
        mass[panel.active] += share
        above[np.ix_(panel.active, np.flatnonzero(passed))] += share[:, None]
    wide = np.flatnonzero(~entries.atom)
    above[wide] /= mass[wide, None]
    for j in np.flatnonzero(entries.atom).tolist():
        below, beyond = entries.probabilities_at(entries.centre[[j]], wide)
        above[wide, j], above[j, wide] = beyond[:, 0], below[:, 0]
        above[j, entries.atom] = np.sign(entries.centre[j] - entries.centre[entries.atom]) / 2 + 0.5
    above = (above + 1 - above.T) / 2
    above[entries.same[:, None] == entries.same] = 0.5
    return np.clip(above, 0.0, 1.0)


#: Numbers sorted at once.
BLOCK = 2_000_000


def drawn_ranks(values: Floats) -> Floats:
    """Share of draws (columns, T x n) in which entry i holds rank r, T x T; entries that tie share ranks equally."""
    count, draws = values.shape
    held_by = np.zeros(count * count)
    for block in np.array_split(values, max(1, values.size // BLOCK), axis=1):
        rows = np.ascontiguousarray(block.T)
        order = np.argsort(-rows, axis=1, kind="stable")
        held = np.take_along_axis(rows, order, axis=1)
        equal = held[:, 1:] == held[:, :-1]
        tied = equal.any(1)
        held_by += bincount((order[~tied] * count + np.arange(count)).ravel(), minlength=count * count)
        for line, same in zip(order[tied], equal[tied], strict=True):
            # run of equal values at each place: its length, and its ranks shared
            run = np.concatenate(([0], np.cumsum(~same)))
            first = np.searchsorted(run, run, side="left")
            size = bincount(run)[run]
            within = np.arange(int(size.max()))
            for k in within.tolist():
                inside = size > k
                np.add.at(held_by, line[inside] * count + first[inside] + k, 1 / size[inside])
    return np.asarray(held_by.reshape(count, count) / draws)


def drawn_exceedance(values: Floats) -> Floats:
    """Share of draws (columns) in which row i exceeds row j, ties half; one row at a time, to spare memory."""
    count = len(values)
    above = np.full((count, count), 0.5)
    for i in range(count):
        won = (values[i] > values[i + 1 :]).mean(1) + 0.5 * (values[i] == values[i + 1 :]).mean(1)
        above[i, i + 1 :] = won
        above[i + 1 :, i] = 1 - won
    return above


def simultaneous_intervals(values: Floats, level: float) -> NDArray[np.intp]:
    """Best and worst rank of each entry that hold for all at once in a share ``level`` of the draws (T, draws)."""
    ranks = (-values).argsort(0, kind="stable").argsort(0, kind="stable") + 1
    ordered = np.sort(ranks, 1)
    low, high = 0, (draws := ranks.shape[1]) // 2  # how many draws each end may leave out
    while low < high:
        cut = (low + high + 1) // 2
        ends = ordered[:, [min(cut, draws - 1)]], ordered[:, [max(draws - 1 - cut, 0)]]
        if ((ranks >= ends[0]) & (ranks <= ends[1])).all(0).mean() >= level:
            low = cut
        else:
            high = cut - 1
    found: NDArray[np.intp] = ordered[:, [low, draws - 1 - low]]
    return found


# -- Ranks of entries that come from one learned population: all its nodes on the same panels, in one pass -------------

#: A part of an entry that weighs less is left out.
NO_PART = 1e-9

#: An entry's part is active between its quantiles PART_TAIL and 1 - PART_TAIL; the answer is good to 0.005.
PART_TAIL = 1e-9

#: The panels are shortened until every rank is held by one entry within this; where entries crowd, within the other.
ERROR_OF_A_COLUMN, ERROR_OF_A_CROWD = 1e-6, 2e-3

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
        allowed = ERROR_OF_A_COLUMN
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
        lower[used], upper[used] = (
            tail_in_logit(a[used], b[used], PART_TAIL),
            -tail_in_logit(b[used], a[used], PART_TAIL),
        )
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
