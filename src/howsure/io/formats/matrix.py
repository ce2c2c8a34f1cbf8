r"""Square tables: with class names and a corner cell such as ``true\pred``, bare, or a block among lines of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.refusals import refusal, say
from howsure.data.words import NEGATION, Role, corner_rows, corner_says, is_abstention, is_total, role
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
from howsure.io.cells import NotACount, cell_value, counted_rows, looks_numeric, without_separators
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


# -- blocks among lines of cells, and the names that stand above and beside them --

#: Lines of names above a block.
MOST_TITLES = 4

_CELL_ARRAY = re.compile(r"\{'([^']*)'\s*\}")
#: Words of a line above numbers that names no classes.
_PROSE = re.compile(r"[:{}=]|^(?:confusion|matrix|table|counts)$", re.IGNORECASE)
_OTHER: dict[Role | None, str] = {"true": "predicted", "pred": "true", None: ""}

#: What programs say elsewhere of their rows; the corner cell that says it.
PROGRAMS = [
    (re.compile(r"Error\s+Rate\b|Row labels: Actual|<--\s*classified as|Classification Table"), r"true\pred"),
    (re.compile(r"\bD\s+~D\b"), r"pred\true"),  # Stata calls them so, of whom the truth is known
    (re.compile(r"\$table[^$]*\$overall|\$table[\s\S]*\$byClass|^True:\t", re.MULTILINE), r"pred\true"),
]


class PrintedLine(NamedTuple):
    """A line: what stands before its counts, the counts, all cells, whether a blank one or a name is first."""

    number: int
    head: list[str]
    counts: list[str]
    cells: list[str]
    blank: bool
    words: list[str]
    named: bool = False

    @property
    def figures(self) -> int:
        """Cells behind those that name the row."""
        return len(self.cells) - len(self.head)


def blocks(lines: Sequence[PrintedLine]) -> Iterator[tuple[list[PrintedLine], list[PrintedLine]]]:
    """Runs of rows with as many counts each, or one fewer, with what stands above."""
    at = 0
    while at < len(lines):
        rows = [lines[at]]
        wide = len(rows[0].counts)
        end = at + 1
        while wide > 1 and end < len(lines) and end - at < 2 * MOST_CLASSES:
            line = lines[end]
            total = bool(line.head) and any(map(is_total, line.head[:2]))
            shares = not line.head and (bool(rows[0].head) or line.figures < rows[0].figures)
            if line.figures == rows[0].figures and len(line.counts) > 1 and not shares:
                rows.append(line)
                wide = min(wide, len(line.counts))
            elif total and len(line.counts) in (wide, wide - 1):
                rows.append(line)
            # figures without a name, or that are no counts, are shares of the row above
            elif not shares and (line.counts or not line.figures or line.figures > rows[0].figures):
                break
            end += 1
        if wide > 1 and len(rows) > 1:
            cut = [row._replace(counts=row.counts[:wide]) if len(row.counts) > wide else row for row in rows]
            yield cut, [*lines[max(at - MOST_TITLES, 0) : at]]
            at = end
        else:
            at += 1


def framed(rows: Sequence[PrintedLine], above: Sequence[PrintedLine], text: str = "") -> list[Row] | None:
    """A block with its names: a line of names with a corner cell, and rows that begin with a name."""
    wide = len(rows[0].counts)
    above = list(above)
    beside = ""
    if len(above) > 1 and len(above[-1].cells) == 1 and role(above[-1].cells[0]) and not above[-1].counts:
        beside = above.pop().cells[0]  # pandas and ftable print the title of the rows below the names
    names_of = above[-1] if above else None
    heads = [line.head for line in rows]
    if not heads[0]:
        named = _CELL_ARRAY.findall(text)
        if len(rows) == wide == len(named):
            return _frame(rows[0].number, "", named, [[name] for name in named], rows)
        if names_of is not None and {line.counts[0] for line in rows[:2]} <= {*names_of.cells}:
            rows = [row if row.head else row._replace(head=row.counts[:1], counts=row.counts[1:]) for row in rows]
            wide, heads = wide - 1, [line.head for line in rows]
        elif names_of is not None and len(rows) in (wide, wide + 1) and _by_order(names_of, rows):
            names = names_of.cells[:wide]
            body = rows[:wide]
            return _frame(names_of.number, _program(text), names, [[name] for name in names], body)
        elif len(rows) == wide:
            return [(line.number, line.counts) for line in rows]
        else:
            return None
    if not all(heads) or wide < 2 or not 0 <= len(rows) - wide + 1 <= 2:
        return None
    if all(head[-1].casefold() in ("count", "frequency", "n") for head in heads) and all(len(h) > 1 for h in heads):
        heads = [head[:-1] for head in heads]
    # a title of the rows stands beside some of their names
    titles = {head[0] for head in heads if len(head) > 1 and len(head) > min(map(len, heads))}
    if len(titles) > 1:
        return None
    if titles:
        longest = max(heads, key=len)
        beside, heads = longest[-2], [head[-1:] for head in heads]
    fits = _names(names_of, wide, rows, heads, above[:-1]) if names_of is not None else None
    if fits is None:
        if len(rows) != wide or beside or (names_of and len(names_of.cells) == wide + len(heads[0])):
            return None
        return [(line.number, [_name(" ".join(head)), *line.counts]) for head, line in zip(heads, rows, strict=True)]
    corner, names = fits
    if "<--" in text:  # Weka heads columns with the letters of the rows
        names = [" ".join(head) for head in heads]
    title = _title(above[:-1])
    if role(beside or corner) is not None and role(beside or corner) == role(title):
        return None
    called = [" ".join(head) for head in heads]
    if (
        role(title) is not None
        and not any(role(name.partition(" ")[0]) for name in names)
        and any(role(name.partition(" ")[0]) for name in called)
    ):
        names = [name if is_total(name) else f"{title} {_name(name)}" for name in names]
        title = ""
    said = _program(text)
    assert names_of is not None
    return _frame(names_of.number, said or corner_cell(beside or corner, title, text), names, heads, rows)


def _frame(
    line: int, corner: str, names: Sequence[str], heads: Sequence[list[str]], rows: Sequence[PrintedLine]
) -> list[Row]:
    cells = [[_name(" ".join(head)), *row.counts] for head, row in zip(heads, rows, strict=True)]
    size = len(names) + 1
    body = [(row.number, [*it, *[""] * (size - len(it))]) for it, row in zip(cells, rows, strict=True)]
    return [(line, [corner, *map(_name, names)]), *body]


def _by_order(names: PrintedLine, rows: Sequence[PrintedLine]) -> bool:
    """Whether names above are those of rows without any: no number among them, and as many."""
    behind = rows[0].figures - len(rows[0].counts)
    wide = len(rows[0].counts)
    prose = any(looks_numeric(name) or _PROSE.search(name) for name in names.cells)
    return wide <= len(names.cells) <= wide + behind and not prose


def _names(
    line: PrintedLine, wide: int, rows: Sequence[PrintedLine], heads: Sequence[list[str]], above: Sequence[PrintedLine]
) -> tuple[str, list[str]] | None:
    called = dict.fromkeys(" ".join(head) for head in heads if not is_total(head[0]))
    # names of more columns than counts are those of the errors or shares behind the counts
    behind = min(row.figures - len(row.counts) for row in rows if len(row.counts) == wide)
    halves = _halves(line.words, wide)
    halved = halves is not None and sides_of([*called], halves[: len(called)]) is not None
    for cells in (line.cells, line.words):
        corner, names = "", cells
        if len(cells) > wide and not (line.blank and len(cells) != wide + 1 and line.words):
            corner, names = ("", cells) if line.blank and not line.words else (cells[0], cells[1:])
        if len(names) == wide - 1 and above and is_total(above[-1].cells[-1]):
            names = [*names, "Total"]
        fits = wide <= len(names) <= wide + max(behind, 0)
        if fits and called.keys() <= {*names}:
            return corner, list(names[:wide])
        by_words = len(line.words) in (wide, wide + 1) and len(cells) < len(line.words)
        if fits and cells is line.cells and not by_words and not halved:
            return corner, list(names[:wide])
    return ("", halves) if halved and halves else None


def _halves(words: Sequence[str], width: int) -> list[str] | None:
    """Two names, and a total where there is one, of a line whose words single blanks set apart."""
    total = list(words[-1:]) if width == 3 and words and is_total(words[-1]) else []
    rest = words[: len(words) - len(total)]
    half, odd = divmod(len(rest), 2)
    if width != 2 + len(total) or half < 1 or (half == 1 and not odd):
        return None
    negated = [word.casefold() in NEGATION for word in rest]
    at = half if not odd or negated[half] else half + 1 if negated[0] else 0
    shared = {word.casefold() for word in rest[:at]} & {word.casefold() for word in rest[at:]}
    return [" ".join(rest[:at]), " ".join(rest[at:]), *total] if shared else None


def _title(above: Sequence[PrintedLine]) -> str:
    for line in reversed(above):
        cells = [cell for cell in line.cells if not is_total(cell)]
        if len({*cells}) == 1 and not line.counts:
            return cells[0].strip("- ")
    return ""


def _name(text: str) -> str:
    """A name without what programs put before or around it."""
    bare = text.strip(" *`\"'#").removesuffix(":")
    return f"no {bare[1:]}" if bare.startswith("~") else bare


def _program(text: str) -> str:
    if found := re.search(r"\bTable of (\S+) by (\S+)", text, re.IGNORECASE):
        return f"{found[1]}\\{found[2]}"
    return next((corner for pattern, corner in PROGRAMS if pattern.search(text)), "")


def corner_cell(beside: str, above: str, text: str = "") -> str:
    """What the rows and the columns are, of their titles."""
    sides = role(beside), role(above)
    if corner_rows(beside) is not None:
        return beside
    if sides[0] is not None and sides[1] is None and (above or sides[0]) and "\\" not in beside:
        return f"{beside}\\{_OTHER[sides[0]]}" if above or text else beside
    if sides[1] is not None and sides[0] is None:
        return f"{_OTHER[sides[1]]}\\{above}"
    return f"{beside}\\{above}" if beside and above else beside
