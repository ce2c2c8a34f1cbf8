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

#: Cells of the default below this are told again below the tables.
LEAST = 0.90

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

#: Why cells of the default may be below 90%, by the name of the truth.
REASONS = (
    ("all 0.9", "nearly every answer is right, so few numbers of errors are possible and the coverage jumps from one "
     "truth to the next (Brown, Cai, DasGupta 2001)"),
    ("10% dead", "each dead class is drawn from its true recall of 0.04 by half an answer, and a hundred of them move "
     "the average; a learned shape of the broad part would mend it and cost two more dimensions"),
    ("hump", "a straight line in the logarithm of the size cannot follow a hump"),
    ("by log size", "recalls that are a function of the size alone, straight where the learned line is a logit"),
    ("0.55 or 0.93", "two groups of equal weight are no population of one main part and few odd classes"),
)  # fmt: skip

NEAR_ONE = (
    "Each prior of a recall draws its law towards one half; near 1 the central interval of the sum stops "
    "short of the "
    "truth, and the highest-density one reaches it more often."
)


def affordable(world: World, runs: int) -> int:
    """Fewer runs where one takes long: many classes of unlike sizes."""
    slow = world.classes >= 100 and not world.sizes.name.isdigit() and "by log" not in world.truth.name
    return max(20, runs // 6) if slow else max(30, runs // 3) if world.classes >= 300 else runs


def lines(runs: int) -> Iterator[str]:
    """The tables, and the cells of the default that are low."""
    yield from (
        "## Balanced accuracy",
        "",
        "Central / highest-density 95% interval, percent of the runs that hold the truth (mean of (posterior mean - "
        "truth) / posterior sd). `bootstrap`: percentiles of 1,000 resamplings within the classes.",
    )
    low: list[tuple[World, Coverage]] = []
    for title, worlds in TABLES:
        yield from ("", f"### {title}", "", f"| K | n | recalls | {' | '.join(PRIORS)} | runs |")
        yield "| --- | --- | --- |" + " --- |" * (len(PRIORS) + 1)
        for world in worlds:
            count = affordable(world, runs)
            found = {prior: coverage(world, prior, count, seed=16) for prior in PRIORS}
            low += [(world, found["default"])] if min(found["default"].share, found["default"].hdi) < LEAST else []
            cells = " | ".join(map(cell, found.values()))
            yield f"| {world.classes:,} | {world.sizes.name} | {world.truth.name} | {cells} | {count} |"
    yield from ("", f"Cells of the default below {100 * LEAST:.0f}%, again with other random numbers:", "")
    for world, found in low:
        again = coverage(world, "default", 3 * found.runs, seed=17)
        yield f"- {world}: {cell(found)}, again {cell(again)} of {again.runs}. {reason(world, again)}"
    if not low:
        yield "- none."


def reason(world: World, again: Coverage) -> str:
    """What is known of a low cell."""
    if min(again.share, again.hdi) >= LEAST:
        return f"Chance: {100 * LEAST:.0f} or more the second time."
    if world.classes == 2 and again.bias < -0.5:
        return NEAR_ONE
    for name, why in REASONS:
        if name in world.truth.name:
            return f"{why[0].upper()}{why[1:]}."
    if world.classes == 2:
        return "The papers' model at two classes; `jeffreys` or `learned` by name are nearer."
    return "Few cases: what is possible to count is coarse."


def cell(found: Coverage) -> str:
    """Both coverages in percent, and the bias."""
    return f"{100 * found.share:.0f}/{100 * found.hdi:.0f} ({found.bias:+.1f})"
