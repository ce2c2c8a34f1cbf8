"""A plan as a problem: goal, truth, prior, pairing of two classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from howsure.data.groups import FEWEST_GROUPS
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import numbers
from howsure.metrics import Measure, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.assurance import Truth
from howsure.planning.counted_goals import (
    MOST_COMPARED,
    MOST_RECALLS,
    Compared,
    OneRate,
    PairedRates,
    Rate,
    TwoRates,
    nodes_of,
    rate_of,
    recall_weights,
)
from howsure.planning.goal import Goal, Problem, Solution
from howsure.planning.plan import Plan, PlannedGroups
from howsure.planning.simulated_goals import Simulated
from howsure.planning.simulated_widths import EXPECTED_TESTS
from howsure.planning.truth import (
    TWO_CLASSES,
    GroupSizes,
    Pilot,
    Truths,
    believed,
    beta_of,
    cases_apart,
    checked_share,
    known_of,
    of_pilot,
    of_rates,
    optimal_shares,
    symmetric,
    worst,
)
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import LearnedPrior, Prior, default_prior, fixed_default, resolve_prior
from howsure.posterior.shares import is_mean_over_classes, resolved_shares
from howsure.text.formats import integer, several

Paired: TypeAlias = float | Mapping[str, float]


def rates_apart(
    paired: Paired | None, pair: Predictions | None, index: int | None, truth: Truth | None, difference: float
) -> tuple[Truth, str]:
    """Share of the cases on which only one of two classifiers is right, for one rate, and how that is said.

    What is stated goes before the pilot, whose share is drawn from Beta(m + 1, n - m + 1).
    """
    if paired is None:
        assert pair is not None
        apart, cases = cases_apart(pair, index)
        return Truth(apart + 1.0, cases - apart + 1.0), (
            f"only one of the two is right on {apart:,d} of {cases:,d} cases of the pilot; the true share is drawn "
            f"from Beta({apart + 1:,d}, {cases - apart + 1:,d}), and is at least the difference"
        )
    kind, value = _stated(paired)
    if kind == "disagreement":
        if value < difference - 1e-12:
            raise InvalidArgument(
                f"two classifiers that differ by {difference:g} disagree on at least that share of the cases, "
                f"not on {value:g}"
            )
        return Truth(value), f"only one of the two is right on {100 * value:g}% of the cases"
    if truth is None:
        raise InvalidArgument(
            "a correlation says how often two classifiers disagree only together with a guess: guess="
        )
    nodes, weights = nodes_of(truth)
    p = float(np.average(nodes, weights=weights))
    share = _correlated(p, p + difference, value)
    return Truth(share), (
        f"correlation {value:g} of being right: only one of the two is right on {100 * share:.3g}% of the cases"
    )


def tables_together(paired: Paired | None, pair: Predictions | None, problem: Simulated) -> tuple[float, str]:
    """Mixture of erring together and erring independently that has the disagreement, and how that is said."""
    old, new = problem.truths.tables, problem.improved
    right = [np.diagonal(t, axis1=1, axis2=2) for t in (old, new)]
    sizes = old.sum(-1)
    p, q = (float(x.sum(1).mean()) for x in right)
    together = q - p
    apart = float((right[0] + right[1] - 2 * right[0] * right[1] / sizes).sum(1).mean())
    if paired is None:
        assert pair is not None
        found, cases = cases_apart(pair)
        wanted = min(max((found + 1) / (cases + 2), together), apart)
        said = f"only one of the two is right on {found:,d} of {cases:,d} cases of the pilot, taken as"
    else:
        kind, value = _stated(paired)
        wanted = _correlated(p, q, value) if kind == "correlation" else value
        said = "only one of the two is right on"
    if not together - 1e-9 <= wanted <= apart + 1e-9:
        raise InvalidArgument(
            f"these two classifiers disagree on {100 * together:.3g} to {100 * apart:.3g}% of the cases (from erring "
            f"together to erring independently), not on {100 * wanted:.3g}%"
        )
    share = 1.0 if apart <= together else (apart - wanted) / (apart - together)
    return float(np.clip(share, 0, 1)), f"{said} {100 * wanted:.3g}% of the cases"


def _stated(paired: Paired) -> tuple[str, float]:
    if not isinstance(paired, Mapping):
        return "disagreement", checked_share("paired", paired)
    if len(paired) != 1 or set(paired) - {"disagreement", "correlation"}:
        raise InvalidArgument(
            "paired= is the share of cases on which only one is right, or {'correlation': r}; "
            f"not {excerpt(dict(paired))}"
        )
    ((kind, value),) = paired.items()
    return kind, checked_share(f"paired[{kind!r}]", value)


def _correlated(p: float, q: float, correlation: float) -> float:
    """Share on which only one is right, from two rates and the correlation of being right."""
    both = p * q + correlation * sqrt(p * (1 - p) * q * (1 - q))
    return p + q - 2 * min(both, p, q)


Guess: TypeAlias = float | Mapping[str, float]

#: Truths drawn from a pilot, or from a mode and a concentration.
TRUTHS = 1_000
#: Numbers that the supposed tables may hold together.
LARGEST = 4_000_000
#: Above this many classes a joint table is too large to simulate tests of it by the hundred.
MOST_CLASSES = 30

#: Classes up to which the tests of one classifier are simulated under a prior that each of them learns anew: of whole
#: tables, and of weighted sums of recalls. That takes up to thirty seconds; two classifiers would take some minutes.
MOST_LEARNED, MOST_LEARNED_RECALLS = 5, 10

#: Said where the prior of a plan is not that of the report to come, or where that would be expected.
FLAT_HERE = (
    "planned under prior 'flat', because each of hundreds of simulated tests would have to learn its own, which takes "
    "minutes; a report uses 'learned', for which prior='learned' plans."
)
FLAT_CLASS = (
    "planned under prior 'flat', by the cases of this class alone; a report of three classes or more learns from all "
    "of them, which makes it surer where they are alike."
)
FLAT_PAIR = (
    "planned with the pairs of 'flat', class by class; a comparison of three classes or more learns over the classes "
    "how often the two disagree, and is mostly surer."
)
BY_EFFECT = (
    "planned by the design effect, which for rates asks for up to a fifth fewer groups than simulated tests do: with "
    "few groups it is not known how alike the cases of a group are."
)
STRICT = "planned for the strict rule (sign test), which howsure gate has for the accuracy of the same cases; margin 0."


@dataclass(frozen=True)
class Supposition:
    """What the caller supposes of the truth; at most one of pilot, guess, and mode with concentration."""

    #: What an earlier test said.
    pilot: Posterior | AccuracyPosterior | None = None
    #: Value of the metric, or recall, specificity and prevalence of two classes.
    guess: Guess | None = None
    #: Of a Beta (Kruschke 2014).
    mode: float | None = None
    concentration: float | None = None
    #: Number of classes where there is no pilot; two if left out.
    classes: int | None = None
    #: The same cases for both classifiers: share on which only one is right, or {"correlation": r}.
    paired: Paired | None = None
    #: Class shares of the test, where they are a matter of choice.
    design: Sequence[float] | Literal["optimal"] | None = None
    #: Two classifiers of the pilot, on the same cases; ``pilot`` is then what is known of the old one.
    pair: Predictions | None = None

    @classmethod
    def of(cls, goal: Goal, pilot: Pilot | None, told: Mapping[str, Any]) -> Supposition:
        """What is ``told`` by name, beside a pilot."""
        known, pair = known_of(pilot, told["prior"])
        names = ("guess", "mode", "concentration", "classes", "paired", "design")
        given = cls(known, **{name: told[name] for name in names}, pair=pair)
        if given.together and goal.kind != "difference":
            raise InvalidArgument(
                "paired= and a pilot of two are about two classifiers, and go with difference= or margin=; "
                "for one, the pilot is its confusion matrix"
            )
        return given

    @property
    def together(self) -> bool:
        """Whether both classifiers of a difference see the same cases."""
        return self.paired is not None or self.pair is not None

    def __post_init__(self) -> None:
        if (self.mode is None) != (self.concentration is None):
            raise InvalidArgument("mode= and concentration= go together: the Beta of the true value")
        if sum(x is not None for x in (self.pilot, self.guess, self.mode)) > 1:
            raise InvalidArgument(
                "one of pilot=, guess=, and mode= with concentration= says what is supposed; got several"
            )
        classes = self.classes
        if classes is not None and (
            isinstance(classes, bool) or not isinstance(classes, int) or not 2 <= classes <= 100_000
        ):
            raise InvalidArgument(f"classes is an integer from 2 to 100,000; not {excerpt(classes)}")
        if isinstance(self.design, str) and self.design != "optimal":
            raise InvalidArgument(f"design is one share for each class, or 'optimal'; not {excerpt(self.design)}")
        if self.pilot is not None and classes is not None:
            raise InvalidArgument("the pilot has its own classes; leave classes= out")
        if isinstance(self.guess, Mapping) and classes not in (None, 2):
            raise InvalidArgument("a guess of recall and specificity is about two classes")

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names."""
        if isinstance(self.pilot, Posterior):
            return self.pilot.labels
        return TWO_CLASSES if self.classes in (None, 2) else tuple(str(i) for i in range(self.classes or 2))

    @property
    def positive(self) -> str | None:
        """The positive one of two classes."""
        if isinstance(self.pilot, Posterior):
            return self.pilot.confusion.positive
        return TWO_CLASSES[1] if len(self.labels) == 2 else None

    @property
    def shares(self) -> Floats | None:
        """Class shares of the test, as far as they are known."""
        if self.design is not None and not isinstance(self.design, str):
            given = numbers(self.design, "design")
            if given.shape != (len(self.labels),) or not np.all(given > 0) or not abs(given.sum() - 1) < 1e-6:
                raise InvalidArgument(
                    f"design= is one share above 0 for each of {len(self.labels)} classes, adding to 1; "
                    f"not {excerpt(self.design)}"
                )
            return np.asarray(given / given.sum())
        if isinstance(self.pilot, Posterior):
            sizes = self.pilot.confusion.class_sizes
            return np.asarray(sizes / sizes.sum()) if sizes.sum() else None
        if isinstance(self.guess, Mapping) and "prevalence" in self.guess:
            share = checked_share("guess['prevalence']", self.guess["prevalence"])
            return np.array([1 - share, share])
        return None


