"""Cases whose truth is known of some only: what was called of all of them, and what is true of those that were checked.

A verdict is what a judge, a test or a classifier says of a case. Rows stay truth, columns stay what was called; the
cases without a truth are counted by their verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.data.count_checks import checked_table, whole_number
from howsure.data.labels import distinct_answers, in_order, label_text, label_texts
from howsure.data.sparse_counts import Cells
from howsure.errors import InvalidCounts, InvalidLabels, excerpt, listing
from howsure.numerics.arrays import Floats, Integers

__all__ = ["Verdicts", "counted_verdicts", "verdicts_of_table"]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Counts by verdict: of cases whose truth is known, and of the others; read-only.

    Parameters
    ----------
    truths : int
        The first K labels of the matrix are true classes; the others are only ever called.
    names : tuple of str
        V verdicts. In an audit of a classifier a verdict is what the classifier and the judge said, two words.
    column : ndarray, shape (V,)
        Place among the labels of what each verdict calls a case.
    labelled : ndarray, shape (K, V)
        Cases of each true class with each verdict.
    unlabelled : ndarray, shape (V,)
        Cases with each verdict whose truth is not known.
    scores : ndarray, shape (V,), optional
        Order of the verdicts, where they have one: their places in it, or their numbers.
    audit : bool
        Whether a verdict is a pair, what a classifier called the case and what a judge said.
    """

    truths: int
    names: tuple[str, ...]
    column: Integers
    labelled: Integers
    unlabelled: Integers
    scores: Floats | None = None
    audit: bool = False

    def __post_init__(self) -> None:
        for array in (self.column, self.labelled, self.unlabelled, self.scores):
            if array is not None:
                array.setflags(write=False)

    @property
    def totals(self) -> Integers:
        """All cases with each verdict, shape (V,)."""
        return np.asarray(self.labelled.sum(axis=0) + self.unlabelled)

    @property
    def n(self) -> int:
        """All cases, with and without a truth."""
        return int(self.totals.sum())

    @property
    def n_labelled(self) -> int:
        """Cases whose truth is known."""
        return int(self.labelled.sum())

    def key(self) -> tuple[object, ...]:
        """What tells records apart, for equality and for a hash."""
        scores = None if self.scores is None else self.scores.tobytes()
        counts = self.column.tobytes(), self.labelled.tobytes(), self.unlabelled.tobytes()
        return (self.truths, self.names, *counts, scores, self.audit)


def verdicts_of_table(
    counts: Any,
    labels: Sequence[object] | None,
    verdicts: Sequence[object] | None,
    unlabelled: Mapping[Any, Any] | Sequence[Any] | None,
    order: Sequence[object] | None,
    *,
    turned: bool,
) -> tuple[Cells, tuple[str, ...], Verdicts | None]:
    """Read a table of labelled cases, K true classes by V verdicts, and the cases of each verdict without a truth.

    Returns
    -------
    Cells, labels, Verdicts
        Verdicts is None where every case has a truth.

    Raises
    ------
    InvalidCounts, InvalidLabels
        Not K by V, not whole numbers, names that do not fit.
    """
    called = None if verdicts is None else label_texts(verdicts)
    table = checked_table(counts, None if labels is None else label_texts(labels), called, turned=turned)
    size, columns = table.shape
    truths = label_texts(range(size) if labels is None else labels)
    if len(truths) != size:
        raise InvalidLabels(f"{size} rows need {size} labels, not {len(truths)}: {listing(truths)}")
    if called is None:
        called = truths
    if columns != len(called):
        raise InvalidCounts(
            f"counts have {columns} columns and there are {len(called)} verdicts ({listing(called)}); "
            "name the columns with verdicts="
        )
    names = (*truths, *(v for v in called if v not in truths))
    rest = _by_verdict(unlabelled, called)
    column = np.array([names.index(v) for v in called])
    row, place = np.nonzero(table)
    cells = Cells.added(row, column[place], table[row, place], len(names))
    if not rest.any():
        return cells, names, None
    return cells, names, Verdicts(size, called, column, table, rest, _scores(called, order))


