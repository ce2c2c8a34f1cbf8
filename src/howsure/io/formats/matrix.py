r"""Square tables: with class names and a corner cell such as ``true\pred``, or bare numbers."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from howsure.data.refusals import refusal, say
from howsure.data.words import Role, corner_rows, corner_says, is_abstention, is_total
from howsure.errors import excerpt
from howsure.io.assembly import (
    MOST_CLASSES,
    Sides,
    called,
    cell_name,
    checked_label,
    classes_of,
    quoted,
    reading_of,
    refuse_odd,
    settled_rows,
    sides_of,
)
from howsure.io.cells import NotACount, cell_value, counted_rows, without_separators
from howsure.io.formats.cases import judged_square, unlabelled_rows
from howsure.io.reading import Reading, Request
from howsure.io.table import Row, TextTable
from howsure.numerics.arrays import bincount
from howsure.text.formats import integer, plain, several


def read_labelled(table: TextTable, request: Request) -> Reading:
    r"""Matrix with class names in the first line and the first column, with totals or without."""
    source = table.source
    corner, columns = table.header[0], table.header[1:]
    _check_columns(table, columns, request)
    said = corner_rows(corner)
    weak = corner_says(corner) if said is None and request.rows is None else None
    said = said or weak
    by_name = _rows_by_name(table, said or request.rows, columns, request)
    rows, counts = list(by_name), np.array(list(by_name.values()), dtype=np.int64)
    judged = _read_judged(table, rows, columns, counts, request)
    if judged is not None:
        return judged
    rows, columns, counts, aside = _without_abstentions(table, rows, columns, counts, request)
    height, width, notes = classes_of(source, rows, columns, counts, request)
    notes += aside
    if weak == "true":
        notes.append(f"The corner cell says {excerpt(corner, 40)}: rows are true classes. --rows pred if they are not.")
    elif weak == "pred":
        notes.append("--rows true if that is not what the corner cell means.")
    rows, columns, counts = rows[:height], columns[:width], counts[:height, :width]
    sides = sides_of(rows, columns, said or request.rows)
    if sides is not None:
        return _read_sides(table, rows, columns, counts, sides, notes, request)
    _refuse_odd(source, rows, columns)
    # columns may come in another order than rows; names decide
    place = {name: i for i, name in enumerate(columns)}
    counts = counts[:, [place[name] for name in rows]]
    if rows != columns:
        notes.append("Rows and columns list the classes in different order; they were matched by name.")
    layout = "matrix", f"corner says {plain(corner, 30)}"
    return reading_of(source, counts, rows, request, said=said, where=_shown_corner(corner), layout=layout, notes=notes)


def _without_abstentions(
    table: TextTable, rows: list[str], columns: list[str], counts: NDArray[np.int64], request: Request
) -> tuple[list[str], list[str], NDArray[np.int64], list[str]]:
    """The table without columns of answers that name no class, where these are set aside, and then without totals."""
    at = [i for i, name in enumerate(columns) if is_abstention(name) and name not in rows]
    if not at or len(columns) - len(at) < 2 or request.labels is not None:
        return rows, columns, counts, []
    if is_total(columns[-1]):
        refuse_odd(table.source, "column", columns[-1], rows, counts.T)
        columns, counts = columns[:-1], counts[:, :-1]
    if is_total(rows[-1]):
        refuse_odd(table.source, "row", rows[-1], columns, counts)
        rows, counts = rows[:-1], counts[:-1]
    n, total = int(counts[:, at].sum()), int(counts.sum())
    shown = quoted(columns[i] for i in at)
    problem = f"{integer(n)} of {several(total, 'answer')} {'is' if n == 1 else 'are'} {shown}, which is no class"
    if request.missing not in ("exclude", "wrong"):
        advice = " Metrics are then of those answered. --missing wrong counts them as errors."
        raise refusal(table.source, "set_aside", problem, advice)
    kept = [i for i in range(len(columns)) if i not in at]
    per = ", ".join(
        f"{excerpt(name, 30)} {integer(int(row[at].sum()))}" for name, row in zip(rows, counts, strict=True)
    )
    if request.missing == "wrong" and (corner_rows(table.header[0]) or request.rows) == "pred":
        raise refusal(table.source, "not_both", "--missing wrong", "rows of predicted classes")
    if request.missing == "wrong":
        answers = [columns[i] for i in kept]
        sides = sides_of(rows, answers)
        right = (
            answers if sides is None else [rows[sides.row_order[sides.column_order.index(i)]] for i in range(len(kept))]
        )
        filled = counts[:, kept].copy()
        for row, name, silent in zip(filled, rows, counts[:, at].sum(1).tolist(), strict=True):
            others = [i for i, it in enumerate(right) if it != name]
            row[others] += bincount(np.arange(silent) % len(others), minlength=len(others))
        return rows, answers, filled, [f"Counted as errors, spread evenly over the wrong classes: {problem} ({per})."]
    note = f"Set aside: {problem} ({per}). Metrics are of those answered."
    return rows, [columns[i] for i in kept], counts[:, kept], [note]


def _read_judged(
    table: TextTable, rows: list[str], columns: list[str], counts: NDArray[np.int64], request: Request
) -> Reading | None:
    """Matrix with a row, or a column, of cases without a truth; which says itself what the rows are."""
    source, corner = table.source, table.header[0]
    of_rows, of_columns = unlabelled_rows(rows, columns)
    if of_rows is None and of_columns is None and request.missing != "estimate":
        return None
    said = corner_rows(corner)
    because = "the cases without a truth are a " + ("row" if of_rows is not None else "column")
    known: Role | None = "true" if of_rows is not None else "pred" if of_columns is not None else None
    if said is not None and known is not None and said != known:
        raise table.fault(say("other_way", because, corner))
    if known is None:
        if len(rows) == len(columns):
            return None
        meaning = settled_rows(source, said, request, where=_shown_corner(corner), meanings="Say which it is.")
    else:
        meaning = settled_rows(source, known, request, where=because, meanings="")
    if meaning == "pred":
        rows, columns, counts = columns, rows, counts.T
    found = judged_square(table, rows, columns, counts, request)
    if found is None:
        return None
    confusion, notes = found
    if meaning == "pred":
        notes = ["Rows are predicted classes. The matrix was turned and is shown with rows = truth.", *notes]
    layout = f"matrix, corner says {plain(corner, 30)}" if said else f"matrix, rows {meaning}"
    return Reading(confusion, source, layout, tuple(notes))


def _read_sides(
    table: TextTable,
    rows: list[str],
    columns: list[str],
    counts: NDArray[np.int64],
    sides: Sides,
    notes: list[str],
    request: Request,
) -> Reading:
    """Matrix whose names are those of the two sides, such as test+ and test- by disease+ and disease-."""
    source, corner = table.source, table.header[0]
    said = corner_rows(corner) or (corner_says(corner) if request.rows is None else None)
    shown = f"the rows are called {quoted(rows)} and the columns {quoted(columns)}"
    if said is not None and sides.rows not in (None, said):
        raise table.fault(say("other_way", shown, corner))
    counts = counts[np.ix_(sides.row_order, sides.column_order)]
    known = sides.rows or said
    because = shown if sides.rows else _shown_corner(corner)
    where = because if known else f"{shown}, and {_shown_corner(corner)}"
    names = "names of rows and columns" if sides.rows else f"corner says {plain(corner, 30)}"
    pairs = zip(sides.row_order, sides.column_order, strict=True)
    right = ", ".join(f"{excerpt(columns[j], 30)} of {excerpt(rows[i], 30)}" for i, j in list(pairs)[::-1][:5])
    notes = [*notes, called(sides.classes, sides.positive), *([] if sides.rows else [f"Taken as right: {right}."])]
    return reading_of(
        source, counts, sides.classes, request, said=known, where=where, layout=("matrix", names), notes=notes,
        positive=sides.positive,
    )  # fmt: skip


def read_bare(table: TextTable, rows: list[Row], request: Request) -> Reading:
    """Square of numbers without any name, with totals or without."""
    source = table.source
    width = len(table.header)
    if width < 2:
        raise table.fault(say("one_class", table.header))
    if len(rows) != width:
        raise refusal(source, "bare_not_square", len(rows), width)
    counts = np.zeros((width, width), dtype=np.int64)
    for i, (line, row) in enumerate(without_separators(table, rows, request)):
        for j, text in enumerate(table.fitted(row, line)):
            try:
                counts[i, j] = cell_value(text, request)
            except NotACount as reason:
                raise table.fault(f"{cell_name(str(i), str(j), request.rows)} {reason}", line) from None
    names, counts, notes = without_names(source, counts, request)
    return reading_of(
        source, counts, names, request, said=None, where="the matrix has no corner cell",
        layout=("matrix without names", ""), notes=notes,
    )  # fmt: skip


def without_names(
    source: str, counts: NDArray[np.int64], request: Request
) -> tuple[list[str], NDArray[np.int64], list[str]]:
    """Names for a square that brings none, its counts without totals, and notes.

    The names are ``labels=``, those of the grid on the page, or numbers from 0.
    """
    size, notes, labels = len(counts), list[str](), request.labels
    if labels is None or len(labels) != size:
        size, _, notes = classes_of(source, [""] * size, [""] * size, counts, Request())
    if labels is not None and len(labels) != size:
        raise refusal(source, "labels_for_classes", size, labels)
    names = list(labels or (() if request.grid is None else request.grid.names))
    if len(names) != size:
        names = [str(i) for i in range(size)]
        notes = [*notes, f"The file has no class names; they are called {quoted(names)}."]
    return names, counts[:size, :size], notes


def _shown_corner(corner: str) -> str:
    return f"the corner cell says '{plain(corner, 40)}'" if corner else "the corner cell is blank"


def _check_columns(table: TextTable, columns: list[str], request: Request) -> None:
    if len(columns) > MOST_CLASSES:
        raise table.fault(say("too_many", len(columns), "columns", MOST_CLASSES))
    seen: set[str] = set()
    for number, name in enumerate(columns):
        if not name:
            raise table.fault(say("lacking", f"the class name of column {number + 2}"))
        if checked_label(table.source, name, table.line) in seen:
            raise table.fault(say("twice", "the column", name))
        seen.add(name)
    if len(columns) < (1 if request.missing == "estimate" else 2):  # a judge may always say the same
        raise table.fault(say("one_class", columns))


def _rows_by_name(table: TextTable, meaning: Role | None, columns: list[str], request: Request) -> dict[str, list[int]]:
    source = table.source
    rows: dict[str, list[int]] = {}
    # one row too many is enough to name it; more would let a long file fill the memory
    most = (len(columns) if request.missing != "estimate" else MOST_CLASSES) + 1
    filled = (row for row in table.rows if any(cell.strip() for cell in row[1]))
    lines = list(islice(filled, most))
    if request.grid is None or not request.grid.shares:
        lines = counted_rows(table, lines, columns)
    named = {table.clean(row[0]) for _, row in lines}
    for line, row in without_separators(table, lines, request, first=1):
        row = table.fitted(row, line)
        name = table.clean(row[0])
        if not name:
            raise table.fault(say("lacking", "the class name in the first cell of the row"), line)
        if checked_label(source, name, line) in rows:
            raise table.fault(say("twice", "the row", name), line)
        counts = rows[name] = []
        for column, text in zip(columns, islice(row, 1, None), strict=True):
            try:
                counts.append(cell_value(text, request))
            except NotACount as reason:
                # where no column has the name of a row they are spelled in two ways, and nothing is known
                odd = column not in named and not is_total(column) and not named.isdisjoint(columns)
                extra = f" No row is called {excerpt(column)}; if it is no class, leave that column out." if odd else ""
                raise table.fault(f"{cell_name(name, column, meaning)} {reason}{extra}", line) from None
    if not rows:
        raise refusal(source, "no_rows", "row of counts")
    return rows


def _refuse_odd(source: str, rows: list[str], columns: list[str]) -> None:
    across, down = set(rows), set(columns)
    odd = {"rows": [it for it in rows if it not in down], "columns": [it for it in columns if it not in across]}
    if any(odd.values()):
        advice = "Is a row missing, or a name spelled in two ways? Call answers as the classes are called"
        if any(is_total(name) for names in odd.values() for name in names):
            advice = "Remove totals"
        raise refusal(source, "unlike_sides", odd["rows"] or "none", odd["columns"] or "none", advice)
