"""A metric by slice, of any kind of knowledge: each slice with its interval, and which stand out from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, NoInformation
from howsure.knowledge.protocol import Answered, Ask, Knowledge, Measured, Of
from howsure.laws import Law
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.svg import forest

__all__ = ["slices"]


@dataclass(frozen=True, eq=False)
class MetricSlice:
    """A metric in a slice, and the probability that it is worse there than in the others together."""

    name: str
    n: int
    observed: float | None
    law: Law | None = None
    p_worse: float | None = None
    why_not: str | None = None


FIELDS = """
by unit metric=measure.name better=measure.better level interval=kind draws seed verdict=sentence
rows[name n observed *law? p_worse why_not?] notes
"""


@dataclass(frozen=True, eq=False)
class MetricSlices(
    Answered, json="metric_slices", fields=FIELDS, csv="rows[name n observed *law?(mean low high interval) p_worse]"
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
