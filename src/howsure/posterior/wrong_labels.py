"""What a metric would be if some labels of the reference are wrong: the range over all ways in which that can be.

Wrong labels and sampling are two different doubts. An interval holds the second; the first has no law unless one is
assumed, so it is a range: the worst that so many wrong labels can do in either direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.folds import refuse_passes
from howsure.errors import InvalidArgument, NoInformation, OutOfReach, excerpt
from howsure.errors.arguments import number
from howsure.laws import Interval, Kind
from howsure.laws.law import KIND, LEVEL
from howsure.metrics import Measure
from howsure.metrics.metric import OwnFormula
from howsure.numerics.arrays import Floats
from howsure.numerics.moved_labels import MovedLabels, over_all_moves, over_best_moves, steps
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.posterior.distribution import Distribution

#: How a range is known: every table was tried (or the range is closed), or a search found it to be at least as wide.
Found = Literal["exact", "search"]

#: Numbers that a search among tables of three classes or more may touch (some seconds).
MOST_NUMBERS = 200_000_000

#: Whole numbers, one of each cell.
Cells = NDArray[np.int64]

#: Metrics whose range closes.
COINS = ("accuracy", "error_rate")


#: What makes knowledge of the table at an end of the range.
End = Callable[[], Any]


class Relabelled(NamedTuple):
    """Range of a metric at each number of wrong labels, and the knowledge of the tables at both ends."""

    at: tuple[int, ...]
    low: Floats
    high: Floats
    undefined: bool
    how: Found
    ends: tuple[End, End]


def right_answers(source: Any, measure: Measure, most: int) -> Relabelled:
    """Range of the accuracy (or the error rate) where only right answers are counted: each wrong label moves one."""
    worst, best = max(0, source.correct - most), min(source.n, source.correct + most)
    ends = (lambda: source.recounted(worst)), (lambda: source.recounted(best))
    return _closed(measure, source.correct, source.n, most, ends)


def _closed(measure: Measure, right: int, n: int, most: int, ends: tuple[End, End]) -> Relabelled:
    """Range of the accuracy, worst and best table as given, or of its mirror."""
    at = np.array(steps(most))
    low, high = np.maximum(0, right - at) / n, np.minimum(n, right + at) / n
    if measure.twin.metric.name == "error_rate":
        low, high, ends = 1 - high, 1 - low, (ends[1], ends[0])
    return Relabelled(tuple(at.tolist()), low, high, False, "exact", ends)


def tables(source: Any, measure: Measure, most: int) -> Relabelled:
    """Range of a metric of a table, by the first route that is exact, else by search."""
    if source.prevalence_source == "other cases":
        raise InvalidArgument(
            "the prevalence was counted in other cases, whose labels may be wrong as well; state it, or leave it out"
        )
    groups = source.confusion.groups
    if groups is not None and groups.question == "new":
        raise InvalidArgument(
            "a range of wrong labels moves cases of the whole table, and numbers about new groups rest on the table of "
            "each group; say groups='these' for a range"
        )
    refuse_passes(source.confusion.folds, "a range of wrong labels")
    if source.confusion.verdicts is not None:
        raise InvalidArgument("some cases have no label here; wrong labels are asked of a table of which all have one")
    confusion, counted = source.confusion, source.prevalence_source != "stated"
    size, value = len(confusion.labels), _value(source, measure)
    if counted and measure.twin.metric.name in COINS:
        right = int(confusion.correct.sum())
        ends = (lambda: source.recounted(_worse(confusion, most))), (lambda: source.recounted(_better(confusion, most)))
        return _closed(measure, right, confusion.n, most, ends)
    if size == 2:
        found = over_all_moves(confusion.counts.astype(float), most, value)
        return _as_tables(source, found, found.lowest, found.highest)
    if counted and measure.label is not None and measure.index is not None and _of_one_class(measure):
        two = confusion.one_vs_rest(measure.label).counts.astype(float)
        found, label = over_all_moves(two, most, _against_the_rest(measure)), measure.index
        full = [_spread(confusion, label, table - two) for table in (found.lowest, found.highest)]
        ends = (lambda: source.recounted(full[0])), (lambda: source.recounted(full[1]))
        return _ranged(found, ends)
    cells = len(confusion.cells[0]) + most
    if cells * size**3 * most > MOST_NUMBERS:
        raise OutOfReach(
            f"the range of {formats.plain(measure.name)} over {formats.several(most, 'wrong label')} in "
            f"{size} classes takes too long to search; ask for fewer, for accuracy, or for the recall of a class"
        )
    found = over_best_moves(confusion.counts.astype(float), most, value)
    return _as_tables(source, found, found.lowest, found.highest)


def _ranged(found: MovedLabels, ends: tuple[End, End]) -> Relabelled:
    how: Found = "exact" if found.exhaustive else "search"
    return Relabelled(found.at, found.low, found.high, found.undefined, how, ends)


def _as_tables(source: Any, found: MovedLabels, lowest: Floats, highest: Floats) -> Relabelled:
    """The range, with whole tables at its ends."""
    labels, positive = source.confusion.labels, source.confusion.positive

    def known(table: Floats) -> Any:
        return source.recounted(ConfusionMatrix(table.astype(np.int64), labels, positive=positive))

    return _ranged(found, ((lambda: known(lowest)), (lambda: known(highest))))


def _value(source: Any, measure: Measure) -> Callable[[Floats], Floats]:
    """The observed value on tables (m, K, K): as counted, or at the stated shares of the classes."""
    stated = source.shares if source.prevalence_source == "stated" else None

    def value(counts: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            if stated is not None:
                counts = counts * np.where(stated == 0, 0.0, stated / counts.sum(-1))[..., None]
            if isinstance(measure.metric.formula, OwnFormula):
                counts = counts / counts.sum((-2, -1), keepdims=True)
            return np.asarray(measure(counts), dtype=float)

    return value


def _against_the_rest(measure: Measure) -> Callable[[Floats], Floats]:
    """The same metric of the second of two classes, of tables (m, 2, 2)."""

    def value(counts: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(measure.metric(counts, **dict(measure.parameters))[..., 1], dtype=float)

    return value


@lru_cache(maxsize=512)
def _of_one_class(measure: Measure) -> bool:
    """Whether a metric of a class is one of that class against all others together; found out by trying."""
    if isinstance(measure.metric.formula, OwnFormula):
        return False
    tried = np.array([[[9.0, 2, 3], [4, 17, 1], [2, 5, 8]], [[5.0, 4, 0], [1, 30, 2], [7, 0, 1]]])
    rest = [1, 2]
    two = np.stack(
        [np.stack([tried[:, rest][:, :, rest].sum((1, 2)), tried[:, rest, 0].sum(1)], -1),
         np.stack([tried[:, 0, rest].sum(1), tried[:, 0, 0]], -1)], -2
    )  # fmt: skip
    whole = measure.metric(tried, **dict(measure.parameters))[..., 0]
    return bool(np.allclose(_against_the_rest(measure)(two), whole, rtol=1e-12, atol=0, equal_nan=True))


# -- a full table for a range that was found without one ---------------------------------------------------------


def _moved(confusion: ConfusionMatrix, moves: list[tuple[NDArray[np.bool_], Cells, int]]) -> ConfusionMatrix:
    """The table after moving so many cases out of the chosen cells, the largest first, to the row given for each."""
    true, pred, counts = (np.array(x) for x in confusion.cells)
    added: list[tuple[Cells, Cells, Cells]] = []
    for chosen, to, many in moves:
        order = np.flatnonzero(chosen)
        order = order[np.argsort(-counts[order], kind="stable")]
        before = np.cumsum(counts[order]) - counts[order]
        taken = np.clip(many - before, 0, counts[order])
        counts[order] -= taken
        added.append((to[order], pred[order], taken))
    parts = [np.concatenate(x) for x in zip((true, pred, counts), *added, strict=True)]
    return ConfusionMatrix.from_cells(*parts, labels=confusion.labels, positive=confusion.positive)


def _worse(confusion: ConfusionMatrix, many: int) -> ConfusionMatrix:
    """So many right answers made wrong."""
    true, pred, _ = confusion.cells
    return _moved(confusion, [(true == pred, (pred + 1) % len(confusion.labels), many)])


def _better(confusion: ConfusionMatrix, many: int) -> ConfusionMatrix:
    """So many wrong answers made right."""
    true, pred, _ = confusion.cells
    return _moved(confusion, [(true != pred, np.array(pred), many)])


def _spread(confusion: ConfusionMatrix, label: int, change: Floats) -> ConfusionMatrix:
    """The table whose class against the rest has changed by (2, 2) cells: net moves within its two columns."""
    true, pred, _ = confusion.cells
    out, away = round(-change[1, 1]), round(-change[1, 0])  # cases that leave the class: called it, called another
    own = np.full(len(true), label)
    other = np.full(
        len(true), int(np.argmax(np.where(np.arange(len(confusion.labels)) == label, -1, confusion.class_sizes)))
    )
    called = pred == label
    moves = [
        ((true == label) & called, other, max(out, 0)),
        ((true != label) & called, own, max(-out, 0)),
        ((true == label) & ~called, np.array(pred), max(away, 0)),
        ((true != label) & ~called, own, max(-away, 0)),
    ]
    return _moved(confusion, moves)


# -- wrong labels that know nothing of the classifier --------------------------------------------------------------


def if_independent(source: Any, measure: Measure, most: int) -> tuple[float | None, str]:
    """Value where exactly this share of the labels is wrong, each alike, whatever was predicted; or why there is none.

    Each column of the table is then mixed by [[1 - e, e], [e, 1 - e]], and unmixed here; for the accuracy that is
    (observed - e) / (1 - 2e). Two classes; more have more than one way to be wrong.
    """
    confusion = source.confusion
    if len(confusion.labels) != 2 or not confusion.n:
        return None, ""
    share = most / confusion.n
    said = f"{100 * share:.3g}%"
    if share >= 0.5:
        return None, "a reference with errors in half of its labels says nothing"
    counts = confusion.counts.astype(float)
    if measure.twin.metric.name in COINS and source.prevalence_source != "stated":
        right = float(confusion.correct.sum()) / confusion.n
        value = (right - share) / (1 - 2 * share)
        if value > 1:
            return None, f"a reference with {said} errors cannot show more than {100 * (1 - share):.4g}% accuracy"
        if value < 0:
            return None, f"a reference with {said} errors cannot show less than {said} accuracy"
        return (1 - value if measure.twin.metric.name == "error_rate" else value), ""
    unmixed = ((1 - share) * counts - share * counts[::-1]) / (1 - 2 * share)
    if (unmixed < -1e-9).any():
        row, column = (int(i) for i in np.unravel_index(int(unmixed.argmin()), (2, 2)))
        true, called = (formats.plain(confusion.labels[i], 30) for i in (row, column))
        return None, (
            f"{formats.number(float(unmixed[row, column]), 1)} cases of {true} would be called {called}: the errors "
            "are fewer, not alike, or the cases too few to tell"
        )
    value = float(_value(source, measure)(np.maximum(unmixed, 0)[None])[0])
    return (None if np.isnan(value) else value), ""


#: The keys of a range.
RANGE = "metric observed low high range=found with_sampling level interval=kind undefined if_independent contradiction"


@dataclass(frozen=True, repr=False, eq=False)
class LabelErrorRange(Answered, json="wrong labels", fields=f"n wrong {RANGE} curve[wrong=0 low=1 high=2]"):
    """Range of a metric while some reference labels may be wrong; made by `Distribution.with_wrong_labels`.

    Attributes
    ----------
    metric : str
        The measure, ``name@where``.
    wrong, n : int
        Labels that may be wrong, at most, and all of them.
    observed : float or None
        Value on the counts as they are.
    low, high : float
        Lowest and highest value on the counts over all ways in which at most ``wrong`` labels are wrong.
    found : "exact" or "search"
        Whether every such table was tried (or the range is closed), or the range is at least as wide as this.
    with_sampling : Interval or None
        Sampling and wrong labels together: from the lower end of the interval at the table with the lowest value to the
        upper end at that with the highest; None where one of these tables has no posterior.
    curve : tuple of (int, float, float)
        Number of wrong labels from 0 on, lowest and highest value; at most 51 of them.
    undefined : bool
        Whether some of these tables leave the metric undefined (0/0); the range is of the others.
    if_independent : float or None
        Value if exactly this share of the labels is wrong, each with the same probability whatever was predicted; None
        with more than two classes, or where the counts contradict it.
    contradiction : str
        The sentence about that, or nothing.
    ask : Ask
        How it was asked.
    """

    metric: str
    wrong: int
    n: int
    observed: float | None
    low: float
    high: float
    found: Found
    with_sampling: Interval | None
    curve: tuple[tuple[int, float, float], ...]
    undefined: bool
    if_independent: float | None
    contradiction: str
    ask: Ask

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        of = f"{formats.integer(self.wrong)} of the {formats.several(self.n, 'reference label')}"
        least = " or wider (found by search)" if self.found == "search" else ""
        seen = "undefined" if self.observed is None else formats.number(self.observed, self.places)
        ends = formats.interval(self.low, self.high, self.places)
        return f"{formats.plain(self.metric)} {seen}: {ends}{least}, with up to {of} wrong."

    @property
    def places(self) -> int:
        """Decimals in which the range is shown: those that the case counts support."""
        return formats.decimals(self.low, self.high) if self.high > self.low else 3

    def sheet(self) -> Sheet:
        """The curve as a table, and what else can be said."""
        rows = [(formats.integer(e), *(formats.number(x, self.places) for x in ends)) for e, *ends in self.curve]
        *found, meaning = self.said()
        header = ("wrong labels, at most", "lowest", "highest")
        return Sheet(self.sentence, header, tuple(rows), (meaning,), below=tuple(found))

    def said(self) -> list[str]:
        """Sentences around the range."""
        name = self._interval_name
        lines = []
        if self.with_sampling is None:
            lines.append("With sampling: no answer, because a table at an end of the range has no posterior.")
        else:
            ends = formats.interval(*self.with_sampling, formats.decimals(*self.with_sampling))
            lines.append(f"Sampling and wrong labels together: {ends} ({name} at both ends of the range).")
        if self.found == "search":
            lines.append("Found by search: the range is at least as wide as this.")
        if self.undefined:
            lines.append("Some of these tables leave it undefined (0/0); the range is of the others.")
        share = f"{100 * self.wrong / self.n:.3g}%"
        if self.if_independent is not None:
            value = formats.number(self.if_independent, max(self.places, 3))
            lines.append(f"If {share} of the labels are wrong whatever was predicted, it is {value} on these counts.")
        elif self.contradiction:
            lines.append(f"If {share} of the labels were wrong whatever was predicted: {self.contradiction}.")
        lines.append(
            "A wrong label moves a case to another true class; what was predicted stays. The range is the worst in "
            "either direction, and the only answer where the reference was made with the help of the classifier."
        )
        return lines


def checked_wrong(wrong: object, n: int) -> int:
    """A number of wrong labels, or the share of all of them, rounded up; see `with_wrong_labels`.

    Examples
    --------
    >>> checked_wrong(5, 100), checked_wrong(0.02, 130), checked_wrong(0.02, 100)
    (5, 3, 2)
    """
    value = number(wrong)
    whole = isinstance(wrong, int | np.integer)
    if not (value >= 0 if whole else 0 < value < 1):
        raise InvalidArgument(
            "wrong labels are an integer number of them such as 5, or a share below 1 such as 0.02; not "
            f"{excerpt(wrong)}"
        )
    most = math.ceil(min(value, n + 1) if whole else value * n - 1e-9)
    if most > n:
        raise InvalidArgument(
            f"{excerpt(wrong)} wrong labels are more than the {formats.several(n, 'label')} there are"
        )
    return most


def with_wrong_labels(known: Distribution, wrong: float, *, level: float = LEVEL, kind: Kind = KIND) -> LabelErrorRange:
    """Range of the observed value while so many reference labels may be wrong, and of the interval with it.

    Parameters
    ----------
    wrong : int or float
        Labels that are wrong at most: an integer number of them, or their share (0.02), rounded up.
    level, kind : float, "hdi" or "central"
        Of the interval at both ends.

    Returns
    -------
    LabelErrorRange
        Two classes: exact over all tables (above some 2,000 wrong labels a search). More: exact for accuracy and for
        metrics of one class against the rest; others by a search, so the range is at least that wide.

    Raises
    ------
    InvalidArgument
        More wrong labels than labels; a sum or difference; a prevalence that was counted elsewhere.
    NoInformation
        No table defines the metric.
    OutOfReach
        Too many classes and wrong labels for a search.

    Notes
    -----
    A wrong label moves a case within its column of the table (TP to FP, FN to TN, and back), so with net moves i and j
    every table with abs(i) + abs(j) <= E can be the true one; accuracy moves by E/N.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.of("mcc").with_wrong_labels(5)
    mcc 0.74: 0.64 to 0.85, with up to 5 of the 100 reference labels wrong.
    >>> round(post.of("accuracy").with_wrong_labels(0.05).if_independent, 4)
    0.9111
    """
    ask = Ask(level, kind)
    term = known._single
    if term is None:
        raise InvalidArgument("wrong labels are asked of a metric of one posterior, not of a sum or difference")
    source: Any = term.source
    measure, table = term.measure, hasattr(source, "confusion")
    if not table and not hasattr(source, "correct"):
        raise InvalidArgument("wrong labels are asked of a table of cases that all have a label")
    n = source.confusion.n if table else source.n
    most = checked_wrong(wrong, n)
    if not n:
        raise NoInformation("there is no case, so no label can be wrong")
    value, contradiction = None, ""
    if table:
        found = tables(source, measure, most)
        value, contradiction = if_independent(source, measure, most)
    else:
        found = right_answers(source, measure, most)
    if math.isnan(found.low[-1]):
        raise NoInformation(f"{formats.plain(measure.name)} is undefined (0/0) whichever {most} labels are wrong")
    return LabelErrorRange(
        metric=measure.name,
        wrong=most,
        n=n,
        observed=known.observed,
        low=float(found.low[-1]),
        high=float(found.high[-1]),
        found=found.how,
        with_sampling=_together(known, found, measure, ask),
        curve=tuple(zip(found.at, found.low.tolist(), found.high.tolist(), strict=True)),
        undefined=found.undefined,
        if_independent=value,
        contradiction=contradiction,
        ask=ask,
    )


def _together(known: Distribution, found: Relabelled, measure: Measure, ask: Ask) -> Interval | None:
    """From the lower end at the table with the lowest value to the upper end at that with the highest."""
    ends = [known.interval(ask.level, ask.kind)]
    for source in found.ends:
        try:
            ends.append(source().of(measure, draws=known._draws, seed=known._seed).interval(ask.level, ask.kind))
        except (NoInformation, OutOfReach):
            return None
    return Interval(min(x.low for x in ends), max(x.high for x in ends), level=ask.level, kind=ends[0].kind)
