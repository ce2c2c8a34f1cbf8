"""What `plan` and `detect` give: the number of cases, what it rests on, and the curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from howsure.answers.sheet import COVERS, Record, Sheet
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import SEED, Route
from howsure.planning.goal import Goal, Problem, Solution
from howsure.text import formats
from howsure.text.svg import sizes

__all__ = ["Plan", "PlannedGroups", "Point", "planned", "thumb_rule"]

#: Factors of n on the curve.
ALONG = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)

#: How n is known.
HOW: dict[Route, str] = {
    "exact": "counted out, exact",
    "simulated": "from simulated tests",
    "approximate": "by the design effect, approximate",
}


@dataclass(frozen=True)
class Point:
    """One number of cases on the curve of a plan.

    Attributes
    ----------
    n : int
        Cases.
    low, middle, high : float
        5%, 50% and 95% points, over simulated tests, of the width of the interval or of the probability.
    """

    n: int
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class PlannedGroups:
    """Groups of a plan for cases that come in groups.

    Attributes
    ----------
    groups : int
        How many; for each classifier, where test sets are separate.
    size : float
        Average cases of a group, of the metric's own denominator.
    icc : float
        Supposed correlation of two cases of one group.
    design_effect, worth : float
        By how much groups widen a variance, and as how many independent cases all of them count.
    """

    groups: int
    size: float
    icc: float
    design_effect: float
    worth: float


FIELDS = """
metric goal=goal.kind target=goal.target level=goal.level margin=goal.margin found n first n_error unit per_class
total assurance assurance_error asked prior pairing strict law=route verdict=sentence supposed curve groups notes seed
"""
CSV = "curve[n low middle high]"


@dataclass(frozen=True, eq=False)
class Plan(Record, json="plan", fields=FIELDS, csv=CSV):
    """A number of cases that says what it rests on; made by `plan` and `detect`.

    Attributes
    ----------
    metric : str
        The metric.
    goal : Goal
        What is to be reached; its ``target`` is what `detect` found.
    n : int
        Cases of the metric's own denominator (for each classifier, where test sets are separate): the smallest
        number from which the goal holds for good, or the number that was given.
    first : int or None
        The first number that ever reaches it, on the tip of a saw-tooth; None where n was given or simulated.
    n_error : float
        Monte Carlo standard error of n; 0 where it was counted out.
    per_class : mapping of str to int
        Cases of each class: those needed of one class, or those expected of each.
    total : int or None
        Cases of all classes together for one classifier; None where their shares are not known.
    assurance, assurance_error : float
        Probability, over the supposed truth and the test, that n cases reach the goal.
    asked : float
        Assurance that was asked for.
    unit : str
        What n counts.
    supposed : tuple of str
        What was supposed of the truth.
    curve : tuple of Point
        Width or probability against n.
    found : str
        "n", "target" or "assurance": which of the three was the question.
    strict : bool
        Whether the sign test is to reach the certainty, as it has to at the gate for paired accuracy without a margin.
    seed : int
        Of the simulated tests.
    groups : PlannedGroups or None
        Of cases that come in groups.
    """

    metric: str
    goal: Goal
    n: int
    first: int | None
    n_error: float
    assurance: float
    assurance_error: float
    asked: float
    unit: str
    route: Route
    curve: tuple[Point, ...]
    prior: str
    pairing: str
    supposed: tuple[str, ...]
    total: int | None
    per_class: Mapping[str, int] = field(default_factory=dict)
    found: str = "n"
    notes: tuple[str, ...] = ()
    seed: int = SEED
    strict: bool = False
    groups: PlannedGroups | None = None

    @property
    def aim(self) -> str:
        """The goal in words."""
        goal, name = self.goal, formats.plain(self.metric)
        target = f"{goal.target:.4g}"
        if goal.kind == "width":
            return f"a {formats.level_words(goal.level)} interval of {name} no wider than {target}"
        if goal.kind == "difference":
            worse = f" or at most {goal.margin:g} worse" if goal.margin else ""
            differ = f" for a true difference of {target}" if goal.target else " if both are truly equal"
            rule = " by the strict rule" if self.strict else ""
            return f"P(new better{worse}) of at least {goal.level:g}{rule} in {name}{differ}"
        if goal.kind == "leader":
            return f"P(the truly best is the best) of at least {goal.level:g}, for a lead of {target}"
        return f"P({name} {'>' if goal.kind == 'above' else '<'} {target}) of at least {goal.level:g}"

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        one = self.n == 1
        cases = f"{formats.integer(self.n)} {self.unit.replace('cases', 'case', 1) if one else self.unit}"
        give = "gives" if one else "give"
        if self.found == "n":
            about = "About " if self.n_error >= 0.5 else ""
            return f"{about}{cases} {give} {self.aim} with assurance {self._shown} ({self.asked:.12g} was asked)."
        if self.found == "assurance":
            return f"{cases} {give} {self.aim} with assurance {self._shown}."
        return f"With {cases}, the best to be had is {self.aim}, with assurance {self.asked:g}."

    @property
    def _shown(self) -> str:
        return formats.probability(self.assurance, None) if self.assurance < 1 or self.route == "simulated" else "1"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences under the answer."""
        lines = [f"supposed: {words}." for words in self.supposed]
        if self.first is not None and self.first != self.n and self.found == "n":
            lines.append(
                f"{formats.integer(self.first)} reach it as well, but not every number from there on: integers "
                "make a saw-tooth."
            )
        if self.n_error > 0 and self.found == "n":
            lines.append(
                "simulated: n has a Monte Carlo error of "
                f"{formats.number(self.n_error, 0 if self.n_error >= 1 else 1)}."
            )
        if self.per_class:
            each = ", ".join(f"{formats.plain(k, 30)} {formats.integer(v)}" for k, v in self.per_class.items())
            total = "" if self.total is None else f", {formats.integer(self.total)} in all"
            lines.append(f"cases of each class: {each}{total}.")
        return (*lines, *self.notes)

    @property
    def measured(self) -> str:
        """What the curve shows."""
        return f"{formats.level_words(self.goal.level)} width" if self.goal.kind == "width" else "probability"

    @property
    def mark(self) -> float:
        """The value of what the curve shows that is to be reached: a width, or a certainty."""
        return self.goal.target if self.goal.kind == "width" else self.goal.level

    def sheet(self) -> Sheet:
        """What the answer rests on, and the curve as cells."""
        rows = tuple((formats.integer(p.n), *map(self._measure, (p.low, p.middle, p.high))) for p in self.curve)
        how = HOW[self.route]
        footnote = f"Prior {self.prior}; {self.pairing}; {how}. The curve is over simulated tests."
        header = ("n", f"{self.measured}: 5%", "middle", "95%")
        return Sheet(self.sentence, header, rows, (footnote,), about=self.remarks, covers=COVERS)

    def _measure(self, x: float) -> str:
        """A width in as many digits as its spread over simulated tests supports at n, so that columns are even."""
        if self.goal.kind != "width":
            return formats.probability(x)
        spread = [p for p in self.curve if p.high > p.low]
        here = min(spread, key=lambda p: abs(p.n - self.n), default=None)
        return formats.number(x, 3 if here is None else formats.decimals(here.low, here.high))

    def __repr__(self) -> str:
        return f"<Plan: {self.sentence}>"

    def picture(self) -> str:
        """The curve with its band, the target across, n down, and the rule of thumb where it holds; as SVG."""
        shown = f"{self.measured} against the number of cases, with the middle 90% of simulated tests"
        curve = [[getattr(p, part) for p in self.curve] for part in ("low", "middle", "high")]
        return sizes(
            [p.n for p in self.curve],
            curve,
            target=self.mark,
            chosen=self.n,
            ylabel=self.measured,
            title=f"{shown}. {self.sentence}",
            rule=thumb_rule(self),
            rule_name="2/√n",
        )

    def _repr_html_(self) -> str:
        return f"<div>{self.sheet().html()}<figure>{self.picture()}</figure></div>"

    def plot(self, width: int = 48) -> str:
        """The curve in plain text: a bar from the 5% to the 95% point, ``o`` at the middle.

        Both axes are labelled; where a width is the goal, ``|`` marks it.
        """
        if isinstance(width, bool) or not isinstance(width, int) or not 12 <= width <= 1_000:
            raise InvalidArgument(f"width is a number of characters from 12 to 1,000, not {excerpt(width)}")
        values = [x for p in self.curve for x in (p.low, p.high)]
        mark = self.mark
        low, high = (0.0, max(*values, mark)) if self.goal.kind == "width" else (min(*values, mark), 1.0)
        span = high - low or 1.0

        def place(x: float) -> int:
            return min(width - 1, max(0, round((x - low) / span * (width - 1))))

        digits = max(len(formats.integer(p.n)) for p in self.curve)
        lines = []
        for p in self.curve:
            row = [" "] * width
            row[place(mark)] = "|"
            for i in range(place(p.low), place(p.high) + 1):
                row[i] = "-"
            row[place(p.middle)] = "o"
            lines.append(f"{formats.integer(p.n).rjust(digits)} {''.join(row)}".rstrip())
        ends = f"{low:.3g}".ljust(width - 6) + f"{high:.3g}".rjust(6)
        return "\n".join([*lines, " " * (digits + 1) + ends])


