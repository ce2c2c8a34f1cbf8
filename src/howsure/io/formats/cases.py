"""Lists of cases (one a row, or one a row and a classifier) and lists of counts (one cell of the matrix a row)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.groups import counted_groups
from howsure.data.labels import Column, in_order
from howsure.data.matrix_in_units import in_folds, of_groups
from howsure.data.missing_answers import wrong_in_turn
from howsure.data.refusals import refusal, say
from howsure.data.words import is_summary
from howsure.errors import HowsureError, InvalidCounts, excerpt
from howsure.io.assembly import MOST_CLASSES, MOST_CLASSES_LISTED, assembled_cells, cell_name, chosen_model
from howsure.io.case_rows import (
    NEEDLESS_ROWS,
    CaseUnits,
    CodedRows,
    check_names,
    coded_rows,
    group_asked,
)
from howsure.io.column_values import refuse_unnamed_counts
from howsure.io.formats.judged import ESTIMATE_OPTION, judged_confusion
from howsure.io.opening import LARGEST_FILE
from howsure.io.reading import Reading, Request
from howsure.io.roles import Columns, settled_columns
from howsure.io.table import TextTable
from howsure.numerics.arrays import Booleans, Integers, bincount, repeat
from howsure.text.formats import integer, plain, several

T = TypeVar("T")

#: Fewest cases of one class that are not all wrong, but named by other words.
FEWEST_WRONG = 10


def read_cases(table: TextTable, columns: Columns, request: Request) -> Reading:
    """Count predictions, or add up counts, of one classifier."""
    apart = group_asked(columns, request) is None and columns.fold is None and request.missing != "estimate"
    columns = settled_columns(table, columns, apart=apart)
    model = ""
    if "" not in columns.pred:
        model = chosen_model(table.source, list(columns.pred), request.model, "the header")
    columns = replace(columns, pred={model: columns.pred[model]})
    return by_engine(table, columns, request, lambda rows: _reading(rows, columns, request))


def by_engine(
    table: TextTable, columns: Columns, request: Request, made_of: Callable[[CodedRows], T], once: tuple[int, ...] = ()
) -> T:
    """What is made of the rows of a table: grouped where they are if they are many, else one by one."""
    if table.is_large:
        from howsure.io.counting.grouping import grouped

        try:
            return made_of(grouped(table, columns, request))
        except HowsureError:
            # the rows tell where it is, or that the engine is too strict, unless they are too many
            if table.origin is None or table.origin.size > LARGEST_FILE:
                raise
    return made_of(rows_of_cases(table, columns, request, once))


def rows_of_cases(table: TextTable, columns: Columns, request: Request, once: tuple[int, ...] = ()) -> CodedRows:
    """The columns of cases or counts row by row, with how many cases each stands for."""
    at = columns
    if at.count is None and at.id is None:
        sides = [it for it in (at.model, at.true, *at.pred.values(), at.judge) if it is not None]
        refuse_unnamed_counts(table, at.unused, sides)
    places = [at.true, *at.pred.values(), at.judge, at.model, at.id, at.fold, at.repeat, at.weight, at.count]
    rows = coded_rows(table, [*places, group_asked(columns, request)], blank=at.count is None, once=once)
    rows.check_weights(at.weight)
    predicted = next(iter(at.pred.values()))

    def cell(row: int) -> str:
        true, pred = (table.clean(rows[it].texts[rows[it].codes[row]]) for it in (at.true, predicted))
        return cell_name(true, pred, "true") if len(at.pred) == 1 else "the count"

    rows.multiplied(at.count, cell)
    return rows


def _reading(rows: CodedRows, columns: Columns, request: Request) -> Reading:
    """From rows to a matrix: one rule for labels and gaps, whatever counted them."""
    table, source = rows.table, rows.table.source
    if not len(rows):
        raise refusal(source, "no_rows", "case" if columns.count is None else "count")
    units = CaseUnits(rows, columns, request)
    ((model, predicted),) = columns.pred.items()
    some = np.ones(len(rows), dtype=bool)
    if columns.model is not None:
        names = rows.names(columns.model, "classifier")
        what = f"column {excerpt(table.header[columns.model], 40)}"
        model = chosen_model(source, names.texts, request.model, what)
        some = names.codes == names.texts.index(model)
    elif not model and request.model is not None:
        raise table.fault(say("nothing_to_choose", "column of classifiers", request.model))
    said = (*table.notes, *units.notes())
    what = f"{table.kind}{'predictions' if columns.count is None else 'list of counts'}"
    of = f" of {plain(model, 40)}" if model else ""
    if request.missing == "estimate":
        places = [at for at in (columns.true, predicted, columns.judge) if at is not None]
        judged, notes = judged_confusion(rows, places, some, request, repeats=units.repeated)
        if judged is not None and judged.verdicts is not None:
            n = f"{several(judged.verdicts.n, 'case')}{of}, {integer(judged.n)} of them labelled"
            return Reading(judged, source, f"{what}, {n}", (*said, *notes))
    true = rows.truth(columns.true, request.labels)
    pred = rows.answers(predicted, true, request)
    there, wrong, notes = _answered(rows, columns, true, pred, some, request)
    # a class whose cases are all set aside is one still, as it is in `Predictions` and in `Counts`
    lines = rows.first_lines((true, pred), some)
    check_names(table, list(lines), lines, request)
    cells = _cells(rows, (true, pred), (there, wrong), in_order(lines))
    confusion = _matrix(table, cells, in_order(lines), request)
    if request.rows is not None:
        notes.append(NEEDLESS_ROWS)
    if (folds := units.folds(some)) is not None:
        try:
            confusion = in_folds(confusion, folds)
        except InvalidCounts as error:
            raise table.fault(plain(str(error), 1000)) from None
    layout = f"{what}, {several(confusion.n, 'case')}{of}"
    if units.groups is not None:
        names_ = [units.groups.texts[code] for code in units.groups.codes[cells.rows]]
        place = np.array([confusion.labels.index(name) for name in in_order(lines)])
        sides = place[cells.true], place[cells.pred]
        groups = counted_groups(names_, *sides, len(confusion.labels), cells.times)
        confusion = of_groups(confusion, groups)
        layout += f" in {several(len(groups), 'group')}"
    return Reading(confusion, source, layout, (*said, *notes))


def _answered(
    rows: CodedRows, columns: Columns, true: Column, pred: Column, some: Booleans, request: Request
) -> tuple[Booleans, Booleans, list[str]]:
    """The rows of cases that have both classes, those whose answer counts as an error, and what was done with which."""
    cases = some & (rows.times > 0)
    gaps = cases & ((true.codes < 0) | (pred.codes < 0))
    there = cases & ~gaps
    silent = gaps & (true.codes >= 0)
    if not gaps.any():
        return there, silent, []
    for side in (true, pred):
        for row in np.flatnonzero(gaps & (side.codes >= 0)).tolist():
            if is_summary(text := side.texts[side.codes[row]]):
                raise rows.fault(say("totals_row", "class", text), row)
    row = int(np.flatnonzero(gaps)[0])
    at = columns.true if true.codes[row] < 0 else next(iter(columns.pred.values()))
    text = rows.table.clean(rows[at].texts[rows[at].codes[row]])
    shown = (excerpt(text) if text else "a blank") + (f" in {rows.place(row)}" if rows.line(row) else "")
    missing, total = int(rows.times[gaps].sum()), int(rows.times[some].sum())
    have = "has" if missing == 1 else "have"
    problem = f"{integer(missing)} of {several(total, 'case')} {have} no true or no predicted class (first: {shown})"
    if request.missing == "error":
        advice = f" If {excerpt(text)} is a class, name all classes with --labels." if text else ""
        advice = ("" if (gaps & (pred.codes < 0)).any() else ESTIMATE_OPTION) + advice
        count = " --missing wrong counts a case without an answer as an error." if silent.any() else ""
        raise rows.fault(say("set_aside", problem, count + advice), row)
    if request.missing == "wrong":
        if not silent[gaps].all():
            raise rows.fault(say("untrue", problem), row)
        return there, silent, [f"Counted as errors, spread evenly over the wrong classes: {problem}."]
    if not there.any():
        raise rows.fault(say("none_left", problem), row)
    return there, np.zeros_like(there), [f"Set aside: {problem}."]


class CaseCells(NamedTuple):
    """Cases by true and predicted class, as places among the names, and the row that each is from."""

    rows: Integers
    true: Integers
    pred: Integers
    times: Integers


def _cells(
    rows: CodedRows, sides: tuple[Column, Column], kinds: tuple[Booleans, Booleans], names: list[str]
) -> CaseCells:
    """Cases that have both classes, and those whose answer counts as an error, over the wrong classes in turn."""
    true, pred = (it.among(names) for it in sides)
    both, silent = (np.flatnonzero(kind) for kind in kinds)
    cells = CaseCells(both, true[both], pred[both], rows.times[both])
    if not len(silent) or len(names) < 2:
        return cells
    each = repeat(silent, rows.times[silent])
    more = CaseCells(each, true[each], wrong_in_turn(true[each], len(names)), np.ones(len(each), dtype=np.int64))
    return CaseCells(*map(np.concatenate, zip(cells, more, strict=True)))


def _matrix(table: TextTable, cells: CaseCells, names: list[str], request: Request) -> ConfusionMatrix:
    """Matrix of the cases that are counted."""
    source, size, times = table.source, len(names), cells.times
    # of ids and free text every one is another; of classes there are some cases each
    if size > MOST_CLASSES_LISTED or (size > MOST_CLASSES and 2 * size > times.sum()):
        raise refusal(source, "too_many_classes", size, "different classes", MOST_CLASSES_LISTED)
    rows_of, columns_of = cells.true, cells.pred
    pairs, which = np.unique(np.stack([rows_of, columns_of]), axis=1, return_inverse=True)
    many = np.flatnonzero(bincount(which, weights=times) > LARGEST_COUNT)
    if len(many):
        row, column = pairs[:, many[0]].tolist()
        raise refusal(source, "overflow", cell_name(names[row], names[column], "true"))
    confusion = assembled_cells(source, (rows_of, columns_of, times), names, request)
    here, called = ({names[i] for i in set(side.tolist())} for side in pairs)
    # 0 and 1 beside false and true are never right; of a few cases of a single class all may well be wrong
    if request.labels is None and not here & called and (len(here) > 1 or times.sum() >= FEWEST_WRONG):
        raise refusal(source, "no_class_shared", in_order(here), "", in_order(called))
    return confusion
