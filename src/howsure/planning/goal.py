"""Goals of a plan, problems that can be asked how probably a test reaches one, and the smallest test that does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.law import Route, checked_level
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import quantile_spread
from howsure.numerics.trials.assurance import MOST_CASES

__all__ = [
    "MOST_CASES",
    "MOST_SIMULATED",
    "SCOUTS",
    "After",
    "Drawn",
    "Goal",
    "GoalKind",
    "Problem",
    "Simulation",
    "Solution",
    "asked_for",
    "borne_out",
    "checked_cases",
    "checked_margin",
    "refuse_out_of_range",
    "rounded",
    "simulated_answer",
    "stated_goal",
]

GoalKind = Literal["width", "above", "below", "difference", "leader"]

#: No plan whose outcomes are simulated goes beyond this many cases.
MOST_SIMULATED = 10**7

#: Simulated tests at one n.
TESTS = 400


class After(Protocol):
    """What is known of a metric, or of a difference in favour of the new classifier, after each of R tests."""

    def widths(self, level: float) -> Floats:
        """Widths of the intervals, shape (R,)."""

    def quantiles(self, p: Floats) -> Floats:
        """Quantiles at probabilities (P,), shape (R, P)."""

    def above(self, value: float) -> Floats:
        """P(metric > value), shape (R,)."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """The same by draws or even quantiles, shape (R, S); and the differences that were observed, shape (R,)."""

    values: Floats
    observed: Floats | None = None

    def widths(self, level: float) -> Floats:
        """Not asked of differences."""
        raise NotImplementedError

    def quantiles(self, p: Floats) -> Floats:
        """By interpolation."""
        return np.asarray(np.quantile(self.values, p, axis=1).T)

    def above(self, value: float) -> Floats:
        """Shares of the draws."""
        return np.asarray((self.values > value).mean(axis=1))


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

    def slack(self, after: After) -> Floats:
        """By how much each test passes; below 0 if it fails."""
        if self.kind == "width":
            return np.asarray(self.target - after.widths(self.level))
        if self.kind == "below":
            return np.asarray(self.target - after.quantiles(np.array([self.level]))[:, 0])
        low = after.quantiles(np.array([1 - self.level]))[:, 0]
        if self.kind == "above":
            return np.asarray(low - self.target)
        slack, observed = low + self.margin, getattr(after, "observed", None)
        if not isinstance(after, Drawn) or observed is None:
            return np.asarray(slack)
        # a gate does not pass where more than half of the distance from the margin to the mean is the prior's
        by_cases = 2 * (observed + self.margin) - (after.values.mean(axis=1) + self.margin)
        return np.where(np.isnan(by_cases), slack, np.minimum(slack, by_cases))

    def shown(self, after: After) -> Floats:
        """What the curve of a plan shows of each test: the width, or the probability of the statement."""
        if self.kind == "width":
            return after.widths(self.level)
        if self.kind == "below":
            return np.asarray(1 - after.above(self.target))
        return after.above(self.target if self.kind == "above" else -self.margin)


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


@dataclass(frozen=True, eq=False)
class Problem(ABC):
    """A goal under a supposed truth."""

    #: What is to be reached.
    goal: Goal
    unit: str

    #: How n is known.
    route: ClassVar[Route] = "simulated"
    #: Cases up to which n is looked for; whether the sign test decides.
    most = MOST_SIMULATED
    strict = False

    @abstractmethod
    def assurance(self, n: int) -> tuple[float, float]:
        """Probability that n cases reach the goal, and its Monte Carlo error."""

    @abstractmethod
    def solve(self, asked: float) -> Solution | None:
        """Smallest n, from which the goal holds for good, with this assurance; None if there is none."""

    @abstractmethod
    def outcomes(self, n: int, seed: int) -> Floats:
        """Width of the interval, or probability of the statement, after each of many simulated tests of n cases."""

    def aimed(self, target: float) -> Self:
        """The same with another target."""
        return replace(self, goal=replace(self.goal, target=target))

    @property
    def room(self) -> float:
        """Largest difference that the supposed truth leaves room for."""
        return 1.0

    @property
    def true(self) -> float:
        """Probability that the supposed truth is beyond the threshold that is to be shown; 1 of other goals."""
        return 1.0


@dataclass(frozen=True, eq=False)
class Simulation(Problem):
    """A goal whose tests are simulated, and each is read as a real one would be."""

    @property
    def tests(self) -> int:
        """Simulated tests at one n, for the answer."""
        return TESTS

    @abstractmethod
    def after(self, n: int, many: int, stream: int) -> Any:
        """What is known after each of so many tests of n cases: an `After`."""

    def again(self, n: int) -> int:
        """Simulated tests of n cases, for the assurance."""
        return self.tests

    def slack(self, n: int, many: int, stream: int = 0) -> Floats:
        """By how much each simulated test passes the goal; below 0 if it fails."""
        return self.goal.slack(self.after(n, many, stream))

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after simulated tests, for a curve."""
        return self.goal.shown(self.after(n, SCOUTS, seed + 2))

    @cached_property
    def _reached(self) -> dict[int, tuple[float, float]]:
        """Assurances so far: that of the answer is asked for again."""
        return {}

    def assurance(self, n: int) -> tuple[float, float]:
        """Share of other simulated tests that reach the goal, and its Monte Carlo error."""
        if n not in self._reached:
            many = self.again(n)
            reached = float(np.mean(self.slack(n, many, 1) >= 0))
            self._reached[n] = reached, float(np.sqrt(max(reached * (1 - reached), 1 / many) / many))
        return self._reached[n]

    def solve(self, asked: float) -> Solution | None:
        """Smallest n, with its Monte Carlo error."""
        found = simulated_answer(self.slack, asked, self.tests)
        return None if found is None else borne_out(found, asked, self.assurance)


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


