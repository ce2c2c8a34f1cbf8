"""Cases in groups, as answers tell of them: which question is answered, the other answer, what cases are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from howsure.answers.fields import Keyed
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import FEWEST_GROUPS, Groups, Question, group_places
from howsure.errors import HowsureError, InvalidArgument, NoInformation, excerpt
from howsure.knowledge.protocol import Ask
from howsure.laws import GroupMeans, Kind
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.populations.group_bootstrap import (
    clustered_error_of_sum,
    design_effect,
    intraclass_correlation,
    joint_factor,
    worth_of_difference,
)
from howsure.numerics.populations.groups import PopulationMean
from howsure.posterior.grouped_rows import GOES_WITH_SIZE
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.shares import COINS
from howsure.questions.differences import chances
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.questions.comparison import Comparison


def equivalent(worth: float) -> str:
    """A number of independent cases that grouped ones are worth; more digits than three are not known."""
    return formats.integer(int(float(f"{worth:.3g}")) if worth >= 1000 else round(worth))


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
            told.append(
                f"the {formats.several(self.cases, 'case')} of {formats.plain(self.first, 40)}, in "
                f"{formats.several(self.groups[0], 'group')}, are equivalent to about {equivalent(self.worth)}."
            )
        if self.alone:
            told.append(
                f"{formats.several(self.alone, 'test set')} without groups: those cases are taken for independent."
            )
        return tuple(told)


def checked_questions(names: Sequence[str], members: Sequence[object]) -> None:
    """Refuse posteriors of which some are about new groups and others about theirs again."""
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
    _, effect = _alikeness(first)
    counted, many = tuple(len(groups) for groups in (known[:1] if paired else known)), int(first.cases.sum())
    worth = None if effect is None else many / effect
    return RankedGroups(first.question, counted, many, worth, names[place], len(found) - len(known))


def _alikeness(groups: Groups) -> tuple[tuple[float, float, float] | None, float | None]:
    """How the cases of a group correlate, mean and 95% interval, and the design effect that comes of it.

    Below five groups there is an estimate, and of one group nothing.
    """
    right, cases = groups.correct, groups.cases
    if len(groups) < FEWEST_GROUPS:
        return None, design_effect(intraclass_correlation(right, cases), cases) if len(groups) > 1 else None
    law = PopulationMean(right, cases).correlation
    low, high = law.quantile(np.array([0.025, 0.975])).tolist()
    return (law.mean, low, high), design_effect(law.mean, cases)


def _groups(member: object) -> Groups | None:
    return member.confusion.groups if isinstance(member, Posterior) else None


#: Metrics whose other answer is printed; JSON has that of each metric of a report that is one of them, too.
TOLD = ("accuracy", "balanced_accuracy")

#: From this design effect on a report about these groups says how rarely its intervals hold for new ones.
NOTABLE = 1.1

#: From this factor on classes that are taken apart are said to vary together.
TOGETHER = 1.1


@dataclass(frozen=True)
class OtherAnswer:
    """What is known of a metric if the other question is asked; without numbers, why not."""

    metric: str
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    why_not: str | None = None

    @property
    def words(self) -> str:
        """The numbers, with the digits that the interval supports."""
        if self.mean is None or self.low is None or self.high is None:
            return f"{self.metric} has no answer"
        return f"{self.metric} {formats.estimate(self.mean, self.low, self.high)}"


@dataclass(frozen=True)
class GroupsBySize(Keyed, fields="rises *law(mean low high interval)"):
    """Whether larger groups have higher accuracies, and the accuracy of all cases of new groups together.

    Attributes
    ----------
    rises : float
        Probability that the accuracy of a group rises with its size.
    law : GroupMeans
        Accuracy where a group counts as its cases, not as one; computed where it is asked for.
    level, kind : float, str
        Of its interval.
    """

    rises: float
    law: GroupMeans
    level: float
    kind: Kind

    @property
    def sentence(self) -> str:
        """For a report, where size and accuracy go together; "" elsewhere."""
        surely = max(self.rises, 1 - self.rises)
        if surely < GOES_WITH_SIZE:
            return ""
        low, high = self.law.interval(self.level, self.kind)
        places = formats.decimals(low, high)
        number, ends = formats.number(self.law.mean, places), formats.interval(low, high, places)
        return (
            f"larger groups are right {'more' if self.rises > 0.5 else 'less'} often (probability "
            f"{formats.probability(surely)}), and about new groups each group counts alike, whatever its size. "
            f"If each case counts alike, so that larger groups count more, accuracy in new groups is {number} ({ends})."
        )


SUMMARY = "groups mixed question icc=correlation(mean=0 low=1 high=2) design_effect worth other by_size"


@dataclass(frozen=True)
class GroupsSummary(Keyed, fields=SUMMARY):
    """Cases in groups, as a report tells of them.

    Attributes
    ----------
    groups, cases, mixed : int
        How many; how many groups hold cases of several classes.
    question : "new" or "these"
        What the numbers of the report are about.
    correlation : (float, float, float) or None
        Of two cases of one group being right (ICC): mean and 95% central interval; None below five groups.
    design_effect, worth : float or None
        By how much groups widen the variance of the accuracy, and as how many independent cases all of them count; None
        of a single group.
    together : float
        By how much the interval of balanced accuracy is too narrow because classes are taken apart.
    other : tuple of OtherAnswer
        Answers to the other question.
    by_size : GroupsBySize or None
        Where a group's accuracy may go with its size; None where groups are of one size, or too few.
    """

    groups: int
    cases: int
    mixed: int
    question: Question
    correlation: tuple[float, float, float] | None
    design_effect: float | None
    worth: float | None
    together: float
    other: tuple[OtherAnswer, ...]
    by_size: GroupsBySize | None = None

    @property
    def worth_words(self) -> str:
        """How many independent cases they are worth.

        Examples
        --------
        >>> GroupsSummary(20, 400, 0, "new", None, 2.9, 137.9, 1.0, ()).worth_words
        'the 400 cases of 20 groups are equivalent to about 138'
        """
        cases, groups = formats.several(self.cases, "case"), formats.several(self.groups, "group")
        if self.worth is None:
            return f"the {cases} are of one group, so nothing says how alike the cases of a group are"
        if self.groups == self.cases:
            return f"each of the {groups} has one case, so groups make no difference"
        return f"the {cases} of {groups} are equivalent to about {equivalent(self.worth)}"

    def notes(self, *, drawn: bool) -> list[str]:
        """Sentences for a report, some of whose metrics are ``drawn``."""
        asked, other = (ABOUT[self.question], ABOUT["these" if self.question == "new" else "new"])
        option = "these" if self.question == "new" else "new"
        answers = [answer for answer in self.other if answer.metric in TOLD]
        said = f"all numbers are about {asked}"
        reasons = list(dict.fromkeys(answer.why_not for answer in answers if answer.why_not))
        known = [answer.words for answer in answers if answer.mean is not None]
        if known:
            said += f". About {other}: {', '.join(known)}; groups='{option}' (--groups {option})"
        for why in reasons:
            said += f". About {other} there is no answer: {why.partition(';')[0]}"
        told = [f"{said}."]
        worth = self.worth_words
        if self.correlation is not None and self.groups < self.cases:
            mean, low, high = self.correlation
            places = formats.decimals(low, high)
            ends = formats.interval(low, high, places)
            worth += f"; intraclass correlation {formats.number(mean, places)} ({ends})"
        told.append(f"{worth}.")
        if self.by_size is not None and self.by_size.sentence:
            told.append(self.by_size.sentence)
        if self.question == "these" and (effect := self.design_effect or 1.0) > NOTABLE:
            covered = 2 * float(ndtr(1.96 / np.sqrt(effect))) - 1
            told.append(
                "for new groups 95% intervals that treat cases as independent contain the truth in about "
                f"{100 * covered:.0f}% of tests."
            )
        if self.question == "new" and self.mixed:
            hold = "holds" if self.mixed == 1 else "hold"
            text = (
                f"{formats.several(self.mixed, 'group')} {hold} cases of several classes; "
                "recalls are those of the groups with cases of the class, and classes are taken apart"
            )
            if self.together > TOGETHER:
                text += (
                    "; here groups that are hard for one class are hard for others, and the interval of balanced "
                    f"accuracy should be wider by a factor of about {self.together:.1f}"
                )
            told.append(f"{text}.")
        if self.question == "new" and drawn:
            told.append(
                "simulated metrics weigh the groups at random (Bayesian bootstrap), recalls have distributions "
                "of their own; with 12 to 40 groups such intervals contained the truth in 80 to 100% of simulated "
                "tests."
            )
        return told


def in_groups(about: str) -> str:
    """The same after a number: " in new groups"; nothing where cases come in no groups."""
    return f" in {about}" if about else ""


def summary_of_groups(posterior: Posterior, measures: Sequence[Measure], ask: Ask) -> GroupsSummary | None:
    """What a report on these measures says of groups; None where cases come in none."""
    groups = posterior.confusion.groups
    if groups is None:
        return None
    correlation, effect = _alikeness(groups)
    asked: Question = "these" if groups.question == "new" else "new"
    other = infer(posterior.confusion, posterior.prior, groups=asked)
    return GroupsSummary(
        groups=len(groups),
        cases=posterior.n,
        mixed=groups.mixed,
        question=groups.question,
        correlation=correlation,
        design_effect=effect,
        worth=None if effect is None else posterior.n / effect,
        together=joint_factor(groups.group, groups.true, groups.true == groups.pred, groups.count),
        by_size=_by_size(posterior if groups.question == "new" else other, ask),
        other=tuple(_answer(other, m, ask) for m in measures if m.name in TOLD or m.metric.name == "recall"),
    )


def _answer(posterior: Posterior, measure: Measure, ask: Ask) -> OtherAnswer:
    try:
        law = knowledge_of(posterior).of(measure).law
        ends = law.interval(ask.level, ask.kind)
    except NoInformation as error:
        return OtherAnswer(measure.name, why_not=str(error))
    return OtherAnswer(measure.name, law.mean, ends.low, ends.high, ends.kind)


def _by_size(about_new: Posterior, ask: Ask) -> GroupsBySize | None:
    rows = knowledge_of(about_new).groups
    try:
        rises = None if rows is None else rows.rises
    except NoInformation:
        return None
    if rows is None or rises is None:
        return None
    return GroupsBySize(rises, GroupMeans([(rows.by_cases, 1.0)]), ask.level, ask.kind)


def plain_counts(confusion: ConfusionMatrix, groups: GroupsSummary | None) -> dict[str, Any]:
    """Counts as plain data, and of groups the summary, not the counts of each."""
    counts = confusion.to_dict()
    return counts if groups is None else counts | {"groups": groups.to_dict()}


def notes_of_units(confusion: ConfusionMatrix, groups: GroupsSummary | None, *, drawn: bool) -> list[str]:
    """Sentences for a report, some of whose metrics are ``drawn``; none where cases come in no groups and no folds."""
    folds = [] if confusion.folds is None else [confusion.folds.sentence]
    return folds + ([] if groups is None else groups.notes(drawn=drawn))


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
    one, two = map(_groups, c.posteriors)
    if one is None or two is None or one.question != two.question:
        return None
    worth, worth_of, clustered = None, c.metric, None
    if c._pair is not None and len(one) > 1:
        joint, measure = c._pair[0].joint, c.measures[0]
        pooled = joint.known_prevalence is None and measure.twin.metric.name in COINS
        weights = None if pooled else joint.weights_of(measure)
        gain = _gain(c, None if weights is None else weights[0])
        place = group_places(joint.predictions.group, joint.predictions.n)[1]
        worth = joint.predictions.n * worth_of_difference(gain, place)
        if pooled or weights is not None:
            clustered = _clustered(gain, place, c.observed or 0.0, c.level)
        else:
            worth_of = "accuracy"
    counted = (len(one),) if c.paired else (len(one), len(two))
    first, second = c.posteriors
    cases = first.n if c.paired else first.n + second.n
    rows = [known.groups for known in c._known if isinstance(known, TableKnowledge)]
    unlike = c.paired and any(each is not None and each.goes_with_size for each in rows)
    other = _other(c, one.question)
    return ComparedGroups(one.question, counted, cases, c.metric, worth, worth_of, clustered, other, unlike)


def _gain(c: Comparison, weights: Floats | None) -> Floats:
    """What each case adds to the difference, less its mean, shape (n,); of the accuracy without weights."""
    assert c._pair is not None
    data = c._pair[0].joint.predictions
    first, second = (data.answers(known.name) == data.truth for known in c._pair)
    gain = first.astype(float) - second
    if weights is None:
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
    try:
        if c._pair is not None:
            names = [known.name for known in c._pair]
            there = c._pair[0].joint.of_these(names, groups=asked)
            members = [knowledge_of(there[name]) for name in names]
        else:
            members = [_asked(p, asked) for p in c.posteriors if isinstance(p, Posterior)]  # type: ignore[misc]
        a, b = (known.of(m, draws=c.draws, seed=c.seed) for known, m in zip(members, c.measures, strict=True))
        law = (a - b).law
        ends = law.interval(c.level, c.kind)
    except HowsureError as error:
        return OtherDifference(asked, why_not=str(error))
    # draws do not make it certain
    better = chances(law, c.rope, higher=c.higher_is_better).better
    return OtherDifference(asked, law.mean, ends.low, ends.high, ends.kind, better)


def _asked(posterior: Posterior, question: Question) -> TableKnowledge:
    """The same counts, prior and shares, about other groups."""
    known = knowledge_of(posterior)
    made = knowledge_of(infer(posterior.confusion, posterior.prior, shares=known.mode, groups=question))
    return made.at_prevalence(known.known_prevalence) if known.prevalence_source == "stated" else made
