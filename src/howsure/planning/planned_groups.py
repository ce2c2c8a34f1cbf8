"""How many groups a test needs: goals about new groups."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from howsure.data.groups import FEWEST_GROUPS, Groups, group_places
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.law import SEED, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.group_bootstrap import (
    MeansAfter,
    design_effect,
    drawn_tests,
    means_after,
    membership_correlation,
    paired_difference,
    paired_tests,
)
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.trials.assurance import Truth
from howsure.planning.counted_goals import OneRate, PairedRates, TwoRates, nodes_of
from howsure.planning.goal import Drawn, Problem, Simulation, Solution, borne_out, simulated_answer
from howsure.planning.plan import Plan, PlannedGroups
from howsure.planning.pose import STRICT, Posed, Supposition
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["ByDesignEffect", "GroupSizes", "OneRateInGroups", "SimulatedGroups", "grouped", "in_groups", "these_again"]

#: Simulated tests at one number of groups, and for the assurance.
TESTS, AGAIN = 150, 400

#: Draws of the bootstrap over groups after each test, and probabilities by which one law is taken from another.
DRAWS, QUANTILES = 800, 100

#: A supposed truth that nobody named: the rate at which an interval is widest.
WORST = Truth(0.5)


@dataclass(frozen=True, eq=False)
class GroupSizes:
    """Groups that a test is supposed to come in.

    Attributes
    ----------
    sizes : ndarray, shape (S,)
        Cases of groups, each as likely as the others.
    correlation : ndarray, shape (C,)
        Correlation of two cases of one group (ICC), each as likely as the others.
    """

    sizes: NDArray[np.int64]
    correlation: Floats

    @property
    def size(self) -> float:
        """Average cases of a group."""
        return float(self.sizes.mean())

    @property
    def icc(self) -> float:
        """Average correlation."""
        return float(self.correlation.mean())

    @property
    def effect(self) -> float:
        """By how much the variance of a mean grows."""
        return design_effect(self.icc, self.sizes)

    def drawn(self, tests: int, groups: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
        """Correlation (R,) and group sizes (R, G) of so many tests."""
        return rng.choice(self.correlation, tests), rng.choice(self.sizes, (tests, groups))


@dataclass(frozen=True, eq=False)
class ByDesignEffect(Problem):
    """Any goal, with the cases that groups are worth: their number over the design effect (Kish 1965, 5.4).

    Attributes
    ----------
    alone : Problem
        The goal for independent cases.
    groups : GroupSizes
        How cases come.
    """

    alone: Problem
    groups: GroupSizes

    @classmethod
    def of(cls, alone: Problem, groups: GroupSizes) -> Self:
        """The same goal in groups; n counts groups."""
        return cls(alone.goal, alone.unit, alone, groups)

    @property
    def route(self) -> Route:
        """Approximate, however the cases are counted."""
        return "approximate"

    @property
    def room(self) -> float:
        """As of independent cases."""
        return self.alone.room

    def worth(self, groups: int) -> int:
        """Independent cases that so many groups are worth."""
        return max(1, round(groups * self.groups.size / self.groups.effect))

    def assurance(self, n: int) -> tuple[float, float]:
        """Probability that n groups reach the goal."""
        return self.alone.assurance(self.worth(n))

    def solve(self, asked: float) -> Solution | None:
        """Smallest number of groups."""
        found = self.alone.solve(asked)
        if found is None:
            return None
        each = self.groups.effect / self.groups.size
        return Solution(max(FEWEST_GROUPS, ceil(found.n * each - 1e-9)), None, found.error * each)

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after simulated tests of n groups."""
        return self.alone.outcomes(self.worth(n), seed)

    def aimed(self, target: float) -> Self:
        """The same with another target."""
        return replace(super().aimed(target), alone=self.alone.aimed(target))


