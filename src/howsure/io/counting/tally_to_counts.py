"""From what an engine counted to `Counts`: one rule for labels and gaps, whatever the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.labels import LONGEST_LABEL, in_order, label_texts
from howsure.data.words import SHEET_ERRORS
from howsure.errors import InvalidFile, InvalidLabels, excerpt, listing
from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.result import CountedCells, Counts, SetAside, merged
from howsure.io.engines.codes import Coded
from howsure.io.names_in_files import SEVERAL_CLASSES, multilabel
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import integer, plain, several

__all__ = ["Tally", "ordered", "settled"]

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
            raise InvalidLabels(NO_ROWS)
        if not counts.n:
            aside = "; ".join(map(str, counts.set_aside))
            raise InvalidLabels(f"no case was counted of {several(counts.read, 'row')}{f' ({aside})' if aside else ''}")
        if labels is None:
            if (together := multilabel(counts.labels)) is not None:
                raise InvalidLabels(f"{excerpt(together)} {SEVERAL_CLASSES}")
            _check_classes(counts)
    except InvalidLabels as error:
        if not name:
            raise
        raise InvalidFile(name, plain(str(error), 800)) from None
    return counts


def _settled(tally: Tally, ask: CountColumns, labels: Sequence[object] | None) -> Counts:
    if not tally.answers:
        raise InvalidLabels(NO_ROWS)  # classifiers that stand in rows, and there is none
    if tally.model is not None:
        tally = replace(tally, model=ordered(tally.model))
    texts = [tally.truth[0], *(a[0] for a in tally.answers)]
    names = _names(texts, ask, labels)
    place = {name: i for i, name in enumerate(names)}
    truth, *answers = (_renumbered(column, place) for column in (tally.truth, *tally.answers))
    groups, group = _groups(tally.by, len(truth))
    model = _models(tally.model, ask, len(truth))
    models = list(ask.answers) if tally.model is None else tally.model[0]
    stacked = np.stack(answers, axis=1) if len(truth) else np.empty((0, len(answers)), dtype=np.int64)
    aside = [*tally.aside, *_aside(truth, stacked, tally, ask, models)]
    counts, notes = _counted(tally, ask)
    columns = [truth, *stacked.T, group, model]
    if counts.dtype.kind == "f":
        columns, shares = merged(columns, counts)
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
            raise InvalidLabels(
                f"the true classes are {here}, the answers{f' of {plain(name)}' if name else ''} {there}: no class in "
                "common. Name another column, or all classes with labels if every case is wrong"
            )


def _names(texts: Sequence[Sequence[str]], ask: CountColumns, labels: Sequence[object] | None) -> list[str]:
    seen = set().union(*texts)
    for column, found in zip((ask.truth, *ask.answers.values()), texts, strict=True):
        where = f"column {excerpt(column)} holds"
        if len(found) > MOST_CLASSES:
            many = f"{where} {integer(len(found))} different values, such as {excerpt(found[0], 30)}"
            raise InvalidLabels(
                f"{many}; at most {integer(MOST_CLASSES)} classes are counted. Is it free text or an id?"
            )
        for text in found:
            if "\0" in text:
                raise InvalidLabels(f"{where} a NUL character; text was expected. Is the file binary?")
            if text in SHEET_ERRORS:
                problem = "an error of the spreadsheet and no class; mend the cell there and save it again"
                raise InvalidLabels(f"{where} {excerpt(text)}, {problem}")
            if len(text) > LONGEST_LABEL:
                long = f"{where} a label of {integer(len(text))} characters, {excerpt(text, 30)}"
                raise InvalidLabels(f"{long}; at most {integer(LONGEST_LABEL)} are read. Is it free text?")
    if labels is None:
        return in_order(seen)
    names = list(label_texts(labels))
    odd = sorted(seen - set(names))
    if odd:
        shown = listing(excerpt(t, 40) for t in odd)
        raise InvalidLabels(f"the data hold the class {shown}, not among the labels {listing(names)}")
    return names


def _renumbered(column: Coded, place: dict[str, int]) -> Integers:
    texts, codes = column
    return np.array([*(place[t] for t in texts), -1], dtype=np.int64)[codes]


def _groups(columns: Sequence[Coded], cells: int) -> tuple[list[tuple[str | None, ...]], Integers]:
    """Combinations of groups that occur, in the order of their texts, and which of them each cell is of."""
    if not columns:
        return [()], np.zeros(cells, dtype=np.int64)
    rank = []
    for texts, codes in columns:
        order = in_order(texts)
        at = {text: i for i, text in enumerate(order)}
        # a missing group comes last
        rank.append(np.array([*(at[t] for t in texts), len(texts)], dtype=np.int64)[codes])
    distinct, group = np.unique(np.stack(rank, axis=1), axis=0, return_inverse=True)
    named = [[*in_order(texts), None] for texts, _ in columns]
    return [tuple(n[i] for n, i in zip(named, row, strict=True)) for row in distinct.tolist()], group.reshape(-1)


def _models(column: Coded | None, ask: CountColumns, cells: int) -> Integers:
    if column is None:
        return np.full(cells, -1, dtype=np.int64)
    if (column[1] < 0).any():
        raise InvalidLabels(f"column {excerpt(ask.model)} does not name the classifier in every row; fill it in")
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
        raise InvalidLabels(f"{where} is {lowest if lowest < 0 else total:g} somewhere; weights are 0 or more")
    if ask.weights == "frequency":
        if (tally.weight % 1 > 0).any():
            raise InvalidLabels(
                f"{where} has fractions, so it is no number of cases: counting it as one would claim a precision that "
                "the data do not have. weights='effective' counts the effective number (sum w)^2 / sum w^2 instead"
            )
        if total > LARGEST_COUNT:
            raise InvalidLabels(f"{where} adds up to more than 2**53 - 1 = {LARGEST_COUNT}")
        return np.rint(sums).astype(np.int64), []
    if total == 0:
        raise InvalidLabels(f"{where} is 0 in every row, so there is nothing to count")
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
