"""Who is asked about, what two of them share, where they differ class by class, and what would mislead a reader."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict

import numpy as np
from scipy.special import ndtri

from howsure.answers.asking import Ask, Asking
from howsure.data.groups import Question
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.knowledge.protocol import Knowledge, Separate
from howsure.laws import Draws, Kind, Law, LearnedSum
from howsure.metrics import Measure, of_class
from howsure.metrics.measure import plain_name
from howsure.numerics.arrays import Floats
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.distribution import Distribution, moved_warnings
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.paired import PairedMember, only_right_or_wrong, separate, under_one_default
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import PRIORS, Prior
from howsure.posterior.shares import COINS, Shares, absent_classes
from howsure.questions.differences import Chances, chances, short_names
from howsure.text import formats
from howsure.text.formats import plain
from howsure.text.svg import IntervalRow, forest, three_parts

__all__ = [
    "ClassDifference",
    "Contender",
    "Contending",
    "Discordant",
    "Inferring",
    "absent",
    "are_known",
    "board_of",
    "called",
    "cases",
    "cases_of_the_smaller",
    "chances_picture",
    "class_cells",
    "class_differences",
    "class_sizes",
    "classes_picture",
    "discordant",
    "drawn",
    "exchangeable",
    "learned",
    "pair_of",
    "paired",
    "refuse_inferred",
    "small_beside_large",
    "smaller_at_its_tail",
    "tail_of_the_smaller",
    "under_one_prior",
    "warnings",
    "which_groups",
    "width_apart",
]


Contender = Posterior | AccuracyPosterior


class Inferring(TypedDict, total=False):
    """Keywords of `howsure.infer`, for questions that infer posteriors from predictions."""

    prior: str | Prior | None
    shares: Shares | None
    groups: Question | None


class Contending(Inferring, Asking, total=False):
    """Keywords of what compares, ranks and gates, besides its own."""


def cases(posterior: Contender) -> int:
    """Number of cases, with and without a truth."""
    if isinstance(posterior, AccuracyPosterior):
        return posterior.n
    verdicts = posterior.confusion.verdicts
    return posterior.confusion.n if verdicts is None else verdicts.n


def called(metric: str, posterior: Contender) -> str:
    """A metric by the name that people know, where it has one."""
    if isinstance(posterior, AccuracyPosterior) or len(posterior.labels) > 2:
        return plain_name(metric, None)
    return plain_name(metric, posterior.confusion.positive)


def class_sizes(posterior: Contender) -> dict[str, int]:
    """Cases of each class; empty where only the right answers are known."""
    if isinstance(posterior, AccuracyPosterior):
        return {}
    return dict(zip(posterior.labels, posterior.confusion.class_sizes.tolist(), strict=True))


def are_known(given: Any) -> bool:
    """Whether a question is asked of a kind of knowledge: one, or a mapping of names to several."""
    if isinstance(given, Mapping):
        return bool(given) and all(isinstance(it, Knowledge) for it in given.values())
    return isinstance(given, Knowledge)


def pair_of(given: Sequence[Any], names: Sequence[str] | None = None) -> tuple[Knowledge, str | None, str | None]:
    """One kind and the names of two contenders, or two kinds on data of their own.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> one = Items.from_columns(["a", "b"], [1, 2])
    >>> pair_of([one, one], ("new", "old"))[1:]
    ('new', 'old')
    """
    first, *others = given
    if len(others) == 1 and isinstance(others[0], Knowledge):
        a, b = names or ("A", "B")
        return Separate({a: first, b: others[0]}), a, b
    if names is not None or len(others) > 2 or not all(it is None or isinstance(it, str) for it in others):
        raise InvalidArgument(
            f"after {type(first).__name__} come the names of two contenders, of {listing(first.names)}, or the same of "
            f"another test set; not {excerpt(others)}"
        )
    a, b = [*others, None, None][:2]
    return first, a, b


def board_of(given: Any) -> Knowledge:
    """All contenders of one kind, or of a mapping of names to several."""
    return Separate(given) if isinstance(given, Mapping) else given


def refuse_inferred(call: str, *, prior: object, shares: object, groups: object) -> None:
    """Refuse beside posteriors what was said when they were inferred."""
    if prior is not None:
        raise InvalidArgument(f"posteriors have their prior; name it in infer(), not in {call}()")
    if shares is not None:
        raise InvalidArgument(f"posteriors have their class shares; say shares= in infer(), not in {call}()")
    if groups is not None:
        raise InvalidArgument("posteriors are about the groups that infer() made them for; say groups= there")


# -- What two share ----------------------------------------------------------------------------------------------------

Two = tuple[Contender, Contender]
Sides = tuple[Distribution, Distribution]


class Discordant(NamedTuple):
    """Cases that both have right, only A, only B, neither."""

    both_right: int
    only_a: int
    only_b: int
    both_wrong: int


def paired(posteriors: Two) -> bool:
    """Whether both answered the same cases; otherwise the test sets are separate."""
    return isinstance(posteriors[0], PairedMember)


def learned(posteriors: Two, measure: Measure) -> bool:
    """Whether what tells A and B apart in this measure is learned over the classes; the accuracy is pooled."""
    a = posteriors[0]
    return isinstance(a, PairedMember) and knowledge_of(a).joint.learned and measure.twin.metric.name not in COINS


def discordant(posteriors: Two) -> Discordant | None:
    """Cases that both have right, only A, only B, neither; None for separate test sets."""
    a, b = posteriors
    if not (isinstance(a, PairedMember) and isinstance(b, PairedMember)):
        return None
    one, other = knowledge_of(a), knowledge_of(b)
    return Discordant(*one.joint.both_right_or_wrong(one.name, other.name).sum(axis=0).tolist())


def exchangeable(posteriors: Two) -> bool:
    """Whether nothing tells A and B apart: the same answers, or equal counts of separate test sets."""
    a, b = posteriors
    if isinstance(a, PairedMember) and isinstance(b, PairedMember):
        one, other = (x.joint.predictions.answers(x.name) for x in map(knowledge_of, (a, b)))
        return np.array_equal(one, other)
    if isinstance(a, AccuracyPosterior) or isinstance(b, AccuracyPosterior):
        return (
            isinstance(a, AccuracyPosterior)
            and isinstance(b, AccuracyPosterior)
            and (a.correct, a.n) == (b.correct, b.n)
        )
    known, beside = knowledge_of(a), knowledge_of(b)
    here, there = known.known_prevalence, beside.known_prevalence
    stated = here is there is None or (here is not None and there is not None and np.array_equal(here, there))
    learned = {known.prevalence_source, beside.prevalence_source} <= {"test set", "chosen", "stated"}
    return stated and learned and a.confusion == b.confusion and a.prior == b.prior


def drawn(posteriors: Two, measures: tuple[Measure, Measure], ask: Ask) -> tuple[Floats, Floats]:
    """Draws of the metric of A and of B, joint where both answered the same cases."""
    a, b = posteriors
    if isinstance(a, PairedMember) and isinstance(b, PairedMember) and knowledge_of(a).joint.by_differences:
        joint = knowledge_of(a).joint.only(knowledge_of(a).name, knowledge_of(b).name)
        one, other = joint.drawn([measures[0]], ask.draws, ask.seed, 0)[0]
        return one, other
    streams = (0, 0) if paired(posteriors) else (0, 1)
    one, other = (
        knowledge_of(p).drawn([m], ask.draws, ask.seed, stream)[0]
        for p, m, stream in zip(posteriors, measures, streams, strict=True)
    )
    return one, other


def width_apart(posteriors: Two, measures: tuple[Measure, Measure], sides: Sides, ask: Ask) -> float:
    """Width of the interval of the difference as if the test sets of a pair were separate."""
    laws = [side.law for side in sides]
    if all(isinstance(law, LearnedSum) for law in laws):  # each alone, and for one sentence draws are enough
        one, other = (law.sample(ask.draws, seed=[ask.seed, i]) for i, law in enumerate(laws))
        return Draws(one - other).interval(ask.level, ask.kind).width
    apart = [knowledge_of(separate(p)) for p in posteriors if isinstance(p, PairedMember)]
    a, b = (p.of(m, draws=ask.draws, seed=ask.seed) for p, m in zip(apart, measures, strict=True))
    return (a - b).interval(ask.level, ask.kind).width


def under_one_prior(first: Contender, second: Contender) -> tuple[Contender, Contender, tuple[str, ...]]:
    """Both under one default, and the sentence that says so where that of a table changes.

    Each has the prior of its report; only beside a table of three classes or more has one of two the prior of that.
    """
    if not (first.prior.defaulted and second.prior.defaulted) or first.prior.name == second.prior.name:
        return first, second, ()
    if any(isinstance(posterior, AccuracyPosterior) for posterior in (first, second)):
        one, other = under_one_default([first, second])
        return one, other, ()
    said = "no prior was named, so both are under 'learned', which a report of the one with more classes has."
    return _under(first), _under(second), (said,)


def _under(posterior: Contender) -> Contender:
    assert not isinstance(posterior, AccuracyPosterior)
    return posterior if posterior.prior.name == "learned" else posterior.under("learned")


#: Sets are of unlike size where the larger one has more than this times the cases of the smaller.
UNLIKE = 1.1
#: What stands for no pseudo-count at all, so that every law has a density.
NEXT_TO_NOTHING = 1e-6
#: Priors under which the posterior of a rate is the exact limit of Clopper and Pearson, its lower and its upper one.
LOWER, UPPER = (
    Prior(*pseudo, 4 / 3, name)
    for pseudo, name in (((NEXT_TO_NOTHING, 1.0), "lower"), ((1.0, NEXT_TO_NOTHING), "upper"))
)


def tail_of_the_smaller(
    posteriors: Two, measures: tuple[Measure, Measure], threshold: float, ask: Ask, *, first_better: bool
) -> float | None:
    """P(A - B beyond a threshold) with the smaller of two separate test sets at its exact tail; None where none is due.

    The prior fades from a large set and stays in a small one. So that one of two equally good classifiers is better is
    said only where it holds with the recalls of the smaller set at the exact limits of Clopper and Pearson against it,
    Beta(k, n - k + 1) where it would be better and Beta(k + 1, n - k) where it would be worse, besides the posterior.
    Of one rate beside a known one that is the binomial test. For two classes, and right and wrong answers; about the
    cases as they are, under a prior that has a name.

    Parameters
    ----------
    posteriors, measures : pairs
        A and B, of separate test sets.
    threshold : float
        Of A - B, in units of the metric.
    first_better : bool
        Whether A would be better; otherwise B.
    ask : Ask
        Draws and seed, for what has no closed law.
    """
    at_tail = smaller_at_its_tail(posteriors, first_better=first_better)
    if at_tail is None:
        return None
    sides = [
        knowledge_of(each).of(measure, draws=ask.draws, seed=ask.seed)
        for each, measure in zip(at_tail, measures, strict=True)
    ]
    law = (sides[0] - sides[1]).law
    upwards = first_better == (measures[0].metric.better == "higher")
    return law.prob(above=threshold) if upwards else law.prob(below=threshold)


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


def cases_of_the_smaller(posteriors: tuple[Contender, Contender], tail: float, wanted: float) -> int | None:
    """About how many more cases of the smaller set would bring its tail to what is asked; None where none would.

    By a normal approximation, in which the distance stays and the spread falls with the root of the cases.
    """
    now, then = float(ndtri(tail)), float(ndtri(wanted))
    if not 0 < now < then:
        return None
    return math.ceil(min(posterior.n for posterior in posteriors) * ((then / now) ** 2 - 1))


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


def warnings(names: tuple[str, str], posteriors: Two, sides: Sides, shift: float | None) -> tuple[str, ...]:
    """Sentences that a reader must not miss; ``shift`` is how far the prior moved the difference, in sds."""
    moved = moved_warnings(names, sides, shift)
    return (*_unlike(posteriors), *_apart(posteriors), *_empty(posteriors), *moved)


def small_beside_large(tail: float, level: float) -> tuple[str, ...]:
    """The sentence where a small test set beside a large one makes a difference look surer than it is."""
    if tail >= level:
        return ()
    return (
        "The test sets differ in size, so this does not decide: the prior stays in the small one, and with it at "
        f"its exact tail (Clopper and Pearson) the probability is {formats.probability(tail)}, below {level:g}.",
    )


def absent(names: tuple[str, str], posteriors: Two, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Classes that one of the two never predicts, or that are never true, and what they count in an average."""
    found = []
    for name, posterior, measure in zip(names, posteriors, measures, strict=True):
        known = knowledge_of(posterior)
        if isinstance(known, TableKnowledge):
            said = absent_classes(known.confusion, {measure.name: known.absent(measure)})
            found += [f"{plain(name, 40)}: {sentence}" for sentence in said]
    return tuple(found)


