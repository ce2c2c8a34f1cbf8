"""What a kind of knowledge answers, whatever the data are: laws of metrics, differences, joint draws, new results.

A kind is one file beside this one. It names its contenders (systems, models, raters; one of them may be nameless), and
answers about ``Of(metric, name)``, a metric of one of them, and about ``Of(...) - Of(...)``, a difference on the data
that both share. A question (`howsure.questions`) knows these methods and no kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from howsure.answers.sheet import Answered, Ask
from howsure.errors import InvalidArgument, UnknownClassifier, listing
from howsure.frozen import Frozen
from howsure.laws import Draws, Kind, Law
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, Usual
from howsure.numerics.arrays import Floats
from howsure.text.formats import plain

__all__ = [
    "NOTHING_BESIDE",
    "Aim",
    "Answered",
    "Ask",
    "Asked",
    "Beside",
    "Better",
    "Gap",
    "Knowledge",
    "Measured",
    "Needed",
    "Of",
    "Separate",
]

Better: TypeAlias = Literal["higher", "lower", "neither"]
#: What a plan is to show: a narrow interval, a value, that one is better or not worse, that the first is the best.
Aim: TypeAlias = Literal["width", "above", "below", "difference", "margin", "top"]


@dataclass(frozen=True)
class Of:
    """A metric of one contender.

    Examples
    --------
    >>> Of("mean", "new") - Of("mean", "old")
    Gap(a=Of(metric='mean', name='new'), b=Of(metric='mean', name='old'))
    """

    metric: str
    name: str = ""

    def __sub__(self, other: Of) -> Gap:
        return Gap(self, other)


@dataclass(frozen=True)
class Gap:
    """A metric of one contender minus one of another."""

    a: Of
    b: Of


Asked: TypeAlias = Of | Gap


class Measured(NamedTuple):
    """A metric as a kind has it: its name, the word for it, its better direction, its least and largest value."""

    name: str
    called: str
    better: Better
    limits: tuple[float, float]


class Beside(NamedTuple):
    """What a kind says beside a difference: warnings, findings below its table, keys of its plain data, notes."""

    warnings: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    keys: Mapping[str, Any] = MappingProxyType({})
    notes: tuple[str, ...] = ()


NOTHING_BESIDE = Beside()


class Needed(NamedTuple):
    """How many units reach a goal, with what probability (and its Monte Carlo error), beside those that there are.

    Where none are needed ``names`` may say of whom the goal is reached already.
    """

    n: int
    chance: float
    error: float = 0.0
    names: tuple[str, ...] = ()


class Knowledge(Frozen, ABC):
    """What data say about metrics of contenders.

    Attributes
    ----------
    unit : str
        What is sampled, in the singular: item, game, case.
    usual_kind : "central" or "hdi"
        The interval that is meant where none is named.
    contests : bool
        Whether a unit is a contest of two contenders.
    prior : str
        Name of the prior, where it can pull a number to where it was not observed.
    noise : str
        What is wrong with data next to their number, and not covered.
    more : str
        What further units are, where that is not plain.
    """

    unit: str = "item"
    usual_kind: Kind = "central"
    contests: bool = False
    prior: str = ""
    noise: str = "wrong scores"
    more: str = ""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The contenders."""

    @property
    @abstractmethod
    def metrics(self) -> tuple[str, ...]:
        """What can be asked; the first is meant where none is named."""

    @property
    @abstractmethod
    def about(self) -> str:
        """The data in a sentence: how many units, what is sampled."""

    @abstractmethod
    def measured(self, metric: str) -> Measured:
        """A metric by its name; raises `UnknownMetric`."""

    @abstractmethod
    def size(self, name: str) -> int:
        """Units of a contender."""

    def observed(self, asked: Asked) -> float | None:
        """On the data as they are, what everybody prints; of a difference that of both."""
        if isinstance(asked, Of):
            return self.seen(asked)
        a, b = self.seen(asked.a), self.seen(asked.b)
        return None if a is None or b is None else a - b

    @abstractmethod
    def seen(self, asked: Of) -> float | None:
        """What everybody prints of one contender; None where nothing is observed."""

    def law(self, asked: Asked, ask: Ask) -> Law:
        """What is known about a metric, or about a difference on shared data: drawn, unless a kind knows it closed."""
        return self._drawn_law(asked, self.joint((asked,) if isinstance(asked, Of) else (asked.a, asked.b), ask))

    def _drawn_law(self, asked: Asked, columns: Sequence[Floats] | Floats) -> Law:
        """Law of draws of a metric, or of a difference of two."""
        if isinstance(asked, Of):
            return Draws(columns[0], support=self.measured(asked.metric).limits)
        low, high = self.measured(asked.a.metric).limits
        return Draws(columns[0] - columns[1], support=(low - high, high - low))

    @abstractmethod
    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        """Joint draws of several, shape (count, len(asked))."""

    def future(self, asked: Sequence[Of], n: int, count: int, rng: np.random.Generator) -> Floats:
        """Draws of what the same metrics come out as on ``n`` new units, shape (count, len(asked))."""
        raise InvalidArgument(f"what {n} new {self.unit}s will show is not answered for these data")

    def win_rate(self, name: str, ask: Ask) -> float | None:
        """Mean win rate against the average contender, where units are contests."""
        return None

    def needed(
        self, aim: Aim, goal: float, asked: Asked | None, assurance: float, ask: Ask
    ) -> Needed | None:  # fmt: skip
        """Further units that reach a goal, where the kind knows better than the square root of their number."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences to carry along, such as how a file was read."""
        return ()

    @property
    def method(self) -> str:
        """What means and intervals are of, in a sentence below a table."""
        return f"mean and interval: of new {self.unit}s like these."

    @property
    def paired(self) -> bool:
        """Whether contenders were seen on the same units."""
        return True

    def remarks(self, asked: Asked, ask: Ask) -> tuple[str, ...]:
        """What helps a reader of one number, in sentences."""
        return ()

    def joint(self, asked: Sequence[Of], ask: Ask) -> Floats:
        """The joint draws in which ranks are counted, shape (len(asked), ask.draws)."""
        return self.draws(asked, ask.draws, np.random.default_rng(ask.seed)).T

    def alike(self, one: str, other: str) -> bool:
        """Whether nothing tells two contenders apart."""
        return False

    def beside(self, asked: Gap, ask: Ask) -> Beside:
        """What a reader of a difference should know besides."""
        return NOTHING_BESIDE

    def leading(self, asked: Gap, ask: Ask) -> tuple[str, ...]:
        """Sentences on the first two of a board."""
        return ()

    def groups(self, names: Sequence[str]) -> tuple[int, ...]:
        """Groups of the units, where numbers are about new ones: of the same units one number, else that of each."""
        return ()

    # -- what a question needs before it asks -----------------------------------------------------------------------

    def ask(self, level: float = LEVEL, kind: Kind = KIND, draws: int | None = None, seed: int = SEED) -> Ask:
        """How an answer is computed and shown; a kind of interval that nobody named is the usual one here."""
        return Ask(level, self.usual_kind if isinstance(kind, Usual) else kind, DRAWS if draws is None else draws, seed)

    def asking(self, measure: Measured, ask: Ask) -> Ask:
        """The same with as many draws as this metric takes, where nobody named a number."""
        return ask

    def refuse_options(self, options: Mapping[str, object]) -> None:
        """Refuse arguments that say nothing about this kind of data."""
        odd = [f"{name}=" for name, value in options.items() if value not in (None, False, (), [])]
        if odd:
            raise InvalidArgument(f"leave {listing(odd)} out: they say nothing about {type(self).__name__.lower()}")

    def metric(self, name: str | None) -> Measured:
        """A metric by name, or the usual one."""
        return self.measured(self.metrics[0] if name is None else name)

    def place(self, name: str) -> int:
        """Place of a contender among the names."""
        if not isinstance(name, str) or name not in self.names:
            raise UnknownClassifier(name, self.names)
        return self.names.index(name)

    def one(self, name: str | None) -> str:
        """The contender that is meant; it has to be named where there are several."""
        if name is None and len(self.names) > 1:
            raise InvalidArgument(f"this is of one contender; name it, of {', '.join(self.names)}")
        return self.names[0 if name is None else self.place(name)]

    def two(self, a: str | None, b: str | None) -> tuple[str, str]:
        """Two contenders by their names, which may be left out where there are just two."""
        if a is None and b is None and len(self.names) == 2:
            return self.names[0], self.names[1]
        if a is None or b is None or a == b:
            raise InvalidArgument(f"name the two that are compared, of {', '.join(self.names)}")
        self.place(a)
        self.place(b)
        return a, b


