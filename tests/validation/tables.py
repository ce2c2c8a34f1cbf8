"""Writes the coverage tables of docs/validity.md: ``python -m tests.validation.tables --runs 1500`` (`make validate`).

The first two tables repeat the worlds in which the learned prior was designed, the third has worlds it has never seen.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import sys
import time
from collections.abc import Iterator, Sequence

import numpy
import scipy
from tests.validation.coverage import (
    Coverage,
    World,
    alike,
    beta,
    by_size,
    coverage,
    equal,
    humped,
    logit_normal,
    lognormal,
    two_kinds,
)

import howsure as hs

#: Worlds that the learned prior covers less often are named.
LEAST = 0.88

PRIORS = ("flat", "jeffreys", "learned")

EQUAL = [
    *(World(2, equal(5), alike(p)) for p in (0.8, 0.99)),
    *(World(2, equal(20), truth) for truth in (beta(8, 2), alike(0.99))),
    World(2, equal(50), alike(0.99)),
    World(3, equal(5), beta(8, 2)),
    *(World(3, equal(20), truth) for truth in (beta(8, 2), alike(0.99))),
    World(10, equal(5), alike(0.8)),
    *(World(10, equal(20), truth) for truth in (beta(8, 2), alike(0.99))),
    *(World(10, equal(50), truth) for truth in (beta(1.6, 0.4), alike(0.99))),
    World(10, equal(1000), alike(0.99)),
    *(World(100, equal(n), beta(8, 2)) for n in (5, 20)),
    *(World(100, equal(50), alike(p)) for p in (0.8, 0.99)),
    World(100, equal(1000), beta(8, 2)),
    World(1000, equal(5), beta(8, 2)),
    *(World(1000, equal(50), truth) for truth in (alike(0.8), beta(8, 2))),
    *(World(1000, equal(1000), truth) for truth in (beta(8, 2), alike(0.99))),
]
UNEVEN = [
    World(classes, lognormal(mean), truth)
    for classes, mean in ((3, 20), (10, 20), (100, 5), (100, 50), (1000, 50))
    for truth in (by_size(0), by_size(0.3), by_size(0.8), alike(0.8), alike(0.99))
]
NEW = [
    *(
        World(classes, equal(n), truth)
        for classes, n in ((2, 8), (5, 12), (10, 30), (30, 8), (100, 30), (1000, 8), (1000, 30))
        for truth in (alike(0.87), beta(4, 1.5), two_kinds(0.6, 0.95), logit_normal(1.5, 0.8))
    ),
    *(
        World(classes, lognormal(25, 0.8), truth)
        for classes in (4, 12, 40)
        for truth in (beta(4, 1.5), by_size(0.5, 1.5), by_size(-0.5, 1.5), humped())
    ),
    *(World(200, lognormal(25, 0.8), truth) for truth in (by_size(0.5, 1.5), humped())),
]
SECTIONS = (
    ("Equal class sizes", "The worlds in which the learned prior was designed.", EQUAL),
    (
        "Unequal class sizes",
        "Sizes are lognormal (sigma 1) with the mean n; logits of the recalls rise with the logarithm of the size by "
        "the slope, so rare classes are harder. Worlds of the design, too.",
        UNEVEN,
    ),
    (
        "Worlds that the learned prior was not designed on",
        "Two kinds of classes, normal logits, large classes worse, and a hump (classes of middling size best), which "
        "the learned prior's straight line cannot follow.",
        NEW,
    ),
)


#: Runs of every world, where one takes a tenth of a second or more: many classes of unequal size.
ENOUGH = 150

#: Runs of a world, again, where it was covered too rarely; a tenth of that where a run is slow.
AGAIN = 3000


def slow(world: World) -> bool:
    """Whether a run takes a tenth of a second or more."""
    return world.classes >= 40 and world.sizes.name.startswith("~")


def affordable(world: World, runs: int) -> int:
    """Fewer runs where one is slow."""
    return min(runs, ENOUGH) if slow(world) else runs


def page(runs: int) -> Iterator[str]:
    """The document, line by line, as it becomes known."""
    start, learned = time.process_time(), []
    yield from head(runs)
    for title, text, worlds in SECTIONS:
        yield from ("", f"## {title}", "", text, "")
        yield f"| K | n | recalls | {' | '.join(PRIORS)} | runs |"
        yield "| --- | --- | --- |" + " --- |" * (len(PRIORS) + 1)
        for world in worlds:
            count = affordable(world, runs)
            found = {prior: coverage(world, prior, count, seed=1) for prior in PRIORS}
            learned.append((world, found["learned"]))
            cells = " | ".join(map(cell, found.values()))
            yield f"| {world.classes:,} | {world.sizes.name} | {world.truth.name} | {cells} | {count} |"
    yield from ("", "## The learned prior in short", "")
    yield spread("All worlds", learned)
    yield spread("The worlds it was not designed on", learned[-len(NEW) :])
    yield from (below(world, found) for world, found in learned if found.share < LEAST)
    yield from ("", f"Made in {(time.process_time() - start) / 60:.0f} minutes of one core.")


def head(runs: int) -> list[str]:
    """What is asked, of which version, when, and how sure the answers are."""
    return [
        "# Validity",
        "",
        "Written by `make validate` (tests/validation); do not edit.",
        "",
        f"{datetime.date.today()}; howsure {hs.__version__}; Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, SciPy {scipy.__version__}; {runs} runs a world unless the last column says less.",
        "",
        "How often the central 95 % interval of balanced accuracy holds the truth, in percent; in brackets the mean of "
        "(posterior mean - truth) / posterior sd. K classes of n cases; recalls are drawn anew in every run. The Monte "
        f"Carlo standard error of a coverage of 95 % is {100 * error(runs):.1f} points at {runs} runs, "
        f"{100 * error(100):.1f} at 100 and {100 * error(30):.1f} at 30.",
        "",
        "Two different promises are tested. That the code computes the model: averaged over the prior, intervals hold "
        "the truth exactly as often as they say (tests/validation/test_sbc.py, in every `make check`). That the model "
        "is sensible at truths that the prior did not draw: this page, and shorter in every `make check`; that "
        "is checked, not guaranteed.",
        "",
        "Where all classes have one recall near 1 the whole test shows a handful of errors, and the coverage jumps by "
        "the probability of one number of errors when the truth moves a little (Brown, Cai, DasGupta 2001); with 10 "
        "classes of 50 cases and recall 0.99, truths are missed by 0 or 1 errors and by 9 or more, 10.7 % together.",
    ]


def cell(found: Coverage) -> str:
    """Coverage in percent, and the bias."""
    return f"{100 * found.share:.0f} ({found.bias:+.1f})"


def spread(what: str, learned: Sequence[tuple[World, Coverage]]) -> str:
    """Range and mean of the coverages."""
    shares = [found.share for _, found in learned]
    return (
        f"- {what} ({len(shares)}): coverage from {100 * min(shares):.0f} to {100 * max(shares):.0f} %, "
        f"mean {100 * sum(shares) / len(shares):.1f} %."
    )


def below(world: World, found: Coverage) -> str:
    """A world that is covered too rarely, again with other random numbers: the lowest of many is low by chance, too."""
    again = coverage(world, "learned", AGAIN // 10 if slow(world) else AGAIN, seed=2)
    return f"- Below {100 * LEAST:.0f} %: {world}: {share(found)}; again, with another seed: {share(again)}."


def share(found: Coverage) -> str:
    """Coverage with its Monte Carlo error."""
    return f"{100 * found.share:.1f} ± {100 * found.error:.1f} % ({found.runs} runs, bias {found.bias:+.1f})"


def error(runs: int) -> float:
    """Standard error of a coverage of 95 %."""
    return float((0.95 * 0.05 / runs) ** 0.5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="coverage tables as Markdown")
    parser.add_argument("--runs", type=int, default=1500)
    for line in page(parser.parse_args().runs):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