def which_groups(posteriors: Two) -> str:
    """Which groups the difference is about; "" where cases come in none, or the two are about unlike ones."""
    about = {knowledge_of(p).about_groups for p in posteriors}
    return about.pop() if len(about) == 1 else ""


def _unlike(posteriors: Two) -> list[str]:
    first, second = posteriors
    found = []
    if first.labels and second.labels and set(first.labels) != set(second.labels):
        odd = sorted(set(first.labels) ^ set(second.labels))
        found.append(f"The classes differ; only one of the two has {listing(map(excerpt, odd))}.")
    here, there = (knowledge_of(p).known_prevalence for p in posteriors)
    same = np.array_equal(here, there) if here is not None and there is not None else here is there
    if not same:
        found.append("The prevalences differ: part of the difference is that of the populations.")
    about = [knowledge_of(p).about_groups or "its cases" for p in posteriors]
    if about[0] != about[1]:
        way = "leave the groups of the one out" if "its cases" in about else "ask both the same question with groups="
        found.append(f"One is about {about[0]}, the other about {about[1]}; {way}.")
    return found


def _apart(posteriors: Two) -> list[str]:
    """Two matrices that look like the same cases."""
    first, second = (class_sizes(p) for p in posteriors)
    if paired(posteriors) or first != second or not sum(first.values()):
        return []
    return [
        "Both have the same class sizes, and separate test sets are assumed. If they are the same cases, give the "
        "answers to each case (Predictions, or files with ids): with errors of correlation rho the interval shrinks "
        "to about sqrt(1 - rho) of its width."
    ]


