"""Lists of cases (one a row, or one a row and a classifier) and lists of counts (one cell of the matrix a row)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import LARGEST_COUNT
from howsure.data.labels import in_order
from howsure.data.matrix_in_units import in_folds, in_groups
from howsure.data.words import is_missing, is_score
from howsure.errors import HowsureError, InvalidCounts, InvalidFile, excerpt
from howsure.io.assembly import assembled_cells
from howsure.io.case_rows import (
    NEEDLESS_ROWS,
    CellTally,
    Key,
    add_group,
    check_names,
    fitted_rows,
    settle_units,
    settled_columns,
    weight_one,
)
from howsure.io.cells import NotACount, count_of, looks_numeric
from howsure.io.formats.judged import ESTIMATE_OPTION, judged_confusion
from howsure.io.formats.thousands import decimals_left_out
from howsure.io.names_in_files import (
    MOST_CLASSES,
    MOST_CLASSES_LISTED,
    cell_name,
    checked_label,
    chosen_model,
    quoted,
)
from howsure.io.opening import LARGEST_FILE
from howsure.io.reading import Reading, Request
from howsure.io.roles import Columns
from howsure.io.table import Nested, TextTable
from howsure.io.units_of_cases import CaseUnits, group_asked
from howsure.text.formats import integer, plain, several

__all__ = ["read_cases"]


def read_cases(table: TextTable, columns: Columns, request: Request) -> Reading:
    """Count predictions, or add up counts, of one classifier.

    Parameters
    ----------
    table : TextTable
    columns : Columns
    request : Request

    Raises
    ------
    InvalidFile
        Missing answers (unless set aside), doubled ids, weights, scores in place of classes, counts that are
        none, several classifiers and none chosen.
    """
    source = table.source
    apart = group_asked(columns, request) is None and columns.fold is None and request.missing != "estimate"
    columns = settled_columns(table, columns, apart=apart)
    wide = "" not in columns.pred
    model = ""
    if wide:
        model = chosen_model(source, list(columns.pred), request.model, "the header")
        predicted = columns.pred[model]
    else:
        predicted = columns.pred[""]
    of_one = replace(columns, pred={model: predicted})
    if table.is_large:
        try:
            return _read(table, of_one, request, _grouped(table, of_one, request), model)
        except HowsureError:
            # the rows tell where it is, or that the engine is too strict, unless they are too many
            if table.origin is None or table.origin.size > LARGEST_FILE:
                raise
    pick = _picker(columns.model, columns.true, predicted, columns.judge)
    tally = _listed(table, columns, pick, request) if columns.count is None else _counted(table, columns, pick, request)
    return _read(table, of_one, request, tally, model)


def _grouped(table: TextTable, columns: Columns, request: Request) -> CellTally:
    from howsure.io.engines.grouping import grouped

    if columns.fold is not None:
        raise InvalidFile(table.source, "folds are told apart row by row, and there are too many rows")
    return grouped(table, columns, request)


def _read(table: TextTable, columns: Columns, request: Request, tally: CellTally, model: str) -> Reading:
    """From cells to a matrix: one rule for labels and gaps, whatever counted them."""
    source = table.source
    if not tally.cells:
        raise InvalidFile(source, f"there is a header and no {'case' if columns.count is None else 'count'} below it")
    if columns.model is not None:
        model = _model_of(table, columns.model, tally, request)
    elif not model and request.model is not None:
        problem = f"there is no column of classifiers to choose {excerpt(request.model)} from"
        raise table.fault(f"{problem}; leave --model out")
    name = model if columns.model is not None else ""
    what = "predictions" if columns.count is None else "list of counts"
    of = f" of {plain(model, 40)}" if model else ""
    if request.missing == "estimate":
        judged, said = judged_confusion(table, tally, name, request)
        if judged is not None and judged.verdicts is not None:
            n = f"{several(judged.verdicts.n, 'case')}{of}, {integer(judged.n)} of them labelled"
            return Reading(judged, source, f"{table.kind}{what}, {n}", (*table.notes, *tally.notes, *said))
    cells, lines, notes = _answered(table, tally, name, request)
    check_names(table, list(lines), lines, request)
    names = in_order(lines)
    confusion = assembled_cells(source, _placed(source, cells, names), names, request)
    if request.labels is None:
        _refuse_strangers(table, cells)
    if request.rows is not None:
        notes.append(NEEDLESS_ROWS)
    if tally.units is not None and (folds := tally.units.folds(name)) is not None:
        try:
            confusion = in_folds(confusion, folds)
        except InvalidCounts as error:
            raise table.fault(plain(str(error), 1000)) from None
    layout = f"{table.kind}{what}, {several(confusion.n, 'case')}{of}"
    if tally.by_group:
        confusion = in_groups(confusion, _by_group(table, tally, name, request))
        assert confusion.groups is not None
        layout += f" in {several(len(confusion.groups), 'group')}"
    return Reading(confusion, source, layout, (*table.notes, *tally.notes, *notes))


def _by_group(table: TextTable, tally: CellTally, model: str, request: Request) -> list[tuple[str, str, str, int]]:
    """Group, true and predicted class of the cases of one classifier, without those that are set aside."""
    given = set(request.labels or ())
    cells = []
    for (group, key), count in tally.by_group.items():
        name, true, pred = (table.clean(text) for text in key[:3])
        absent = any(is_missing(label) and label not in given for label in (true, pred))
        if name == model and count and not absent:
            cells.append((table.clean(group), true, pred, count))
    return cells


def _placed(
    source: str, cells: dict[tuple[str, str], int], names: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Places of the true and the predicted class, and the count, of each cell."""
    size = len(names)
    # of ids and free text every one is another; of classes there are some cases each
    if size > MOST_CLASSES_LISTED or (size > MOST_CLASSES and 2 * size > sum(cells.values())):
        most = f"at most {integer(MOST_CLASSES_LISTED)} are read, above {integer(MOST_CLASSES)} with two cases of each"
        problem = f"{integer(size)} different classes, and {most}"
        raise InvalidFile(source, f"{problem}. Is a column free text, a score or an id, and not a class?")
    for (true, pred), count in cells.items():
        if count > LARGEST_COUNT:
            problem = f"{cell_name(true, pred, 'true')} adds up to more than 2**53 - 1 = {LARGEST_COUNT} cases"
            raise InvalidFile(source, problem)
    place = {name: i for i, name in enumerate(names)}
    found = ((place[true], place[pred], count) for (true, pred), count in cells.items())
    rows, columns, counts = np.array(list(found), dtype=np.int64).reshape(-1, 3).T
    return rows, columns, counts


