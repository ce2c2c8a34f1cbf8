"""Metrics of each contender of any kind of knowledge, observed and known, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from howsure.answers.law_summary import interval_cells, law_row, route_words, summary
from howsure.answers.sheet import Sheet, covered, row_named
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import items as listed
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered, Ask, Knowledge, Of
from howsure.laws import Draws, Law
from howsure.questions.thresholds import NOTHING, Thresholds
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.svg import forest

__all__ = ["Estimated", "estimates"]


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