@dataclass(frozen=True, eq=False)
class Posed:
    """A problem with its words."""

    problem: Problem
    measure: Measure
    labels: tuple[str, ...]
    prior: Prior
    words: tuple[str, ...]
    rate: Rate | None
    shares: Floats | None
    pairing: str
    notes: tuple[str, ...] = ()
    #: How cases come in groups; n counts these then.
    groups: GroupSizes | None = None

    def sizes(self, n: int) -> tuple[dict[str, int], int | None]:
        """Cases of each class, and of all, that go with n."""
        if self.rate is not None and self.rate.index is not None:
            need = {self.labels[self.rate.index]: n}
            share = None if self.shares is None else float(self.shares[self.rate.index])
            return need, None if not share else ceil(n / share - 1e-9)
        if self.shares is None:
            return {}, n
        return {x: round(n * float(s)) for x, s in zip(self.labels, self.shares, strict=True)}, n

    def counted(self, n: int) -> int:
        """A number of cases at which the goal can be counted out, or the whole groups in it."""
        if self.groups is not None:
            found = int(n / self.groups.size + 1e-9)
            if found < FEWEST_GROUPS:
                raise InvalidArgument(
                    f"{several(n, 'case')} are {several(found, 'group')} of {self.groups.size:.3g}, and below "
                    f"{FEWEST_GROUPS} groups a new one has no interval"
                )
            return found
        if isinstance(self.problem, Compared) and n > MOST_COMPARED:
            raise InvalidArgument(f"two classifiers are compared on up to {MOST_COMPARED:,d} cases here, not on {n:,d}")
        return n

    def in_cases(self, made: Plan, asked: int | None = None) -> Plan:
        """The answer in cases, of a plan whose n counts groups; ``asked`` is the number of cases that was given."""
        if self.groups is None:
            return made
        size, many = self.groups.size, made.n
        cases = round(many * size)
        per_class, total = self.sizes(cases)
        worth = cases / self.groups.effect
        each = f"{size:g}" if len(set(self.groups.sizes.tolist())) == 1 else f"{size:.3g} on average"
        held, counted = several(cases, "case"), several(many, "group")
        notes = [f"the {held} of {counted} are equivalent to about {integer(round(worth))}."]
        if asked is not None and asked != cases:
            notes.append(f"{several(asked, 'case')} were given; whole groups hold about {integer(cases)}.")
        notes += [BY_EFFECT] if self.problem.route == "approximate" else []
        return replace(
            made, n=cases, n_error=made.n_error * size, per_class=per_class, total=total,
            unit=f"{made.unit} in {counted} of {each}",
            curve=tuple(replace(p, n=round(p.n * size)) for p in made.curve if p.n >= FEWEST_GROUPS),
            notes=(*notes, *(x for x in made.notes if x != STRICT)),
            groups=PlannedGroups(many, size, self.groups.icc, self.groups.effect, worth),
        )  # fmt: skip

    @property
    def chance(self) -> float:
        """Value of a classifier without skill: of the supposed class shares, or of equally frequent classes."""
        size = len(self.labels)
        value = self.measure.chance(np.diag(self.shares if self.shares is not None else np.full(size, 1 / size)))
        if value is None:
            raise InvalidArgument(f"{self.measure.name} declares no value of chance; say above= and a number")
        return value

    def refuse_unreachable(self, asked: float) -> None:
        """Thresholds that the supposed truth does not exceed often enough, whatever the test."""
        goal, share = self.problem.goal, self.problem.true
        if share <= asked and share < 1:
            raise InvalidArgument(
                f"no number of cases reaches this with assurance {asked:g}: as supposed, {self.measure.name} is "
                f"{goal.kind} {goal.target:g} with probability {share:.3g} only"
            )

    def solved(self, asked: float) -> Solution:
        """The smallest number of cases; raises `InvalidArgument` where there is none."""
        answer = self.problem.solve(asked)
        if answer is None:
            raise InvalidArgument(
                f"no number of cases up to {self.problem.most:,d} gives this goal for {self.measure.name} with "
                f"assurance {asked:g}; ask for less, or suppose something else"
            )
        return answer


