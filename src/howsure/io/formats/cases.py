"""Lists of cases (one a row, or one a row and a classifier) and lists of counts (one cell of the matrix a row)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import LARGEST_COUNT
from howsure.data.labels import in_order
from howsure.data.words import is_missing, is_score
from howsure.errors import HowsureError, InvalidFile, excerpt, listing
from howsure.io.assembly import MOST_CLASSES, MOST_CLASSES_LISTED, assembled_cells, cell_name, chosen_model
from howsure.io.cells import NotACount, count_of, looks_numeric, unasked
from howsure.io.columns import Columns, half
from howsure.io.opening import LARGEST_FILE
from howsure.io.reading import Reading, Request
from howsure.io.table import Row, TextTable
from howsure.io.tally import CellTally, Key, answered, check_names, refuse_strangers
from howsure.text.formats import integer, plain, several

__all__ = [
    "FIRST_ROWS",
    "HEADER_AGAIN",
    "NEEDLESS_ROWS",
    "fitted_rows",
    "group_notes",
    "note_unused",
    "read_cases",
    "refuse_id",
    "settled_columns",
    "weight_one",
]

_WEIGHT_ONE = re.compile(r"1(\.0*)?")

NEEDLESS_ROWS = "The choice of rows was not needed: the columns say which class is true and which predicted."

HEADER_AGAIN = (
    "the header comes a second time; were files put together? Leave it out of the rows, or give each file by itself: "
    "several are read as one table"
)

#: Rows from which it is told whether a column holds answers.
FIRST_ROWS = 10_000


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
    columns = settled_columns(table, columns)
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
            return _read(table, of_one, request, _grouped(table, of_one), model)
        except HowsureError:
            # the rows tell where it is, or that the engine is too strict, unless they are too many
            if table.origin is None or table.origin.size > LARGEST_FILE:
                raise
    pick = _picker(columns.model, columns.true, predicted)
    tally = _listed(table, columns, pick) if columns.count is None else _counted(table, columns, pick)
    return _read(table, of_one, request, tally, model)


def _grouped(table: TextTable, columns: Columns) -> CellTally:
    from howsure.io.engines.grouping import grouped

    return grouped(table, columns)


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
    cells, lines, notes = answered(table, tally, model if columns.model is not None else "", request)
    check_names(table, list(lines), lines, request)
    names = in_order(lines)
    confusion = assembled_cells(source, _placed(source, cells, names), names, request)
    if request.labels is None:
        refuse_strangers(table, cells)
    if request.rows is not None:
        notes.append(NEEDLESS_ROWS)
    what = "predictions" if columns.count is None else "list of counts"
    of = f" of {plain(model, 40)}" if model else ""
    layout = f"{table.kind}{what}, {several(confusion.n, 'case')}{of}"
    return Reading(confusion, source, layout, (*table.notes, *tally.notes, *notes))


def settled_columns(table: TextTable, columns: Columns) -> Columns:
    """Of the columns that may be classifiers, those whose first answers are mostly classes of the truth.

    Raises
    ------
    InvalidFile
        There is none.
    """
    if not columns.supposed:
        return columns
    peeked = list(islice(table.rows, FIRST_ROWS))
    table.rows = chain(peeked, table.rows)
    rows = [row for _, row in peeked if len(row) >= len(table.header)]
    truth = {table.clean(row[columns.true]) for row in rows}
    kept: dict[str, int] = {}
    for name, at in columns.pred.items():
        answers = [answer for answer in (table.clean(row[at]) for row in rows) if not is_missing(answer)]
        if answers and 2 * sum(answer in truth for answer in answers) >= len(answers):
            kept[name] = at
    if not kept:
        raise half(table, columns.true, [columns.true])
    unused = tuple(sorted({*columns.unused, *columns.pred.values()} - {*kept.values()}))
    names = listing(excerpt(name, 40) for name in kept)
    said = "No column is called a prediction; these answer with classes of the truth and are read"
    table.notes.append(f"{said}: {names}.")
    return replace(columns, pred=kept, unused=unused, supposed=False)


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


def _picker(model: int | None, true: int, pred: int) -> Callable[[list[str]], Key]:
    if model is None:
        return lambda row: ("", row[true], row[pred])
    pick: Any = itemgetter(model, true, pred)
    return pick  # type: ignore[no-any-return]


def fitted_rows(table: TextTable) -> Iterator[Row]:
    """Rows with as many cells as the header; a second header among them is refused."""
    width = len(table.header)
    own = width - (0 if table.origin is None else len(table.origin.parts))
    header, first = table.header[:own], len(table.header[0])
    for line, row in table.rows:
        cells = row if len(row) == width else table.fitted(row, line)
        # by its length first, which takes no time
        if len(cells[0]) == first and [table.clean(cell) for cell in cells[:own]] == header:
            raise table.fault(HEADER_AGAIN, line)
        yield line, cells


def _listed(table: TextTable, columns: Columns, pick: Callable[[list[str]], Key]) -> CellTally:
    """One case a row."""
    tally = CellTally()
    cells, first = tally.cells, tally.first
    seen: dict[tuple[str, str, str], int] = {}
    ones = {"1"}
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
        if columns.id is not None:
            name = row[columns.id].strip()
            case = (key[0], "" if columns.fold is None else row[columns.fold], name)
            before = seen.setdefault(case, line)
            if before is not line or not name:  # lines of two files are equal numbers
                refuse_id(table, columns, name, before, line)
        if columns.weight is not None and row[columns.weight] not in ones:
            ones.add(weight_one(table, columns.weight, row[columns.weight], line))
    if suspects and len(cells) > 1:
        _refuse_counts(table, suspects[0])
    distinct = len({(model, name) for model, _, name in seen})
    group_notes(table, columns, tally, distinct, len(seen))
    return tally


def group_notes(table: TextTable, columns: Columns, tally: CellTally, distinct: int, ids: int) -> None:
    """Say what the columns of groups, folds and ids are not used for, and which columns are not read."""
    used = {"group": columns.group, "fold": columns.fold} if columns.count is None else {}
    for what, at in used.items():
        if at is not None:
            shown = excerpt(table.header[at], 40)
            tally.notes.append(f"The cases of all {what}s are added up as separate cases (column {shown}).")
    if distinct < ids:
        problem = f"{integer(ids)} rows have only {several(distinct, 'different id')}"
        tally.notes.append(
            f"{problem}: the same cases come in several folds, so they hold less information than it seems."
        )
    note_unused(table, tally.notes, columns)


def _counted(table: TextTable, columns: Columns, pick: Callable[[list[str]], Key]) -> CellTally:
    """One cell of the matrix a row; cells that come again are added up."""
    tally = CellTally()
    at = columns.count
    assert at is not None
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
    group_notes(table, columns, tally, 0, 0)
    return tally


def note_unused(table: TextTable, notes: list[str], columns: Columns) -> None:
    """Say which columns are not read."""
    if columns.unused:
        cells = [(i + 1, table.header[i]) for i in columns.unused]
        names = [excerpt(cell, 40) if cell else f"number {number} (no name)" for number, cell in cells]
        notes.append(f"Not used: column{'' if len(names) == 1 else 's'} {listing(names)}.")


def _refuse_counts(table: TextTable, at: int) -> NoReturn:
    problem = f"no pair of classes comes twice, and column {excerpt(table.header[at], 40)} holds numbers"
    advice = "If they are counts, name the column count; if each row is one case, add a column id"
    raise table.fault(f"{problem}. {advice}.")


def refuse_id(table: TextTable, columns: Columns, name: str, before: int, line: int) -> NoReturn:
    """Complain about an id that is blank or comes twice."""
    if not name:
        raise table.fault("the id is blank; give each case its own, or leave the column out", line)
    within = [w for w, at in (("classifier", columns.model), ("fold", columns.fold)) if at is not None]
    where = f" (of one {' and '.join(within)})" if within else ""
    problem = f"the id {excerpt(name)} comes twice{where}, in {table.place(before)} and here"
    raise table.fault(f"{problem}; each case is one row, unless a column fold or model tells them apart", line)


def weight_one(table: TextTable, at: int, cell: str, line: int) -> str:
    """Give a weight back if it is 1, and refuse any other."""
    text = cell.strip()
    if _WEIGHT_ONE.fullmatch(text):
        return cell
    raise table.fault(unasked(table.header[at], "" if is_missing(text) else text), line)


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
