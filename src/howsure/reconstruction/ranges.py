"""The report over all tables that fit: how far apart they are about each metric."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.errors.arguments import items
from howsure.laws import Kind
from howsure.laws.law import checked_kind, checked_level
from howsure.metrics import Measure, parse
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import MOST_ROWS, Distribution, shift_note
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest

Rounding = Literal["nearest", "truncated"]

#: Share by which an end that does not belong to an interval is moved in.
OPEN = Decimal("1e-11")
#: A row of printed shares that adds up to more than this is one of percentages.
LARGEST_SUM = 2.0
#: What is said of 86/100.
COUNTS = (
    "counts need no reconstruction: sensitivity 86/100 and specificity 170/200 are from_counts(tp=86, fn=14, fp=30, "
    "tn=170) (howsure report --tp 86 --fn 14 --fp 30 --tn 170)"
)


@dataclass(frozen=True)
class Published:
    """A figure as it was printed, and the values that it may have been rounded from.

    Examples
    --------
    >>> Published.of("accuracy", "0.880", "nearest")
    Published(name='accuracy', shown='0.880', low=0.8795, high=0.8805)
    >>> Published.of("recall", "88%", "truncated")  # 0.89 itself would be printed as 89%
    Published(name='recall', shown='88%', low=0.88, high=0.88999999999)
    """

    name: str
    shown: str
    low: float
    high: float
    is_share: bool = field(default=False, repr=False)

    @classmethod
    def of(cls, name: str, value: object, rounding: Rounding) -> Published:
        """Read a number, or its text, which keeps the zeros at its end."""
        shown = value.strip() if isinstance(value, str) else excerpt(value)
        try:
            percent = shown.endswith("%")
            number = Decimal(shown.removesuffix("%").strip())
            places = number.as_tuple().exponent
        except InvalidOperation:
            counts = f"; {COUNTS}" if re.fullmatch(r"\d+ *(/|of) *\d+", shown) else ""
            raise InvalidArgument(
                f"{name} is a printed number such as 0.88 or '0.880', not {excerpt(value)}{counts}"
            ) from None
        if not isinstance(places, int) or isinstance(value, bool):
            raise InvalidArgument(f"{name} is a printed number such as 0.88 or '0.880', not {excerpt(value)}")
        scale = 100 if percent else 1
        number, step = number / scale, Decimal(1).scaleb(min(places, 0)) / scale
        if rounding == "nearest":
            return cls(name, shown, float(number - step / 2), float(number + step / 2))
        # cut towards 0: the end that is further from it is printed as another figure
        step -= OPEN * max(Decimal(1), abs(number))
        low, high = (number if number > 0 else number - step), (number if number < 0 else number + step)
        return cls(name, shown, float(low), float(high))


def published_shares(shares: Any, labels: Sequence[str], rounding: Rounding) -> list[list[Published]]:
    """Shares of each true class that were given each answer, one row a true class; percentages are recognised.

    Examples
    --------
    >>> rows = published_shares([["88", "12"], ["5", "95"]], ["a", "b"], "nearest")
    >>> rows[0][1]
    Published(name='share of a called b', shown='12%', low=0.115, high=0.125)
    """
    size = len(labels)
    table = [
        items(row, "a row of shares", f"{size} numbers") for row in items(shares, "shares", f"a list of {size} rows")
    ]
    if [len(row) for row in table] != [size] * size:
        raise InvalidArgument(f"shares are a row for each of {size} true classes, each of {size} numbers")
    rows = []
    for true, row in zip(labels, table, strict=True):
        names = [f"share of {true} called {pred}" for pred in labels]
        figures = [Published.of(n, v, rounding) for n, v in zip(names, row, strict=True)]
        if sum(f.high for f in figures) > LARGEST_SUM:
            figures = [Published.of(n, f"{f.shown}%", rounding) for n, f in zip(names, figures, strict=True)]
        if sum(f.low for f in figures) > 1 or sum(f.high for f in figures) < 1:
            shown = ", ".join(f.shown for f in figures)
            cut = rounding == "nearest" and sum(f.high for f in figures) < 1
            hint = ', or below if they were cut (rounding="truncated")' if cut else ""
            raise InvalidArgument(
                f"the shares of {excerpt(true)} are {shown}; a row of shares adds up to 1 or 100%{hint}"
            )
        rows.append([replace(figure, is_share=True) for figure in figures])
    return rows


# -- Ranges ------------------------------------------------------------------------------------------------------------

#: The keys of the answer.
SPAN = (
    "metric observed_low=observed.0 observed_high=observed.1 mean mean_low=means.0 mean_high=means.1 "
    "low=interval.0 high=interval.1"
)
FIELDS = f"tables used figures prior level interval=kind metrics=rows[{SPAN}] warnings"

#: Tables whose laws are computed; of more, these many, the extreme ones among them.
MOST_LAWS = 100
#: Classes of which each has its own rows.
MOST_CLASSES = 10


@dataclass(frozen=True)
class Span:
    """One metric over all tables: each pair is the lowest and the highest of any table.

    Parameters
    ----------
    metric : str
    observed : (float, float) or None
        Value on the counts; None where it is undefined on all of them.
    mean : float
        Posterior mean, each table weighted by its probability.
    means : (float, float)
        Posterior means.
    interval : (float, float)
        From the lowest end of any interval to the highest.
    """

    metric: str
    observed: tuple[float, float] | None
    mean: float
    means: tuple[float, float]
    interval: tuple[float, float]


@dataclass(frozen=True, repr=False)
class Ranges(Record, json="reconstruction", fields=FIELDS):
    """What published figures say about metrics; `print` shows a table.

    Attributes
    ----------
    tables, used : int
        Tables that fit, and those whose laws were computed.
    figures : str
        What was published.
    prior : str
    level, kind : float, str
        Of the intervals.
    rows : tuple of Span
    warnings : tuple of str
        Metrics that the prior decides, not the figures.
    """

    tables: int
    used: int
    figures: str
    prior: str
    level: float
    kind: Kind
    rows: tuple[Span, ...]
    warnings: tuple[str, ...] = ()

    def picture(self) -> str:
        """Mean of each metric, and the widest interval of any table, as SVG."""
        rows = []
        for row in self.rows[:MOST_ROWS]:
            places = formats.decimals(*row.interval)
            words = f"{formats.number(row.mean, places)} ({_pair(row.interval, places)})"
            rows.append(IntervalRow(row.metric, words, row.mean, *row.interval))
        return forest(rows, title=f"Mean and {formats.interval_name(self.kind, self.level)} over all tables that fit")

    def sheet(self) -> Sheet:
        """The answer as cells of text."""
        said = "One table fits" if self.tables == 1 else f"{formats.integer(self.tables)} tables fit"
        name = formats.interval_name(self.kind, self.level)
        rows = []
        for row in self.rows:
            places = formats.decimals(*row.interval)
            seen = "undefined" if row.observed is None else _pair(row.observed, places)
            mean = formats.number(row.mean, places)
            rows.append((row.metric, seen, mean, _pair(row.means, places), _pair(row.interval, places)))
        header = ("metric", "observed", "mean", "means", f"{name} of any")
        note = f"prior {self.prior}; each pair is the lowest and the highest of any table"
        if self.used < self.tables:
            some = f"means and intervals are of {formats.integer(self.used)} of them, the extreme ones included"
            note = f"{note}; {some}"
        headline = f"{said} {formats.plain(self.figures, 400)}: what each metric may be."
        return Sheet(headline, header, tuple(rows), (f"{note}.",), warnings=self.warnings)


def _pair(ends: tuple[float, float], places: int) -> str:
    low, high = (formats.number(x, places) for x in ends)
    return low if low == high else f"{low} to {high}"


def ranges(
    tables: Sequence[ConfusionMatrix],
    weights: Floats,
    count: int,
    figures: str,
    metrics: Sequence[str] | None,
    *,
    prior: str | Prior | None,
    level: float,
    kind: Kind,
) -> Ranges:
    """The report on tables with their weights; see `Reconstruction.report`."""
    checked_level(level), checked_kind(kind)
    if metrics is not None:
        metrics = [metrics] if isinstance(metrics, str) else items(metrics, "metrics", "a list of names of metrics")
    labels, positive = tables[0].labels, tables[0].positive
    measures = [parse(name, labels, positive) for name in metrics or _usual(labels)]
    counts = np.stack([table.counts for table in tables]).astype(np.float64)
    with np.errstate(all="ignore"):
        observed = [np.asarray(measure(counts), dtype=np.float64) for measure in measures]
    chosen = _chosen(observed, len(tables))
    posteriors = [infer(tables[i], prior) for i in chosen]
    shares = weights[chosen] / weights[chosen].sum()
    rows: list[Span] = []
    warnings: list[str] = []
    for measure, values in zip(measures, observed, strict=True):
        laws = [knowledge_of(posterior).of(measure) for posterior in posteriors]
        warnings += _moved(measure, laws)
        rows.append(_span(measure, values, laws, shares, level, kind))
    return Ranges(count, len(chosen), figures, posteriors[0].prior.name, level, kind, tuple(rows), tuple(warnings))


def _span(
    measure: Measure,
    observed: Floats,
    laws: Sequence[Distribution],
    shares: Floats,
    level: float,
    kind: Kind,
) -> Span:
    means, ends = np.array([law.mean for law in laws]), [law.interval(level, kind=kind) for law in laws]
    known = observed[np.isfinite(observed)]
    if not np.isfinite(means).all():
        raise NoInformation(f"{measure.name} has no mean under this prior for some tables that fit")
    return Span(
        measure.name,
        (float(known.min()), float(known.max())) if len(known) else None,
        float(means @ shares),
        (float(means.min()), float(means.max())),
        (float(min(e.low for e in ends)), float(max(e.high for e in ends))),
    )


def _moved(measure: Measure, laws: Sequence[Distribution]) -> list[str]:
    """What `Posterior.of` warns of, once for all tables."""
    notes = [note for note in map(shift_note, laws) if note is not None and note.warning]
    if not notes:
        return []
    most = max(notes, key=lambda note: abs(note.shift))
    where = f" in {len(notes)} of {len(laws)} tables; at the most," if len(laws) > 1 else ":"
    return [f"The prior has much to say{where} {most.text}"]


def _usual(labels: Sequence[str]) -> list[str]:
    """Metrics of a report that names none."""
    if len(labels) == 2:
        return ["accuracy", "balanced_accuracy", "recall", "specificity", "precision", "f1"]
    each = [f'{name}@"{label}"' for name in ("recall", "precision") for label in labels]
    return ["accuracy", "balanced_accuracy", "f1@macro", *(each if len(labels) <= MOST_CLASSES else [])]


def _chosen(observed: Sequence[Floats], tables: int) -> list[int]:
    """All tables, or some evenly among them and those with the lowest and the highest value of each metric."""
    if tables <= MOST_LAWS:
        return list(range(tables))
    extreme = {int(f(v)) for v in observed if np.isfinite(v).any() for f in (np.nanargmin, np.nanargmax)}
    evenly = np.linspace(0, tables - 1, max(2, MOST_LAWS - len(extreme))).round().astype(int).tolist()
    return sorted(extreme | set(evenly))