def pose(metric: str | Measure, goal: Goal, given: Supposition, prior: str | Prior | None, seed: int) -> Posed:
    """Find the problem behind a question."""
    measure = parse(metric, given.labels, given.positive)
    if goal.kind == "difference" and measure.metric.better == "neither":
        raise InvalidArgument(f"{measure.name} has no better or worse, so no classifier is better in it")
    stated = isinstance(given.pilot, Posterior) and knowledge_of(given.pilot).known_prevalence is not None
    name, notes = (prior, ()) if prior is not None else _unnamed(measure, goal, given)
    chosen = resolve_prior(name, len(given.labels))
    asked = given.pilot.shares if isinstance(given.pilot, Posterior) else None
    if not stated and resolved_shares(asked, chosen, len(given.labels)) == "test":  # about what a report is about
        measure = replace(measure, held=is_mean_over_classes(measure, len(given.labels)))
    rate = rate_of(measure, len(given.labels), chosen)
    if isinstance(chosen, LearnedPrior):
        _refuse_learned(measure, rate, given)
    pairing = "the same cases" if given.together else "separate test sets"
    pairing = pairing if goal.kind == "difference" else "one classifier"
    # a stated prevalence makes the accuracy a weighted sum of recalls
    whole = rate is not None and rate.index is None and (stated or given.design is not None)
    if rate is None or whole or (isinstance(given.guess, Mapping) and rate.index is None):
        simulated, words = _simulated(measure, goal, given, chosen, seed)
        shares = simulated.truths.shares if simulated.truths.shares is not None else given.shares
        return Posed(simulated, measure, given.labels, chosen, words, None, shares, pairing, notes)
    problem, words = _counted(measure, goal, given, rate)
    if isinstance(problem, PairedRates) and problem.strict:
        notes = (STRICT,)
    return Posed(problem, measure, given.labels, chosen, words, rate, given.shares, pairing, notes)


