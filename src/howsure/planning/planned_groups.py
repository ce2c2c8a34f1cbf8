"""How many groups a test needs: goals about new groups."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, ClassVar, Self

import numpy as np

from howsure.data.groups import FEWEST_GROUPS, Groups, group_places
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.law import SEED, Route
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.group_bootstrap import (
    MeansAfter,
    drawn_tests,
    means_after,
    membership_correlation,
    paired_difference,
    paired_tests,
)
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.trials.assurance import Truth
from howsure.planning.counted_goals import OneRate, PairedRates, TwoRates, nodes_of
from howsure.planning.goal import After, Drawn, Problem, Simulation, Solution, borne_out, simulated_answer
from howsure.planning.pose import Posed, Supposition
from howsure.planning.truth import GroupSizes
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.posterior import Posterior

#: Simulated tests at one number of groups, and for the assurance.
TESTS, AGAIN = 150, 400

#: Draws of the bootstrap over groups after each test, and probabilities by which one law is taken from another.
DRAWS, QUANTILES = 800, 100

#: A supposed truth that nobody named: the rate at which an interval is widest.
WORST = Truth(0.5)


@dataclass(frozen=True, eq=False)
class ByDesignEffect(Problem):
    """Any goal, with the cases that groups are worth: their number over the design effect (Kish 1965, 5.4)."""

    #: The goal for independent cases.
    alone: Problem
    groups: GroupSizes
    #: Of what is simulated.
    seed: int = SEED

    route: ClassVar[Route] = "approximate"

    @property
    def true(self) -> float:
        """As of independent cases."""
        return self.alone.true

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
    """

    #: Tests that another target does not change.
    memory: dict[tuple[int, int, int], MeansAfter] = field(default_factory=dict)

    route: ClassVar[Route] = "simulated"

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

    def after(self, n: int, many: int, stream: int) -> After:
        """What is known after each test of n groups: of one rate the mean over groups, of two their difference.

        On the same groups the correlation is that of what is won and lost, and the answer that of the bootstrap over
        groups (`howsure.numerics.populations.group_bootstrap.paired_difference`).
        """
        if (n, many, stream) in self.memory:
            return self.memory[n, many, stream]
        rng, alone = np.random.default_rng([self.seed, 0x67, n, stream]), self.alone
        icc, sizes = self.groups.drawn(many, n, rng)
        if isinstance(alone, OneRate):
            values, weights = nodes_of(alone.truth or WORST)
            fixed = len(values) == 1
            means = np.full(many, values[0]) if fixed else rng.choice(values, many, p=weights / weights.sum())
            known = means_after(drawn_tests(means, icc, sizes, rng), sizes, alone.prior)
            return self.memory.setdefault((n, many, stream), known)
        assert isinstance(alone, TwoRates | PairedRates)
        one, other, weights = alone.rates
        place = rng.choice(len(one), many, p=weights / weights.sum())
        if isinstance(alone, PairedRates):
            gain = paired_tests(one[place], other[place], icc, sizes, rng)
            return Drawn(np.array([paired_difference(g, m, DRAWS, rng) for g, m in zip(gain, sizes, strict=True)]))
        middles, found, seen = (np.arange(QUANTILES) + 0.5) / QUANTILES, [], []
        for mean in (other[place], one[place]):
            right = drawn_tests(mean, icc, sizes, rng)
            found.append(means_after(right, sizes, alone.prior).quantiles(middles))
            seen.append(right.sum(axis=1) / sizes.sum(axis=1))
            icc, sizes = self.groups.drawn(many, n, rng)
        return Drawn((found[0][:, :, None] - found[1][:, None]).reshape(many, -1), seen[0] - seen[1])


def in_groups(problem: Problem, groups: GroupSizes, seed: int) -> ByDesignEffect:
    """The problem in groups: simulated where it is about rates, else by the design effect."""
    simulated = isinstance(problem, OneRate | TwoRates | PairedRates)
    return (SimulatedGroups if simulated else ByDesignEffect)(problem.goal, problem.unit, problem, groups, seed)


#: The largest group that is planned for.
LARGEST_GROUP = 10_000

#: Values that stand for what a pilot says of the correlation.
VALUES = 200

THESE = (
    "the pilot is about its own groups again, so this plans further cases of them; for new groups say group_size= and "
    "icc= (--group-size, --icc), or groups='new' of the pilot."
)


def grouped(posed: Posed, given: Supposition, size: object, icc: object, seed: int) -> Posed:
    """The problem in groups where a size or a correlation is stated, or the pilot is about new groups."""
    groups, found = _groups(given.pilot), _of_pilot(given, posed)
    if size is None and icc is None and found is None:
        again = groups is not None and groups.question == "these"
        return replace(posed, notes=(*posed.notes, THESE)) if again else posed
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
    sized = GroupSizes(sizes, correlation)
    low, high = np.quantile(correlation, [0.05, 0.95]).tolist()
    spread = f"{low:.2g} to {high:.2g}, as the pilot says" if len(correlation) > 1 else f"{sized.icc:.3g}"
    paired = isinstance(posed.problem, PairedRates)
    what = "what is won and lost in one group correlates" if paired else "two cases of one group correlate"
    said = posed.words
    if isinstance(posed.problem, OneRate) and posed.problem.truth is None:
        said = ("no guess was given: the worst case, a rate of one half",)
    words = (*said, f"{what} by {spread} (ICC), and numbers are about a new case from a new group")
    return replace(posed, problem=in_groups(posed.problem, sized, seed), words=words, groups=sized)


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
