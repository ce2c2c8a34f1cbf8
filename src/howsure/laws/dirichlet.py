"""Shares of several classes, and counts of new cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.law import Law
from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.solve.densest import fewest_atoms
from howsure.numerics.trials.simulated_tests import beta_binomial_pmf

# -- Independent Dirichlet rows as objects with identity, and coefficients on some of them -----------------------------


class DirichletRows:
    """Independent Dirichlet rows, as an object with identity: the same object is the same random rows.

    Parameters
    ----------
    alphas : array_like, shape (R, J)
        Positive concentrations; 0 marks a cell that cannot occur.

    Raises
    ------
    InvalidArgument
        Negative, missing or infinite concentrations, or a row without any.
    """

    __slots__ = ("_alphas", "_pairs", "_whole")

    def __init__(self, alphas: ArrayLike) -> None:
        self._alphas: Floats | None = _checked_alphas(alphas)
        self._pairs: Floats | None = None
        self._whole: Callable[[], ArrayLike] | None = None

    @classmethod
    def of_pairs(cls, right: ArrayLike, rest: ArrayLike, whole: Callable[[], ArrayLike]) -> DirichletRows:
        """Square rows by diagonal and rest, (K,) each; ``whole`` is only asked where a law reads single cells."""
        made = cls.__new__(cls)
        made._alphas, made._whole = None, whole
        made._pairs = _checked_alphas(np.stack([np.asarray(right, float), np.asarray(rest, float)], axis=1))
        return made

    @property
    def alphas(self) -> Floats:
        """Concentrations of every cell, shape (R, J), read-only."""
        if self._alphas is None:
            assert self._whole is not None
            self._alphas = _checked_alphas(self._whole())
        return self._alphas

    @property
    def pairs(self) -> Floats:
        """Of square rows, concentrations of the diagonal and of everything else, shape (R, 2)."""
        if self._pairs is None:
            right = self.alphas.diagonal()
            off = self.alphas.copy()
            np.fill_diagonal(off, 0.0)
            self._pairs = np.stack([right, off.sum(axis=1)], axis=1)
        return self._pairs


def _checked_alphas(alphas: ArrayLike) -> Floats:
    table = np.atleast_2d(np.array(alphas, dtype=float))
    if table.ndim != 2 or not np.all(np.isfinite(table) & (table >= 0)) or not np.all(table.sum(axis=1) > 0):
        raise InvalidArgument("Dirichlet rows need concentrations that are finite and 0 or more, at least one above 0")
    table.setflags(write=False)
    return table


@dataclass(frozen=True, eq=False)
class Part:
    """Coefficients on some rows of a block; ``index`` is increasing.

    A table of shape (R, J) has one for each cell. A lumped one, shape (R, 2), sees a row of a square block as
    [diagonal, everything else]: all that a recall needs, and K times smaller.
    """

    block: DirichletRows
    index: NDArray[np.int64]
    table: Floats
    lumped: bool = False

    @property
    def alphas(self) -> Floats:
        """Concentrations that go with the coefficients."""
        return self.block.pairs[self.index] if self.lumped else self.block.alphas[self.index]

    def widened(self) -> Part:
        """The same with a coefficient for each cell."""
        if not self.lumped:
            return self
        table = repeat(self.table[:, 1:], self.block.alphas.shape[1], axis=1)
        table[np.arange(len(table)), self.index] = self.table[:, 0]
        return Part(self.block, self.index, table)


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Add up the coefficients on the same random rows, so that what cancels is gone."""
    sums: dict[DirichletRows, Part] = {}
    for part in parts:
        before = sums.get(part.block)
        if before is None:
            sums[part.block] = part
            continue
        if before.lumped != part.lumped:
            before, part = before.widened(), part.widened()
        index = np.union1d(before.index, part.index)
        table = np.zeros((len(index), part.table.shape[1]))
        for each in (before, part):
            table[np.searchsorted(index, each.index)] += each.table
        sums[part.block] = Part(part.block, index, table, part.lumped)
    return tuple(part for part in sums.values() if part.table.any())


# -- Shares of counts: laws that live on the points 0, 1/n, ..., 1 and have a probability at each ----------------------


#: Cases of a new test; more would need more memory than a law is worth.
MOST_CASES = 10_000_000


