"""Paired differences of areas and average precision: A/A and coverage in simulated worlds; docs/validity.md."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import howsure as hs
from howsure.knowledge.protocol import Ask, Of
from howsure.knowledge.scored import Scored

#: Draws of a simulated test.
DRAWS = 2_000


class World(NamedTuple):
    """Two binormal classifiers: areas, correlation within classes, cases of each class, and what scores look like."""

    areas: tuple[float, float]
    correlation: float
    positives: int
    negatives: int
    shape: str = "normal"


WORLDS = [
    World((0.8, 0.8), 0.5, 30, 30),
    World((0.8, 0.8), 0.9, 100, 100),
    World((0.9, 0.8), 0.5, 30, 120),
    World((0.95, 0.9), 0.7, 50, 50),
    World((0.75, 0.7), 0.3, 200, 200),
    World((0.85, 0.85), 0.5, 40, 200, "five points"),
]


def scores_of(world: World, rng: np.random.Generator) -> hs.Scores:
    """One simulated test set."""
    n = world.positives + world.negatives
    truth = np.repeat([1, 0], [world.positives, world.negatives])
    noise = rng.multivariate_normal([0, 0], [[1, world.correlation], [world.correlation, 1]], n)
    shifts = np.sqrt(2) * ndtri(np.array(world.areas))
    made = noise + truth[:, None] * shifts
    if world.shape == "five points":
        made = np.floor(5 * ndtr(made))
    return hs.Scores(truth, {"a": made[:, 0], "b": made[:, 1]})


def true_difference(world: World, metric: str) -> float:
    """The difference of the number of a very large test set."""
    if metric == "roc_auc" and world.shape == "normal":
        return world.areas[0] - world.areas[1]
    if world.areas[0] == world.areas[1]:
        return 0.0
    big = scores_of(world._replace(positives=1000 * world.positives, negatives=1000 * world.negatives),
                    np.random.default_rng(99))  # fmt: skip
    return float(np.subtract(*[hs.infer(big.of(name)).of(metric, draws=100).observed for name in ("a", "b")]))


class Held(NamedTuple):
    """Shares of simulated tests."""

    central: float
    hdi: float
    below: float
    above: float


def held(world: World, metric: str, runs: int) -> Held:
    """How often 95% intervals held the true difference, and how often P(better) was beyond 97.5% on either side."""
    truth = true_difference(world, metric)
    rng = np.random.default_rng(5)
    found = np.zeros(4)
    for run in range(runs):
        law = Scored(scores_of(world, rng)).law(Of(metric, "a") - Of(metric, "b"), Ask(draws=DRAWS, seed=run))
        central, hdi = law.interval(0.95, "central"), law.interval(0.95, "hdi")
        found += (
            central.low <= truth <= central.high,
            hdi.low <= truth <= hdi.high,
            law.prob(above=truth) > 0.975,
            law.prob(below=truth) > 0.975,
        )
    return Held(*(found / runs).tolist())


@pytest.mark.deep
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
@pytest.mark.parametrize(
    "world",
    [pytest.param(w, marks=pytest.mark.validate if w.positives > 100 else ()) for w in WORLDS],
    ids=lambda w: f"{w.areas}-{w.correlation}-{w.positives}-{w.shape}",
)
def test_intervals_of_paired_differences_hold_the_truth(world: World, metric: str) -> None:
    """200 tests a world: a share of 0.95 has a standard error of 0.015."""
    found = held(world, metric, 200)
    assert found.central >= 0.87
    assert found.below <= 0.11
    assert found.above <= 0.11
