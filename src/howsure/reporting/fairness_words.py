"""Words, cells and picture of a report of fairness."""

from __future__ import annotations

from typing import Protocol

from howsure._version import __version__
from howsure.answers.sheet import Sheet
from howsure.data.labels import alike
from howsure.data.slice_places import MISSING
from howsure.data.slices import Slices
from howsure.laws.law import Kind
from howsure.reporting.fairness_row import FairnessGap, FairnessRate, FairnessRow
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest

__all__ = ["paragraph_of", "picture_of", "sheet_of"]

#: Groups in a table and in each part of the picture: half from the lowest selection rates, half from the highest.
SHOWN, DRAWN, NAMED = 20, 10, 5

#: The rates, and how a sentence calls them.
WORDS = {
    "selection_rate": "selection rate",
    "true_positive_rate": "true positive rate",
    "false_positive_rate": "false positive rate",
}

#: The differences, and what they are about.
IDEAS = {
    "demographic_parity_difference": "Demographic parity",
    "equal_opportunity_difference": "Equal opportunity",
    "equalized_odds_difference": "Equalized odds",
}


class FairnessAnswer(Protocol):
    """A report of fairness, as far as it is put into words."""

    @property
    def slices(self) -> Slices: ...
    @property
    def positive(self) -> str: ...
    @property
    def rows(self) -> tuple[FairnessRow, ...]: ...
    @property
    def gaps(self) -> tuple[FairnessGap, ...]: ...
    @property
    def level(self) -> float: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...


def sheet_of(report: FairnessAnswer) -> Sheet:
    """Groups as cells of text, and sentences."""
    ends = formats.interval_name(report.kind, report.level)
    header = ("group", "cases", *(x for word in WORDS.values() for x in (word, ends)))
    rows = [
        (
            formats.plain(row.name, 30),
            formats.integer(row.cases),
            *(cell for name in WORDS for cell in _cells(row.rate(name))),
        )
        for row in _ends_of(report.rows, SHOWN)
    ]
    more = len(report.rows) - SHOWN
    return Sheet(
        _headline(report),
        header,
        tuple(rows),
        _notes(report),
        about=f"{_cases(report)}. Positive class: {formats.plain(report.positive, 30)}.",
        left_out=f"and {formats.several(more, 'group')} between them; CSV and JSON have all." if more > 0 else "",
        below=(*(_line(report, gap) for gap in report.gaps), *_who(report)),
        warnings=_warnings(report),
    )


def paragraph_of(report: FairnessAnswer) -> str:
    """Sentences for the paragraph on fairness of a paper or a model card."""
    by = {gap.name: gap for gap in report.gaps}
    said = [
        f"Fairness was assessed on {_cases(report)} ({_sizes(report)}); selected means called "
        f"{formats.class_name(report.positive)}."
    ]
    said += [f"{idea}: {_sentence(report, by[name])}" for name, idea in IDEAS.items()]
    said += _warnings(report)
    said.append(
        "The intervals allow for having looked at all groups; they cover the sampling of cases only, not labels that "
        "are wrong in one group more than in another."
    )
    said.append(
        "They are Bayesian, by a hierarchical model in which groups may be all alike, more or less alike or unlike the "
        f"rest, of {formats.integer(report.draws)} draws, computed with howsure {__version__}."
    )
    return " ".join(line[0].upper() + line[1:] + ("" if line.endswith(".") else ".") for line in said)


def picture_of(report: FairnessAnswer) -> str:
    """Rates of the groups as SVG."""
    drawn = []
    for name, word in WORDS.items():
        for row in _ends_of(report.rows, DRAWN):
            rate = row.rate(name)
            if rate.mean is not None and rate.low is not None and rate.high is not None:
                places = formats.decimals(rate.low, rate.high)
                words = f"{formats.number(rate.mean, places)} ({formats.interval(rate.low, rate.high, places)})"
                lead = f"{word}: {row.name}"
                drawn.append(IntervalRow(lead, words, rate.mean, rate.low, rate.high, rate.observed))
    return forest(drawn, title=f"Rates of the groups with their {formats.interval_name(report.kind, report.level)}")


