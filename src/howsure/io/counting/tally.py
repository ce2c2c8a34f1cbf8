"""What is to be counted, and from what an engine counted to `Counts`: one rule for labels and gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.labels import LONGEST_LABEL, group_text, in_order, label_text, label_texts
from howsure.data.slices import combined
from howsure.data.sparse_counts import summed
from howsure.data.words import SHEET_ERRORS, bare_name, classifier_of
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels, excerpt, listing
from howsure.errors.arguments import column_name, items, one_of
from howsure.io.assembly import multilabel
from howsure.io.counting.result import CountedCells, Counts, SetAside
from howsure.io.engines.codes import Coded
from howsure.io.reading import Request
from howsure.io.refusals import refusal, say
from howsure.io.roles import Columns, columns_of
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
        Column of the true class.
    answers : mapping of str to str
        Column of each classifier, under the classifier's name.
    by : tuple of str
        Columns whose values are counted apart.
    id, model, weight : str or None
        Columns of the case's name, of the classifier's name (one row a case and classifier), of the weight.
    weights : "frequency" or "effective"
        What a weight means.
    count : str or None
        Column of counts: a row stands for so many cases.
    ones : str or None
        Column of weights that nobody asked for, which have to be 1.
    text : callable
        From a value of a class to its text, None where it is missing.
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

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns of classes: truth and answers."""
        return (self.truth, *self.answers.values())

    @cached_property
    def classes(self) -> frozenset[str]:
        """The same as a set: of thousands of columns each is looked up."""
        return frozenset(self.labels)

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell one cell from another: truth, answers, groups."""
        return (*self.labels, *self.by)

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The keys, and the columns of the classifier and of the counts."""
        return (*self.keys, *(c for c in (self.model, self.count) if c is not None))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        others = (self.model, self.id, self.weight, self.count, self.ones)
        return (*self.keys, *(c for c in others if c is not None))

    def text_of(self, column: str) -> Callable[[Any], str | None]:
        """The rule from a value of a column to its text."""
        return self.text if column in self.classes else _count_text if column == self.count else group_text

    def called(self, names: Mapping[str, str]) -> CountColumns:
        """The same question with other names for the columns."""
        parts = {it: getattr(self, it) for it in ("truth", "id", "model", "weight", "count", "ones")}
        answers = {key: names.get(column, column) for key, column in self.answers.items()}
        by = tuple(names.get(column, column) for column in self.by)
        return replace(self, answers=answers, by=by, **{it: names.get(name, name) for it, name in parts.items()})

    def check(self, there: Iterable[str], what: str = "the table") -> None:
        """Refuse names of columns that are not there."""
        known = dict.fromkeys(there)
        absent = [c for c in self.columns if c not in known]
        if absent:
            raise InvalidArgument(say("absent_in", "column", absent, what, known))


def resolved(
    table: TextTable, y_true: Any, y_pred: Any, by: Any, id_: Any, model: Any, weight: Any, weights: Any
) -> tuple[CountColumns, Columns]:
    """Arguments of `howsure.count` as columns of a table; what is left out is found by the words of its header.

    Returns
    -------
    ask : CountColumns
    columns : Columns

    Raises
    ------
    InvalidArgument, InvalidFile
        A column that is not there, or parts that no column has.
    """
    names = names_of(table)
    ask = asked("" if y_true is None else y_true, "" if y_pred is None else y_pred, by, id_, model, weight, weights)
    absent = [c for c in (*ask.by, ask.id, ask.model, ask.weight) if c is not None and c not in names]
    known = {*names, *map(classifier_of, names), ""}
    absent = [c for c in (ask.truth, *ask.answers.values()) if c not in known] + absent
    if absent:
        raise InvalidArgument(say("absent_in", "column", absent, table.source, names))
    # what has a part already has no other
    spare = {*ask.by, *(c for c in (ask.id, ask.model, ask.weight) if c is not None)}
    header = ["" if name in spare else cell for name, cell in zip(names, table.header, strict=False)]
    place = dict(zip(names, header, strict=False))
    pred = [place.get(c, c) for c in ask.answers.values() if c]
    request = Request(true=place.get(y_true, y_true) if isinstance(y_true, str) else None, pred=pred)
    found = columns_of(TextTable(table.source, header, table.line, iter([]), head=table.peek), request)
    if found is None:
        raise refusal(
            table.source,
            "no_column",
            "y_true or y_pred (or a synonym)",
            names,
            "Name them: --true COLUMN --pred COLUMN",
        )

    def at(part: int | None) -> str | None:
        return None if part is None else names[part]

    places = list(found.pred.items())
    named = list(ask.answers) if pred else [key or bare_name(names[i]) for key, i in places]
    answers = {name: names[i] for name, (_, i) in zip(named, places, strict=True)}
    if ask.model is not None and len(answers) > 1:
        raise refusal(
            table.source, "choose", "columns for the prediction of one classifier", answers.values(), "--pred COLUMN"
        )
    counted = at(found.count)
    if counted is not None and ask.weight is not None:
        raise InvalidArgument(say("not_both", "weight=", f"the column of counts {excerpt(counted)}"))
    made = replace(ask, truth=names[found.true], answers=answers, count=counted)
    if ask.model is None and found.model is not None and len(answers) == 1:
        made = replace(made, model=names[found.model])
    if ask.weight is None and found.weight is not None:
        made = replace(made, ones=names[found.weight])
    if made.count is not None and made.id is not None:
        raise InvalidArgument(say("not_both", "id=", f"the column of counts {excerpt(made.count)}"))
    return made, found


