"""``pool`` of any kind of knowledge: a metric at several sites, at a typical one and at a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered, Ask, Knowledge, Measured, Of
from howsure.laws import Draws, Law
from howsure.numerics.sites import normal_sites
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.svg import forest

__all__ = ["MetricPool", "PooledSite", "pool"]

#: Sites with fewer units have a spread of their own that is hardly seen, and fewer sites tell little of others.
FEW_UNITS, FEW_SITES = 8, 5


@dataclass(frozen=True, eq=False)
class PooledSite:
    """A metric at a site: alone, and pulled towards the others as far as sites are alike."""

    name: str
    n: int
    observed: float | None
    alone: Law | None = None
    law: Law | None = None
    why_not: str | None = None


FIELDS = """
unit site metric=measure.name better=measure.better level interval=kind draws seed verdict=sentence
typical new spread sites[name n observed *law? why_not?] notes
"""


@dataclass(frozen=True, eq=False)
class MetricPool(
    Answered, json="metric_pool", fields=FIELDS, csv="sites[name n observed *law?(mean low high interval)]"
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
            cells = ("", it.why_not or "") if it.law is None else interval_cells(it.law, self.level, self.kind)
            rows.append((plain(it.name, 40), integer(it.n), formats.number(it.observed, 3), alone, *cells))
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
        laws = [(it.name, it.law, it.observed) for it in self.sites if it.law is not None]
        laws += [(f"typical {self.site}", self.typical, None), (f"new {self.site}", self.new, None)]
        rows = [law_row(name, law, self.level, self.kind, observed=seen) for name, law, seen in laws]
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

    Parameters
    ----------
    sites : mapping of site to Knowledge
    metric, name : str, optional
        The metric, and the contender; the usual one, and the only or first one, if left out.
    site : str
        What a site is called.
    ask : Ask, optional
        Level and kind of the intervals, draws and seed.
    notes : sequence of str
        Sentences to carry along.

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
    of, laws, rows = Of(measure.name, who), dict[str, Law](), list[PooledSite]()
    for title, known in sites.items():
        try:
            laws[title] = known.law(of, ask)
        except NoInformation as refusal:
            rows.append(PooledSite(title, known.size(who), known.observed(of), why_not=str(refusal)))
        else:
            rows.append(PooledSite(title, known.size(who), known.observed(of), laws[title]))
    if len(laws) < 2:
        raise NoInformation(f"fewer than two {site}s have an interval: {rows[0].why_not}")
    sizes = np.array([row.n for row in rows if row.alone is not None], dtype=float)
    means, sds = (np.array([getattr(law, part) for law in laws.values()]) for part in ("mean", "sd"))
    found = normal_sites(means, sds, sizes, ask.draws, np.random.default_rng(ask.seed), measure.limits)
    each = dict(zip(laws, found.sites.T, strict=True))
    low, high = measure.limits
    rows = [row if row.alone is None else PooledSite(
        row.name, row.n, row.observed, row.alone, Draws(each[row.name], support=(low, high))
    ) for row in rows]  # fmt: skip
    said = [*sentences(notes), *(line for known in sites.values() for line in known.notes)]
    if len(laws) < FEW_SITES:
        said.append(f"{len(laws)} {site}s tell little of how unlike {site}s are.")
    if few := [row.name for row in rows if row.alone is not None and row.n < FEW_UNITS]:
        said.append(f"Fewer than {FEW_UNITS} {first.unit}s: {', '.join(few)}.")
    return MetricPool(
        first.unit, site, measure, tuple(rows), Draws(found.typical, support=(low, high)),
        Draws(found.new, support=(low, high)), Draws(found.spread, support=(0.0, np.inf)), ask,
        tuple(dict.fromkeys(said)),
    )  # fmt: skip
