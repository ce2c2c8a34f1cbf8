"""Two classifiers on the same cases by slice: differences alone and borrowing from the others; `compare_slices`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from howsure.answers.asking import Ask, Showing, spelled
from howsure.answers.fields import Keyed
from howsure.answers.sheet import Sheet, row_named
from howsure.data.predictions import Predictions
from howsure.data.slices import SlicePlaces, slice_places
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered
from howsure.laws import DirichletRows, Linear, Part
from howsure.laws.law import Kind
from howsure.metrics import Measure, Metric, parse
from howsure.numerics.arrays import Booleans, Floats, Integers, bincount
from howsure.numerics.populations.slices import FEWEST_BORROWING, PairedSlices, ends_of_draws, times_worst
from howsure.posterior.paired_rows import who_is_right
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest


@dataclass(frozen=True, eq=False)
class PairedCells:
    """A metric of two classifiers by slice."""

    names: tuple[str, ...]
    #: Names of the columns.
    by: tuple[str, ...]
    measure: Measure
    #: -1 where the metric is what is left of 1, as of an error rate.
    sign: float
    #: Cases of each of its rates that both have right, only the first, only the second, neither, shape (J, S, 4).
    counts: Integers
    n: int

    @property
    def cases(self) -> Integers:
        """Cases of each slice that the metric is about, shape (S,)."""
        return np.asarray(self.counts.sum(axis=(0, 2)))

    @property
    def observed(self) -> Floats:
        """Difference on the raw counts, shape (S,); NaN where a rate has no case."""
        with np.errstate(invalid="ignore", divide="ignore"):
            each = (self.counts[..., 1] - self.counts[..., 2]) / self.counts.sum(axis=-1)
        return np.asarray(self.sign * each.mean(axis=0))


def paired_cells(
    predictions: Predictions, a: str, b: str, by: Any, metric: str | Metric | Measure | None, call: str
) -> PairedCells:
    """Count who is right, by slice.

    Examples
    --------
    >>> both = Predictions([0, 1, 1, 1], {"a": [0, 1, 0, 1], "b": [0, 0, 0, 0]})
    >>> paired_cells(both, "a", "b", ["x", "x", "y", "y"], None, "compare_slices").counts.tolist()
    [[[1, 1, 0, 0], [0, 1, 0, 1]]]
    """
    if isinstance(a, str) and isinstance(b, str) and a == b:
        raise InvalidArgument(f"a classifier is as good as itself; name two, not {excerpt(a)} twice")
    found, measure, parts, sign = sliced(predictions, (a, b), by, metric, call)
    cells = 4 * len(found.names)
    counts = [
        bincount(found.place[asked] * 4 + 3 - 2 * one[asked] - two[asked], minlength=cells).reshape(-1, 4)
        for asked, (one, two) in parts
    ]
    return PairedCells(found.names, found.by, measure, sign, np.stack(counts), predictions.n)


def sliced(
    predictions: Predictions, names: Sequence[str], by: Any, metric: str | Metric | Measure | None, call: str
) -> tuple[SlicePlaces, Measure, list[tuple[Booleans, Booleans]], float]:
    """The slices, the metric (the accuracy if left out), who is right on the cases of each of its rates, its sign."""
    if not isinstance(predictions, Predictions):
        raise InvalidArgument(
            f"{call}() is about classifiers on the same cases and takes Predictions, not {excerpt(predictions)}"
        )
    for name in names:
        predictions.index(name)
    found, positive = slice_places(by, predictions.n), predictions.confusion(names[0]).positive
    measure = parse("accuracy" if metric is None else metric, predictions.labels, positive)
    return found, measure, *who_is_right(predictions, names, measure)


Triple = tuple[float, float, float]

#: Random numbers, draws at most and at least.
BUDGET, MOST, FEWEST = 5_000_000, 20_000, 200

#: Coefficients of the difference on both right, only the first, only the second, neither; and the prior of these.
APART, HALF = np.array([0.0, 1.0, -1.0, 0.0]), 0.5


FIELDS = """
name cases observed mean low high p_better alone(mean=0 low=1 high=2) p_better_alone p_worst
"""
#: The columns of a slice in CSV.
COLUMNS = "slice=name cases observed mean low high p_better alone(mean=0 low=1 high=2) p_better_alone p_worst"


@dataclass(frozen=True)
class SliceDifference(Keyed, fields=FIELDS):
    """Difference of two classifiers in one slice, the first minus the second.

    Attributes
    ----------
    name : str
        Values of the slice.
    cases : int
        Those that the metric is about.
    observed : float or None
        On the raw counts.
    mean, low, high : float
        The headline: borrowing from the other slices from three slices on, else alone.
    p_better : float
        Probability that the first is better here, likewise.
    alone : tuple of float
        Mean and both ends by the slice's own cases.
    p_better_alone : float
        The same probability by these.
    p_worst : float
        Probability that the first does worst here, of all slices, against the second.
    """

    name: str
    cases: int
    observed: float | None
    mean: float
    low: float
    high: float
    p_better: float
    alone: Triple
    p_better_alone: float
    p_worst: float


@dataclass(frozen=True, eq=False)
class SliceDifferences:
    """Differences in S slices."""

    #: In the order of the slices.
    rows: tuple[SliceDifference, ...]
    #: Joint probability that the first is better, and that it is worse, in every slice.
    p_better_in_all: float
    p_worse_in_all: float
    #: Mean and both ends of the difference where the first does worst, whichever slice that is.
    least: Triple
    #: Joint probability that no slice is worse by more than the margin.
    p_above: float
    #: Probability that a slice is worse by more than the margin, shape (S,).
    p_beyond: Floats
    #: Probability that it is not, by its own cases; exact, shape (S,).
    p_alone: Floats
    borrowed: bool
    draws: int


def slice_differences(cells: PairedCells, ask: Ask, margin: float = 0.0) -> SliceDifferences:
    """Learn the differences.

    Examples
    --------
    >>> from howsure.data.predictions import Predictions
    >>> both = Predictions([1] * 90, {"a": [1] * 90, "b": [1, 1, 0] * 30})
    >>> made = slice_differences(paired_cells(both, "a", "b", ["x"] * 40 + ["y"] * 50, None, ""), Ask())
    >>> made.borrowed, made.p_better_in_all > 0.99
    (False, True)
    """
    count, slices = cells.counts.shape[:2]
    borrowed = slices >= FEWEST_BORROWING
    known = PairedSlices(cells.counts, borrowing=borrowed)
    many = max(FEWEST, min(MOST, BUDGET // (slices * count)))
    better_sign = -1.0 if cells.measure.metric.better == "lower" else 1.0
    ahead = np.concatenate(
        list(known.draw(many, ask.seed))
    )  # more is better: of an error rate this is what it leaves of 1
    least = ahead.min(axis=1)
    means, one, two, enough = alone_of(cells, ask.level, ask.kind, margin)
    low, high = ends_of_draws(cells.sign * ahead, ask.level, ask.kind) if borrowed else (means[1], means[2])
    observed = cells.observed
    triples = [tuple(map(float, ends)) for ends in zip(*means, strict=True)]
    columns = (
        cells.cases, [None if np.isnan(seen) else float(seen) for seen in observed],
        cells.sign * known.mean if borrowed else means[0], low, high,
        (ahead > 0).mean(axis=0) if borrowed else (one if better_sign > 0 else two), triples,
        one if better_sign > 0 else two, times_worst(ahead.T, lower=False) / many,
    )  # fmt: skip
    each = (x.tolist() if isinstance(x, np.ndarray) else x for x in columns)
    rows = tuple(SliceDifference(*values) for values in zip(cells.names, *each, strict=True))
    ends = ends_of_draws(cells.sign * least[:, None], ask.level, ask.kind)
    return SliceDifferences(
        rows,
        float((least > 0).mean()),
        float((ahead.max(axis=1) < 0).mean()),
        (float(cells.sign * least.mean()), float(ends[0][0]), float(ends[1][0])),
        float((least > -margin).mean()),
        np.asarray((ahead < -margin).mean(axis=0)),
        enough,
        borrowed,
        many,
    )


def alone_of(
    cells: PairedCells, level: float, kind: Kind, margin: float = 0.0
) -> tuple[tuple[Floats, Floats, Floats], Floats, Floats, Floats]:
    """Mean and ends of each difference by the slice's own cases, P(above 0), P(below 0), P(not beyond); exact."""
    count, slices = cells.counts.shape[:2]
    distinct, place = np.unique(cells.counts.swapaxes(0, 1).reshape(slices, -1), axis=0, return_inverse=True)
    made = np.empty((len(distinct), 6))
    weights = np.tile(cells.sign * APART / count, (count, 1))
    for i, row in enumerate(distinct):
        law = Linear.of_parts([Part(DirichletRows(row.reshape(count, 4) + HALF), np.arange(count), weights)])
        # of an error rate more is worse, and the margin is on the other side
        within = law.prob(above=-margin) if cells.sign > 0 else law.prob(below=margin)
        made[i] = (law.mean, *law.interval(level, kind), law.prob(above=0), law.prob(below=0), within)
    mean, low, high, above, below, enough = made[place.ravel()].T
    return (mean, low, high), above, below, enough


