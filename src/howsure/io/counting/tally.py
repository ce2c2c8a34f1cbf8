"""What is to be counted, and from what an engine counted to `Counts`: one rule for labels and gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.counts import LARGEST_COUNT, summed
from howsure.data.labels import Column, group_text, in_order, label_text, label_texts
from howsure.data.refusals import refusal, say
from howsure.data.slices import combined
from howsure.data.words import bare_name
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import column_name, items, one_of
from howsure.io.assembly import multilabel, why_no_label
from howsure.io.counting.result import CountedCells, Counts, SetAside
from howsure.io.reading import Request
from howsure.io.roles import columns_of, settled_columns
from howsure.io.table import TextTable
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import integer, plain, several

Weights = Literal["frequency", "effective"]


def _count_text(value: Any) -> str | None:
    """A count as it is written: 12.000 is no other spelling of 12, it may be thousands."""
    text = group_text(value)
    return value.strip() if isinstance(value, str) and text is not None else text


@dataclass(frozen=True)
class CountColumns:
    """The columns of one count.

    Parameters
    ----------
    truth : str
    answers : mapping of str to str
        Column of the answers of each classifier, by its name; with ``model`` the one column of all.
    by : tuple of str
        Columns of groups.
    id, model, weight : str, optional
    weights : {"frequency", "effective"}
    count : str, optional
        Column of the cases that a row stands for.
    ones : str, optional
        Column of weights that nobody asked for: all have to be 1.
    text : callable
        The rule from a value to its class.
    """

    truth: str
    answers: Mapping[str, str]
    by: tuple[str, ...] = ()
    id: str | None = None
    model: str | None = None
    weight: str | None = None
    weights: Weights = "frequency"
    count: str | None = None
    ones: str | None = None
    text: Callable[[Any], str | None] = label_text

    @cached_property
    def labels(self) -> dict[str, None]:
        """Columns of classes: truth and answers."""
        return dict.fromkeys((self.truth, *self.answers.values()))

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell one cell from another."""
        return (*self.labels, *self.by, *(c for c in (self.model, self.count, self.weight) if c is not None))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read; first the weights, whose sentence says the most."""
        return tuple(dict.fromkeys(c for c in (self.ones, self.weight, *self.keys, self.id) if c is not None))

    def text_of(self, column: str) -> Callable[[Any], str | None]:
        """The rule from a value of a column to its text."""
        return self.text if column in self.labels else _count_text if column == self.count else group_text

    def called(self, names: Mapping[str, str]) -> CountColumns:
        """The same question with other names for the columns."""
        parts = {it: getattr(self, it) for it in ("truth", "id", "model", "weight", "count", "ones")}
        answers = {key: names.get(column, column) for key, column in self.answers.items()}
        by = tuple(names.get(column, column) for column in self.by)
        return replace(self, answers=answers, by=by, **{it: names.get(name, name) for it, name in parts.items()})


def asked(
    table: TextTable, y_true: Any, y_pred: Any, by: Any, id_: Any, model: Any, weight: Any, weights: Any
) -> CountColumns:
    """Arguments of `howsure.count` as columns of a table; what is left out is found by the words of its header."""
    one_of(weights, get_args(Weights), "weights")
    answers = _answers(y_pred)
    groups = (by,) if isinstance(by, str) else tuple(column_name(c, "by") for c in items(by, "by", "a list of columns"))
    options = {"y_true": y_true, "id": id_, "model": model, "weight": weight}
    named = {part: None if name is None else column_name(name, part) for part, name in options.items()}
    if model is not None and len(answers) > 1:
        raise InvalidArgument(say("not_both", "model=", "several columns y_pred"))
    request = Request(true=named["y_true"], pred=tuple(answers.values()), id=named["id"])
    others = {part: name for part in ("model", "weight") if (name := named[part]) is not None}
    found = columns_of(table, request, others | {f"slice {i}": name for i, name in enumerate(groups)})
    names = table.names
    if found is None:
        expected = "Name them: --true COLUMN --pred COLUMN"
        raise refusal(table.source, "no_column", "y_true or y_pred (or a synonym)", names, expected)
    if found.count is not None and (weight is not None or id_ is not None):
        option = "id=" if weight is None else "weight="
        raise InvalidArgument(say("not_both", option, f"the column of counts {excerpt(names[found.count])}"))
    if id_ is None and found.id is not None and found.model is None:  # by its word, which nobody asked for
        found = replace(found, id=None, unused=(*found.unused, found.id))
    slices = [table.column(name) for name in groups]
    found = settled_columns(table, found, apart=True, grouped=False, others=dict.fromkeys(slices, "slice"))
    if found.group is not None:
        shown = excerpt(names[found.group], 40)
        table.notes.append(f"The cases of all groups are added up (column {shown}); by={shown} (--by) keeps them.")

    def at(place: int | None) -> str | None:
        return None if place is None else names[place]

    keys = answers or [key or bare_name(names[place]) for key, place in found.pred.items()]
    return CountColumns(
        names[found.true],
        dict(zip(keys, (names[place] for place in found.pred.values()), strict=True)),
        tuple(names[place] for place in slices),
        id=None if id_ is None else at(found.id),
        model=at(found.model) if len(found.pred) == 1 else None,
        weight=None if weight is None else at(found.weight),
        weights=weights,
        count=at(found.count),
        ones=at(found.weight) if weight is None else None,
    )


def _answers(y_pred: Any) -> dict[str, str]:
    """Columns of answers by the names of their classifiers."""
    if y_pred is None:
        return {}
    if isinstance(y_pred, Mapping):
        answers = {column_name(key, "y_pred"): column_name(column, "y_pred") for key, column in y_pred.items()}
    else:
        listed = [y_pred] if isinstance(y_pred, str) else y_pred if isinstance(y_pred, Sequence) else []
        answers = {bare_name(column_name(column, "y_pred")): column for column in listed}
        if len(answers) < len(listed):
            raise InvalidArgument(say("part_twice", listed[0]))
    if not answers:
        raise InvalidArgument(say("not_a", "y_pred", "the name of a column, or of several", y_pred))
    return answers


#: Nothing to be counted, and nothing that was set aside.
NO_ROWS = "no case was counted of 0 rows: there are columns and no row in them. Was the export finished?"

#: Classes of one count; more are free text or ids in the wrong column.
MOST_CLASSES = 200_000


@dataclass(frozen=True)
class Tally:
    """Cells as an engine counted them, each column with codes of its own.

    Parameters
    ----------
    truth : Column
        Distinct texts, and the code of each cell, -1 where missing.
    answers, by : sequence of Column
    model : Column or None
        The classifier of a cell, where classifiers are counted apart.
    rows : ndarray, shape (C,)
        Rows in each cell.
    weight : ndarray, shape (C,), optional
        Weight of each row in a cell.
    aside : sequence of SetAside
        Rows that are in no cell.
    where : callable, optional
        Examples of rows whose value in a column is missing.
    notes : sequence of str
        What else was done.
    """

    truth: Column
    answers: Sequence[Column]
    by: Sequence[Column]
    rows: Integers
    model: Column | None = None
    weight: NDArray[np.float64] | None = None
    aside: Sequence[SetAside] = field(default=())
    where: Callable[[str], Sequence[str]] | None = None
    notes: Sequence[str] = ()


def settled(tally: Tally, ask: CountColumns, labels: Sequence[object] | None = None) -> Counts:
    """Number all classes alike, set aside what has no truth or no answer, and account for it."""
    counts = _settled(tally, ask, labels)
    if not counts.read:
        raise InvalidLabels(say("none_counted", 0, NO_ROWS))
    if not counts.n:
        aside = "; ".join(map(str, counts.set_aside))
        raise InvalidLabels(say("none_counted", counts.read, f" ({aside})" if aside else ""))
    if labels is None:
        if (together := multilabel(counts.labels)) is not None:
            raise InvalidLabels(say("several_classes", together))
        _check_classes(counts)
    return counts


def _settled(tally: Tally, ask: CountColumns, labels: Sequence[object] | None) -> Counts:
    if not tally.answers:
        raise InvalidLabels(say("none_counted", 0, NO_ROWS))  # classifiers that stand in rows, and there is none
    if tally.model is not None:
        tally = replace(tally, model=tally.model.ordered)
    texts = [column.texts for column in (tally.truth, *tally.answers)]
    names = _names(texts, ask, labels)
    truth, *answers = (column.among(names) for column in (tally.truth, *tally.answers))
    groups, group = combined(tally.by) if tally.by else ([()], np.zeros(len(truth), dtype=np.int64))
    model = np.full(len(truth), -1, dtype=np.int64) if tally.model is None else tally.model.codes
    if tally.model is not None and (model < 0).any():
        raise InvalidLabels(say("name_lacking", "classifier", ask.model))
    models = list(ask.answers) if tally.model is None else tally.model.texts
    stacked = np.stack(answers, axis=1) if len(truth) else np.empty((0, len(answers)), dtype=np.int64)
    aside = [*tally.aside, *_aside(truth, stacked, tally, ask, models)]
    counts, notes = _counted(tally, ask)
    columns = [truth, *stacked.T, group, model]
    if counts.dtype.kind == "f":
        columns, shares = summed(columns, counts)
        counts = _apportioned(shares)
    keep = columns[0] >= 0
    if tally.model is not None or len(answers) == 1:
        keep &= columns[1] >= 0
    if not keep.all():
        columns, counts = [column[keep] for column in columns], counts[keep]
    cells = CountedCells.of(columns[0], np.stack(columns[1:-2], axis=1), columns[-2], columns[-1], counts)
    read = int(tally.rows.sum()) + sum(one.rows for one in tally.aside)
    said, paired, weighted = (*tally.notes, *notes), tally.model is None, tally.weight is not None
    titles = tuple(models or [""])
    return Counts(cells, tuple(names), titles, ask.by, tuple(groups), read, tuple(aside), paired, said, weighted)


def _check_classes(counts: Counts) -> None:
    """Refuse truth and answers without a class in common: then a column is the wrong one."""
    cells = counts.cells
    true = set(np.flatnonzero(bincount(cells.truth)).tolist())
    columns = (
        cells.answers.T if counts.paired else [cells.answers[cells.model == m, 0] for m in range(len(counts.models))]
    )
    for name, column in zip(counts.models, columns, strict=True):
        found = set(np.flatnonzero(bincount(column[column >= 0])).tolist())
        if found and not found & true:
            here, there = (
                listing(excerpt(counts.labels[i], 40) for i in sorted(codes)[:12]) for codes in (true, found)
            )
            raise InvalidLabels(say("no_class_shared", here, f" of {plain(name)}" if name else "", there))


def _names(texts: Sequence[Sequence[str]], ask: CountColumns, labels: Sequence[object] | None) -> list[str]:
    seen = set().union(*texts)
    for column, found in zip((ask.truth, *ask.answers.values()), texts, strict=True):
        if len(found) > MOST_CLASSES:
            raise InvalidLabels(
                say("too_many_classes", len(found), f"different values (column {excerpt(column)})", MOST_CLASSES)
            )
        for text in found:
            if problem := say("nul") if "\0" in text else why_no_label(text):
                raise InvalidLabels(f"column {excerpt(column)}: {problem}")
    if labels is None:
        return in_order(seen)
    names = list(label_texts(labels))
    odd = sorted(seen - set(names))
    if odd:
        raise InvalidLabels(say("outside", odd, names))
    return names


def _counted(tally: Tally, ask: CountColumns) -> tuple[NDArray[Any], list[str]]:
    """Cases in each cell: rows, or the sum of frequency weights; or the shares of their effective number, as floats."""
    if tally.weight is None:
        return tally.rows, []
    where = f"the weight (column {excerpt(ask.weight)})"
    sums = tally.weight * tally.rows
    total, lowest = float(sums.sum()), float(tally.weight.min(initial=0.0))
    if lowest < 0 or not np.isfinite(total):
        raise InvalidLabels(say("not_a", where, "0 or more", lowest if lowest < 0 else total))
    if ask.weights == "frequency":
        if (tally.weight % 1 > 0).any():
            raise InvalidLabels(say("weight_fractions", where))
        if total > LARGEST_COUNT:
            raise InvalidLabels(say("overflow", where))
        return np.rint(sums).astype(np.int64), []
    if total == 0:
        raise InvalidLabels(say("all_zero"))
    effective = int(total * total / float((tally.weight * sums).sum()))
    note = (
        f"Weighted: {several(int(tally.rows.sum()), 'row')} count as {integer(effective)}, the effective number "
        "(sum w)^2 / sum w^2, shared out in whole cases by the weights."
    )
    return sums / total * effective, [note]


def _apportioned(exact: NDArray[np.float64]) -> Integers:
    """Whole numbers that add up to the same, by the largest remainders."""
    whole = np.floor(exact).astype(np.int64)
    rest = round(float(exact.sum())) - int(whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:rest]] += 1
    return whole


def _aside(
    truth: Integers, answers: Integers, tally: Tally, ask: CountColumns, models: Sequence[str]
) -> list[SetAside]:
    """Account for the rows without a truth, and for those with one and without an answer."""
    found = []
    untrue = truth < 0
    reasons = [("no true class", ask.truth, untrue)]
    for t, (name, column) in enumerate(ask.answers.items()):
        several = len(ask.answers) > 1 and tally.model is None
        reason = f"no answer of {plain(name)}" if several else "no predicted class"
        reasons.append((reason, column, (answers[:, t] < 0) & ~untrue))
        # a row is set aside once, for the first gap
        untrue = untrue | (answers[:, t] < 0)
    for reason, column, which in reasons:
        rows = int(tally.rows[which].sum())
        if rows:
            found.append(SetAside(reason, rows, tuple(tally.where(column)) if tally.where else ()))
    return found
