"""What a report on a table with missing truths says first: what was checked, and what the judge adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from scipy.special import chdtrc

from howsure.answers.fields import Keyed, places_of
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import HowsureError, excerpt, listing
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Ask
from howsure.laws import Beta, Draws, Interval
from howsure.metrics import Measure, of_class, parse
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import Distribution, ShiftNote
from howsure.posterior.judged import JudgedDistribution, JudgedKnowledge, matching_class, worth_of
from howsure.posterior.wrong_labels import NotAtRandom
from howsure.questions.thresholds import Thresholds
from howsure.reporting.report_sentences import Caveats, threshold_sentence
from howsure.text import formats

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

Cells = tuple[str, ...]

#: A verdict that nobody checked, and that more cases than this have, is a warning.
MANY_UNCHECKED = 0.1

#: More such verdicts than this share a sentence.
MANY_SENTENCES = 3

#: Fewer labels, or fewer expected labels of the rarer class, and intervals cover less evenly.
FEW_LABELS, FEW_RARE = 20, 3.0

#: A judge that explains less of the variance adds less than a ninth to the labels.
LITTLE = 0.1

#: Such unlike shares of labelled verdicts are hardly by chance.
UNLIKE = 0.01

ASSUMES = {
    "random": "Assumes that the checked cases were chosen at random given the verdict.",
    "by-verdict": "Assumes that whether a case was checked depended on its verdict alone.",
    "other": "Assumes that the checked cases are like the others with the same verdict, which nothing here can show.",
}


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
        Whether a verdict is a pair, what a classifier called the case and what a judge found.
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
        Worst case and tipping point, where the cases were chosen otherwise.
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
    known: JudgedKnowledge, asked: Measure | None, how_chosen: HowChosen, held: Thresholds, ask: Ask
) -> JudgedSummary:
    """Everything that the first lines of a report rest on."""
    verdicts = known.verdicts
    measure = headline_measure(known, asked)
    share = known.of(measure, draws=ask.draws, seed=ask.seed)
    explained = explained_share(known, forward(known) if measure.index is None else measure.index, ask)
    ends = explained.interval(ask.level)
    agreement, mcc = (None if verdicts.audit else _mean(known, name, ask) for name in ("accuracy", "mcc"))
    picked = None
    if how_chosen == "other" and isinstance(share, JudgedDistribution):
        above, below = claim_of(share, held)
        picked = share.not_at_random(above=above, below=below, level=ask.level)
    counts = tuple(
        VerdictCount(name, int(cases), tuple(column.tolist()))
        for name, cases, column in zip(verdicts.names, verdicts.totals, verdicts.labelled.T, strict=True)
    )
    return JudgedSummary(
        verdicts.n, verdicts.n_labelled, verdicts.audit, how_chosen, counts, measure.name, worth_of(share.law),
        agreement, mcc, (explained.mean, ends.low, ends.high), counted_alone(known, measure, ask),
        alike(verdicts.labelled.sum(axis=0), verdicts.totals), picked,
    )  # fmt: skip


def claim_of(share: JudgedDistribution, held: Thresholds) -> tuple[float | None, float | None]:
    """The claim that may tip, above or below: the first asked about, or that it is more (or less) than half."""
    if held.above or held.below:
        return (held.above[0], None) if held.above else (None, held.below[0])
    return (HALF, None) if share.mean >= HALF else (None, HALF)


def explained_share(known: JudgedKnowledge, index: int, ask: Ask) -> Draws:
    """Law of phi^2 = sum_v q_v (r_v - theta)^2 / (theta (1 - theta)) of one true class; drawn."""
    q, rates = known.judged.draw(ask.draws, np.random.default_rng([ask.seed, 0, 1]))
    r = rates[:, index]
    theta = (q * r).sum(axis=1)
    spread = theta * (1 - theta)
    between = (q * (r - theta[:, None]) ** 2).sum(axis=1)
    return Draws(np.divide(between, spread, out=np.zeros(len(q)), where=spread > 0), support=(0.0, 1.0))


def counted_alone(known: JudgedKnowledge, measure: Measure, ask: Ask) -> tuple[float, float, float] | None:
    """The share by the verdicts as if they were the truth, and its interval, Beta(1 + k, 1 + N - k)."""
    verdicts = known.verdicts
    matches, name = matching_class(verdicts, known.labels), measure.twin.metric.name
    if name != ("accuracy" if verdicts.audit else "prevalence"):
        return None
    inside = np.array([m is not None if verdicts.audit else m == measure.index for m in matches])
    if not inside.any():
        return None
    k = int(verdicts.totals[inside].sum())
    ends: Interval = Beta(1 + k, 1 + verdicts.n - k).interval(ask.level, ask.kind)
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


def _mean(known: JudgedKnowledge, name: str, ask: Ask) -> float | None:
    try:
        return float(known.of(parse(name, known.labels), draws=ask.draws, seed=ask.seed).mean)
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
    accuracy, mcc, kappa = (parse(name, labels) for name in ("accuracy", "mcc", "kappa"))
    f1 = of_class("f1", labels, first) if len(truths) == 2 else parse("f1@macro", labels)
    called = [i for i in range(len(truths)) if i in verdicts.column]
    each = [of_class(name, labels, i) for name in ("recall", "precision") for i in called]
    if verdicts.audit:
        return [accuracy, f1, mcc, kappa, *each, *shares]
    return [*shares, accuracy, mcc, kappa, f1, *each]


def judged_sentence(known: JudgedKnowledge, summary: JudgedSummary, share: Distribution, ask: Ask) -> str:
    """The headline: the share, what was checked, what the judge makes of it, what it says alone, what is assumed."""
    measure = parse(summary.metric, known.labels)
    ends = share.interval(ask.level, ask.kind)
    places = places_of(share.law, ends)
    digits = max(places - 2, 0)
    what = (
        f"{percent(share.mean, digits)}% of the cases are {excerpt(measure.label)}"
        if measure.label is not None
        else f"{formats.plain(summary.metric).capitalize()} is {percent(share.mean, digits)}%"
    )
    name = formats.interval_name(ends.kind, ask.level)
    said = [f"{what} ({name} {percent(ends.low, digits)} to {percent(ends.high, digits)}%)."]
    both = (("agreement", summary.agreement), ("MCC", summary.mcc))
    beside = ", ".join(f"{name} {formats.number(value, 2)}" for name, value in both if value is not None)
    checked, n, worth = map(formats.integer, (summary.labelled, summary.n, round(summary.worth)))
    judge = f"the judge ({beside})" if beside else "the judge"
    said.append(f"People checked {checked} of {n}; {judge} makes them equivalent to {worth}.")
    if summary.alone is not None:
        mean, low, high = (percent(x, digits) for x in summary.alone)
        said.append(f"Counted by the judge alone: {mean}%, interval {low} to {high}%, which ignores its errors.")
    said.append(ASSUMES[summary.how_chosen])
    if summary.not_at_random is not None:
        said.insert(0, summary.not_at_random.sentence)
    return " ".join(said)


def percent(value: float, places: int) -> str:
    """A share in percent."""
    return formats.number(100 * value, places)


def judged_about(confusion: ConfusionMatrix, summary: JudgedSummary, prior: str) -> str:
    """What the report is about: cases by verdict, and the labelled ones by true class."""
    counts, size = summary.verdicts, len(summary.verdicts[0].labelled)
    by_verdict = formats.counted([each.verdict for each in counts], [each.cases for each in counts], 30)
    labelled = [sum(each.labelled[i] for each in counts) for i in range(size)]
    by_class = formats.counted(confusion.labels[:size], labelled, 30)
    learned = f" from all {formats.integer(len(counts))} verdicts" if prior == "learned" else ""
    said = "" if confusion.positive is None else f"; positive class: {formats.plain(confusion.positive, 30)}"
    kind = "what was predicted and what a judge found" if summary.audit else "verdicts"
    return (
        f"{formats.several(summary.n, 'case')}, {kind}: {by_verdict}. {formats.integer(summary.labelled)} of them "
        f"with a label: {by_class}. Rows are truth, columns are verdict{said}. Prior of what is true of a verdict: "
        f"{prior}{learned}."
    )


def without_chance(header: Cells, rows: Sequence[Cells]) -> tuple[Cells, tuple[Cells, ...]]:
    """The table without the column of chance, which is a question to the judge, not to the cases."""
    place = header.index("P(> chance)")
    return header[:place] + header[place + 1 :], tuple(row[:place] + row[place + 1 :] for row in rows)


def judged_caveats(known: JudgedKnowledge, summary: JudgedSummary, moved: Sequence[ShiftNote]) -> Caveats:
    """Sentences on verdicts that nobody checked, few labels, a judge of no use, and labels that look chosen."""
    found = Caveats([], [])
    unchecked = [each for each in summary.verdicts if each.cases and not any(each.labelled)]
    told = [(each.cases, f"the verdict {excerpt(each.verdict)}, which nobody checked", "") for each in unchecked]
    if len(unchecked) > MANY_SENTENCES:
        names = listing([excerpt(each.verdict, 30) for each in unchecked])
        what = f"one of {len(unchecked)} verdicts that nobody checked ({names})"
        told = [(sum(each.cases for each in unchecked), what, "much of ")]
    for cases, what, much in told:
        share = cases / summary.n
        text = (
            f"{formats.number(100 * share, 0 if share >= 0.1 else 1)}% of the cases have {what}; what is true of them "
            f"is the {known.prior_name} prior's"
        )
        if share > MANY_UNCHECKED:
            where = f"{much}the interval" if much else "the interval there"
            found.warnings.append(f"{text}, and so is {where}. Check some of them.")
        else:
            found.notes.append(f"{text}.")
    rarest = summary.labelled * float(min(known.shares[: len(known.truths)]))
    if summary.labelled < FEW_LABELS or rarest < FEW_RARE:
        few = f"{formats.integer(summary.labelled)} labels"
        if summary.labelled >= FEW_LABELS:
            few = f"about {formats.number(rarest, 1)} labels expected of the rarest class"
        found.notes.append(f"{few}: in simulations such 95% intervals contained the truth in 88 to 97%.")
    if summary.explained[2] < LITTLE:
        most = summary.labelled / (1 - summary.explained[2])
        found.notes.append(
            f"the judge adds almost nothing: its verdicts explain at most {100 * summary.explained[2]:.0f}% of the "
            f"variance of the truth, so that {formats.integer(summary.labelled)} labels are equivalent to at most "
            f"{formats.integer(round(most))}. Read the labels, ignore the judge."
        )
    if summary.how_chosen == "random" and summary.p_alike is not None and summary.p_alike < UNLIKE:
        found.notes.append(
            "the labels look chosen by verdict (of some verdicts a larger share is labelled than of others, by more "
            "than chance); the numbers are still right, state it with --how-chosen by-verdict."
        )
    return found.moved(moved)


def judged_parts(
    known: JudgedKnowledge,
    asked: Measure | None,
    how_chosen: HowChosen | None,
    held: Thresholds,
    moved: Sequence[ShiftNote],
    ask: Ask,
) -> tuple[JudgedSummary, str, Caveats]:
    """Summary, headline, warnings and notes."""
    summary = judged_summary(known, asked, how_chosen or "random", held, ask)
    share = known.of(parse(summary.metric, known.labels), draws=ask.draws, seed=ask.seed)
    sentence = judged_sentence(known, summary, share, ask)
    if summary.not_at_random is None:  # it answers the same of all cases, whatever is true of the others
        title = formats.plain(summary.metric)
        places = places_of(share.law, share.interval(ask.level, ask.kind))
        sentence = f"{threshold_sentence(title, share.law, held, places)} {sentence}".lstrip()
    return summary, sentence, judged_caveats(known, summary, moved)
