"""Pooled sites and studies: typical rates, their region, the mean over sites and new sites held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special
from tests.validation.sections import text_of

import howsure as hs

#: Weighted draws of an answer.
DRAWS = 2000


@dataclass(frozen=True)
class Rate:
    """Sites of n cases each, and one rate whose logits have an sd (tau) between sites."""

    sites: int
    cases: int
    typical: float
    tau: float


@dataclass(frozen=True)
class Studies:
    """Studies of 10 to 40 ill and 20 to 80 healthy, typical sensitivity .9 and specificity .95, correlation -.5."""

    number: int
    tau: tuple[float, float]


RATES = [
    Rate(sites, cases, typical, tau)
    for sites, cases in ((3, 10), (6, 10), (12, 10), (6, 30), (12, 30), (6, 100))
    for typical in (0.9, 0.98)
    for tau in (0.0, 0.9)
] + [Rate(20, 1, 0.82, 1.0), Rate(100, 1, 0.95, 1.0)]

STUDIES = [Studies(number, tau) for number in (3, 5, 10, 20) for tau in ((0.0, 0.0), (0.4, 0.4), (0.9, 0.7))]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    yield from text_of("pools 1")
    for rate in RATES:
        yield one_rate(rate, runs)[0]
    yield from text_of("pools 2")
    for studies in STUDIES:
        yield diagnostic(studies, runs)[0]


def one_rate(world: Rate, runs: int) -> tuple[str, NDArray[np.float64]]:
    """A row; and percent held: typical by HDI and central, mean, new."""
    seed = [3806, world.sites, world.cases, int(1000 * world.typical), int(10 * world.tau)]
    rng = np.random.default_rng(seed)
    centre = special.logit(world.typical)
    nodes, weight = np.polynomial.hermite_e.hermegauss(41)
    mean = float(special.expit(centre + world.tau * nodes) @ weight / weight.sum())
    found, off = np.zeros(4), 0.0
    for run in range(runs):
        rates = special.expit(centre + world.tau * rng.standard_normal(world.sites + 1))
        counts = [(int(rng.binomial(world.cases, p)), world.cases) for p in rates[:-1]]
        pooled = hs.pool(counts, draws=DRAWS, seed=run)
        typical = pooled.of("rate")
        found += (
            _holds(typical.interval(0.95, "hdi"), world.typical),
            _holds(typical.interval(0.95, "central"), world.typical),
            _holds(pooled.of("rate", about="mean").interval(0.95, "hdi"), mean),
            _holds(pooled.of("rate", about="new").interval(0.95, "hdi"), rates[-1]),
        )  # fmt: skip
        off += typical.mean - world.typical
    percent = 100 * found / runs
    cells = " | ".join(f"{x:.0f}" for x in percent)
    return (
        f"| {world.sites} | {world.cases} | {world.typical} | {world.tau} | {cells} | {off / runs:+.3f} | {runs} |",
        percent,
    )


def diagnostic(world: Studies, runs: int) -> tuple[str, NDArray[np.float64]]:
    """A row; and percent held: sensitivity, specificity, region, new sensitivity, new specificity."""
    rng = np.random.default_rng([3807, world.number, *(int(10 * t) for t in world.tau)])
    centre = special.logit([0.9, 0.95])
    cover = np.outer(world.tau, world.tau) * [[1, -0.5], [-0.5, 1]]
    found = np.zeros(5)
    for run in range(runs):
        rates = special.expit(rng.multivariate_normal(centre, cover, world.number + 1, method="eigh"))
        sizes = np.stack((rng.integers(10, 41, world.number), rng.integers(20, 81, world.number)), axis=1)
        right = rng.binomial(sizes, rates[:-1])
        studies = [
            hs.ConfusionMatrix.from_counts(tp=int(a), fn=int(m - a), tn=int(b), fp=int(n - b))
            for (a, b), (m, n) in zip(right, sizes, strict=True)
        ]
        pooled = hs.pool(studies, draws=DRAWS, seed=run, kind="central")
        found += (
            *(
                _holds(pooled.of(r).interval(0.95, "central"), t)
                for r, t in zip(pooled.rates, (0.9, 0.95), strict=True)
            ),
            _inside(special.logit(pooled.region("typical")), centre),
            *(
                _holds(pooled.of(r, about="new").interval(0.95, "central"), t)
                for r, t in zip(pooled.rates, rates[-1], strict=True)
            ),
        )
    percent = 100 * found / runs
    tau = f"{world.tau[0]:g}, {world.tau[1]:g}"
    return f"| {world.number} | {tau} | {' | '.join(f'{x:.0f}' for x in percent)} | {runs} |", percent


def _holds(ends: tuple[float, ...], truth: float) -> bool:
    return bool(ends[0] <= truth <= ends[1])


def _inside(edge: NDArray[np.float64], point: NDArray[np.float64]) -> bool:
    """Whether a closed edge runs around a point."""
    off = edge - point
    angle = np.unwrap(np.arctan2(off[:, 1], off[:, 0]))
    return bool(abs(angle[-1] - angle[0]) > np.pi)
