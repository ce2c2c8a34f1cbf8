"""Two classifiers by one metric, as `compare` tells of them: which is better, class by class, and what may mislead."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from howsure.answers.fields import summary
from howsure.answers.sheet import COVERS, Sheet
from howsure.errors import NoInformation, excerpt, listing
from howsure.knowledge.protocol import Ask, Measured
from howsure.laws import Draws, Kind, Law, LearnedSum, Linear
from howsure.metrics import Measure, of_class
from howsure.metrics.measure import plain_name
from howsure.posterior.accuracy import AccuracyKnowledge, AccuracyPosterior
from howsure.posterior.distribution import Distribution, moved_notes, moved_warnings
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.paired import MemberKnowledge, PairedMember, only_right_or_wrong, separate
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import PRIORS, LearnedPrior, Prior
from howsure.posterior.shares import COINS, absent_classes
from howsure.questions.differences import WORDS, Loss, TwoSided, chances, losses, short_names
from howsure.questions.groups import ComparedGroups, groups_of
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.svg import IntervalRow, forest
from howsure.text.text_table import csv_text

Contender = Posterior | AccuracyPosterior


def cases(posterior: Contender) -> int:
    """Number of cases, with and without a truth."""
    if isinstance(posterior, AccuracyPosterior):
        return posterior.n
    verdicts = posterior.confusion.verdicts
    return posterior.confusion.n if verdicts is None else verdicts.n


def class_sizes(posterior: Contender) -> dict[str, int]:
    """Cases of each class; empty where only the right answers are known."""
    if isinstance(posterior, AccuracyPosterior):
        return {}
    return dict(zip(posterior.labels, posterior.confusion.class_sizes.tolist(), strict=True))


#: Sets are of unlike size where the larger one has more than this times the cases of the smaller.
UNLIKE = 1.1
#: What stands for no pseudo-count at all, so that every law has a density.
NEXT_TO_NOTHING = 1e-6
#: Priors under which the posterior of a rate is the exact limit of Clopper and Pearson, its lower and its upper one.
LOWER, UPPER = (
    Prior(*pseudo, 4 / 3, name)
    for pseudo, name in (((NEXT_TO_NOTHING, 1.0), "lower"), ((1.0, NEXT_TO_NOTHING), "upper"))
)


def smaller_at_its_tail(
    posteriors: tuple[Contender, Contender], *, first_better: bool
) -> tuple[Contender, Contender] | None:
    """Both, the smaller of two separate test sets at its exact limits; None where their sizes are alike."""
    sizes = [posterior.n for posterior in posteriors]
    if max(sizes) <= UNLIKE * min(sizes) or not all(map(_plain, posteriors)):
        return None
    one, other = posteriors
    if sizes[0] <= sizes[1]:
        return _at(one, LOWER if first_better else UPPER), other
    return one, _at(other, UPPER if first_better else LOWER)


def _plain(posterior: Contender) -> bool:
    """Whether cases are independent, of two classes at most, with a truth each, under a prior that has a name."""
    if posterior.prior.name not in PRIORS or posterior.prior.told is not None:
        return False
    if isinstance(posterior, AccuracyPosterior):
        return True
    cm = posterior.confusion
    return len(posterior.labels) <= 2 and cm.verdicts is None and new_groups(cm) is None


def _at(posterior: Contender, prior: Prior) -> Contender:
    if isinstance(posterior, AccuracyPosterior):
        return AccuracyPosterior(correct=posterior.correct, n=posterior.n, prior=prior)
    return posterior.under(prior)


class Discordant(NamedTuple):
    """Cases that both have right, only A, only B, neither."""

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int


@dataclass(frozen=True)
class ClassDifference:
    """Recall of one class, A minus B; numbers are None where there is no information.

    ``law`` is "exact", or "simulated" under the prior `learned`; ``error`` is that of the distribution function, or the
    Monte Carlo error of the interval's ends.
    """

    label: str
    n_a: int
    n_b: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    p_better: float | None = None
    law: str | None = None
    error: float | None = None

    @property
    def p_worse(self) -> float | None:
        """Probability that the recall of A is the lower one."""
        return None if self.p_better is None else 1 - self.p_better

    @property
    def reverse(self) -> ClassDifference:
        """B minus A."""
        low, high = (None if end is None else -end for end in (self.high, self.low))
        mean = None if self.mean is None else -self.mean
        return replace(self, n_a=self.n_b, n_b=self.n_a, mean=mean, low=low, high=high, p_better=self.p_worse)

    def words(self, kind: Kind) -> tuple[str, str]:
        """Mean and interval."""
        assert self.low is not None
        assert self.high is not None
        digits = formats.decimals(self.low, self.high, self._noise, near=0.0)
        unlike = "" if self.interval == kind else f" ({self.interval})"
        return formats.number(self.mean, digits), formats.interval(self.low, self.high, digits) + unlike

    def cells(self, kind: Kind, draws: int) -> tuple[str, ...]:
        """A row of the table of a comparison."""
        assert self.p_better is not None
        chance = formats.probability(self.p_better, draws if self._noise else None)
        law = f"simulated ±{self.error:.1g}" if self._noise else self.law or ""
        return (f"  recall of {plain(self.label, 30)}", "", *self.words(kind), chance, law)

    @property
    def _noise(self) -> float:
        return (self.error or 0.0) if self.law == "simulated" else 0.0


#: What a prior of pseudo-counts says of itself; a learned one has no such numbers.
PSEUDO_COUNTS = ("a", "b", "prevalence")

#: Above this many classes, only those with the surest differences are shown; JSON and CSV have all.
MOST_CLASSES_SHOWN = 20
SUREST = 10

CSV = (
    *("what", "metric", "observed", "mean", "low", "high"),
    *("p_better", "p_equal", "p_worse", "method", "prior", "paired", "level"),
)

#: What is said of a pair of three classes or more.
LEARNED = "Same cases: how often the two disagree, and in whose favour, is learned over the classes."


FIELDS = """
metric=measures.0.base average=measures.0.average label=measures.0.label better=measures.0.metric.better paired
prior=_prior level interval=kind rope seed draws verdict=sentence classifiers=_classifiers difference=_difference
ratio=_ratio p_better p_equal p_worse expected_loss discordant narrowing tail per_class groups? warnings notes
"""


@dataclass(frozen=True, eq=False)
class Comparison(TwoSided, json="compare", fields=FIELDS):
    """Two classifiers by one metric; made by `compare`.

    Attributes
    ----------
    names : (str, str)
        What A and B are called.
    posteriors, measures : pairs
        What is known about each classifier, and the metric as each has it.
    a, b : Distribution
        What is known about the metric of each alone.
    rope : float or None
        Differences up to this size count as equivalent.
    level, kind : float, str
        Probability and kind of the intervals.
    draws, seed : int
        For what has no closed form.
    remarks : tuple of str
        Sentences about the data, which become notes.

    Examples
    --------
    >>> from howsure import Predictions, compare
    >>> both = Predictions([0] * 40 + [1] * 40, {"new": [0] * 40 + [1] * 40, "old": [0] * 34 + [1] * 46})
    >>> compare(both, metric="accuracy").discordant
    Discordant(both_right=74, only_a=6, only_b=0, both_wrong=0)
    """

    names: tuple[str, str]
    posteriors: tuple[Contender, Contender]
    measures: tuple[Measure, Measure]
    a: Distribution
    b: Distribution
    rope: float | None
    ask: Ask
    remarks: tuple[str, ...] = ()

    unit = "case"

    # -- the difference -------------------------------------------------------------------------------------

    @cached_property
    def measure(self) -> Measured:  # type: ignore[override]  # by that of the first
        """The metric, called by the name that people know, where it has one."""
        measure, p = self.measures[0], self.posteriors[0]
        many = isinstance(p, AccuracyPosterior) or len(p.labels) > 2
        called = plain_name(measure.name, None if many else p.confusion.positive)  # type: ignore[union-attr]
        return Measured(measure.name, called, measure.metric.better, measure.metric.range)

    @cached_property
    def _known(self) -> tuple[TableKnowledge | AccuracyKnowledge, TableKnowledge | AccuracyKnowledge]:
        """What stands behind the two posteriors."""
        a, b = self.posteriors
        return knowledge_of(a), knowledge_of(b)

    @cached_property
    def _pair(self) -> tuple[MemberKnowledge, MemberKnowledge] | None:
        """The same where both answered the same cases; None of separate test sets."""
        a, b = self.posteriors
        if not (isinstance(a, PairedMember) and isinstance(b, PairedMember)):
            return None
        return knowledge_of(a), knowledge_of(b)

    @property
    def prior(self) -> str:
        """Name of the prior of both."""
        return self._known[0].prior_name

    @property
    def paired(self) -> bool:  # type: ignore[override]  # by the posteriors
        """Whether both answered the same cases; otherwise the test sets are separate."""
        return self._pair is not None

    @property
    def cases(self) -> tuple[int, int]:
        """Cases of both, with and without a truth."""
        return cases(self.posteriors[0]), cases(self.posteriors[1])

    @cached_property
    def difference(self) -> Distribution:
        """A minus B."""
        return self.a - self.b

    @property
    def law(self) -> Law:
        """The same, as a law."""
        return self.difference.law

    @cached_property
    def _mean(self) -> float:
        """Mean of A minus B; infinite or undefined where the two means make it so, which draws cannot show."""
        means = self.a.mean, self.b.mean
        return self.difference.mean if all(map(math.isfinite, means)) else means[0] - means[1]

    @property
    def observed(self) -> float | None:
        """Difference on the raw counts."""
        a, b = self.a.observed, self.b.observed
        return None if a is None or b is None else a - b

    @property
    def prior_shift(self) -> float | None:
        """(mean - observed) / sd of the difference: how far the prior moved it."""
        sd = self.difference.sd
        if self.observed is None or not math.isfinite(self._mean - self.observed) or not sd > 0:
            return None
        return (self._mean - self.observed) / sd

    @cached_property
    def ratio(self) -> Law | None:
        """A divided by B, drawn jointly; None for a metric that can be negative."""
        if self.measures[0].metric.range[0] < 0:
            return None
        laws = [known.exact_law(m) for known, m in zip(self._known, self.measures, strict=True)]
        exact, streams = [law for law in laws if isinstance(law, Linear)], (0, 0) if self.paired else (0, 1)
        if len(exact) == 2:
            # one seed for laws on the same rows: they draw the same rows
            over, under = (law.sample(self.draws, seed=[self.seed, at]) for law, at in zip(exact, streams, strict=True))
        elif self._pair is not None and self._pair[0].joint.by_differences:
            one, other = self._pair
            over, under = one.joint.only(one.name, other.name).drawn([self.measures[0]], self.draws, self.seed, 0)[0]
        else:
            over, under = (
                known.drawn([m], self.draws, self.seed, stream)[0]
                for known, m, stream in zip(self._known, self.measures, streams, strict=True)
            )
        values = np.divide(over, under, out=np.full(len(over), np.nan), where=under > 0)
        return Draws(values) if np.isfinite(values).sum() > 1 else None

    # -- which is better ------------------------------------------------------------------------------------

    @cached_property
    def alike(self) -> bool:  # type: ignore[override]  # by the posteriors
        """Whether nothing tells A and B apart: the same answers, or equal counts of separate test sets."""
        a, b = self.posteriors
        if self._pair is not None:
            one, other = (x.joint.predictions.answers(x.name) for x in self._pair)
            return np.array_equal(one, other)
        if isinstance(a, AccuracyPosterior) or isinstance(b, AccuracyPosterior):
            both = isinstance(a, AccuracyPosterior) and isinstance(b, AccuracyPosterior)
            return both and (a.correct, a.n) == (b.correct, b.n)  # type: ignore[union-attr]
        sources = {knowledge_of(a).prevalence_source, knowledge_of(b).prevalence_source}
        of_these = sources <= {"test set", "chosen", "stated"}
        return of_these and self._one_prevalence and a.confusion == b.confusion and a.prior == b.prior

    @cached_property
    def _one_prevalence(self) -> bool:
        stated = (known.known_prevalence for known in self._known)
        return len({None if shares is None else shares.tobytes() for shares in stated}) == 1

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        found = losses(self.law, higher=self.higher_is_better, alike=self.alike)
        # what is lost by A is what B has and A has not; where that has an infinite mean, draws do not show it
        better = (self.b, self.a) if self.higher_is_better else (self.a, self.b)
        return Loss(*(math.inf if math.isinf(x.mean) else loss for x, loss in zip(better, found, strict=True)))

    @cached_property
    def discordant(self) -> Discordant | None:
        """Cases that both have right, only A, only B, neither; None for separate test sets."""
        if self._pair is None:
            return None
        one, other = self._pair
        return Discordant(*one.joint.both_right_or_wrong(one.name, other.name).sum(axis=0).tolist())

    @cached_property
    def narrowing(self) -> float | None:
        """Width of the interval as if the test sets were separate, over its width; None for separate ones."""
        width = self.difference.interval(self.level, self.kind).width
        if not self.paired or not width > 0:
            return None
        laws = [side.law for side in (self.a, self.b)]
        if all(isinstance(law, LearnedSum) for law in laws):  # each alone, and for one sentence draws are enough
            one, other = (law.sample(self.draws, seed=[self.seed, i]) for i, law in enumerate(laws))
            apart: Law = Draws(one - other)
        else:
            alone = [knowledge_of(separate(p)) for p in self.posteriors if isinstance(p, PairedMember)]
            a, b = (p.of(m, draws=self.draws, seed=self.seed) for p, m in zip(alone, self.measures, strict=True))
            apart = (a - b).law
        return apart.interval(self.level, self.kind).width / width

    @cached_property
    def per_class(self) -> tuple[ClassDifference, ...]:
        """Difference of the recall of every class that both have; none of right and wrong, which are no classes."""
        if all(map(only_right_or_wrong, self.posteriors)):
            return ()
        places = [{label: i for i, label in enumerate(p.labels)} for p in self.posteriors]
        sizes = [class_sizes(p) for p in self.posteriors]
        return tuple(
            self._of_class(label, (place, places[1][label]), (sizes[0][label], sizes[1][label]))
            for label, place in places[0].items()
            if label in places[1]
        )  # fmt: skip

    def _of_class(self, label: str, places: tuple[int, int], sizes: tuple[int, int]) -> ClassDifference:
        try:
            a, b = (
                known.of(of_class("recall", known.labels, place), draws=self.draws, seed=self.seed)
                for known, place in zip(self._known, places, strict=True)
            )
        except NoInformation:
            return ClassDifference(label, *sizes)
        law = (a - b).law
        if isinstance(law, LearnedSum):
            # learned recalls: drawing two of them is right, and a hundred times as quick as their mixtures
            over, under = (
                x.law.sample(self.draws, seed=[self.seed, side, place])
                for side, (x, place) in enumerate(zip((a, b), places, strict=True))
            )
            law = Draws(over - under, support=(-1.0, 1.0))
        ends = law.interval(self.level, self.kind)
        better = chances(law, None, higher=True).better
        error = law.interval_error(self.level, ends.kind) if isinstance(law, Draws) else law.error
        return ClassDifference(label, *sizes, law.mean, ends.low, ends.high, ends.kind, better, law.route, error)

    @property
    def shown_classes(self) -> tuple[ClassDifference, ...]:
        """The same, from the one that is ahead."""
        return tuple(it.reverse for it in self.per_class) if self.turned else self.per_class

    @cached_property
    def groups(self) -> ComparedGroups | None:
        """Of cases in groups: what the numbers are about, the other answer, how many cases they are worth."""
        return groups_of(self)

    @cached_property
    def tail(self) -> float | None:
        """Where one is better with probability ``level``: the same with the smaller of two test sets at its tail.

        None elsewhere, and where sizes are alike.
        """
        if self.paired or max(self.p_better, self.p_worse) < self.level:
            return None
        first = self.p_better > self.p_worse
        return self._tail_beyond((self.rope or 0.0) * (1 if first == self.higher_is_better else -1), first_better=first)

    def _tail_beyond(self, threshold: float, *, first_better: bool) -> float | None:
        """P(A - B beyond a threshold) with the smaller of two separate test sets at its exact tail; None if not due.

        The prior fades from a large set and stays in a small one. So that one of two equally good classifiers is better
        is said only where it holds with the recalls of the smaller set at the exact limits of Clopper and Pearson
        against it, Beta(k, n - k + 1) where it would be better and Beta(k + 1, n - k) where it would be worse, besides
        the posterior. Of one rate beside a known one that is the binomial test. For two classes, and right and wrong
        answers; about the cases as they are, under a prior that has a name.
        """
        at_tail = smaller_at_its_tail(self.posteriors, first_better=first_better)
        if at_tail is None:
            return None
        sides = zip(at_tail, self.measures, strict=True)
        a, b = (knowledge_of(p).of(m, draws=self.draws, seed=self.seed) for p, m in sides)
        upwards, law = first_better == self.higher_is_better, (a - b).law
        return law.prob(above=threshold) if upwards else law.prob(below=threshold)

    # -- what would mislead a reader, and what helps one ------------------------------------------------------

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        if self.tail is None or self.tail >= self.level:
            return self.caveats
        small = (
            "The test sets differ in size, so this does not decide: the prior stays in the small one, and with it at "
            f"its exact tail (Clopper and Pearson) the probability is {formats.probability(self.tail)}, below "
            f"{self.level:g}."
        )
        return (small, *self.caveats)

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """The same of the data alone, without what decides."""
        first, second = self.posteriors
        sizes, found = [class_sizes(p) for p in self.posteriors], list[str]()
        if first.labels and second.labels and set(first.labels) != set(second.labels):
            odd = sorted(set(first.labels) ^ set(second.labels))
            found.append(f"The classes differ; only one of the two has {listing(map(excerpt, odd))}.")
        if not self._one_prevalence:
            found.append("The prevalences differ: part of the difference is that of the populations.")
        about = [known.about_groups or "its cases" for known in self._known]
        if about[0] != about[1]:
            ask = "ask both the same question with groups="
            way = "leave the groups of the one out" if "its cases" in about else ask
            found.append(f"One is about {about[0]}, the other about {about[1]}; {way}.")
        if not self.paired and sizes[0] == sizes[1] and any(sizes[0].values()):
            found.append(
                "Both have the same class sizes, and separate test sets are assumed. If they are the same cases, give "
                "the answers to each case (Predictions, or files with ids): with errors of correlation rho the "
                "interval shrinks to about sqrt(1 - rho) of its width."
            )
        empty = dict.fromkeys(label for each in sizes for label, size in each.items() if not size)
        if empty and not all(map(only_right_or_wrong, self.posteriors)):
            found.append(f"No case of {listing(map(excerpt, empty))} was tested; its numbers are those of the prior.")
        return (*found, *moved_warnings(self.names, (self.a, self.b), self.prior_shift))

    @property
    def _learned(self) -> bool:
        """Whether what tells A and B apart is learned over the classes; the accuracy is pooled."""
        pooled = self.measures[0].twin.metric.name in COINS
        return self._pair is not None and self._pair[0].joint.learned and not pooled

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What helps one: how the data were read, what the prior does."""
        law, found = self.law, list[str]()
        if self.groups is not None:
            found += self.groups.sentences(law.n if isinstance(law, Draws) else self.draws, self.names[0])
        found += [LEARNED] if self._learned else []
        for name, known, measure in zip(self.names, self._known, self.measures, strict=True):
            if isinstance(known, TableKnowledge):  # classes that it never predicts, or that are never true
                said = absent_classes(known.confusion, {measure.name: known.absent(measure)})
                found += [f"{plain(name, 40)}: {sentence}" for sentence in said]
        sides, exact, called = (self.a, self.b), self.difference.route == "exact", self.measure.called
        moved = moved_notes(self.names, sides, self.prior_shift, metric=called, prior=self.prior, exact=exact)
        return (*self.remarks, *found, *moved)

    # -- as a value -----------------------------------------------------------------------------------------

    @property
    def _which_groups(self) -> str:
        about = {known.about_groups for known in self._known}
        return about.pop() if len(about) == 1 else ""

    @property
    def _prior(self) -> dict[str, Any]:
        prior = self.posteriors[0].prior
        learned = isinstance(prior, LearnedPrior)
        return {"name": self.prior, **{key: None if learned else getattr(prior, key) for key in PSEUDO_COUNTS}}

    @property
    def _classifiers(self) -> list[dict[str, Any]]:
        return [
            {"name": name, "n": n, "observed": x.observed, **self._numbers(x.law)}
            for name, x, n in zip(self.names, (self.a, self.b), self.cases, strict=True)
        ]

    @property
    def _difference(self) -> dict[str, Any]:
        seen = {"observed": self.observed, "prior_effect": self.prior_shift, "prior_shift": self.prior_shift}
        return {**seen, **self._numbers(self.law), "mean": self._mean}

    @property
    def _ratio(self) -> Mapping[str, Any] | None:
        return None if self.ratio is None else self._numbers(self.ratio)

    def _numbers(self, law: Law) -> Mapping[str, Any]:
        ends, drawn = law.interval(self.level, self.kind), law if isinstance(law, Draws) else None
        error = drawn.interval_error(self.level, ends.kind) if drawn else law.error
        return {**summary(law, self.level, self.kind), "error": error, "draws": drawn.n if drawn else None}

    def to_csv(self) -> str:
        """CSV, one row for each classifier, for the difference, and for the recall of each class; numbers in full."""
        shared = (self.prior, "yes" if self.paired else "no", self.level)
        what, rows = " - ".join(self.names), self._lines(*shared)
        for it in self.per_class:
            said = (it.mean, it.low, it.high, it.p_better, None, it.p_worse, it.law)
            rows.append((what, f"recall@{it.label}", None, *said, *shared))
        return csv_text(CSV, rows)

    # -- for people -----------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """Rows of A, of B, of the difference, and of the recall of each class."""
        below = []
        listed = [it for it in self.shown_classes if it.p_better is not None]
        if (many := len(self.per_class)) > MOST_CLASSES_SHOWN:
            listed = sorted(listed, key=lambda it: -abs((it.p_better or 0.5) - 0.5))[:SUREST]
            below.append(f"The {SUREST} surest differences of {many} classes are shown; --json has the others.")
        return Sheet(
            self.sentence, self._header, (*self._rows, *(it.cells(self.kind, self.draws) for it in listed)),
            (self._footnote(),), about=self._about(), below=(*below, *self._pairing()), warnings=self.warnings,
            remarks=self.notes, words=WORDS, covers=COVERS,
        )  # fmt: skip

    def _about(self) -> str:
        """What was compared: cases, pairing, prior, and which direction of the metric is better."""
        sizes = [integer(n) for n in self.cases]
        apart = f"separate test sets of {' and '.join(sizes)} cases"
        what = f"Paired: {sizes[0]} cases answered by both" if self.paired else f"Not paired: {apart}"
        if self.groups is not None:
            many = " and ".join(map(integer, self.groups.groups))
            what += f", in {many} {'group' if many == '1' else 'groups'}"
        return f"{what}. Prior: {plain(self.prior)}. {self.measure.called}: {self.measure.better} is better."

    def _pairing(self) -> list[str]:
        """How many cases only one has right, and what pairing narrows; nothing of separate test sets."""
        if self.discordant is None:
            return []
        both = several(self.discordant.both_right, "case")
        a, b, neither = map(integer, self.discordant[1:])
        first, second = (plain(name, 40) for name in self.names)
        line = f"Both are right on {both}, only {first} on {a}, only {second} on {b}, neither on {neither}."
        if self.narrowing is not None:
            times = f"{self.narrowing:.1f}"
            wide = "about as wide" if times == "1.0" else f"{times} times as wide"
            line += f" As separate test sets the interval would be {wide}."
        return [line]

    def _footnote(self) -> str:
        """What the numbers mean, and what they do not cover."""
        line = "Loss: expected shortfall of the choice, in units of the metric. "
        if self.per_class:
            line += f"Rows of a class: difference of its recall{', without the rope' if self.rope else ''}. "
        drawn = any(isinstance(x.law, Draws) for x in (self.a, self.b, self.difference))
        if drawn or any(it.law == "simulated" for it in self.per_class):
            line += f"simulated: {integer(self.draws)} draws, seed {self.seed}, ± Monte Carlo error of the ends."
        return line.rstrip()

    def __repr__(self) -> str:
        return f"<Comparison: {self.sentence}>"

    def _classes_picture(self, *, width: float = 680) -> str:
        """Difference of the recall of each class, from the one that is ahead, as SVG; without those not known."""
        a, b = short_names(self.ahead)
        rows = [
            IntervalRow(it.label, "{} ({})".format(*it.words(self.kind)), it.mean, it.low, it.high, chance=0.0)
            for it in self.shown_classes
            if it.low is not None
        ]
        return forest(rows, title=f"Difference of the recall of each class, {a} minus {b}", width=width)
