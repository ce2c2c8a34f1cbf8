"""Balanced accuracy of worlds of many kinds: how often its intervals hold the truth, by prior and by bootstrap."""

from __future__ import annotations

from collections.abc import Iterator

from tests.validation.coverage import (
    Coverage,
    World,
    alike,
    beta,
    broken,
    by_size,
    coverage,
    equal,
    humped,
    logit_normal,
    lognormal,
    mixed,
    straight,
    two_kinds,
    zipf,
)
from tests.validation.sections import text_of

#: What is compared; the default is calibrated at K = 2 and learned from K = 3 on.
PRIORS = ("default", "flat", "jeffreys", "bootstrap")

TWO = [
    *(World(2, equal(n), truth) for n in (8, 30) for truth in (alike(0.87), alike(0.97), beta(4, 1.5))),
    *(World(2, equal(n), alike(0.99)) for n in (30, 100)),
    World(2, equal(20), broken(0.93)),
]
FEW = [
    *(
        World(classes, equal(n), truth)
        for classes, n in ((3, 8), (3, 25), (5, 8), (5, 25), (9, 12), (9, 60))
        for truth in (alike(0.98), alike(0.93), beta(12, 1.5), broken(0.93))
    ),
    *(World(classes, equal(n), alike(0.99)) for classes, n in ((3, 25), (3, 100), (9, 60))),
    World(3, equal(12), mixed(0.97, 0.4, 0.8)),
    World(7, equal(12), mixed(0.97, 0.4, 0.8)),
    World(4, lognormal(25, 0.8), by_size(0.5, 1.5)),
    World(8, zipf(25), alike(0.9)),
]
MANY = [
    *(
        World(classes, equal(n), truth)
        for classes, n in ((12, 15), (30, 15), (100, 15), (300, 8), (1000, 25))
        for truth in (alike(0.93), beta(12, 1.5), broken(0.93), broken(0.93, 0.1))
    ),
    World(12, equal(15), alike(0.98)),
    *(World(classes, equal(n), alike(0.99)) for classes, n in ((30, 15), (100, 15), (1000, 25))),
    World(60, equal(25), two_kinds(0.55, 0.93)),
    World(60, equal(25), logit_normal(1.5, 0.8)),
    World(30, zipf(40), by_size(0.6, 1.5)),
    World(30, zipf(40), broken(0.93)),
    World(100, lognormal(25, 0.8), by_size(0.6, 1.5)),
    World(100, lognormal(25, 0.8), humped()),
    World(1000, lognormal(25, 0.8), by_size(0.6, 1.5)),
    *(World(100, zipf(n), straight(*ends)) for n in (5, 20, 100) for ends in ((0.95, 0.6), (0.6, 0.95))),
]
TABLES = (
    ("K = 2 (the default is `calibrated`)", TWO),
    ("K = 3 to 9 (`learned`)", FEW),
    ("K = 12 to 1,000 (`learned`)", MANY),
)


def affordable(world: World, runs: int) -> int:
    """Fewer runs where one takes long: many classes of unlike sizes."""
    slow = world.classes >= 100 and not world.sizes.name.isdigit() and "by log" not in world.truth.name
    return max(20, runs // 6) if slow else max(30, runs // 3) if world.classes >= 300 else runs


def lines(runs: int) -> Iterator[str]:
    """The tables."""
    yield from text_of("averages 1")
    for title, worlds in TABLES:
        yield from text_of("averages 2", title, " | ".join(PRIORS))
        yield "| --- | --- | --- |" + " --- |" * (len(PRIORS) + 1)
        for world in worlds:
            count = affordable(world, runs)
            found = {prior: coverage(world, prior, count, seed=16) for prior in PRIORS}
            cells = " | ".join(map(cell, found.values()))
            yield f"| {world.classes:,} | {world.sizes.name} | {world.truth.name} | {cells} | {count} |"


def cell(found: Coverage) -> str:
    """Both coverages in percent, and the bias."""
    return f"{100 * found.share:.0f}/{100 * found.hdi:.0f} ({found.bias:+.1f})"
