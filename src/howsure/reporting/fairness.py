"""Fairness between groups of people: their rates, and the largest gap of each by fairlearn's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Unpack

from howsure._version import __version__
from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.sheet import Sheet, row_named
from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import alike
from howsure.data.slices import MISSING, Slices
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import number
from howsure.io.counting.result import Counts, held_slices
from howsure.knowledge.protocol import Answered
from howsure.laws.law import DRAWS
from howsure.laws.many import Betas
from howsure.numerics.arrays import Integers
from howsure.posterior.priors import CALIBRATED
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.units.slice_answers import GroupRate, gap_knowledge

#: Numbers of a rate, and the keys of the answer.
RATE = "hits cases observed mean low high"
FIELDS = "by=slices.by n=slices.n positive rope level interval=kind draws seed gaps groups=rows paragraph"

#: The rates of a group, how a sentence calls them, and what groups lack in which they are unknown.
WORDS = {
    "selection_rate": "selection rate",
    "true_positive_rate": "true positive rate",
    "false_positive_rate": "false positive rate",
}
LACKS = ("no case", "no case of the positive class", "no case of another class")
RATES = tuple(WORDS)

#: fairlearn's measures: the rates whose gap they are, and whether of the ratio.
MEASURES: dict[str, tuple[tuple[str, ...], bool]] = {
    "demographic_parity_difference": (RATES[:1], False),
    "demographic_parity_ratio": (RATES[:1], True),
    "equal_opportunity_difference": (RATES[1:2], False),
    "equal_opportunity_ratio": (RATES[1:2], True),
    "equalized_odds_difference": (RATES[1:], False),
    "equalized_odds_ratio": (RATES[1:], True),
}

#: Differences up to this size count as equivalent; ratios below four fifths are looked at (EEOC 1978).
ROPE, FOUR_FIFTHS = 0.05, 0.8

#: Groups in a table and in each part of the picture: half from the lowest selection rates, half from the highest.
SHOWN, DRAWN, NAMED = 20, 10, 5

#: The differences, and what they are about.
IDEAS = {
    "demographic_parity_difference": "Demographic parity",
    "equal_opportunity_difference": "Equal opportunity",
    "equalized_odds_difference": "Equalized odds",
}


@dataclass(frozen=True)
class FairnessRate:
    """A rate of a group by its own cases; without a case that counts there is no number.

    Attributes
    ----------
    hits, cases : int
        Of the rate: called positive, of all cases, of those that are positive, of those that are not.
    observed, mean, low, high : float or None
    """

    hits: int
    cases: int
    observed: float | None = None
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class FairnessRow:
    """One group.

    Attributes
    ----------
    name : str
    cases : int
    selection_rate, true_positive_rate, false_positive_rate : FairnessRate
    """

    name: str
    cases: int
    selection_rate: FairnessRate
    true_positive_rate: FairnessRate
    false_positive_rate: FairnessRate

    def rate(self, name: str) -> FairnessRate:
        """One of the three by its name."""
        made: FairnessRate = getattr(self, name)
        return made


@dataclass(frozen=True)
class FairnessGap:
    """The largest gap between groups, by a name of fairlearn; none without two groups, or of zeros, for a ratio.

    Attributes
    ----------
    name : str
        Such as "demographic_parity_difference".
    rate : str
        The rate that is compared; of equalized odds the one with the larger observed gap.
    observed : float or None
        As fairlearn computes it; None if there are no two groups with cases, or all rates are 0 (of a ratio).
    mean, low, high : float or None
    p_alike : float or None
        Probability that there is no gap at all.
    limit : float
        What is looked at: a difference above it, a ratio below it.
    p_beyond : float or None
        Probability of that.
    lowest, highest : str or None
        Groups with the least and the greatest observed rate.
    p_lowest, p_highest : float or None
        Probabilities that no group has a lower true rate than the one, and none a higher one than the other.
    """

    name: str
    rate: str
    observed: float | None = None
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    p_alike: float | None = None
    limit: float = 0.0
    p_beyond: float | None = None
    lowest: str | None = None
    highest: str | None = None
    p_lowest: float | None = None
    p_highest: float | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Fairness(Answered, json="fairness", fields=FIELDS, csv=f"_lines[about name group {RATE} p_alike limit p_beyond]"):
    """Rates of groups of people and the largest gaps between them; made by `fairness`.

    Attributes
    ----------
    slices : Slices
        The groups.
    positive : str
        The class whose selection counts.
    rows : tuple of FairnessRow
        The groups, by their observed selection rate from the lowest; groups without cases last.
    gaps : tuple of FairnessGap
        The six measures.
    rope : float
        Differences up to this size count as equivalent.
    level, kind : float and str
        Of the intervals; kind is that of the groups' rates.
    draws, seed : int
        Behind the gaps.
    """

    slices: Slices
    positive: str
    rows: tuple[FairnessRow, ...]
    gaps: tuple[FairnessGap, ...]
    rope: float
    ask: Ask

    def __getitem__(self, name: str) -> FairnessGap:
        """A gap by its name."""
        return row_named(self.gaps, name, "gap")

    def group(self, name: str) -> FairnessRow:
        """The rates of a group.

        Raises
        ------
        InvalidArgument
            No such group.
        """
        return row_named(self.rows, name, "group")

    @property
    def _lines(self) -> list[dict[str, object]]:
        """Every rate of every group, then the gaps, as lines of CSV."""
        none = dict.fromkeys(["group", "hits", "cases", "p_alike", "limit", "p_beyond"])
        rates = [(row.name, name, row.rate(name)) for row in self.rows for name in RATES]
        own = [none | vars(rate) | {"about": "group", "name": name, "group": group} for group, name, rate in rates]
        return own + [none | vars(gap) | {"about": "gap"} for gap in self.gaps]

    @property
    def paragraph(self) -> str:
        """The answer in sentences, for the paragraph on fairness of a paper or a model card."""
        by = {gap.name: gap for gap in self.gaps}
        selected = f"selected means called {formats.class_name(self.positive)}"
        said = [
            f"Fairness was assessed on {_cases(self)} ({_sizes(self)}); {selected}.",
            *(f"{idea}: {_sentence(self, by[name])}" for name, idea in IDEAS.items()),
            *_warnings(self),
            "The intervals allow for having looked at all groups; they cover the sampling of cases only, not labels "
            "that are wrong in one group more than in another.",
            "They are Bayesian, by a hierarchical model in which groups may be all alike, more or less alike or "
            f"outliers, of {formats.integer(self.draws)} draws, computed with howsure {__version__}.",
        ]
        return " ".join(line[0].upper() + line[1:] + ("" if line.endswith(".") else ".") for line in said)

    def sheet(self) -> Sheet:
        """Groups as cells of text, and a sentence on each gap."""
        header = ("group", "cases", *(x for word in WORDS.values() for x in (word, self._interval_name)))
        rows = []
        for row in _ends_of(self.rows, SHOWN):
            rates = (cell for name in WORDS for cell in _cells(row.rate(name)))
            rows.append((formats.plain(row.name, 30), formats.integer(row.cases), *rates))
        more = len(self.rows) - SHOWN
        return Sheet(
            _headline(self), header, tuple(rows), _notes(self), warnings=_warnings(self),
            about=f"{_cases(self)}. Positive class: {formats.plain(self.positive, 30)}.",
            left_out=f"and {formats.several(more, 'group')} between them; CSV and JSON have all." if more > 0 else "",
            below=(*(_line(self, gap) for gap in self.gaps), *_who(self)),
        )  # fmt: skip

    def picture(self) -> str:
        """The rates of the groups as SVG."""
        drawn = []
        for name, word in WORDS.items():
            for row in _ends_of(self.rows, DRAWN):
                rate = row.rate(name)
                if rate.mean is not None and rate.low is not None and rate.high is not None:
                    ends = (rate.mean, rate.low, rate.high)
                    drawn.append(IntervalRow.of(f"{word}: {row.name}", ends, rate.observed))
        return forest(drawn, title=f"Rates of the groups with their {self._interval_name}")


@spelled(Asking, draws=None)
def fairness(
    slices: Slices | Counts | Mapping[str, ConfusionMatrix],
    positive: object | None = None,
    *,
    rope: float = ROPE,
    **how: Unpack[Asking],
) -> Fairness:
    """Demographic parity, equal opportunity and equalized odds between groups of people, each with its interval.

    Parameters
    ----------
    slices : Slices, Counts or mapping of str to ConfusionMatrix
        Counts by group: ``Slices.from_predictions(y_true, y_pred, by=sensitive_features)``, or `Counts` that were
        counted with ``by=``.
    positive : str, optional
        The class whose selection counts; that of the counts if they have one. With three classes and more it stands
        against all others.
    rope : float
        Differences up to this size count as equivalent, in [0, 1); each difference has the probability that it is
        larger. Ratios are held against 0.8, the rule of four fifths (EEOC 1978).
    level, kind
        Of the intervals; ``kind`` of the groups' rates.
    draws : int, optional
        Behind the gaps; 200 to 20,000 by the number of groups if left out.
    seed : int

    Returns
    -------
    Fairness
        Rates, differences and ratios in [0, 1].

    Raises
    ------
    InvalidArgument, UnknownLabel
        Fewer than two groups, a positive class that is not named or not there, a rope outside [0, 1).
    NoInformation
        Fewer than two groups have a case.

    Notes
    -----
    Point values are fairlearn's (Bird et al. 2020; equal opportunity and equalized odds: Hardt et al. 2016), apart from
    groups without a case that counts: their rate is unknown, and not 0. The largest of many gaps is partly the
    unluckiest; the model allows for that (``docs/slices.md``): groups may be all alike, more or less alike, and each
    may be standing out from the rest.

    Examples
    --------
    >>> import howsure as hs
    >>> groups = {"women": hs.ConfusionMatrix([[70, 10], [15, 25]], ["no", "yes"]),
    ...           "men": hs.ConfusionMatrix([[50, 30], [6, 34]], ["no", "yes"])}
    >>> made = hs.fairness(groups, "yes")
    >>> gap = made["demographic_parity_difference"]
    >>> round(gap.observed, 4), gap.lowest, gap.highest
    (0.2417, 'women', 'men')
    >>> gap.low < gap.mean < gap.high, gap.p_beyond > 0.95
    (True, True)
    """
    held = held_slices(slices, "fairness")
    chosen_class = _positive_of(held, positive)
    width = number(rope)
    if not 0 <= width < 1:
        raise InvalidArgument(f"rope is a difference of rates, 0 or more and below 1; not {excerpt(rope)}")
    ask = Ask.of(how, DRAWS)
    many = None if how["draws"] is None else ask.draws
    if len(held) < 2:
        raise InvalidArgument(
            f"there is one group, {excerpt(held.names[0])}, and nobody to compare it with; name a column that has two "
            "values or more"
        )
    if int((held.cases > 0).sum()) < 2:
        raise NoInformation("fewer than two groups have a case, so there is no gap between groups")
    hits, actual = held.tally(chosen_class)
    called = held._called(chosen_class)
    tallies = ((called, held.cases), (hits, actual), (called - hits, held.cases - actual))
    rated = [GroupRate(k, n, many, (ask.seed, i)) for i, (k, n) in enumerate(tallies)]
    rates = dict(zip(RATES, rated, strict=True))
    own = [_own(k, n, ask) for k, n in tallies]
    rows = [FairnessRow(*parts) for parts in zip(held.names, held.cases.tolist(), *own, strict=True)]
    rows.sort(key=lambda row: (row.cases == 0, row.selection_rate.observed or 0.0))  # stable: names in their order
    gaps = [
        _gap(held.names, name, [rates[x] for x in of], of, width, ask.level, ratio)
        for name, (of, ratio) in MEASURES.items()
    ]
    ask = replace(ask, draws=max(drawn for _, drawn in gaps))
    return Fairness(held, chosen_class, tuple(rows), tuple(gap for gap, _ in gaps), width, ask)


def _positive_of(held: Slices, positive: object | None) -> str:
    """The class whose selection counts, which is there."""
    found = held.positive if positive is None else positive
    if found is None:
        classes = listing(map(excerpt, held.labels), 8)
        raise InvalidArgument(f"name the class whose selection counts, positive=: one of {classes}")
    return held.labels[held._index(found)]


def _own(k: Integers, n: Integers, ask: Ask) -> list[FairnessRate]:
    """A rate of each group by its own cases, under the default prior of a rate."""
    laws = Betas(k + CALIBRATED, n - k + CALIBRATED)
    low, high = laws.interval(ask.level, ask.kind)
    columns = zip(*(it.tolist() for it in (k, n, laws.mean, low, high)), strict=True)
    return [
        FairnessRate(hits, cases, hits / cases, *ends) if cases else FairnessRate(hits, cases)
        for hits, cases, *ends in columns
    ]


def _gap(
    names: tuple[str, ...],
    name: str,
    rates: list[GroupRate],
    of: tuple[str, ...],
    rope: float,
    level: float,
    ratio: bool,
) -> tuple[FairnessGap, int]:
    """One measure, and the draws behind it."""
    limit = FOUR_FIFTHS if ratio else rope
    told = [rate for rate in rates if not ratio or rate.ratio is not None]  # of zeros a ratio is the prior's alone
    if not all(rate.defined for rate in rates) or not told:
        return FairnessGap(name, of[0], limit=limit), 0
    seen = [(rate.ratio if ratio else rate.difference) or 0.0 for rate in told]
    observed = min(seen) if ratio else max(seen)
    at = seen.index(observed)
    worst, (lowest, highest) = told[at], told[at].chances()
    made = gap_knowledge(told, limit, level, ratio=ratio)
    gap = FairnessGap(
        name, of[rates.index(worst)], observed, made.mean, made.low, made.high, made.alike, limit, made.beyond,
        names[worst.lowest], names[worst.highest], lowest, highest,
    )  # fmt: skip
    return gap, made.draws


def _ends_of(rows: tuple[FairnessRow, ...], most: int) -> tuple[FairnessRow, ...]:
    return rows if len(rows) <= most else (*rows[: most // 2], *rows[-(most - most // 2) :])


def _cells(rate: FairnessRate) -> tuple[str, str]:
    if rate.observed is None or rate.low is None or rate.high is None:
        return "no case", ""
    return formats.number(rate.observed, 3), formats.parts(rate.mean, rate.low, rate.high)[1]


def _cases(report: Fairness) -> str:
    by = f" by {', '.join(formats.plain(name, 30) for name in report.slices.by)}" if report.slices.by else ""
    return f"{formats.several(report.slices.n, 'case')} in {formats.several(len(report.rows), 'group')}{by}"


def _sizes(report: Fairness) -> str:
    """How many cases the groups have."""
    rows = [row for row in report.rows if row.cases]
    if len(rows) <= NAMED:
        return ", ".join(f"{formats.plain(row.name, 30)} {formats.integer(row.cases)}" for row in rows)
    sizes = sorted(row.cases for row in rows)
    return f"{formats.integer(sizes[0])} to {formats.integer(sizes[-1])} each"


def _headline(report: Fairness) -> str:
    first = next(gap for gap in report.gaps if gap.name in IDEAS and gap.mean is not None)
    return f"{IDEAS[first.name]}: {_sentence(report, first)}"


def _numbers(gap: FairnessGap, draws: int) -> tuple[str, str]:
    """Mean and interval, to digits that the draws support."""
    if gap.low is None or gap.high is None:
        return "undefined", ""
    return formats.parts(gap.mean, gap.low, gap.high, 0.7 * (gap.high - gap.low) / max(draws, 1) ** 0.5)


def _sentence(report: Fairness, gap: FairnessGap) -> str:
    """A difference, and between which groups it is."""
    word = WORDS[gap.rate]
    if gap.mean is None or gap.p_beyond is None or gap.lowest is None or gap.highest is None:
        return f"{_without(report, gap)}, so that there is no number."
    mean, ends = _numbers(gap, report.draws)
    rates = {row.name: row.rate(gap.rate).observed for row in report.rows}
    low, high = (formats.number(rates[name], 3) for name in (gap.lowest, gap.highest))
    which = "the largest gap between any two groups"
    if gap.name.startswith("equalized"):
        which = "the larger of the gaps in true and in false positive rates"
    least, most = formats.plain(gap.lowest, 30), formats.plain(gap.highest, 30)
    seen = f"observed {word}s run from {low} ({least}) to {high} ({most})"
    if rates[gap.lowest] == rates[gap.highest]:
        seen = f"all observed {word}s are {low}"
    return (
        f"{seen}; {which} is {mean} ({formats.level_words(report.level)} interval {ends}), above {gap.limit:g} with P "
        f"{formats.equals(gap.p_beyond, report.draws)}."
    )


def _without(report: Fairness, gap: FairnessGap) -> str:
    """Why a measure has no number."""
    if sum(row.rate(gap.rate).cases > 0 for row in report.rows) < 2:
        return "no two groups have cases for it"
    return "all observed rates are 0, and their ratio is anything"


def _line(report: Fairness, gap: FairnessGap) -> str:
    """One measure with all its numbers."""
    if gap.observed is None or gap.p_beyond is None or gap.p_alike is None:
        return f"{gap.name}: undefined, for {_without(report, gap)}."
    mean, ends = _numbers(gap, report.draws)
    sign = "<" if gap.name.endswith("ratio") else ">"
    return (
        f"{gap.name}: {mean} ({ends}), observed {formats.number(gap.observed, 3)}; P({sign} {gap.limit:g}) "
        f"{formats.equals(gap.p_beyond, report.draws)}, P(all alike) {formats.equals(gap.p_alike)}."
    )


def _who(report: Fairness) -> tuple[str, ...]:
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


def _warnings(report: Fairness) -> tuple[str, ...]:
    """Groups that are not in a gap, or perhaps are one."""
    said = []
    for (name, word), lack in zip(WORDS.items(), LACKS, strict=True):
        any_case = name == RATES[0]
        without = [row.name for row in report.rows if row.rate(name).cases == 0 and (any_case or row.cases)]
        if without:
            more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
            where = ", ".join(formats.plain(x, 30) for x in without[:NAMED]) + more
            said.append(f"{lack} in {where}: the {word} is unknown there, and its gaps are those of the other groups")
    return (*said, *alike(report.slices.names, "group"))


def _notes(report: Fairness) -> tuple[str, ...]:
    missing = [name for name in report.slices.names if MISSING in name.split(" / ")]
    return (
        "Groups: observed rates, and intervals by their own cases, calibrated prior, exact. Gaps: the largest between "
        "any two groups, names and observed values as in fairlearn; groups may be all alike or not, and having looked "
        "at all of them is in the interval.",
        f"Gaps: {formats.integer(report.draws)} joint draws, seed {report.seed}; P(all alike) depends on its prior "
        "(docs/slices.md).",
        *((f"Cases without a value are a group of their own, {MISSING}.",) if missing else ()),
    )
