"""A metric by slice: each alone and borrowing from the others, beside the rest, the worst one, and which are unlike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.fields import finite
from howsure.answers.sheet import Sheet, row_named
from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import alike
from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, excerpt
from howsure.io.counting.result import Counts, held_slices
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Answered, Knowledge
from howsure.metrics import Measure, Metric, parse
from howsure.metrics.margins import Margins
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.alike_or_apart import MARGIN
from howsure.numerics.populations.slices import DrawnSlices
from howsure.posterior.distribution import Distribution
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.questions.estimates import MetricSlices
from howsure.questions.estimates import slices as slices_known
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.units.slice_answers import (
    GroupRate,
    SliceAnswers,
    SliceEnds,
    SliceRates,
    answers_of_draws,
    answers_of_rates,
    gap_knowledge,
    prior_of_slices,
    rates_of,
)

#: Numbers of a slice, and the keys of the answer.
ENDS = "(mean=0 low=1 high=2)"
NUMBERS = f"name cases observed mean low high alone{ENDS} gap{ENDS} p_below_rest p_worst p_unlike empty"
FIELDS = (
    "by=slices.by n=slices.n metric borrowed prior level interval=kind route draws seed typical spread "
    f"largest_gap{ENDS} p_alike unlike slices=rows[{NUMBERS}]"
)

#: Slices in a picture.
DRAWN = 20

#: Draws of each slice where a metric has no closed law.
DRAWS_OF_SLICE = 2_000

#: Up to so many slices may be all alike, before the data: of more, that has hardly a chance, and takes a while.
MOST_ALIKE = 2_000

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")

#: Slices in a table, and names in a sentence.
SHOWN, NAMED = 20, 5

#: P(unlike the rest) from which a slice is named.
UNLIKE = 0.8

#: Weight of empty classes from which a slice is mentioned.
EMPTY = 0.1


@dataclass(frozen=True)
class SliceRow:
    """One slice; numbers are None where there is no information.

    Attributes
    ----------
    name : str
        Its values.
    cases : int
    observed : float or None
        On the raw counts.
    mean, low, high : float or None
        The headline: borrowing from the other slices from three slices on, else alone.
    alone : tuple of float
        Mean and both ends by the slice's own cases.
    gap : tuple of float or None
        Mean and both ends of this slice alone minus all others together.
    p_below_rest : float or None
        P(gap < 0).
    p_worst : float
        Probability of being the worst slice.
    p_unlike : float or None
        Probability that it stands out from the rest: far worse than the others. Of slices that borrow.
    empty : float
        Weight of the metric that rests on classes without a case here, from 0 to 1.
    """

    name: str
    cases: int
    observed: float | None
    mean: float | None
    low: float | None
    high: float | None
    alone: tuple[float | None, float | None, float | None]
    gap: tuple[float | None, float | None, float | None] | None
    p_below_rest: float | None
    p_worst: float
    p_unlike: float | None
    empty: float = 0.0


@dataclass(frozen=True, repr=False, eq=False)
class SliceReport(Answered, json="slices", fields=FIELDS, csv=f"rows[slice={NUMBERS}]"):
    """A metric of every slice, the worst first; made by `slice_report`.

    Attributes
    ----------
    slices : Slices
        The counts.
    metric : str
        What was asked.
    rows : tuple of SliceRow
        The worst first, by the headline.
    largest_gap : tuple of float
        Mean and both ends of the gap between the best and the worst slice, which allows for having looked at all.
    p_alike : float or None
        Probability that all slices have one rate, so that the gap is 0; None of a metric that is no single rate, and of
        more than 2,000 slices: then the gap is above 0 in every draw.
    unlike : tuple of str
        Slices that stand out from the rest with probability 0.8 or more: far on the bad side of all others.
    borrowed : bool
        Whether the headline borrows.
    higher_is_better : bool or None
        Of the metric; the worst slice is the lowest one unless it is False.
    prior : str
        Of the slices alone.
    level, kind : float and str
        Of the intervals.
    route : "exact" or "simulated"
        How the slices alone are known.
    draws, seed : int
        Behind the worst slice and the largest gap, and behind all numbers of a metric that is drawn.
    typical, spread : float or None
        Of the population of slices: its mean, and the correlation of two cases of one slice.
    """

    slices: Slices
    metric: str
    rows: tuple[SliceRow, ...]
    largest_gap: tuple[float, float, float]
    p_alike: float | None
    unlike: tuple[str, ...]
    borrowed: bool
    higher_is_better: bool | None
    prior: str
    ask: Ask
    route: str
    typical: float | None
    spread: float | None
    _measure: Measure
    _prior: Prior

    def __getitem__(self, name: str) -> SliceRow:
        """Row of a slice by its name."""
        return row_named(self.rows, name, "slice")

    def between(self, a: str, b: str) -> Distribution:
        """What is known about slice a alone minus slice b alone.

        Raises
        ------
        InvalidArgument
            No such slice, or one name twice.
        """
        matrices = [self.slices.confusion(name) for name in (a, b)]  # which refuses what is no name
        if a == b:
            raise InvalidArgument(f"a slice minus itself is 0; name two slices, not {excerpt(a)} twice")
        one, two = (infer(matrix, self._prior).of(self._measure, seed=self.seed) for matrix in matrices)
        return one - two

    def sheet(self) -> Sheet:
        """The worst slices, as cells of text, and a word on how many more there are."""
        return self._sheet(SHOWN)

    def _sheet(self, most: int) -> Sheet:
        """The same with so many slices."""
        numbers = ("slice", "cases", "observed", "mean", self._interval_name)
        header = (*numbers, "alone", "minus the rest", "P(below rest)", "P(worst)", "P(unlike)")
        rows = tuple(_cells(self, row) for row in self.rows[:most])
        more = len(self.rows) - most
        left_out = f"and {formats.several(more, 'slice')} more; CSV and JSON have all." if more > 0 else ""
        return Sheet(_headline(self), header, rows, _notes(self), left_out=left_out, below=_findings(self))

    @property
    def _fewer(self) -> str:
        """What a page says below the picture, where it has not all slices."""
        return f" The worst {DRAWN} slices." if len(self.rows) > DRAWN else ""

    def picture(self, *, width: float = 720) -> str:
        """The worst slices as SVG."""
        rows = [
            IntervalRow.of(row.name, (row.mean, row.low, row.high), row.observed)
            for row in self.rows[:DRAWN]
            if row.mean is not None and row.low is not None and row.high is not None
        ]
        title = f"{self.metric} of the worst slices with its {self._interval_name}"
        return forest(rows, title=title, width=width) if rows else ""


@spelled(Asking, draws=None)
def slice_report(
    slices: Slices | Counts | Mapping[str, ConfusionMatrix],
    metric: str | Metric | Measure | None = None,
    prior: str | Prior | None = None,
    **how: Unpack[Asking],
) -> SliceReport:
    """A metric of every slice of a test set, thousands of them in one call.

    Parameters
    ----------
    slices : Slices, Counts or mapping of str to ConfusionMatrix
        Counts by slice; `Counts` that were counted with ``by=``.
    metric : str, Metric or Measure, optional
        "accuracy" if left out. Accuracy, recall, specificity, their complements, bias, prevalence and balanced
        accuracy borrow and are exact; all others are drawn, of each slice alone.
    prior : str or Prior, optional
        Of each slice alone, if left out: "calibrated" of two classes, "flat" of the accuracy of more, else "jeffreys".
    level, kind
        Of the intervals.
    draws : int, optional
        Of each slice, for a metric that is drawn; 2,000 if left out.
    seed : int
        Of all draws.

    Raises
    ------
    InvalidArgument, UnknownMetric, UnknownLabel
        No slice, a metric or a class that is not there, prior "learned" of a slice alone.

    Notes
    -----
    Slices borrow by a population of two parts that is learned from them: most are alike, a few are from a broad part
    (``docs/slices.md``). The worst slice is by joint draws from it, the largest gap of a single rate as in `fairness`:
    slices may be all alike, or not.

    Examples
    --------
    >>> import howsure as hs
    >>> tables = {name: hs.ConfusionMatrix([[k, 50 - k], [5, 45]], ["healthy", "ill"])
    ...           for name, k in [("de", 46), ("en", 47), ("fr", 44), ("nl", 20)]}
    >>> report = hs.slice_report(tables, "specificity")
    >>> report.rows[0].name, round(report["fr"].mean, 3), round(report["fr"].alone[0], 3)
    ('nl', 0.874, 0.87)
    """
    held = held_slices(slices, "slice_report")
    measure = parse("accuracy" if metric is None else metric, held.labels, held.positive)
    ask = Ask.of(how, DRAWS_OF_SLICE)
    rates = rates_of(held, measure)
    chosen = prior_of_slices(held, rates, prior)
    lower = measure.metric.better == "lower"
    if rates is not None:
        better, chance = measure.metric.better, 1 / len(held.labels)
        answers = answers_of_rates(rates, chosen, ask.level, ask.kind, better=better, chance=chance, seed=ask.seed)
        observed, empty = rates.observed.tolist(), rates.empty.tolist()
    else:
        answers = answers_of_draws(_drawn(held, measure, chosen, ask), ask.level, ask.kind, lower=lower)
        observed = [measure.observed(table.astype(float)) for table in _each(held)]
        empty = [0.0] * len(held)
    largest, p_alike = _largest(rates, answers, ask)
    rows = _rows(held, answers, observed, empty)
    rows.sort(key=lambda row: (row.mean is None, row.empty == 1, (-1 if lower else 1) * (row.mean or 0.0), row.name))
    unlike = tuple(row.name for row in rows if row.p_unlike is not None and row.p_unlike >= UNLIKE)
    return SliceReport(
        held, measure.name, tuple(rows), largest, p_alike, unlike, answers.borrowed is not None,
        {"higher": True, "lower": False}.get(measure.metric.better), chosen.name, replace(ask, draws=answers.draws),
        "simulated" if rates is None else "exact", answers.typical, answers.spread, measure, chosen,
    )  # fmt: skip


def _largest(
    rates: SliceRates | None, answers: SliceAnswers, ask: Ask
) -> tuple[tuple[float, float, float], float | None]:
    """The largest gap, and the probability that there is none where the metric is one rate of a few slices."""
    if rates is not None and len(rates.k) == 1 and (rates.n[0] > 0).sum() <= MOST_ALIKE:
        rate = GroupRate(rates.k[0], rates.n[0], answers.draws, (ask.seed, 1))
        if rate.defined:
            gap = gap_knowledge([rate], 0.0, ask.level)
            return (gap.mean, gap.low, gap.high), gap.alike
    largest = answers.largest
    return (float(largest.mean[0]), float(largest.low[0]), float(largest.high[0])), None


def _each(slices: Slices) -> Any:
    step = max(1, 1_000_000 // len(slices.labels) ** 2)
    for start in range(0, len(slices), step):
        yield from slices._tables(start, min(start + step, len(slices)))


def _drawn(slices: Slices, measure: Measure, prior: Prior, ask: Ask) -> DrawnSlices:
    size = len(slices.labels)
    if len(slices) * size * size * ask.draws > 4 * 10**9:
        raise InvalidArgument(
            f"{measure.name} has no closed form, and {formats.integer(ask.draws)} tables of {len(slices)} slices with "
            f"{size} classes are too many to draw; ask for fewer draws, or a metric such as balanced_accuracy"
        )
    total = slices.confusion().counts
    return DrawnSlices(
        slices._tables, total, prior.row(size), prior.shares(size), lambda tables: measure(Margins.around(tables)),
        len(slices), ask.draws, ask.seed,
    )  # fmt: skip


def _rows(slices: Slices, answers: SliceAnswers, observed: list[Any], empty: list[float]) -> list[SliceRow]:
    def numbers(values: Floats | None) -> Sequence[float | None]:
        return [None] * len(slices) if values is None else [finite(x) for x in values.tolist()]

    def ends(of: SliceEnds) -> Iterator[tuple[float | None, float | None, float | None]]:
        return zip(numbers(of.mean), numbers(of.low), numbers(of.high), strict=True)

    alone = list(ends(answers.alone))
    columns = zip(
        slices.names, slices.cases.tolist(), map(finite, observed),
        alone if answers.borrowed is None else ends(answers.borrowed), alone,
        [None] * len(slices) if answers.gap is None else ends(answers.gap), numbers(answers.below),
        numbers(answers.worst), numbers(answers.unlike), empty, strict=True,
    )  # fmt: skip
    return [SliceRow(name, cases, seen, *main, *rest) for name, cases, seen, main, *rest in columns]


def _cells(report: SliceReport, row: SliceRow) -> tuple[str, ...]:
    draws = report.draws if report.route == "simulated" else None
    return (
        formats.plain(row.name), formats.integer(row.cases), formats.number(row.observed, 3),
        *_number(row.mean, row.low, row.high), _shown(*row.alone) if report.borrowed else "",
        "" if row.gap is None else _shown(*row.gap),
        "" if row.p_below_rest is None else formats.probability(row.p_below_rest, draws),
        "" if len(report.rows) == 1 else formats.probability(row.p_worst, report.draws),
        "" if row.p_unlike is None else formats.probability(row.p_unlike),
    )  # fmt: skip


def _number(mean: float | None, low: float | None, high: float | None) -> tuple[str, str]:
    return ("undefined", "") if mean is None or low is None or high is None else formats.parts(mean, low, high)


def _shown(mean: float | None, low: float | None, high: float | None) -> str:
    return "undefined" if mean is None or low is None or high is None else formats.estimate(mean, low, high)


def _headline(report: SliceReport) -> str:
    slices = formats.several(len(report.rows), "slice")
    by = f" by {', '.join(formats.plain(name) for name in report.slices.by)}" if report.slices.by else ""
    worst = report.rows[0]
    shown = _shown(worst.mean, worst.low, worst.high)
    if len(report.rows) == 1:
        return f"{report.metric} of {slices}{by}: {formats.plain(worst.name)} {shown}."
    first = f"{report.metric} of {slices}{by}: {'highest' if report.higher_is_better is False else 'lowest'}"
    chance = formats.equals(worst.p_worst, report.draws)
    return f"{first} is {formats.plain(worst.name)} with {shown}, the worst of all with P {chance}."


def _findings(report: SliceReport) -> tuple[str, ...]:
    said = []
    if len(report.rows) > 1:
        gap = _shown(*report.largest_gap)
        all_alike = "" if report.p_alike is None else f", P(all alike) {formats.equals(report.p_alike)}"
        said.append(f"Largest gap between any two slices: {gap}{all_alike}; this accounts for looking at every slice.")
    if report.borrowed:
        if report.unlike:
            names = [formats.plain(name) for name in report.unlike[:NAMED]]
            more = len(report.unlike) - NAMED
            rest = f" and {more} more" if more > 0 else ""
            verb = "stands" if len(report.unlike) == 1 else "stand"
            said.append(f"{', '.join(names)}{rest} {verb} out from the rest with probability {UNLIKE:g} or more.")
        else:
            said.append(f"No slice stands out from the rest with probability {UNLIKE:g} or more.")
        bad = {True: "lower", False: "higher"}.get(report.higher_is_better, "away")  # type: ignore[arg-type]
        near = f"{MARGIN:g} (half its distance to guessing, if that is less)"
        said[-1] += f" That is: {bad} than a typical other one by {near}, and than any of so many like it."
    empty = [row for row in report.rows if row.empty > EMPTY]
    if empty:
        where = ", ".join(f"{formats.plain(row.name)} ({100 * row.empty:.0f}%)" for row in empty[:NAMED])
        where += f" and {len(empty) - NAMED} more" if len(empty) > NAMED else ""
        source = "the other slices" if report.borrowed else "the prior"
        said.append(f"In {where} that share of the metric is of classes without a case, and comes from {source}.")
    values = report.slices.names
    if len(values) > SHOWN and len(report.slices.by) == 1 and all(map(NUMBER.fullmatch, values)):
        by = formats.plain(report.slices.by[0])
        said.append(
            f"These {len(values)} slices are single values of {by}: bands of it (such as 40-49) hold more cases each; "
            "write them into a column."
        )
    said += alike(report.slices.names, "slice")
    return tuple(said)


def _notes(report: SliceReport) -> tuple[str, ...]:
    if len(report.rows) == 1:
        return (f"One slice has nobody to borrow from, and no rest. Prior {report.prior}, {_route(report)}.",)
    by = "borrowing from the other slices" if report.borrowed else "by each slice's own cases"
    alone = "alone: the slice's own cases. " if report.borrowed else ""
    small = (
        f"mean: {by}. {alone}minus the rest: the slice alone less all other cases together. Prior {report.prior} of a "
        f"slice alone, {_route(report)}."
    )
    if report.borrowed:
        small += " Borrowing: probabilities to 0.01."
    elif report.route == "simulated":
        small += " This metric has no closed form, so its slices do not borrow."
    return small, f"P(worst) and the largest gap: {formats.integer(report.draws)} joint draws, seed {report.seed}."


def _route(report: SliceReport) -> str:
    return "exact" if report.route == "exact" else f"simulated ({formats.integer(report.draws)} draws a slice)"


@spelled(Asking, draws=None)
def slices(
    known: Slices | Items | Mapping[str, tuple[Knowledge, Knowledge]], metric: str | None = None, *,
    by: str = "group", name: str | None = None, **how: Unpack[Asking],
) -> SliceReport | MetricSlices:  # fmt: skip
    """A metric by slice: each with its interval, the worst one, and which stand out from the others.

    Parameters
    ----------
    known : Slices, Items whose groups are the slices, or mapping of slice to two of a kind
        Of a mapping what is known of the slice, and of all others together.
    metric, name : str, optional
        The metric, and of items the system.
    by : str
        What the slices of items are, in words.
    level, kind, draws, seed
        Of the intervals and of what is drawn.

    Examples
    --------
    >>> import howsure as hs
    >>> hard = [i > 11 for i in range(24)]
    >>> scored = hs.Items.from_columns(range(24), [i % 12 / 11 - hard[i] / 2 for i in range(24)], group=hard)
    >>> hs.slices(scored, by="hard").rows[0].name
    'true'
    """
    if not all(it is None or isinstance(it, str) for it in (metric, name)) or not isinstance(by, str):
        raise InvalidArgument("metric=, name= and by= are texts")
    if isinstance(known, Slices):
        return slice_report(known, metric, **how)
    parts = known.by_group() if isinstance(known, Items) else known
    if not isinstance(parts, Mapping) or not parts or not all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(one, Knowledge) for one in pair)
        for pair in parts.values()
    ):  # fmt: skip
        raise InvalidArgument("slices are Slices, Items in groups, or a mapping of slice to (its own, all others)")
    first = next(iter(parts.values()))[0]
    return slices_known(parts, by, metric, name=name, ask=first.ask(**how), notes=(
        known.notes if isinstance(known, Items) else ()
    ))  # fmt: skip
