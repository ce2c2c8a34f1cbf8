"""Strengths of models from battles: Bradley and Terry's model with Davidson's ties, under a learned spread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import gammaln

from howsure.numerics.arrays import Floats, Integers, bincount, repeat

# -- Strengths from battles --------------------------------------------------------------------------------------------

# With a = (theta_i - theta_j) / 2 and z = e^a + e^-a + nu, model i wins with probability e^a / z and ties with nu / z
# (Davidson 1970). Strengths are a sample of N(0, tau^2); tau has a half-Cauchy prior of scale 0.3 between 0.05 and 3,
# and log nu is N(log 1/2, 1.5^2). Nodes over (log tau, log nu) carry a Laplace approximation of theta each. Up to
# twenty models its draws are corrected by importance; beyond that they are taken as they are, which is well
# calibrated.


#: Up to so many models draws are corrected by importance.
FEW_MODELS = 20
#: Scale of the half-Cauchy prior of tau, and its least and largest value.
SCALE, LEAST, MOST = 0.3, 0.05, 3.0
#: Mean and standard deviation of log nu.
LOG_NU, SD_NU = np.log(0.5), 1.5
#: Degrees of freedom of the proposal of a node.
_DF = 7
#: Draws of the strengths of a simulated board.
_OF_A_BOARD = 400
#: Numbers in the arrays of one block of nodes.
_BLOCK = 2_000_000


def _pairs(theta: Floats, nu: Floats) -> tuple[Floats, Floats]:
    """P(i wins) - P(j wins), and P(tie), of rows of strengths."""
    big = np.clip((theta[..., :, None] - theta[..., None, :]) / 2, -300, 300)
    wins = np.exp(big)
    losses = 1 / wins
    nu = np.asarray(nu)[..., None, None]
    z = wins + losses + nu
    return (wins - losses) / z, nu / z


def _modes(met: Floats, score: Floats, theta: Floats, nu: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """The most probable strengths of rows, and their information, of one table of battles or of one for each row."""
    at = np.arange(theta.shape[1])
    information = np.empty((*theta.shape, theta.shape[1]))
    for _ in range(60):
        gap, tie = _pairs(theta, nu)
        gradient = score - (met * gap).sum(-1) / 2 - theta * precision[:, None]
        known = met * (1 - tie - gap**2) / 4
        np.negative(known, out=information)
        information[:, at, at] = known.sum(-1) + precision[:, None]
        step = np.linalg.solve(information, gradient[..., None])[..., 0]
        big = np.abs(step).max(-1, keepdims=True)
        theta = theta + step * np.minimum(1, 2 / np.maximum(big, 1e-300))
        if big.max() < 1e-9:
            break
    return theta, information


@dataclass(frozen=True, eq=False)
class Battles:
    """Counts of battles: ``wins[i, j]`` that i won against j, ``ties[i, j] = ties[j, i]``; not necessarily whole."""

    wins: Floats
    ties: Floats

    @property
    def models(self) -> int:
        """How many models there are."""
        return len(self.wins)

    @property
    def few(self) -> bool:
        """Whether draws are corrected by importance."""
        return self.models <= FEW_MODELS

    @property
    def sds(self) -> Floats:
        """Prior standard deviations of what is estimated besides the strengths: nothing here."""
        return np.zeros(0)

    @cached_property
    def met(self) -> Floats:
        """Battles of each pair."""
        met: Floats = self.wins + self.wins.T + self.ties
        return met

    @cached_property
    def all_ties(self) -> float:
        """Ties in all."""
        return float(self.ties.sum() / 2)

    @cached_property
    def score(self) -> Floats:
        """Wins minus losses of each model, halved."""
        score: Floats = (self.wins.sum(1) - self.wins.sum(0)) / 2
        return score

    def log_prior(self, log_tau: Floats, log_nu: Floats) -> Floats:
        """Of a node, in the measure of (log tau, log nu), up to a constant."""
        prior: Floats = log_tau - np.log1p((np.exp(log_tau) / SCALE) ** 2)
        if self.all_ties:
            prior = prior - ((log_nu - LOG_NU) / SD_NU) ** 2 / 2
        return prior

    def log_population(self, theta: Floats, log_tau: Floats) -> Floats:
        """Log density of rows of strengths, and of what is besides them, up to a constant."""
        strengths, others = theta[:, : self.models], theta[:, self.models :]
        density: Floats = -(strengths**2).sum(1) / 2 * np.exp(-2 * log_tau) - self.models * log_tau
        return density - ((others / self.sds) ** 2).sum(1) / 2 if len(self.sds) else density

    def prior(self, tau: float) -> Floats:
        """Precision of the strengths before the battles."""
        return np.eye(self.models) / tau**2

    @cached_property
    def met_in(self) -> tuple[Integers, Integers, Floats, Floats]:
        """Battles in cells: which models met, how many there are, and what is controlled, (cells, C): nothing here."""
        i, j = np.nonzero(np.triu(self.met, 1))
        return i, j, self.met[i, j], np.zeros((len(i), 0))

    def log_likelihood(self, theta: Floats, log_nu: Floats) -> Floats:
        """Of rows of strengths, and of what is besides them, shape (rows, ...)."""
        first, second, number, columns = self.met_in
        nu = np.exp(log_nu)[:, None] if self.all_ties else np.zeros((len(theta), 1))
        found = theta @ self.score + (self.all_ties * log_nu if self.all_ties else 0.0)
        wide = max(1, CELLS_AT_A_TIME // max(len(number), 1))
        for at in range(0, len(theta), wide):
            some = theta[at : at + wide]
            big = np.abs(some[:, first] - some[:, second] + some[:, self.models :] @ columns.T) / 2
            log_z = big + np.log1p(np.exp(-2 * big) + nu[at : at + wide] * np.exp(-big))
            found[at : at + wide] -= log_z @ number
        return np.asarray(found)

    def at(self, theta: Floats, nu: float) -> tuple[Floats, Floats, Floats]:
        """P(the first wins) - P(it loses) of each cell, P(tie), and the information of a battle."""
        first, second, _, columns = self.met_in
        half = (theta[first] - theta[second] + columns @ theta[self.models :]) / 2
        wins = np.exp(np.clip(half, -300, 300))
        z = wins + 1 / wins + nu
        gap, tie = (wins - 1 / wins) / z, nu / z
        return gap, tie, (1 - tie - gap**2) / 4

    def modes(self, log_tau: Floats, log_nu: Floats, start: Floats) -> tuple[Floats, Floats]:
        """The most probable strengths at each node, shape (nodes, T), and their information, (nodes, T, T)."""
        nu = np.exp(log_nu) if self.all_ties else 0 * log_nu
        theta = repeat(start[None], len(log_tau), 0)
        return _modes(self.met, self.score, theta, nu, np.exp(-2 * log_tau))

    def ties_at(self, theta: Floats, nu: float) -> tuple[float, float]:
        """Ties that are expected, and their variance."""
        number, tie = self.met_in[2], self.at(theta, nu)[1]
        return float(number @ tie), float(number @ (tie * (1 - tie)))

    def expected(self, theta: Floats, nu: float) -> tuple[Floats, Floats]:
        """P(i wins) - P(j wins) of each pair on average over its battles, and the variance of a score, (T, T)."""
        first, second, number, _ = self.met_in
        gap, _, known = self.at(theta, nu)
        size = self.models
        gaps, knowns = (
            bincount(first * size + second, weights=number * it, minlength=size**2).reshape(size, size)
            for it in (gap, known)
        )
        met = np.maximum(self.met, 1e-300)
        return (gaps - gaps.T) / met, (knowns + knowns.T) / met

    def information(self, theta: Floats, nu: float) -> Floats:
        """Of the strengths, and of what is besides them, by the battles alone."""
        return self.squares(self.met_in[2] * self.at(theta, nu)[2])

    def squares(self, known: Floats) -> Floats:
        """The design times itself, by what is known from each cell."""
        first, second, _, columns = self.met_in
        size = self.models
        pairs = bincount(first * size + second, weights=known, minlength=size**2).reshape(size, size)
        pairs = pairs + pairs.T
        beside = np.array([self.summed(known * column) for column in columns.T]).reshape(-1, size + columns.shape[1])
        return np.block([[np.diag(pairs.sum(1)) - pairs, beside[:, :size].T], [beside]])

    def summed(self, values: Floats) -> Floats:
        """The transposed design times a value for each cell."""
        first, second, _, columns = self.met_in
        each = bincount(first, weights=values, minlength=self.models)
        each = each - bincount(second, weights=values, minlength=self.models)
        return np.concatenate([each, values @ columns])

    def centre(self) -> tuple[Floats, float, float]:
        """A start: strengths under tau = 0.5, the log of nu there, and its standard deviation."""
        theta, log_nu, deviation = np.zeros(self.models + len(self.sds)), float(LOG_NU), SD_NU
        for _ in range(30):
            theta = self.modes(np.array([np.log(0.5)]), np.array([log_nu]), theta)[0][0]
            if not self.all_ties:
                return theta, log_nu, 0.0
            ties, spread = self.ties_at(theta, float(np.exp(log_nu)))
            slope = self.all_ties - ties - (log_nu - LOG_NU) / SD_NU**2
            curve = spread + SD_NU**-2
            log_nu, deviation = log_nu + float(np.clip(slope / curve, -1, 1)), float(curve**-0.5)
            if abs(slope / curve) < 1e-3 * deviation:
                break
        return theta, log_nu, deviation


@dataclass(frozen=True, eq=False)
class BattleFit:
    """Nodes over (log tau, log nu) with their weights, and strengths at each."""

    battles: Battles
    log_tau: Floats
    log_nu: Floats
    log_prior: Floats
    weights: Floats
    modes: Floats
    information: Floats

    @classmethod
    def of(cls, battles: Battles) -> BattleFit:
        """Fit the nodes: a coarse grid of tau first, then a fine one of tau and nu where the evidence lies."""
        few = battles.few
        theta, centre, deviation = battles.centre()
        coarse = np.linspace(np.log(LEAST), np.log(MOST), 15)
        evidence = _evidence(battles, coarse, np.full(15, centre), theta)[0]
        there = np.flatnonzero(evidence > evidence.max() - 12)
        ends = coarse[max(there[0] - 1, 0)], coarse[min(there[-1] + 1, 14)]
        tau = np.linspace(*ends, 21 if few else 11)
        nu = centre + np.linspace(-3.2, 3.2, 7 if few else 5) * deviation if deviation else np.array([centre])
        log_tau, log_nu = (grid.ravel() for grid in np.meshgrid(tau, nu, indexing="ij"))
        evidence, modes, information = _evidence(battles, log_tau, log_nu, theta)
        edge = np.where((log_tau == tau[0]) | (log_tau == tau[-1]), np.log(0.5), 0.0)
        weights = np.exp(evidence + edge - (evidence + edge).max())
        prior = battles.log_prior(log_tau, log_nu) + edge
        kept = weights > 1e-5 * weights.sum()
        weights = weights[kept] / weights[kept].sum()
        return cls(battles, log_tau[kept], log_nu[kept], prior[kept], weights, modes[kept], information[kept])

    @property
    def strengths(self) -> Floats:
        """Mean over nodes of the most probable strengths."""
        return self.centre[: self.battles.models]

    @cached_property
    def centre(self) -> Floats:
        """The same, and of what is estimated besides."""
        mean: Floats = self.weights @ self.modes
        return mean

    @cached_property
    def others(self) -> tuple[Floats, Floats]:
        """Mean and standard deviation of what is estimated besides the strengths."""
        at = slice(self.battles.models, None)
        within = np.linalg.inv(self.information)[:, at, at].diagonal(axis1=1, axis2=2)
        mean = self.centre[at]
        return mean, np.sqrt(self.weights @ (within + (self.modes[:, at] - mean) ** 2))

    @property
    def nu(self) -> float:
        """Mean propensity of ties; 0 where nothing was tied."""
        return float(self.weights @ np.exp(self.log_nu)) if self.battles.all_ties else 0.0

    @property
    def tau(self) -> float:
        """Mean spread of the strengths."""
        return float(self.weights @ np.exp(self.log_tau))

    def draws(self, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Strengths around their mean, shape (count, T), and nu, shape (count,)."""
        few, size = self.battles.few, self.modes.shape[1]
        if few:
            number = np.maximum(np.ceil(self.weights * count).astype(int), 30)
        else:
            steps = np.floor(np.cumsum(self.weights) * count + 0.5).astype(int)
            number = np.diff(steps, prepend=0)
        parts, logs = [], []
        for node in np.flatnonzero(number):
            m, root = int(number[node]), np.linalg.cholesky(self.information[node])
            normal = rng.standard_normal((m, size))
            if few:
                normal /= np.sqrt(rng.chisquare(_DF, (m, 1)) / _DF)
            rows = self.modes[node] + np.linalg.solve(root.T, normal.T).T
            parts.append(rows)
            if few:
                proposal = (
                    gammaln((_DF + size) / 2) - gammaln(_DF / 2) - size / 2 * np.log(2 * _DF)
                    + np.log(np.diag(root)).sum() - (_DF + size) / 2 * np.log1p((normal**2).sum(1) / _DF) + np.log(m)
                )  # fmt: skip
                target = (
                    self.battles.log_likelihood(rows, np.full(m, self.log_nu[node]))
                    + self.battles.log_population(rows, self.log_tau[node]) + self.log_prior[node]
                )  # fmt: skip
                logs.append(target - proposal)
        theta = np.concatenate(parts)[:, : self.battles.models]
        nu = repeat(np.exp(self.log_nu) if self.battles.all_ties else 0 * self.log_nu, number)
        if few:  # as many rows as their weights say
            log = np.concatenate(logs)
            total = np.cumsum(np.exp(log - log.max()))
            places = (np.arange(count) + rng.random()) / count * total[-1]
            chosen = np.minimum(np.searchsorted(total, places), len(total) - 1)
            theta, nu = theta[chosen], nu[chosen]
        order = rng.permutation(len(theta))
        return theta[order] - theta[order].mean(1, keepdims=True), nu[order]

    def variances(self, more: float) -> Floats:
        """Of the strengths, shape (T, T), with ``more`` times the battles besides those that there are."""
        models, known = self.battles.models, (1 + more) * self.battles.information(self.centre, self.nu)
        return np.asarray(np.linalg.inv(known + self.battles.prior(self.tau))[:models, :models])

    @property
    def _level_score(self) -> Floats:
        """Wins minus losses, halved; where something is controlled, those that give the same strengths without it."""
        if not len(self.battles.sds):
            return self.battles.score
        gap = _pairs(self.strengths, np.array(self.nu))[0]
        return np.asarray((self.battles.met * gap).sum(1) / 2 + self.strengths / self.tau**2)

    def leaders(self, more: float, boards: int, rng: np.random.Generator) -> Floats:
        """Largest P(best) of so many drawn boards with ``more`` times the battles of the same pairs besides."""
        theta, nu = self.draws(boards, rng)
        i, j = np.nonzero(np.triu(self.battles.met, 1))
        half = (theta[:, i] - theta[:, j]) / 2
        win, loss = np.exp(half), np.exp(-half)
        z = win + loss + nu[:, None]
        number = np.floor(self.battles.met[i, j] * more + rng.random(half.shape)).astype(np.int64)
        wins = rng.binomial(number, win / z)
        ties = rng.binomial(number - wins, np.clip(nu[:, None] / np.maximum(nu[:, None] + loss, 1e-300), 0, 1))
        score = repeat(self._level_score[None], boards, 0)
        won = (2 * wins + ties - number) / 2
        met = repeat(self.battles.met[None], boards, 0)
        rows = np.arange(boards)[:, None]
        np.add.at(score, (rows, i), won)
        np.add.at(score, (rows, j), -won)
        met[rows, i, j] += number
        met[rows, j, i] += number
        start = repeat(self.strengths[None], boards, 0)
        modes, information = _modes(met, score, start, np.full(boards, self.nu), np.full(boards, self.tau**-2))
        root = np.linalg.cholesky(information)
        normal = rng.standard_normal((boards, self.battles.models, _OF_A_BOARD))
        first = (modes[..., None] + np.linalg.solve(root.transpose(0, 2, 1), normal)).argmax(1)
        return np.array([bincount(row).max() for row in first]) / _OF_A_BOARD