def _picker(model: int | None, true: int, pred: int, judge: int | None) -> Callable[[list[str]], Key]:
    answers = (true, pred) if judge is None else (true, pred, judge)
    if model is None:
        if judge is not None:
            return lambda row: ("", row[true], row[pred], row[judge])
        return lambda row: ("", row[true], row[pred])
    pick: Any = itemgetter(model, *answers)
    return pick  # type: ignore[no-any-return]


def _listed(table: TextTable, columns: Columns, pick: Callable[[list[str]], Key], request: Request) -> CellTally:
    """One case a row."""
    tally = CellTally()
    cells, first = tally.cells, tally.first
    units, ones = CaseUnits(table, columns, request), {"1"}
    tells = any(at is not None for at in (columns.id, columns.fold))
    group = group_asked(columns, request)
    # counts under a name that is not known would be read as one case each; they show by pairs that never repeat
    suspects = [i for i in columns.unused if table.header[i] and not is_score(table.header[i]) and columns.id is None]
    for line, row in fitted_rows(table):
        key = pick(row)
        if key in cells:
            cells[key] += 1
            suspects.clear()
        else:
            cells[key], first[key] = 1, line
            suspects = [i for i in suspects if looks_numeric(row[i])]
        if tells:
            units.add(key[0], row, line)
        if columns.weight is not None and row[columns.weight] not in ones:
            ones.add(weight_one(table, columns.weight, row[columns.weight], line))
        if group is not None:
            add_group(table, group, tally, row[group], key, 1, line)
    if suspects and len(cells) > 1:
        _refuse_counts(table, suspects[0])
    settle_units(table, tally, units)
    return tally