#: P(better) and P(worse) from which a slice is named. Of two equal classifiers, at 0.99, some slice is named in
#: one to five of a hundred tables; at 0.95 in some twenty (docs/slices.md).
NAMED_FROM = 0.99

#: Names in a sentence.
NAMED = 5


def named(names: Sequence[str]) -> str:
    """Some names and how many more.

    Examples
    --------
    >>> named(["a", "b"]), named(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(formats.plain(name, 30) for name in names[:NAMED]) + more


def header_of(name: str, kind: Kind, level: float, *, borrowed: bool) -> tuple[str, ...]:
    """Names of the columns."""
    better = f"P({formats.plain(name, 20)} better)"
    alone = ("alone", f"{better} alone") if borrowed else ()
    return ("slice", "cases", "observed", "mean", formats.interval_name(kind, level), better, *alone, "P(worst)")


def cells_of(row: SliceDifference, draws: int, *, borrowed: bool) -> tuple[str, ...]:
    """A slice as text."""
    places = formats.decimals(row.low, row.high, near=0.0)
    alone = (formats.estimate(*row.alone), formats.probability(row.p_better_alone)) if borrowed else ()
    return (
        formats.plain(row.name, 30),
        formats.integer(row.cases),
        "undefined" if row.observed is None else formats.number(row.observed, 3),
        formats.number(row.mean, places),
        formats.interval(row.low, row.high, places),
        formats.probability(row.p_better, draws if borrowed else None),
        *alone,
        formats.probability(row.p_worst, draws),
    )


def small_print(borrowed: bool, draws: int, seed: int) -> tuple[str, ...]:
    """What the numbers rest on."""
    drawn = f"{formats.integer(draws)} joint draws, seed {seed}"
    if not borrowed:
        return (
            f"Below three slices each is known by its own cases, exact. P(worst) and all slices together: {drawn}.",
        )
    return (
        "mean: borrowing from the other slices: how often the two disagree, and in whose favour, is learned over the "
        f"slices; {drawn}. alone: the slice's own cases, exact. P(worst): that no slice is worse. Cases are taken as "
        "independent.",
    )


def picture_of(rows: Sequence[SliceDifference], title: str) -> str:
    """Differences as SVG, dashes at 0."""
    each = [(row, (row.mean, row.low, row.high)) for row in rows]
    made = [IntervalRow(row.name, formats.estimate(*ends), *ends, row.observed, 0.0) for row, ends in each]
    return forest(made, title=title)


#: Slices in a table.
SHOWN = 20


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class BySlice(Answered):
    """What is known of classifiers on the same cases in every slice of them.

    Attributes
    ----------
    names : tuple of str
        The classifiers.
    by : tuple of str
        The columns.
    metric : str
        What was asked.
    rows
        The slices.
    borrowed : bool
        Whether the headline borrows: from three slices on.
    n : int
        Cases.
    ask : Ask
        Level and kind of the intervals; draws and seed behind all that is borrowed or joint.
    notes : tuple of str
        What was set aside or filled in.
    """

    names: tuple[str, ...]
    by: tuple[str, ...]
    metric: str
    rows: tuple[Any, ...]
    borrowed: bool
    n: int
    ask: Ask
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        """A slice by its name."""
        return row_named(self.rows, name, "slice")

    def sheet(self) -> Sheet:
        """The first slices, and what is known of all of them."""
        return self._sheet(SHOWN)

    @abstractmethod
    def _sheet(self, most: int) -> Sheet:
        """The same with so many slices."""

    @property
    def _slices(self) -> str:
        """How many slices, and by what."""
        columns = f" by {', '.join(formats.plain(name, 30) for name in self.by)}" if self.by else ""
        return f"{formats.several(len(self.rows), 'slice')}{columns}"

    def _left_out(self, most: int) -> str:
        """What a table of so many slices does not show."""
        more = len(self.rows) - most
        return f"and {formats.several(more, 'slice')} more; CSV and JSON have all." if more > 0 else ""


FIELDS_OF_COMPARISON = """
names by metric higher_is_better better worse p_better_in_all p_worse_in_all borrowed n level draws seed interval=kind
worst_difference(mean=0 low=1 high=2) slices=rows sentence notes
"""


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class SliceComparison(BySlice, json="compare_slices", fields=FIELDS_OF_COMPARISON, csv=f"rows[{COLUMNS}]"):
    """Two classifiers by slice, where the first does worst on top; made by `compare_slices`.

    Attributes
    ----------
    names, by, metric, borrowed, n, level, kind, draws, seed, notes
        As in `BySlice`; differences are the first classifier minus the second.
    higher_is_better : bool
        Of the metric.
    rows : tuple of SliceDifference
        The worst for the first classifier first.
    better, worse : tuple of str
        Slices in which the first is better, and worse, with probability 0.99 or more.
    p_better_in_all, p_worse_in_all : float
        Joint probability that it is better, and worse, in every slice.
    worst_difference : tuple of float
        Mean and both ends of the difference where the first does worst, whichever slice that is.

    Examples
    --------
    >>> from howsure import Predictions, compare_slices
    >>> both = Predictions([1] * 90, {"a": [1] * 90, "b": [1, 1, 0] * 30})
    >>> compare_slices(both, "a", "b", by=["x"] * 40 + ["y"] * 50).better
    ('y', 'x')
    """

    higher_is_better: bool
    rows: tuple[SliceDifference, ...]
    better: tuple[str, ...]
    worse: tuple[str, ...]
    p_better_in_all: float
    p_worse_in_all: float
    worst_difference: Triple

    @property
    def sentence(self) -> str:
        """In which slices the first is better, and where it is worst."""
        one, other = (formats.plain(name, 40) for name in self.names)
        said = [f"{one} is {what} in {named(where)}" for what, where in (("better", self.better), ("worse", self.worse))
                if where]  # fmt: skip
        sure = f" with probability {NAMED_FROM:g} or more"
        found = " and ".join(said) + sure if said else f"no slice has one of them ahead{sure}"
        worst = self.rows[0]
        least, places = formats.estimate(worst.mean, worst.low, worst.high), formats.plain(worst.name, 30)
        least += f", the worst of all with P {formats.equals(worst.p_worst, self.draws)}" if len(self.rows) > 1 else ""
        return f"{one} minus {other} in {self.metric}, {self._slices}: {found}. {one} does worst in {places}: {least}."

    def _sheet(self, most: int) -> Sheet:
        """The worst slices for the first classifier, and what holds of all of them."""
        one = formats.plain(self.names[0], 20)
        below = []
        if len(self.rows) > 1:
            everywhere, nowhere = (formats.equals(p, self.draws) for p in (self.p_better_in_all, self.p_worse_in_all))
            below = [
                f"{one} is better in every slice with P {everywhere}, worse in every slice with P {nowhere}.",
                f"Where {one} does worst, whichever slice that is: {formats.estimate(*self.worst_difference)}; having "
                "looked at all of them is in it.",
            ]
        return Sheet(
            self.sentence,
            header_of(self.names[0], self.kind, self.level, borrowed=self.borrowed),
            tuple(cells_of(row, self.draws, borrowed=self.borrowed) for row in self.rows[:most]),
            small_print(self.borrowed, self.draws, self.seed),
            about=f"Paired: {formats.several(self.n, 'case')} answered by both.",
            left_out=self._left_out(most),
            below=tuple(below),
            remarks=self.notes,
        )

    def picture(self) -> str:
        """Differences of the worst slices as SVG."""
        return picture_of(self.rows[:SHOWN], f"{self.metric}, {self.names[0]} minus {self.names[1]}, by slice")


@spelled(Showing)
def compare_slices(
    predictions: Predictions,
    a: str,
    b: str,
    *,
    by: Any,
    metric: str | Metric | Measure | None = None,
    notes: Sequence[str] = (),
    **how: Unpack[Showing],
) -> SliceComparison:
    """In which slices of the same cases is one classifier better than another.

    Parameters
    ----------
    predictions : Predictions
        The cases, which are taken as independent.
    a, b : str
        The classifiers; differences are a minus b.
    by : array_like, shape (n,), or mapping of str to such
        The slice of each case; or several columns by name, whose combinations are the slices. A missing value is a
        slice of its own.
    metric : str, Metric or Measure, optional
        "accuracy" if left out; recall, specificity, balanced accuracy, and what these leave of 1.
    level, kind
        Of the intervals.
    seed : int
        Of the draws.
    notes : sequence of str
        Sentences to print with the answer.

    Raises
    ------
    InvalidArgument, InvalidLabels
        No predictions, one classifier twice, another metric, another number of values than cases.
    UnknownClassifier, UnknownMetric, UnknownLabel
        A name that is not there.

    Notes
    -----
    How often exactly one of the two is right, and how often that is the first, are populations over the slices, those
    of `compare` over classes with slices in their place (``docs/slices.md``). A slice alone has Dirichlet(1/2, 1/2,
    1/2, 1/2) over both right, only a, only b, neither, and is exact.

    Examples
    --------
    >>> from howsure import Predictions
    >>> truth, place = [0, 1] * 150, ["north", "south", "west"] * 100
    >>> new = [1 - t if p == "west" and i % 4 else t for i, (t, p) in enumerate(zip(truth, place))]
    >>> old = [1 - t if i % 10 == 0 else t for i, t in enumerate(truth)]
    >>> made = compare_slices(Predictions(truth, {"new": new, "old": old}), "new", "old", by=place)
    >>> made.better, made.worse, made.rows[0].name
    (('south', 'north'), ('west',), 'west')
    """
    ask = Ask.of(how)
    cells = paired_cells(predictions, a, b, by, metric, "compare_slices")
    found = slice_differences(cells, ask)
    rows = tuple(sorted(found.rows, key=lambda row: (cells.sign * row.mean, row.name)))
    better = tuple(row.name for row in reversed(rows) if row.p_better >= NAMED_FROM)
    worse = tuple(row.name for row in rows if 1 - row.p_better >= NAMED_FROM)
    return SliceComparison(
        names=(a, b), by=cells.by, metric=cells.measure.name, higher_is_better=cells.sign > 0, rows=rows,
        better=better, worse=worse, p_better_in_all=found.p_better_in_all, p_worse_in_all=found.p_worse_in_all,
        worst_difference=found.least, borrowed=found.borrowed, n=cells.n, ask=replace(ask, draws=found.draws),
        notes=(*predictions.notes, *sentences(notes)),
    )  # fmt: skip