def _evidence(battles: Battles, log_tau: Floats, log_nu: Floats, start: Floats) -> tuple[Floats, Floats, Floats]:
    block = max(1, _BLOCK // battles.models**2)
    parts = [
        battles.modes(log_tau[at : at + block], log_nu[at : at + block], start)
        for at in range(0, len(log_tau), block)
    ]  # fmt: skip
    modes, information = np.concatenate([it[0] for it in parts]), np.concatenate([it[1] for it in parts])
    evidence = (
        battles.log_likelihood(modes, log_nu) + battles.log_population(modes, log_tau)
        - np.linalg.slogdet(information)[1] / 2 + battles.log_prior(log_tau, log_nu)
    )  # fmt: skip
    return evidence, modes, information


def design_effect(residual: Floats, pairs: tuple[Integers, Integers], clusters: Integers, models: int) -> float:
    """Growth of the variance of strengths where battles of a cluster are alike; residuals are score less expected."""
    from scipy.sparse import csr_array  # a tenth of a second to load

    number = int(clusters.max()) + 1
    rows, columns = np.concatenate([clusters, clusters]), np.concatenate(pairs)
    sums = csr_array((np.concatenate([residual, -residual]), (rows, columns)), shape=(number, models))
    square = np.zeros((models, models))
    np.add.at(square, pairs, -(residual**2))
    square = square + square.T
    square -= np.diag(square.sum(1))
    inverse = np.linalg.pinv(square, hermitian=True)
    freedom = max(np.linalg.matrix_rank(square, hermitian=True), 1)
    among = float((sums.T @ sums).multiply(inverse).sum())
    return float(max(1.0, among / freedom * number / max(number - 1, 1)))


# -- Battles whose answers differ in what is no merit: strengths as if both were alike in it ---------------------------

# Strengths differ by theta_i - theta_j + x'beta, x being how far apart the answers are; beta is estimated together
# with the strengths. Strong models may answer at length, so the population of the strengths has a slope over the
# models' mean x (Mundlak 1978). Battles of a pair are joined in bins of x, which keep its mean.


#: Bins of a difference where one, two, or more of them are controlled.
BINS = (21, 9, 5)
#: Standard deviation of the slope of the strengths over what is controlled, before the battles.
SD_SLOPE = 1.0
#: Cells up to which draws are corrected by importance, and numbers in the arrays of one block of draws.
FEW_CELLS, CELLS_AT_A_TIME = 500, 2_000_000


def normalised(a: Floats, b: Floats) -> Floats:
    """How far apart two lengths are, (a - b)/(a + b), from -1 to 1; 0 where both are 0."""
    both = a + b
    return np.where(both > 0, (a - b) / np.where(both > 0, both, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class VoteCells:
    """Battles of a pair that are alike: who met, how far apart the answers were, whether the first was shown first."""

    first: Integers
    second: Integers
    apart: Floats  # (cells, S), mean differences, in root mean squares of all battles
    shown: Floats  # (cells,), 1 where the first was shown first, -1 where the second was
    won: Floats
    lost: Floats
    tied: Floats
    scales: Floats  # (S,), the root mean squares

    @classmethod
    def of_rows(
        cls, first: Integers, second: Integers, outcome: Integers, times: Floats, apart: Floats
    ) -> VoteCells:  # fmt: skip
        """Battles in rows, the first model being the one that was shown first; 0, 1, 2: it won, it lost, a tie."""
        turn = first > second
        sign = np.where(turn, -1.0, 1.0)
        scales = np.sqrt(times @ apart**2 / times.sum())
        x = apart * sign[:, None] / np.where(scales > 0, scales, 1.0)
        one, other = np.where(turn, second, first), np.where(turn, first, second)
        result = np.where(turn & (outcome < 2), 1 - outcome, outcome)
        key = one * (int(other.max(initial=0)) + 1) + other
        for codes in (turn.astype(np.int64), *(_bins(column, BINS[min(x.shape[1], 3) - 1]) for column in x.T)):
            key = np.unique(key * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
        size = int(key.max(initial=-1)) + 1
        at = np.zeros(size, dtype=np.int64)
        at[key] = np.arange(len(key))
        won, lost, tied = (bincount(key, weights=times * (result == it), minlength=size) for it in range(3))
        number = np.maximum(won + lost + tied, 1e-300)
        means = [bincount(key, weights=times * column, minlength=size) / number for column in x.T]
        mean = np.stack(means, axis=1) if means else np.zeros((size, 0))
        return cls(one[at], other[at], mean, sign[at], won, lost, tied, scales)

    @classmethod
    def of_tables(cls, a_wins: Floats, b_wins: Floats, ties: Floats) -> VoteCells:
        """Battles counted by the model that was shown first (row) and the second (column)."""
        first, second = np.nonzero(a_wins + b_wins + ties)
        won, lost, tied = (table[first, second] for table in (a_wins, b_wins, ties))
        return cls(first, second, np.zeros((len(first), 0)), np.ones(len(first)), won, lost, tied, np.zeros(0))


def _bins(x: Floats, most: int) -> Integers:
    """Codes of values: each its own where there are few, else of bins with about as many values."""
    values, codes = np.unique(x, return_inverse=True)
    if len(values) <= most:
        return codes
    return np.searchsorted(np.unique(np.quantile(x, np.arange(1, most) / most)), x, side="right")


@dataclass(frozen=True, eq=False)
class ControlledBattles(Battles):
    """Counts of pairs, in cells of unlike answers; parameters are the strengths and a coefficient for each column."""

    cells: VoteCells
    columns: Floats  # (cells, C), what is controlled
    spreads: Floats  # (C,), prior standard deviations of the coefficients, around 0
    worth: float = 1.0  # what a battle counts for

    @property
    def sds(self) -> Floats:
        """Prior standard deviations of the coefficients."""
        return self.spreads

    @property
    def few(self) -> bool:
        """Whether draws are corrected by importance."""
        return super().few and len(self.columns) <= FEW_CELLS

    @cached_property
    def met_in(self) -> tuple[Integers, Integers, Floats, Floats]:
        """Battles in cells: which models met, how many there are, and what is controlled, (cells, C)."""
        cells = self.cells
        return cells.first, cells.second, self.worth * (cells.won + cells.lost + cells.tied), self.columns

    @cached_property
    def score(self) -> Floats:
        """Wins minus losses of each model, halved, and their sums over what is controlled."""
        return self.summed(self.worth * (self.cells.won - self.cells.lost) / 2)

    def modes(self, log_tau: Floats, log_nu: Floats, start: Floats) -> tuple[Floats, Floats]:
        """The most probable strengths and coefficients at each node, and their information, by Newton's method."""
        size, number = len(start), self.met_in[2]
        modes, information = np.empty((len(log_tau), size)), np.empty((len(log_tau), size, size))
        theta = start
        for node, (tau, nu) in enumerate(zip(log_tau, np.exp(log_nu) if self.all_ties else 0 * log_nu, strict=True)):
            prior = self.prior(float(np.exp(tau)))
            for _ in range(60):
                gap, _, known = self.at(theta, float(nu))
                information[node] = self.squares(number * known) + prior
                gradient = self.score - self.summed(number * gap) / 2 - prior @ theta
                step = np.linalg.solve(information[node], gradient)
                big = float(np.abs(step).max())
                theta = theta + step * min(1.0, 2 / max(big, 1e-300))
                if big < 1e-9:
                    break
            modes[node] = theta
        return modes, information

    @cached_property
    def slopes(self) -> Floats:
        """Mean of what is controlled over each model's battles, in uncorrelated columns, shape (T, C)."""
        size = self.models
        sums = np.stack([self.summed(self.met_in[2] * column)[:size] for column in self.columns.T], axis=1)
        means = sums / np.maximum(self.met.sum(1), 1e-300)[:, None]
        means = SD_SLOPE * (means - means.mean(0))
        return np.asarray(means @ np.linalg.eigh(means.T @ means)[1])

    def prior(self, tau: float) -> Floats:
        """Precision of strengths and coefficients before the battles."""
        size, slopes = self.models, self.slopes
        precision = np.diag(np.concatenate([np.ones(size), self.sds**-2 * tau**2]))
        precision[:size, :size] -= slopes / (tau**2 + (slopes**2).sum(0)) @ slopes.T
        return precision / tau**2

    def log_population(self, theta: Floats, log_tau: Floats) -> Floats:
        """Log density of rows of strengths and coefficients, up to a constant."""
        tau2, norms = np.exp(2 * np.asarray(log_tau))[..., None], (self.slopes**2).sum(0)
        spent = ((theta[:, : self.models] @ self.slopes) ** 2 / (tau2 + norms) / tau2 - np.log1p(norms / tau2)).sum(-1)
        density: Floats = super().log_population(theta, log_tau) + spent / 2
        return density
