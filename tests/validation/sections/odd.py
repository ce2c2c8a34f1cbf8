"""One class that is hardly ever recognised among good ones: its recall, whether it is named, and false names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import hypergeom
from tests.validation.coverage import (
    Recalls,
    Sizes,
    World,
    alike,
    beta,
    broken,
    by_size,
    equal,
    logit_normal,
    two_kinds,
    zipf,
)
from tests.validation.sections import text_of
from tests.validation.simulated import table_of

from howsure.numerics.populations.alike_or_apart import far_below
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.reporting.report_sentences import UNLIKE

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
    for classes, sizes in ((5, equal(20)), (12, equal(50)), (30, zipf(40)), (300, zipf(40)))
    for truth in (alike(0.93), alike(0.99), beta(8, 2), beta(4, 1), logit_normal(2, 1), two_kinds(0.55, 0.93))
] + [
    *((100, equal(20), truth) for truth in (beta(8, 2), by_size(0.6, 1.5))),
    *((3, equal(20), truth) for truth in (alike(0.93), beta(8, 2), beta(4, 1), logit_normal(2, 1), beta(4, 4))),
]
#: Recalls of all classes but a dead one of 20 cases.
OTHERS = (0.5, 0.7, 0.9, 0.95, 0.99, 1.0)


def lines(runs: int) -> Iterator[str]:
    """Coverage of the recall of the odd class and of a sound one, and how often a class is named."""
    runs = max(20, runs // 2)
    yield from text_of("odd 1")
    for world in WORLDS:
        yield row(world, runs)
    yield from named_rows(2 * runs)


def named_rows(runs: int) -> Iterator[str]:
    """How often a report names a dead class, and classes of tables without one."""
    yield from text_of("odd 2", UNLIKE, " | ".join(f"others {p:g}" for p in OTHERS), " --- |" * (len(OTHERS) + 2))
    for classes in (3, 5, 10, 100):
        rng = np.random.default_rng([17, classes])
        n = np.full(classes, 20)
        cells, least = [], 100.0
        for p in OTHERS:
            found = tested = 0
            for _ in range(runs):
                k = rng.binomial(n, p)
                k[0] = 0
                found += bool(far_below(k, n, 1 / classes).probability[0] >= UNLIKE)
                tested += bool(rejected(k, n)[0])
            cells.append(f"{100 * found / runs:.0f}")
            least = min(least, 100 * tested / runs)
        yield f"| {classes} | {' | '.join(cells)} | {least:.0f} | {runs} |"
    yield from text_of("odd 3")
    yield from text_of("odd 4")
    for i, (classes, sizes, truth) in enumerate(SOUND):
        rng = np.random.default_rng([16, i])
        named = tested = 0
        for _ in range(runs):
            n = sizes.rule(classes, rng)
            k = rng.binomial(n.astype(int), truth.rule(n, rng))
            named += bool((far_below(k, n, 1 / classes).probability >= UNLIKE).any())
            tested += bool(rejected(k, n).any())
        shown = f"{100 * named / runs:.1f} | {100 * tested / runs:.1f}"
        yield f"| {classes} | {sizes.name} | {truth.name} | {shown} | {runs} |"


def rejected(k: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The rival: classes below all others together by Fisher's exact test, one-sided, with Holm's correction at .05."""
    p = hypergeom.cdf(k, n.sum(), k.sum(), n)
    order = np.argsort(p, kind="stable")
    fails = p[order] > 0.05 / (len(p) - np.arange(len(p)))
    found = np.zeros(len(p), bool)
    found[order[: int(np.argmax(fails)) if fails.any() else len(p)]] = True
    return found


def row(world: World, runs: int) -> str:
    """One world with a dead class."""
    rng = np.random.default_rng([18, world.classes])
    held, sound, means, flat, flat_means = 0, 0, 0.0, 0, 0.0
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
        law = knowledge_of(infer(table, "flat")).of(f"recall@{odd}").law
        ends = law.interval(0.95, "central")
        flat, flat_means = flat + bool(ends.low <= truth[odd] <= ends.high), flat_means + law.mean
    share = [f"{100 * x / runs:.0f}" for x in (held, sound, flat)]
    return (
        f"| {world.classes} | {world.sizes.name} | {world.truth.name} | {share[0]}, {means / runs:.3f} | {share[2]}, "
        f"{flat_means / runs:.3f} | {share[1]} | {runs} |"
    )