def _empty(posteriors: Two) -> list[str]:
    empty = [label for p in posteriors for label, size in class_sizes(p).items() if not size]
    if not empty or all(map(only_right_or_wrong, posteriors)):
        return []
    return [f"No case of {listing(map(excerpt, dict.fromkeys(empty)))} was tested; its numbers are those of the prior."]


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


def class_differences(posteriors: Two, ask: Ask) -> tuple[ClassDifference, ...]:
    """Difference of the recall of every class that both have."""
    sizes = [class_sizes(p) for p in posteriors]
    found = [{label: i for i, label in enumerate(p.labels)} for p in posteriors]
    return tuple(
        _difference(label, posteriors, (found[0][label], found[1][label]), (sizes[0][label], sizes[1][label]), ask)
        for label in posteriors[0].labels
        if label in found[1]
    )  # fmt: skip


def _difference(
    label: str, posteriors: Two, places: tuple[int, int], sizes: tuple[int, int], ask: Ask
) -> ClassDifference:
    try:
        a, b = (
            knowledge_of(p).of(of_class("recall", p.labels, i), draws=ask.draws, seed=ask.seed)
            for p, i in zip(posteriors, places, strict=True)
        )
    except NoInformation:
        return ClassDifference(label, *sizes)
    law = (a - b).law
    if isinstance(law, LearnedSum):
        # learned recalls: drawing two of them is right, and a hundred times as quick as their mixtures
        over, under = (
            x.law.sample(ask.draws, seed=[ask.seed, side, place])
            for side, (x, place) in enumerate(zip((a, b), places, strict=True))
        )
        law = Draws(over - under, support=(-1.0, 1.0))
    ends = law.interval(ask.level, ask.kind)
    better = chances(law, None, higher=True).better
    error = law.interval_error(ask.level, ends.kind) if isinstance(law, Draws) else law.error
    return ClassDifference(label, *sizes, law.mean, ends.low, ends.high, ends.kind, better, law.route, error)