def _counted(table: TextTable, columns: Columns, pick: Callable[[list[str]], Key], request: Request) -> CellTally:
    """One cell of the matrix a row; cells that come again are added up."""
    tally, units = CellTally(), CaseUnits(table, columns, request)
    at, group = columns.count, group_asked(columns, request)
    assert at is not None
    decimals_left_out(table, at)
    for line, row in fitted_rows(table):
        if not any(cell.strip() for cell in row):
            continue
        key = pick(row)
        if columns.weight is not None:
            weight_one(table, columns.weight, row[columns.weight], line)
        try:
            count = count_of(row[at])
        except NotACount as reason:
            cell = cell_name(table.clean(key[1]), table.clean(key[2]), "true")
            raise table.fault(f"{cell} {reason}", line) from None
        tally.cells[key] = tally.cells.get(key, 0) + count
        tally.first.setdefault(key, line)
        units.add(key[0], row, line, count)
        if group is not None:
            add_group(table, group, tally, row[group], key, count, line)
    settle_units(table, tally, units)
    return tally


def _refuse_counts(table: TextTable, at: int) -> NoReturn:
    problem = f"no pair of classes comes twice, and column {excerpt(table.header[at], 40)} holds numbers"
    advice = "If they are counts, name the column count; if each row is one case, add a column id"
    raise table.fault(f"{problem}. {advice}.")


def _answered(
    table: TextTable, tally: CellTally, model: str, request: Request
) -> tuple[dict[tuple[str, str], int], dict[str, int], list[str]]:
    """Cells of one classifier by cleaned labels, the first line of each label, and what was set aside."""
    given = set(request.labels or ())
    cells: dict[tuple[str, str], int] = {}
    lines: dict[str, int] = {}
    total = missing = untrue = 0
    gap: tuple[int, str] | None = None
    for key, count in tally.cells.items():
        nested = next((text for text in key if isinstance(text, Nested)), None)
        if nested is not None:
            raise table.fault(f"{excerpt(nested)} is no class; one text a case is expected", tally.first[key])
        name, true, pred = (table.clean(text) for text in key[:3])
        if name != model:
            continue
        line = tally.first[key]
        total += count
        absent = [label for label in (true, pred) if is_missing(label) and label not in given]
        # a class whose cases are all set aside is one still, as it is in `Predictions` and in `Counts`
        for label in (true, pred):
            if label not in absent and label not in lines:
                lines[checked_label(table, label, line)] = line
        if absent:
            missing += count
            untrue += count if absent == [true] else 0
            if count and gap is None:
                gap = (line, absent[0])
            continue
        cells[true, pred] = cells.get((true, pred), 0) + count
    if gap is None:
        return cells, lines, []
    line, text = gap
    shown = excerpt(text) if text else "a blank"
    if line:  # an engine that groups does not say where
        shown += f" in {table.place(line)}"
    have = "has" if missing == 1 else "have"
    problem = f"{integer(missing)} of {several(total, 'case')} {have} no true or no predicted class (first: {shown})"
    if request.missing == "error":
        advice = f" If {excerpt(text)} is a class, name all classes with --labels." if text else ""
        advice = (ESTIMATE_OPTION if untrue == missing else "") + advice
        raise table.fault(f"{problem}. --missing exclude sets them aside.{advice}", line)
    if not cells:
        raise table.fault(f"{problem}, so none is left to count", line)
    return cells, lines, [f"Set aside: {problem}."]


def _refuse_strangers(table: TextTable, cells: dict[tuple[str, str], int]) -> None:
    """Refuse answers that have no class in common with the truth: 0 and 1 beside false and true are never right."""
    true, pred = ({pair[side] for pair in cells} for side in (0, 1))
    if len(true) > 1 and not true & pred:  # of a single class all may well be wrong
        raise InvalidFile(
            table.source,
            f"the true classes are {quoted(in_order(true))}, the predicted ones {quoted(in_order(pred))}: no class in "
            "common. Spell them alike, or name all classes with --labels if every case is wrong",
        )


def _model_of(table: TextTable, at: int, tally: CellTally, request: Request) -> str:
    """Find the classifier to read, by its cleaned name."""
    models: dict[str, None] = {}
    for key, line in tally.first.items():
        name = table.clean(key[0])
        if is_missing(name):
            problem = f"the classifier (column {excerpt(table.header[at], 40)}) is missing"
            raise table.fault(f"{problem}; name it in every row", line)
        models[name] = None
    return chosen_model(table.source, list(models), request.model, f"column {excerpt(table.header[at], 40)}")
