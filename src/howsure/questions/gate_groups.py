"""A gate whose cases come in groups: which it is about, and whether these are enough to decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from howsure.data.groups import ENOUGH_GROUPS, Question
from howsure.posterior.posterior import Posterior
from howsure.questions.contender import Contender
from howsure.text import formats

__all__ = ["WORDS", "GateGroups", "gate_groups"]

WORDS: dict[Question, str] = {"new": "new groups", "these": "new cases of the same groups"}


@dataclass(frozen=True)
class GateGroups:
    """Groups of the cases at a gate.

    Attributes
    ----------
    question : "new" or "these"
        What the numbers are about.
    groups : tuple of int
        How many: of the same cases, or of a candidate alone, one number; of separate test sets that of each.
    few : bool
        Whether they are too few to decide about new ones, and nobody asked about these; the gate is then inconclusive.
    """

    question: Question
    groups: tuple[int, ...]
    few: bool

    @property
    def words(self) -> str:
        """How many groups, and which the numbers are about."""
        counted = " and ".join(map(formats.integer, self.groups))
        plural = "group" if self.groups == (1,) else "groups"
        return f"{counted} {plural}, about {WORDS[self.question]}"

    @property
    def why_open(self) -> str:
        """Why too few groups decide nothing."""
        return (
            f"the cases come from {formats.several(min(self.groups), 'group')}, and below {ENOUGH_GROUPS} a gate "
            "about new groups decides nothing. Gate new cases of the same groups by name, groups='these' (--groups "
            "these), "
            "or test more groups."
        )


def gate_groups(posteriors: Sequence[Contender], *, paired: bool) -> GateGroups | None:
    """Groups of a candidate and its baseline, or of a candidate alone; None where cases come in none."""
    found = [p.confusion.groups for p in posteriors if isinstance(p, Posterior)]
    known = [groups for groups in found if groups is not None]
    if not known:
        return None
    counted = tuple(len(groups) for groups in (known[:1] if paired else known))
    few = any(len(groups) < ENOUGH_GROUPS and groups.asked != "these" for groups in known)
    return GateGroups(known[0].question, counted, few)
