"""Goals of a test, and the shape of every answer to "how many cases"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.assurance import MOST_CASES

__all__ = ["MOST_CASES", "MOST_SIMULATED", "Goal", "GoalKind", "Problem", "Solution"]

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
