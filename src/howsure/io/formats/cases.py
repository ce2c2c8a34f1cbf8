"""Lists of cases and of counts (one cell of the matrix a row); cases some of which have no truth, wherever they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from howsure.data.case_columns import wrong_in_turn
from howsure.data.confusion import ConfusionMatrix, in_folds, of_groups
from howsure.data.counts import LARGEST_COUNT
from howsure.data.groups import counted_groups
from howsure.data.labels import ESTIMATE, Column, in_order
from howsure.data.refusals import of_file, refusal, say
from howsure.data.verdicts import JudgedTable, judged_cases, told_apart
from howsure.data.words import UNLABELLED, is_summary, is_total, word_of
from howsure.errors import HowsureError, InvalidCounts, InvalidFile, excerpt
from howsure.io.assembly import (
    MOST_CLASSES,
    MOST_CLASSES_LISTED,
    assembled_cells,
    called,
    cell_name,
    chosen_model,
    refuse_odd,
    sides_of,
)
from howsure.io.case_rows import (
    NEEDLESS_ROWS,
    CaseUnits,
    CodedRows,
    check_names,
    coded_rows,
    group_asked,
)
from howsure.io.opening import LARGEST_FILE
from howsure.io.reading import Reading, Request
from howsure.io.roles import Columns, refuse_unnamed_counts, settled_columns
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
        from howsure.io.counting.engines import grouped

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


# -- cases some of which have no truth --

#: How the sentence about a missing truth ends, in a file.
ESTIMATE_OPTION = ESTIMATE.removeprefix(", or, if").replace("missing='estimate'", "--missing estimate.")
ESTIMATE_OPTION = f" Or, if{ESTIMATE_OPTION}"


def judged_confusion(
    rows: CodedRows, places: Sequence[int], some: Booleans, request: Request, *, repeats: bool
) -> tuple[ConfusionMatrix | None, list[str]]:
    """Matrix of cases some of which have no truth, and notes; None where all have one and every verdict is a class."""
    table = rows.table
    if repeats:
        raise table.fault(say("not_both", "several folds", "--missing estimate"))
    kept = np.flatnonzero(some & (rows.times > 0))
    if not len(kept):
        raise refusal(table.source, "all_zero")
    sides = [rows.classes(at, request.labels) for at in places]
    for side, what in zip(sides[1:], ("verdict" if len(sides) < 3 else "prediction", "verdict"), strict=False):
        if len(gaps := kept[side.codes[kept] < 0]):
            raise rows.fault(say("no_verdict", what), int(gaps[0]))
    true, *answers = (side.part(kept) for side in sides)
    if not true.texts:
        raise refusal(table.source, "no_label")
    lines = rows.first_lines(sides, some)
    check_names(table, true.texts, rows.first_lines(sides[:1], some), request)
    others = [name for name in lines if name not in (request.labels or ())]
    check_names(table, others, lines, replace(request, labels=None))
    times = rows.times[kept]
    if times.sum() > LARGEST_COUNT:
        raise refusal(table.source, "overflow", "the table")
    if len(lines) > MOST_CLASSES:
        raise refusal(table.source, "too_many_classes", len(lines), "labels and verdicts", MOST_CLASSES)
    with of_file(table.source):
        judge = answers[1] if len(answers) > 1 else None
        found = judged_cases(true, answers[0], judge, request.labels, request.order, times=times)
        if found is None:
            return None, []
        confusion, notes = _made(found, request)
    return confusion, [*notes, *([NEEDLESS_ROWS] if request.rows is not None else [])]


def _made(table: JudgedTable, request: Request, positive: str | None = None) -> tuple[ConfusionMatrix, list[str]]:
    confusion = ConfusionMatrix(
        table.counts,
        table.labels,
        positive=request.positive or positive,
        verdicts=table.verdicts,
        unlabelled=table.unlabelled.tolist(),
        order=request.order,
    )
    verdicts = confusion.verdicts
    return confusion, told_apart(confusion.labels, verdicts) if verdicts and request.labels is None else []


# -- a matrix with a row of cases without a truth ----------------------------------------------------------------


def unlabelled_rows(rows: Sequence[str], columns: Sequence[str]) -> tuple[str | None, str | None]:
    """Row, and column, of the cases without a truth by its name; None where there is none, or it is a class.

    Examples
    --------
    >>> unlabelled_rows(["fail", "pass", "Unlabelled"], ["fail", "pass"]), unlabelled_rows(["a", "b"], ["a", "b"])
    (('Unlabelled', None), (None, None))
    """
    row = next((name for name in rows if word_of(name) in UNLABELLED and name not in columns), None)
    column = next((name for name in columns if word_of(name) in UNLABELLED and name not in rows), None)
    return row, None if row is not None else column


def judged_square(
    table: TextTable, rows: Sequence[str], columns: Sequence[str], counts: NDArray[np.int64], request: Request
) -> tuple[ConfusionMatrix, list[str]] | None:
    """Matrix with a row of cases without a truth, or with verdicts that are no true class; rows are truth."""
    name, _ = unlabelled_rows(rows, columns)
    rows, columns, counts, notes = _without_totals(table, rows, columns, counts)
    if name is None and (request.missing != "estimate" or not set(rows) < set(columns)):
        return None
    keep = [i for i, row in enumerate(rows) if row != name]
    rest = np.zeros(len(columns), dtype=np.int64) if name is None else counts[rows.index(name)]
    truths, counts = [rows[i] for i in keep], counts[keep]
    _settled_policy(table.source, f"the row {excerpt(name)}", int(rest.sum()), int(counts.sum() + rest.sum()), request)
    sides = sides_of(truths, columns, "true")
    positive = None
    if sides is not None and sides.rows != "pred":
        order = [*sides.column_order]
        counts, rest = counts[np.ix_(sides.row_order, sides.column_order)], rest[order]
        truths, columns, positive = [*sides.classes], [*sides.classes], sides.positive
        notes.append(called(sides.classes, sides.positive))
    if request.missing == "exclude":
        n = several(int(counts.sum() + rest.sum()), "case")
        notes.append(f"Set aside: {integer(int(rest.sum()))} of {n}, which have no true class.")
        rest = 0 * rest
        if set(truths) != set(columns):
            advice = "they have to be where cases without a truth are set aside"
            raise refusal(table.source, "unlike_sides", truths, columns, advice)
    if request.labels is not None:
        odd = [truth for truth in truths if truth not in request.labels]
        if odd:
            raise refusal(table.source, "outside", odd, request.labels)
        whole = np.zeros((len(request.labels), len(columns)), dtype=np.int64)
        whole[[request.labels.index(truth) for truth in truths]] = counts
        truths, counts = list(request.labels), whole
    if not counts.any():
        raise refusal(table.source, "no_label")
    with of_file(table.source):
        confusion, said = _made(JudgedTable(counts, tuple(truths), columns, rest), request, positive)
    return confusion, [*notes, *said]


def _without_totals(
    table: TextTable, rows: Sequence[str], columns: Sequence[str], counts: NDArray[np.int64]
) -> tuple[list[str], list[str], NDArray[np.int64], list[str]]:
    """Leave out a last row and a last column that are called totals and add up."""
    rows, columns, notes = list(rows), list(columns), []
    for axis, names in ((0, rows), (1, columns)):
        others = columns if axis == 0 else rows
        if len(names) < 3 or not is_total(names[-1], surely=names[-1] in others):
            continue
        turned = counts if axis == 0 else counts.T
        what = "row" if axis == 0 else "column"
        refuse_odd(table.source, what, names[-1], others, turned)
        notes.append(f"The last {what} ({excerpt(names[-1])}) is the total and was left out.")
        names.pop()
        counts = turned[:-1] if axis == 0 else turned[:-1].T
    return rows, columns, counts, notes


def _settled_policy(source: str, where: str, rest: int, n: int, request: Request) -> None:
    """Refuse cases without a truth, unless it is said what becomes of them."""
    if request.missing == "error" and rest:
        problem = f"{integer(rest)} of {several(n, 'case')} have no true class ({where})"
        raise refusal(source, "set_aside", problem, ESTIMATE_OPTION)


# -- a JSON document ---------------------------------------------------------------------------------------------


def is_judged(value: Mapping[str, Any]) -> bool:
    """Whether a document holds the columns or the cases of verdicts, as `ConfusionMatrix.to_dict` writes them."""
    return isinstance(value.get("verdicts"), list) or isinstance(value.get("unlabelled"), list | dict)


def from_plain(source: str, value: Mapping[str, Any], request: Request) -> ConfusionMatrix:
    """The matrix of plain data, as `ConfusionMatrix.to_dict` writes them."""
    try:
        return ConfusionMatrix.from_dict({**value, "positive": request.positive or value.get("positive")})
    except (HowsureError, TypeError, AttributeError) as error:
        raise InvalidFile(source, plain(str(error), 1000)) from None


def judged_document(
    source: str, value: Mapping[str, Any], request: Request, layout: str, notes: Sequence[str]
) -> Reading:
    """Matrix with verdicts, from a JSON document as `ConfusionMatrix.to_dict` writes it."""
    found = from_plain(source, value, request)
    judged = found.verdicts
    if judged is None:
        return Reading(found, source, layout, tuple(notes))
    rest = int(judged.unlabelled.sum())
    _settled_policy(source, "unlabelled", rest, judged.n, request)
    if request.missing == "exclude":
        notes = [*notes, f"Set aside: {integer(rest)} of {several(judged.n, 'case')}, which have no true class."]
        labelled, names = judged.labelled, found.labels
        if judged.audit or len(names) > judged.truths:
            raise refusal(source, "unlike_sides", judged.names, found.labels, "Or leave --missing out")
        place = [judged.names.index(name) for name in names]
        return Reading(
            ConfusionMatrix(labelled[:, place], names, positive=found.positive), source, layout, tuple(notes)
        )
    if request.labels is not None and set(request.labels) != set(found.labels[: judged.truths]):
        truths = found.labels[: judged.truths]
        raise refusal(source, "outside", truths, request.labels)
    if request.order is not None:
        data = found.to_dict() | {"order": list(request.order)}
        with of_file(source):
            found = ConfusionMatrix.from_dict(data)
    return Reading(found, source, layout, tuple(notes))
