"""Drawing joint tables of two classifiers whose shares of right and wrong are given, class by class.

The four cells of a class (both right, only the first, only the second, neither) have masses that were drawn elsewhere.
What is called inside a cell is the Dirichlet process of `howsure.numerics.draws.paired_tables` restricted to it: given
the masses of four sets, a Dirichlet process is four independent ones (Ferguson 1973), each with the patterns of its
set and its share of the base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.draws.paired_tables import BLOCK, JointMargins, broken, sticks_of

__all__ = ["FactoredClass", "factored_margins", "factored_tables"]

#: Who is wrong in the cells "only the first is right", "only the second", "neither".
WRONG = ((1,), (0,), (0, 1))

#: Masses of the four cells of each class in the next draws, shape (m, K, 4), for m as asked.
Masses = Callable[[int], Floats]


@dataclass(frozen=True, eq=False)
class FactoredClass:
    """Cases of one true class, answered by two classifiers.

    Parameters
    ----------
    answers : ndarray, shape (P, 2)
        Distinct patterns of answers, as places among K classes.
    counts : ndarray, shape (P,)
        Cases with each pattern, above 0.
    size : int
        Number K of classes, 2 or more.
    true : int
        This class.
    base : ndarray, shape (4,)
        Pseudo-counts of the four cells.
    """

    answers: Integers
    counts: Floats
    size: int
    true: int
    base: Floats

    @cached_property
    def _seen(self) -> list[tuple[Integers, Floats]]:
        """Patterns and counts of each cell where somebody is wrong."""
        cell = 3 - 2 * (self.answers[:, 0] == self.true) - (self.answers[:, 1] == self.true)
        return [(self.answers[cell == i], self.counts[cell == i]) for i in (1, 2, 3)]

    def streams(self, seed: Sequence[int]) -> list[list[np.random.Generator]]:
        """Generators of each cell and kind of number, so that the size of the blocks does not matter."""
        return [[np.random.default_rng([*seed, cell, kind]) for kind in range(4)] for cell in range(3)]

    @property
    def widest(self) -> int:
        """Numbers that a draw holds at most."""
        return max(len(counts) + 4 * sticks_of(self.base[1 + i]) for i, (_, counts) in enumerate(self._seen))

    def spread(self, masses: Floats, streams: list[list[np.random.Generator]], onto: Floats) -> Floats:
        """Add the rows of both classifiers to a table of shape (2, n, K), given the masses of the cells, shape (n, 4).

        Returns what falls on the class itself, shape (2, n).
        """
        n = len(masses)
        hits = np.stack([masses[:, 0] + masses[:, 1], masses[:, 0] + masses[:, 2]])
        onto[:, :, self.true] += hits
        place = np.arange(n)[:, None] * self.size
        for i, ((patterns, counts), wrong, stream) in enumerate(zip(self._seen, WRONG, streams, strict=True)):
            base = float(self.base[1 + i])
            sticks = sticks_of(base)
            seen = stream[0].standard_gamma(counts, (n, len(counts)))
            unseen = stream[1].standard_gamma(base, n)
            total = seen.sum(axis=1) + unseen
            scale = masses[:, 1 + i] / np.maximum(total, np.finfo(float).tiny)
            share = (unseen * scale)[:, None] * broken(stream[2].random((n, sticks)), base)
            atoms = self._wrong_answers(stream[3].random((n, sticks, len(wrong))))
            for column, t in enumerate(wrong):
                np.add.at(onto[t].reshape(-1), (place + atoms[..., column]).ravel(), share.ravel())
                present, of_pattern = np.unique(patterns[:, t], return_inverse=True)
                onto[t][:, present] += (seen * scale[:, None]) @ (of_pattern[:, None] == np.arange(len(present)))
        return hits

    def _wrong_answers(self, uniforms: Floats) -> Integers:
        """Any wrong class, evenly."""
        wrong = np.minimum((uniforms * (self.size - 1)).astype(np.int64), self.size - 2)
        return np.asarray(wrong + (wrong >= self.true))


def factored_tables(
    classes: Sequence[FactoredClass], masses: Masses, shares: Floats | None, known: Floats | None, n: int,
    seed: Sequence[int],
) -> Iterator[Floats]:  # fmt: skip
    """Draw ``n`` joint tables of both classifiers, in blocks of shape (2, m, K, K).

    The prevalence, one for both, is Dirichlet(shares), or ``known`` in every draw.
    """
    size = len(classes)
    for many, prevalence, streams in _blocks(classes, shares, known, n, seed, 2 * size**2):
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
    for many, prevalence, streams in _blocks(classes, shares, known, n, seed, 8 * size):
        hits, called = np.empty((2, many, size)), np.zeros((2, many, size))
        cells = masses(many) * prevalence[:, :, None]
        for i, (one, stream) in enumerate(zip(classes, streams, strict=True)):
            hits[..., i] = one.spread(cells[:, i], stream, called)
        yield JointMargins(hits, prevalence, called)


def _blocks(
    classes: Sequence[FactoredClass], shares: Floats | None, known: Floats | None, n: int, seed: Sequence[int],
    numbers: int,
) -> Iterator[tuple[int, Floats, list[list[list[np.random.Generator]]]]]:  # fmt: skip
    """Size, prevalence (m, K) and generators of each class, of blocks that hold at most `BLOCK` numbers."""
    step = max(1, min(n, BLOCK // max(numbers, *(one.widest for one in classes))))
    streams = [one.streams([*seed, i]) for i, one in enumerate(classes)]
    of_prevalence = np.random.default_rng([*seed, len(classes)])
    for start in range(0, n, step):
        many = min(step, n - start)
        if known is None:
            gammas = of_prevalence.standard_gamma(np.asarray(shares), (many, len(classes)))
            prevalence = gammas / gammas.sum(axis=1, keepdims=True)
        else:
            prevalence = np.broadcast_to(known, (many, len(classes)))
        yield many, prevalence, streams
