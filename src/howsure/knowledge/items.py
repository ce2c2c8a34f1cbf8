"""Items with scores, or with sums of which a metric is made: a kind of knowledge for what is more than right and wrong.

A unit is an item (a question, an image, an utterance), its score the mean of its runs, or a group of items. The law of
a metric is that of `howsure.numerics.figures`; several systems on the same items share the weights.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from howsure.errors import InvalidArgument, NoInformation, UnknownLabel, UnknownMetric, excerpt, listing
from howsure.frozen import kept
from howsure.knowledge.item_table import COUNTS, ENDLESS, ItemTable
from howsure.knowledge.protocol import Ask, Asked, Better, Gap, Knowledge, Measured, Of
from howsure.laws import Draws, Law, Student
from howsure.laws.law import DRAWS, usual_draws
from howsure.laws.population_sums import UnitScores
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.figures import (
    Figure,
    LabelMeans,
    OrderStatistic,
    OwnFigure,
    UnitSums,
    corpus_bleu,
    difference_law,
    drawn,
    drawn_difference,
    drawn_tests,
    drawn_together,
    law_of,
)
from howsure.numerics.units import FEWEST_UNITS
from howsure.text.formats import decimals, integer, interval, number, plain, several

# -- Metrics of items by name: what each needs of an item, which direction is better, and its figure -------------------


#: UnitSums of the columns of each unit, by name, and ``count``, its items.
Parts = Mapping[str, Floats]


@dataclass(frozen=True)
class ItemMetric:
    """A metric of items: its name and direction, and what makes a figure of the sums of the units."""

    measured: Measured
    figure: Callable[[Parts], Figure]


def _mean(parts: Parts, column: str) -> Figure:
    return UnitSums(parts[column], parts["count"])


def _quantile(parts: Parts, level: float) -> Figure:
    if (parts["count"] != 1).any():
        raise InvalidArgument("a quantile is of items; of items in groups only the mean is available")
    return OrderStatistic(parts["score"], level)


def _ratio(parts: Parts) -> Figure:
    return UnitSums(parts["numerator"], parts["denominator"])


def _bleu(parts: Parts) -> Figure:
    return OwnFigure(
        corpus_bleu(*(parts[name] for name in ("matches", "totals", "length", "reference"))), len(parts["count"])
    )


def _rate(parts: Parts, base: str, where: str, labels: Sequence[str], zero_division: str) -> Figure:
    """A rate of one label, of all together, or its mean over labels.

    Weighted, labels count by their cases, as in scikit-learn; one without any does not count.
    """
    tp, fp, fn = (parts[name] for name in COUNTS)
    top, bottom = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "dice": (2 * tp, 2 * tp + fp + fn),
        "iou": (tp, tp + fp + fn),
    }[base]
    if where == "micro":
        return UnitSums(top.sum(1), bottom.sum(1))
    if where == "weighted":
        return LabelMeans(top, bottom, support=tp + fn)
    if where != "macro":
        place = list(labels).index(where)
        return UnitSums(top[:, place], bottom[:, place])
    absent = bottom.sum(0) == 0
    if absent.any() and zero_division == "error":
        raise InvalidArgument(
            f"{int(absent.sum())} of {len(absent)} labels have no case and no answer, so their {base} is 0/0; say "
            "zero_division=0 to count it as 0, or zero_division='exclude' to leave them out of the mean"
        )
    if absent.any() and zero_division == "exclude":
        top, bottom = top[:, ~absent], bottom[:, ~absent]
    return LabelMeans(top, bottom)


_LEVEL = re.compile(r"quantile\(\s*(?:q\s*=\s*)?(0?\.\d+)\s*\)|p(\d\d?)")


def item_metric(
    name: str,
    columns: Sequence[str],
    labels: Sequence[str],
    score: Measured,
    zero_division: str = "error",
) -> ItemMetric:
    """A metric by its name, for items that have these columns."""
    known = usual_metrics(columns)
    asked = name.strip()
    if "score" in columns:
        if asked in ("mean", score.name):
            return ItemMetric(
                score._replace(name="mean", called=f"mean of {score.called}"), partial(_mean, column="score")
            )
        at = _LEVEL.fullmatch(asked)
        if asked == "median" or at:
            level = 0.5 if at is None else float(at[1]) if at[1] else int(at[2]) / 100
            if not 0 < level < 1:
                raise InvalidArgument(f"the level of a quantile is between 0 and 1, not {excerpt(asked)}")
            word = "median" if level == 0.5 else f"{level:g} quantile"
            kept = "median" if level == 0.5 else f"quantile({level:g})"
            return ItemMetric(
                score._replace(name=kept, called=f"{word} of {score.called}"), partial(_quantile, level=level)
            )
    if asked in RATES and "numerator" in columns:
        limits = score.limits if score.limits != ENDLESS else (0.0, np.inf)
        better: Better = "lower" if asked in ("wer", "cer") else score.better
        return ItemMetric(Measured(asked, asked.upper() if asked != "ratio" else score.called, better, limits), _ratio)
    if asked == "bleu" and "matches" in columns:
        return ItemMetric(Measured("bleu", "BLEU", "higher", (0.0, 100.0)), _bleu)
    if "tp" in columns:
        base, _, where = asked.partition("@")
        if asked == "exact_match" or (asked in known and where == "samples"):
            called = asked.replace("_", " ")
            return ItemMetric(Measured(asked, called, "higher", (0.0, 1.0)), partial(_mean, column=asked))
        if base in BASES:
            where = where or "micro"
            if where not in AVERAGES and where not in labels:
                raise UnknownLabel(where, [*labels, *AVERAGES])
            figure = partial(_rate, base=base, where=where, labels=labels, zero_division=zero_division)
            return ItemMetric(Measured(f"{base}@{where}", f"{base}@{where}", "higher", (0.0, 1.0)), figure)
    raise UnknownMetric(asked, known)


#: Rates of counts by label, over all labels, and names of a ratio of sums.
BASES, AVERAGES = ("f1", "precision", "recall", "iou", "dice"), ("micro", "macro", "weighted")
RATES = ("ratio", "wer", "cer")


def usual_metrics(columns: Sequence[str]) -> tuple[str, ...]:
    """The metrics that items with these columns have; the first is meant where none is named."""
    names: list[str] = []
    if "score" in columns:
        names += ["mean", "median", "quantile(0.9)"]
    if "numerator" in columns:
        names += RATES
    if "matches" in columns:
        names.append("bleu")
    if "tp" in columns:
        names += [f"{base}@{where}" for where in AVERAGES for base in ("f1", "precision", "recall")]
        names += [it for it in columns if it.endswith("@samples") or it == "exact_match"]
        names += [f"{base}@{where}" for base in ("iou", "dice") for where in ("micro", "macro")]
    return tuple(names)


# -- What is known of items --------------------------------------------------------------------------------------------

#: Units below which a far interval is printed as well, where the range is known.
FEW_FOR_FAILURES = 50

#: Units that have a label, below which a note says that the answer rests on them.
FEW_OF_A_LABEL = 5

#: Times as many runs of an item as of another, from which on that is said.
UNLIKE_RUNS = 5


class Items(ItemTable, Knowledge):  # type: ignore[override]  # a unit is a property here, a constant elsewhere
    """Scores of items, of one system or of several on the same items; immutable.

    Made by `from_columns` (scores), `from_ratios` (numerators and denominators), `from_counts` (true and false
    positives by label), `from_labels` (indicator arrays) and `from_function` (any function of weights).

    Examples
    --------
    >>> from howsure.knowledge.protocol import Ask, Of
    >>> judged = Items.from_columns(range(10), [5, 5, 5, 4, 5, 3, 5, 5, 4, 5], range=(1, 5))
    >>> law = judged.law(Of("mean"), Ask())
    >>> judged.observed(Of("mean")), round(law.mean, 2), [round(x, 2) for x in law.interval(kind="central")]
    (4.6, 4.41, [3.5, 4.92])
    """

    @property
    def metrics(self) -> tuple[str, ...]:
        names = (*self._own, *usual_metrics(list(self._columns)))
        first = self._terms.first
        return (first, *(name for name in names if name != first)) if first else names

    def scores(self, name: str = "") -> Floats:
        values: Floats = self._columns["score"][self.place(name)]
        return values

    def size(self, name: str = "") -> int:
        return self._units

    @property
    def about(self) -> str:
        words = several(len(self.items), "item")
        if self._group is not None:
            words += f" in {several(self._units, 'group')}"
        if self.runs is not None:
            least, most = int(self.runs.times.min()), int(self.runs.times.max())
            words += f", {several(most, 'run') if least == most else f'{least} to {most} runs'} each"
        if "score" in self._columns:
            low, high = self._score.limits
            stated = np.isfinite([low, high])
            words += f", scores {low:g} to {high:g} (stated)" if stated.all() else ", the range of scores not stated"
        unit = "a unit is an item" if self._group is None else "a unit is a group of items"
        mean = ", its score the mean of its runs" if self.runs is not None and self._group is None else ""
        return f"{words}; {unit}{mean}."

    @property
    def method(self) -> str:
        if self.question == "these":
            return f"mean and interval: of new runs of the same {self.unit}s."
        return f"mean and interval: of new {self.unit}s like these, with two imaginary ones for what was not seen."

    def measured(self, metric: str) -> Measured:
        return self._own[metric][0] if metric in self._own else self._metric(metric).measured

    def _metric(self, name: str) -> ItemMetric:
        return item_metric(name, list(self._columns), self.labels, self._score, self._terms.zero_division)

    @kept
    def figure(self, asked: Of) -> Figure:
        """A metric of a system, as its units have it."""
        place = self.place(asked.name)
        if asked.metric in self._own:
            return self._own[asked.metric][1][place]
        parts = {name: self._summed(column[place]) for name, column in self._columns.items()}
        return self._metric(asked.metric).figure({**parts, "count": self._summed(np.ones(len(self.items)))})

    def _summed(self, column: Floats) -> Floats:
        if self._group is None:
            return column
        flat = column.reshape(len(column), -1)
        rows = [bincount(self._group, weights=part, minlength=self._units) for part in flat.T]
        return np.stack(rows, axis=1).reshape(self._units, *column.shape[1:])

    # -- what is known --------------------------------------------------------------------------------------

    def seen(self, asked: Of) -> float:
        return self.figure(asked).observed

    def law(self, asked: Asked, ask: Ask) -> Law:
        return self._again(asked) if self.question == "these" else self._new(asked, ask.draws, ask.seed)

    @kept
    def _new(self, asked: Asked, draws: int, seed: int) -> Law:
        if self._units < FEWEST_UNITS:
            raise NoInformation(_too_few(self))
        first = asked.a if isinstance(asked, Gap) else asked
        limits, rng = self.measured(first.metric).limits, np.random.default_rng(seed)
        figure = self.figure(first)
        dear = isinstance(figure, OwnFigure) and figure.cost > 0 and draws == DRAWS
        count = usual_draws(figure.cost) if dear and isinstance(figure, OwnFigure) else draws
        if isinstance(asked, Gap):
            a, b = self.figure(asked.a), self.figure(asked.b)
            exact = difference_law(a, b, limits, far=self.far)
            values = None if exact else drawn_difference(a, b, limits, count, rng, far=self.far)
            ends = limits[0] - limits[1], limits[1] - limits[0]
        else:
            ends = limits
            law = law_of(figure, limits, far=self.far)
            if law is not None:
                return UnitScores(law)
            exact, values = None, drawn(figure, limits, count, rng, far=self.far)
            if isinstance(figure, UnitSums):
                values = None
        if exact is not None:
            return UnitScores(exact)
        if values is None:
            raise NoInformation(_why_nothing(self, asked, limits))
        return Draws(values, support=ends)

    def _again(self, asked: Asked) -> Law:
        """Of these very items with fresh runs: Student's t, variances between runs pooled over items."""
        both = (asked.a, asked.b) if isinstance(asked, Gap) else (asked,)
        squares = 0.0, 0.0
        for one in both:
            if self.runs is None or self._metric(one.metric).measured.name != "mean":
                raise NoInformation(
                    "one run an item does not tell how runs vary; about new runs of the same items needs runs"
                )
            times, within = (it[self.place(one.name)] for it in self.runs)
            df = int((times - 1).sum())
            if df < 3:
                raise NoInformation("one run an item does not tell how runs vary (3 further ones are needed)")
            variance = float(within.sum()) / df * float((1 / times).sum()) / len(times) ** 2
            if variance <= 0:
                raise NoInformation("every run of an item has the same score, so nothing tells how runs vary")
            squares = squares[0] + variance, squares[1] + variance**2 / df
        middle = self.seen(both[0]) - (self.seen(both[1]) if len(both) > 1 else 0.0)
        return Student(squares[0] ** 2 / squares[1], middle, squares[0] ** 0.5)

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        if len({self.measured(it.metric).name for it in asked}) > 1:
            raise InvalidArgument("joint draws are of one metric of several systems")
        if self._units < FEWEST_UNITS:
            raise NoInformation(_too_few(self))
        limits = self.measured(asked[0].metric).limits
        figures = [self.figure(it) for it in asked]
        if len(figures) > 1:
            width = limits[1] - limits[0] if self.far else None
            if width == np.inf:
                raise NoInformation(_why_nothing(self, asked[0], limits))
            return drawn_together(figures, count, rng, width=width)
        values = drawn(figures[0], limits, count, rng, far=self.far)
        if values is None:
            raise NoInformation(_why_nothing(self, asked[0], limits))
        return values[:, None]

    def future(self, asked: Sequence[Of], n: int, count: int, rng: np.random.Generator) -> Floats:
        limits = self.measured(asked[0].metric).limits
        if self._units < FEWEST_UNITS:
            raise NoInformation(_too_few(self))
        values = drawn_tests([self.figure(it) for it in asked], limits, n, count, rng)
        if values is None:
            raise NoInformation(_why_nothing(self, asked[0], limits))
        return values

    def remarks(self, asked: Asked, ask: Ask) -> tuple[str, ...]:
        return () if isinstance(asked, Gap) else _remarks(self, asked, ask)


