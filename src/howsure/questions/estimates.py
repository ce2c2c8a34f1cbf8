"""Metrics of each contender of any kind of knowledge, and by slice: observed and known, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from howsure.answers.law_summary import interval_cells, law_row, route_words, summary
from howsure.answers.sheet import Sheet, covered, row_named
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered, Ask, Knowledge, Measured, Of
from howsure.laws import Draws, Law
from howsure.questions.thresholds import NOTHING, Thresholds
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.svg import forest

__all__ = ["Estimated", "estimates", "slices"]


@dataclass(frozen=True, eq=False)
class EstimatedRow:
    """A metric of a contender.

    Attributes
    ----------
    name, metric, better : str
        Whose it is, what it is, and which direction is better.
    n : int
        Units.
    observed : float or None
        As everybody computes it.
    law : Law or None
        What is known; None where there is no answer.
    asked : tuple of float or None
        What was asked of thresholds.
    why_not : str or None
        Why there is no answer.
    """

    name: str
    metric: str
    better: str
    n: int
    observed: float | None
    law: Law | None = None
    asked: tuple[float, ...] | None = None
    why_not: str | None = None


FIELDS = """
about unit level interval=kind draws seed verdict=sentence rows=_rows notes
"""
CSV = "rows[name metric better n observed *law(mean median sd low high interval law error) why_not]"


@dataclass(frozen=True, eq=False)
class Estimated(Answered, json="estimates", fields=FIELDS, csv=CSV):
    """Metrics of contenders, with what is known of each; made by `howsure.report` of a kind of knowledge.

    Attributes
    ----------
    about, unit, method : str
        The data in a sentence, what is sampled, and what means and intervals are of.
    called : dict of str to str
        The word for each metric.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    rows : tuple of EstimatedRow
    held : Thresholds
        What each metric was held against.
    notes : tuple of str

    Examples
    --------
    >>> import howsure as hs
    >>> hs.report(hs.Items.from_columns(range(20), [i % 5 for i in range(20)], range=(0, 4))).rows[0].observed
    2.0
    """

    about: str
    unit: str
    method: str
    called: dict[str, str]
    ask: Ask
    rows: tuple[EstimatedRow, ...]
    held: Thresholds = NOTHING
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> EstimatedRow:
        """The first row of a contender."""
        return row_named(self.rows, name, "contender")

    @property
    def _rows(self) -> list[dict[str, object]]:
        shown: list[dict[str, object]] = []
        for row in self.rows:
            law = {} if row.law is None else summary(row.law, self.level, self.kind)
            asked = {"asked": self.held.to_list(row.asked)} if self.held.heads else {}
            plain_row = {"name": row.name, "metric": row.metric, "better": row.better, "n": row.n}
            why = {} if row.why_not is None else {"why_not": row.why_not}
            shown.append({**plain_row, "observed": row.observed, **law, **asked, **why})
        return shown

    @property
    def sentence(self) -> str:
        """The first number in words."""
        row = self.rows[0]
        whose = f" of {plain(row.name, 40)}" if row.name else ""
        what = f"{self.called[row.metric]}{whose}"
        what = what[:1].upper() + what[1:] if " of " in what else what
        if row.law is None:
            return f"{what}: observed {formats.number(row.observed, 3)}; {row.why_not}."
        mean, ends = interval_cells(row.law, self.level, self.kind)
        name = formats.interval_name(row.law.interval(self.level, self.kind).kind, self.level)
        observed = "" if row.observed is None else f"; observed {self._observed(row)}"
        return f"{what}: {mean} ({name} {ends}){observed}."

    def _observed(self, row: EstimatedRow) -> str:
        if row.law is None:
            return formats.number(row.observed, 3)
        if row.observed is None:
            return ""
        ends = row.law.interval(self.level, self.kind)
        return formats.number(row.observed, max(2, formats.decimals(*ends)))

    def sheet(self) -> Sheet:
        """A row for each metric of each contender."""
        kind = formats.interval_name(self.kind, self.level)
        named = any(row.name for row in self.rows)
        header = (*(("name",) if named else ()), "metric", "n", "observed", "mean", kind, *self.held.heads, "method")
        rows = []
        for row in self.rows:
            mean, ends = ("", row.why_not or "") if row.law is None else interval_cells(row.law, self.level, self.kind)
            places = 3 if row.law is None else formats.decimals(*row.law.interval(self.level, self.kind))
            law = row.law.n if isinstance(row.law, Draws) else None
            rows.append((
                *((plain(row.name, 40),) if named else ()), self.called[row.metric], integer(row.n),
                self._observed(row), mean, ends, *self.held.words(row.asked, places, law),
                "no answer" if row.law is None else route_words(row.law),
            ))  # fmt: skip
        return Sheet(
            self.sentence, header, tuple(rows), (self._footnote(),), about=self.about, remarks=self.notes,
            words=frozenset([len(header) - 1]),
            covers=covered(self.unit),
        )  # fmt: skip

    def _footnote(self) -> str:
        drawn = [row.law.n for row in self.rows if isinstance(row.law, Draws)]
        error = "± Monte Carlo error of the interval's ends"
        how = f" simulated: {integer(min(drawn))} draws, seed {self.seed}, {error}." if drawn else ""
        return f"observed: as everybody computes it. {self.method}{how}"

    def picture(self, *, width: float = 720) -> str:
        """Each metric with its interval, as SVG."""
        rows = [
            law_row(" ".join(filter(None, [row.name, self.called[row.metric]])), row.law, self.level, self.kind,
                    observed=row.observed)
            for row in self.rows if row.law is not None
        ]  # fmt: skip
        return forest(
            rows,
            title=f"Mean (dot), {formats.interval_name(self.kind, self.level)} and observed value (tick)",
            width=width,
        )


def estimates(
    known: Knowledge,
    metrics: str | Sequence[str] | None = None,
    *,
    names: Sequence[str] | None = None,
    ask: Ask | None = None,
    held: Thresholds = NOTHING,
    notes: Sequence[str] = (),
) -> Estimated:
    """Metrics of contenders, whatever the kind of data; see `howsure.report`.

    Parameters
    ----------
    known : Knowledge
    metrics : str or sequence of str, optional
        Of those that it has; the usual one if left out.
    names : sequence of str, optional
        Contenders; all if left out.
    ask : Ask, optional
        Level and kind of the intervals, draws and seed.
    held : Thresholds
        Also probabilities of thresholds, and quantiles.
    notes : sequence of str
        Sentences to carry along.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> print(estimates(Items.from_columns(range(10), [5, 5, 5, 4, 5, 3, 5, 5, 4, 5], range=(1, 5))).sentence)
    Mean of score: 4.4 (95% central 3.5 to 4.9); observed 4.60.
    """
    ask = ask or known.ask()
    chosen = (
        [None] if metrics is None else [metrics] if isinstance(metrics, str) else listed(metrics, "metrics", "names")
    )
    if not chosen:
        raise InvalidArgument("no metric is asked for; leave metrics out to get the usual one")
    asked = list(dict.fromkeys(known.metric(name) for name in chosen))
    whose = known.names if names is None else tuple(names)
    rows, said = [], [*known.notes, *sentences(notes)]
    for name in whose:
        known.place(name)
        for measure in asked:
            of = Of(measure.name, name)
            observed, n = known.observed(of), known.size(name)
            try:
                law = known.law(of, ask)
            except NoInformation as refusal:
                rows.append(EstimatedRow(name, measure.name, measure.better, n, observed, why_not=str(refusal)))
                continue
            held.refuse_percentages({measure.name: law})
            rows.append(EstimatedRow(name, measure.name, measure.better, n, observed, law, held.answers(law) or None))
            whose_line = f"{plain(name, 40)}: " if len(whose) > 1 and name else ""
            said += [f"{whose_line}{line}" for line in known.remarks(of, ask)]
    if all(row.law is None for row in rows):
        first = rows[0]
        shown = f" (observed {formats.number(first.observed, 3)})" if first.observed is not None else ""
        raise NoInformation(f"{first.why_not}{shown}")
    return Estimated(
        about=known.about, unit=known.unit, method=known.method, called={it.name: it.called for it in asked},
        ask=ask, rows=tuple(rows), held=held,
        notes=tuple(dict.fromkeys(said)),
    )  # fmt: skip


# -- By slice ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MetricSlice:
    """A metric in a slice, and the probability that it is worse there than in the others together."""

    name: str
    n: int
    observed: float | None
    law: Law | None = None
    p_worse: float | None = None
    why_not: str | None = None


FIELDS_OF_SLICES = """
by unit metric=measure.name better=measure.better level interval=kind draws seed verdict=sentence
rows[name n observed *law? p_worse why_not?] notes
"""


@dataclass(frozen=True, eq=False)
class MetricSlices(
    Answered,
    json="metric_slices",
    fields=FIELDS_OF_SLICES,
    csv="rows[name n observed *law?(mean low high interval) p_worse]",
):
    """A metric by slice; made by `slices` of a kind of knowledge.

    Attributes
    ----------
    by, unit : str
        What slices are, and what is sampled.
    measure : Measured
    rows : tuple of MetricSlice
        Worst first; those that are too few last.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    notes : tuple of str
    """

    by: str
    unit: str
    measure: Measured
    rows: tuple[MetricSlice, ...]
    ask: Ask
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The worst slice, and whether it is surely worse than the others."""
        row = self.rows[0]
        assert row.law is not None
        mean, ends = interval_cells(row.law, self.level, self.kind)
        shown = f"{mean} ({formats.interval_name(self.kind, self.level)} {ends})"
        first = f"Of {len(self.rows)} slices by {plain(self.by, 40)} {plain(row.name, 40)} has the worst "
        if row.p_worse is None:
            return f"{first}{self.measure.called} of those that are large enough, {shown}."
        surely = formats.probability(row.p_worse, self.draws)
        return f"{first}{self.measure.called}, {shown}; that it is worse than the others has probability {surely}."

    def sheet(self) -> Sheet:
        """A row for each slice."""
        header = (
            "slice", f"{self.unit}s", "observed", "mean", formats.interval_name(self.kind, self.level),
            "P(worse than the others)",
        )  # fmt: skip
        rows = []
        for row in self.rows:
            cells = ("", "too few") if row.law is None else interval_cells(row.law, self.level, self.kind)
            p = "" if row.p_worse is None else formats.probability(row.p_worse, self.draws)
            rows.append((plain(row.name, 40), integer(row.n), formats.number(row.observed, 3), *cells, p))
        note = (
            f"The others: the {self.unit}s of all other slices, as a sample of its own. Of {len(self.rows)} slices "
            f"some differ by chance. simulated: {integer(self.draws)} draws, seed {self.seed}."
        )
        return Sheet(self.sentence, header, tuple(rows), (note,), remarks=self.notes)

    def picture(self) -> str:
        """Each slice with its interval, as SVG."""
        rows = [
            law_row(row.name, row.law, self.level, self.kind, observed=row.observed)
            for row in self.rows if row.law is not None
        ]  # fmt: skip
        return forest(rows, title=f"{self.measure.called} by slice, mean (dot), interval (line), observed (tick)")