def names_of(table: TextTable) -> list[str]:
    """What the columns are called where the rows are: as the header of a text is read, as data with types have it."""
    if table.origin is None or table.origin.format == "csv":
        return list(table.header)
    return list(table.origin.names)


def asked(y_true: Any, y_pred: Any, by: Any, id_: Any, model: Any, weight: Any, weights: Any) -> CountColumns:
    """Arguments of `howsure.count` that name columns; raises `InvalidArgument` with the argument's name."""
    one_of(weights, get_args(Weights), "weights")
    truth = "" if isinstance(y_true, str) and not y_true else column_name(y_true, "y_true")
    given = y_pred
    if isinstance(given, str):
        answers = {bare_name(given): given}
    elif isinstance(given, Mapping):
        answers = {column_name(k, "y_pred"): column_name(v, "y_pred") for k, v in given.items()}
    elif isinstance(given, Sequence):
        answers = {bare_name(column_name(c, "y_pred")): c for c in given}
    else:
        raise InvalidArgument(say("not_a", "y_pred", "the name of a column, or of several", given))
    if not answers:
        raise InvalidArgument(say("not_a", "y_pred", "the name of a column, or of several", given))
    groups = (by,) if isinstance(by, str) else tuple(column_name(c, "by") for c in items(by, "by", "a list of columns"))
    options = {"id": id_, "model": model, "weight": weight}
    named = {k: None if v is None else column_name(v, k) for k, v in options.items()}
    if named["model"] is not None and len(answers) > 1:
        raise InvalidArgument(say("not_both", "model=", "several columns y_pred"))
    found = CountColumns(truth, answers, groups, named["id"], named["model"], named["weight"], weights)
    columns = [c for c in found.columns if c]
    twice = [c for c, times in Counter(columns).items() if times > 1]
    if twice or len(answers) < (1 if isinstance(given, str) else len(given)):
        raise InvalidArgument(say("part_twice", (twice or list(given))[0]))
    return found


#: Nothing to be counted, and nothing that was set aside.
NO_ROWS = "no case was counted of 0 rows: there are columns and no row in them. Was the export finished?"

#: Classes of one count; more are free text or ids in the wrong column.
MOST_CLASSES = 200_000


@dataclass(frozen=True)
class Tally:
    """Cells as an engine counted them, each column with codes of its own.

    Parameters
    ----------
    truth : Coded
        Distinct texts, and the code of each cell, -1 where missing.
    answers, by : sequence of Coded
    model : Coded or None
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

    truth: Coded
    answers: Sequence[Coded]
    by: Sequence[Coded]
    rows: Integers
    model: Coded | None = None
    weight: NDArray[np.float64] | None = None
    aside: Sequence[SetAside] = field(default=())
    where: Callable[[str], Sequence[str]] | None = None
    notes: Sequence[str] = ()


def settled(tally: Tally, ask: CountColumns, labels: Sequence[object] | None = None, name: str = "") -> Counts:
    """Number all classes alike, set aside what has no truth or no answer, and account for it.

    Parameters
    ----------
    tally : Tally
    ask : CountColumns
    labels : sequence, optional
        All classes.
    name : str
        What the user calls the files; "" in memory.

    Raises
    ------
    InvalidLabels, InvalidFile
        No row, missing classifiers, answers outside ``labels``, weights that are none, far too many classes; nothing
        that is counted, or, without ``labels``, truth and answers with nothing in common.
    """
    try:
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
    except InvalidLabels as error:
        if not name:
            raise
        raise InvalidFile(name, plain(str(error), 800)) from None
    return counts


def _settled(tally: Tally, ask: CountColumns, labels: Sequence[object] | None) -> Counts:
    if not tally.answers:
        raise InvalidLabels(say("none_counted", 0, NO_ROWS))  # classifiers that stand in rows, and there is none
    if tally.model is not None:
        tally = replace(tally, model=ordered(tally.model))
    texts = [tally.truth[0], *(a[0] for a in tally.answers)]
    names = _names(texts, ask, labels)
    place = {name: i for i, name in enumerate(names)}
    truth, *answers = (_renumbered(column, place) for column in (tally.truth, *tally.answers))
    groups, group = combined(tally.by) if tally.by else ([()], np.zeros(len(truth), dtype=np.int64))
    model = _models(tally.model, ask, len(truth))
    models = list(ask.answers) if tally.model is None else tally.model[0]
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
            if "\0" in text:
                raise InvalidLabels(f"column {excerpt(column)}: {say('nul')}")
            if text in SHEET_ERRORS:
                raise InvalidLabels(f"column {excerpt(column)}: {say('sheet_error', text)}")
            if len(text) > LONGEST_LABEL:
                raise InvalidLabels(say("long_label", len(text), text, LONGEST_LABEL))
    if labels is None:
        return in_order(seen)
    names = list(label_texts(labels))
    odd = sorted(seen - set(names))
    if odd:
        raise InvalidLabels(say("outside", odd, names))
    return names


def _renumbered(column: Coded, place: dict[str, int]) -> Integers:
    texts, codes = column
    return np.array([*(place[t] for t in texts), -1], dtype=np.int64)[codes]


def _models(column: Coded | None, ask: CountColumns, cells: int) -> Integers:
    if column is None:
        return np.full(cells, -1, dtype=np.int64)
    if (column[1] < 0).any():
        raise InvalidLabels(say("name_lacking", "classifier", ask.model))
    return column[1]


def ordered(column: Coded) -> Coded:
    """The same with its texts in their order: engines give them in any."""
    names = in_order(column[0])
    return names, _renumbered(column, {name: i for i, name in enumerate(names)})


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
