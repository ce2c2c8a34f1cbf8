"""Draws of joint probability tables, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.draws.pair_tables import JointMargins, broken, class_blocks, sticks_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# -- Drawing joint probability tables: Dirichlet rows times a prevalence -----------------------------------------------


#: Numbers that one block of tables may hold: few enough for the caches, which ten classes notice, and 25 MB at most.
BLOCK = 500_000


def joint_tables(
    rows: Floats,
    prevalence: Floats | None,
    known: Floats | None,
    n: int,
    rng: np.random.Generator,
    rng_prevalence: np.random.Generator,
) -> Iterator[Floats]:
    """Draw ``n`` tables p_ij = phi_i r_ij in blocks of shape (m, K, K).

    Row i is Dirichlet(rows[i]); phi is Dirichlet(prevalence), or ``known`` in every draw. The order of the random
    numbers depends on K alone, so the same generator gives the same tables whatever is computed from them.
    """
    size = len(rows)
    step = max(1, BLOCK // size**2)
    for start in range(0, n, step):
        many = min(step, n - start)
        tables = draws_last(rng.standard_gamma(rows, (many, size, size)))
        with np.errstate(invalid="ignore"):  # concentrations near 0 can underflow to a row of zeros: undefined
            tables /= tables.sum(axis=-1, keepdims=True)
        if known is None:
            shares = draws_last(rng_prevalence.standard_gamma(np.asarray(prevalence), (many, size)))
            shares /= shares.sum(axis=-1, keepdims=True)
            tables *= shares[..., None]
        else:
            tables *= known[:, None]
        yield tables


def draws_last(drawn: Floats) -> Floats:
    """The same array with the draws, its first axis, next to each other in memory: sums over few classes are quick."""
    return np.asarray(np.moveaxis(np.ascontiguousarray(np.moveaxis(drawn, 0, -1)), -1, 0))


# -- Wrong cells that hold cases: their Gamma variables, and their sums by row and by column ---------------------------

# A wrong cell of a large table mostly holds a few cases, and Gamma(c) is minus the logarithm of a product of c uniform
# numbers. To seven digits these and the logarithm take a fourth of the time of a Gamma by rejection.


#: Cells of the largest table in which cells are looked up by their place.
MOST_LISTED = 10**7

#: Cases up to which a Gamma is made of uniform numbers; their product is no float32 with a probability of 1e-28.
MOST_MULTIPLIED = 8


class ErrorCells:
    """Wrong cells of K classes that hold cases, (E,), those with the fewest cases first; the diagonal is left out."""

    def __init__(self, size: int, true: ArrayLike, pred: ArrayLike, count: ArrayLike) -> None:
        rows, columns = np.asarray(true, dtype=np.int64), np.asarray(pred, dtype=np.int64)
        cases = np.asarray(count, dtype=float)
        order = np.flatnonzero(rows != columns)
        order = order[np.argsort(cases[order], kind="stable")]
        self.size = size
        self.true: Integers = rows[order]
        self.pred: Integers = columns[order]
        self.count: Floats = cases[order]

    def gammas(self, many: int, rng: np.random.Generator) -> Floats:
        """Draw Gamma(count) for every cell, shape (E, m); of few cases to the seven digits of a float32."""
        drawn = np.empty((len(self.count), many))
        single, few = np.searchsorted(self.count, [1, MOST_MULTIPLIED + 0.5]).tolist()
        few = few if single == 0 and np.all(self.count[:few] % 1 == 0) else 0
        product = _uniforms(few, many, rng)
        for start in np.searchsorted(self.count[:few], np.arange(2, MOST_MULTIPLIED + 1)).tolist():
            product[start:] *= _uniforms(few - start, many, rng)
        np.negative(np.log(product, out=product), out=drawn[:few])
        for first, end, shape in self._alike(few):
            rng.standard_gamma(shape, out=drawn[first:end])
        return drawn

    def _alike(self, start: int) -> Iterator[tuple[int, int, float]]:
        """Where cells of one count begin and end: Gammas of one shape take three quarters of the time of several."""
        edges = np.flatnonzero(np.diff(self.count[start:], prepend=-1.0, append=-1.0)) + start
        for first, last in pairwise(edges.tolist()):
            yield first, last, float(self.count[first])

    def row_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each row, (E, m) to (K, m)."""
        return np.asarray(self._by_row @ values)

    def column_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each column, (E, m) to (K, m)."""
        return np.asarray(self._by_column @ values)

    def weighted_row_sums(self, weights: Floats, values: Floats) -> Floats:
        """Sums of weight (E,) times value (E, m) over the cells of each row, shape (K, m)."""
        return np.asarray(self._adding(self.true, weights) @ values)

    def find(self, places: Integers) -> Integers:
        """Which cell lies at row times K plus column, -1 where none does."""
        if self.size**2 <= MOST_LISTED:
            return self._listed[places]
        keys = self.true * self.size + self.pred
        order = np.argsort(keys)
        at = np.minimum(np.searchsorted(keys[order], places), max(len(keys) - 1, 0))
        found = order[at] if len(keys) else at
        return np.where(keys[found] == places, found, -1) if len(keys) else np.full(places.shape, -1)

    @cached_property
    def _listed(self) -> Integers:
        listed = np.full(self.size**2, -1, dtype=np.int64)
        listed[self.true * self.size + self.pred] = np.arange(len(self.true))
        return listed

    @cached_property
    def _by_row(self) -> csr_array:
        return self._adding(self.true)

    @cached_property
    def _by_column(self) -> csr_array:
        return self._adding(self.pred)

    def _adding(self, place: Integers, weights: Floats | None = None) -> csr_array:
        """Matrix, shape (K, E), that adds up the weighted cells of each place."""
        from scipy.sparse import csr_array

        cells = len(place)
        each = np.ones(cells) if weights is None else weights
        return csr_array((each, (place, np.arange(cells))), shape=(self.size, cells))


def _uniforms(rows: int, many: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Uniform numbers in steps of 2^-32, never 0 or 1, shape (rows, many): two from each number of 64 bits."""
    bits = rng.integers(0, 2**64, size=(rows * many + 1) // 2, dtype=np.uint64).view(np.uint32)[: rows * many]
    drawn = bits.astype(np.float32).reshape(rows, many)
    drawn += np.float32(0.5)
    drawn *= np.float32(2.0**-32)
    return np.minimum(drawn, np.float32(1 - 2.0**-24), out=drawn)


# -- Drawing joint tables of two classifiers whose shares of right and wrong are given, class by class -----------------

# The four cells of a class (both right, only the first, only the second, neither) have masses that were drawn
# elsewhere. What is called inside a cell is the Dirichlet process of `howsure.numerics.draws.pair_tables` restricted
# to it: given the masses of four sets, a Dirichlet process is four independent ones (Ferguson 1973), each with the
# patterns of its set and its share of the base.


#: Of the cells "only the first is right", "only the second", "neither": where the first, and the second, is wrong.
WRONG = ((1, 2), (0, 2))

#: Numbers that one block of margins may hold; a class takes some of them at a time.
HELD = 4_000_000

#: Masses of the four cells of each class in the next draws, shape (m, K, 4), for m as asked.
Masses = Callable[[int], Floats]


@dataclass(frozen=True, eq=False)
class FactoredClass:
    """Cases of one true class of K, answered by two classifiers; ``answers`` (P, 2) are distinct patterns."""

    answers: Integers
    counts: Floats
    size: int
    true: int
    base: float

    def streams(self, seed: Sequence[int]) -> list[np.random.Generator]:
        """Generators of the four kinds of numbers; with one each, the size of the blocks does not matter."""
        return [np.random.default_rng([*seed, kind]) for kind in range(4)]

    @cached_property
    def sticks(self) -> int:
        """Atoms of the base in one draw, in each cell."""
        return sticks_of(self.base)

    @cached_property
    def _seen(self) -> tuple[Floats, Floats, list[tuple[Integers, Floats]]]:
        """Counts of patterns with an error, (P,), the cell of each, (P, 3), wrong answers that came and in which."""
        wrong = self.answers != self.true
        seen = wrong.any(axis=1)
        cell = 2 * wrong[seen, 0] + wrong[seen, 1] - 1
        called = []
        for column, amiss in zip(self.answers[seen].T, wrong[seen].T, strict=True):
            present = np.unique(column[amiss])
            called.append((present, (column[:, None] == present).astype(float)))
        return self.counts[seen], (cell[:, None] == np.arange(3)).astype(float), called

    @property
    def widest(self) -> int:
        """Numbers that a draw holds at most."""
        return len(self._seen[0]) + 12 * self.sticks

    def spread(self, masses: Floats, streams: list[np.random.Generator], onto: Floats) -> Floats:
        """Add the rows to tables (2, n, K), given masses of the cells (n, 4); gives what is right, (2, n)."""
        n, sticks = len(masses), self.sticks
        hits = np.stack([masses[:, 0] + masses[:, 1], masses[:, 0] + masses[:, 2]])
        onto[:, :, self.true] += hits
        counts, cell, called = self._seen
        seen = streams[0].standard_gamma(counts, (n, len(counts)))
        unseen = streams[1].standard_gamma(self.base, (n, 3))
        scale = masses[:, 1:] / np.maximum(seen @ cell + unseen, np.finfo(float).tiny)
        seen *= scale @ cell.T
        share = broken(streams[2].random((3 * n, sticks)), self.base).reshape(n, 3, sticks)
        share *= (unseen * scale)[:, :, None]
        atoms = self._wrong_answers(streams[3].random((n, 4, sticks)))
        atoms += (np.arange(n) * self.size)[:, None, None]
        for t, (wrong, (present, of_pattern)) in enumerate(zip(WRONG, called, strict=True)):
            np.add.at(onto[t].reshape(-1), atoms[:, 2 * t : 2 * t + 2].ravel(), share[:, wrong].ravel())
            onto[t][:, present] += seen @ of_pattern
        return hits

    def _wrong_answers(self, uniforms: Floats) -> Integers:
        wrong = np.minimum((uniforms * (self.size - 1)).astype(np.int64), self.size - 2)
        wrong += wrong >= self.true
        return wrong


def factored_tables(
    classes: Sequence[FactoredClass], masses: Masses, shares: Floats | None, known: Floats | None, n: int,
    seed: Sequence[int],
) -> Iterator[Floats]:  # fmt: skip
    """Draw ``n`` joint tables of both classifiers, (2, m, K, K); the prevalence is Dirichlet(shares) or ``known``."""
    size = len(classes)
    for many, prevalence, streams in class_blocks(classes, shares, known, n, seed, 2 * size**2):
        tables = np.zeros((2, size, many, size))
        cells = masses(many) * prevalence[:, :, None]
        for i, (one, stream) in enumerate(zip(classes, streams, strict=True)):
            one.spread(cells[:, i], stream, tables[:, i])
        yield np.swapaxes(tables, 1, 2)


def factored_margins(
    classes: Sequence[FactoredClass], masses: Masses, shares: Floats | None, known: Floats | None, n: int,
    seed: Sequence[int],
) -> Iterator[JointMargins]:  # fmt: skip
    """Draw the margins of the same tables, which never take K x K numbers a draw."""
    size = len(classes)
    for many, prevalence, streams in class_blocks(classes, shares, known, n, seed, 8 * size, HELD):
        hits, called = np.empty((2, many, size)), np.zeros((2, many, size))
        cells = masses(many) * prevalence[:, :, None]
        for i, (one, stream) in enumerate(zip(classes, streams, strict=True)):
            hits[..., i] = one.spread(cells[:, i], stream, called)
        yield JointMargins(hits, prevalence, called)
