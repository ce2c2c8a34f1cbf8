"""Two classifiers by slice: false names, coverage, names of a slice that is worse, and false passes of the gate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tests.validation.sections import text_of

import howsure as hs

#: Share of the cases of which exactly one of two equally good classifiers is right.
DISCORDANT = 0.1

#: Accuracy of the second classifier.
LEVEL = 0.8

#: Slices of a table that has four times as many runs at the gate, for it costs little.
FEW = 5

#: Of the gate.
MARGIN = 0.05


@dataclass(frozen=True)
class Table:
    """Two classifiers in slices of one size; in the first slice, or the first half of them, the first is worse.

    Parameters
    ----------
    slices, cases : int
    worse : float
        By how much, in the slices where it is.
    several : int
        Number of these slices.
    """

    slices: int
    cases: int
    worse: float = 0.0
    several: int = 1

    @property
    def truth(self) -> NDArray[np.float64]:
        """True differences, shape (slices,)."""
        return np.where(np.arange(self.slices) < self.several, -self.worse, 0.0)

    @property
    def name(self) -> str:
        """First cells of a row."""
        who = "none" if not self.worse else f"{self.several} by {self.worse:g}"
        return f"{self.slices} of {self.cases:,} | {who}"

    def drawn(self, rng: np.random.Generator) -> tuple[hs.Predictions, NDArray[np.str_]]:
        """Answers of a and b, and the slice of each case; s0 is the first."""
        right, place = [], []
        for i, difference in enumerate(self.truth):
            apart = max(DISCORDANT, DISCORDANT / 2 - difference)
            first = (apart + difference) / 2
            shares = [LEVEL - (apart - first), first, apart - first, 1 - LEVEL - first]
            right.append(np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], rng.multinomial(self.cases, shares), axis=0))
            place += [f"s{i}"] * self.cases
        a, b = np.concatenate(right).T
        return hs.Predictions(np.ones(len(a), dtype=int), {"a": a, "b": b}), np.array(place)


EQUAL = [Table(3, 100), Table(5, 200), Table(5, 1000), Table(20, 300), Table(50, 60)]
UNEQUAL = [Table(5, 60, 0.3), Table(20, 60, 0.3), Table(50, 60, 0.3), Table(20, 200, 0.1), Table(20, 200, 0.1, 10)]
AT_THE_MARGIN = [
    *(Table(slices, 300, MARGIN) for slices in (3, 5, 20)),
    Table(5, 100, MARGIN),
    Table(5, 300, MARGIN, 2),
    Table(20, 1000, MARGIN),
    Table(50, 200, MARGIN),
]
BEYOND = [Table(5, 300, 2 * MARGIN), Table(20, 300, 2 * MARGIN)]
GATED_EQUAL = [Table(3, 300), Table(5, 300), Table(5, 1000), Table(20, 300), Table(20, 1000)]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a table."""
    yield from text_of("slice_pairs 1", 100 * DISCORDANT, 100 * LEVEL)
    for table in (*EQUAL, *UNEQUAL):
        yield compared(table, runs)[0]
    yield from text_of("slice_pairs 2", MARGIN, MARGIN)
    for table in (*AT_THE_MARGIN, *BEYOND, *GATED_EQUAL):
        yield gated(table, runs if table.slices > FEW else 4 * runs)[0]


def compared(table: Table, runs: int) -> tuple[str, NDArray[np.float64]]:
    """A row, and what it counts: false names, held, held where worse, named, on top; in percent."""
    rng = np.random.default_rng([3801, table.slices, table.cases, int(100 * table.worse), table.several])
    truth = {f"s{i}": float(x) for i, x in enumerate(table.truth)}
    there = [name for name, x in truth.items() if x < 0]
    found = np.zeros(5)
    for run in range(runs):
        answers, by = table.drawn(rng)
        made = hs.compare_slices(answers, "a", "b", by=by, seed=run)
        held = {row.name: row.low <= truth[row.name] <= row.high for row in made.rows}
        found += (
            bool(made.better) or bool(set(made.worse) - set(there)),
            float(np.mean(list(held.values()))),
            float(np.mean([held[name] for name in there])) if there else 0.0,
            float(np.mean([name in made.worse for name in there])) if there else 0.0,
            made.rows[0].name in there,
        )
    percent = 100 * found / runs
    cells = [f"{x:.0f}" for x in percent[:2]] + [f"{x:.0f}" if there else "" for x in percent[2:]]
    return f"| {table.name} | {' | '.join(cells)} | {runs} |", percent


def gated(table: Table, runs: int) -> tuple[str, NDArray[np.float64]]:
    """A row, and what it counts: pass, fail, joint probability of 0.95 or more; in percent."""
    rng = np.random.default_rng([3802, table.slices, table.cases, int(100 * table.worse), table.several])
    found = np.zeros(3)
    for run in range(runs):
        answers, by = table.drawn(rng)
        made = hs.gate_slices(answers, "a", "b", by=by, margin=MARGIN, seed=run)
        found += (made.verdict == "pass", made.verdict == "fail", made.p_pass >= made.min_prob)
    percent = 100 * found / runs
    return f"| {table.name} | {' | '.join(f'{x:.1f}' for x in percent)} | {runs} |", percent