# -- Goals that make sense, and the sentences for those that do not ----------------------------------------------------


def stated_goal(goals: Mapping[str, Any], level: float, *, cases: bool = False) -> Goal:
    """The one goal that was named, in its range; ``cases`` says that their number was given."""
    level, named = checked_level(level), {name: value for name, value in goals.items() if value is not None}
    compared = {name: value for name, value in named.items() if name in ("difference", "margin")}
    if len(named) - len(compared) + bool(compared) != 1:
        alone = "; what n cases show is howsure.detect(metric, n, goal='width')" if cases else ""
        raise InvalidArgument(
            "a plan has one goal: width=0.1 (of the interval), above=0.8 or below=0.1 (a threshold), "
            f"difference=0.05 (of two classifiers), margin=0.02 (no worse than that){alone}"
        )
    if isinstance(named.get("above"), str) and named["above"] == "chance":
        return Goal("above", 0.0, level)
    if "width" in named and not 0 < number(named["width"]) < np.inf:
        raise InvalidArgument(
            f"width is above 0, not {excerpt(named['width'])}: no test of finite size has an interval without width"
        )
    for name, value in named.items():
        if not np.isfinite(number(value)):
            raise InvalidArgument(f"{name} is a number, not {excerpt(value)}")
    if not compared:
        ((kind, target),) = named.items()
        return Goal(kind, float(target), level)  # type: ignore[arg-type]
    apart, worse = (float(named.get(name, 0.0)) for name in ("difference", "margin"))
    if apart < 0 or worse < 0:
        raise InvalidArgument(
            "difference and margin are 0 or more: by how much the new one is better, and may be worse"
        )
    if apart == 0 and worse == 0:
        raise InvalidArgument(
            "no number of cases shows a difference of 0: two equal classifiers are each ahead half of the time. "
            "Name the smallest difference that matters, or a margin= by which the new one may be worse"
        )
    return Goal("difference", apart, level, worse)


def asked_for(assurance: float) -> float:
    """Return an assurance strictly between 0 and 1."""
    if not 0 < number(assurance) < 1:
        hint = ": no finite test is certain to succeed" if number(assurance) == 1 else ""
        raise InvalidArgument(f"assurance is a probability strictly between 0 and 1, not {excerpt(assurance)}{hint}")
    return float(assurance)


def checked_margin(margin: float, kind: str) -> float:
    """Return the margin of a difference that is looked for."""
    if not 0 <= number(margin) < np.inf:
        raise InvalidArgument(f"margin is a number, 0 or more, not {excerpt(margin)}")
    if margin and kind != "difference":
        raise InvalidArgument("a margin is by how much the new one of two may be worse; it goes with goal='difference'")
    return float(margin)


def checked_cases(n: int) -> int:
    """Return a number of cases that can be planned with."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_CASES:
        raise InvalidArgument(f"n is an integer number of cases from 1 to {MOST_CASES:,d}, not {excerpt(n)}")
    return int(n)


def refuse_out_of_range(goal: Goal, name: str, bounds: tuple[float, float]) -> None:
    """Refuse a width, difference or margin that spans all values of the metric, and a threshold outside them."""
    low, high = bounds
    if goal.kind in ("above", "below") and not low < goal.target < high:
        hint = f" ({goal.target:g}% is {goal.kind}={goal.target / 100:g})" if high < goal.target < 100 * high else ""
        raise InvalidArgument(f"{name} lies between {low:g} and {high:g}; {goal.target:g} is no threshold in it{hint}")
    for kind, size in ((goal.kind, goal.target), ("margin", goal.margin)):
        if kind in ("width", "difference", "margin") and size >= high - low:
            hint = f" ({size:g}% is {kind}={size / 100:g})" if 1 < size < 100 * (high - low) else ""
            raise InvalidArgument(
                f"{kind} is below {high - low:g}, because {name} lies between {low:g} and {high:g}; not {size:g}{hint}"
            )
