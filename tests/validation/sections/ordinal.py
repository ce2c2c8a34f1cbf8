"""Ordinal metrics of ratings: is the truth in the interval where errors fall off with the distance of ranks?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from tests.validation.sections import text_of

import howsure as hs
from howsure.metrics import parse
from howsure.posterior.knowledge import knowledge_of

__all__ = ["METRICS", "SCENES", "confusion", "coverage", "lines"]

Floats = NDArray[np.float64]

METRICS = (
    "weighted_kappa(power=2)", "weighted_kappa(power=1)", "mae", "rmse", "off_by_one_accuracy", "amae",
)  # fmt: skip

#: How the errors of raters fall off with the distance of ranks.
SCENES = ("near", "lenient", "noise")

CELLS = [(k, n, scene) for k in (3, 5, 10) for n in (50, 100, 400) for scene in SCENES]

#: Our default, another prior, and what is usual elsewhere.
WAYS = ("learned", "jeffreys", "bootstrap")

#: Draws of an answer, and samples of a bootstrap.
DRAWS = 2_000


def confusion(size: int, scene: str, rng: np.random.Generator) -> Floats:
    """True shares of all cells: unlike classes, recalls about .55 to .9, errors by their distance."""
    rank = np.arange(size)
    off = rank[None, :] - rank[:, None]
    step = np.abs(off)
    errors = np.exp(-1.5 * (step - 1.0))
    if scene == "lenient":
        errors *= np.where(off > 0, 3.0, 1.0)
    if scene == "noise":  # one error of ten knows no distance
        errors = 0.9 * np.exp(-1.8 * (step - 1.0)) + 0.1 / (size - 1)
    errors = np.where(step > 0, errors, 0.0)
    errors /= errors.sum(axis=1, keepdims=True)
    shares, typical = rng.dirichlet(np.full(size, 3.0)), rng.uniform(0.55, 0.9)
    recalls = np.clip(typical + 0.08 * rng.standard_normal(size), 0.2, 0.99)
    table = errors * (1 - recalls)[:, None]
    table[rank, rank] = recalls
    return np.asarray(table * shares[:, None])


def coverage(size: int, n: int, scene: str, runs: int, ways: tuple[str, ...] = WAYS) -> Floats:
    """Share of the runs whose central interval holds the truth, and its mean width: shape (ways, metrics, 2)."""
    found = np.zeros((len(ways), len(METRICS), 2))
    for run in range(runs):
        rng = np.random.default_rng([size, n, SCENES.index(scene), run])
        truth = confusion(size, scene, rng)
        counts = rng.multinomial(n, truth.ravel()).reshape(size, size)
        measures = [parse(name, [str(i + 1) for i in range(size)]) for name in METRICS]
        exact = [float(measure(truth)) for measure in measures]
        for w, way in enumerate(ways):
            if way == "bootstrap":
                again = rng.multinomial(n, counts.ravel() / n, DRAWS).reshape(-1, size, size).astype(float)
                drawn = [measure(again) for measure in measures]
            else:
                drawn = knowledge_of(hs.infer(hs.ConfusionMatrix(counts), way)).drawn(measures, DRAWS, run, 0)
            low, high = np.nanquantile(np.stack(drawn), [0.025, 0.975], axis=1)
            found[w] += np.stack([(low <= exact) & (exact <= high), high - low], axis=1)
    return found / runs


def lines(runs: int) -> Iterator[str]:
    """The section of the page."""
    many = max(10, runs // 7)
    yield from text_of("ordinal 1", many, 100 * (0.95 * 0.05 / many) ** 0.5)
    for size, n, scene in CELLS:
        ours, jeffreys, bootstrap = coverage(size, n, scene, many)
        cells = [
            f"{100 * a:.0f}, {b:.2f} ({100 * c:.0f}, {d:.2f}; {100 * e:.0f}, {f:.2f})"
            for (a, b), (c, d), (e, f) in zip(ours, jeffreys, bootstrap, strict=True)
        ]
        yield f"| {size} | {n} | {scene} | {' | '.join(cells)} |"
