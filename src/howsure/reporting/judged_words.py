"""The sentences of a report on a table with missing truths: the headline, what it is about, and what would mislead."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import excerpt, listing
from howsure.laws import Kind
from howsure.metrics import parse
from howsure.posterior.distribution import Distribution
from howsure.posterior.judged_knowledge import JudgedKnowledge
from howsure.posterior.prior_shift import ShiftNote
from howsure.reporting.judged_summary import JudgedSummary
from howsure.reporting.report_caveats import Caveats
from howsure.text import formats

__all__ = ["judged_about", "judged_caveats", "judged_sentence", "without_chance"]

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
    "random": "Assumes that the checked cases were drawn at random given the verdict.",
    "by-verdict": "Assumes that whether a case was checked depended on its verdict alone.",
    "other": "Assumes that the checked cases are like the others with the same verdict, which nothing here can show.",
}


def judged_sentence(
    known: JudgedKnowledge, summary: JudgedSummary, share: Distribution, level: float, kind: Kind
) -> str:
    """The headline: the share, what was checked, what the judge makes of it, what it says alone, what is assumed."""
    measure = parse(summary.metric, known.labels)
    ends = share.interval(level, kind)
    places = formats.decimals(*ends, error=share.error if share.route == "drawn" else 0.0)
    digits = max(places - 2, 0)
    what = (
        f"{percent(share.mean, digits)} % of the cases are {excerpt(measure.label)}"
        if measure.label is not None
        else f"{formats.plain(summary.metric).capitalize()} is {percent(share.mean, digits)} %"
    )
    name = formats.interval_name(ends.kind, level)
    said = [f"{what} ({name} {percent(ends.low, digits)} to {percent(ends.high, digits)} %)."]
    beside = []
    if summary.agreement is not None:
        beside.append(f"agreement {formats.number(summary.agreement, 2)}")
    if summary.mcc is not None:
        beside.append(f"MCC {formats.number(summary.mcc, 2)}")
    judge = "the judge" + (f" ({', '.join(beside)})" if beside else "")
    said.append(
        f"People checked {formats.integer(summary.labelled)} of {formats.integer(summary.n)}; {judge} makes them worth "
        f"{formats.integer(round(summary.worth))}."
    )
    if summary.alone is not None:
        mean, low, high = (percent(x, digits) for x in summary.alone)
        said.append(f"Counted by the judge alone: {mean} %, interval {low} to {high} %, which ignores its errors.")
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
    by_verdict = _listed([each.verdict for each in counts], [each.cases for each in counts])
    by_class = _listed(confusion.labels[:size], [sum(each.labelled[i] for each in counts) for i in range(size)])
    learned = f" from all {formats.integer(len(counts))} verdicts" if prior == "learned" else ""
    positive = confusion.positive
    said = "" if positive is None else f"; positive class: {formats.plain(positive, 30)}"
    kind = "what was predicted and what a judge said" if summary.audit else "verdicts"
    return (
        f"{formats.several(summary.n, 'case')}, {kind}: {by_verdict}. {formats.integer(summary.labelled)} of them "
        f"with a label: {by_class}. Rows are truth, columns are verdict{said}. Prior of what is true of a verdict: "
        f"{prior}{learned}."
    )


def without_chance(header: Cells, rows: Sequence[Cells]) -> tuple[Cells, tuple[Cells, ...]]:
    """The table without the column of chance, which is a question to the judge, not to the cases."""
    place = header.index("P(> chance)")
    return header[:place] + header[place + 1 :], tuple(row[:place] + row[place + 1 :] for row in rows)


def _listed(names: Sequence[str], counts: Sequence[int]) -> str:
    shown = [f"{formats.plain(n, 30)} {formats.integer(c)}" for n, c in list(zip(names, counts, strict=True))[:12]]
    return ", ".join(shown) + (f" and {formats.integer(len(names) - 12)} more" if len(names) > 12 else "")


def judged_caveats(known: JudgedKnowledge, summary: JudgedSummary, moved: Sequence[ShiftNote]) -> Caveats:
    """Sentences on verdicts that nobody checked, few labels, a judge of no use, and labels that look chosen."""
    found = Caveats([], [])
    unchecked = [each for each in summary.verdicts if each.cases and not any(each.labelled)]
    if len(unchecked) > MANY_SENTENCES:
        share = sum(each.cases for each in unchecked) / summary.n
        text = (
            f"{formats.number(100 * share, 0 if share >= 0.1 else 1)} % of the cases have one of {len(unchecked)} "
            f"verdicts that nobody checked ({listing([excerpt(each.verdict, 30) for each in unchecked])}); what is "
            f"true of them is the {known.prior_name} prior's"
        )
        if share > MANY_UNCHECKED:
            found.warnings.append(f"{text}, and so is much of the interval. Check some of them.")
        else:
            found.notes.append(f"{text}.")
        unchecked = []
    for each in unchecked:
        share = each.cases / summary.n
        text = (
            f"{formats.number(100 * share, 0 if share >= 0.1 else 1)} % of the cases have the verdict "
            f"{excerpt(each.verdict)}, which nobody checked; what is true of them is the {known.prior_name} prior's"
        )
        if share > MANY_UNCHECKED:
            found.warnings.append(f"{text}, and so is the interval there. Check some of them.")
        else:
            found.notes.append(f"{text}.")
    rarest = summary.labelled * float(min(known.shares[: len(known.truths)]))
    if summary.labelled < FEW_LABELS or rarest < FEW_RARE:
        few = (
            f"{formats.integer(summary.labelled)} labels"
            if summary.labelled < FEW_LABELS
            else f"about {formats.number(rarest, 1)} labels expected of the rarest class"
        )
        found.notes.append(f"{few}: in simulations such 95 % intervals held the truth in 88 to 97 %.")
    if summary.explained[2] < LITTLE:
        most = summary.labelled / (1 - summary.explained[2])
        found.notes.append(
            f"the judge adds almost nothing: its verdicts explain at most {100 * summary.explained[2]:.0f} % of the "
            f"variance of the truth, so that {formats.integer(summary.labelled)} labels are worth at most "
            f"{formats.integer(round(most))}. Read the labels, ignore the judge."
        )
    if summary.how_chosen == "random" and summary.p_alike is not None and summary.p_alike < UNLIKE:
        found.notes.append(
            "the labels look chosen by verdict (of some verdicts a larger share is labelled than of others, by more "
            "than chance); the numbers are right all the same, --how-chosen by-verdict says so."
        )
    found.warnings.extend(note.text for note in moved if note.warning)
    mild = sorted((note for note in moved if not note.warning), key=lambda note: -abs(note.shift))
    if mild:
        more = f" {len(mild) - 1} more move by over half their sd (column shift)." if len(mild) > 1 else ""
        found.notes.append(mild[0].text + more)
    return found
