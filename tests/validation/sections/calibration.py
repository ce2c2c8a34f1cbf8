"""Calibration of probabilities: how often intervals, bands and the decision are right, where the truth is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from tests.validation.sections import text_of

import howsure as hs
from howsure.curves import calibration_report
from howsure.numerics.calibration import fitted

Floats = NDArray[np.float64]

#: Draws of each number and simulated tests behind bands; cases of the population that truths are taken from.
DRAWS, POPULATION = 400, 200_000

#: Measures whose intervals are counted.
COUNTED = ("ece", "brier_mcb", "brier_dsc", "brier_score", "calibration_in_the_large", "calibration_slope")


@dataclass(frozen=True)
class World:
    """Probabilities from a Beta law, and what is true where they are said.

    Parameters
    ----------
    name : str
    n : int
    a, b : float
        Of the Beta law.
    intercept, slope, power : float
        True chance: ``expit(intercept + slope logit(p)) ** power``.
    steps : int, optional
        Probabilities are rounded to so many steps.
    """

    name: str
    n: int
    a: float
    b: float
    intercept: float = 0.0
    slope: float = 1.0
    power: float = 1.0
    steps: int = 0

    def said(self, rng: np.random.Generator, n: int) -> Floats:
        """Probabilities of cases."""
        p = np.clip(rng.beta(self.a, self.b, n), 1e-4, 1 - 1e-4)
        return p if not self.steps else np.clip(np.round(p * self.steps) / self.steps, 0.02, 0.98)

    def chance(self, p: Floats) -> Floats:
        """What is true where p is said."""
        return expit(self.intercept + self.slope * logit(p)) ** self.power

    @cached_property
    def population(self) -> tuple[Floats, Floats]:
        """Many cases: what is said, what is true."""
        p = self.said(np.random.default_rng(2024), POPULATION)
        return p, self.chance(p)

    @cached_property
    def truths(self) -> dict[str, float]:
        """Values of all measures but the ece, which depends on the bins of the sample."""
        p, r = self.population
        slope = fitted(logit(p), np.ones((1, len(p))), r[None, :])[1][0]
        gap = float(((p - r) ** 2).mean())
        return {
            "brier_mcb": gap if gap > 1e-12 else 0.0,
            "brier_dsc": float(r.var()),
            "brier_score": gap + float((r * (1 - r)).mean()),
            "calibration_in_the_large": float((r - p).mean()),
            "calibration_slope": float(slope),
        }

    def ece(self, said: Floats, bins: int = 10) -> float:
        """Calibration error of the population in bins that hold as many cases of the sample each."""
        p, r = self.population
        edges = np.percentile(said, np.linspace(0, 100, bins + 1))
        made = float(np.abs(np.bincount(np.searchsorted(edges[1:-1], p), r - p, bins)).sum() / len(p))
        return made if made > 1e-9 else 0.0


#: The worlds that constants were chosen on, and others.
CHOSEN_ON = [
    World("calibrated", 200, 1, 1),
    World("too extreme", 200, 1, 1, slope=0.6),
    World("too low", 200, 2, 5, intercept=0.5),
    World("too extreme", 1000, 1, 4, slope=0.8),
]
WORLDS = [
    World("calibrated", 100, 2, 3),
    World("calibrated", 500, 0.7, 3),
    World("calibrated, 11 values", 300, 1, 1.5, steps=10),
    World("too extreme", 150, 0.7, 0.9, slope=0.5),
    World("not extreme enough", 400, 3, 3, slope=1.8),
    World("a little too high", 800, 1, 3, intercept=-0.2),
    World("too high, bent", 300, 1.5, 1.5, power=1.6),
    World("too extreme, 11 values", 600, 1, 1, slope=0.8, steps=10),
]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    yield from text_of("calibration 1")
    both = [rows_of(world, runs) for world in (*CHOSEN_ON, *WORLDS)]
    yield from (first for first, _, _ in both)
    yield from text_of("calibration 2")
    yield from (second for _, second, _ in both)


def rows_of(world: World, runs: int) -> tuple[str, str, Floats]:
    """Both rows of a world, and the percentages: ece (hdi, central), others, each point, whole curve, stays."""
    rng = np.random.default_rng([2011, world.n, int(100 * world.slope), int(100 * world.power), world.steps])
    hits, off, truth = np.zeros(len(COUNTED) + 4), np.zeros(4), 0.0
    told = dict.fromkeys(("recalibrate", "unclear", "no sign"), 0)
    for run in range(runs):
        p = world.said(rng, world.n)
        came = rng.random(world.n) < world.chance(p)
        made = calibration_report(hs.Scores(came, p), draws=DRAWS, seed=run)
        right = {"ece": world.ece(p), **world.truths}
        held = [_holds(made[name].interval(), right[name]) for name in COUNTED]
        held.insert(1, _holds(made["ece"].interval(kind="central"), right["ece"]))
        curve = made.curve
        assert curve is not None
        x = np.array(curve.x)
        inside = (np.quantile(p, 0.02) <= x) & (x <= np.quantile(p, 0.98))
        true, ends = world.chance(x)[inside], [np.array(e)[inside] for e in (curve.low, curve.high)]
        band = [np.array(e)[inside] for e in (curve.band_low, curve.band_high)]
        held += [
            float(((ends[0] <= true) & (true <= ends[1])).mean()),
            bool(((band[0] <= true) & (true <= band[1])).all()),
            curve.leaves is None,
        ]
        hits += held
        seen = made["ece"].observed
        assert seen is not None
        off += [
            seen - right["ece"],
            made["ece"].mean - right["ece"],
            (ends[1] - ends[0]).mean(),
            (band[1] - band[0]).mean(),
        ]
        truth += right["ece"]
        told[made.decision] += 1
    percent, off = 100 * hits / runs, off / runs
    name = f"| {world.name} | {world.n}"
    cells = " | ".join(f"{x:.0f}" for x in percent[:7])
    first = f"{name} | {cells} | {truth / runs:.3f} | {off[0]:+.3f} | {off[1]:+.3f} | {runs} |"
    shares = " | ".join(f"{100 * count / runs:.0f}" for count in told.values())
    second = (
        f"{name} | {percent[7]:.0f} | {percent[8]:.0f} | {off[2]:.2f}, {off[3]:.2f} | {percent[9]:.0f} | {shares} | "
        f"{runs} |"
    )
    return first, second, percent


def _holds(ends: hs.laws.Interval, truth: float) -> bool:
    return bool(ends.low <= truth + 1e-12 and truth - 1e-12 <= ends.high)
