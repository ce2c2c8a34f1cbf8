"""Thresholds that were chosen on the cases: what they flatter, whether intervals hold, and where the best one is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special
from tests.validation.sections import text_of

import howsure as hs
from howsure.curves import best_threshold
from howsure.numerics.arrays import Floats

#: Metrics by recall, false positive rate and prevalence.
METRICS: dict[str, Callable[[Floats, Floats, float], Floats]] = {
    "balanced_accuracy": lambda hit, false, share: (hit + 1 - false) / 2,
    "f1": lambda hit, false, share: 2 * hit * share / (hit * share + false * (1 - share) + share),
    "accuracy": lambda hit, false, share: hit * share + (1 - false) * (1 - share),
}

#: Draws of the location, and of F1.
DRAWS = 1000


@dataclass(frozen=True)
class NormalScores:
    """Normal scores of two classes, sd 1.

    Parameters
    ----------
    ill, well : int
    apart : float
        Difference of the means.
    metric : str
        What the threshold is best for.
    """

    ill: int
    well: int
    apart: float
    metric: str

    @property
    def name(self) -> str:
        """First cells of a row."""
        return f"{self.ill} + {self.well}, {self.apart:.1f} | {self.metric}"

    def worth(self, threshold: float | Floats) -> Floats:
        """True value of a threshold."""
        share = self.ill / (self.ill + self.well)
        t = np.asarray(threshold, dtype=float)
        return METRICS[self.metric](special.ndtr(self.apart - t), special.ndtr(-t), share)

    @property
    def best(self) -> float:
        """The best threshold there is, on a grid of 0.001."""
        tried = np.arange(-4.0, self.apart + 4.0, 0.001)
        return float(tried[self.worth(tried).argmax()])

    def drawn(self, rng: np.random.Generator) -> hs.Scores:
        """One test set."""
        scores = np.concatenate([rng.normal(self.apart, 1, self.ill), rng.normal(0, 1, self.well)])
        return hs.Scores(["ill"] * self.ill + ["well"] * self.well, scores)


WORLDS = [
    NormalScores(*shape, metric)
    for shape in ((20, 20, 1.0), (30, 30, 0.5), (100, 100, 1.0), (20, 80, 2.5), (10, 100, 1.5))
    for metric in METRICS
]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    yield from text_of("chosen_thresholds 1")
    for world in WORLDS:
        yield chosen(world, runs)[0]


def chosen(world: NormalScores, runs: int) -> tuple[str, Floats]:
    """A row; and mean errors (observed, given, new), percentages held (given, new, location)."""
    rng = np.random.default_rng([3803, world.ill, world.well, int(10 * world.apart), len(world.metric)])
    metric = f"{world.metric}@ill" if world.metric == "f1" else world.metric
    found, place = np.zeros(6), world.best
    for run in range(runs):
        made = best_threshold(world.drawn(rng), metric, draws=DRAWS, seed=run)
        true = float(world.worth(made.threshold))
        found += (
            made.observed - true, made.apparent[0] - true, made.expected[0] - true,
            made.apparent[1] <= true <= made.apparent[2], made.expected[1] <= true <= made.expected[2],
            made.location[0] <= place <= made.location[1],
        )  # fmt: skip
    found /= runs
    found[3:] *= 100
    cells = [f"{x:+.3f}" for x in found[:3]] + [f"{x:.0f}" for x in found[3:]]
    return f"| {world.name} | {' | '.join(cells)} | {runs} |", found
