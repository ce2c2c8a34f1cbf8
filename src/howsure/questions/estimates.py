"""Metrics of contenders of any kind of knowledge, by slice, and over sites: observed and known, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.answers.fields import interval_cells, law_row, route_words, summary
from howsure.answers.sheet import Sheet, covered, row_named
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered, Ask, Knowledge, Measured, Of
from howsure.laws import Draws, Law
from howsure.numerics.sites import normal_sites
from howsure.questions.thresholds import NOTHING, Thresholds
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.svg import IntervalRow, forest


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricRow:
    """A metric of somebody, and what is known of it.

    Attributes
    ----------
    name : str
        Whose it is: a contender, a slice, a site.
    n : int
        Units.
    observed : float or None
        As everybody computes it.
    law : Law or None
        What is known; None where there is no answer.
    why_not : str or None
        Why there is no answer.
    """

    name: str
    n: int
    observed: float | None
    law: Law | None = None
    why_not: str | None = None


def read_off(known: Knowledge, of: Of, ask: Ask, name: str | None = None) -> dict[str, Any]:
    """The fields of a `MetricRow`: what is observed and known of a metric of a contender, or why it is not known."""
    seen = {"name": of.name if name is None else name, "n": known.size(of.name), "observed": known.observed(of)}
    try:
        return {**seen, "law": known.law(of, ask)}
    except NoInformation as refusal:
        return {**seen, "why_not": str(refusal)}


class OfMetrics(Answered):
    """An answer whose rows are metrics of somebody."""

    def _known(self, row: MetricRow) -> tuple[str, str]:
        """Mean and interval of a row, or why there are none."""
        return ("", row.why_not or "") if row.law is None else interval_cells(row.law, self.level, self.kind)

    def _observed(self, row: MetricRow) -> str:
        """As many digits as the interval has, two at least."""
        if row.observed is None:
            return ""
        ends = None if row.law is None else row.law.interval(self.level, self.kind)
        return formats.number(row.observed, 3 if ends is None else max(2, formats.decimals(*ends)))

    def _said(self, what: str, row: MetricRow) -> str:
        """A row in words; ``what`` it is of."""
        observed = self._observed(row)
        if row.law is None:
            return f"{what}: {f'observed {observed}; ' if observed else ''}{row.why_not}."
        mean, ends = interval_cells(row.law, self.level, self.kind)
        name = formats.interval_name(row.law.interval(self.level, self.kind).kind, self.level)
        return f"{what}: {mean} ({name} {ends}){f'; observed {observed}' if observed else ''}."

    def _marks(self, rows: Iterable[MetricRow], label: Callable[[Any], str] | None = None) -> list[IntervalRow]:
        """Rows that are known, as rows of a picture."""
        return [
            law_row(label(row) if label else row.name, row.law, self.level, self.kind, observed=row.observed)
            for row in rows
            if row.law is not None
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class EstimatedRow(MetricRow):
    """A metric of a contender.

    Attributes
    ----------
    name, n, observed, law, why_not
        As in `MetricRow`.
    metric, better : str
        What it is, and which direction is better.
    asked : tuple of float or None
        What was asked of thresholds.
    """

    metric: str
    better: str
    asked: tuple[float, ...] | None = None


FIELDS = """
about unit level interval=kind draws seed verdict=sentence rows=_rows notes
"""
CSV = "rows[name metric better n observed *law(mean median sd low high interval law error) why_not]"


@dataclass(frozen=True, eq=False)
class Estimated(OfMetrics, json="estimates", fields=FIELDS, csv=CSV):
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
        return self._said(what, row)

    def sheet(self) -> Sheet:
        """A row for each metric of each contender."""
        kind = formats.interval_name(self.kind, self.level)
        named = any(row.name for row in self.rows)
        header = (*(("name",) if named else ()), "metric", "n", "observed", "mean", kind, *self.held.heads, "method")
        rows = []
        for row in self.rows:
            mean, ends = self._known(row)
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
        rows = self._marks(self.rows, lambda row: " ".join(filter(None, [row.name, self.called[row.metric]])))
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
            row = EstimatedRow(metric=measure.name, better=measure.better, **read_off(known, of, ask))
            if row.law is None:
                rows.append(row)
                continue
            held.refuse_percentages({measure.name: row.law})
            rows.append(replace(row, asked=held.answers(row.law) or None))
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


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricSlice(MetricRow):
    """A metric in a slice, and the probability that it is worse there than in the others together."""

    p_worse: float | None = None


FIELDS_OF_SLICES = """
by unit metric=measure.name better=measure.better level interval=kind draws seed verdict=sentence
rows[name n observed *law? p_worse why_not?] notes
"""


@dataclass(frozen=True, eq=False)
class MetricSlices(
    OfMetrics,
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
        rows = self._marks(self.rows)
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
        row = MetricSlice(**read_off(part, of, ask, title))
        if row.law is not None:
            with suppress(NoInformation):  # too few others
                other = rest.law(of, ask).sample(ask.draws, seed=[ask.seed, 2])
                gap = row.law.sample(ask.draws, seed=[ask.seed, 1]) - other
                worse = gap < 0 if measure.better == "higher" else gap > 0
                row = replace(row, p_worse=float(worse.mean()))
        rows.append(row)
    known = [row for row in rows if row.law is not None]
    if not known:
        raise NoInformation(f"no slice by {by} has enough {first.unit}s: {rows[0].why_not}")
    down = 1.0 if measure.better == "higher" else -1.0
    known.sort(key=lambda row: down * (0.0 if row.law is None else row.law.mean))
    return MetricSlices(
        by, first.unit, measure, (*known, *(row for row in rows if row.law is None)), ask,
        tuple(dict.fromkeys([*first.notes, *notes])),
    )  # fmt: skip


# -- Over sites --------------------------------------------------------------------------------------------------------

#: Sites with fewer units have a spread of their own that is hardly seen, and fewer sites tell little of others.
FEW_UNITS, FEW_SITES = 8, 5


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledSite(MetricRow):
    """A metric at a site: alone, and pulled towards the others as far as sites are alike."""

    alone: Law | None = None


FIELDS_OF_POOL = """
unit site metric=measure.name better=measure.better level interval=kind draws seed verdict=sentence
typical new spread sites[name n observed *law? why_not?] notes
"""


@dataclass(frozen=True, eq=False)
class MetricPool(
    OfMetrics, json="metric_pool", fields=FIELDS_OF_POOL, csv="sites[name n observed *law?(mean low high interval)]"
):  # fmt: skip
    """A metric at several sites and what it is at others; made by `pool` of a kind of knowledge.

    Attributes
    ----------
    unit, site : str
        What is sampled at a site, and what a site is called.
    measure : Measured
    sites : tuple of PooledSite
    typical, new, spread : Law
        Mean of the population of sites, a new one of them, and its standard deviation.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    notes : tuple of str
    """

    unit: str
    site: str
    measure: Measured
    sites: tuple[PooledSite, ...]
    typical: Law
    new: Law
    spread: Law
    ask: Ask
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """A typical site and a new one."""
        (mean, ends), (_, others) = (interval_cells(law, self.level, self.kind) for law in (self.typical, self.new))
        name = formats.interval_name(self.kind, self.level)
        called = f"{self.measure.called[:1].upper()}{self.measure.called[1:]}"
        return f"{called} at a typical {self.site}: {mean} ({name} {ends}); at a new {self.site} {others}."

    def sheet(self) -> Sheet:
        """A row for each site, then the population."""
        header = (
            self.site, f"{self.unit}s", "observed", "alone", "mean", formats.interval_name(self.kind, self.level)
        )  # fmt: skip
        rows = []
        for it in self.sites:
            alone = "" if it.alone is None else interval_cells(it.alone, self.level, self.kind)[1]
            shown = plain(it.name, 40), integer(it.n), formats.number(it.observed, 3), alone
            rows.append((*shown, *self._known(it)))
        rows += [
            (called, "", "", "", *interval_cells(law, self.level, self.kind))
            for called, law in (
                (f"typical {self.site}", self.typical), (f"new {self.site}", self.new), ("spread", self.spread)
            )
        ]  # fmt: skip
        note = (
            f"alone: by its own {self.unit}s. mean and interval: with what the others say, as far as they are alike. "
            f"spread: standard deviation of {self.site}s. {self.site.capitalize()}s are a sample of a Normal "
            f"population. Simulated: {integer(self.draws)} draws, seed {self.seed}."
        )
        return Sheet(self.sentence, header, tuple(rows), (note,), remarks=self.notes)

    def picture(self) -> str:
        """Each site with its interval, a typical and a new one, as SVG."""
        population = ((f"typical {self.site}", self.typical), (f"new {self.site}", self.new))
        rows = self._marks(self.sites)
        rows += [law_row(name, law, self.level, self.kind) for name, law in population]
        return forest(rows, title=f"{self.measure.called} by {self.site}, mean (dot), interval (line), observed (tick)")


def pool(
    sites: Mapping[str, Knowledge],
    metric: str | None = None,
    *,
    name: str | None = None,
    site: str = "site",
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> MetricPool:
    """A metric of one contender at several sites, which are a sample of sites.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> made = pool({
    ...     name: Items.from_columns(range(20), [(i % 5 + more) / 6 for i in range(20)], range=(0, 1))
    ...     for name, more in (("Oslo", 0), ("Bergen", 1), ("Narvik", 0.5))
    ... })
    >>> round(made.typical.mean, 1), made.new.sd > made.typical.sd
    (0.4, True)
    """
    if len(sites) < 2:
        raise InvalidArgument(f"a pool is of two {site}s or more, and there is {len(sites)}")
    first = next(iter(sites.values()))
    if len({known.measured(first.metric(metric).name).called for known in sites.values()}) > 1:
        raise InvalidArgument(f"{site}s have different metrics of that name; read all of them from files of one kind")
    ask, measure, who = ask or first.ask(), first.metric(metric), first.one(name)
    of, limits = Of(measure.name, who), measure.limits
    rows = [PooledSite(**read_off(known, of, ask, title)) for title, known in sites.items()]
    laws = {row.name: row.law for row in rows if row.law is not None}
    if len(laws) < 2:
        raise NoInformation(f"fewer than two {site}s have an interval: {rows[0].why_not}")
    sizes = np.array([row.n for row in rows if row.law is not None], dtype=float)
    means, sds = (np.array([getattr(law, part) for law in laws.values()]) for part in ("mean", "sd"))
    found = normal_sites(means, sds, sizes, ask.draws, np.random.default_rng(ask.seed), limits)
    pulled = {name: Draws(draws, support=limits) for name, draws in zip(laws, found.sites.T, strict=True)}
    rows = [replace(row, alone=row.law, law=pulled.get(row.name)) for row in rows]
    said = [*sentences(notes), *(line for known in sites.values() for line in known.notes)]
    if len(laws) < FEW_SITES:
        said.append(f"{len(laws)} {site}s tell little of how unlike {site}s are.")
    if few := [row.name for row in rows if row.alone is not None and row.n < FEW_UNITS]:
        said.append(f"Fewer than {FEW_UNITS} {first.unit}s: {', '.join(few)}.")
    return MetricPool(
        first.unit, site, measure, tuple(rows), Draws(found.typical, support=limits),
        Draws(found.new, support=limits), Draws(found.spread, support=(0.0, np.inf)), ask,
        tuple(dict.fromkeys(said)),
    )  # fmt: skip