def class_cells(it: ClassDifference, kind: Kind, draws: int) -> tuple[str, ...]:
    """A row of the table of a comparison."""
    assert it.low is not None
    assert it.high is not None
    assert it.p_better is not None
    drawn = it.law == "simulated"
    digits = formats.decimals(it.low, it.high, error=(it.error or 0.0) if drawn else 0.0, near=0.0)
    unlike = "" if it.interval == kind else f" ({it.interval})"
    shown = [formats.number(it.mean, digits), formats.interval(it.low, it.high, digits) + unlike]
    chance = formats.probability(it.p_better, draws if drawn else None)
    law = f"simulated ±{it.error:.1g}" if drawn else it.law or ""
    return (f"  recall of {formats.plain(it.label, 30)}", "", *shown, chance, law)


def chances_picture(
    law: Law, said: Chances, names: tuple[str, str], rope: float, *, turned: bool = False, width: float = 680
) -> str:
    """Probabilities that A is worse, practically the same and better, as SVG; with B at the right if ``turned``."""
    if turned:
        names, said = names[::-1], Chances(*said[::-1])
    a, b = short_names(names)
    draws = law.n if isinstance(law, Draws) else None
    parts = (said.worse, said.equal, said.better)
    sides = (f"{b} is better", f"within {rope:g}", f"{a} is better")
    words = [formats.probability(p, draws) if rope or i != 1 else "" for i, p in enumerate(parts)]
    told = ". ".join(f"{name}: {word}" for name, word in zip(sides, words, strict=True) if word)
    return three_parts(parts, words, sides, title=f"{told}.", width=width)


def classes_picture(rows: Sequence[ClassDifference], names: tuple[str, str], kind: Kind, *, width: float = 680) -> str:
    """Difference of the recall of each class as SVG; without those of which nothing is known."""
    a, b = short_names(names)
    known = [
        IntervalRow(row.label, "{} ({})".format(*class_words(row, kind)), row.mean, row.low, row.high, chance=0.0)
        for row in rows
        if row.low is not None
    ]
    return forest(known, title=f"Difference of the recall of each class, {a} minus {b}", width=width)


def class_words(row: ClassDifference, kind: Kind) -> tuple[str, str]:
    """Mean and interval of one class in words."""
    if row.low is None or row.high is None:
        return "no information", ""
    error = (row.error or 0.0) if row.law == "simulated" else 0.0
    digits = formats.decimals(row.low, row.high, error, near=0.0)
    ends = formats.interval(row.low, row.high, digits)
    return formats.number(row.mean, digits), ends if row.interval == kind else f"{ends} ({row.interval})"
