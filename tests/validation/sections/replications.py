"""Predictions of new tests: how often a new test of the same classifier shows what was foreseen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import betaincc
from tests.validation.coverage import World, alike, beta, broken, equal, zipf
from tests.validation.sections import text_of
from tests.validation.sections.headlines import rows_of
from tests.validation.simulated import Floats, counted

from howsure.laws import BetaBinomial, Law
from howsure.metrics import parse
from howsure.posterior.posterior import infer
from howsure.posterior.priors import CALIBRATED

METRICS = ("accuracy", "recall@0", "balanced_accuracy", "f1@macro", "mcc")
DRAWS = 2_000

#: What is claimed of a recall lies so far below the true one.
MARGIN = 0.06

WORLDS = [
    World(2, equal(10), beta(12, 1.5)),
    World(2, equal(50), alike(0.87)),
    World(2, equal(200), alike(0.97)),
    World(3, equal(25), beta(12, 1.5)),
    World(5, equal(25), broken(0.93)),
    World(10, equal(25), alike(0.97)),
    World(10, zipf(25), beta(12, 1.5)),
    World(30, equal(15), beta(12, 1.5)),
]


def lines(runs: int) -> Iterator[str]:
    """Coverage of predictions in each world, and whether claims repeat as often as foreseen."""
    yield from text_of("replications 1", MARGIN, " | ".join(METRICS), " --- |" * (len(METRICS) + 2))
    for world in WORLDS:
        count = max(20, runs if world.classes < 10 else runs // 2)
        held, claim = foreseen(world, count, seed=31)
        cells = " | ".join(f"{100 * a:.0f}/{100 * b:.0f} ({100 * c:.0f})" for a, b, c in held)
        yield (
            f"| {world.classes} | {world.sizes.name} | {world.truth.name} | {cells} | "
            f"{f'{100 * claim[0]:.0f}, {100 * claim[1]:.0f}' if world.classes == 2 else ''} | {count} |"
        )


def foreseen(world: World, runs: int, seed: int) -> tuple[Floats, Floats]:
    """Shares held (metrics, 3) by central, dense, and the classifier's own interval; claims foreseen and found."""
    rng = np.random.default_rng([seed, world.classes, len(world.truth.name)])
    held, claims = np.zeros((len(METRICS), 3)), np.zeros(2)
    for _ in range(runs):
        wanted = world.sizes.rule(world.classes, rng)
        sizes = np.maximum(wanted, 1).astype(int)
        rows = rows_of(world.truth.rule(wanted, rng), "spread")
        first, second = (counted(rows, sizes, rng) for _ in range(2))
        known = infer(first)
        new = known.predict(sizes.tolist(), draws=DRAWS)
        for i, name in enumerate(METRICS):
            shown = float(parse(name, second.labels)(second.counts))
            law = new.of(name)
            own = known.of(name, draws=DRAWS).interval()
            for j, ends in enumerate((law.interval(0.95, "central"), law.interval(0.95, "hdi"), own)):
                held[i, j] += ends.low - 1e-9 <= shown <= ends.high + 1e-9
        if world.classes == 2:
            claim = float(rows[0, 0]) - MARGIN
            claims += [_supports(new.of("recall@0"), claim), infer(second).of("recall@0").prob(above=claim) >= 0.95]
    return held / runs, claims / runs


def _supports(law: Law, claim: float) -> float:
    """Probability of counts of a new test whose own posterior gives the claim 95%, under the default prior."""
    assert isinstance(law, BetaBinomial)
    right = np.arange(law.n + 1)
    sure = betaincc(CALIBRATED + right, CALIBRATED + law.n - right, max(claim, 0.0)) >= 0.95
    return float(law.pmf[sure].sum())
