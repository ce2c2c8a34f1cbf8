"""Classifiers over many data sets: the mean difference held, a new data set held, and equals told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special
from tests.validation.sections import text_of

import howsure as hs

#: Weighted draws of an answer, and data sets that are drawn for a true mean.
DRAWS, POPULATION = 1000, 20_000


@dataclass(frozen=True)
class Suite:
    """Data sets of 50 to 400 cases, accuracies about 0.85; logits are normal between data sets.

    Parameters
    ----------
    sets : int
    paired : bool
    spread : float
        Of the sd between data sets of what tells the two apart.
    """

    sets: int
    paired: bool
    spread: float = 0.5

    @property
    def name(self) -> str:
        """First cells of a row."""
        return f"{self.sets} | {'paired' if self.paired else 'separate'} | {self.spread:g}"

    def logits(self, some: int, lead: float, rng: np.random.Generator) -> NDArray[np.float64]:
        """Of data sets: discordance and direction, or the accuracies of A and B."""
        z = rng.standard_normal((some, 3))
        if self.paired:
            return np.stack((-1.7 + 0.4 * z[:, 0], lead + self.spread * z[:, 1]), axis=1)
        return 1.7 + 0.8 * z[:, 2:] + self.spread / 2**0.5 * z[:, :2] + np.array([lead, 0.0]) * 0.6

    def gains(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """True differences of data sets."""
        p = special.expit(logits)
        return np.asarray(p[:, 0] * (2 * p[:, 1] - 1) if self.paired else p[:, 0] - p[:, 1])

    def drawn(self, logits: NDArray[np.float64], rng: np.random.Generator) -> dict[str, object]:
        """What the data sets showed."""
        made: dict[str, object] = {}
        for i, (first, second) in enumerate(special.expit(logits)):
            n = int(np.exp(rng.uniform(np.log(50), np.log(400))))
            if not self.paired:
                made[f"d{i}"] = {name: (int(rng.binomial(n, p)), n) for name, p in (("A", first), ("B", second))}
                continue
            apart = rng.binomial(n, first)
            ahead = rng.binomial(apart, second)
            both = rng.binomial(n - apart, 0.85)
            cells = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [both, ahead, apart - ahead, n - apart - both], axis=0)
            made[f"d{i}"] = hs.Predictions(np.ones(n, dtype=int), {"A": cells[:, 0], "B": cells[:, 1]}, labels=[0, 1])
        return made


SUITES = [Suite(sets, paired) for paired in (True, False) for sets in (5, 10, 20)] + [
    Suite(10, True, 0.0),
    Suite(10, False, 0.0),
]


@dataclass(frozen=True)
class Contest:
    """Five classifiers on data sets of 50 to 400 cases, about 0.75; true means with an sd, and luck on a data set."""

    sets: int
    luck: float
    apart: float = 0.03


CONTESTS = [Contest(5, 0.03), Contest(5, 0.08), Contest(20, 0.03), Contest(20, 0.08), Contest(10, 0.03, 0.0)]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a suite."""
    yield from text_of("data_sets 1")
    for suite in SUITES:
        yield over(suite, runs)[0]
    yield from text_of("data_sets 2")
    for contest in CONTESTS:
        yield ranked(contest, runs)[0]


def over(suite: Suite, runs: int) -> tuple[str, NDArray[np.float64]]:
    """A row, and what it counts: mean held, new held, false alarms, found; in percent."""
    rng = np.random.default_rng([3804, suite.sets, int(suite.paired), int(10 * suite.spread)])
    found = np.zeros(4)
    for equal in (True, False):
        lead = 0.0 if equal else 0.5
        # 0 by symmetry where both are equal
        true = 0.0 if equal else float(suite.gains(suite.logits(POPULATION, lead, rng)).mean())
        for run in range(runs):
            made = hs.compare_over(
                suite.drawn(suite.logits(suite.sets, lead, rng), rng), "A", "B", kind="central", draws=DRAWS, seed=run
            )
            low, high, *_ = made.of().interval()
            below, above, *_ = made.of("new").interval()
            new = float(suite.gains(suite.logits(1, lead, rng))[0])
            outside = not low <= 0 <= high
            found += (
                (low <= true <= high) / 2, (below <= new <= above) / 2, outside and equal, outside and not equal,
            )  # fmt: skip
    percent = 100 * found / runs
    return f"| {suite.name} | {' | '.join(f'{x:.0f}' for x in percent)} | {runs} |", percent


def ranked(contest: Contest, runs: int) -> tuple[str, NDArray[np.float64]]:
    """A row; and said, came true on average, said, came true on a new one, 0.95 reached (shares of the runs)."""
    rng = np.random.default_rng([3805, contest.sets, int(100 * contest.luck), int(100 * contest.apart)])
    found = np.zeros(5)
    for run in range(runs):
        mean = 0.75 + contest.apart * rng.standard_normal(5)
        level = 0.05 * rng.standard_normal((contest.sets, 1))
        p = np.clip(mean + level + contest.luck * rng.standard_normal((contest.sets, 5)), 0, 1)
        n = np.exp(rng.uniform(np.log(50), np.log(400), contest.sets)).astype(int)
        sets = {
            f"d{i}": {f"m{t}": (int(rng.binomial(n[i], p[i, t])), int(n[i])) for t in range(5)}
            for i in range(contest.sets)
        }
        rows = hs.rank_over(sets, draws=DRAWS, seed=run).rows
        new = mean + contest.luck * rng.standard_normal(5)
        first, on_new = max(rows, key=lambda row: row.p_best), max(rows, key=lambda row: row.p_best_new)
        found += (
            first.p_best, first.name == f"m{mean.argmax()}", on_new.p_best_new, on_new.name == f"m{new.argmax()}",
            first.p_best >= 0.95,
        )  # fmt: skip
    found /= runs
    said = f"{found[0]:.2f}, {found[1]:.2f} | {found[2]:.2f}, {found[3]:.2f}" if contest.apart else " | "
    return (
        f"| {contest.sets} | {contest.luck:g} | {contest.apart:g} | {said} | {100 * found[4]:.0f}% | {runs} |",
        found,
    )