def _ends_of(rows: tuple[FairnessRow, ...], most: int) -> tuple[FairnessRow, ...]:
    return rows if len(rows) <= most else (*rows[: most // 2], *rows[-(most - most // 2) :])


def _cells(rate: FairnessRate) -> tuple[str, str]:
    if rate.observed is None or rate.low is None or rate.high is None:
        return "no case", ""
    places = formats.decimals(rate.low, rate.high)
    return formats.number(rate.observed, 3), formats.interval(rate.low, rate.high, places)


def _cases(report: FairnessAnswer) -> str:
    by = f" by {', '.join(formats.plain(name, 30) for name in report.slices.by)}" if report.slices.by else ""
    return f"{formats.several(report.slices.n, 'case')} in {formats.several(len(report.rows), 'group')}{by}"


def _sizes(report: FairnessAnswer) -> str:
    """How many cases the groups have."""
    rows = [row for row in report.rows if row.cases]
    if len(rows) <= NAMED:
        return ", ".join(f"{formats.plain(row.name, 30)} {formats.integer(row.cases)}" for row in rows)
    sizes = sorted(row.cases for row in rows)
    return f"{formats.integer(sizes[0])} to {formats.integer(sizes[-1])} each"


def _headline(report: FairnessAnswer) -> str:
    known = [gap for gap in report.gaps if gap.name in IDEAS and gap.mean is not None]
    first = known[0]
    return f"{IDEAS[first.name]}: {_sentence(report, first)}"


def _numbers(gap: FairnessGap, draws: int) -> tuple[str, str]:
    """Mean and interval, to digits that the draws support."""
    if gap.low is None or gap.high is None:
        return "undefined", ""
    error = 0.7 * (gap.high - gap.low) / max(draws, 1) ** 0.5
    places = formats.decimals(gap.low, gap.high, error=error)
    return formats.number(gap.mean, places), formats.interval(gap.low, gap.high, places)


def _sentence(report: FairnessAnswer, gap: FairnessGap) -> str:
    """A difference, and between which groups it is."""
    word = WORDS[gap.rate]
    if gap.mean is None or gap.p_beyond is None or gap.lowest is None or gap.highest is None:
        return f"{_without(report, gap)}, so that there is no number."
    mean, ends = _numbers(gap, report.draws)
    rates = {row.name: row.rate(gap.rate).observed for row in report.rows}
    low, high = (formats.number(rates[name], 3) for name in (gap.lowest, gap.highest))
    which = (
        "the larger of the gaps in true and in false positive rates"
        if gap.name.startswith("equalized")
        else "the largest gap between any two groups"
    )
    seen = (
        f"all observed {word}s are {low}"
        if rates[gap.lowest] == rates[gap.highest]
        else (
            f"observed {word}s run from {low} ({formats.plain(gap.lowest, 30)}) to {high} "
            f"({formats.plain(gap.highest, 30)})"
        )
    )
    return (
        f"{seen}; {which} is {mean} ({formats.level_words(report.level)} interval {ends}), above {gap.limit:g} with P "
        f"{formats.equals(gap.p_beyond, report.draws)}."
    )


def _without(report: FairnessAnswer, gap: FairnessGap) -> str:
    """Why a measure has no number."""
    if sum(row.rate(gap.rate).cases > 0 for row in report.rows) < 2:
        return "no two groups have cases for it"
    return "all observed rates are 0, and their ratio is anything"


def _line(report: FairnessAnswer, gap: FairnessGap) -> str:
    """One measure with all its numbers."""
    if gap.observed is None or gap.p_beyond is None or gap.p_alike is None:
        return f"{gap.name}: undefined, for {_without(report, gap)}."
    mean, ends = _numbers(gap, report.draws)
    sign = "<" if gap.name.endswith("ratio") else ">"
    return (
        f"{gap.name}: {mean} ({ends}), observed {formats.number(gap.observed, 3)}; P({sign} {gap.limit:g}) "
        f"{formats.equals(gap.p_beyond, report.draws)}, P(all alike) {formats.equals(gap.p_alike)}."
    )


def _who(report: FairnessAnswer) -> tuple[str, ...]:
    """How sure it is that the groups with the extreme observed rates truly have them."""
    if len(report.rows) == 2:
        return ()
    said = []
    for gap in report.gaps[:4:2]:
        if gap.p_lowest is not None and gap.p_highest is not None and gap.lowest and gap.highest:
            least, most = (formats.plain(name, 30) for name in (gap.lowest, gap.highest))
            said.append(
                f"No group has a lower {WORDS[gap.rate]} than {least} with P "
                f"{formats.equals(gap.p_lowest, report.draws)}, and none a higher one than {most} with P "
                f"{formats.equals(gap.p_highest, report.draws)}."
            )
    return tuple(said)


def _warnings(report: FairnessAnswer) -> tuple[str, ...]:
    """Groups that are not in a gap, or perhaps are one."""
    said = []
    for name, lack in (
        ("selection_rate", "no case"),
        ("true_positive_rate", "no case of the positive class"),
        ("false_positive_rate", "no case of another class"),
    ):
        unselected = name == "selection_rate"
        without = [row.name for row in report.rows if row.rate(name).cases == 0 and (unselected or row.cases)]
        if without:
            more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
            names = ", ".join(formats.plain(x, 30) for x in without[:NAMED])
            said.append(
                f"{lack} in {names}{more}: the {WORDS[name]} is unknown there, and its gaps are those of the "
                "other groups"
            )
    said += alike(report.slices.names, "group")
    return tuple(said)


def _notes(report: FairnessAnswer) -> tuple[str, ...]:
    missing = [name for name in report.slices.names if MISSING in name.split(" / ")]
    return (
        "Groups: observed rates, and intervals by their own cases, calibrated prior, exact. Gaps: the largest between "
        "any two groups, names and observed values as in fairlearn; groups may be all alike or not, and having looked "
        "at all of them is in the interval.",
        f"Gaps: {formats.integer(report.draws)} joint draws, seed {report.seed}; P(all alike) depends on its prior "
        "(docs/fairness.md).",
        *((f"Cases without a value are a group of their own, {MISSING}.",) if missing else ()),
    )
