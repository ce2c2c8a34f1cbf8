"""``plan`` with a pilot of any kind of knowledge: how many units a test needs to reach a goal."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scipy.special import ndtr, ndtri

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation
from howsure.knowledge.protocol import Ask, Knowledge, Of
from howsure.text import formats
from howsure.text.formats import integer, plain, several

__all__ = ["UnitsNeeded", "plan"]

Aim = Literal["width", "above", "below", "difference", "margin"]

#: Units beyond which a plan is none.
MOST = 100_000_000

FIELDS = "about unit metric names aim goal n chance assurance level pilot=pilot verdict=sentence"


@dataclass(frozen=True, eq=False)
class UnitsNeeded(Record, json="units_needed", fields=FIELDS):
    """How many units a test needs; made by `plan` of a kind of knowledge.

    Attributes
    ----------
    about, unit, metric, names
        The pilot, what is sampled, and of whom.
    aim, goal : str, float
        What is to be shown.
    n : int
        Units of the new test.
    chance, assurance : float
        Probability that the test reaches the goal, and how much was asked for; 1 for a width.
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

    @property
    def sentence(self) -> str:
        """The number and what it is for."""
        many = several(self.n, self.unit)
        who = [plain(name, 40) for name in self.names]
        level = formats.level_words(self.level)
        if self.aim == "width":
            return f"{many} give the {self.metric} an interval of {level} about {self.goal:g} wide."
        claim = {
            "above": f"that the {self.metric} is above {self.goal:g}",
            "below": f"that the {self.metric} is below {self.goal:g}",
            "difference": f"that {who[0]} is better than {who[-1]} in {self.metric}",
            "margin": f"that {who[0]} is worse than {who[-1]} in {self.metric} by no more than {self.goal:g}",
        }[self.aim]
        return f"{many} show {claim} with probability {self.level:g}, in {100 * self.chance:.0f} of 100 such tests."

    def sheet(self) -> Sheet:
        """One row."""
        row = (self.aim, f"{self.goal:g}", integer(self.n), f"{self.chance:.2f}")
        return Sheet(
            self.sentence, ("goal", "size", f"{self.unit}s", "P(reached)"), (row,),
            ("The new test is supposed to be like the pilot, whose own uncertainty is in P(reached); normal "
             "approximation.",), about=self.about,
        )  # fmt: skip


def plan(
    known: Knowledge,
    aim: Aim,
    goal: float = 0.0,
    metric: str | None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    assurance: float = 0.8,
    ask: Ask | None = None,
) -> UnitsNeeded:
    """How many units a new test needs, from a pilot.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> pilot = Items.from_columns(range(40), [3, 4, 5, 4] * 10, range=(1, 5))
    >>> plan(pilot, "width", 0.2).n, plan(pilot, "above", 3.8).n
    (226, 250)
    """
    ask, measure = ask or known.ask(), known.metric(metric)
    names: tuple[str, ...]
    up = 1.0 if measure.better == "higher" else -1.0
    if aim in ("difference", "margin"):
        names = one, other = known.two(a, b)
        law = known.law(Of(measure.name, one) - Of(measure.name, other), ask)
        distance = up * law.mean + (goal if aim == "margin" else 0.0)
    else:
        names = (known.names[0] if a is None else a,)
        law = known.law(Of(measure.name, names[0]), ask)
        distance = law.mean - goal if aim == "above" else goal - law.mean
    size, sd = known.size(names[0]), law.sd
    if aim == "width":
        if not goal > 0:
            raise InvalidArgument(f"a width is above 0, not {goal:g}")
        reach = 2 * float(ndtri((1 + ask.level) / 2)) * sd
        n = math.ceil(size * (reach / goal) ** 2)
        return _made(known, measure.called, names, aim, goal, (n, 1.0), assurance, ask.level)
    z = float(ndtri(ask.level))

    def chance(n: float) -> float:
        new = sd * (size / n) ** 0.5
        return float(ndtr((distance - z * new) / math.hypot(sd, new)))

    if chance(MOST) < assurance:
        raise NoInformation(
            f"no number of {known.unit}s reaches it with probability {assurance:g}: by the pilot it is true with "
            f"probability {float(ndtr(distance / sd)):.2f}; ask for less, or take a larger pilot"
        )
    n = _least(chance, assurance)
    return _made(known, measure.called, names, aim, goal, (n, chance(n)), assurance, ask.level)


def _least(chance: Callable[[float], float], assurance: float) -> int:
    """The least number of units; the chance rises with them once it is above a half."""
    low, high = 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= assurance else (middle, high)
    return high


def _made(
    known: Knowledge, metric: str, names: tuple[str, ...], aim: Aim, goal: float, reached: tuple[int, float],
    assurance: float, level: float,
) -> UnitsNeeded:  # fmt: skip
    n, chance = reached
    if n > MOST:
        raise NoInformation(f"more than {MOST:,d} {known.unit}s are needed")
    return UnitsNeeded(
        known.about, known.unit, metric, names, aim, goal, n, chance, assurance, level, known.size(names[0])
    )
