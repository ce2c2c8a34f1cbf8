"""Two classifiers whose cases come in groups: which question is answered, the other answer, what cases are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri, stdtrit

from howsure.answers.fields import Keyed
from howsure.data.groups import Question, group_places
from howsure.errors import HowsureError
from howsure.laws import Draws
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.groups.simulated_groups import clustered_error_of_sum, worth_of_difference
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedMember, PairedPosterior
from howsure.posterior.paired_rows import COINS
from howsure.posterior.posterior import Posterior, infer
from howsure.questions.differences import chances
from howsure.questions.entries import ABOUT, equivalent
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.comparison.comparison import Comparison

__all__ = ["ComparedGroups", "groups_of"]


@dataclass(frozen=True)
class OtherDifference:
    """The difference if the other question is asked; without numbers, why not."""

    question: Question
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    p_better: float | None = None
    why_not: str | None = None


@dataclass(frozen=True)
class ClusteredDifference:
    """Observed difference, its clustered standard error, and the interval of Student's t."""

    value: float
    error: float
    degrees: int
    low: float
    high: float
    low_normal: float
    high_normal: float


@dataclass(frozen=True)
class ComparedGroups(Keyed, fields="question groups cases worth worth_of clustered other"):
    """Cases in groups, as a comparison tells of them.

    Attributes
    ----------
    question : "new" or "these"
        What the numbers are about.
    groups : tuple of int
        How many: of the same cases one number, of separate test sets that of each.
    cases : int
        Cases of all groups.
    metric : str
        What was compared.
    worth, worth_of : float or None, str
        As how many independent cases they count for the difference of which metric: this one, or of one that is no sum
        of recalls the accuracy. None of separate test sets and of one group.
    clustered : ClusteredDifference or None
        The standard error that evaluation frameworks print; None likewise, and of metrics that are no sum of recalls.
    other : OtherDifference
        The answer to the other question.
    unlike_sizes : bool
        Whether groups count alike in the numbers of each classifier, cases in the difference, and it matters: larger
        groups are right more often, or less often.
    """

    question: Question
    groups: tuple[int, ...]
    cases: int
    metric: str
    worth: float | None
    worth_of: str
    clustered: ClusteredDifference | None
    other: OtherDifference
    unlike_sizes: bool = False

    @property
    def worth_words(self) -> str | None:
        """How many independent cases they are worth; None where that is not known.

        Examples
        --------
        >>> other = OtherDifference("these")
        >>> ComparedGroups("new", (20,), 400, "recall@ill", 137.9, "recall@ill", None, other).worth_words
        'the 400 cases of 20 groups are equivalent to about 138 for the difference of recall@ill'
        """
        if self.worth is None:
            return None
        cases, groups = formats.several(self.cases, "case"), formats.several(self.groups[0], "group")
        what = f"the difference of {formats.plain(self.worth_of, 60)}"
        if round(self.worth) >= self.cases:
            return f"the {cases} of {groups} are equivalent to as many for {what}"
        return f"the {cases} of {groups} are equivalent to about {equivalent(self.worth)} for {what}"

    def sentences(self, draws: int | None, first: str) -> tuple[str, ...]:
        """Notes of a comparison; the name of the ``first`` classifier is that of whom P(better) is told."""
        other, option = self.other, self.other.question
        said = f"all numbers are about {ABOUT[self.question]}"
        if other.why_not is not None:
            said += f". About {ABOUT[option]} there is no answer: {other.why_not.partition(';')[0]}"
        elif not (other.mean is None or other.low is None or other.high is None or other.p_better is None):
            places = formats.decimals(other.low, other.high)
            ends = formats.interval(other.low, other.high, places)
            surely = formats.probability(other.p_better, draws)
            what = f"{formats.plain(self.metric, 60)} is {formats.number(other.mean, places)} ({ends})"
            said += (
                f". About {ABOUT[option]} the difference of {what}, and {formats.plain(first, 40)} is better with "
                f"probability {surely}; groups='{option}' (--groups {option})"
            )
        told = [f"{said}."]
        parts = [] if self.worth_words is None else [self.worth_words]
        if (se := self.clustered) is not None:
            places = formats.decimals(se.low, se.high)
            ends = formats.interval(se.low, se.high, places)
            parts.append(
                f"its clustered standard error is {se.error:.4f} ({ends} by Student's t, "
                f"{formats.several(se.degrees, 'degree')} of freedom)"
            )
        if parts:
            told.append("; ".join(parts) + ".")
        if self.unlike_sizes:
            told.append(
                "how often a group is right goes with its size: in the numbers of each classifier each new group "
                "counts alike, in the difference each case."
            )
        return tuple(told)


