"""Contenders that were seen on data of their own: each is its own kind of knowledge, and all are independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from howsure.errors import InvalidArgument
from howsure.knowledge.protocol import Ask, Asked, Gap, Knowledge, Measured, Of
from howsure.laws import Law
from howsure.numerics.arrays import Floats
from howsure.text.formats import plain


class Separate(Knowledge):
    """Several kinds of knowledge of one contender each, on data that nothing joins.

    Parameters
    ----------
    members : mapping of name to Knowledge
        Each with one contender.

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
        """The contenders."""
        return tuple(self._members)

    @property
    def metrics(self) -> tuple[str, ...]:
        """What all of them can be asked."""
        first, *others = self._members.values()
        return tuple(name for name in first.metrics if all(name in other.metrics for other in others))

    @property
    def about(self) -> str:
        """The data in a sentence each."""
        return " ".join(f"{plain(name, 40)}: {member.about}" for name, member in self._members.items())

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentences of all."""
        return tuple(dict.fromkeys(note for member in self._members.values() for note in member.notes))

    @property
    def method(self) -> str:
        """What means and intervals are of."""
        return next(iter(self._members.values())).method

    @property
    def paired(self) -> bool:
        """Nothing joins them."""
        return False

    def measured(self, metric: str) -> Measured:
        """A metric, the same of all."""
        each = {member.measured(metric)[1:] for member in self._members.values()}
        if len(each) > 1:
            raise InvalidArgument(f"{metric} has different ranges or directions; state one range for all (--range)")
        return next(iter(self._members.values())).measured(metric)

    def _own(self, asked: Of) -> tuple[Knowledge, Of]:
        self.place(asked.name)
        member = self._members[asked.name]
        return member, Of(asked.metric, member.names[0])

    def size(self, name: str) -> int:
        """Units of a contender."""
        member, own = self._own(Of("", name))
        return member.size(own.name)

    def seen(self, asked: Of) -> float | None:
        """On its own data as they are."""
        member, own = self._own(asked)
        return member.seen(own)

    def law(self, asked: Asked, ask: Ask) -> Law:
        """Of one contender its own; of a difference that of independent draws of both."""
        if isinstance(asked, Of):
            member, own = self._own(asked)
            return member.law(own, ask)
        a, b = (self.law(of, ask).sample(ask.draws, seed=[ask.seed, self.place(of.name)]) for of in (asked.a, asked.b))
        return self._drawn_law(asked, [a, b])

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        """Independent draws of each."""
        parts = []
        for of in asked:
            member, own = self._own(of)
            parts.append(member.draws([own], count, rng))
        return np.column_stack(parts)

    def future(self, asked: Sequence[Of], n: int, count: int, rng: np.random.Generator) -> Floats:
        """New results of each on units of its own."""
        parts = []
        for of in asked:
            member, own = self._own(of)
            parts.append(member.future([own], n, count, rng))
        return np.column_stack(parts)

    def remarks(self, asked: Asked, ask: Ask) -> tuple[str, ...]:
        """Those of its own."""
        if isinstance(asked, Gap):
            return ()
        member, own = self._own(asked)
        return member.remarks(own, ask)