# -- Contenders on data of their own: each is its own kind of knowledge, and all are independent -----------------------


class Separate(Knowledge):
    """Several kinds of knowledge of one contender each, on data that nothing joins.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> new, old = (Items.from_columns(range(8), [x / 10 for x in range(k, k + 8)]) for k in (2, 0))
    >>> both = Separate({"new": new, "old": old})
    >>> round(both.law(Of("mean", "new") - Of("mean", "old"), Ask()).prob(above=0), 1)
    0.9
    """

    def __init__(self, members: Mapping[str, Knowledge]) -> None:
        self._members = dict(members)
        for name, member in self._members.items():
            if len(member.names) != 1:
                raise InvalidArgument(
                    f"{plain(str(name))} holds {len(member.names)} contenders; compare those, or take one"
                )
        first = next(iter(self._members.values()))
        self.__dict__["unit"], self.__dict__["usual_kind"] = first.unit, first.usual_kind

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._members)

    @property
    def metrics(self) -> tuple[str, ...]:
        first, *others = self._members.values()
        return tuple(name for name in first.metrics if all(name in other.metrics for other in others))

    @property
    def about(self) -> str:
        return " ".join(f"{plain(name, 40)}: {member.about}" for name, member in self._members.items())

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note for member in self._members.values() for note in member.notes))

    @property
    def method(self) -> str:
        return next(iter(self._members.values())).method

    @property
    def paired(self) -> bool:
        return False

    def measured(self, metric: str) -> Measured:
        each = {member.measured(metric)[1:] for member in self._members.values()}
        if len(each) > 1:
            raise InvalidArgument(f"{metric} has different ranges or directions; state one range for all (--range)")
        return next(iter(self._members.values())).measured(metric)

    def _own(self, asked: Of) -> tuple[Knowledge, Of]:
        self.place(asked.name)
        member = self._members[asked.name]
        return member, Of(asked.metric, member.names[0])

    def size(self, name: str) -> int:
        member, own = self._own(Of("", name))
        return member.size(own.name)

    def seen(self, asked: Of) -> float | None:
        member, own = self._own(asked)
        return member.seen(own)

    def law(self, asked: Asked, ask: Ask) -> Law:
        if isinstance(asked, Of):
            member, own = self._own(asked)
            return member.law(own, ask)
        a, b = (self.law(of, ask).sample(ask.draws, seed=[ask.seed, self.place(of.name)]) for of in (asked.a, asked.b))
        return self._drawn_law(asked, [a, b])

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        parts = []
        for of in asked:
            member, own = self._own(of)
            parts.append(member.draws([own], count, rng))
        return np.column_stack(parts)

    def future(self, asked: Sequence[Of], n: int, count: int, rng: np.random.Generator) -> Floats:
        parts = []
        for of in asked:
            member, own = self._own(of)
            parts.append(member.future([own], n, count, rng))
        return np.column_stack(parts)

    def remarks(self, asked: Asked, ask: Ask) -> tuple[str, ...]:
        if isinstance(asked, Gap):
            return ()
        member, own = self._own(asked)
        return member.remarks(own, ask)
