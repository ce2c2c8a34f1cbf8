"""What a confusion matrix is made of, from a table, from cases, from cells; each checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from howsure.data.count_checks import checked_cells, checked_counts, framed, refuse_totals
from howsure.data.folds import Folds, counted_folds
from howsure.data.groups import Groups, counted_groups, refuse_both
from howsure.data.judged_cases import judged_cases
from howsure.data.labels import Column, code_answers, distinct_answers, in_order, label_texts
from howsure.data.positive import positive_by_name
from howsure.data.refusals import say
from howsure.data.sparse_counts import Cells
from howsure.data.verdicts import Verdicts, verdicts_of_table
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import one_of

Orientation = Literal["true-rows", "pred-rows"]


class Held(NamedTuple):
    """What a confusion matrix is made of, checked."""

    cells: Cells
    labels: tuple[str, ...]
    verdicts: Verdicts | None = None
    groups: Groups | None = None
    folds: Folds | None = None

    @property
    def n(self) -> int:
        """Number of cases, those whose truth is known."""
        return int(np.rint(self.cells.count.sum()))

    def same(self, other: Held) -> bool:
        """Whether all of both is equal."""
        mine, theirs = (
            (held.labels, held.verdicts and held.verdicts.key(), held.groups and held.groups.key(), held.folds)
            for held in (self, other)
        )
        return mine == theirs and self.cells.same(other.cells)


def of_table(
    counts: Any,
    labels: Sequence[object] | None,
    orientation: Orientation,
    unlabelled: Mapping[Any, int] | Sequence[int] | None,
    verdicts: Sequence[object] | None,
    order: Sequence[object] | None,
) -> Held:
    """See `ConfusionMatrix`."""
    one_of(orientation, get_args(Orientation), "orientation")
    turned = orientation == "pred-rows"
    if unlabelled is not None or verdicts is not None:
        return Held(*verdicts_of_table(counts, labels, verdicts, unlabelled, order, turned=turned))
    if order is not None:
        raise InvalidArgument("order= is of verdicts; say unlabelled= or verdicts= as well")
    given = None if labels is None else label_texts(labels)
    counts, found, turned = framed(counts, given, turned=turned)
    given = given if found is None else label_texts(found)
    array = checked_counts(counts, given)
    if found is not None:
        refuse_totals(found, array)
    names = label_texts(range(len(array))) if given is None else given
    return _fitted(Held(Cells.of_table(array.T if turned else array), names))


def of_cases(
    y_true: Any,
    y_pred: Any,
    labels: Sequence[object] | None,
    missing: Literal["error", "exclude", "estimate"],
    judge: Any,
    order: Sequence[object] | None,
    group: Any,
    ids: Any = None,
    folds: Any = None,
) -> Held:
    """See `ConfusionMatrix.from_predictions`."""
    one_of(missing, ("error", "exclude", "estimate"), "missing")
    if missing == "estimate":
        if group is not None:
            refuse_both()
        if folds is not None or ids is not None:
            raise InvalidArgument("id= and folds= are for cases that all have a truth; leave missing='estimate' out")
        judged = judged_cases(y_true, y_pred, judge, labels, order)
        if judged is not None:
            table, truths, verdicts, rest = judged
            return Held(*verdicts_of_table(table, truths, verdicts, rest.tolist(), order, turned=False))
    elif judge is not None or order is not None:
        raise InvalidArgument("judge= and order= are for cases without a truth; say missing='estimate' as well")
    seen: tuple[str, ...] = ()
    if missing == "exclude":
        (y_true, y_pred, group, ids, folds), seen = _answered(y_true, y_pred, group, ids, folds)
    true, predicted, names = code_answers(y_true, y_pred, labels)
    if labels is None and len(seen) > len(names):  # a class of which all cases are left out is one still
        true, predicted, names = code_answers(y_true, y_pred, seen)
    groups = None if group is None else counted_groups(group, true, predicted, len(names))
    of = counted_folds(Column(list(names), true), ids, folds, group)
    cells = Cells.of_cases(true, predicted, len(names)).divided(of.passes if of else 1)
    return Held(cells, names, groups=groups, folds=of)


def _answered(y_true: Any, y_pred: Any, *others: Any) -> tuple[list[Any], tuple[str, ...]]:
    """The columns without the cases that lack a truth or a prediction, and the classes of all cases."""
    true, pred = distinct_answers(y_true, "y_true"), distinct_answers(y_pred, "y_pred")
    lengths = {len(true.codes), len(pred.codes), *(len(column) for column in others if column is not None)}
    if len(lengths) > 1:
        return [y_true, y_pred, *others], ()  # refused with its sentence where they are counted
    kept = np.flatnonzero((true.codes >= 0) & (pred.codes >= 0))
    rest = [None if column is None else np.asarray(column, dtype=object)[kept] for column in others]
    return [true.part(kept), pred.part(kept), *rest], tuple(in_order({*true.texts, *pred.texts}))


def of_cells(y_true_codes: Any, y_pred_codes: Any, counts: Any, labels: Sequence[object] | None) -> Held:
    """See `ConfusionMatrix.from_cells`."""
    names = None if labels is None else label_texts(labels)
    true, pred, whole, size = checked_cells(y_true_codes, y_pred_codes, counts, names)
    return _fitted(Held(Cells.added(true, pred, whole, size), names or label_texts(range(size))))


def positive_of(held: Held, positive: object | None, index: Callable[[object], int]) -> str | None:
    """The positive one of two true classes: the one that is named, or known by its name."""
    truths = held.labels if held.verdicts is None else held.labels[: held.verdicts.truths]
    if positive is None:
        return positive_by_name(truths)
    if len(truths) != 2:
        raise InvalidArgument(say("positive_of_two", len(truths), positive))
    name = held.labels[index(positive)]
    if name not in truths:
        raise InvalidLabels(f"{excerpt(name)} is a verdict only, and no true class")
    return name


def _fitted(held: Held) -> Held:
    """Give it back, if there is a label for each class."""
    size = held.cells.size
    if len(held.labels) != size:
        raise InvalidLabels(f"{size} classes need {size} labels, not {len(held.labels)}: {listing(held.labels)}")
    return held
