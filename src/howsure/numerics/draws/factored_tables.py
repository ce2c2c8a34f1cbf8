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
from howsure.numerics.draws.paired_tables import JointMargins, broken, class_blocks, sticks_of

__all__ = ["FactoredClass", "factored_margins", "factored_tables"]

#: Of the cells "only the first is right", "only the second", "neither": where the first, and the second, is wrong.
WRONG = ((1, 2), (0, 2))

#: Numbers that one block of margins may hold; a class takes some of them at a time.
HELD = 4_000_000

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
    base : float
        Pseudo-count of each of the cells.
    """

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
        """Counts of the patterns where somebody is wrong, (P,), the cell of each, (P, 3), and who called what.

        That is for each classifier the wrong answers that came, and which pattern has which, (P, answers).
        """
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
        """Add the rows of both classifiers to a table of shape (2, n, K), given the masses of the cells, shape (n, 4).

        Returns what falls on the class itself, shape (2, n).
        """
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
        """Any wrong class, evenly."""
        wrong = np.minimum((uniforms * (self.size - 1)).astype(np.int64), self.size - 2)
        wrong += wrong >= self.true
        return wrong


def factored_tables(
    classes: Sequence[FactoredClass], masses: Masses, shares: Floats | None, known: Floats | None, n: int,
    seed: Sequence[int],
) -> Iterator[Floats]:  # fmt: skip
    """Draw ``n`` joint tables of both classifiers, in blocks of shape (2, m, K, K).

    The prevalence, one for both, is Dirichlet(shares), or ``known`` in every draw.
    """
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
