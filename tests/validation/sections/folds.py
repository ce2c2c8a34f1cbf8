"""Passes of a cross-validation: how often intervals hold the accuracy, of one pass, of ten divided, of ten summed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from tests.validation.sections import text_of

import howsure as hs

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

LEVEL, FOLDS, PASSES = 0.95, 10, 10

#: Training sets that the expected accuracy of the algorithm is a mean over, and test cases of each where it has no
#: formula.
TRAINED, TESTED = 400, 2000


@dataclass(frozen=True)
class World:
    """Two normal classes a distance apart, and an algorithm.

    Parameters
    ----------
    cases, dimensions : int
        Half of the cases of each class on average.
    distance : float
        Between the centres, in sds.
    algorithm : str
        ``linear``: linear discriminant analysis, whose true accuracy has a formula. ``nearest``: the nearest case,
        which changes with every training set.
    """

    cases: int
    dimensions: int
    distance: float
    algorithm: str

    @property
    def name(self) -> str:
        """A row's first cells."""
        return f"{self.algorithm} | {self.cases} x {self.dimensions} | {self.distance:g}"

    def drawn(self, cases: int, rng: np.random.Generator) -> tuple[Floats, Whole]:
        """Cases of a test set, and their classes."""
        y = (rng.random(cases) < 0.5).astype(int)
        y[:4] = 0, 1, 0, 1
        x = rng.standard_normal((cases, self.dimensions))
        x[:, 0] += self.distance * (y - 0.5)
        return x, y

    def fitted(self, x: Floats, y: Whole, test: Floats, rng: np.random.Generator) -> tuple[Whole, float]:
        """Answers to test cases, and the true accuracy."""
        if self.algorithm == "nearest":
            new, truth = self.drawn(TESTED, rng)
            both = np.concatenate([test, new])
            away = (x**2).sum(axis=1) - 2 * both @ x.T
            said = y[away.argmin(axis=1)]
            return said[: len(test)], float((said[len(test) :] == truth).mean())
        centres = np.stack([x[y == c].mean(axis=0) for c in (0, 1)])
        within = (x - centres[y]).T @ (x - centres[y]) / (len(x) - 2)
        w = np.linalg.solve(within, centres[1] - centres[0])
        bias = -w @ centres.mean(axis=0) + np.log(y.mean() / (1 - y.mean()))
        length, shift = np.sqrt(w @ w), w[0] * self.distance / 2
        right = special.ndtr((shift + bias) / length) + special.ndtr((shift - bias) / length)
        return (test @ w + bias > 0).astype(int), float(right / 2)

    def expected(self, rng: np.random.Generator) -> float:
        """Accuracy of the algorithm on average over training sets of nine tenths of the cases."""
        size = self.cases - self.cases // FOLDS
        nothing = np.empty((0, self.dimensions))
        return float(np.mean([self.fitted(*self.drawn(size, rng), nothing, rng)[1] for _ in range(TRAINED)]))


#: The first is that of the documents.
WORLDS = [
    World(100, 10, 2.0, "linear"),
    World(40, 3, 1.5, "linear"),
    World(300, 10, 3.0, "linear"),
    World(60, 5, 2.0, "nearest"),
    World(150, 2, 3.0, "nearest"),
]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    runs = max(10, runs // 3)
    yield from text_of("folds 1")
    for world in WORLDS:
        yield coverage_of(world, runs)[0]


def coverage_of(world: World, runs: int) -> tuple[str, Floats]:
    """A row of the table, and the percentages: one pass, divided, summed, t, by both targets."""
    rng = np.random.default_rng([530, world.cases, world.dimensions])
    target = world.expected(rng)
    hits, widths = np.zeros((4, 2)), np.zeros(3)
    for _ in range(runs):
        x, y = world.drawn(world.cases, rng)
        said, ids, folds, scores, true = [], [], [], [], []
        for k in range(PASSES):
            for j, test in enumerate(np.array_split(rng.permutation(world.cases), FOLDS)):
                train = np.setdiff1d(np.arange(world.cases), test)
                answers, accuracy = world.fitted(x[train], y[train], x[test], rng)
                said.append(answers)
                ids.append(test)
                folds.append(np.full(len(test), FOLDS * k + j))
                scores.append(float((answers == y[test]).mean()))
                true.append(accuracy)
        case, answer, fold = (np.concatenate(parts) for parts in (ids, said, folds))
        count = hs.ConfusionMatrix.from_predictions
        one = fold < FOLDS
        ways = (
            count(y[case[one]], answer[one], labels=[0, 1], id=case[one], folds=fold[one]),
            count(y[case], answer, labels=[0, 1], id=case, folds=fold),
            count(y[case], answer, labels=[0, 1]),
        )
        ends = [tuple(hs.infer(matrix).of("accuracy").interval(LEVEL)) for matrix in ways]
        reach = float(stats.t.ppf((1 + LEVEL) / 2, len(scores) - 1) * np.std(scores, ddof=1) / np.sqrt(len(scores)))
        ends.append((float(np.mean(scores)) - reach, float(np.mean(scores)) + reach))
        for i, (low, high) in enumerate(ends):
            hits[i] += [low <= target <= high, low <= float(np.mean(true)) <= high]
        widths += [high - low for low, high in ends[:3]]
    percent = 100 * hits / runs
    cells = [f"{a:.0f}/{b:.0f}" for a, b in percent]
    wide = ", ".join(f"{width:.3f}" for width in widths / runs)
    return f"| {world.name} | {' | '.join(cells)} | {wide} | {runs} |", percent