def _too_few(items: Items) -> str:
    """Why so few units have no interval."""
    return f"{several(items.size(), items.unit)}; from {FEWEST_UNITS} on there is an interval"


def _why_nothing(items: Items, asked: Asked, limits: tuple[float, float]) -> str:
    """Why there is no interval where all units are equal."""
    many = several(items.size(), items.unit)
    end = "an upper end (--range 0,1)" if np.isfinite(limits[0]) else "--range"
    if items.far and not np.isfinite(limits).all():
        return "failures that no item shows lie at an end of the range, which is not known; state it with --range"
    if isinstance(asked, Gap):
        return (
            f"{plain(asked.a.name, 40)} and {plain(asked.b.name, 40)} agree on all {many}; without {end} nothing "
            "tells how far they may differ on an unseen one"
        )
    return (
        f"all {many} have {items.noun} {items.seen(asked):g}; without {end} nothing tells how different an unseen "
        "one may be"
    )


def _remarks(items: Items, asked: Of, ask: Ask) -> tuple[str, ...]:
    """What helps a reader of one number: ties without a range, rare labels, unlike runs, failures that do not show."""
    lines = []
    figure, limits, many = items.figure(asked), items.measured(asked.metric).limits, several(items.size(), items.unit)
    bounded = bool(np.isfinite(limits).all())
    if isinstance(figure, UnitSums | OrderStatistic) and not bounded:
        times = np.unique(np.round(figure.values, 12), return_counts=True)[1]
        if 2 * times.max() >= figure.n and len(times) > 1:
            lines.append(
                f"{integer(int(times.max()))} of {many} have the same {items.noun}; with --range the interval would "
                "know how far the others can be."
            )
    if isinstance(figure, OrderStatistic) and items.size() >= FEWEST_UNITS:
        ends = items.law(asked, ask).interval(ask.level, ask.kind)
        if not np.isfinite(ends.low + ends.high):
            lines.append(f"{many} do not bound this quantile; --range, the least and the largest possible score, does.")
    if isinstance(figure, LabelMeans):
        few = (figure.denominator > 0).sum(0).tolist()
        rare = [
            f"{several(k, items.unit)} of {plain(label, 30)}"
            for label, k in zip(items.labels, few, strict=False)
            if 0 < k < FEW_OF_A_LABEL
        ]
        if rare:
            lines.append(f"The answer rests on {listing(rare, 4)}.")
    if items.runs is not None and (most := items.runs.times.max()) >= UNLIKE_RUNS * items.runs.times.min():
        lines.append(f"Items have {items.runs.times.min()} to {most} runs; every item counts alike.")
    few_units = items.size() < FEW_FOR_FAILURES and not items.far and items.question == "new"
    if few_units and isinstance(figure, UnitSums) and bounded:
        law = law_of(figure, limits, far=True)
        if law is not None:
            far, near = (_central(it, ask) for it in (UnitScores(law), items.law(asked, ask)))
            if far != near:
                lines.append(f"If there are failures that these {many} do not show: {far} (--far range).")
    return (*lines, *_runs(items, asked, ask))


