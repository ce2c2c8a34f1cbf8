"""Joint draws of the metrics of several classifiers on the same cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from howsure.data.predictions import Predictions
from howsure.frozen import Frozen
from howsure.metrics import Measure
from howsure.metrics.margins import Margins, Table
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.draws.paired_tables import PairedClass, paired_margins, paired_tables
from howsure.numerics.draws.rank_matching import matched
from howsure.posterior.paired_learned import LearnedPair
from howsure.posterior.priors import Prior
from howsure.progress import along

__all__ = ["PairedDraws"]

#: Sorted draws of a measure of one classifier, by its place; see `PairedDraws`.
Margin = Callable[[int, Measure, int, int], Floats]

#: Joint draws of a measure that asks only who is right, shape (T, n); None of another.
Rates = Callable[[Measure, int, Sequence[int]], Floats | None]


class PairedDraws(Frozen):
    """Tables of all classifiers that move together, and the metrics in them.

    Parameters
    ----------
    predictions : Predictions
        The cases.
    names : sequence of str
        The classifiers.
    prior : Prior
        Of a class row.
    known : ndarray, shape (K,), or None
        The stated prevalence.
    pair : LearnedPair, optional
        Where two classifiers were learned over the classes: their tables.
    rates : callable, optional
        And what is drawn without tables.
    margin : callable, optional
        Sorted draws of what is known of a measure of each classifier alone, which take the place of its own.
    """

    def __init__(
        self,
        predictions: Predictions,
        names: Sequence[str],
        prior: Prior,
        known: Floats | None,
        *,
        pair: LearnedPair | None = None,
        rates: Rates | None = None,
        margin: Margin | None = None,
    ) -> None:
        self._predictions, self._names, self._prior, self._known = predictions, tuple(names), prior, known
        self._pair, self._rates, self._margin = pair, rates, margin
        self._memory: dict[tuple[Measure, int, int, int], list[Floats]] = {}

    def of(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[list[Floats]]:
        """Joint draws of measures, for each its draws of every classifier, in one pass."""
        missing = [m for m in dict.fromkeys(measures) if (m, draws, seed, stream) not in self._memory]
        for measure in missing:
            rates = None if self._rates is None else self._rates(measure, draws, [seed, stream])
            if rates is not None:
                self._memory[measure, draws, seed, stream] = list(rates)
        missing = [m for m in missing if (m, draws, seed, stream) not in self._memory]
        if missing:
            parts: dict[Measure, list[list[Floats]]] = {m: [[] for _ in self._names] for m in missing}
            drawn = self.tables(draws, [seed, stream], margins=all(m.metric.by_margins for m in missing))
            for tables in along(drawn, draws, _draws_of):
                for t, table in enumerate(tables):
                    shared: dict[object, Floats] = {}
                    for measure in missing:
                        parts[measure][t].append(measure(table, shared))
            for measure, blocks in parts.items():
                values = [np.concatenate(b) for b in blocks]
                if self._margin is not None:
                    values = [matched(x, self._margin(t, measure, draws, seed)) for t, x in enumerate(values)]
                self._memory[measure, draws, seed, stream] = values
        return [self._memory[m, draws, seed, stream] for m in measures]

    def tables(self, n: int, seed: Sequence[int], *, margins: bool) -> Iterator[list[Table]]:
        """Tables of every classifier, whole or by their margins, in blocks that are together ``n``."""
        if self._pair is not None:
            yield from self._pair.tables(self._shares, self._known, n, seed, margins=margins)
            return
        asked = (self._classes, self._shares, self._known, n, seed)
        if not margins:
            yield from map(list, paired_tables(*asked))
            return
        for hits, actual, called in paired_margins(*asked):
            yield [Margins(diagonal, actual, columns) for diagonal, columns in zip(hits, called, strict=True)]

    @cached_property
    def _classes(self) -> list[PairedClass]:
        truth, answers, counts = self._predictions.patterns(*self._names)
        size, prior = len(self._predictions.labels), self._prior
        of_class = [truth == i for i in range(size)]
        return [
            PairedClass(answers[here].astype(np.int64), counts[here].astype(float), size, i, prior.a, prior.b)
            for i, here in enumerate(of_class)
        ]

    @cached_property
    def _shares(self) -> Floats:
        size = len(self._predictions.labels)
        return np.asarray(bincount(self._predictions.truth, minlength=size) + self._prior.prevalence / size)


def _draws_of(tables: list[Table]) -> int:
    first = tables[0]
    return len(first.hits if isinstance(first, Margins) else first)
