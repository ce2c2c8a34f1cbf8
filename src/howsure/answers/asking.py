"""How an answer is asked for, once for all of them: level and kind of the intervals, draws, seed, and their keywords.

A question takes ``**how: Unpack[Asking]``, or more than that, which `spelled` writes out, and makes an `Ask` of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, checked_draws, checked_kind, checked_level, checked_seed
from howsure.params import spelled

__all__ = ["Ask", "Asking", "Showing", "picked", "spelled"]


class Showing(TypedDict, total=False):
    """Keywords of an answer whose number of draws follows from the data."""

    level: float
    kind: Kind
    seed: int


class Asking(TypedDict, total=False):
    """Keywords of `Ask`."""

    level: float
    kind: Kind
    draws: int | None
    seed: int


def picked(how: Mapping[str, Any], keywords: type) -> dict[str, Any]:
    """The keywords of one typed dict among those of a question.

    Examples
    --------
    >>> picked({"prior": "flat", "level": 0.9, "seed": 1}, Asking)
    {'level': 0.9, 'seed': 1}
    """
    return {name: value for name, value in how.items() if name in keywords.__annotations__}


@dataclass(frozen=True)
class Ask:
    """How an answer is to be computed and shown, once for all of it.

    Attributes
    ----------
    level, kind
        Of intervals; kinds of knowledge may have a ``usual_kind`` other than the shortest one.
    draws, seed
        Of what has no closed law.

    Examples
    --------
    >>> Ask(level=0.9).level
    0.9
    """

    level: float = LEVEL
    kind: Kind = KIND
    draws: int = DRAWS
    seed: int = SEED

    @classmethod
    def of(cls, how: Mapping[str, Any], usual: int | None = None) -> Ask:
        """Those of the keywords of a question that are about this; as many draws as usual there, if none are named."""
        asked = picked(how, Asking)
        return cls(**(asked if asked.get("draws") is not None or usual is None else {**asked, "draws": usual}))

    def __post_init__(self) -> None:
        checked_kind(self.kind)
        for name, check in (("level", checked_level), ("draws", checked_draws), ("seed", checked_seed)):
            object.__setattr__(self, name, check(getattr(self, name)))
