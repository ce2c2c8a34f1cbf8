"""A plan for cases that come in groups: which groups are supposed, and the answer in groups and in cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.data.groups import FEWEST_GROUPS, Groups, group_places
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.numerics.groups.design_effect import membership_correlation
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.planning.counted_goals import OneRate, PairedRates
from howsure.planning.grouped_goals import ByDesignEffect, GroupSizes, in_groups
from howsure.planning.pilots import PilotPair
from howsure.planning.plan import Plan, PlannedGroups
from howsure.planning.pose import STRICT, Posed, Supposition
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["Grouped", "grouped", "these_again"]

#: The largest group that is planned for.
LARGEST_GROUP = 10_000

#: Values that stand for what a pilot says of the correlation.
VALUES = 200

BY_EFFECT = (
    "planned by the design effect, which for rates asks for up to a fifth fewer groups than simulated tests do: with "
    "few groups it is not known how alike the cases of a group are."
)
THESE = (
    "the pilot is about its own groups again, so this plans further cases of them; for new groups say group_size= and "
    "icc= (--group-size, --icc), or groups='new' of the pilot."
)


@dataclass(frozen=True, eq=False)
class Grouped:
    """A posed problem in groups.

    Attributes
    ----------
    posed : Posed
        The problem, whose n counts groups.
    alone : Posed
        The same of independent cases.
    groups : GroupSizes
        How cases come.
    """

    posed: Posed
    alone: Posed
    groups: GroupSizes

    def counted(self, n: int) -> int:
        """Whole groups in n cases.

        Raises
        ------
        InvalidArgument
            Fewer than five.
        """
        found = int(n / self.groups.size + 1e-9)
        if found < FEWEST_GROUPS:
            raise InvalidArgument(
                f"{formats.several(n, 'case')} are {formats.several(found, 'group')} of {self.groups.size:.3g}, and "
                f"below {FEWEST_GROUPS} groups a new one has no interval"
            )
        return found

    def in_cases(self, made: Plan, asked: int | None = None) -> Plan:
        """The answer in cases, of a plan whose n counts groups; ``asked`` is the number of cases that was given."""
        size, many = self.groups.size, made.n
        cases = round(many * size)
        per_class, total = self.alone.sizes(cases)
        worth = cases / self.groups.effect
        told = PlannedGroups(many, size, self.groups.icc, self.groups.effect, worth)
        each = f"{size:g}" if len(set(self.groups.sizes.tolist())) == 1 else f"{size:.3g} on average"
        held, counted = formats.several(cases, "case"), formats.several(many, "group")
        notes = [f"the {held} of {counted} are equivalent to about {formats.integer(round(worth))}."]
        if asked is not None and asked != cases:
            notes.append(
                f"{formats.several(asked, 'case')} were given; whole groups hold about {formats.integer(cases)}."
            )
        if isinstance(self.posed.problem, ByDesignEffect):
            notes.append(BY_EFFECT)
        return replace(
            made,
            n=cases,
            n_error=made.n_error * size,
            per_class=per_class,
            total=total,
            unit=f"{made.unit} in {counted} of {each}",
            curve=tuple(replace(p, n=round(p.n * size)) for p in made.curve if p.n >= FEWEST_GROUPS),
            notes=(*notes, *(x for x in made.notes if x != STRICT)),
            groups=told,
        )


def grouped(posed: Posed, given: Supposition, size: object, icc: object, seed: int) -> Grouped | None:
    """The problem in groups where a size or a correlation is stated, or the pilot is about new groups; else None.

    Raises
    ------
    InvalidArgument
        A size or a correlation that none can have, or one without the other and without a pilot in groups.
    """
    found = _of_pilot(given, posed)
    if size is None and icc is None and found is None:
        return None
    if given.design is not None:
        raise InvalidArgument("design= fixes the classes of independent cases; leave it out for cases in groups")
    sizes = None if found is None else found.sizes
    correlation = None if found is None else found.correlation
    if size is not None:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= LARGEST_GROUP:
            raise InvalidArgument(
                f"group_size is an integer number of cases from 1 to {LARGEST_GROUP:,d}; not {excerpt(size)}"
            )
        sizes = np.array([size], dtype=np.int64)
    if icc is not None:
        if not 0 <= number(icc) < 1:
            raise InvalidArgument(
                f"icc is the correlation of two cases of one group, from 0 to below 1; not {excerpt(icc)}"
            )
        correlation = np.array([float(number(icc))])
    if sizes is None or correlation is None:
        absent = "icc= (--icc)" if correlation is None else "group_size= (--group-size)"
        raise InvalidArgument(
            f"{absent} is missing: cases in groups are planned by both, the cases of a group and how alike they are, "
            "or by a pilot whose cases come in groups"
        )
    groups = GroupSizes(sizes, correlation)
    low, high = np.quantile(correlation, [0.05, 0.95]).tolist()
    spread = f"{low:.2g} to {high:.2g}, as the pilot says" if len(correlation) > 1 else f"{groups.icc:.3g}"
    paired = isinstance(posed.problem, PairedRates)
    what = "what is won and lost in one group correlates" if paired else "two cases of one group correlate"
    said = posed.words
    if isinstance(posed.problem, OneRate) and posed.problem.truth is None:
        said = ("no guess was given: the worst case, a rate of one half",)
    words = (*said, f"{what} by {spread} (ICC), and numbers are about a new case from a new group")
    return Grouped(replace(posed, problem=in_groups(posed.problem, groups, seed), words=words), posed, groups)


def these_again(given: Supposition) -> tuple[str, ...]:
    """Said of a pilot whose groups are asked about again."""
    groups = _groups(given.pilot)
    return (THESE,) if groups is not None and groups.question == "these" else ()


def _of_pilot(given: Supposition, posed: Posed) -> GroupSizes | None:
    """Groups of the pilot, where it is about new ones."""
    groups = _groups(given.pilot)
    if groups is None or groups.question != "new":
        return None
    if isinstance(posed.problem, PairedRates) and given.pair is not None:
        return _of_pair(given.pair)
    rate = posed.rate
    right, cases = (groups.correct, groups.cases) if rate is None or rate.index is None else groups.tally(rate.index)
    law = PopulationMean(right, cases).correlation
    return GroupSizes(cases, np.asarray(law.quantile((np.arange(VALUES) + 0.5) / VALUES)))


def _of_pair(pair: PilotPair) -> GroupSizes:
    """Groups of two classifiers on the same cases: how alike the cases of a group are in who wins them."""
    data = pair.predictions
    names, place = group_places(data.group, data.n)
    new, old = (data.answers(name) == data.truth for name in pair.names)
    counts = np.zeros((len(names), 3))
    np.add.at(counts, (place, 1 + new.astype(int) - old.astype(int)), 1)
    return GroupSizes(counts.sum(axis=1).astype(np.int64), np.array([membership_correlation(counts)]))


def _groups(pilot: Posterior | AccuracyPosterior | Any) -> Groups | None:
    return pilot.confusion.groups if isinstance(pilot, Posterior) else None
