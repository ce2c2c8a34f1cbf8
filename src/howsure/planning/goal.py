"""Goals of a plan, and the smallest number of cases that reaches one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantile_spread
from howsure.numerics.trials.assurance import MOST_CASES

__all__ = [
    "MOST_CASES",
    "MOST_SIMULATED",
    "SCOUTS",
    "Goal",
    "GoalKind",
    "Problem",
    "Solution",
    "borne_out",
    "rounded",
    "simulated_answer",
]

GoalKind = Literal["width", "above", "below", "difference", "leader"]

#: No plan whose outcomes are simulated goes beyond this many cases.
MOST_SIMULATED = 10**7


@dataclass(frozen=True)
class Goal:
    """What a test is to reach.

    Parameters
    ----------
    kind : "width", "above", "below", "difference" or "leader"
        An interval no wider than ``target``; P(metric > target) or P(metric < target) at least ``level``;
        P(new is better than old) at least ``level`` when the true difference is ``target``; P(the truly best is the
        best) at least ``level`` when it is ahead by ``target``.
    target : float
        See above.
    level : float
        Of the interval, or the certainty.
    margin : float
        For a difference: the new one may be worse by so much (non-inferiority).
    """

    kind: GoalKind
    target: float
    level: float
    margin: float = 0.0


@dataclass(frozen=True)
class Solution:
    """Number of cases for a goal.

    Parameters
    ----------
    n : int
        The goal holds from here on.
    first : int or None
        The first n that ever reaches it; None where that is not known.
    error : float
        Monte Carlo standard error of n; 0 where it is counted out.
    """

    n: int
    first: int | None
    error: float = 0.0


class Problem(Protocol):
    """A goal under a supposed truth."""

    @property
    def route(self) -> Route:
        """How n is found, "exact" or "simulated"."""

    @property
    def goal(self) -> Goal:
        """What is to be reached."""

    @property
    def unit(self) -> str:
        """What n counts."""

    def assurance(self, n: int) -> tuple[float, float]:
        """Probability that n cases reach the goal, and its Monte Carlo error."""

    def solve(self, asked: float) -> Solution | None:
        """Smallest n with this assurance; None if none up to `MOST_CASES`."""

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after each of many simulated tests of n cases."""

    def aimed(self, target: float) -> Problem:
        """The same with another target."""


#: Simulated tests on a curve, and while the answer is still being bracketed, which forgives a factor of 2.
SCOUTS, FORERUNNERS = 200, 60
#: Where the answer is refined: factors of n, from afar; and from near, where the line is known so well that what it
#: is not straight would count.
AROUND, NEAR = (0.6, 0.77, 1.0, 1.3, 1.7), (0.9, 0.95, 1.0, 1.05, 1.1)
#: Relative error of n below which one looks from near.
SHARP = 0.02


def simulated_answer(
    slack: Callable[[int, int], Floats], asked: float, tests: int, near: float | None = None
) -> Solution | None:
    """Smallest n at which all but ``1 - asked`` of the simulated tests pass; None where none does.

    Parameters
    ----------
    slack : callable
        From n and a number of tests to an array: by how much each of them passes, below 0 if it fails; a distance
        less multiples of a standard deviation, so that its quantiles are straight lines in 1 / sqrt(n).
    asked : float
        The assurance.
    tests : int
        Simulated tests at each n that the answer rests on.
    near : float, optional
        About where it is, if that is known: nothing is bracketed then.

    Notes
    -----
    Doubling brackets the answer; then a line is fitted, in 1 / sqrt(n), to the (1 - asked)-quantile of the slack at
    five n around it, and again nearer to it where noise is small. Its zero is n. The truths are the same at every n.
    """
    high = 16
    while near is None and np.quantile(slack(high, min(FORERUNNERS, tests)), 1 - asked) < 0:
        high *= 2
        if high > MOST_SIMULATED:
            return None
    centre, error, factors = (0.75 * high if near is None else near), 0.0, AROUND
    for _ in range(5):
        sizes = np.array(sorted({max(2, round(centre * factor)) for factor in factors}))
        found = [np.sort(slack(int(n), tests)) for n in sizes]
        heights = np.array([np.quantile(each, 1 - asked) for each in found])
        errors = np.array([quantile_spread(each, 1 - asked, asked * (1 - asked) / len(each)) for each in found])
        # tests that happen to agree are not known better than those of the other sizes
        errors = np.maximum(errors, errors.mean()) + 1e-12
        zero, spread = _zero(sizes**-0.5, heights, errors)
        far, near = (3 * centre) ** -0.5, (centre / 3) ** -0.5
        settled = sizes[-1] ** -0.5 <= zero <= sizes[0] ** -0.5
        centre = float(np.clip(zero, far, near)) ** -2
        error = 2 * centre**1.5 * spread
        if centre < 4 or (settled and (factors is NEAR or error > SHARP * centre)):
            break
        factors = NEAR if settled else AROUND
    return rounded(centre, error)


def rounded(centre: float, error: float) -> Solution:
    """The first whole number from there on, without digits below its error, which would be noise."""
    unit = 10 ** max(0, int(np.floor(np.log10(max(1.0, 2 * error)))))
    return Solution(max(1, int(np.ceil(centre / unit)) * unit), None, error)


def borne_out(answer: Solution, asked: float, assurance: Callable[[int], tuple[float, float]]) -> Solution:
    """The answer, raised by its error, then by twice that, and so on while other simulated tests say it is too small.

    Where all tests of a size have nearly the same width, one case decides between hardly any of them and nearly all.
    """
    n, step = answer.n, max(1, round(answer.error))
    for _ in range(6):
        reached, error = assurance(n)
        if reached + error >= asked:
            break
        n, step = n + step, 2 * step
    return Solution(n, answer.first, answer.error)


def _zero(x: Floats, y: Floats, errors: Floats) -> tuple[float, float]:
    """Where a weighted falling line through the points meets 0, and the standard error of that place."""
    weight = errors**-2.0
    middle = float(np.average(x, weights=weight))
    height = float(np.average(y, weights=weight))
    spread = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * y).sum()) / max(spread, 1e-300)
    if slope >= 0:  # flat within its noise: look elsewhere
        return middle * (1 + 0.25 * float(np.sign(height))), 0.25 * middle
    zero = middle - height / slope
    return zero, float(np.sqrt(1 / weight.sum() + (zero - middle) ** 2 / max(spread, 1e-300)) / -slope)