def _central(law: Law, ask: Ask) -> str:
    ends = law.interval(ask.level, "central")
    return interval(*ends, decimals(*ends))


def _runs(items: Items, asked: Of, ask: Ask) -> tuple[str, ...]:
    """These items again, and what more runs or more items are worth; nothing where items were run once."""
    if items.runs is None or items.question != "new" or items.measured(asked.metric).name != "mean":
        return ()
    try:
        law = items.but(about="these").law(asked, ask)
    except NoInformation as refusal:
        return (f"Same {items.unit}s, new runs: {refusal}.",)
    ends = law.interval(ask.level, ask.kind)
    places = decimals(*ends)
    lines = [f"Same {items.unit}s, new runs: {number(law.mean, places)} ({interval(*ends, places)})."]
    parts = _variances(items, asked.name)
    if parts is not None and items.unit == "item":
        between, within, runs = parts
        total = between + within / runs
        more = 1 - ((between + within / (runs + 1)) / total) ** 0.5
        lines.append(
            f"Of the variance of a run's score {between / (between + within):.2f} lies between items: one more run of "
            f"every item narrows the interval by {100 * more:.0f}%, 20% more items by {100 * (1 - 1.2**-0.5):.0f}%."
        )
    return tuple(lines)


def _variances(items: Items, name: str) -> tuple[float, float, float] | None:
    """Variance of a run's score between items and within one, and the harmonic mean of runs; None where unknown."""
    if items.runs is None or items.size() < 2:
        return None
    times, within = (it[items.place(name)] for it in items.runs)
    df = int((times - 1).sum())
    runs = len(times) / float((1 / times).sum())
    if df < 1:
        return None
    inside = float(within.sum()) / df
    between = max(float(items.scores(name).var(ddof=1)) - inside / runs, 0.0)
    return (between, inside, runs) if between + inside > 0 else None