class CountShare(Law):
    """Law of a number of successes divided by the number of trials; exact.

    Parameters
    ----------
    pmf : array_like, shape (n + 1,)
        Probability of 0, 1, ..., n successes; normalised.

    Notes
    -----
    The law has atoms, so ``prob(above=x)`` and ``prob(below=x)`` leave x itself out and ``prob(between=)`` includes
    both ends; ``pdf`` is the probability of the atom at x, and 0 between atoms. Intervals hold at least ``level``.

    Examples
    --------
    >>> coin = CountShare([0.25, 0.5, 0.25])
    >>> coin.prob(above=0.5), coin.prob(below=0.5), coin.prob(between=(0.5, 1))
    (0.25, 0.25, 0.75)
    """

    def __init__(self, pmf: ArrayLike) -> None:
        weights = np.array(pmf, dtype=float)
        if weights.ndim != 1 or len(weights) < 2 or not np.all(weights >= 0) or not weights.sum() > 0:
            raise InvalidArgument("a law of counts needs the probabilities of 0, 1, ..., n, with n at least 1")
        self._pmf: Floats = weights / weights.sum()
        self._pmf.setflags(write=False)

    @property
    def n(self) -> int:
        """Number of trials."""
        return len(self._pmf) - 1

    @property
    def pmf(self) -> Floats:
        """Probability of 0, 1, ..., n successes, shape (n + 1,), read-only."""
        return self._pmf

    @cached_property
    def _points(self) -> Floats:
        # divided, not multiplied by 1/n: 84 of 100 is then the same double as 0.84
        return np.arange(self.n + 1) / self.n

    @cached_property
    def _below_or_at(self) -> Floats:
        return np.minimum(np.cumsum(self._pmf), 1.0)

    @cached_property
    def _above_or_at(self) -> Floats:
        return np.concatenate([np.minimum(np.cumsum(self._pmf[::-1])[::-1], 1.0), [0.0]])

    @property
    def support(self) -> tuple[float, float]:
        """From 0 to 1."""
        return 0.0, 1.0

    @cached_property
    def mean(self) -> float:
        """Expected share."""
        return float(self._pmf @ self._points)

    @cached_property
    def sd(self) -> float:
        """Standard deviation of the share."""
        return float(np.sqrt(self._pmf @ (self._points - self.mean) ** 2))

    def _cdf(self, x: Floats) -> Floats:
        last = np.searchsorted(self._points, x, side="right") - 1
        return np.where(last < 0, 0.0, self._below_or_at[np.maximum(last, 0)])

    def _sf(self, x: Floats) -> Floats:
        return np.asarray(self._above_or_at[np.searchsorted(self._points, x, side="right")])

    def _pdf(self, x: Floats) -> Floats:
        near = np.clip(np.searchsorted(self._points, x), 0, self.n)
        return np.where(self._points[near] == x, self._pmf[near], 0.0)

    def _prob_below(self, x: float) -> float:
        first = int(np.searchsorted(self._points, x, side="left"))
        return float(self._below_or_at[first - 1]) if first else 0.0

    def _quantile(self, p: Floats) -> Floats:
        # a sum of n probabilities may end a rounding error below the share that is asked for
        found = np.searchsorted(self._below_or_at, p - 1e-12, side="left")
        return np.asarray(self._points[np.minimum(found, self.n)])

    def _highest_density(self, level: float) -> tuple[float, float] | None:
        """Fewest neighbouring atoms that hold ``level``, and of those the most probable ones."""
        rises = np.diff(self._pmf)
        turns = np.flatnonzero(np.diff(np.sign(rises[np.abs(rises) > 1e-15 * self._pmf.max()])) > 0)
        if len(turns):
            return None
        first, last = fewest_atoms(self._pmf, level)
        return float(self._points[first]), float(self._points[last])

    @property
    def mode(self) -> float:
        """Most probable share."""
        return float(self._points[int(np.argmax(self._pmf))])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.n} trials, mean {self.mean:.4g}, sd {self.sd:.2g}>"


class BetaBinomial(CountShare):
    """Share of successes in ``n`` new trials whose rate is Beta(a, b); exact.

    Parameters
    ----------
    n : int
        Number of trials, 1 to ten million.
    a, b : float
        Parameters of the rate, above 0.

    Notes
    -----
    The predictive law of a rate (Toetsch and Hoffmann 2021). Its variance is (a + b + n) / n times that of the rate:
    about twice as large where the new test is as large as the old one.

    Examples
    --------
    >>> law = BetaBinomial(100, 85, 17)
    >>> round(law.mean, 4)
    0.8333
    >>> low, high = law.interval()
    >>> low, high
    (0.73, 0.93)
    """

    def __init__(self, n: int, a: float, b: float) -> None:
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_CASES:
            raise InvalidArgument(f"a number of new cases is an integer from 1 to {MOST_CASES:,}, not {excerpt(n)}")
        for value in (a, b):
            if not 0 < number(value) < np.inf:
                raise InvalidArgument(f"the parameters of a Beta are numbers above 0, not {excerpt(value)}")
        self._given = int(n), float(a), float(b)
        super().__init__(beta_binomial_pmf(*self._given))

    def __reduce__(self) -> tuple[Any, ...]:
        return (BetaBinomial, self._given)
