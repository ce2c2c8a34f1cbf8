"""Simulated test sets of scores for a plan: binormal classifiers, or the cases of a pilot drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.data.scores import Scores
from howsure.laws.draw_settings import SEED
from howsure.laws.law import Route
from howsure.numerics.arrays import Booleans, Floats, repeat
from howsure.numerics.curves.placements import placement_covariance
from howsure.numerics.solve.highest_density.of_betas import hdi_width
from howsure.planning.goal import Goal, Solution
from howsure.planning.smallest_n import SCOUTS, simulated_answer
from howsure.posterior.posterior import infer

__all__ = ["PlannedAreas", "World"]

#: Simulated tests that an answer rests on, and those that the posterior itself reads.
TESTS, READ = 400, 60

#: Draws of the posterior of one of these.
DRAWS = 1_500

#: Above this many cases the matched Beta is within 1% of the posterior, and it is not asked.
ENOUGH = 3_000


@dataclass(frozen=True, eq=False)
class World:
    """What test sets come from.

    Parameters
    ----------
    areas : tuple of one or two floats
        True areas; of two, the new classifier first.
    correlation : float
        Of two binormal scores of the same cases, within either class.
    pilot : (positives, negatives), optional
        Scores of a pilot, shape (C, T) each, which cases are drawn from again instead.
    """

    areas: tuple[float, ...]
    correlation: float = 0.0
    pilot: tuple[Floats, Floats] | None = None

    def test(self, positives: int, negatives: int, rng: np.random.Generator) -> tuple[Booleans, Floats]:
        """One test set: which cases are positive, and scores, shape (T, n)."""
        positive = repeat([True, False], [positives, negatives])
        if self.pilot is not None:
            up, down = (each[rng.integers(len(each), size=n)] for each, n in
                        zip(self.pilot, (positives, negatives), strict=True))  # fmt: skip
            return positive, np.concatenate([up, down]).T
        noise = rng.standard_normal((len(self.areas), len(positive)))
        if len(self.areas) == 2:
            rest = np.sqrt(1 - self.correlation**2)
            noise[1] = self.correlation * noise[0] + rest * noise[1]
        apart = np.sqrt(2) * ndtri(np.array(self.areas))
        return positive, noise + apart[:, None] * positive

    @property
    def observed(self) -> float:
        """Difference of the areas of the pilot; of binormal scores the true one."""
        if self.pilot is None:
            return self.areas[0] - self.areas[-1]
        up, down = self.pilot
        positive = repeat([True, False], [len(up), len(down)])
        areas, _ = placement_covariance(positive, np.concatenate([up, down]).T)
        return float(areas[0] - areas[-1])


@dataclass(frozen=True, eq=False)
class PlannedAreas:
    """A goal about an area, or a difference of two, under a supposed world.

    Parameters
    ----------
    goal : Goal
        "width", "above", "below" or "difference".
    world : World
    share : float
        Share of the positive class, held in every test set.
    paired : bool
        Of two classifiers: whether they see the same cases.
    ratio : float
        Width of the posterior's interval over that of the matched Beta.
    """

    goal: Goal
    world: World
    share: float
    paired: bool = True
    ratio: float = 1.0

    @property
    def route(self) -> Route:
        """Simulated."""
        return "simulated"

    @property
    def unit(self) -> str:
        """What n counts."""
        return "cases" if self.goal.kind != "difference" or self.paired else "cases for each classifier"

    def sizes(self, n: int) -> tuple[int, int]:
        """Positives and negatives among n cases: two of each or more."""
        positives = min(max(2, round(n * self.share)), max(2, n - 2))
        return positives, max(2, n - positives)

    def _slack(self, n: int, many: int | None = None, seed: int = SEED) -> Floats:
        """By how much each simulated test passes the goal; below 0 if it fails."""
        many = many or self._tests(n)
        tests = [self._test(n, [seed, run]) for run in range(many)]
        if self.goal.kind == "width":
            return self.goal.target - self.ratio * self._widths(tests)
        return np.array([self._passes(*each) for each in tests])

    def _widths(self, tests: Sequence[tuple[Floats, Floats, tuple[int, int]]]) -> Floats:
        """Widths of the Betas that have the moments of the posteriors; 1 where there is none."""
        known = np.array([_moments(float(a[0]), float(c[0, 0]), sizes) for a, c, sizes in tests])
        mean, spread = known.T
        k = mean * (1 - mean) / spread**2 - 1
        made = np.ones(len(known))
        made[k > 0] = hdi_width((mean * k)[k > 0], ((1 - mean) * k)[k > 0], self.goal.level)
        return made

    def _tests(self, n: int) -> int:
        return int(np.clip(TESTS * 2_000 // max(n, 1), 60, TESTS))

    def _test(self, n: int, seed: list[int]) -> tuple[Floats, Floats, tuple[int, int]]:
        """Observed areas, their covariance, and the class sizes, of one test or of two separate ones."""
        rng, sizes = np.random.default_rng(seed), self.sizes(n)
        areas, covariance = placement_covariance(*self.world.test(*sizes, rng))
        if len(areas) > 1 and not self.paired:
            others, beside = placement_covariance(*self.world.test(*sizes, rng))
            areas = np.array([areas[0], others[1]])
            covariance = np.diag([covariance[0, 0], beside[1, 1]])
        return areas, covariance, sizes

    def _passes(self, areas: Floats, covariance: Floats, sizes: tuple[int, int]) -> float:
        goal = self.goal
        if goal.kind == "difference":
            moved = areas[0] - areas[1] - self.world.observed + goal.target
            sd = float(np.sqrt(max(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1], 1e-12)))
            return float(moved + goal.margin - ndtri(goal.level) * sd)
        mean, sd = _moments(float(areas[0]), float(covariance[0, 0]), sizes)
        reach = float(ndtri(goal.level)) * sd
        return mean - reach - goal.target if goal.kind == "above" else goal.target - mean - reach

    def assurance(self, n: int) -> tuple[float, float]:
        """Share of other simulated tests that reach the goal, and its Monte Carlo error."""
        slack = self._slack(n, seed=1)
        reached = float(np.mean(slack >= 0))
        return reached, float(np.sqrt(max(reached * (1 - reached), 1 / len(slack)) / len(slack)))

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after simulated tests."""
        many = min(SCOUTS, self._tests(n))
        if self.goal.kind == "width":
            return self.goal.target - self._slack(n, many, seed + 2)
        found = []
        for run in range(many):
            areas, covariance, sizes = self._test(n, [seed + 2, run])
            if self.goal.kind == "difference":
                sd = np.sqrt(max(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1], 1e-12))
                moved = areas[0] - areas[1] - self.world.observed + self.goal.target
                found.append(ndtr((moved + self.goal.margin) / sd))
                continue
            mean, spread = _moments(float(areas[0]), float(covariance[0, 0]), sizes)
            beyond = ndtr((mean - self.goal.target) / spread)
            found.append(beyond if self.goal.kind == "above" else 1 - beyond)
        return np.array(found)

    def aimed(self, target: float) -> PlannedAreas:
        """The same with another target."""
        return replace(self, goal=replace(self.goal, target=target))

    def solve(self, asked: float) -> Solution | None:
        """Smallest n, with its Monte Carlo error."""
        return simulated_answer(self._slack, asked, TESTS)

    def calibrated(self, n: int) -> PlannedAreas:
        """The same, with the width that the posterior itself has in simulated tests of n cases."""
        if self.goal.kind != "width" or n > ENOUGH:
            return self
        return replace(self, ratio=self._read(n))

    def _read(self, n: int) -> float:
        """Mean ratio of the posterior's widths to those of the matched Beta."""
        wide, tests = [], []
        for run in range(READ):
            positive, scores = self.world.test(*self.sizes(n), np.random.default_rng([3, run]))
            tests.append((*placement_covariance(positive, scores), self.sizes(n)))
            law = infer(Scores(positive.astype(int), scores[0])).of("roc_auc", draws=DRAWS, seed=run)
            wide.append(law.interval(self.goal.level).width)
        return float(np.mean(np.array(wide) / self._widths(tests)))

    @cached_property
    def expected(self) -> float:
        """The supposed area of the first classifier."""
        return self.world.areas[0]


def _moments(area: float, variance: float, sizes: tuple[int, int]) -> tuple[float, float]:
    """Mean and sd of the posterior of an area: DeLong's variance, and what two pseudo-cases a class add to it."""
    h = np.sqrt(2 / (1 / sizes[0] + 1 / sizes[1]))
    a, b = 0.5 + h * area, 0.5 + h * (1 - area)
    q, spread = a / (a + b), a * b / (a + b) ** 2 / (a + b + 1)
    weight = 2 / (sizes[0] + 2) + 2 / (sizes[1] + 2)
    return float(area + weight * (q - area)), float(np.sqrt(max(variance, 0.0) + weight**2 * spread))