def thumb_rule(plan: Plan) -> tuple[float, ...]:
    """2 / sqrt(n) at every n of the curve; empty where it is no bound of what the curve shows.

    A rule for 95% intervals of one rate: sums of rates, such as informedness, need about 4 / sqrt(n).
    """
    if plan.goal.kind != "width" or plan.goal.level != 0.95 or plan.route != "exact":
        return ()
    values = tuple(2 / sqrt(p.n) for p in plan.curve)
    return values if all(p.high <= value for p, value in zip(plan.curve, values, strict=True)) else ()


def planned(
    problem: Problem, answer: Solution, asked: float, seed: int, *, form: type[Plan] = Plan, **told: Any
) -> Any:
    """The answer to a problem as a plan, with what is ``told`` beside it: what it rests on."""
    reached, error = problem.assurance(answer.n)
    return form(
        goal=problem.goal, n=answer.n, first=answer.first, n_error=answer.error, assurance=reached,
        assurance_error=error, asked=asked, unit=problem.unit, route=problem.route, strict=problem.strict, seed=seed,
        curve=curve_of(problem, answer.n, seed), **told,
    )  # fmt: skip


def curve_of(problem: Problem, n: int, seed: int) -> tuple[Point, ...]:
    """Width or probability against the number of cases, from an eighth of n to four times n."""
    points = []
    for size in sorted({max(2, round(n * factor)) for factor in ALONG}):
        low, middle, high = (float(x) for x in np.quantile(problem.outcomes(size, seed), [0.05, 0.5, 0.95]))
        points.append(Point(size, low, middle, high))
    return tuple(points)