def counted_verdicts(
    y_true: Any, y_pred: Any, judge: Any, labels: Sequence[object] | None, order: Sequence[object] | None
) -> tuple[Cells, tuple[str, ...], Verdicts | None]:
    """Count cases some of which have no truth, by what was called, or by what a classifier and a judge called.

    Parameters
    ----------
    y_true : array_like, shape (n,), or None
        True classes, missing (None, NaN, "") where they are not known; None if they are known of no case.
    y_pred : array_like, shape (n,)
        What was called: the verdict, or with ``judge`` what the audited classifier said.
    judge : array_like, shape (n,), optional
        Verdicts of a judge on the true class.
    labels : sequence, optional
        The true classes, in order. Without it those seen, and every verdict that no labelled case contradicts.
    order : sequence, optional
        The verdicts from low to high.

    Raises
    ------
    InvalidLabels
        Different lengths, no case, a case without a verdict, fewer than two true classes, unknown names.
    """
    pred_texts, predicted = distinct_answers(y_pred, "y_pred")
    blank = [None] * len(predicted)
    true_texts, true = distinct_answers(blank if y_true is None else y_true, "y_true")
    judge_texts, judged = ([""], 0 * predicted) if judge is None else distinct_answers(judge, "judge")
    given = {"y_true": len(true), "y_pred": len(predicted), "judge": len(judged)}
    if len(set(given.values())) > 1:
        counts = ", ".join(
            f"{what} has {count}" for what, count in given.items() if what != "judge" or judge is not None
        )
        raise InvalidLabels(f"every case needs one answer of each: {counts}")
    if not len(true):
        raise InvalidLabels("y_true and y_pred are empty; at least one case is needed")
    for codes, what in ((predicted, "y_pred"), (judged, "judge")):
        gaps = np.flatnonzero(codes < 0)
        if len(gaps):
            raise InvalidLabels(
                f"{what} is missing in {len(gaps)} of {len(codes)} cases (first: case {gaps[0] + 1}); only the truth "
                "may be missing. Leave these cases out, or give them a verdict of their own, such as 'no answer'"
            )
    known = true >= 0
    checked = {pred_texts[v] for v in np.unique(predicted[known])}
    truths = _truths(true_texts, pred_texts, checked, labels, audit=judge is not None)
    names = (*truths, *in_order(set(pred_texts) - set(truths)))
    place = {name: i for i, name in enumerate(names)}
    row = np.array([place[t] for t in true_texts] or [0], dtype=np.int64)[np.maximum(true, 0)]
    column = np.array([place[t] for t in pred_texts], dtype=np.int64)[predicted]
    cells = Cells.of_cases(row[known], column[known], len(names))
    if known.all():
        return cells, names, None
    if judge is None:
        only = not set(truths) & set(pred_texts)
        kinds = tuple(in_order(pred_texts)) if only else names
        number, columns, scores = (
            column - len(truths) * only,
            np.array([place[v] for v in kinds]),
            _scores(kinds, order),
        )
    else:
        number, kinds, columns = _pairs(column, judged, names, judge_texts)
        scores = None
        if order is not None:
            raise InvalidLabels("order= is of the verdicts of a judge alone; pairs with a prediction have none")
    size = len(kinds)
    labelled = np.bincount(row[known] * size + number[known], minlength=len(truths) * size)
    rest = np.bincount(number[~known], minlength=size)
    table = labelled.reshape(len(truths), size).astype(np.int64)
    return cells, names, Verdicts(len(truths), kinds, columns, table, rest.astype(np.int64), scores, judge is not None)


def _truths(
    seen: Sequence[str], called: Sequence[str], checked: set[str], labels: Sequence[object] | None, *, audit: bool
) -> tuple[str, ...]:
    """The true classes: those named, or those seen and every verdict that no labelled case contradicts."""
    if labels is not None:
        names = label_texts(labels)
        odd = sorted(set(seen) - set(names))
        if odd:
            raise InvalidLabels(f"y_true holds {listing(map(excerpt, odd))}, not among labels {listing(names)}")
        truths = names
    elif not set(seen) & set(called):
        truths = tuple(in_order(seen))
    else:
        # a verdict that was checked and was never the truth is only ever called: "unsure"
        truths = tuple(in_order({*seen, *(v for v in called if v not in checked or audit)}))
        if len(truths) < 2 and len({*seen, *called}) == 2:
            truths = tuple(in_order({*seen, *called}))
    if len(truths) < 2:
        shown = f"the truth is {excerpt(truths[0])} wherever it is known" if truths else "no case has a truth"
        raise InvalidLabels(f"{shown}; name all true classes with labels=, two at the least")
    return truths


def _pairs(
    column: Integers, judged: Integers, names: Sequence[str], judge_texts: Sequence[str]
) -> tuple[Integers, tuple[str, ...], Integers]:
    """Cells (prediction, verdict): the cell of each case, their names, and the column of each cell."""
    ordered = in_order(judge_texts)
    rank = np.array([ordered.index(t) for t in judge_texts])[judged]
    # every pair of what was predicted with what was said, also those that never came: the prior knows them
    predicted = np.unique(column)
    place = np.searchsorted(predicted, column)
    kinds = tuple(f"{names[p]}, judged {v}" for p in predicted for v in ordered)
    return place * len(ordered) + rank, kinds, np.repeat(predicted, len(ordered))


def _by_verdict(unlabelled: Any, called: Sequence[str]) -> Integers:
    """Counts of the cases without a truth, shape (V,)."""
    if unlabelled is None:
        return np.zeros(len(called), dtype=np.int64)
    if isinstance(unlabelled, Mapping):
        found = {label_text(name): value for name, value in unlabelled.items()}
        odd = [str(name) for name in found if name not in called]
        if odd:
            raise InvalidLabels(
                f"unlabelled= counts {listing(map(excerpt, odd))}, not among verdicts {listing(called)}"
            )
        values = [found.get(name, 0) for name in called]
    else:
        if isinstance(unlabelled, str | bytes) or not hasattr(unlabelled, "__len__"):
            raise InvalidCounts(f'unlabelled= counts cases by verdict, {{"fail": 572}}, not {excerpt(unlabelled)}')
        values = list(unlabelled)
        if len(values) != len(called):
            raise InvalidCounts(f"{len(called)} verdicts need {len(called)} counts in unlabelled=, not {len(values)}")
    table = [whole_number(v, f"unlabelled {excerpt(name)}") for v, name in zip(values, called, strict=True)]
    return np.array(table, dtype=np.int64)


def _scores(names: Sequence[str], order: Sequence[object] | None) -> Floats | None:
    """Order of the verdicts: places in ``order``, their numbers, or None."""
    if order is not None:
        ranked = label_texts(order)
        if set(ranked) != set(names):
            raise InvalidLabels(
                f"order= names every verdict once, from low to high: {listing(names)}; it holds {listing(ranked)}"
            )
        return np.array([float(ranked.index(name)) for name in names])
    try:
        scores = np.array([float(name) for name in names])
    except ValueError:
        return None
    return scores if np.isfinite(scores).all() else None
