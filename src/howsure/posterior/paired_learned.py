"""Two classifiers on the same cases of three classes or more: what tells them apart is learned over the classes.

The factors are those of `howsure.numerics.learned.paired_factors`; what is called inside a wrong cell has the Dirichlet
process of `howsure.numerics.draws.paired_tables`, restricted to the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from howsure.data.predictions import Patterns, Predictions
from howsure.frozen import Frozen
from howsure.laws import Draws
from howsure.metrics.margins import Margins, Table
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.draws.factored_tables import FactoredClass, factored_margins, factored_tables
from howsure.numerics.learned.paired_factors import PairedFactors

__all__ = ["FEWEST_CLASSES", "LearnedPair", "counted_cells"]

#: Pseudo-count of each of the four cells inside which calls are spread: two cases of a class row, on two fair coins.
BASE = 0.5

#: From this many classes on pairs are learned; one or two classes are no population.
FEWEST_CLASSES = 3


def counted_cells(patterns: Patterns, size: int) -> Integers:
    """Cases of each class that both have right, only the first, only the second, neither; shape (K, 4)."""
    truth, answers, counts = patterns
    hit = answers == truth[:, None]
    cells = np.zeros((size, 4), dtype=np.int64)
    np.add.at(cells, (truth, 3 - 2 * hit[:, 0] - hit[:, 1]), counts)
    return cells


class LearnedPair(Frozen):
    """What the same cases say about two classifiers, learned over the classes.

    The answer about B and A is that about A and B with the opposite sign, to the last digit: who comes first inside
    is decided by the data.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    first, second : str
        The classifiers.
    """

    def __init__(self, predictions: Predictions, first: str, second: str) -> None:
        self._size = len(predictions.labels)
        patterns = predictions.patterns(first, second)
        cells = counted_cells(patterns, self._size)
        ahead = np.flatnonzero(cells[:, 1] != cells[:, 2])
        if len(ahead):
            self._swapped = bool(cells[ahead[0], 1] < cells[ahead[0], 2])
        else:
            self._swapped = predictions.answers(first).tobytes() > predictions.answers(second).tobytes()
        if self._swapped:
            patterns = predictions.patterns(second, first)
            cells = cells[:, [0, 2, 1, 3]]
        self._patterns, self._cells = patterns, cells

    @cached_property
    def factors(self) -> PairedFactors:
        """Discordance, direction and agreement of each class."""
        return PairedFactors(self._cells)

    def difference(self, weights: Floats, shift: float, draws: int, seed: Sequence[int]) -> Draws:
        """Law of ``shift + sum_i w_i (recall_i of the first - recall_i of the second)``; mean and sd are closed."""
        reach = float(np.abs(weights).sum())
        values = self.factors.draw_difference(weights, draws, seed)
        return Draws(shift + (-values if self._swapped else values), support=(shift - reach, shift + reach))

    def rates(self, weights: Floats, draws: int, seed: Sequence[int]) -> Floats:
        """Joint draws of ``sum_i w_i recall_i`` of both, shape (2, n)."""
        return self._ordered(self.factors.draw_rates(weights, draws, seed))

    def tables(
        self, shares: Floats | None, known: Floats | None, n: int, seed: Sequence[int], *, margins: bool
    ) -> Iterator[list[Table]]:
        """Joint tables of both, whole or by their margins, in blocks that are together ``n``.

        The prevalence is Dirichlet(shares), or ``known``.
        """
        masses = in_portions(self._masses(n, [*seed, self._size + 1]))
        asked = self._classes, masses, shares, known, n, seed
        if not margins:
            for tables in factored_tables(*asked):
                yield list(self._ordered(tables))
            return
        for hits, actual, called in factored_margins(*asked):
            yield [
                Margins(diagonal, actual, columns)
                for diagonal, columns in zip(self._ordered(hits), self._ordered(called), strict=True)
            ]

    def _ordered(self, both: Floats) -> Floats:
        return both[::-1] if self._swapped else both

    def _masses(self, n: int, seed: Sequence[int]) -> Iterator[Floats]:
        """Shares of the four cells of each class, in blocks of shape (m, K, 4)."""
        for d, s, c in self.factors.draw(n, seed):
            yield np.stack([(1 - d) * c, d * s, d * (1 - s), (1 - d) * (1 - c)], axis=2)

    @cached_property
    def _classes(self) -> list[FactoredClass]:
        truth, answers, counts = self._patterns
        of_class = [truth == i for i in range(self._size)]
        return [
            FactoredClass(answers[here].astype(np.int64), counts[here].astype(float), self._size, i, BASE)
            for i, here in enumerate(of_class)
        ]


def in_portions(blocks: Iterator[Floats]) -> Callable[[int], Floats]:
    """Rows of blocks one after the other, as many as are asked for each time."""
    left: list[Floats] = []

    def take(many: int) -> Floats:
        while sum(map(len, left)) < many:
            left.append(next(blocks))
        held = np.concatenate(left) if len(left) > 1 else left[0]
        left[:] = [held[many:]]
        return held[:many]

    return take
