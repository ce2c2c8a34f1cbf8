"""Values of a metric on the tables that a few wrong labels could have hidden, by whatever route is exact.

Two classes: all tables. More: accuracy closes, because each wrong label moves one case from right to wrong or back; a
metric of one class against the rest is one of two classes; the others are searched.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.folds import refuse_passes
from howsure.errors import InvalidArgument, OutOfReach
from howsure.metrics import Measure
from howsure.metrics.own import OwnFormula
from howsure.numerics.arrays import Floats
from howsure.numerics.moved_labels import MovedLabels, over_all_moves, over_best_moves, steps
from howsure.text import formats

__all__ = ["Found", "Relabelled", "if_independent", "right_answers", "tables"]

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
    """Range of a metric of a table, by the first route that is exact, else by search.

    Raises
    ------
    InvalidArgument
        A prevalence that was counted elsewhere; cases without a label.
    OutOfReach
        A search among too many tables.
    """
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
