"""Every metric of the registry once under the default prior: is the truth in the interval, in three scenes?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from tests.validation.sections.ordinal import confusion

import howsure as hs
from howsure.metrics import REGISTRY, Measure, averages_of, names
from howsure.posterior.knowledge import knowledge_of

__all__ = ["SCENES", "coverage", "lines"]

Floats = NDArray[np.float64]

#: Cases, true shares of all cells by a generator of random numbers, and whether ordinal metrics have a meaning there.
SCENES = {
    "two classes": (100, lambda rng: _rows(rng.uniform([0.6, 0.8], [0.95, 0.99]), np.array([0.25, 0.75]), rng)),
    "five classes": (200, lambda rng: _rows(rng.beta(12, 3, 5), rng.dirichlet(np.full(5, 4.0)), rng)),
    "ratings from 1 to 5": (200, lambda rng: confusion(5, "near", rng)),
}
DRAWS = 2_000

#: Costs and weights that a metric needs are the user's: it has tests of its own.
NEEDS_MORE = ("expected_cost", "normalised_expected_cost", "class_weighted_informedness")


def _rows(recalls: Floats, shares: Floats, rng: np.random.Generator) -> Floats:
    """Shares of cells with errors that go anywhere."""
    size = len(recalls)
    table = np.empty((size, size))
    for i, recall in enumerate(recalls):
        table[i] = np.insert((1 - recall) * rng.dirichlet(np.full(size - 1, 2.0)), i, recall)
    return np.asarray(table * shares[:, None])


def _measures(size: int, *, ordinal: bool) -> list[Measure]:
    """Each metric of the whole table, else of the first class of two, else its mean over classes."""
    made = []
    for name in names():
        metric = REGISTRY[name]
        if name in NEEDS_MORE or (metric.family == "ordinal" and not ordinal):
            continue
        if metric.per == "table":
            made.append(Measure(metric))
        elif size == 2:
            made.append(Measure(metric, label="0", index=0))
        elif "macro" in averages_of(metric):
            made.append(Measure(metric, average="macro"))
    return made


def coverage(scene: str, runs: int) -> dict[str, float]:
    """Share of the runs whose central interval holds the truth, by metric; runs without a true value are left out."""
    n, world = SCENES[scene]
    held: dict[str, list[bool]] = {}
    for run in range(runs):
        rng = np.random.default_rng([run, list(SCENES).index(scene)])
        truth = world(rng)
        size = len(truth)
        counts = rng.multinomial(n, truth.ravel()).reshape(truth.shape)
        known = knowledge_of(hs.infer(hs.ConfusionMatrix(counts)))
        measures = _measures(size, ordinal=scene.startswith("ratings"))
        seen = counts.sum(1) / n
        at_test = truth / truth.sum(1, keepdims=True) * seen[:, None]
        for measure, drawn in zip(measures, known.drawn(measures, DRAWS, run, 0), strict=True):
            exact = float(measure(at_test if known.estimand(measure).held else truth))
            low, high = np.nanquantile(drawn, [0.025, 0.975])
            if np.isfinite(exact):
                held.setdefault(measure.name, []).append(bool(low <= exact <= high))
    return {name: float(np.mean(inside)) for name, inside in held.items()}


def lines(runs: int) -> Iterator[str]:
    """The section of the page."""
    many = max(10, runs // 5)
    error = 100 * (0.95 * 0.05 / many) ** 0.5
    yield from (
        "## Every metric once",
        "",
        f"How many metrics of the registry had the truth in their central 95% interval in so many per cent of {many} "
        f"tests (standard error {error:.1f} points at 95%), under the default prior, and the least of them.",
        "",
        "| scene | metrics | below 90% | 90 to 92 | 92 to 98 | above 98 | the least |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    )
    for scene in SCENES:
        held = coverage(scene, many)
        values = np.array(list(held.values()))
        parts = np.bincount(np.digitize(values, [0.9, 0.92, 0.98 + 1e-9]), minlength=4)
        least = ", ".join(f"{name} {100 * value:.0f}" for name, value in sorted(held.items(), key=lambda it: it[1])[:6])
        yield f"| {scene} | {len(held)} | {' | '.join(str(int(part)) for part in parts)} | {least} |"
