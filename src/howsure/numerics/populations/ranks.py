"""P(entry i has rank r) and P(i exceeds j), of independent laws or counted from joint draws; rank 1 is the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Booleans, Floats, bincount, repeat
from howsure.numerics.draws.weighted_draws import fewest_atoms
from howsure.numerics.populations.entries import EntryPopulation
from howsure.numerics.populations.rank_panels import BetaEntries, LawEntries, RankedLaw, RankPanel

NEGLIGIBLE = 1e-13  # ranks less probable than this at every node of a panel are dropped from the recursion
COLUMN_ERROR = 1e-10  # the panels are shortened until every rank is held by one entry within this
USELESS = 1e-5  # no ranks are returned that add up no better
ERROR_OF_A_COLUMN, ERROR_OF_A_CROWD = 1e-6, 2e-3  # enough of a learned population, and where entries crowd
ROUNDING, SWEEPS = 1e-12, 50  # rows and columns are balanced until both add to 1 within this, or so many times
FINER = 0.6  # how much shorter panels are the next time
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


def beta_ranks(a: ArrayLike, b: ArrayLike) -> Ranks:
    """P(entry i has rank r) and P(i exceeds j) of independent Beta(a_i, b_i); rows and columns sum to 1 to rounding.

    P_i(r) = int f_i(x) P(exactly r - 1 of the others exceed x) dx, within 1e-10 plus eps / sd. Equal entries get equal
    rows, and exceed each other in one half; point masses a = 0 (at 0) and b = 0 (at 1) share their ranks equally when
    they tie. The recursion: Barlow and Heidtmann (1984), IEEE Trans. Reliability 33, 322.
    """
    a, b = np.broadcast_arrays(np.atleast_1d(np.asarray(a, float)), np.atleast_1d(np.asarray(b, float)))
    valid = np.isfinite(a) & np.isfinite(b) & (a >= 0) & (b >= 0) & (a + b > 0)
    if a.ndim != 1 or not valid.all():
        raise ValueError("Beta parameters must be finite, 0 or more, and not both 0, in one row")
    entries = BetaEntries.alone(a, b)
    return _balanced(*_added_up(entries), entries.place)


def law_ranks(laws: Sequence[RankedLaw]) -> Ranks:
    """The same of one or more independent laws on the real line, by the formula and within the bound of `beta_ranks`.

    Each law offers cdf, sf, pdf and quantile of an array, and sd; one with sd = 0 is a point mass at its median. Ties
    count one half.
    """
    entries = LawEntries(laws)
    return _balanced(*_added_up(entries), entries.place)


def best_probabilities_beta(a: Floats, b: Floats) -> Floats:
    """P(entry i is the largest) of independent Beta(a_i, b_i), a, b > 0: the first column of the matrix, to 1e-8.

    P_i(1) = int f_i(x) prod_{j != i} F_j(x) dx, on the panels where no entry is surely above; no recursion is needed.
    """
    entries = BetaEntries.alone(a, b)
    copies, fineness, previous = entries.copies, 1.0, np.inf
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
            return np.asarray((best / (copies @ best))[entries.place])
        fineness, previous = FINER * fineness, error


def _added_up(
    entries: BetaEntries | LawEntries, allowed: float = COLUMN_ERROR, crowd: float = np.inf
) -> tuple[Floats, Floats]:
    """P(rank) (U, T) and P(row exceeds column) (U, U): panels added up, shortened if a rank is held by more than one.

    What has been passed on the way from left to right is surely below.
    """
    copies, wide = entries.copies, ~entries.atom
    count, fineness, previous = len(copies), 1.0, np.inf
    while True:
        matrix, above, mass = np.zeros((count, int(copies.sum()))), np.zeros((count, count)), np.zeros((count, 1))
        bound = allowed
        for panel in entries.panels(fineness):
            members = copies[panel.active]
            if np.isfinite(crowd) and (members @ (panel.below * (1 - panel.below))).min() > crowd:
                bound = ERROR_OF_A_CROWD
                add_crowd(panel, members, matrix)
            else:
                add_shares(panel, number_above(repeat(panel.below, members, axis=0)), matrix)
            above[np.ix_(panel.active, panel.active)] += panel.mass @ panel.below.T
            share = panel.mass.sum(1, keepdims=True)
            mass[panel.active] += share
            above[np.ix_(panel.active, panel.passed)] += share
        matrix[wide] /= matrix[wide].sum(1, keepdims=True)
        above[wide] /= mass[wide]
        _add_point_masses(entries, matrix, above)
        error = float(np.abs(copies @ matrix - 1).max(initial=0.0))
        if error < bound or error > 0.5 * previous:  # good, or as good as the F and f supplied
            break
        fineness, previous = FINER * fineness, error
    if error > max(USELESS, bound):
        raise ArithmeticError(f"the ranks add up only within {error:.1e}: is each pdf the derivative of its cdf?")
    return matrix, np.clip((above + 1 - above.T) / 2, 0.0, 1.0)


def _balanced(matrix: Floats, above: Floats, place: NDArray[np.intp]) -> Ranks:
    """Rows and columns that add to 1; columns come last: two equal entries p, p become p / (p + p), one half."""
    copies = bincount(place, minlength=len(matrix))
    if len(copies) == 1:  # nothing tells them apart
        matrix = np.ones_like(matrix)
    for _ in range(SWEEPS):
        matrix /= matrix.sum(1, keepdims=True)
        columns = copies @ matrix
        matrix /= columns
        if np.abs(columns - 1).max(initial=0.0) < ROUNDING:
            break
    np.fill_diagonal(above, 0.5)
    return Ranks.of(np.maximum(matrix, 0.0), above, place)


def add_shares(panel: RankPanel, number: tuple[int, Floats], matrix: Floats) -> None:
    """Add for every active kind its mass times the law of the number of others above it; of equal entries one row."""
    first, law = number
    below, above = panel.below, 1 - panel.below
    for divisor, other, forward in ((below, above, True), (above, below, False)):
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
    below, above = panel.below, 1 - panel.below
    variance = below * above
    mean, second = members @ above, members @ variance
    third = members @ (variance * (below - above))
    sd = np.sqrt(second)
    first, last = int((mean - 8 * sd).min()), int((mean + 8 * sd).max()) + 2
    numbers = np.arange(max(first, 0), min(last, int(members.sum()) + 1))
    z = (numbers - mean[:, None]) / sd[:, None]
    law = np.maximum(np.exp(-z * z / 2) * (1 + (third / sd**3)[:, None] * (z**3 - 3 * z) / 6), 0.0)
    law /= law.sum(1, keepdims=True)
    ranks = panel.certain + numbers
    shares = (panel.mass * below) @ law
    shares[:, :-1] += ((panel.mass * above) @ law)[:, 1:]
    matrix[np.ix_(panel.active, ranks)] += shares


def number_above(below: Floats) -> tuple[int, Floats]:
    """Law of the number of entries above each node: (smallest number kept, its probabilities (numbers, nodes)).

    The Poisson-binomial recursion p_r <- F_j p_r + S_j p_{r-1}, one entry j at a time, on a moving window of numbers
    that leaves out those less probable than `NEGLIGIBLE`.
    """
    count, nodes = below.shape
    above = 1 - below
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


def _add_point_masses(entries: BetaEntries | LawEntries, matrix: Floats, above: Floats) -> None:
    """Fill the rows of the point masses; m of them in one place share the m ranks they hold together."""
    for j in np.flatnonzero(entries.atom).tolist():
        place, many = entries.centre[j], int(entries.copies[j])
        wide = np.flatnonzero(~entries.atom)
        below = entries.below(place, wide)
        above[wide, j], above[j, wide] = 1 - below, below
        above[j, entries.atom] = (entries.centre[entries.atom] < place) + 0.5 * (entries.centre[entries.atom] == place)
        here = (entries.lower[wide] < place) & (entries.upper[wide] > place)
        certain = int(entries.copies[(entries.lower >= place) & (np.arange(len(above)) != j)].sum())
        first, law = number_above(repeat(below[here], entries.copies[wide[here]])[:, None])
        spread = np.convolve(law[:, 0] / law[:, 0].sum(), np.full(many, 1 / many))
        matrix[j, certain + first : certain + first + spread.size] = spread


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

#: Nodes are split here by s = sd of the population in sampling errors: spikes and wide laws share no panels.
SPLITS = (0.0, 0.3, 1.0, np.inf)

#: Groups of nodes that weigh less are left out.
LIGHTEST_GROUP = 1e-6


def population_ranks(population: EntryPopulation) -> Ranks:
    """P(rank), rank 1 the largest, and P(one exceeds another), one row for each tally; means over the nodes."""
    found, weight = [], []
    s = np.sqrt(population.n0 / population.kappa)
    for low, high in pairwise(SPLITS):
        on = (s >= low) & (s < high)
        if population.weight[on].sum() > LIGHTEST_GROUP:
            found.append(_added_up(_of_nodes(population, on), ERROR_OF_A_COLUMN, CROWD))
            weight.append(population.weight[on].sum() / population.weight.sum())
    matrix, above = (np.average(each, axis=0, weights=weight) for each in zip(*found, strict=True))
    return _balanced(matrix, above, population.place)


def _of_nodes(population: EntryPopulation, on: Booleans) -> BetaEntries:
    """Both parts of every tally at some nodes."""
    mu, kappa = population.mu[on], population.kappa[on]
    k, n, main = population.k[:, None], population.n[:, None], population.main[on].T
    second = [x[on].T for x in population.second]
    a, b = np.stack([mu * kappa + k, second[0]]), np.stack([(1 - mu) * kappa + n - k, second[1]])
    share = np.stack([main, 1 - main])
    share = np.where(share < NO_PART, 0.0, share)
    weight = population.weight[on] / population.weight[on].sum()
    return BetaEntries(a, b, share / share.sum(0), weight, population.place, PART_TAIL)


# -- Which entries can be the best, whatever the true scores: Hsu's multiple comparisons with the best -----------------


#: Half the width, in standard deviations, of the window over which an entry's own error is integrated.
REACH = 6.5

#: Gauss-Legendre nodes on it, and their weights times the normal density.
NORMAL_NODES, NORMAL_WEIGHTS = np.polynomial.legendre.leggauss(64)
NORMAL_NODES = REACH * NORMAL_NODES
NORMAL_WEIGHTS = REACH * NORMAL_WEIGHTS * np.exp(-NORMAL_NODES * NORMAL_NODES / 2) / np.sqrt(2 * np.pi)

#: Numbers that one block of draws may hold.
BLOCK_OF_CONTENDERS = 4_000_000


def contenders(
    scores: Floats, covariance: Floats, level: float, draws: int = 20_000, seed: int = 0
) -> NDArray[np.intp]:
    """Places of the entries that are not shown to be worse than some other one, the largest score among them.

    Entry j stays unless t_j = max_i (score_i - score_j) / se_ij exceeds the ``level`` quantile of max_i (Z_i - Z_j) /
    se_ij, where Z ~ Normal(0, covariance), (T, T) or (T,): the set holds the true best with that probability. ``draws``
    are of Z, for a matrix. Hsu (1984), Annals of Statistics 12, 1136; Mogstad, Romano, Shaikh and Wilhelm (2024),
    Review of Economic Studies 91, 476.
    """
    scores, covariance = np.asarray(scores, dtype=float), np.asarray(covariance, dtype=float)
    together = covariance.ndim == 2
    errors = _Errors(covariance)
    # no maximum of several has a smaller quantile than one of them, or a larger one than Bonferroni's
    surely, never = float(ndtri(level)), float(-ndtri((1 - level) / max(1, len(scores) - 1)))
    if together:
        behind = np.array([_farthest(scores, errors(j), j) for j in range(len(scores))])
    else:  # a long board has few different entries
        alike, place = np.unique(np.stack([scores, covariance]), axis=1, return_inverse=True)
        of_kind = _Errors(alike[1])
        behind = np.array([_farthest(alike[0], of_kind(j), j) for j in range(alike.shape[1])])[place.reshape(-1)]
    stays = behind <= surely
    asked = np.flatnonzero(~stays & (behind <= never))
    if asked.size and together:
        stays[asked] = _drawn(covariance, errors, behind, asked, draws, seed) <= level
    elif asked.size:
        stays[asked] = [_integrated(np.sqrt(covariance), errors(j), behind[j], j) <= level for j in asked.tolist()]
    return np.flatnonzero(stays)


class _Errors:
    """Standard errors of the differences of all entries from one."""

    def __init__(self, covariance: Floats) -> None:
        self._covariance = covariance
        self._own = np.diagonal(covariance) if covariance.ndim == 2 else covariance

    def __call__(self, j: int) -> Floats:
        shared = 2 * self._covariance[j] if self._covariance.ndim == 2 else 0.0
        variances = self._own + self._own[j] - shared
        # what rounding leaves of two equal columns is no error
        variances = np.where(variances > 1e-12 * (self._own + self._own[j]), variances, 0.0)
        variances[j] = 0.0
        return np.asarray(np.sqrt(variances))


def _farthest(scores: Floats, errors: Floats, j: int) -> float:
    """Largest standardised distance by which another entry is ahead; equal columns are not ahead of each other."""
    apart = errors > 0
    return float(((scores - scores[j])[apart] / errors[apart]).max(initial=0.0))


def _integrated(sds: Floats, errors: Floats, behind: float, j: int) -> float:
    """P(max_i (Z_i - Z_j) / se_ij <= t), as an integral over the error of entry j."""
    others = np.flatnonzero(errors > 0)
    others = others[others != j]
    # entries of one standard deviation have one probability
    of_sd, copies = np.unique(sds[others], return_counts=True)
    reach = behind * np.hypot(of_sd, sds[j])
    inside = ndtr((reach[:, None] + sds[j] * NORMAL_NODES) / np.maximum(of_sd, 1e-300)[:, None])
    return float(NORMAL_WEIGHTS @ np.prod(inside ** copies[:, None], axis=0))


def _drawn(
    covariance: Floats, errors: _Errors, behind: Floats, asked: NDArray[np.intp], draws: int, seed: int
) -> Floats:
    """The same probabilities under a joint law, for the entries that are asked."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng = np.random.default_rng([seed, 0xC0])
    count = np.zeros(len(asked))
    step = max(1, BLOCK_OF_CONTENDERS // len(covariance))
    for start in range(0, draws, step):
        noise = rng.standard_normal((min(step, draws - start), len(covariance))) @ root.T
        for place, j in enumerate(asked.tolist()):
            count[place] += np.count_nonzero((noise - noise[:, [j]] <= behind[j] * errors(j)).all(1))
    return count / draws


# -- The winner's curse: the best of many is partly the luckiest, so its estimate is drawn back towards the others -----


def shrunken(means: Floats, sds: Floats) -> tuple[Floats, Floats] | None:
    """Empirical-Bayes means and sds of entries that are themselves a sample; None below three entries.

    With x_i ~ Normal(m_i, s_i^2) and m_i ~ Normal(mu, tau^2), m_i has mean mu + B_i (x_i - mu) and variance B_i s_i^2 +
    (1 - B_i)^2 var(mu), where B_i = tau^2 / (tau^2 + s_i^2). The spread tau^2 is the root of sum (x_i - mu)^2 / (tau^2
    + s_i^2) = T - 1 with mu the mean weighted by 1 / (tau^2 + s_i^2), found by bisection; 0 where the entries differ by
    less than their uncertainty.

    Efron and Morris (1975), JASA 70, 311; Paule and Mandel (1982), J. Res. Natl. Bur. Stand. 87, 377, for tau^2.
    """
    count = len(means)
    if count < 3:
        return None
    variances = np.maximum(sds**2, 1e-300)

    def centre_and_excess(spread: float) -> tuple[float, float]:
        weights = 1 / (spread + variances)
        weights /= (largest := weights.max())
        centre = float(weights @ means / weights.sum())
        return centre, float(largest * (weights @ (means - centre) ** 2)) - (count - 1)

    low, high = 0.0, float(np.ptp(means)) ** 2 + 1e-300
    if centre_and_excess(0.0)[1] > 0:
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if centre_and_excess(middle)[1] > 0 else (low, middle)
        spread = high
    else:
        spread = 0.0
    centre, _ = centre_and_excess(spread)
    kept = spread / (spread + variances)
    of_centre = 1 / np.sum(1 / (spread + variances))
    return centre + kept * (means - centre), np.sqrt(kept * variances + (1 - kept) ** 2 * of_centre)
