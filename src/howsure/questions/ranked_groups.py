"""A board whose cases come in groups: which question is answered, and what the cases are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from howsure.data.groups import FEWEST_GROUPS, Groups, Question
from howsure.errors import InvalidArgument, excerpt
from howsure.numerics.groups.design_effect import design_effect, intraclass_correlation
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["RankedGroups", "checked_questions", "ranked_groups"]

#: The questions, in words.
ABOUT: dict[Question, str] = {"new": "a new case from a new group", "these": "new cases of the same groups"}


@dataclass(frozen=True)
class RankedGroups:
    """Groups of the cases of a board.

    Attributes
    ----------
    question : "new" or "these"
        What the numbers are about.
    groups : tuple of int
        How many: of the same cases one number, of separate test sets that of each entry, in order.
    cases : int
        Cases of the first entry.
    worth : float or None
        As how many independent cases those count for its accuracy; None of a single group.
    first : str
        Name of the first entry.
    alone : int
        Entries whose cases come in no groups, and are taken for independent.
    """

    question: Question
    groups: tuple[int, ...]
    cases: int
    worth: float | None
    first: str
    alone: int = 0

    @property
    def words(self) -> str:
        """How many groups, and which the numbers are about."""
        few, many = min(self.groups), max(self.groups)
        counted = formats.several(many, "group") if few == many else f"{few} to {formats.several(many, 'group')}"
        return f"{counted}, about {'new' if self.question == 'new' else 'these'} groups"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Notes of a ranking."""
        other: Question = "these" if self.question == "new" else "new"
        said = f"all numbers are about {ABOUT[self.question]}; groups='{other}' (--groups {other}) asks about "
        told = [f"{said}{ABOUT[other]}."]
        if self.worth is not None:
            about = int(float(f"{self.worth:.3g}")) if self.worth >= 1000 else round(self.worth)
            told.append(
                f"the {formats.several(self.cases, 'case')} of {formats.plain(self.first, 40)}, in "
                f"{formats.several(self.groups[0], 'group')}, are equivalent to about {formats.integer(about)}."
            )
        if self.alone:
            told.append(
                f"{formats.several(self.alone, 'test set')} without groups: those cases are taken for independent."
            )
        return tuple(told)


def checked_questions(names: Sequence[str], members: Sequence[object]) -> None:
    """Refuse posteriors of which some are about new groups and others about theirs again.

    Raises
    ------
    InvalidArgument
        With one of either.
    """
    asked = {groups.question: name for name, groups in zip(names, map(_groups, members), strict=True) if groups}
    if len(asked) > 1:
        raise InvalidArgument(
            f"one ranking asks one question: {excerpt(asked['new'])} is about new groups and "
            f"{excerpt(asked['these'])} about its groups again. Say groups='these' or groups='new' of all of them"
        )


def ranked_groups(names: Sequence[str], members: Sequence[object], *, paired: bool) -> RankedGroups | None:
    """Groups of a board whose entries are in order; None where cases come in none."""
    found = [_groups(member) for member in members]
    known = [groups for groups in found if groups is not None]
    if not known:
        return None
    place = next(i for i, groups in enumerate(found) if groups is not None)
    first = known[0]
    right, cases = first.correct, first.cases
    worth = None
    if len(first) > 1:
        # as a report has it: the mean of the correlation's posterior, below five groups its estimate
        enough = len(first) >= FEWEST_GROUPS
        rho = PopulationMean(right, cases).correlation.mean if enough else intraclass_correlation(right, cases)
        worth = float(cases.sum()) / design_effect(rho, cases)
    counted = tuple(len(groups) for groups in (known[:1] if paired else known))
    alone = len(found) - len(known)
    return RankedGroups(first.question, counted, int(cases.sum()), worth, names[place], alone)


def _groups(member: object) -> Groups | None:
    return member.confusion.groups if isinstance(member, Posterior) else None