def _unnamed(measure: Measure, goal: Goal, given: Supposition) -> tuple[str, tuple[str, ...]]:
    """The prior of the answer to come where none is named, and what is to be said of it.

    That of `report`, of `compare` and of the gate, as far as tests under it can be counted out or simulated.
    """
    size = len(given.labels)
    usual, rate = default_prior(size), rate_of(measure, size, resolve_prior("flat", size))
    whole = rate is not None and rate.index is None
    if given.together:
        return fixed_default(size), () if whole or usual != "learned" else (FLAT_PAIR,)
    if usual != "learned" or whole:
        return usual, ()
    if rate is not None:
        return "flat", (FLAT_CLASS,)
    sums = recall_weights(measure, size) is not None
    affordable = goal.kind != "difference" and size <= (MOST_LEARNED_RECALLS if sums else MOST_LEARNED)
    return (usual, ()) if affordable else ("flat", (FLAT_HERE,))


def _refuse_learned(measure: Measure, rate: Rate | None, given: Supposition) -> None:
    """Questions that the learned prior has no answer to; the accuracy is one coin a case under it as under 'flat'."""
    if given.together:
        raise InvalidArgument(
            "the same cases for both are planned for with the pairs of 'flat', not of 'learned'; leave the prior out"
        )
    if rate is not None and rate.index is not None:
        raise InvalidArgument(
            f"under prior 'learned' what is known of {measure.name} rests on the cases of all classes, so no number of "
            "cases of the one class settles it; plan it under 'flat', or plan balanced_accuracy"
        )