def slices(
    parts: Mapping[str, tuple[Knowledge, Knowledge]],
    by: str = "group",
    metric: str | None = None,
    *,
    name: str | None = None,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> MetricSlices:
    """A metric of each slice, and against all others.

    Parameters
    ----------
    parts : mapping of slice to pair of Knowledge
        The slice itself, and the rest of the data without it.
    by : str
        What slices are.
    metric, name : str, optional
        The metric, and the contender; the usual one, and the only one, if left out.
    ask : Ask, optional
        Level and kind of the intervals, draws and seed.
    notes : sequence of str
        Sentences to carry along.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> late = [i > 11 for i in range(24)]
    >>> read = Items.from_columns(range(24), [i % 12 / 11 - late[i] / 2 for i in range(24)], group=late)
    >>> made = slices(read.by_group(), "late")
    >>> [row.name for row in made.rows], made.rows[0].p_worse > 0.9
    (['true', 'false'], True)
    """
    if len(parts) < 2:
        raise InvalidArgument(f"slices are two or more, and {by} has {len(parts)}")
    first = next(iter(parts.values()))[0]
    ask, measure, who = ask or first.ask(), first.metric(metric), first.one(name)
    rows = []
    for title, (part, rest) in parts.items():
        of = Of(measure.name, who)
        try:
            law = part.law(of, ask)
        except NoInformation as refusal:
            rows.append(MetricSlice(title, part.size(who), part.observed(of), why_not=str(refusal)))
            continue
        worse = None
        with suppress(NoInformation):  # too few others
            other = rest.law(of, ask).sample(ask.draws, seed=[ask.seed, 2])
            gap = law.sample(ask.draws, seed=[ask.seed, 1]) - other
            worse = float((gap < 0).mean() if measure.better == "higher" else (gap > 0).mean())
        rows.append(MetricSlice(title, part.size(who), part.observed(of), law, worse))
    known = [row for row in rows if row.law is not None]
    if not known:
        raise NoInformation(f"no slice by {by} has enough {first.unit}s: {rows[0].why_not}")
    down = 1.0 if measure.better == "higher" else -1.0
    known.sort(key=lambda row: down * (0.0 if row.law is None else row.law.mean))
    return MetricSlices(
        by, first.unit, measure, (*known, *(row for row in rows if row.law is None)), ask,
        tuple(dict.fromkeys([*first.notes, *notes])),
    )  # fmt: skip
