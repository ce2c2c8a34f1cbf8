"""What a report on a table with missing truths says first: what was checked, and what the judge adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from scipy.special import chdtrc

from howsure.answers.fields import Keyed
from howsure.errors import HowsureError
from howsure.errors.arguments import one_of
from howsure.laws import Beta, Draws, Interval, Kind
from howsure.metrics import Measure, of_class, parse
from howsure.numerics.arrays import Floats
from howsure.posterior.judged_distribution import JudgedDistribution, worth_of
from howsure.posterior.judged_knowledge import JudgedKnowledge
from howsure.posterior.judged_rows import matching_class
from howsure.posterior.questions.not_at_random import NotAtRandom
from howsure.questions.thresholds import Thresholds

__all__ = ["HOW_CHOSEN", "HowChosen", "JudgedSummary", "VerdictCount", "checked_how_chosen", "judged_summary"]

#: How the cases were chosen that people labelled.
HowChosen = Literal["random", "by-verdict", "other"]
HOW_CHOSEN: tuple[str, ...] = get_args(HowChosen)

#: A claim to tip where none is asked about: more than half, or less.
HALF = 0.5


#: The keys of what it says.
ENDS = "(mean=0 low=1 high=2)"
FIELDS = (
    "n labelled audit how_chosen verdicts metric worth agreement mcc "
    f"explained{ENDS} judge_alone=alone{ENDS} p_alike not_at_random=_not_at_random?"
)


@dataclass(frozen=True)
class VerdictCount:
    """Cases with one verdict, and the true classes of those that were labelled."""

    verdict: str
    cases: int
    labelled: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class JudgedSummary(Keyed, fields=FIELDS):
    """What was checked, and what the judge adds.

    Attributes
    ----------
    n, labelled : int
        All cases, and those whose truth is known.
    audit : bool
        Whether a verdict is a pair, what a classifier called the case and what a judge said.
    how_chosen : "random", "by-verdict" or "other"
        How these were chosen.
    verdicts : tuple of VerdictCount
        The counts.
    metric : str
        The metric of the headline, a share.
    worth : float
        Labelled cases that would tell it as well without the judge.
    agreement, mcc : float or None
        Posterior means of the judge's accuracy and correlation; None in an audit, and where no verdict names a class.
    explained : (float, float, float)
        Share phi^2 of the variance of the truth that the verdicts explain, mean and interval: labels are multiplied by
        1/(1 - phi^2) at most.
    alone : (float, float, float) or None
        The share counted by the judge alone, and the interval of such a count, which ignores its errors.
    p_alike : float or None
        Probability of such unlike shares of labelled cases, or more unlike ones, if they were drawn at random (chi^2).
    not_at_random : NotAtRandom or None
        Worst case, tilts and tipping point, where the cases were chosen otherwise.
    """

    n: int
    labelled: int
    audit: bool
    how_chosen: HowChosen
    verdicts: tuple[VerdictCount, ...]
    metric: str
    worth: float
    agreement: float | None
    mcc: float | None
    explained: tuple[float, float, float]
    alone: tuple[float, float, float] | None
    p_alike: float | None
    not_at_random: NotAtRandom | None

    @property
    def _not_at_random(self) -> dict[str, Any] | None:
        """An answer of its own."""
        return None if self.not_at_random is None else self.not_at_random.to_dict()


def checked_how_chosen(how_chosen: str | None, *, judged: bool) -> HowChosen | None:
    """One of `HOW_CHOSEN`; None of a table whose truths are all known, where nothing was chosen."""
    if how_chosen is not None:
        one_of(how_chosen, HOW_CHOSEN, "how_chosen")
    if not judged:
        return None
    return how_chosen or "random"  # type: ignore[return-value]  # checked above


def headline_measure(known: JudgedKnowledge, asked: Measure | None) -> Measure:
    """The share that the headline is about: the first metric asked for, if it has a worth; else the usual one."""
    if asked is not None:
        found = known.of(asked)
        if isinstance(found, JudgedDistribution) and found.worth is not None:
            return asked
    if known.verdicts.audit:
        return parse("accuracy", known.labels)
    return of_class("prevalence", known.labels, forward(known))


def forward(known: JudgedKnowledge) -> int:
    """The true class that a report puts first: the positive one or the last of two, the commonest of more."""
    positive = known.confusion.positive
    if positive is not None:
        return known.truths.index(positive)
    return len(known.truths) - 1 if len(known.truths) == 2 else int(np.argmax(known.shares))


def judged_summary(
    known: JudgedKnowledge,
    asked: Measure | None,
    how_chosen: HowChosen,
    held: Thresholds,
    level: float,
    kind: Kind,
    draws: int,
    seed: int,
) -> JudgedSummary:
    """Everything that the first lines of a report rest on."""
    verdicts = known.verdicts
    measure = headline_measure(known, asked)
    share = known.of(measure, draws=draws, seed=seed)
    index = measure.index if measure.index is not None else forward(known)
    explained = explained_share(known, index, draws, seed)
    ends = explained.interval(level)
    beside = [None if verdicts.audit else _mean(known, name, draws, seed) for name in ("accuracy", "mcc")]
    alone = counted_alone(known, measure, level, kind)
    picked = None
    if how_chosen == "other" and isinstance(share, JudgedDistribution):
        above, below = claim_of(share, held)
        picked = share.not_at_random(above=above, below=below, level=level, kind=kind)
    return JudgedSummary(
        n=verdicts.n,
        labelled=verdicts.n_labelled,
        audit=verdicts.audit,
        how_chosen=how_chosen,
        verdicts=tuple(
            VerdictCount(name, int(cases), tuple(column.tolist()))
            for name, cases, column in zip(verdicts.names, verdicts.totals, verdicts.labelled.T, strict=True)
        ),
        metric=measure.name,
        worth=worth_of(share.law),
        agreement=beside[0],
        mcc=beside[1],
        explained=(explained.mean, ends.low, ends.high),
        alone=alone,
        p_alike=alike(verdicts.labelled.sum(axis=0), verdicts.totals),
        not_at_random=picked,
    )


def claim_of(share: JudgedDistribution, held: Thresholds) -> tuple[float | None, float | None]:
    """The claim that may tip, above or below: the first asked about, or that it is more (or less) than half."""
    if held.above or held.below:
        return (held.above[0], None) if held.above else (None, held.below[0])
    return (HALF, None) if share.mean >= HALF else (None, HALF)


def explained_share(known: JudgedKnowledge, index: int, draws: int, seed: int) -> Draws:
    """Law of phi^2 = sum_v q_v (r_v - theta)^2 / (theta (1 - theta)) of one true class; drawn."""
    q, rates = known.judged.draw(draws, np.random.default_rng([seed, 0, 1]))
    r = rates[:, index]
    theta = (q * r).sum(axis=1)
    spread = theta * (1 - theta)
    between = (q * (r - theta[:, None]) ** 2).sum(axis=1)
    return Draws(np.divide(between, spread, out=np.zeros(len(q)), where=spread > 0), support=(0.0, 1.0))


def counted_alone(
    known: JudgedKnowledge, measure: Measure, level: float, kind: Kind
) -> tuple[float, float, float] | None:
    """The share by the verdicts as if they were the truth, and its interval, Beta(1 + k, 1 + N - k)."""
    verdicts = known.verdicts
    matches = matching_class(verdicts, known.labels)
    name = measure.twin.metric.name
    if name == "accuracy":
        inside = np.array([m is not None for m in matches])
        known_name = verdicts.audit and bool(inside.any())
    elif name == "prevalence" and not verdicts.audit:
        inside = np.array([m == measure.index for m in matches])
        known_name = bool(inside.any())
    else:
        return None
    if not known_name:
        return None
    k = int(verdicts.totals[inside].sum())
    ends: Interval = Beta(1 + k, 1 + verdicts.n - k).interval(level, kind)
    return k / verdicts.n, ends.low, ends.high


def alike(labelled: Floats | Any, totals: Floats | Any) -> float | None:
    """Probability of a chi^2 as large, if the same share of every verdict was labelled; None with one verdict."""
    given = totals > 0
    if np.count_nonzero(given) < 2 or labelled.sum() == totals.sum():
        return None
    share = labelled.sum() / totals.sum()
    expected = totals[given] * share
    statistic = ((labelled[given] - expected) ** 2 / (expected * (1 - share))).sum()
    return float(chdtrc(np.count_nonzero(given) - 1, statistic))


def _mean(known: JudgedKnowledge, name: str, draws: int, seed: int) -> float | None:
    try:
        return float(known.of(parse(name, known.labels), draws=draws, seed=seed).mean)
    except HowsureError:
        return None


def judged_measures(known: JudgedKnowledge) -> list[Measure]:
    """What a report shows when nothing is asked: the shares of the classes, then how right the verdicts are."""
    labels, truths, verdicts = known.labels, known.truths, known.verdicts
    first = forward(known)
    classes = [first, *(i for i in range(len(truths)) if i != first)]
    shares = [of_class("prevalence", labels, i) for i in classes]
    if not np.any(verdicts.column < verdicts.truths):
        return shares
    names = ["accuracy", "mcc", "kappa"]
    overall = [parse(name, labels) for name in names]
    two = len(truths) == 2
    f1 = [of_class("f1", labels, first) if two else parse("f1@macro", labels)]
    each = [of_class(name, labels, i) for name in ("recall", "precision") for i in _called(known)]
    if verdicts.audit:
        return [overall[0], *f1, *overall[1:], *each, *shares]
    return [*shares, *overall, *f1, *each]


def _called(known: JudgedKnowledge) -> list[int]:
    """True classes that some verdict names."""
    return [i for i in range(len(known.truths)) if i in known.verdicts.column]
