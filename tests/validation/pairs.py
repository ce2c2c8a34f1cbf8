"""Pairs of classifiers on the same cases, simulated: false verdicts, power and coverage of the difference of recalls.

Each world draws the shares of the four cells of every class, then the counts. `learned` is what users get from three
classes on; `fixed` the model of pseudo-counts, Dirichlet(1/2, 1/2, 1/2, 1/2) a class. The table:
``python -m tests.validation.pairs --tests 60``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from howsure.laws import Draws, PairedDifference
from howsure.numerics.populations.population import PairedFactors

__all__ = ["WORLDS", "Found", "simulated"]

Floats = NDArray[np.float64]
World = Callable[[np.random.Generator, int], tuple[NDArray[np.int64], Floats]]

DRAWS = 4_000


@dataclass(frozen=True)
class Found:
    """Shares of tests: interval covers, P(A better) or P(B better) above .95, mean error over its own sd."""

    covered: float
    better: float
    worse: float
    bias: float
    width: float


def cells_of(recall: Floats, gain: Floats, correlation: float) -> Floats:
    """Shares both right, only A, only B, neither, of two recalls around a common one, shape (K, 4)."""
    a, b = np.clip(recall + gain / 2, 0.0, 1.0), np.clip(recall - gain / 2, 0.0, 1.0)
    together = a * b + correlation * np.sqrt(a * (1 - a) * b * (1 - b))
    both = np.clip(together, np.maximum(0.0, a + b - 1), np.minimum(a, b))
    return np.stack([both, a - both, b - both, 1 - a - b + both], axis=1)


def zipf(classes: int, mean: int) -> NDArray[np.int64]:
    """Sizes in proportion to 1 / rank, at least 1."""
    sizes = 1 / np.arange(1, classes + 1)
    return np.asarray(np.maximum(1, np.round(sizes / sizes.mean() * mean)), dtype=np.int64)


def usual(gain: float, correlation: float, *, rare_only: bool = False) -> World:
    """Recalls Beta(17, 3), sizes 1 / rank of mean 20; a gain of A in all classes, or in the rarer half."""

    def made(rng: np.random.Generator, classes: int) -> tuple[NDArray[np.int64], Floats]:
        gains = np.full(classes, gain)
        gains[: classes // 2] *= not rare_only
        return zipf(classes, 20), cells_of(rng.beta(17, 3, classes), gains, correlation)

    return made


def long_tail(rng: np.random.Generator, classes: int) -> tuple[NDArray[np.int64], Floats]:
    """Half of the classes have 3 cases and A is right .3 more often; half have 100, and nothing tells A from B."""
    rare = np.arange(classes) >= classes // 2
    recall = np.where(rare, 0.75, 0.9)
    return np.where(rare, 3, 100), cells_of(recall, np.where(rare, 0.3, 0.0), 0.5)


#: A name, and how its classes come.
WORLDS: dict[str, World] = {
    "nothing between them": usual(0.0, 0.5),
    "nothing, often wrong together": usual(0.0, 0.9),
    "+.05 everywhere": usual(0.05, 0.5),
    "+.15 where rare": usual(0.15, 0.5, rare_only=True),
    "long tail": long_tail,
}


def law_of(cells: NDArray[np.int64], model: str, seed: int) -> Draws | PairedDifference:
    """Law of the difference of the mean recalls."""
    size = len(cells)
    if model == "fixed":
        return PairedDifference(cells + 0.5)
    return Draws(PairedFactors(cells).draw_difference(np.full(size, 1 / size), DRAWS, [seed]), support=(-1.0, 1.0))


def simulated(world: str, classes: int, tests: int, model: str = "learned", seed: int = 0) -> Found:
    """Many tests of one world, each read as users would."""
    rng = np.random.default_rng([seed, classes, *world.encode()])
    rows = []
    for i in range(tests):
        sizes, shares = WORLDS[world](rng, classes)
        cells = np.array([rng.multinomial(n, p / p.sum()) for n, p in zip(sizes, np.clip(shares, 0, 1), strict=True)])
        truth = float((shares[:, 1] - shares[:, 2]).mean())
        law = law_of(cells, model, i)
        low, high = law.interval(0.95, "central")[:2]
        above = law.prob(above=0)
        rows.append((low <= truth <= high, above >= 0.95, above <= 0.05, (law.mean - truth) / law.sd, high - low))
    return Found(*(float(x) for x in np.mean(np.array(rows, dtype=float), axis=0)))


def main() -> None:
    """Print the table."""
    reader = argparse.ArgumentParser()
    reader.add_argument("--tests", type=int, default=60)
    reader.add_argument("--classes", type=int, nargs="*", default=[3, 10, 50])
    reader.add_argument("--seed", type=int, default=0)
    asked = reader.parse_args()
    for world in WORLDS:
        for classes in asked.classes:
            for model in ("learned", "fixed"):
                x = simulated(world, classes, asked.tests, model, asked.seed)
                sys.stdout.write(
                    f"{world:32s} K={classes:<4d} {model:8s} covers {x.covered:.2f}  A better {x.better:.2f}  "
                    f"B better {x.worse:.2f}  bias {x.bias:+.2f} sd  width {x.width:.3f}\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
