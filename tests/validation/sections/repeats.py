"""Items that are tried several times: how often intervals of pass^k, pass@k and the mean score hold the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from tests.validation.sections import text_of

import howsure as hs

Floats = NDArray[np.float64]

LEVEL = 0.95

#: Rates that stand for a population whose power means have no formula here.
MANY = 4000


@dataclass(frozen=True)
class World:
    """Items whose rates are of one population.

    Parameters
    ----------
    items, tries : int
        How many, and runs of each.
    population : str
        ``beta``: Beta(first, second). ``two kinds``: half of the items have the first rate, half the second.
        ``logit``: the logits are normal with this mean and sd.
    first, second : float
        Its parameters.
    """

    items: int
    tries: int
    population: str
    first: float
    second: float

    def rates(self, share: Floats) -> Floats:
        """Rates at shares of the population."""
        if self.population == "beta":
            return np.asarray(special.betaincinv(self.first, self.second, share))
        if self.population == "two kinds":
            return np.where(share < 0.5, self.first, self.second)
        return np.asarray(special.expit(self.first + self.second * stats.norm.ppf(share)))


#: None of them in the documents or in docs/groups.md.
POPULATIONS = (("beta", 2.0, 1.0), ("beta", 12.0, 1.0), ("two kinds", 0.9, 0.2), ("logit", 1.0, 1.5))
WORLDS = [World(items, tries, *population) for items in (10, 20, 50) for tries in (5, 8) for population in POPULATIONS]


def asked(tries: int) -> tuple[str, ...]:
    """Measures of a test of so many tries."""
    return ("mean_score", f"pass^{tries}", "pass^3", "pass@3")


def value(measure: str, rates: Floats) -> float:
    """A measure at known rates of the items."""
    if measure == "mean_score":
        return float(rates.mean())
    k = int(measure[5:])
    return float((1 - (1 - rates) ** k).mean() if measure[4] == "@" else (rates**k).mean())


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    runs = max(2, runs // 12)
    yield from table([sum(of_test(world, test) for test in range(runs)) for world in WORLDS], runs)


def table(hits: list[Floats], runs: int) -> Iterator[str]:
    """The section, given how many intervals hold the truth in each world."""
    yield from text_of("repeats 1", runs, len(POPULATIONS))
    tests, whole = len(POPULATIONS) * runs, np.zeros((8, 2))
    for first in range(0, len(WORLDS), len(POPULATIONS)):
        world, row = WORLDS[first], sum(hits[first : first + len(POPULATIONS)], np.zeros((8, 2)))
        whole += row
        yield f"| {world.items} x {world.tries} | {cells(row, tests)} | {tests} |"
    every = tests * len(WORLDS) // len(POPULATIONS)
    yield f"| all | {cells(whole, every)} | {every} |"


def cells(hits: Floats, tests: int) -> str:
    """Percent, HDI/central, of each measure."""
    return " | ".join(f"{100 * a / tests:.0f}/{100 * b / tests:.0f}" for a, b in hits)


def of_test(world: World, test: int) -> Floats:
    """Which intervals of a test hold the truth: these items then new ones, by measure, HDI and central."""
    rng = np.random.default_rng([520, test, world.items, world.tries, int(100 * world.first), int(100 * world.second)])
    population = world.rates((np.arange(MANY) + 0.5) / MANY)
    rates = world.rates(rng.random(world.items))
    data = hs.Repeats.from_array((rng.random((world.items, world.tries)) < rates[:, None]).astype(int))
    hits = np.zeros((8, 2))
    for i, (known, truth) in enumerate(
        (
            (hs.infer(data, "learned", groups="these"), rates),
            (hs.infer(data, "learned", groups="new"), population),
        )
    ):
        for j, measure in enumerate(asked(world.tries)):
            made, wanted = known.of(measure), value(measure, truth)
            for k, ends in enumerate((made.interval(LEVEL, "hdi"), made.interval(LEVEL, "central"))):
                hits[4 * i + j, k] = ends.low <= wanted <= ends.high
    return hits
