"""Sums of Betas, many at once: a Beta, a short Fourier series, or one by one; equal tables once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.many.many_series import SeriesOfMany, series_of
from howsure.numerics.many.sums import RatesOfMany, Sums


class _Group(Protocol):
    """Laws that are computed in one way; points are of shape (rows, m)."""

    @property
    def index(self) -> Integers: ...
    def cdf(self, rows: Integers, x: Floats, /) -> Floats: ...
    def quantile(self, p: Floats, /) -> Floats: ...
    def highest(self, level: float, /) -> tuple[Floats, Booleans]: ...


@dataclass(frozen=True, eq=False)
class _OneByOne:
    """Laws that take their time."""

    index: Integers
    engines: tuple[LinearEngine, ...]

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x)."""
        result = np.empty(x.shape)
        for row in np.unique(rows).tolist():
            result[rows == row] = self.engines[row].cdf(x[rows == row])
        return result

    def quantile(self, p: Floats) -> Floats:
        """Inverse of F, shape (R, m)."""
        return np.stack([engine.quantile(p) for engine in self.engines])

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Highest-density intervals, and where that set is one interval."""
        ends = [engine.highest_density(level) for engine in self.engines]
        return np.array([pair or (np.nan, np.nan) for pair in ends]), np.array([pair is not None for pair in ends])


class ManySums:
    """Laws of ``shift + sum_k w_k theta_k``, independent ``theta_k ~ Beta(a_k, b_k)``, of arrays (N, K); one a row.

    A weight of 0 leaves its rate out. F is within 1e-11 of the truth; far tails have no relative accuracy.
    """

    def __init__(self, a: Floats, b: Floats, w: Floats, shift: Floats) -> None:
        given = np.where(w == 0, 1.0, a), np.where(w == 0, 1.0, b), w
        tables, self._which = np.unique(np.concatenate(given, axis=1), axis=0, return_inverse=True)
        self._which = self._which.reshape(-1)
        self._sums = Sums(*np.split(tables, 3, axis=1))
        self._shift = shift
        self.sd: Floats = self._sums.moments()[1][self._which]
        self.mean: Floats = shift + self._sums.moments()[0][self._which]
        self.low: Floats = shift + self._sums.low[self._which]
        self.high: Floats = shift + self._sums.high[self._which]

    def engine(self, table: int) -> LinearEngine:
        """One of the different tables, alone."""
        a, b, w = (part[table] for part in (self._sums.a, self._sums.b, self._sums.w))
        return LinearEngine(betas=(a[w != 0], b[w != 0], w[w != 0]))

    @cached_property
    def _groups(self) -> list[_Group]:
        sums = self._sums
        alone = sums.count == 1
        groups: list[_Group] = []
        single, several = np.flatnonzero(alone), np.flatnonzero(~alone)
        if len(single):
            k = (single, (sums.w[single] != 0).argmax(axis=1))
            a, b, w = sums.a[k], sums.b[k], sums.w[k]
            low = np.minimum(w, 0.0)
            groups.append(RatesOfMany(single, np.where(w > 0, a, b), np.where(w > 0, b, a), low, np.abs(w)))
        if len(several):
            series, left = series_of(sums.part(several), several)
            groups += series
            if len(left):
                groups.append(_OneByOne(left, tuple(self.engine(k) for k in left.tolist())))
        return groups

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)`` at points of shape (N, m)."""
        at, result = x - self._shift[:, None], np.empty(x.shape)
        place = np.empty(len(self._sums), np.int64)
        for group in self._groups:
            place[group.index] = np.arange(len(group.index))
            mine = np.flatnonzero(self._members(group))
            result[mine] = group.cdf(place[self._which[mine]], at[mine])
        return result

    def _members(self, group: _Group) -> Booleans:
        chosen = np.zeros(len(self._sums), bool)
        chosen[group.index] = True
        return np.asarray(chosen[self._which])

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p``, shape (m,), lie: shape (N, m); ends of the support at 0 and 1."""
        sums = self._sums
        result = np.where(p[None, :] < 0.5, sums.low[:, None], sums.high[:, None])
        inner = (p > 0) & (p < 1)
        for group in self._groups:
            if inner.any():
                result[np.ix_(group.index, inner)] = group.quantile(p[inner])
        return np.asarray(result[self._which] + self._shift[:, None])

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of highest-density intervals, shape (N, 2), and where that set is one interval (else NaN)."""
        ends, one = np.full((len(self._sums), 2), np.nan), np.zeros(len(self._sums), bool)
        for group in self._groups:
            ends[group.index], one[group.index] = group.highest(level)
            if isinstance(group, SeriesOfMany):
                one[group.index] &= self._sums.one_peak[group.index]
                for table in group.index[~one[group.index]].tolist():
                    alone = self.engine(table).highest_density(level)
                    ends[table], one[table] = alone or (np.nan, np.nan), alone is not None
        ends[~one] = np.nan
        return ends[self._which] + self._shift[:, None], one[self._which]
