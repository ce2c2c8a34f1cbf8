"""How many units a test needs to reach a goal, with a pilot of any kind of knowledge."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from scipy.special import ndtr, ndtri

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Aim, Ask, Asked, Knowledge, Needed, Of
from howsure.text import formats
from howsure.text.formats import integer, plain, several

__all__ = ["UnitsNeeded", "units_needed"]

#: Units beyond which a plan is none.
MOST = 100_000_000

FIELDS = "about unit metric names aim goal n more chance error assurance level pilot verdict=sentence"


@dataclass(frozen=True, eq=False)
class UnitsNeeded(Record, json="units_needed", fields=FIELDS):
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
    needed = known.needed(aim, goal, asked, assurance, ask)
    if needed is not None:
        return _made(known, measure.called, names, aim, goal, needed, assurance, ask.level, more=True)
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
        return _made(known, measure.called, names, aim, goal, Needed(n, 0.5), assurance, ask.level)
    z = float(ndtri(ask.level))

    def chance(n: float) -> float:
        new = sd * (size / n) ** 0.5
        return float(ndtr((distance - z * new) / (new if stated else math.hypot(sd, new))))

    if chance(MOST) < assurance:
        raise NoInformation(
            f"no number of {known.unit}s reaches it with probability {assurance:g}: by the pilot it is true with "
            f"probability {float(ndtr(distance / sd)):.2f}; ask for less, or take a larger pilot"
        )
    n = _least(chance, assurance)
    return _made(known, measure.called, names, aim, goal, Needed(n, chance(n)), assurance, ask.level)


def _least(chance: Callable[[float], float], assurance: float) -> int:
    """The least number of units; the chance rises with them once it is above a half."""
    low, high = 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= assurance else (middle, high)
    return high


def _made(
    known: Knowledge, metric: str, names: tuple[str, ...], aim: Aim, goal: float, needed: Needed,
    assurance: float, level: float, *, more: bool = False,
) -> UnitsNeeded:  # fmt: skip
    n, chance, error, already = needed
    names = names or already
    if n > MOST:
        raise NoInformation(f"more than {MOST:,d} {known.unit}s are needed")
    return UnitsNeeded(
        known.about, known.unit, metric, names, aim, goal, n, chance, assurance, level,
        known.size(names[0] if names else known.names[0]), error, more,
    )  # fmt: skip