def _counted(measure: Measure, goal: Goal, given: Supposition, rate: Rate) -> tuple[Problem, tuple[str, ...]]:
    of = "" if rate.index is None else f" of class {given.labels[rate.index]!r}"
    truth, words = _true_rate(measure, given, rate)
    if goal.kind != "difference":
        if truth is None and goal.kind != "width":
            raise InvalidArgument(
                f"to show that {measure.name} is {goal.kind} a value needs a guess of it: guess=, or pilot="
            )
        return OneRate(goal, f"cases{of}", rate.prior, truth), (words,)
    prior = rate.prior
    if measure.metric.better == "lower":
        prior = prior[1], prior[0]
        truth = None if truth is None else Truth(1 - truth.a) if truth.fixed else Truth(truth.b, truth.a)
    if truth is not None and truth.fixed and truth.a + goal.target > 1 + 1e-12:
        raise InvalidArgument(
            f"a difference of {goal.target:g} in {measure.name} is impossible: the supposed value leaves room for "
            f"{1 - truth.a:.3g} only"
        )
    if not given.together:
        if truth is None:
            words = f"no guess was given: the worst case, both values around one half, {goal.target:g} apart"
        return TwoRates(goal, f"cases{of} for each classifier", prior, truth), (words,)
    apart, said = rates_apart(given.paired, given.pair, rate.index, truth, goal.target)
    # what the gate does: the sign test where there is one, else the posterior
    strict = rate.index is None and goal.margin == 0
    return PairedRates(goal, f"cases{of}", apart, strict), (said,)


