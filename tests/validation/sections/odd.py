"""One class that is hardly ever recognised among good ones: its recall, whether it is named, and false names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tests.validation.coverage import Recalls, Sizes, World, alike, beta, broken, by_size, equal, two_kinds, zipf
from tests.validation.simulated import table_of

from howsure.numerics.learned.population import Population
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.reporting.odd_classes import UNLIKE

WORLDS = [
    World(3, equal(20), broken(0.93)),
    World(5, equal(20), broken(0.93)),
    World(9, equal(20), broken(0.93)),
    World(12, equal(15), broken(0.93)),
    World(30, equal(15), broken(0.93)),
    World(100, equal(15), broken(0.93)),
    World(100, equal(6), broken(0.93)),
    World(30, zipf(40), broken(0.93)),
    World(100, equal(15), broken(0.93, 0.1)),
]
SOUND: list[tuple[int, Sizes, Recalls]] = [
    (classes, sizes, truth)
    for classes, sizes in ((4, equal(20)), (12, equal(20)), (100, equal(20)), (30, zipf(40)))
    for truth in (alike(0.93), beta(8, 2), two_kinds(0.55, 0.93), by_size(0.6, 1.5))
]


def lines(runs: int) -> Iterator[str]:
    """Coverage of the recall of the odd class and of a sound one, and how often a class is named."""
    runs = max(20, runs // 2)
    yield from (
        "## One class unlike the rest",
        "",
        f"The dead class has recall 0.04. Named: P(broad part) of {UNLIKE:g} or more, which a report says.",
        "",
        "| K | n | recalls | its recall: held, mean | the same under `flat` | named | a sound class: held | runs |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    )
    for world in WORLDS:
        yield row(world, runs)
    yield from ("", "Classes named for nothing, per table without an odd class:", "")
    yield from ("| K | n | recalls | named per table | tables |", "| --- | --- | --- | --- | --- |")
    for classes, sizes, truth in SOUND:
        rng = np.random.default_rng([16, classes])
        named = 0
        for _ in range(runs):
            n = sizes.rule(classes, rng)
            found = Population(rng.binomial(n.astype(int), truth.rule(n, rng)), n)
            named += int((found.broad_probability >= UNLIKE).sum())
        yield f"| {classes} | {sizes.name} | {truth.name} | {named / runs:.3f} | {runs} |"


def row(world: World, runs: int) -> str:
    """One world with a dead class."""
    rng = np.random.default_rng([18, world.classes])
    held, named, sound, means, flat, flat_means = 0, 0, 0, 0.0, 0, 0.0
    for _ in range(runs):
        n = world.sizes.rule(world.classes, rng)
        truth = world.truth.rule(n, rng)
        table = table_of(rng.binomial(n.astype(int), truth), n)
        odd, good = int(np.argmin(truth)), int(np.argmax(truth))
        known = knowledge_of(infer(table))
        for i in (odd, good):
            law = known.of(f"recall@{i}").law
            ends = law.interval(0.95, "central")
            inside = bool(ends.low <= truth[i] <= ends.high)
            if i == odd:
                held, means = held + inside, means + law.mean
            else:
                sound += inside
        population = known.population
        assert population is not None
        named += bool(population.broad_probability[odd] >= UNLIKE)
        law = knowledge_of(infer(table, "flat")).of(f"recall@{odd}").law
        ends = law.interval(0.95, "central")
        flat, flat_means = flat + bool(ends.low <= truth[odd] <= ends.high), flat_means + law.mean
    share = [f"{100 * x / runs:.0f}" for x in (held, named, sound, flat)]
    return (
        f"| {world.classes} | {world.sizes.name} | {world.truth.name} | {share[0]}, {means / runs:.3f} | {share[3]}, "
        f"{flat_means / runs:.3f} | {share[1]} | {share[2]} | {runs} |"
    )