@dataclass(frozen=True, eq=False)
class SimulatedGroups(Simulation, ByDesignEffect):
    """The same where tests of groups are simulated, each read as a report about new groups would.

    The design effect says where the answer is looked for.

    Attributes
    ----------
    seed : int
        Of everything.
    memory : dict
        Tests that another target does not change.
    """

    seed: int = SEED
    memory: dict[tuple[int, int, int], MeansAfter] = field(default_factory=dict)

    @property
    def route(self) -> Route:
        """Simulated."""
        return "simulated"

    def again(self, n: int) -> int:
        """Simulated tests for the assurance."""
        return AGAIN

    def solve(self, asked: float) -> Solution | None:
        """Smallest number of groups, with its Monte Carlo error."""
        rough = ByDesignEffect.solve(self, asked)
        found = None if rough is None else simulated_answer(self.slack, asked, TESTS, float(rough.n))
        if found is None:
            return None
        return borne_out(replace(found, n=max(found.n, FEWEST_GROUPS)), asked, self.assurance)


class OneRateInGroups(SimulatedGroups):
    """A width, or a threshold, of one rate of new groups."""

    def after(self, n: int, many: int, stream: int) -> MeansAfter:
        """The mean over groups after each test of n groups."""
        if (n, many, stream) not in self.memory:
            assert isinstance(self.alone, OneRate)
            rng = np.random.default_rng([self.seed, 0x67, n, stream])
            icc, sizes = self.groups.drawn(many, n, rng)
            values, weights = nodes_of(self.alone.truth or WORST)
            fixed = len(values) == 1
            means = np.full(many, values[0]) if fixed else rng.choice(values, many, p=weights / weights.sum())
            right = drawn_tests(means, icc, sizes, rng)
            self.memory[n, many, stream] = means_after(right, sizes, self.alone.prior)
        return self.memory[n, many, stream]


class TwoRatesInGroups(SimulatedGroups):
    """Two classifiers, of which the new one is better by ``goal.target``: on groups of their own, or on the same ones.

    On the same groups the correlation is that of what is won and lost, and the answer that of the bootstrap over groups
    (`howsure.numerics.populations.group_bootstrap.paired_difference`).
    """

    def after(self, n: int, many: int, stream: int) -> Drawn:
        """Draws or even quantiles of the difference after each test of n groups."""
        rng = np.random.default_rng([self.seed, 0x67, n, stream])
        icc, sizes = self.groups.drawn(many, n, rng)
        alone = self.alone
        if isinstance(alone, PairedRates):
            wins, losses, weights = alone._shares
            place = rng.choice(len(wins), many, p=weights / weights.sum())
            gain = paired_tests(wins[place], losses[place], icc, sizes, rng)
            return Drawn(np.array([paired_difference(g, m, DRAWS, rng) for g, m in zip(gain, sizes, strict=True)]))
        assert isinstance(alone, TwoRates)
        old, new, weights = alone._rates
        place = rng.choice(len(old), many, p=weights / weights.sum())
        middles = (np.arange(QUANTILES) + 0.5) / QUANTILES
        known, seen = [], []
        for mean in (new[place], old[place]):
            right = drawn_tests(mean, icc, sizes, rng)
            known.append(means_after(right, sizes, alone.prior).quantiles(middles))
            seen.append(right.sum(axis=1) / sizes.sum(axis=1))
            icc, sizes = self.groups.drawn(many, n, rng)
        return Drawn((known[0][:, :, None] - known[1][:, None]).reshape(many, -1), seen[0] - seen[1])


def in_groups(problem: Problem, groups: GroupSizes, seed: int) -> ByDesignEffect:
    """The problem in groups: simulated where it is about rates, else by the design effect."""
    if isinstance(problem, OneRate):
        return OneRateInGroups(problem.goal, problem.unit, problem, groups, seed)
    if isinstance(problem, TwoRates | PairedRates):
        return TwoRatesInGroups(problem.goal, problem.unit, problem, groups, seed)
    return ByDesignEffect.of(problem, groups)


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
        if self.posed.problem.route == "approximate":
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


def _of_pair(data: Predictions) -> GroupSizes:
    """Groups of two classifiers on the same cases: how alike the cases of a group are in who wins them."""
    names, place = group_places(data.group, data.n)
    new, old = (data.answers(name) == data.truth for name in data.names)
    counts = np.zeros((len(names), 3))
    np.add.at(counts, (place, 1 + new.astype(int) - old.astype(int)), 1)
    return GroupSizes(counts.sum(axis=1).astype(np.int64), np.array([membership_correlation(counts)]))


def _groups(pilot: Posterior | AccuracyPosterior | Any) -> Groups | None:
    return pilot.confusion.groups if isinstance(pilot, Posterior) else None
