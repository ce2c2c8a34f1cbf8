"""A judge has answered every case and people label some: the width of the share of a class, simulated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from howsure.laws.draw_settings import SEED
from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.judged_labels import allotted, matched_width, simulated_labels
from howsure.planning.goal import Goal, Solution

__all__ = ["ADVISED", "AT_RANDOM", "EVENLY", "NEYMAN", "TESTS", "JudgedLabels"]

#: Simulated tests at each number of labels.
TESTS = 400
#: Labels of each verdict at least, where they are not at random; labels from which such a choice is advised.
LEAST, ADVISED = 10, 100

AT_RANDOM, EVENLY, NEYMAN = "at random", "evenly by verdict", "by verdict (Neyman)"


@dataclass(frozen=True)
class JudgedLabels:
    """A width of the share of a class, where people label some of the cases that a judge has answered.

    Parameters
    ----------
    goal : Goal
        Of kind "width".
    names : tuple of str
        The V verdicts.
    q, r : tuple of float
        True shares of the verdicts, and of the class among the cases of each.
    cases : int
        That the judge has answered.
    chosen : str
        How labels are chosen.
    """

    goal: Goal
    names: tuple[str, ...]
    q: tuple[float, ...]
    r: tuple[float, ...]
    cases: int
    chosen: str = AT_RANDOM
    seed: int = SEED

    route: Route = "simulated"

    @property
    def unit(self) -> str:
        """What n counts."""
        return f"labels {self.chosen}"

    @property
    def theta(self) -> float:
        """Share of the class."""
        return float(np.dot(self.q, self.r))

    @property
    def correlation(self) -> float:
        """Of verdict and truth: the root of the share of the variance that is between verdicts."""
        between = float(np.dot(self.q, (np.array(self.r) - self.theta) ** 2))
        return float(np.sqrt(between / (self.theta * (1 - self.theta))))

    @property
    def weights(self) -> Floats | None:
        """Labels of the verdicts are in proportion to these; None at random."""
        q, r = np.array(self.q), np.array(self.r)
        if self.chosen == AT_RANDOM:
            return None
        return np.ones(len(q)) if self.chosen == EVENLY else np.asarray(q * np.sqrt(r * (1 - r)))

    def per_verdict(self, n: int) -> dict[str, int]:
        """Labels of each verdict, as expected."""
        room = allotted(self.cases, np.array(self.q), np.full(len(self.q), self.cases))
        random = self.weights is None
        each = allotted(n, np.array(self.q) if self.weights is None else self.weights, room, 0 if random else LEAST)
        return dict(zip(self.names, each.tolist(), strict=True))

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width of the interval after simulated tests with n labels."""
        rng = np.random.default_rng([seed, 17])
        q, r = np.array(self.q), np.array(self.r)
        moments = simulated_labels(n, self.cases, q, r, self.weights, LEAST, TESTS, rng)
        return matched_width(*moments, self.goal.level)

    @cached_property
    def _reached(self) -> dict[int, float]:
        return {}

    def assurance(self, n: int) -> tuple[float, float]:
        """Share of the simulated tests whose interval is narrow enough, and its Monte Carlo error."""
        if n not in self._reached:
            self._reached[n] = float(np.mean(self.outcomes(n, self.seed) <= self.goal.target))
        share = self._reached[n]
        return share, float(np.sqrt(max(share * (1 - share), 1 / TESTS) / TESTS))

    def solve(self, asked: float) -> Solution | None:
        """Smallest n by bisection from the formula of the width; None where a label of every case is not enough."""
        if self.assurance(self.cases)[0] < asked:
            return None
        q, r = np.array(self.q), np.array(self.r)
        room = (self.goal.target / (2 * ndtri((1 + self.goal.level) / 2))) ** 2
        room -= float(q @ (r - self.theta) ** 2) / self.cases
        start = float(q @ (r * (1 - r))) / room - 3 if room > 0 else self.cases
        few, enough = 0, int(np.clip(start, 1, self.cases))
        while self.assurance(enough)[0] < asked:
            few, enough = enough, min(self.cases, max(enough + 1, round(1.3 * enough)))
        while enough - few > max(1, enough // 200):
            middle = (few + enough) // 2
            few, enough = (few, middle) if self.assurance(middle)[0] >= asked else (middle, enough)
        apart = max(2, enough // 10)
        ends = max(1, enough - apart), min(self.cases, enough + apart)
        rise = (self.assurance(ends[1])[0] - self.assurance(ends[0])[0]) / max(1, ends[1] - ends[0])
        return Solution(enough, None, self.assurance(enough)[1] / max(rise, 0.05 / enough))

    def aimed(self, target: float) -> JudgedLabels:
        """The same with another target."""
        return replace(self, goal=replace(self.goal, target=target))