def _true_rate(measure: Measure, given: Supposition, rate: Rate) -> tuple[Truth | None, str]:
    """What the rate is supposed to be, and how that is said."""
    name = measure.name
    if given.mode is not None and given.concentration is not None:
        a, b = beta_of(given.mode, given.concentration)
        return Truth(a, b), (
            f"the true {name} is a draw of Beta({a:g}, {b:g}): mode {given.mode:g}, "
            f"concentration {given.concentration:g}"
        )
    if given.pilot is not None:
        law = knowledge_of(given.pilot).of(measure).law
        mass = law.mean * (1 - law.mean) / law.sd**2 - 1
        a, b = law.mean * mass, (1 - law.mean) * mass
        return Truth(a, b), f"the true {name} follows what the pilot shows, Beta({a:.6g}, {b:.6g})"
    if given.guess is None:
        return None, f"no guess was given: the worst case over the true {name} and over every outcome"
    if isinstance(given.guess, Mapping):
        table = of_rates(given.guess)
        value = float(measure(table.tables)[0])
        return Truth(value), f"{table.words}, so {name} {value:g}"
    value = checked_share("guess", given.guess)
    return Truth(value), f"the true {name} is {value:g}"


def _simulated(
    measure: Measure, goal: Goal, given: Supposition, prior: Prior, seed: int
) -> tuple[Simulated, tuple[str, ...]]:
    if isinstance(given.pilot, AccuracyPosterior):
        raise InvalidArgument(
            f"{measure.name} needs a confusion matrix as its pilot; this one knows the accuracy alone"
        )
    size = len(given.labels)
    weights = recall_weights(measure, size)
    most = MOST_CLASSES if weights is None else MOST_RECALLS
    if size > most:
        raise InvalidArgument(
            f"{measure.name} of {size} classes is beyond what can be simulated here (at most {most}); plan the "
            "accuracy or the recall of a class, which are counted out"
        )
    if min(prior.a, prior.b, prior.prevalence) <= 0:
        raise InvalidArgument(f"a plan needs a prior with some mass, such as 'flat' or 'jeffreys'; not {prior.name!r}")
    truths = _truths(measure, goal, given, size, seed)
    words: tuple[str, ...] = (truths.words,)
    if given.design is not None:
        shares, said = _design(measure, given, truths)
        truths, words = truths.designed(shares), (*words, said)
    unit = "cases for each classifier" if goal.kind == "difference" and not given.together else "cases"
    problem = Simulated(goal, unit, measure, truths, prior, seed=seed, weights=weights)
    if goal.kind != "difference" or not given.together:
        return problem, words
    if size > 10:
        raise InvalidArgument(f"the same cases for both: {measure.name} can be simulated up to 10 classes, not {size}")
    agreement, said = tables_together(given.paired, given.pair, problem)
    return replace(problem, agreement=agreement), (*words, said)


def _design(measure: Measure, given: Supposition, truths: Truths) -> tuple[Floats | None, str]:
    if not isinstance(given.design, str):
        return given.shares, "class sizes are fixed by design"
    weights = recall_weights(measure, truths.size)
    if given.design != "optimal" or weights is None:
        raise InvalidArgument(
            f"design= is class shares, or 'optimal' for a weighted sum of recalls such as balanced_accuracy; "
            f"not {excerpt(given.design)} for {measure.name}"
        )
    shares = optimal_shares(truths, weights)
    parts = ", ".join(f"{label} {share:.3g}" for label, share in zip(given.labels, shares, strict=True))
    return shares, f"class sizes are those of the smallest total, in shares: {parts}"


def _truths(measure: Measure, goal: Goal, given: Supposition, size: int, seed: int) -> Truths:
    many = int(np.clip(LARGEST // size**2, 40, EXPECTED_TESTS if goal.kind == "width" else TRUTHS))
    if isinstance(given.pilot, Posterior):
        return of_pilot(given.pilot, many, seed)
    if given.mode is not None and given.concentration is not None:
        return believed(given.mode, given.concentration, size, many, seed)
    if isinstance(given.guess, Mapping):
        return of_rates(given.guess)
    if given.guess is not None:
        return symmetric(measure, float(given.guess), size)
    if goal.kind in ("above", "below"):
        raise InvalidArgument(
            f"to show that {measure.name} is {goal.kind} a value needs a guess of it: guess=, or pilot="
        )
    return worst(measure, size)
