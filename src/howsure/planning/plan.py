"""What `plan` and `detect` give: the number of cases, what it rests on, and the curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, get_args

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.answers.sheet import COVERS, Record, Sheet
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Aim, Ask, Asked, Knowledge, Needed, Of
from howsure.laws.law import SEED, Route
from howsure.planning.goal import Goal, Problem, Solution
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.svg import sizes

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


#: Units beyond which a plan is none.
MOST_UNITS = 100_000_000

FIELDS_OF_UNITS = "about unit metric names aim goal n more chance error assurance level pilot verdict=sentence"


@dataclass(frozen=True, eq=False)
class UnitsNeeded(Record, json="units_needed", fields=FIELDS_OF_UNITS):
    """How many units a test needs; made by `howsure.plan` of a pilot that is no table.

    Attributes
    ----------
    about, unit, metric, names
        The pilot, what is sampled, and of whom.
    aim, goal : str, float
        What is to be shown.
    n : int
        Units of the new test, or ``more`` of them beside those of the pilot.
    chance, assurance, error : float
        Probability that the test reaches the goal, and how much was asked for; 1 for a width. Its Monte Carlo error.
    level : float
        Of the interval, or the probability that decides.
    pilot : int
        Units of the pilot.
    """

    about: str
    unit: str
    metric: str
    names: tuple[str, ...]
    aim: Aim
    goal: float
    n: int
    chance: float
    assurance: float
    level: float
    pilot: int
    error: float = 0.0
    more: bool = False

    @property
    def sentence(self) -> str:
        """The number and what it is for."""
        many = several(self.n, f"more {self.unit}" if self.more else self.unit)
        who = [plain(name, 40) for name in self.names]
        level = formats.level_words(self.level)
        if self.settled and self.aim == "top":
            return f"The top is settled: {who[0]} is the best with probability {self.level:g} or more."
        if self.settled and self.aim == "width":
            return f"No more {self.unit}s are needed: the interval of the {self.metric} is no wider than {self.goal:g}."
        if self.aim == "width":
            return f"{many} give the {self.metric} an interval of {level} about {self.goal:g} wide."
        two = f"{who[0]} is better than {who[-1]}" if who else "one of two models is better than the other"
        if_so = f" if the difference is {self.goal:g}" if self.goal else ""
        claim = {
            "top": "which one is the best",
            "above": f"that the {self.metric} is above {self.goal:g}",
            "below": f"that the {self.metric} is below {self.goal:g}",
            "difference": f"that {two} in {self.metric}{if_so},",
            "margin": f"that {' is worse than '.join(who)} in {self.metric} by no more than {self.goal:g}",
        }[self.aim]
        if self.settled:
            return f"No more {self.unit}s are needed: these show {claim} with probability {self.level:g}."
        return f"{many} show {claim} with probability {self.level:g}, in {self._of_100} of 100 such tests."

    @property
    def settled(self) -> bool:
        """Whether the units that there are reach the goal, so that no more are needed."""
        return self.more and not self.n

    @property
    def _of_100(self) -> str:
        return "more than 99" if self.chance > 0.99 else f"{100 * self.chance:.0f}"

    def sheet(self) -> Sheet:
        """One row."""
        chance = "> 0.99" if self.chance > 0.99 else f"{self.chance:.2f}"
        row = (self.aim, f"{self.goal:g}" if self.goal else "", integer(self.n), chance)
        how = f"simulated, ± {self.error:.2f}" if self.error else "normal approximation"
        beside = "They come besides those that there are, of the same pairs. " if self.more else ""
        truth = (
            "the true difference is supposed to be as stated" if self.aim == "difference" and self.goal
            else "its own uncertainty is in P(reached)"
        )  # fmt: skip
        line = f"{beside}The new {self.unit}s are supposed to be like those of the pilot; {truth}; {how}."
        line = f"A goal that is reached by the {self.unit}s of the pilot." if self.settled else line
        header = ("goal", "size", f"{'more ' if self.more else ''}{self.unit}s", "P(reached)")
        return Sheet(self.sentence, header, (row,), (line,), about=self.about)


def units_needed(
    known: Knowledge,
    goals: Mapping[str, float | None],
    metric: str | None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    assurance: float = 0.8,
    ask: Ask | None = None,
) -> UnitsNeeded:
    """How many units a new test needs, from a pilot of any kind; see `howsure.plan`.

    Of ``goals`` one is not None; of contests the top of the board is meant where none is.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> pilot = Items.from_columns(range(40), [3, 4, 5, 4] * 10, range=(1, 5))
    >>> units_needed(pilot, {"width": 0.2}).n, units_needed(pilot, {"above": 3.8}).n
    (226, 250)
    """
    named = [(name, float(value)) for name, value in goals.items() if value is not None]
    if len(named) > 1 or not (named or known.contests):
        raise InvalidArgument("one goal is planned for: width=, above=, below=, difference= or margin=")
    aim: Any = named[0][0] if named else "top"
    goal = named[0][1] if named else 0.0
    ask, measure = ask or known.ask(), known.metric(metric)
    one_of(aim, get_args(Aim), "aim")
    up = 1.0 if measure.better == "higher" else -1.0
    names: tuple[str, ...] = ()
    asked: Asked | None = None
    if aim in ("difference", "margin") and (a or b or len(known.names) == 2 or not known.contests):
        names = one, other = known.two(a, b)
        asked = Of(measure.name, one) - Of(measure.name, other)
    elif aim in ("width", "above", "below"):
        names = (known.names[0] if a is None else a,)
        asked = Of(measure.name, names[0])

    def made(needed: Needed, *, more: bool = False) -> UnitsNeeded:
        n, chance, error, already = needed
        if n > MOST_UNITS:
            raise NoInformation(f"more than {MOST_UNITS:,d} {known.unit}s are needed")
        who = names or already
        return UnitsNeeded(
            known.about, known.unit, measure.called, who, aim, goal, n, chance, assurance, ask.level,
            known.size(who[0] if who else known.names[0]), error, more,
        )  # fmt: skip

    needed = known.needed(aim, goal, asked, assurance, ask)
    if needed is not None:
        return made(needed, more=True)
    if asked is None:
        raise InvalidArgument(
            f"name a goal: width=, above=, below=, difference= or margin=; of two of {known.names[:4]}"
        )
    law = known.law(asked, ask)
    sd, stated = law.sd, aim == "difference" and goal > 0
    if aim in ("difference", "margin"):
        distance = goal if stated else up * law.mean + goal
    else:
        distance = law.mean - goal if aim == "above" else goal - law.mean
    size = known.size(names[0])
    if aim == "width":
        if not goal > 0:
            raise InvalidArgument(f"a width is above 0, not {goal:g}")
        reach = 2 * float(ndtri((1 + ask.level) / 2)) * sd
        n = math.ceil(size * (reach / goal) ** 2)
        return made(Needed(n, 0.5))
    z = float(ndtri(ask.level))

    def chance(n: float) -> float:
        new = sd * (size / n) ** 0.5
        return float(ndtr((distance - z * new) / (new if stated else math.hypot(sd, new))))

    if chance(MOST_UNITS) < assurance:
        raise NoInformation(
            f"no number of {known.unit}s reaches it with probability {assurance:g}: by the pilot it is true with "
            f"probability {float(ndtr(distance / sd)):.2f}; ask for less, or take a larger pilot"
        )
    # the chance rises with their number once it is above a half
    low, high = 1, MOST_UNITS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= assurance else (middle, high)
    return made(Needed(high, chance(high)))
