"""What a report says of cases in groups: which question it answers, the other answer, and what cases are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.answers.fields import Keyed
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import FEWEST_GROUPS, Groups, Question
from howsure.errors import NoInformation
from howsure.knowledge.protocol import Ask
from howsure.laws import GroupMeans, Kind
from howsure.metrics import Measure
from howsure.numerics.groups.group_bootstrap import clustered_error, design_effect, intraclass_correlation, joint_factor
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.grouped_rows import GOES_WITH_SIZE
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.reporting.report_row import Row
from howsure.text import formats

__all__ = [
    "ClusteredError",
    "GroupsSummary",
    "clustered_error_of",
    "in_groups",
    "notes_of_units",
    "plain_counts",
    "summary_of_groups",
]

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
        about = (
            int(float(f"{self.worth:.3g}")) if self.worth >= 1000 else round(self.worth)
        )  # more digits are not known
        return f"the {cases} of {groups} are equivalent to about {formats.integer(about)}"

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


#: The questions, as the end of a sentence.
ABOUT: dict[str, str] = {"new": "a new case from a new group", "these": "new cases of the same groups"}


def in_groups(about: str) -> str:
    """The same after a number: " in new groups"; nothing where cases come in no groups."""
    return f" in {about}" if about else ""


def summary_of_groups(posterior: Posterior, measures: Sequence[Measure], ask: Ask) -> GroupsSummary | None:
    """What a report on these measures says of groups; None where cases come in none."""
    groups = posterior.confusion.groups
    if groups is None:
        return None
    right, cases = groups.correct, groups.cases
    correlation: tuple[float, float, float] | None = None
    rho = intraclass_correlation(right, cases)
    if len(groups) >= FEWEST_GROUPS:
        law = PopulationMean(right, cases).correlation
        low, high = law.quantile(np.array([0.025, 0.975])).tolist()
        correlation, rho = (law.mean, low, high), law.mean
    effect = design_effect(rho, cases) if len(groups) > 1 else None
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
        together=_together(groups),
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


def _together(groups: Groups) -> float:
    """By how much the interval of balanced accuracy is too narrow where classes vary together."""
    return joint_factor(groups.group, groups.true, groups.true == groups.pred, groups.count)


def plain_counts(confusion: ConfusionMatrix, groups: GroupsSummary | None) -> dict[str, Any]:
    """Counts as plain data, and of groups the summary, not the counts of each."""
    counts = confusion.to_dict()
    return counts if groups is None else counts | {"groups": groups.to_dict()}


def notes_of_units(confusion: ConfusionMatrix, groups: GroupsSummary | None, rows: Sequence[Row]) -> list[str]:
    """Sentences for a report with these rows; none where cases come in no groups and no folds."""
    folds = [] if confusion.folds is None else [confusion.folds.sentence]
    return folds + ([] if groups is None else groups.notes(drawn=any(row.law == "simulated" for row in rows)))


@dataclass(frozen=True)
class ClusteredError:
    """Clustered standard error of the accuracy, and its normal interval."""

    groups: int
    value: float
    error: float
    low: float
    high: float

    @property
    def sentence(self) -> str:
        """For a reader who knows the number from elsewhere."""
        return (
            f"Clustered standard error of the accuracy over {formats.several(self.groups, 'group')}: {self.error:.4f} "
            f"({self.low:.3f} to {self.high:.3f} by the normal approximation; too narrow with few groups)."
        )


def clustered_error_of(confusion: ConfusionMatrix, level: float) -> ClusteredError | None:
    """Clustered standard error, where cases come in two groups or more; None elsewhere."""
    groups = confusion.groups
    if groups is None or len(groups) < 2:
        return None
    value = float(confusion.correct.sum()) / confusion.n
    error = clustered_error(groups.correct, groups.cases)
    reach = float(ndtri((1 + level) / 2)) * error
    return ClusteredError(len(groups), value, error, value - reach, value + reach)
