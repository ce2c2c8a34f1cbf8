"""Goals that make sense, and the sentences for those that do not."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.law import checked_level
from howsure.planning.counted_goals import MOST_COMPARED, Compared, OneRate
from howsure.planning.goal import MOST_CASES, MOST_SIMULATED, Goal
from howsure.planning.pose import Posed
from howsure.planning.simulated_goals import Simulated

__all__ = [
    "asked_for",
    "chance_of",
    "checked_cases",
    "checked_margin",
    "countable",
    "never",
    "refuse_out_of_range",
    "refuse_unreachable",
    "stated_goal",
]


def stated_goal(
    width: float | None,
    above: float | str | None,
    below: float | None,
    difference: float | None,
    margin: float | None,
    level: float,
    *,
    cases: bool = False,
) -> Goal:
    """The one goal that was named, in its range."""
    level = checked_level(level)
    compared = difference is not None or margin is not None
    named = [x is not None for x in (width, above, below)]
    if sum(named) + compared != 1:
        alone = "; what n cases show is howsure.detect(metric, n, goal='width')" if cases else ""
        raise InvalidArgument(
            "a plan has one goal: width=0.1 (of the interval), above=0.8 or below=0.1 (a threshold), "
            f"difference=0.05 (of two classifiers), margin=0.02 (no worse than that){alone}"
        )
    if width is not None:
        if not 0 < number(width) < np.inf:
            raise InvalidArgument(
                f"width is above 0, not {excerpt(width)}: no test of finite size has an interval without width"
            )
        return Goal("width", float(width), level)
    if compared:
        return _comparison(difference, margin, level)
    value, kind = (above, "above") if above is not None else (below, "below")
    if isinstance(value, str) and value == "chance":
        return Goal("above", 0.0, level)
    threshold = number(value)
    if not np.isfinite(threshold):
        raise InvalidArgument(f"{kind} is a number, not {excerpt(value)}")
    return Goal("above" if kind == "above" else "below", threshold, level)


def _comparison(difference: float | None, margin: float | None, level: float) -> Goal:
    for name, value in (("difference", difference), ("margin", margin)):
        if value is not None and not np.isfinite(number(value)):
            raise InvalidArgument(f"{name} is a number, not {excerpt(value)}")
    apart, worse = float(difference or 0.0), float(margin or 0.0)
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


def countable(posed: Posed, n: int) -> int:
    """Return a number of cases at which this goal can be counted out."""
    if isinstance(posed.problem, Compared) and n > MOST_COMPARED:
        raise InvalidArgument(f"two classifiers are compared on up to {MOST_COMPARED:,d} cases here, not on {n:,d}")
    return n


def chance_of(posed: Posed) -> float:
    """Value of a classifier without skill: of the supposed class shares, or of equally frequent classes."""
    size = len(posed.labels)
    shares = posed.shares if posed.shares is not None else np.full(size, 1 / size)
    value = posed.measure.chance(np.diag(shares))
    if value is None:
        raise InvalidArgument(f"{posed.measure.name} declares no value of chance; say above= and a number")
    return value


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


def refuse_unreachable(posed: Posed, asked: float) -> None:
    """Thresholds that the supposed truth does not exceed often enough, whatever the test."""
    problem, name = posed.problem, posed.measure.name
    kind, target = problem.goal.kind, problem.goal.target
    if kind not in ("above", "below"):
        return
    share = 1.0
    if isinstance(problem, OneRate) and problem.truth is not None:
        truth = problem.truth
        below = float(truth.a < target) if truth.fixed else float(betainc(truth.a, truth.b, target))
        at = float(truth.fixed and truth.a == target)
        share = below if kind == "below" else 1 - below - at
    elif isinstance(problem, Simulated):
        values = problem.measure(problem.truths.tables)
        share = float(np.mean(values > target if kind == "above" else values < target))
    if share <= asked and share < 1:
        raise InvalidArgument(
            f"no number of cases reaches this with assurance {asked:g}: as supposed, {name} is {kind} {target:g} with "
            f"probability {share:.3g} only"
        )


def never(posed: Posed, asked: float) -> str:
    """Say that the search has found no number of cases."""
    problem = posed.problem
    most = (
        MOST_COMPARED
        if isinstance(problem, Compared)
        else MOST_CASES
        if isinstance(problem, OneRate)
        else MOST_SIMULATED
    )
    return (
        f"no number of cases up to {most:,d} gives this goal for {posed.measure.name} with assurance {asked:g}; "
        "ask for less, or suppose something else"
    )
