"""Battles whose answers differ in what is no merit (length, place): strengths as if both answers were alike in it.

Strengths differ by theta_i - theta_j + x'beta, x being how far apart the answers are; beta is estimated together with
the strengths. Strong models may answer at length, so the population of the strengths has a slope over the models' mean
x (Mundlak 1978). Battles of a pair are joined in bins of x, which keep its mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.votes import Battles

#: Bins of a difference where one, two, or more of them are controlled.
BINS = (21, 9, 5)
#: Standard deviation of the slope of the strengths over what is controlled, before the battles.
SD_SLOPE = 1.0
#: Cells up to which draws are corrected by importance, and numbers in the arrays of one block of draws.
FEW_CELLS, _BLOCK = 500, 2_000_000


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
    def number(self) -> Floats:
        """Battles of each cell."""
        cells = self.cells
        number: Floats = self.worth * (cells.won + cells.lost + cells.tied)
        return number

    @cached_property
    def score(self) -> Floats:
        """Wins minus losses of each model, halved, and their sums over what is controlled."""
        return self._summed(self.worth * (self.cells.won - self.cells.lost) / 2)

    def _summed(self, values: Floats) -> Floats:
        """The transposed design times a value for each cell."""
        cells, size = self.cells, self.models
        each = bincount(cells.first, weights=values, minlength=size)
        each = each - bincount(cells.second, weights=values, minlength=size)
        return np.concatenate([each, values @ self.columns])

    def _at(self, theta: Floats, nu: float) -> tuple[Floats, Floats, Floats]:
        """P(the first wins) - P(it loses) of each cell, P(tie), and the information of a battle."""
        size = self.models
        half = (theta[self.cells.first] - theta[self.cells.second] + self.columns @ theta[size:]) / 2
        wins = np.exp(np.clip(half, -300, 300))
        z = wins + 1 / wins + nu
        gap, tie = (wins - 1 / wins) / z, nu / z
        return gap, tie, (1 - tie - gap**2) / 4

    def information(self, theta: Floats, nu: float) -> Floats:
        """Of strengths and coefficients, by the battles alone."""
        return self._squares(self.number * self._at(theta, nu)[2])

    def _squares(self, known: Floats) -> Floats:
        size, cells = self.models, self.cells
        pairs = bincount(cells.first * size + cells.second, weights=known, minlength=size**2).reshape(size, size)
        pairs = pairs + pairs.T
        beside = np.stack([self._summed(known * column) for column in self.columns.T])
        return np.block([[np.diag(pairs.sum(1)) - pairs, beside[:, :size].T], [beside]])

    def modes(self, log_tau: Floats, log_nu: Floats, start: Floats) -> tuple[Floats, Floats]:
        """The most probable strengths and coefficients at each node, and their information, by Newton's method."""
        size = len(start)
        modes, information = np.empty((len(log_tau), size)), np.empty((len(log_tau), size, size))
        theta = start
        for node, (tau, nu) in enumerate(zip(log_tau, np.exp(log_nu) if self.all_ties else 0 * log_nu, strict=True)):
            prior = self.prior(float(np.exp(tau)))
            for _ in range(60):
                gap, _, known = self._at(theta, float(nu))
                information[node] = self._squares(self.number * known) + prior
                gradient = self.score - self._summed(self.number * gap) / 2 - prior @ theta
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
        sums = np.stack([self._summed(self.number * column)[:size] for column in self.columns.T], axis=1)
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

    def log_likelihood(self, theta: Floats, log_nu: Floats) -> Floats:
        """Of rows of strengths and coefficients."""
        nu = np.exp(log_nu)[:, None] if self.all_ties else np.zeros((len(theta), 1))
        found = theta @ self.score + (self.all_ties * log_nu if self.all_ties else 0.0)
        wide = max(1, _BLOCK // max(len(self.columns), 1))
        for at in range(0, len(theta), wide):
            some = theta[at : at + wide]
            gaps = some[:, self.cells.first] - some[:, self.cells.second] + some[:, self.models :] @ self.columns.T
            big = np.abs(gaps) / 2
            log_z = big + np.log1p(np.exp(-2 * big) + nu[at : at + wide] * np.exp(-big))
            found[at : at + wide] -= log_z @ self.number
        return np.asarray(found)

    def ties_at(self, theta: Floats, nu: float) -> tuple[float, float]:
        """Ties that are expected, and their variance."""
        tie = self._at(theta, nu)[1]
        return float(self.number @ tie), float(self.number @ (tie * (1 - tie)))

    def expected(self, theta: Floats, nu: float) -> tuple[Floats, Floats]:
        """P(i wins) - P(j wins) of each pair on average over its battles, and the variance of a score."""
        gap, _, known = self._at(theta, nu)
        place = self.cells.first * self.models + self.cells.second
        sums = [
            bincount(place, weights=self.number * it, minlength=self.models**2).reshape(self.models, -1)
            for it in (gap, known)
        ]
        met = np.maximum(self.met, 1e-300)
        return (sums[0] - sums[0].T) / met, (sums[1] + sums[1].T) / met