def groups_of(c: Comparison) -> ComparedGroups | None:
    """What a comparison says of groups; None where the cases of one or both come in none, or are about unlike ones."""
    first, second = c.posteriors
    if not (isinstance(first, Posterior) and isinstance(second, Posterior)):
        return None
    one, two = first.confusion.groups, second.confusion.groups
    if one is None or two is None or one.question != two.question:
        return None
    worth, worth_of, clustered = None, c.metric, None
    if isinstance(first, PairedMember) and isinstance(second, PairedMember):
        joint, names = knowledge_of(first).joint, (knowledge_of(first).name, knowledge_of(second).name)
        weights = _weights(joint, c.measures[0])
        if len(one) > 1:
            gain, worth_of = _gain(joint, names, weights), "accuracy" if weights is None else c.metric
            place = group_places(joint.predictions.group, joint.predictions.n)[1]
            worth = joint.predictions.n * worth_of_difference(gain, place)
            clustered = None if weights is None else _clustered(gain, place, c.observed or 0.0, c.level)
    counted = (len(one),) if c.paired else (len(one), len(two))
    cases = first.n if c.paired else first.n + second.n
    other, unlike = _other(c, one.question), c.paired and any(map(_goes_with_size, (first, second)))
    return ComparedGroups(one.question, counted, cases, c.metric, worth, worth_of, clustered, other, unlike)


def _goes_with_size(posterior: Posterior) -> bool:
    """Whether the accuracy of new groups goes with their size, as a report says it."""
    rows = knowledge_of(posterior).groups
    return rows is not None and rows.goes_with_size


def _weights(joint: PairedPosterior, measure: Measure) -> Floats | None:
    """Weights of the recalls in a measure, shape (K,); () of the accuracy, None of no sum of them."""
    if joint.known_prevalence is None and measure.twin.metric.name in COINS:
        return np.zeros(0)
    found = joint.weights_of(measure)
    return None if found is None else found[0]


def _gain(joint: PairedPosterior, names: tuple[str, str], weights: Floats | None) -> Floats:
    """What each case adds to the difference, less its mean, shape (n,); of the accuracy without weights."""
    data = joint.predictions
    first, second = (data.answers(name) == data.truth for name in names)
    gain = first.astype(float) - second
    if weights is None or not len(weights):
        return np.asarray((gain - gain.mean()) / data.n)
    cases = np.maximum(bincount(data.truth, minlength=len(weights)), 1)
    means = bincount(data.truth, weights=gain, minlength=len(weights)) / cases
    return np.asarray((weights / cases)[data.truth] * (gain - means[data.truth]))


def _clustered(gain: Floats, place: Integers, value: float, level: float) -> ClusteredDifference:
    error, degrees = clustered_error_of_sum(gain, place), int(place.max())
    by_t, normal = (float(q) * error for q in (stdtrit(degrees, (1 + level) / 2), ndtri((1 + level) / 2)))
    ends = (value - by_t, value + by_t, value - normal, value + normal)
    return ClusteredDifference(value, error, degrees, *ends)


def _other(c: Comparison, question: Question) -> OtherDifference:
    asked: Question = "these" if question == "new" else "new"
    first, second = c.posteriors
    assert isinstance(first, Posterior)
    assert isinstance(second, Posterior)
    try:
        if isinstance(first, PairedMember) and isinstance(second, PairedMember):
            joint, names = knowledge_of(first).joint, (knowledge_of(first).name, knowledge_of(second).name)
            there = joint.of_these(names, groups=asked)
            members: tuple[Posterior, Posterior] = (there[names[0]], there[names[1]])
        else:
            one, two = (_asked(p, asked) for p in (first, second))
            members = one, two
        a, b = (knowledge_of(p).of(m, draws=c.draws, seed=c.seed) for p, m in zip(members, c.measures, strict=True))
        law = (a - b).law
        ends = law.interval(c.level, c.kind)
    except HowsureError as error:
        return OtherDifference(asked, why_not=str(error))
    # what draws do not resolve is told as a bound, not as 0 or 1
    better = chances(law, c.rope, higher=c.higher_is_better).better
    if isinstance(law, Draws):
        better = min(max(better, 1 / law.n), 1 - 1 / law.n)
    return OtherDifference(asked, law.mean, ends.low, ends.high, ends.kind, better)


def _asked(posterior: Posterior, question: Question) -> Posterior:
    """The same counts, prior and shares, about other groups."""
    known = knowledge_of(posterior)
    made = infer(posterior.confusion, posterior.prior, shares=known.mode, groups=question)
    return made.at_prevalence(known.known_prevalence) if known.prevalence_source == "stated" else made
