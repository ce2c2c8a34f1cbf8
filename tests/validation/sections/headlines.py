"""The other headline metrics of a report: how often their intervals hold the truth under the defaults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from tests.validation.coverage import World, alike, beta, broken, equal, zipf
from tests.validation.sections import text_of
from tests.validation.simulated import Floats, Whole, counted

from howsure.laws import Kind
from howsure.metrics import parse
from howsure.metrics.margins import Margins
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer

METRICS = ("accuracy", "weighted_recall", "f1@macro", "precision@macro", "mcc", "kappa", "precision@0")
DRAWS = 2_000
KINDS: tuple[Kind, ...] = ("central", "hdi")

WORLDS = [
    (World(2, equal(25), beta(12, 1.5)), "spread"),
    (World(3, equal(25), beta(12, 1.5)), "spread"),
    (World(5, equal(25), broken(0.93)), "next"),
    (World(10, equal(25), beta(12, 1.5)), "spread"),
    (World(10, equal(25), broken(0.93)), "next"),
    (World(10, equal(25), alike(0.85)), "sink"),
    (World(30, equal(25), beta(12, 1.5)), "sink"),
    (World(30, zipf(40), beta(12, 1.5)), "spread"),
    (World(30, zipf(40), beta(12, 1.5)), "sink"),
    (World(100, equal(15), broken(0.93, 0.1)), "spread"),
    (World(300, zipf(12), beta(12, 1.5)), "spread"),
]


def lines(runs: int) -> Iterator[str]:
    """Coverage of each metric in each world, under the default and under `flat`."""
    yield from text_of("headlines 1", " | ".join(METRICS), " --- |" * (len(METRICS) + 1))
    for world, errors in WORLDS:
        count = max(20, runs if world.classes < 30 else runs // 3)
        held = coverages(world, errors, count, seed=22)
        cells = " | ".join(f"{both(a)} ({both(b)})" for a, b in zip(held["default"], held["flat"], strict=True))
        yield f"| {world.classes} | {world.sizes.name} | {world.truth.name} | {errors} | {cells} | {count} |"


def both(shares: Floats) -> str:
    """Percent held by the central and by the highest-density interval."""
    return "/".join(f"{100 * share:.0f}" for share in shares)


def rows_of(recalls: Floats, errors: str) -> Floats:
    """Chances of every call, by true class."""
    size = len(recalls)
    if errors == "next":
        rows = np.roll(np.diag(1 - recalls), 1, axis=1)
    else:
        rows = np.full((size, size), 1 / (size - 1))
        if errors == "sink":
            rows = rows * 0.2
            rows[1:, 0] += 0.8
            rows[0] = 1 / (size - 1)
        np.fill_diagonal(rows, 0.0)
        rows *= ((1 - recalls) / rows.sum(1))[:, None]
    np.fill_diagonal(rows, recalls)
    return rows


def coverages(
    world: World, errors: str, runs: int, seed: int, priors: Sequence[str] = ("default", "flat")
) -> dict[str, Floats]:
    """Shares (metrics, 2) of the runs of one world in which each kind of interval holds the truth, by prior."""
    rng = np.random.default_rng([seed, world.classes, len(errors)])
    held = {name: np.zeros((len(METRICS), len(KINDS))) for name in priors}
    for _ in range(runs):
        shares = world.sizes.rule(world.classes, rng)
        recalls = world.truth.rule(shares, rng)
        rows = rows_of(recalls, errors)
        sizes: Whole = np.maximum(rng.multinomial(int(shares.sum()), shares / shares.sum()), 1)
        table = counted(rows, sizes, rng)
        for name, inside in held.items():
            known = knowledge_of(infer(table, None if name == "default" else name))
            measures = [parse(m, table.labels) for m in METRICS]
            known.prepare(measures, draws=DRAWS)
            for i, measure in enumerate(measures):
                macro = measure.average == "macro" and name == "default" and world.classes > 2
                at = sizes / sizes.sum() if macro else shares / shares.sum()
                truth = float(measure(Margins.around((rows * at[:, None])[None]))[0])
                law = known.of(measure, draws=DRAWS).law
                ends = (law.interval(0.95, kind) for kind in KINDS)
                inside[i] += [low <= truth <= high for low, high in ends]
    return {name: inside / runs for name, inside in held.items()}
